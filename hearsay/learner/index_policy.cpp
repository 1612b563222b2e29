#include "hearsay/learner/index_policy.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/learner/decision_book.h"
#include "hearsay/learner/observations.h"

namespace hearsay {
namespace {

constexpr double kSmallestCountedWeight = 1e-6;

struct Nothing {};

class IndexPolicy final : public Learner {
 public:
  IndexPolicy(const LearnerSpec& spec, Index index)
      : spec_(spec),
        index_(std::move(index)),
        checker_(spec, Information::side_observations),
        book_(spec.arms, spec.max_outstanding),
        precisions_(spec.arms),
        weighed_(spec.arms) {}

  void load(StateReader& reader);

  std::size_t arms() const override { return spec_.arms; }
  Information information() const override { return Information::side_observations; }
  Decision choose(const Stream& stream) override { return book_.add(best_arm(stream), 1, {}); }
  Decision adopt(Arm arm) override {
    book_.check_arm(arm);
    return book_.add(arm, 1, {});
  }
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;
  void forget(const Decision& decision) override { book_.forget(decision); }
  std::size_t outstanding() const override { return book_.outstanding(); }
  std::string save() const override;

 private:
  // 1 / v of an observation at this weight.
  double precision(double weight) const {
    const double noise_to_signal = spec_.noise_bound * (1 - weight) / weight;
    return 1 / (0.25 + noise_to_signal * noise_to_signal);
  }

  // Calls use(arm, value, precision) for every observation that counts.
  template <class Use>
  void for_each_counted(const CheckedFeedback& feedback, Use&& use) const {
    for (std::size_t k = 0; k < feedback.observations.size(); ++k) {
      const double weight = feedback.weights[k];
      if (weight >= kSmallestCountedWeight) {
        const auto [arm, value] = feedback.observations[k];
        use(arm, value / weight, precision(weight));
      }
    }
  }

  Arm best_arm(const Stream& stream) const;

  LearnerSpec spec_;
  Index index_;
  FeedbackChecker checker_;
  DecisionBook<Nothing> book_;
  std::uint64_t rounds_ = 0;                // of feedback
  std::vector<CompensatedSum> precisions_;  // sums of 1 / v
  std::vector<CompensatedSum> weighed_;     // sums of c / s / v
};

Arm IndexPolicy::best_arm(const Stream& stream) const {
  Arm best = 0;
  std::optional<double> least;
  for (Arm arm = 0; arm < spec_.arms; ++arm) {
    const double precision = precisions_[arm].value();
    if (precision == 0) {
      return arm;
    }
    const double index =
        index_({arm, weighed_[arm].value() / precision, precision, rounds_ + 1, stream});
    if (!least || index < *least) {
      best = arm;
      least = index;
    }
  }
  return best;
}

void IndexPolicy::observe(const Decision& decision, const Graph& graph, const Feedback& feedback) {
  const auto& entry = book_.find(decision, feedback);
  const CheckedFeedback checked = checker_.check(graph, feedback);
  for_each_counted(checked, [&](Arm arm, double value, double precision) {
    if (!(std::abs(weighed_[arm].value() + value * precision) < kLargestSum)) {
      throw Error(fmt::format("the observation of arm {} is worth {}, too large to be added up",
                              arm, value));
    }
  });
  // Nothing is refused from here on.
  for_each_counted(checked, [&](Arm arm, double value, double precision) {
    precisions_[arm].add(precision);
    weighed_[arm].add(value * precision);
  });
  ++rounds_;
  book_.erase(entry);
}

std::string IndexPolicy::save() const {
  StateWriter writer(kLearnerState);
  write_spec(writer, spec_);
  writer.add(rounds_);
  for (std::size_t arm = 0; arm < spec_.arms; ++arm) {
    write_sum(writer, precisions_[arm]);
    write_sum(writer, weighed_[arm]);
  }
  using Entry = DecisionBook<Nothing>::Entry;
  book_.save(writer, [](const Entry& /*entry*/, const Entry* /*before*/) {});
  return writer.finish();
}

void IndexPolicy::load(StateReader& reader) {
  rounds_ = reader.number();
  for (std::size_t arm = 0; arm < spec_.arms; ++arm) {
    precisions_[arm] = read_sum(reader);
    weighed_[arm] = read_sum(reader);
    reader.require(precisions_[arm].value() >= 0, "has a negative precision");
  }
  book_.load(reader, [](const DecisionBook<Nothing>::Entry* /*before*/) { return Nothing(); });
  reader.require(rounds_ <= book_.made(), "has more rounds of feedback than decisions");
}

}  // namespace

std::unique_ptr<Learner> make_index_policy(const LearnerSpec& spec, Index index) {
  return std::make_unique<IndexPolicy>(spec, std::move(index));
}

std::unique_ptr<Learner> restore_index_policy(const LearnerSpec& spec, Index index,
                                              StateReader& reader) {
  auto learner = std::make_unique<IndexPolicy>(spec, std::move(index));
  learner->load(reader);
  return learner;
}

}  // namespace hearsay
