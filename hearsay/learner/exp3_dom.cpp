#include "hearsay/learner/exp3_dom.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <queue>
#include <span>
#include <utility>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/certificate/regret_account.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/coming_graph.h"
#include "hearsay/learner/draw.h"
#include "hearsay/learner/draw_state.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/learner/round_needs.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {
namespace {

constexpr std::uint64_t kLargestStageExponent = 1000;  // 2^1000 is finite

// The state of the learner for graphs of one level. Its rounds form stages (the doubling trick):
// when the mass of a stage exceeds 2^exponent, the exponent increases by 1, and the mass and the
// sums begin at 0 again.
struct Level {
  explicit Level(std::size_t arms) : sums(arms) {}

  CompensatedSums sums;
  std::uint64_t exponent = 0;
  // The sum of 1 + Q / 2^(k + 1) over the rounds of the stage, k the level (docs/learners.md).
  CompensatedSum mass;
};

// Its estimates are unbiased; the bound of the paper is not proven for this variant of the
// doubling trick.
RegretTheorems theorems_of(const LearnerSpec& spec) {
  return theorems_for(spec.bounds, {.designated = nullptr, .others = {theorems::estimated()}});
}

struct LevelDraw {
  DrawLaw law;
  std::size_t level = 0;
};

class Exp3Dom final : public LearnerBase<LevelDraw>,
                      public Randomized,
                      public Inspectable,
                      public Certified,
                      public Informed {
 public:
  explicit Exp3Dom(const LearnerSpec& spec);

  void see_graph(const Graph& graph) override;
  Decision choose(const Stream& stream) override;
  Decision adopt(Arm arm) override;
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;

  // For the graph that was shown last; uniform before the first.
  std::span<const double> probabilities() const override { return current_.law.probabilities; }
  RoundDetails last_round() const override;
  Certificate certificate() const override { return account_.certificate(); }
  void load(StateReader& reader) override;

 private:
  void save_after_spec(StateWriter& writer) const override;
  // Sets the law of the next decision.
  void refresh(const Graph& graph);
  Decision add_decision(Arm arm);
  RegretRound round_of(const CheckedFeedback& feedback, const EstimateTerms& terms) const;

  double log_arms_;  // log(2) for a single arm
  WeightedEstimator estimator_;
  std::vector<Level> levels_;
  RegretAccount account_;
  CompensatedSums sums_;  // of the estimates on all levels, if the account needs the least sum
  DrawLaw last_;          // the law of the last round of feedback
  std::vector<double> last_estimates_;

  // The rest follows from the graph that was shown last.
  ComingGraph coming_;
  ForLastGraph<std::vector<Arm>> dominating_set_;
  LevelDraw current_;
  std::vector<double> estimates_;  // buffer
};

Exp3Dom::Exp3Dom(const LearnerSpec& spec)
    : LearnerBase(spec, Information::graph_before_draw),
      log_arms_(std::log(static_cast<double>(std::max<std::size_t>(spec.arms, 2)))),
      estimator_(weightings::taken_as_loss(1)),
      levels_(static_cast<std::size_t>(std::bit_width(spec.arms)), Level(spec.arms)),
      account_(spec.arms, theorems_of(spec)),
      sums_(spec.arms),
      estimates_(spec.arms) {
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    levels_[k].exponent = static_cast<std::uint64_t>(
        std::ceil(std::log2(4 * std::ldexp(log_arms_, static_cast<int>(k)))));
  }
  current_.law.probabilities.assign(spec.arms, 1 / static_cast<double>(spec.arms));
}

void Exp3Dom::see_graph(const Graph& graph) {
  coming_.see(graph, spec_.arms);
  refresh(graph);
}

void Exp3Dom::refresh(const Graph& graph) {
  const std::vector<Arm>& set =
      dominating_set_.get(graph, [&] { return greedy_dominating_set(graph); });
  const auto k = static_cast<int>(std::bit_width(set.size())) - 1;
  const Level& level = levels_[static_cast<std::size_t>(k)];
  const double share =
      std::min(0.5, std::sqrt(std::ldexp(log_arms_, k - static_cast<int>(level.exponent))));
  current_.level = static_cast<std::size_t>(k);
  DrawLaw& law = current_.law;
  law.rate = std::ldexp(share, -k);
  law.probabilities.resize(spec_.arms);
  regularizers::shannon()->probabilities(level.sums, law.rate, law.probabilities, nullptr);
  for (double& p : law.probabilities) {
    p *= 1 - share;
  }
  for (const Arm arm : set) {
    law.probabilities[arm] += share / static_cast<double>(set.size());
  }
}

Decision Exp3Dom::add_decision(Arm arm) {
  return coming_.use_for(
      [&](const Graph&) { return book_.add(arm, current_.law.probabilities[arm], current_); });
}

Decision Exp3Dom::choose(const Stream& stream) {
  return add_decision(draw_arm(current_.law.probabilities, stream.uniform(book_.made() + 1)));
}

Decision Exp3Dom::adopt(Arm arm) {
  book_.check_arm(arm);
  return add_decision(arm);
}

RegretRound Exp3Dom::round_of(const CheckedFeedback& feedback, const EstimateTerms& terms) const {
  RegretRound round{.terms = terms,
                    .out_of_range = feedback.out_of_range,
                    .breaks_model = feedback.breaks_model,
                    .own_loss = own_observation(feedback) / feedback.graph.self_weight()};
  if (account_.needs().least_sum) {
    round.least_sum = least_sum(sums_, estimates_);
  }
  return round;
}

void Exp3Dom::observe(const Decision& decision, const Graph& graph, const Feedback& feedback) {
  auto& entry = book_.find(decision, feedback);
  const CheckedFeedback checked = checker_.check(graph, feedback);
  const EstimateTerms terms = estimator_.estimate(entry.drawn.law, checked, estimates_);
  Level& level = levels_[entry.drawn.level];
  const double mass = 1 + std::ldexp(terms.q, -static_cast<int>(entry.drawn.level) - 1);
  if (!level.sums.can_add(estimates_, kLargestSum) || !sums_.can_add(estimates_, kLargestSum) ||
      !(level.mass.value() + mass < kLargestSum)) {
    throw SumTooLarge(estimate_too_large_message(feedback.played,
                                                 entry.drawn.law.probabilities[feedback.played]));
  }
  if (!account_.add(round_of(checked, terms))) {
    throw SumTooLarge(q_too_large_message(terms.q));
  }
  // Nothing is refused from here on.
  if (account_.needs().least_sum) {
    sums_.add(estimates_);
  }
  level.sums.add(estimates_);
  level.mass.add(mass);
  if (level.mass.value() > std::ldexp(1.0, static_cast<int>(level.exponent)) &&
      level.exponent < kLargestStageExponent) {
    ++level.exponent;
    level.mass = {};
    level.sums = CompensatedSums(spec_.arms);
  }
  last_ = std::move(entry.drawn.law);
  last_estimates_ = estimates_;
  book_.erase(entry);
  // Feedback may come after the graph of the coming round was shown.
  if (const Graph* coming = coming_.graph()) {
    refresh(*coming);
  }
}

RoundDetails Exp3Dom::last_round() const {
  return {last_.rate, last_.exploration, account_.last_q(), last_.probabilities, last_estimates_};
}

void Exp3Dom::save_after_spec(StateWriter& writer) const {
  for (const Level& level : levels_) {
    write_sums(writer, level.sums);
    writer.add(level.exponent);
    write_sum(writer, level.mass);
  }
  account_.save(writer);
  write_sums(writer, sums_);
  if (account_.totals().rounds > 0) {
    write_rate_and_probabilities(writer, last_);
    write_numbers(writer, last_estimates_);
  }
  book_.save(writer, [&](const Entry& entry, const Entry* /*before*/) {
    write_rate_and_probabilities(writer, entry.drawn.law);
    writer.add(std::uint64_t{entry.drawn.level});
  });
}

void Exp3Dom::load(StateReader& reader) {
  for (Level& level : levels_) {
    read_sums(reader, level.sums);
    level.exponent = reader.number();
    level.mass = read_sum(reader);
    reader.require(level.exponent <= kLargestStageExponent && level.mass.value() >= 0,
                   "has an invalid stage");
  }
  account_.load(reader);
  read_sums(reader, sums_);
  if (account_.totals().rounds > 0) {
    last_ = read_rate_and_probabilities(reader, spec_.arms);
    last_estimates_ = read_estimates(reader, spec_.arms);
  }
  book_.load(reader, account_.totals().rounds, [&](const Entry* /*before*/) {
    LevelDraw drawn{.law = read_rate_and_probabilities(reader, spec_.arms)};
    const std::uint64_t level = reader.number();
    reader.require(level < levels_.size(), "has a decision on a level that does not exist");
    drawn.level = level;
    return drawn;
  });
}

}  // namespace

std::vector<Arm> greedy_dominating_set(const Graph& graph) {
  std::vector<bool> shown(graph.arms());
  const auto shows = [&](Arm arm) {
    std::size_t count = 0;
    graph.for_each_seen(arm, [&](Arm seen, double weight) {
      note_work(1);
      count += (weight == 1 || seen == arm) && !shown[seen] ? 1U : 0U;
    });
    return count;
  };
  // While the set grows, the number of arms that a candidate would newly show never rises. So if
  // the candidate with the largest recorded number still has that number, no other arm shows more.
  struct Candidate {
    std::size_t shows = 0;
    Arm arm = 0;

    bool operator<(const Candidate& other) const {
      return shows != other.shows ? shows < other.shows : arm > other.arm;
    }
  };
  std::priority_queue<Candidate> candidates;
  for (Arm arm = 0; arm < graph.arms(); ++arm) {
    candidates.push({shows(arm), arm});
  }
  std::vector<Arm> set;
  for (std::size_t left = graph.arms(); left > 0;) {
    const Candidate best = candidates.top();
    candidates.pop();
    if (const std::size_t now = shows(best.arm); now < best.shows) {
      candidates.push({now, best.arm});
      continue;
    }
    set.push_back(best.arm);
    left -= best.shows;
    graph.for_each_seen(best.arm, [&](Arm seen, double weight) {
      shown[seen] = shown[seen] || weight == 1 || seen == best.arm;
    });
  }
  return set;
}

std::unique_ptr<RestorableLearner> make_exp3_dom(const LearnerSpec& spec) {
  return std::make_unique<Exp3Dom>(spec);
}

}  // namespace hearsay
