#include "hearsay/learner/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay {

void refuse_rate(double rate) {
  throw Error("rate",
              fmt::format("the learner's schedule gives {}, expected a finite number >= 0", rate));
}

namespace schedules {

double first_inverse_rate(double second_moments, double entropy) {
  return entropy > 0 ? std::sqrt(second_moments / entropy)
                     : std::numeric_limits<double>::infinity();
}

Schedule fixed(double rate) {
  Schedule schedule;
  schedule.fixed_rate = rate;
  return schedule;
}

Schedule by_round(std::size_t arms, double budget_per_round) {
  Schedule schedule;
  schedule.adaptive_rate = [log_arms = std::log(static_cast<double>(arms)),
                            budget_per_round](const RoundTotals& totals) {
    return std::sqrt(log_arms / (budget_per_round * static_cast<double>(totals.rounds + 1)));
  };
  return schedule;
}

Schedule by_cost(std::size_t arms, std::function<double(const Graph&)> price, double least_price,
                 double exploration_per_rate) {
  Schedule schedule;
  const auto n = static_cast<double>(arms);
  schedule.adaptive_rate = [n, log_arms = std::log(n), least_price](const RoundTotals& totals) {
    const double highest = std::max(least_price, totals.highest_price);
    return std::sqrt(log_arms / (2 * (n * highest + totals.cost.value())));
  };
  schedule.price = std::move(price);
  schedule.exploration_per_rate = exploration_per_rate;
  return schedule;
}

Schedule by_cost(std::size_t arms, double price, double exploration_per_rate) {
  return by_cost(
      arms, [price](const Graph&) { return price; }, price, exploration_per_rate);
}

namespace {

// `rate`, or the rate of the last feedback or of the last draw, if one of these is smaller.
double no_higher_than_before(double rate, const RoundTotals& totals) {
  if (totals.rounds > 0) {
    rate = std::min(rate, totals.last_rate);
  }
  const double drawn_rate = totals.delays.value().drawn_rate;
  return drawn_rate > 0 ? std::min(rate, drawn_rate) : rate;
}

// The expected contribution of outstanding decisions and of lateness to the budget.
double budget_of_delays(const BySecondMoment& constants, const RoundTotals& totals) {
  const DelayTotals& delays = totals.delays.value();
  const auto outstanding = static_cast<double>(delays.outstanding);
  const auto rounds = static_cast<double>(totals.rounds);
  const double mean =
      rounds > 0 ? totals.cost.value() / rounds : constants.constant * constants.first;
  if (constants.delay_rate == DelayRate::count) {
    return outstanding * mean + delays.waited + outstanding;
  }
  const double drift = totals.drift_per_rate.value();
  return outstanding * mean + drift + (rounds > 0 ? outstanding * drift / rounds : 0);
}

}  // namespace

Schedule by_second_moment(const BySecondMoment& constants) {
  Schedule schedule;
  schedule.uses_delays = constants.delay_rate != DelayRate::none;
  schedule.price = [price = constants.constant](const Graph&) { return price; };
  schedule.adaptive_rate = [constants](const RoundTotals& totals) {
    const double budget = constants.constant * constants.first + totals.cost.value();
    if (constants.delay_rate == DelayRate::none) {
      return std::min(constants.largest_rate, std::sqrt(constants.entropy / (2 * budget)));
    }
    const double late = budget + budget_of_delays(constants, totals);
    return no_higher_than_before(
        std::min(constants.largest_rate, std::sqrt(constants.entropy / (2 * late))), totals);
  };
  return schedule;
}

Schedule by_switches(std::size_t arms, double switches, const BySecondMoment& constants) {
  Schedule schedule = by_second_moment(constants);
  schedule.adaptive_rate = [n = static_cast<double>(arms), switches,
                            constants](const RoundTotals& totals) {
    const double t = static_cast<double>(totals.rounds) + 1;
    const double entropy = std::log(n) + switches * std::log(n * (t + 1));
    const double budget = constants.constant * constants.first + totals.cost.value();
    const double rate = std::min(constants.largest_rate, std::sqrt(entropy / (2 * budget)));
    return totals.rounds > 0 ? std::min(rate, totals.last_rate) : rate;
  };
  return schedule;
}

Schedule by_gaps(std::size_t arms, double least_inverse_rate, DelayRate delay_rate) {
  Schedule schedule;
  schedule.uses_gaps = true;
  schedule.uses_delays = delay_rate != DelayRate::none;
  schedule.adaptive_rate = [arms, log_arms = std::log(static_cast<double>(arms)),
                            least_inverse_rate, delay_rate](const RoundTotals& totals) {
    if (arms == 1) {
      return 0.0;
    }
    const double gaps = totals.gaps.value().value();
    if (delay_rate == DelayRate::none) {
      return 1 / (least_inverse_rate + gaps / log_arms);
    }
    const double late = delay_rate == DelayRate::drift ? gaps + totals.drift.value() : gaps;
    double rate = 1 / (least_inverse_rate + late / log_arms);
    const DelayTotals& delays = totals.delays.value();
    const double waited = delays.waited + static_cast<double>(delays.outstanding);
    if (delay_rate == DelayRate::count && waited > 0) {
      rate = std::min(rate, std::sqrt(log_arms / (2 * waited)));
    }
    return no_higher_than_before(rate, totals);
  };
  return schedule;
}

Schedule by_square_root(std::size_t arms, double first) {
  Schedule schedule;
  schedule.adaptive_rate = [arms, first](const RoundTotals& totals) {
    return arms > 1 ? first / std::sqrt(static_cast<double>(totals.rounds + 1)) : 0;
  };
  return schedule;
}

namespace {

// 1 / rate = least_inverse_rate + RoundTotals::growth.
Schedule by_growth(const ByEntropy& constants) {
  Schedule schedule;
  schedule.adaptive_rate = [constants](const RoundTotals& totals) {
    return constants.arms > 1 ? 1 / (constants.least_inverse_rate + totals.growth.value()) : 0;
  };
  schedule.price = [price = constants.constant](const Graph&) { return price; };
  return schedule;
}

}  // namespace

Schedule by_entropy_sum(const ByEntropy& constants) {
  Schedule schedule = by_growth(constants);
  schedule.growth = [arms = constants.arms](const RegretRound& round, const RoundTotals& before) {
    if (arms == 1) {
      return 0.0;
    }
    const double cost = before.cost.value() + round.price * round.terms.q;
    const double entropies = before.entropies.value() + round.entropy.value();
    return std::sqrt(cost / static_cast<double>(before.rounds + 1) /
                     (std::log(static_cast<double>(arms)) + entropies));
  };
  return schedule;
}

Schedule by_matching(const ByEntropy& constants) {
  Schedule schedule = by_growth(constants);
  schedule.growth = [constants](const RegretRound& round, const RoundTotals& before) {
    if (constants.arms == 1) {
      return 0.0;
    }
    const double least = std::log(static_cast<double>(constants.arms)) / 1000;
    const double inverse_rate = constants.least_inverse_rate + before.growth.value();
    return round.price * round.terms.q / (inverse_rate * std::max(round.entropy.value(), least));
  };
  return schedule;
}

}  // namespace schedules

}  // namespace hearsay
