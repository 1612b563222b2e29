#include "hearsay/learner/lazy_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <hwy/cache_control.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/sum_state.h"
#include "hearsay/learner/weights.h"
#include "hearsay/simd/exponential.h"

namespace hearsay {
namespace {

// The budget of an adaptive rate grows by this much before the rate follows it.
constexpr double kGrowth = 1.1;

// The rate in use until then is the adaptive one of the middle of that stretch: the fourth root of
// kGrowth below that of its beginning, and as much above that of its end.
constexpr double kToMiddle = 0.9764540896763105;

double rate_in_use(const Schedule& schedule, double fresh) {
  return schedule.fixed_rate ? fresh : fresh * kToMiddle;
}

// Weights are brought back to a largest of 1 before their sum leaves this range, far from where
// numbers end.
constexpr double kSmallestTotal = 1e-100;
constexpr double kLargestExponent = 230;  // e^230 = 1e100

// exp(-rate * (L - smallest L)), scaled to sum to 1.
void weigh(std::span<const CompensatedSum> losses, double rate, std::vector<double>& out) {
  const CompensatedSum smallest =
      *std::ranges::min_element(losses, {}, [](const CompensatedSum& sum) { return sum.value(); });
  out.resize(losses.size());
  std::ranges::transform(losses, out.begin(),
                         [&](const CompensatedSum& sum) { return -rate * sum.minus(smallest); });
  exponentials(out);
  CompensatedSum total;
  for (const double weight : out) {
    total.add(weight);
  }
  for (double& weight : out) {
    weight /= total.value();
  }
}

}  // namespace

LazyWeights::LazyWeights(LearnerSpec spec, ExponentialWeightsRow row)
    : spec_(std::move(spec)),
      row_(std::move(row)),
      log_arms_(std::log(static_cast<double>(spec_.arms))),
      losses_(spec_.arms),
      theorem_holds_(row_.theorem.has_value()),
      weights_(spec_.arms) {
  rate_ = rate_in_use(row_.schedule, rate(row_.schedule, progress_, spec_.arms, log_arms_));
  exploration_ = exploration(row_.schedule, rate_);
  reweigh();
}

// All weights, from the sums.
void LazyWeights::reweigh() {
  std::vector<double> weights(spec_.arms);
  std::ranges::transform(losses_, weights.begin(),
                         [&](const CompensatedSum& sum) { return -rate_ * sum.minus(reference_); });
  exponentials(weights);
  weights_.assign(weights);
}

// The same with the smallest sum as the reference, so that the largest weight is 1.
void LazyWeights::rebuild() {
  reference_ =
      *std::ranges::min_element(losses_, {}, [](const CompensatedSum& sum) { return sum.value(); });
  reweigh();
}

Decision LazyWeights::choose(const Stream& stream) {
  const auto arm = static_cast<Arm>(weights_.find(stream.uniform(decisions_ + 1)));
  return decide(arm, arm);
}

Decision LazyWeights::adopt(Arm arm) {
  if (arm >= spec_.arms) {
    throw Error(fmt::format("arm {} is not there, expected 0 to {}", arm, spec_.arms - 1));
  }
  // Whoever chose this arm may not have drawn it from our probabilities: so another one for Q.
  const double uniform = Stream(0, Purpose::probe).uniform(decisions_ + 1);
  return decide(arm, static_cast<Arm>(weights_.find(uniform)));
}

Decision LazyWeights::decide(Arm arm, Arm probe) {
  if (outstanding_.size() >= spec_.max_outstanding) {
    outstanding_.erase(outstanding_.begin());
  }
  ++decisions_;
  outstanding_.push_back({decisions_, arm, probe});
  return {arm, weights_[arm] / weights_.total(), decisions_};
}

std::vector<LazyWeights::Outstanding>::iterator LazyWeights::find(const Decision& decision) {
  const auto found =
      std::ranges::lower_bound(outstanding_, decision.round, {}, &Outstanding::round);
  if (found == outstanding_.end() || found->round != decision.round) {
    throw Error(
        fmt::format("decision {} is not outstanding: it was told already, forgotten, never made, "
                    "or drawn before the last feedback (the lazy engine keeps no older "
                    "probabilities, the exact one does)",
                    decision.round));
  }
  if (found->arm != decision.arm) {
    throw Error(fmt::format("decision {} was for arm {}, expected arm {}", decision.round,
                            decision.arm, found->arm));
  }
  return found;
}

void LazyWeights::forget(const Decision& decision) {
  outstanding_.erase(find(decision));
}

const LazyWeights::InArcs& LazyWeights::turn_round(const Graph& graph) {
  if (in_arcs_ && in_arcs_->graph.same_as(graph)) {
    return *in_arcs_;
  }
  in_arcs_.reset();  // before memory is set aside for the next
  const Estimator& estimator = *row_.estimator;
  InArcs arcs{graph,
              row_.schedule.price ? row_.schedule.price(graph) : 0,
              estimator.self_coverage(graph.self_weight()),
              {},
              {},
              {}};
  const double nothing = 0;
  double of_nothing = 0;
  estimator.coverages(std::span(&nothing, 1), std::span(&of_nothing, 1));
  if (of_nothing == 0) {
    std::vector<double> row;
    const auto for_each_kept = [&](Arm played, auto&& visit) {
      const std::span<const double> weights = graph.weights().row(played);
      row.resize(weights.size());
      estimator.coverages(weights, row);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const Arm seen =
            graph.is_dense() ? static_cast<Arm>(k) : graph.weights().row_columns(played)[k];
        if (seen != played && row[k] != 0) {
          visit(seen, row[k]);
        }
      }
    };
    // Counted, then laid out: increasing in the arm played for every arm seen.
    arcs.begin.assign(spec_.arms + 1, 0);
    for (Arm played = 0; played < spec_.arms; ++played) {
      for_each_kept(played, [&](Arm seen, double) { ++arcs.begin[seen + 1]; });
    }
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      arcs.begin[i + 1] += arcs.begin[i];
    }
    arcs.played.resize(arcs.begin.back());
    arcs.coverage.resize(arcs.begin.back());
    std::vector<std::size_t> next(arcs.begin.begin(), arcs.begin.end() - 1);
    for (Arm played = 0; played < spec_.arms; ++played) {
      for_each_kept(played, [&](Arm seen, double coverage) {
        arcs.played[next[seen]] = played;
        arcs.coverage[next[seen]++] = coverage;
      });
    }
  }
  in_arcs_ = std::move(arcs);
  return *in_arcs_;
}

// Asks for what the coverages of the arms seen and of `probe` need (of long rows the ends), so that
// it comes from afar at the same time: with many arms, waiting for memory is what a round costs.
void LazyWeights::ask_for(const InArcs& arcs, std::span<const Observation> observations,
                          Arm probe) {
  constexpr std::size_t kNear = std::size_t{1} << 18U;  // so many are in the cache anyway
  if (spec_.arms + arcs.played.size() < kNear) {
    return;
  }
  wanted_.assign(1, probe);
  for (const Observation& seen : observations) {
    wanted_.push_back(seen.arm);
  }
  for (const Arm arm : wanted_) {
    hwy::Prefetch(&arcs.begin[arm]);
    hwy::Prefetch(&losses_[arm]);
    hwy::Prefetch(&weights_[arm]);
  }
  for (const Arm arm : wanted_) {
    if (arcs.begin[arm] < arcs.begin[arm + 1]) {
      for (const std::size_t k : {arcs.begin[arm], arcs.begin[arm + 1] - 1}) {
        hwy::Prefetch(&arcs.played[k]);
        hwy::Prefetch(&arcs.coverage[k]);
      }
    }
  }
  for (const Arm arm : wanted_) {
    for (std::size_t k = arcs.begin[arm]; k < arcs.begin[arm + 1]; ++k) {
      hwy::Prefetch(&weights_[arcs.played[k]]);
    }
  }
}

// 1 / (coverage + exploration)
double LazyWeights::per_coverage(const InArcs& arcs, Arm arm) const {
  double covered = weights_.total();
  if (!arcs.begin.empty()) {
    covered = weights_[arm] * arcs.own;
    for (std::size_t k = arcs.begin[arm]; k < arcs.begin[arm + 1]; ++k) {
      covered += weights_[arcs.played[k]] * arcs.coverage[k];
    }
  }
  const double total = weights_.total();
  return std::min(total / (covered + exploration_ * total), 1 / kSmallestCoverage);
}

void LazyWeights::observe(const Decision& decision, const Graph& graph, const Feedback& feedback) {
  const auto told = find(decision);
  if (feedback.played != decision.arm) {
    throw Error(fmt::format("feedback for arm {}, expected arm {}, which decision {} played",
                            feedback.played, decision.arm, decision.round));
  }
  if (graph.arms() != spec_.arms) {
    throw Error(fmt::format("a graph of {} arms, expected {}", graph.arms(), spec_.arms));
  }
  const auto [weights, out_of_range] =
      check_observations(spec_, graph, feedback, observed_weights_);
  const InArcs& arcs = turn_round(graph);
  ask_for(arcs, feedback.observations, told->probe);

  gains_.resize(weights.size());
  row_.estimator->gains(weights, gains_);
  next_changes_.clear();
  std::optional<double> of_probe;
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    const double gain =
        arm == feedback.played ? row_.estimator->self_gain(graph.self_weight()) : gains_[k];
    if (gain == 0) {
      continue;
    }
    const double inverse = per_coverage(arcs, arm);
    if (arm == told->probe) {
      of_probe = inverse;
    }
    const double estimate = gain * value * inverse;
    if (!(std::abs(losses_[arm].value() + estimate) < kLargestSum)) {
      throw Error(
          fmt::format("the estimate of arm {} is {}, beyond what can be added up: arm {} was "
                      "played at probability {}",
                      arm, estimate, feedback.played, decision.probability));
    }
    next_changes_.push_back({arm, estimate, losses_[arm]});
  }
  const double q = of_probe ? *of_probe : per_coverage(arcs, told->probe);

  // Nothing is refused from here on.
  if (row_.theorem) {
    theorem_holds_ = theorem_holds_ && out_of_range == 0 &&
                     exploration_ >= row_.theorem->least_exploration_per_rate * rate_;
    bound_sum_.add((exploration_ + row_.theorem->second_moment * rate_) * q);
  }
  ++progress_.rounds;
  progress_.highest_price = std::max(progress_.highest_price, arcs.price);
  progress_.cost.add(arcs.price * q);
  q_sum_.add(q);
  out_of_range_ += out_of_range;
  last_rate_ = rate_;
  last_exploration_ = exploration_;
  last_q_ = q;
  changes_.swap(next_changes_);
  outstanding_.clear();
  probabilities_.clear();
  last_probabilities_.clear();

  exponents_.clear();
  for (const Change& change : changes_) {
    losses_[change.arm].add(change.estimate);
    exponents_.push_back(-rate_ * losses_[change.arm].minus(reference_));
  }
  const double next =
      rate_in_use(row_.schedule, rate(row_.schedule, progress_, spec_.arms, log_arms_));
  if (next < rate_ && next * next * kGrowth <= rate_ * rate_) {
    rate_ = next;
    exploration_ = exploration(row_.schedule, rate_);
    rebuild();
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

Certificate LazyWeights::certificate() const {
  Certificate certificate{.rounds = progress_.rounds,
                          .q = last_q_,
                          .q_sum = q_sum_.value(),
                          .out_of_range = out_of_range_,
                          .regret_bound = std::nullopt};
  if (theorem_holds_) {
    certificate.regret_bound = regret_bound(spec_.arms, progress_.rounds, last_rate_, bound_sum_);
  }
  return certificate;
}

RoundFigures LazyWeights::last_round() const {
  if (progress_.rounds > 0 && last_probabilities_.empty()) {
    LargeArray<CompensatedSum> before = losses_;
    last_estimates_.assign(spec_.arms, 0.0);
    for (const Change& change : changes_) {
      before[change.arm] = change.before;
      last_estimates_[change.arm] = change.estimate;
    }
    weigh(before, last_rate_, last_probabilities_);
  }
  return {last_rate_, last_exploration_, last_q_, last_probabilities_, last_estimates_};
}

std::string LazyWeights::save() const {
  StateWriter writer(kLearnerState);
  write_spec(writer, spec_);
  for (const CompensatedSum& sum : losses_) {
    write(writer, sum);
  }
  write(writer, reference_);
  writer.add(rate_);
  writer.add(progress_.rounds);
  writer.add(progress_.highest_price);
  write(writer, progress_.cost);
  write(writer, q_sum_);
  write(writer, bound_sum_);
  writer.add(std::uint64_t{theorem_holds_ ? 1U : 0U});
  writer.add(out_of_range_);
  writer.add(decisions_);
  writer.add(last_rate_);
  writer.add(last_exploration_);
  writer.add(last_q_);
  writer.add(std::uint64_t{changes_.size()});
  for (const Change& change : changes_) {
    writer.add(std::uint64_t{change.arm});
    writer.add(change.estimate);
    write(writer, change.before);
  }
  writer.add(std::uint64_t{outstanding_.size()});
  for (const Outstanding& decision : outstanding_) {
    writer.add(decision.round);
    writer.add(std::uint64_t{decision.arm});
    writer.add(std::uint64_t{decision.probe});
  }
  return writer.finish();
}

void LazyWeights::load(StateReader& reader) {
  const auto read_arm = [&] {
    const std::uint64_t arm = reader.number();
    reader.require(arm < spec_.arms, "names an arm that is not there");
    return static_cast<Arm>(arm);
  };
  std::ranges::generate(losses_, [&] { return read_sum(reader); });
  reference_ = read_sum(reader);
  rate_ = finite(reader);
  progress_.rounds = reader.number();
  progress_.highest_price = finite(reader);
  progress_.cost = read_sum(reader);
  q_sum_ = read_sum(reader);
  bound_sum_ = read_sum(reader);
  theorem_holds_ = reader.number() != 0 && row_.theorem.has_value();
  out_of_range_ = reader.number();
  decisions_ = reader.number();
  last_rate_ = finite(reader);
  last_exploration_ = finite(reader);
  last_q_ = finite(reader);
  reader.require(rate_ >= 0 && last_rate_ >= 0 && last_exploration_ >= 0,
                 "has a rate that is none");
  reader.require(progress_.rounds <= decisions_, "was told more rounds than it has decided");
  reader.require(progress_.highest_price >= 0 && progress_.cost.value() >= 0 && q_sum_.value() >= 0,
                 "holds a negative cost");
  exploration_ = exploration(row_.schedule, rate_);
  changes_.resize(reader.count(4 * sizeof(double)));
  for (Change& change : changes_) {
    change.arm = read_arm();
    change.estimate = finite(reader);
    change.before = read_sum(reader);
  }
  const std::size_t decisions = reader.count(3 * sizeof(double));
  reader.require(decisions <= spec_.max_outstanding, "has more outstanding decisions than it may");
  outstanding_.resize(decisions);
  std::uint64_t earlier = 0;
  for (Outstanding& decision : outstanding_) {
    decision.round = reader.number();
    reader.require(decision.round > earlier && decision.round <= decisions_,
                   "has decisions out of order");
    earlier = decision.round;
    decision.arm = read_arm();
    decision.probe = read_arm();
  }
  reader.finish();
  const double closest = std::ranges::min(losses_, {}, [](const CompensatedSum& sum) {
                           return sum.value();
                         }).minus(reference_);
  // What save() wrote has weights that can be drawn from.
  reader.require(std::abs(rate_ * closest) < 2 * kLargestExponent, "has weights that are none");
  reweigh();
}

}  // namespace hearsay
