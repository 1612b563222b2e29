#include "hearsay/learner/exponential_weights.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/state.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/sum_state.h"
#include "hearsay/learner/weights.h"
#include "hearsay/simd/exponential.h"

namespace hearsay {
namespace {

// The first arm at which the running sum of the probabilities exceeds `u`: one of probability 0 is
// never drawn. Rounding may leave the whole sum at or below `u`; then it is the last arm possible.
Arm draw(std::span<const double> probabilities, double u) {
  double sum = 0;
  std::size_t last_possible = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    sum += probabilities[i];
    if (sum > u) {
      return static_cast<Arm>(i);
    }
    if (probabilities[i] > 0) {
      last_possible = i;
    }
  }
  return static_cast<Arm>(last_possible);
}

double sum_of(std::span<const double> terms) {
  double sum = 0;
  for (std::size_t begin = 0; begin < terms.size(); begin += kSummedTogether) {
    const std::span<const double> block =
        terms.subspan(begin, std::min(kSummedTogether, terms.size() - begin));
    sum += std::accumulate(block.begin(), block.end(), 0.0);
  }
  return sum;
}

void check_true_losses(const Graph& graph, Arm played) {
  for (Arm arm = 0; arm < graph.arms(); ++arm) {
    if (graph.weight(played, arm) != 1) {
      throw Error(
          fmt::format("weight({}, {}) is {}, expected 1: hedge is an oracle that must be shown "
                      "every true loss",
                      played, arm, graph.weight(played, arm)));
    }
  }
}

}  // namespace

ExponentialWeights::ExponentialWeights(LearnerSpec spec, ExponentialWeightsRow row)
    : spec_(std::move(spec)),
      row_(std::move(row)),
      log_arms_(std::log(static_cast<double>(spec_.arms))),
      losses_(spec_.arms),
      theorem_holds_(row_.theorem.has_value()),
      current_(std::make_shared<Standing>()),
      per_coverage_(spec_.arms),
      estimates_(spec_.arms) {
  refresh();
}

// Sets what the next decisions are drawn from by what has been told so far.
void ExponentialWeights::refresh() {
  if (current_.use_count() > 1) {  // outstanding decisions keep theirs
    current_ = std::make_shared<Standing>();
  }
  Standing& standing = *current_;
  standing.told = progress_.rounds;
  standing.rate = rate(row_.schedule, progress_, spec_.arms, log_arms_);
  standing.exploration = exploration(row_.schedule, standing.rate);

  // exp(-rate * L) shifted by the smallest L: the largest weight is 1, and none overflows.
  standing.probabilities.resize(spec_.arms);
  losses_.scaled_above(losses_.smallest(), -standing.rate, standing.probabilities);
  exponentials(standing.probabilities);
  const double scale = 1 / sum_of(standing.probabilities);
  for (double& probability : standing.probabilities) {
    probability *= scale;
  }
}

Decision ExponentialWeights::choose(const Stream& stream) {
  return adopt(draw(current_->probabilities, stream.uniform(decisions_ + 1)));
}

Decision ExponentialWeights::adopt(Arm arm) {
  if (arm >= spec_.arms) {
    throw Error(fmt::format("arm {} is not there, expected 0 to {}", arm, spec_.arms - 1));
  }
  if (outstanding_.size() >= spec_.max_outstanding) {
    outstanding_.pop_front();
  }
  ++decisions_;
  outstanding_.push_back({decisions_, arm, current_});
  return {arm, current_->probabilities[arm], decisions_};
}

std::deque<ExponentialWeights::Outstanding>::iterator ExponentialWeights::find(
    const Decision& decision) {
  const auto found =
      std::ranges::lower_bound(outstanding_, decision.round, {}, &Outstanding::round);
  if (found == outstanding_.end() || found->round != decision.round) {
    throw Error(
        fmt::format("decision {} is not outstanding: it was told already, forgotten, or never "
                    "made",
                    decision.round));
  }
  if (found->arm != decision.arm) {
    throw Error(fmt::format("decision {} was for arm {}, expected arm {}", decision.round,
                            decision.arm, found->arm));
  }
  return found;
}

void ExponentialWeights::forget(const Decision& decision) {
  outstanding_.erase(find(decision));
}

const ExponentialWeights::SeenGraph& ExponentialWeights::see(const Graph& graph) {
  if (!seen_ || !seen_->graph.same_as(graph)) {
    const double price = row_.schedule.price ? row_.schedule.price(graph) : 0;
    seen_.emplace(SeenGraph{graph, Coverage(*row_.estimator, graph), price});
  }
  return *seen_;
}

void ExponentialWeights::observe(const Decision& decision, const Graph& graph,
                                 const Feedback& feedback) {
  const auto told = find(decision);
  if (feedback.played != decision.arm) {
    throw Error(fmt::format("feedback for arm {}, expected arm {}, which decision {} played",
                            feedback.played, decision.arm, decision.round));
  }
  if (graph.arms() != spec_.arms) {
    throw Error(fmt::format("a graph of {} arms, expected {}", graph.arms(), spec_.arms));
  }
  if (row_.information == Information::true_losses) {
    check_true_losses(graph, feedback.played);
  }
  const CheckedObservations seen_with =
      check_observations(spec_, graph, feedback, observed_weights_);

  const Standing& drawn_from = *told->standing;
  const SeenGraph& seen = see(graph);
  seen.coverage.of(drawn_from.probabilities, per_coverage_);
  double q = 0;
  for (std::size_t i = 0; i < spec_.arms; ++i) {
    per_coverage_[i] = 1 / std::max(per_coverage_[i] + drawn_from.exploration, kSmallestCoverage);
    q += drawn_from.probabilities[i] * per_coverage_[i];
  }

  gains_.resize(seen_with.weights.size());
  row_.estimator->gains(seen_with.weights, gains_);
  const auto own =
      std::ranges::lower_bound(feedback.observations, feedback.played, {}, &Observation::arm);
  gains_[static_cast<std::size_t>(own - feedback.observations.begin())] =
      row_.estimator->self_gain(graph.self_weight());
  std::ranges::fill(estimates_, 0.0);
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    estimates_[arm] = gains_[k] * value * per_coverage_[arm] + 0.0;  // + 0: never -0
  }
  if (!losses_.can_add(estimates_, kLargestSum)) {
    throw Error(fmt::format(
        "an estimate is beyond what can be added up: arm {} was played at probability {}",
        feedback.played, drawn_from.probabilities[feedback.played]));
  }

  // Nothing is refused from here on.
  losses_.add(estimates_);
  if (row_.theorem) {
    const RegretTheorem& theorem = *row_.theorem;
    const bool at_once = drawn_from.told == progress_.rounds;
    const bool rate_rose = progress_.rounds > 0 && drawn_from.rate > last_.rate;
    theorem_holds_ = theorem_holds_ && at_once && !rate_rose && seen_with.out_of_range == 0 &&
                     drawn_from.exploration >= theorem.least_exploration_per_rate * drawn_from.rate;
    bound_sum_.add((drawn_from.exploration + theorem.second_moment * drawn_from.rate) * q);
  }
  ++progress_.rounds;
  progress_.highest_price = std::max(progress_.highest_price, seen.price);
  progress_.cost.add(seen.price * q);
  q_sum_.add(q);
  out_of_range_ += seen_with.out_of_range;
  last_ = drawn_from;
  last_q_ = q;
  last_estimates_.resize(spec_.arms);
  last_estimates_.swap(estimates_);
  outstanding_.erase(told);
  refresh();
}

Certificate ExponentialWeights::certificate() const {
  Certificate certificate{.rounds = progress_.rounds,
                          .q = last_q_,
                          .q_sum = q_sum_.value(),
                          .out_of_range = out_of_range_,
                          .regret_bound = std::nullopt};
  if (theorem_holds_) {
    certificate.regret_bound = regret_bound(spec_.arms, progress_.rounds, last_.rate, bound_sum_);
  }
  return certificate;
}

RoundFigures ExponentialWeights::last_round() const {
  return {last_.rate, last_.exploration, last_q_, last_.probabilities, last_estimates_};
}

// The state is the members above "All below follows", and the last round. Standings are shared by
// the decisions drawn from one: each is written once, with the first decision that has it.
namespace {

void write(StateWriter& writer, std::span<const double> values) {
  writer.add(std::uint64_t{values.size()});
  for (const double value : values) {
    writer.add(value);
  }
}

std::vector<double> read_values(StateReader& reader) {
  std::vector<double> values(reader.count(sizeof(double)));
  std::ranges::generate(values, [&] { return finite(reader); });
  return values;
}

}  // namespace

std::string ExponentialWeights::save() const {
  StateWriter writer(kLearnerState);
  write_spec(writer, spec_);
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    write(writer, losses_[i]);
  }
  writer.add(progress_.rounds);
  writer.add(progress_.highest_price);
  write(writer, progress_.cost);
  write(writer, q_sum_);
  write(writer, bound_sum_);
  writer.add(std::uint64_t{theorem_holds_ ? 1U : 0U});
  writer.add(out_of_range_);
  writer.add(decisions_);

  const auto write_standing = [&](const Standing& standing) {
    writer.add(standing.told);
    writer.add(standing.rate);
    writer.add(standing.exploration);
    write(writer, standing.probabilities);
  };
  write_standing(last_);
  writer.add(last_q_);
  write(writer, last_estimates_);

  writer.add(std::uint64_t{outstanding_.size()});
  const Standing* written = nullptr;
  for (const Outstanding& decision : outstanding_) {
    writer.add(decision.round);
    writer.add(std::uint64_t{decision.arm});
    const bool shared = decision.standing.get() == written;
    writer.add(std::uint64_t{shared ? 1U : 0U});
    if (!shared) {
      write_standing(*decision.standing);
      written = decision.standing.get();
    }
  }
  return writer.finish();
}

void ExponentialWeights::load(StateReader& reader) {
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    losses_.set(i, read_sum(reader));
  }
  progress_.rounds = reader.number();
  progress_.highest_price = finite(reader);
  progress_.cost = read_sum(reader);
  q_sum_ = read_sum(reader);
  bound_sum_ = read_sum(reader);
  theorem_holds_ = reader.number() != 0 && row_.theorem.has_value();
  out_of_range_ = reader.number();
  decisions_ = reader.number();
  reader.require(progress_.rounds <= decisions_, "was told more rounds than it has decided");
  reader.require(progress_.highest_price >= 0 && progress_.cost.value() >= 0 && q_sum_.value() >= 0,
                 "holds a negative cost");

  const auto read_standing = [&] {
    Standing standing;
    standing.told = reader.number();
    standing.rate = finite(reader);
    standing.exploration = finite(reader);
    standing.probabilities = read_values(reader);
    const std::span<const double> p = standing.probabilities;
    reader.require(p.size() == spec_.arms || p.empty(),
                   "has probabilities of another number of arms");
    reader.require(p.empty() || (std::ranges::min(p) >= 0 && std::abs(sum_of(p) - 1) < 1e-9),
                   "has probabilities that are none");
    reader.require(
        standing.rate >= 0 && standing.exploration >= 0 && standing.told <= progress_.rounds,
        "has a rate that is none");
    return standing;
  };
  last_ = read_standing();
  last_q_ = finite(reader);
  last_estimates_ = read_values(reader);
  const std::size_t of_last_round = progress_.rounds > 0 ? spec_.arms : 0;
  reader.require(
      last_.probabilities.size() == of_last_round && last_estimates_.size() == of_last_round,
      "has a last round of another number of arms");

  outstanding_.clear();
  const std::size_t decisions = reader.count(3 * sizeof(std::uint64_t));
  reader.require(decisions <= spec_.max_outstanding, "has more outstanding decisions than it may");
  for (std::size_t i = 0; i < decisions; ++i) {
    Outstanding decision;
    decision.round = reader.number();
    const std::uint64_t arm = reader.number();
    reader.require(arm < spec_.arms, "has a decision for an arm that is not there");
    decision.arm = static_cast<Arm>(arm);
    const std::uint64_t earlier = outstanding_.empty() ? 0 : outstanding_.back().round;
    reader.require(decision.round > earlier && decision.round <= decisions_,
                   "has decisions out of order");
    if (reader.number() != 0) {
      reader.require(!outstanding_.empty(), "has a decision drawn from nothing");
      decision.standing = outstanding_.back().standing;
    } else {
      decision.standing = std::make_shared<const Standing>(read_standing());
      reader.require(!decision.standing->probabilities.empty(),
                     "has a decision drawn from nothing");
    }
    outstanding_.push_back(std::move(decision));
  }
  reader.finish();
  refresh();
}

}  // namespace hearsay
