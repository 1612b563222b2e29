#include "hearsay/learner/exp3_res.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/learner/draw.h"
#include "hearsay/learner/draw_state.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/regularizer.h"

namespace hearsay {
namespace {

struct ResamplingDraw {
  DrawLaw law;
  std::uint64_t seed = 0;  // of the random numbers for resampling
};

class Exp3Res final : public LearnerBase<ResamplingDraw>, public Randomized, public Inspectable {
 public:
  explicit Exp3Res(const LearnerSpec& spec)
      : LearnerBase(spec, Information::side_observations),
        sums_(spec.arms),
        estimates_(spec.arms),
        shown_(spec.arms) {
    refresh();
  }

  Decision choose(const Stream& stream) override;
  Decision adopt(Arm arm) override;
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;
  std::span<const double> probabilities() const override { return current_.law.probabilities; }
  RoundDetails last_round() const override {
    return {last_.law.rate, 0, last_moment_, last_.law.probabilities, last_estimates_};
  }
  void load(StateReader& reader) override;

 private:
  void save_after_spec(StateWriter& writer) const override;
  // Sets the law of the next decisions.
  void refresh();
  Decision add_decision(Arm arm, std::uint64_t seed);
  void estimate(const ResamplingDraw& drawn, const CheckedFeedback& feedback);

  CompensatedSums sums_;    // of the estimates of each arm
  CompensatedSum moments_;  // the sum of probability * estimate^2
  std::uint64_t rounds_ = 0;
  ResamplingDraw last_;  // the draw of the last round of feedback
  double last_moment_ = 0;
  std::vector<double> last_estimates_;

  // The rest follows from the above, or is a buffer.
  ResamplingDraw current_;
  std::vector<double> estimates_;
  std::vector<std::uint8_t> shown_;
};

void Exp3Res::refresh() {
  const auto n = static_cast<double>(spec_.arms);
  DrawLaw& law = current_.law;
  law.rate = spec_.rate ? *spec_.rate : std::sqrt(std::log(n) / (n * n + moments_.value()));
  law.probabilities.resize(spec_.arms);
  regularizers::shannon()->probabilities(sums_, law.rate, law.probabilities, nullptr);
}

Decision Exp3Res::add_decision(Arm arm, std::uint64_t seed) {
  current_.seed = seed;
  return book_.add(arm, current_.law.probabilities[arm], current_);
}

// The draw uses block 0 of the random bits of the round, and the seed uses block 1.
Decision Exp3Res::choose(const Stream& stream) {
  const std::uint64_t round = book_.made() + 1;
  return add_decision(draw_arm(current_.law.probabilities, stream.uniform(round)),
                      stream.bits(round, 1)[0]);
}

Decision Exp3Res::adopt(Arm arm) {
  book_.check_arm(arm);
  return add_decision(arm, book_.made() + 1);
}

void Exp3Res::estimate(const ResamplingDraw& drawn, const CheckedFeedback& feedback) {
  std::ranges::fill(shown_, std::uint8_t{0});
  std::ranges::fill(estimates_, 0.0);
  for (std::size_t k = 0; k < feedback.observations.size(); ++k) {
    const Arm arm = feedback.observations[k].arm;
    shown_[arm] = feedback.weights[k] == 1 || arm == feedback.played ? 1 : 0;
  }
  const Stream numbers(drawn.seed, Purpose::draw);
  for (const auto& [arm, value] : feedback.observations) {
    if (shown_[arm] != 0) {
      note_work(shown_.size());
      const std::size_t trials =
          resampled_trials(arm, feedback.played, drawn.law.probabilities[arm], shown_, numbers);
      estimates_[arm] = static_cast<double>(trials) * value + 0.0;  // + 0: never -0
    }
  }
}

void Exp3Res::observe(const Decision& decision, const Graph& graph, const Feedback& feedback) {
  auto& entry = book_.find(decision, feedback);
  const CheckedFeedback checked = checker_.check(graph, feedback);
  estimate(entry.drawn, checked);
  const double moment = std::transform_reduce(
      estimates_.begin(), estimates_.end(), entry.drawn.law.probabilities.begin(), 0.0,
      std::plus<>(),
      [](double estimate, double probability) { return probability * estimate * estimate; });
  if (!sums_.can_add(estimates_, kLargestSum) || !(moments_.value() + moment < kLargestSum)) {
    throw SumTooLarge(estimate_too_large_message(feedback.played,
                                                 entry.drawn.law.probabilities[feedback.played]));
  }
  // Nothing is refused from here on.
  sums_.add(estimates_);
  moments_.add(moment);
  ++rounds_;
  last_ = std::move(entry.drawn);
  last_moment_ = moment;
  last_estimates_ = estimates_;
  book_.erase(entry);
  refresh();
}

void write_drawn(StateWriter& writer, const ResamplingDraw& drawn) {
  write_rate_and_probabilities(writer, drawn.law);
  writer.add(drawn.seed);
}

ResamplingDraw read_drawn(StateReader& reader, std::size_t arms) {
  return {.law = read_rate_and_probabilities(reader, arms), .seed = reader.number()};
}

void Exp3Res::save_after_spec(StateWriter& writer) const {
  write_sums(writer, sums_);
  write_sum(writer, moments_);
  writer.add(rounds_);
  if (rounds_ > 0) {
    write_drawn(writer, last_);
    writer.add(last_moment_);
    write_numbers(writer, last_estimates_);
  }
  book_.save(writer, [&](const Entry& entry, const Entry* /*before*/) {
    write_drawn(writer, entry.drawn);
  });
}

void Exp3Res::load(StateReader& reader) {
  read_sums(reader, sums_);
  moments_ = read_sum(reader);
  reader.require(moments_.value() >= 0, "has a negative second moment");
  rounds_ = reader.number();
  if (rounds_ > 0) {
    last_ = read_drawn(reader, spec_.arms);
    last_moment_ = read_finite(reader);
    last_estimates_ = read_estimates(reader, spec_.arms);
  }
  book_.load(reader, rounds_,
             [&](const Entry* /*before*/) { return read_drawn(reader, spec_.arms); });
  refresh();
}

}  // namespace

std::size_t resampled_trials(Arm arm, Arm played, double probability,
                             std::span<const std::uint8_t> shown, const Stream& numbers) {
  std::vector<Arm> others;
  for (Arm other = 0; other < shown.size(); ++other) {
    if (other != arm && other != played) {
      others.push_back(other);
    }
  }
  const std::size_t most = shown.size() - 1;
  for (std::size_t k = 1; k <= most; ++k) {
    if (numbers.uniform(arm, 2 * k) < probability) {
      return k;
    }
    if (!others.empty()) {
      const double u = numbers.uniform(arm, 2 * k + 1);
      const auto taken = static_cast<std::size_t>(u * static_cast<double>(others.size()));
      if (shown[others[taken]] != 0) {
        return k;
      }
      others[taken] = others.back();
      others.pop_back();
    }
  }
  return most;
}

std::unique_ptr<RestorableLearner> make_exp3_res(const LearnerSpec& spec) {
  return std::make_unique<Exp3Res>(spec);
}

}  // namespace hearsay
