// The lazy engine of exponential weights, for many arms on sparse graphs: a round costs
// O(in-arcs + log arms) for every arm seen, whatever the number of arms. docs/lazy.md has its
// guarantees. It differs from the exact engine as follows:
//
//   rate      stays constant until the adaptive rate has fallen by a factor of sqrt(1.1); it is
//             the geometric mean of the adaptive rates at the two ends of that interval
//   terms     (EstimateTerms) are estimates from the coverage of the arm drawn, unbiased given the
//             past
//   feedback  is refused if it is late, because only the last probabilities are kept
//
// A round with a new graph costs O(arcs). probabilities() and last_round() cost O(arms).

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <hwy/cache_control.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/exponential_weights.h"
#include "hearsay/learner/large_pages.h"
#include "hearsay/learner/learner_base.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/learner/round_needs.h"
#include "hearsay/learner/sum_tree.h"
#include "hearsay/learner/transposed_graph.h"
#include "hearsay/simd/exponential.h"

namespace hearsay {
namespace {

// The rate in use changes only after the budget of the adaptive rate (schedule.h) has grown by this
// factor, that is, after the adaptive rate has fallen by a factor of its square root.
constexpr double kBudgetStep = 1.1;

// Until then the rate in use is the adaptive rate in the middle of that interval: smaller than at
// its beginning by a factor of the fourth root of kBudgetStep, and larger than at its end by the
// same factor.
constexpr double kMiddleOfStep = 0.9764540896763105;

// Weights are rescaled, so that the largest is 1, before their sum leaves this range. No number can
// overflow or underflow within it.
constexpr double kSmallestTotal = 1e-100;
constexpr double kLargestExponent = 230;  // e^230 = 1e100

// The reason why a decision is no longer outstanding after other feedback.
constexpr std::string_view kDrawnBefore =
    "drawn before the last feedback (the lazy engine keeps no older probabilities, the exact one "
    "does)";

// exp(-rate * (sum - smallest sum)), scaled to sum to 1.
std::vector<double> weights_of(std::span<const CompensatedSum> sums, double rate) {
  const CompensatedSum smallest =
      *std::ranges::min_element(sums, {}, [](const CompensatedSum& sum) { return sum.value(); });
  std::vector<double> weights(sums.size());
  std::ranges::transform(sums, weights.begin(),
                         [&](const CompensatedSum& sum) { return -rate * sum.minus(smallest); });
  exponentials(weights);
  CompensatedSum total;
  for (const double weight : weights) {
    total.add(weight);
  }
  for (double& weight : weights) {
    weight /= total.value();
  }
  return weights;
}

// Keeps with each decision an arm drawn from the probabilities, to estimate Q.
class LazyWeights final : public LearnerBase<Arm>,
                          public Randomized,
                          public Inspectable,
                          public Certified {
 public:
  LazyWeights(const LearnerSpec& spec, Information information, ExponentialWeights parts);

  Decision choose(const Stream& stream) override;
  Decision adopt(Arm arm) override;
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;
  std::span<const double> probabilities() const override;
  Certificate certificate() const override { return account_.certificate(); }
  RoundDetails last_round() const override;
  void load(StateReader& reader) override;

 private:
  // The change of an arm that was seen in a round.
  struct Change {
    Arm arm = 0;
    double estimate = 0;
    CompensatedSum before;  // the sum of the arm's estimates before the round
  };

  struct SeenGraph {
    TransposedGraph transposed;
    double price = 0;
  };

  struct Divisor {
    double coverage = 0;
    double inverse = 0;  // 1 / (coverage + exploration), or 1 / max(coverage, floor)
  };

  void save_after_spec(StateWriter& writer) const override;
  Decision add_decision(Arm arm, Arm probe);
  const SeenGraph& see(const Graph& graph);
  void prefetch(const TransposedGraph& graph, std::span<const Observation> observations, Arm probe);
  Divisor divisor_of(const TransposedGraph& graph, Arm arm) const;
  EstimateTerms terms_of(const Divisor& divisor) const;
  EstimateTerms estimate(const SeenGraph& seen, const CheckedFeedback& feedback,
                         const Decision& decision, Arm probe);
  void update_weights();
  double scheduled_rate() const;
  void set_rate(double rate);
  void reweigh();
  void rebuild();
  std::optional<double> entropy() const;

  ExponentialWeights parts_;
  LargeArray<CompensatedSum> sums_;  // of the estimates of each arm
  CompensatedSum reference_;         // a weight is exp(-rate * (sum - reference))
  double rate_ = 0;
  double exploration_ = 0;
  RegretAccount account_;

  // The last round.
  double last_exploration_ = 0;
  std::vector<Change> changes_;

  // Follows from the above.
  SumTree weights_;
  std::optional<double> entropy_;  // of the first probabilities at this rate, if it is needed
  ForLastGraph<SeenGraph> seen_;

  // Buffers that are kept, so that a round allocates nothing.
  std::vector<double> gains_;
  std::vector<Change> next_changes_;
  std::vector<double> exponents_;
  std::vector<Arm> prefetched_;

  // Computed when they are requested; empty until then.
  mutable std::vector<double> probabilities_;
  mutable std::vector<double> last_probabilities_;
  mutable std::vector<double> last_estimates_;
};

LazyWeights::LazyWeights(const LearnerSpec& spec, Information information, ExponentialWeights parts)
    : LearnerBase(spec, information),
      parts_(std::move(parts)),
      sums_(spec.arms),
      account_(spec.arms, theorems_for(Bounds::designated, parts_.theorems),
               parts_.schedule.needs()),
      weights_(spec.arms) {
  set_rate(scheduled_rate());
  reweigh();
  entropy_ = entropy();
}

// The rate that the lazy engine would use if it changed the rate now.
double LazyWeights::scheduled_rate() const {
  const double rate = parts_.schedule.rate(account_.totals());
  return parts_.schedule.fixed_rate ? rate : rate * kMiddleOfStep;
}

void LazyWeights::set_rate(double rate) {
  rate_ = rate;
  exploration_ = parts_.schedule.exploration(rate);
}

// Computes all weights from the sums.
void LazyWeights::reweigh() {
  std::vector<double> weights(spec_.arms);
  std::ranges::transform(sums_, weights.begin(),
                         [&](const CompensatedSum& sum) { return -rate_ * sum.minus(reference_); });
  exponentials(weights);
  weights_.assign(weights);
}

// The same with the smallest sum as the reference, so that the largest weight is 1.
void LazyWeights::rebuild() {
  reference_ =
      *std::ranges::min_element(sums_, {}, [](const CompensatedSum& sum) { return sum.value(); });
  reweigh();
}

// The entropy of the probabilities, or nullopt if no bound needs it. Bounds need it only when the
// rate falls, and then all weights are computed anyway.
std::optional<double> LazyWeights::entropy() const {
  if (!account_.needs().entropy) {
    return std::nullopt;
  }
  CompensatedSum above;
  for (std::size_t i = 0; i < spec_.arms; ++i) {
    above.add(weights_[i] * sums_[i].minus(reference_));
  }
  const double total = weights_.total();
  return shannon_entropy(total, rate_, above.value() / total);
}

Decision LazyWeights::choose(const Stream& stream) {
  const auto arm = static_cast<Arm>(weights_.find(stream.uniform(book_.made() + 1)));
  return add_decision(arm, arm);
}

Decision LazyWeights::adopt(Arm arm) {
  book_.check_arm(arm);
  // The adopted arm may not have been drawn from the learner's probabilities, so another arm is
  // drawn to estimate Q.
  const double uniform = Stream(0, Purpose::probe).uniform(book_.made() + 1);
  return add_decision(arm, static_cast<Arm>(weights_.find(uniform)));
}

Decision LazyWeights::add_decision(Arm arm, Arm probe) {
  return book_.add(arm, weights_[arm] / weights_.total(), probe);
}

const LazyWeights::SeenGraph& LazyWeights::see(const Graph& graph) {
  return seen_.get(graph, [&] {
    return SeenGraph{TransposedGraph(*parts_.weighting, graph), parts_.schedule.price_of(graph)};
  });
}

// Prefetches the memory that is read for the estimates of the arms seen and for the coverage of
// `probe`, because with many arms a round spends most of its time waiting for memory.
void LazyWeights::prefetch(const TransposedGraph& graph, std::span<const Observation> observations,
                           Arm probe) {
  if (!graph.is_worth_prefetching()) {
    return;
  }
  prefetched_.assign(1, probe);
  for (const Observation& observation : observations) {
    prefetched_.push_back(observation.arm);
  }
  graph.prefetch_rows(prefetched_);
  for (const Arm arm : prefetched_) {
    hwy::Prefetch(&sums_[arm]);
    hwy::Prefetch(&weights_[arm]);
  }
  graph.prefetch_arcs(weights_, prefetched_);
}

LazyWeights::Divisor LazyWeights::divisor_of(const TransposedGraph& graph, Arm arm) const {
  const double total = weights_.total();
  const double covered = graph.coverage(weights_, arm);
  const double divisor = parts_.floor_per_rate
                             ? std::max(covered, *parts_.floor_per_rate * rate_ * total)
                             : covered + exploration_ * total;
  return {covered / total, std::min(total / divisor, 1 / kSmallestCoverage)};
}

// The terms of one arm, without the factor of its probability. If the arm is drawn from the
// probabilities, their mean is the sum over all arms.
EstimateTerms LazyWeights::terms_of(const Divisor& divisor) const {
  const double kept = divisor.coverage * divisor.inverse;
  const double second_moment = divisor.inverse * kept;
  if (parts_.floor_per_rate) {
    return {.q = second_moment, .bias = std::max(0.0, 1 - kept), .second_moment = second_moment};
  }
  return {
      .q = divisor.inverse, .bias = exploration_ * divisor.inverse, .second_moment = second_moment};
}

// Fills next_changes_ and returns estimates of the terms. Throws Error if an estimate is too large.
EstimateTerms LazyWeights::estimate(const SeenGraph& seen, const CheckedFeedback& feedback,
                                    const Decision& decision, Arm probe) {
  gains_.resize(feedback.weights.size());
  parts_.weighting->gains(feedback.weights, gains_);
  next_changes_.clear();
  std::optional<Divisor> of_probe;
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    const double gain = arm == feedback.played
                            ? parts_.weighting->self_gain(feedback.graph.self_weight())
                            : gains_[k];
    if (gain == 0) {
      continue;
    }
    const Divisor divisor = divisor_of(seen.transposed, arm);
    if (arm == probe) {
      of_probe = divisor;
    }
    const double estimate = gain * value * divisor.inverse;
    if (!(std::abs(sums_[arm].value() + estimate) < kLargestSum)) {
      throw SumTooLarge(estimate_too_large_message(feedback.played, decision.probability));
    }
    next_changes_.push_back({arm, estimate, sums_[arm]});
  }
  return terms_of(of_probe ? *of_probe : divisor_of(seen.transposed, probe));
}

void LazyWeights::observe(const Decision& decision, const Graph& graph, const Feedback& feedback) {
  const Arm probe = book_.find(decision, feedback).drawn;
  const CheckedFeedback checked = checker_.check(graph, feedback);
  const SeenGraph& seen = see(graph);
  prefetch(seen.transposed, feedback.observations, probe);
  const EstimateTerms terms = estimate(seen, checked, decision, probe);

  if (!account_.add({.rate = rate_,
                     .exploration = exploration_,
                     .terms = terms,
                     .price = seen.price,
                     .out_of_range = checked.out_of_range,
                     .self_weight = graph.self_weight(),
                     .breaks_model = checked.breaks_model,
                     .entropy = entropy_})) {
    throw SumTooLarge(q_too_large_message(terms.q));
  }
  // Nothing is refused from here on.
  last_exploration_ = exploration_;
  changes_.swap(next_changes_);
  book_.clear(kDrawnBefore);
  probabilities_.clear();
  last_probabilities_.clear();
  update_weights();
}

// Adds the estimates of the last round to the sums and updates the weights: those of the arms seen,
// or all of them if the rate falls or the weights must be rescaled.
void LazyWeights::update_weights() {
  exponents_.clear();
  for (const Change& change : changes_) {
    sums_[change.arm].add(change.estimate);
    exponents_.push_back(-rate_ * sums_[change.arm].minus(reference_));
  }
  const double next = scheduled_rate();
  if (next < rate_ && next * next * kBudgetStep <= rate_ * rate_) {
    set_rate(next);
    rebuild();
    entropy_ = entropy();
    return;
  }
  if (std::ranges::any_of(exponents_, [](double x) { return x > kLargestExponent; })) {
    rebuild();
    return;
  }
  exponentials(exponents_);
  for (std::size_t k = 0; k < changes_.size(); ++k) {
    weights_.set(changes_[k].arm, exponents_[k]);
  }
  if (weights_.total() < kSmallestTotal) {
    rebuild();
  }
}

std::span<const double> LazyWeights::probabilities() const {
  if (probabilities_.empty()) {
    probabilities_.resize(spec_.arms);
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      probabilities_[i] = weights_[i] / weights_.total();
    }
  }
  return probabilities_;
}

RoundDetails LazyWeights::last_round() const {
  if (account_.totals().rounds > 0 && last_probabilities_.empty()) {
    LargeArray<CompensatedSum> before = sums_;
    last_estimates_.assign(spec_.arms, 0.0);
    for (const Change& change : changes_) {
      before[change.arm] = change.before;
      last_estimates_[change.arm] = change.estimate;
    }
    last_probabilities_ = weights_of(before, account_.totals().last_rate);
  }
  return {account_.totals().last_rate, last_exploration_, account_.last_q(), last_probabilities_,
          last_estimates_};
}

void LazyWeights::save_after_spec(StateWriter& writer) const {
  for (const CompensatedSum& sum : sums_) {
    write_sum(writer, sum);
  }
  write_sum(writer, reference_);
  writer.add(rate_);
  account_.save(writer);
  writer.add(last_exploration_);
  writer.add(std::uint64_t{changes_.size()});
  for (const Change& change : changes_) {
    writer.add(std::uint64_t{change.arm});
    writer.add(change.estimate);
    write_sum(writer, change.before);
  }
  book_.save(writer, [&](const Entry& entry, const Entry* /*before*/) {
    writer.add(std::uint64_t{entry.drawn});
  });
}

void LazyWeights::load(StateReader& reader) {
  const auto read_arm = [&] {
    const std::uint64_t arm = reader.number();
    reader.require(arm < spec_.arms, "has an arm that does not exist");
    return static_cast<Arm>(arm);
  };
  std::ranges::generate(sums_, [&] { return read_sum(reader); });
  reference_ = read_sum(reader);
  const double rate = read_finite(reader);
  account_.load(reader);
  last_exploration_ = read_finite(reader);
  reader.require(rate >= 0 && last_exploration_ >= 0, "has a negative rate or exploration");
  set_rate(rate);
  changes_.resize(reader.count(4 * sizeof(double)));
  for (Change& change : changes_) {
    change.arm = read_arm();
    change.estimate = read_finite(reader);
    change.before = read_sum(reader);
  }
  book_.load(
      reader, account_.totals().rounds, [&](const Entry* /*before*/) { return read_arm(); },
      kDrawnBefore);
  const double smallest = std::ranges::min(sums_, {}, [](const CompensatedSum& sum) {
                            return sum.value();
                          }).minus(reference_);
  reader.require(std::abs(rate_ * smallest) < 2 * kLargestExponent,
                 "has weights too large or too small to draw from");
  reweigh();
  entropy_ = entropy();
}

}  // namespace

bool runs_lazily(const ExponentialWeights& parts) {
  constexpr RoundNeeds kComputed = {.entropy = true};
  return needs_of(parts.schedule, parts.theorems).are_covered_by(kComputed);
}

std::unique_ptr<RestorableLearner> make_lazy(const LearnerSpec& spec, Information information,
                                             const ExponentialWeights& parts) {
  return std::make_unique<LazyWeights>(spec, information, parts);
}

}  // namespace hearsay
