#include "hearsay/learner/lockstep.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/sum_state.h"
#include "hearsay/learner/weights.h"

namespace hearsay {
namespace {

[[noreturn]] void refuse_estimate(double probability) {
  throw Error(
      fmt::format("an estimate is beyond what can be added up: an arm was played at "
                  "probability {}",
                  probability));
}

}  // namespace

LockstepLearners::LockstepLearners(const LearnerSpec& spec, std::size_t runs,
                                   Observations observations)
    : spec_(spec),
      row_(learner_row(spec)),
      runs_(runs),
      observations_(observations),
      log_arms_(std::log(static_cast<double>(spec.arms))),
      groups_((runs + kLanes - 1) / kLanes) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    for (auto* array : {&group.rounded, &group.error, &group.probabilities, &group.per_coverage}) {
      array->resize(spec_.arms);
    }
    group.theorem_holds.fill(row_.theorem.has_value());
    set_rates(group);
    refresh(g);
  }
}

std::size_t LockstepLearners::lanes_of(std::size_t group) const {
  return std::min(kLanes, runs_ - group * kLanes);
}

void LockstepLearners::set_rates(Group& group) const {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const Progress progress{rounds_, highest_price_, group.cost[lane]};
    group.rate[lane] = rate(row_.schedule, progress, spec_.arms, log_arms_);
    group.exploration[lane] = exploration(row_.schedule, group.rate[lane]);
  }
}

void LockstepLearners::refresh(std::size_t group) {
  Group& it = groups_[group];
  lockstep::weigh(sums(it), it.rate, it.probabilities, lanes_of(group));
}

const LaneArms& LockstepLearners::choose(std::size_t group, const Lanes& uniform) {
  groups_[group].played = lockstep::draw(groups_[group].probabilities, uniform, lanes_of(group));
  return groups_[group].played;
}

LockstepLearners::SeenGraph LockstepLearners::look_at(const Graph& graph) const {
  if (graph.arms() != spec_.arms) {
    throw Error(fmt::format("a graph of {} arms, expected {}", graph.arms(), spec_.arms));
  }
  SeenGraph seen{graph,
                 row_.schedule.price ? row_.schedule.price(graph) : 0,
                 Coverage(*row_.estimator, graph),
                 std::nullopt,
                 {}};
  if (seen.coverage.matrix() && seen.coverage.matrix()->is_dense()) {
    seen.panels.emplace(spec_.arms, seen.coverage.matrix()->values());
  }
  if (graph.is_dense()) {
    const std::span<const double> weights = graph.weights().values();
    seen.gains.resize(weights.size());
    row_.estimator->gains(weights, seen.gains);
    std::ranges::transform(weights, seen.gains, seen.gains.begin(),
                           [](double weight, double gain) { return weight > 0 ? gain : 0.0; });
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      seen.gains[i * spec_.arms + i] = row_.estimator->self_gain(graph.self_weight());
    }
  }
  return seen;
}

void LockstepLearners::see(const Graph& graph) {
  if (!seen_ || !seen_->graph.same_as(graph)) {
    seen_ = look_at(graph);
  }
  ++rounds_;
  highest_price_ = std::max(highest_price_, seen_->price);
  for (Group& group : groups_) {
    group.last_q = {};
  }
  cover();
  for (Group& group : groups_) {
    count_round(group);
  }
}

// Everyone's per_coverage, and Q.
void LockstepLearners::cover() {
  const auto invert = [&](std::size_t g, std::size_t first, std::size_t count) {
    Group& group = groups_[g];
    lockstep::invert_coverage(std::span(group.per_coverage).subspan(first, count),
                              std::span(group.probabilities).subspan(first, count),
                              group.exploration, lanes_of(g), group.last_q);
  };
  if (seen_->panels) {
    // All groups at once, so that a panel is read from afar but once a round.
    std::vector<PanelMatrix::Product> products;
    for (Group& group : groups_) {
      products.push_back({group.probabilities.data(), group.per_coverage.data()});
    }
    seen_->panels->left_multiply(products, groups_.size() == 1 ? runs_ : kLanes, invert);
    return;
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    if (seen_->coverage.matrix()) {
      lockstep::multiply_sparse(*seen_->coverage.matrix(), group.probabilities, group.per_coverage,
                                lanes_of(g));
    } else {
      for (Lanes& coverage : group.per_coverage) {
        coverage.values.fill(1.0);  // the sum of the probabilities
      }
    }
    invert(g, 0, spec_.arms);
  }
}

// All that a round changes but the estimates.
void LockstepLearners::count_round(Group& group) const {
  const Lanes& q = group.last_q;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (row_.theorem) {
      const double rate = group.rate[lane];
      const bool rate_rose = rounds_ > 1 && rate > group.last_rate[lane];
      group.theorem_holds[lane] =
          group.theorem_holds[lane] && !rate_rose &&
          group.exploration[lane] >= row_.theorem->least_exploration_per_rate * rate;
      group.bound_sum[lane].add((group.exploration[lane] + row_.theorem->second_moment * rate) *
                                q[lane]);
    }
    group.cost[lane].add(seen_->price * q[lane]);
    group.q_sum[lane].add(q[lane]);
  }
  group.last_rate = group.rate;
  set_rates(group);
}

void LockstepLearners::learn(std::size_t group, std::span<const Lanes> observations) {
  Group& it = groups_[group];
  assert(seen_ && seen_->graph.is_dense() && observations.size() == spec_.arms);
  const std::size_t lanes = lanes_of(group);
  const lockstep::Shown shown{it.played, seen_->graph.weights().values(), seen_->gains,
                              observations, it.per_coverage};
  if (observations_ == Observations::any) {
    const Lanes wrong = lockstep::count_out_of_range(shown, spec_.noise_bound, lanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      it.out_of_range[lane] += wrong[lane];
      it.theorem_holds[lane] = it.theorem_holds[lane] && wrong[lane] == 0;
    }
  }
  if (!lockstep::add_estimates(shown, kLargestSum, sums(it), lanes)) {
    double least = 1;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      least = std::min(least, it.probabilities[it.played[lane]][lane]);
    }
    refuse_estimate(least);
  }
  refresh(group);
}

void LockstepLearners::learn(std::size_t group,
                             std::span<const std::vector<Observation>> observations) {
  Group& it = groups_[group];
  assert(seen_);
  for (std::size_t lane = 0; lane < lanes_of(group); ++lane) {
    const Arm played = it.played[lane];
    observed_weights_.clear();
    for (const Observation& seen : observations[lane]) {
      const double weight = seen_->graph.weight(played, seen.arm);
      observed_weights_.push_back(weight);
      if (!ObservationRange(weight, spec_.noise_bound).holds(seen.value)) {
        it.out_of_range[lane] += 1;
        it.theorem_holds[lane] = false;
      }
    }
    gains_.resize(observed_weights_.size());
    row_.estimator->gains(observed_weights_, gains_);
    for (std::size_t k = 0; k < gains_.size(); ++k) {
      const auto [arm, value] = observations[lane][k];
      const double gain =
          arm == played ? row_.estimator->self_gain(seen_->graph.self_weight()) : gains_[k];
      CompensatedSum sum(it.rounded[arm][lane], it.error[arm][lane]);
      sum.add(gain * value * it.per_coverage[arm][lane]);
      if (!(std::abs(sum.value()) < kLargestSum)) {
        refuse_estimate(it.probabilities[played][lane]);
      }
      it.rounded[arm][lane] = sum.rounded();
      it.error[arm][lane] = sum.error();
    }
  }
  refresh(group);
}

double LockstepLearners::probability(std::size_t run, Arm arm) const {
  return groups_[run / kLanes].probabilities[arm][run % kLanes];
}

Certificate LockstepLearners::certificate(std::size_t run) const {
  const Group& group = groups_[run / kLanes];
  const std::size_t lane = run % kLanes;
  Certificate certificate{.rounds = rounds_,
                          .q = group.last_q[lane],
                          .q_sum = group.q_sum[lane].value(),
                          .out_of_range = static_cast<std::uint64_t>(group.out_of_range[lane]),
                          .regret_bound = std::nullopt};
  if (group.theorem_holds[lane]) {
    certificate.regret_bound =
        regret_bound(spec_.arms, rounds_, group.last_rate[lane], group.bound_sum[lane]);
  }
  return certificate;
}

void LockstepLearners::save(StateWriter& writer) const {
  writer.add(rounds_);
  writer.add(highest_price_);
  for (std::size_t run = 0; run < runs_; ++run) {
    const Group& group = groups_[run / kLanes];
    const std::size_t lane = run % kLanes;
    for (std::size_t arm = 0; arm < spec_.arms; ++arm) {
      writer.add(group.rounded[arm][lane]);
      writer.add(group.error[arm][lane]);
    }
    for (const LaneSums* sums : {&group.cost, &group.q_sum, &group.bound_sum}) {
      write(writer, (*sums)[lane]);
    }
    writer.add(std::uint64_t{group.theorem_holds[lane] ? 1U : 0U});
    writer.add(group.out_of_range[lane]);
    writer.add(group.last_rate[lane]);
    writer.add(group.last_q[lane]);
  }
}

void LockstepLearners::load(StateReader& reader) {
  rounds_ = reader.number();
  highest_price_ = finite(reader);
  for (std::size_t run = 0; run < runs_; ++run) {
    Group& group = groups_[run / kLanes];
    const std::size_t lane = run % kLanes;
    for (std::size_t arm = 0; arm < spec_.arms; ++arm) {
      group.rounded[arm][lane] = finite(reader);
      group.error[arm][lane] = finite(reader);
    }
    for (LaneSums* sums : {&group.cost, &group.q_sum, &group.bound_sum}) {
      (*sums)[lane] = read_sum(reader);
      reader.require((*sums)[lane].value() >= 0, "holds a negative cost");
    }
    group.theorem_holds[lane] = reader.number() != 0 && row_.theorem.has_value();
    for (Lanes* numbers : {&group.out_of_range, &group.last_rate, &group.last_q}) {
      (*numbers)[lane] = finite(reader);
    }
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    set_rates(groups_[g]);
    refresh(g);
  }
}

}  // namespace hearsay
