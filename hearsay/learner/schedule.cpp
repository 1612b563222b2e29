#include "hearsay/learner/schedule.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hearsay::schedules {

Schedule fixed(double rate) {
  Schedule schedule;
  schedule.fixed_rate = rate;
  return schedule;
}

Schedule by_round(std::size_t arms, double budget_per_round) {
  Schedule schedule;
  schedule.adaptive_rate = [log_arms = std::log(static_cast<double>(arms)),
                            budget_per_round](const Progress& progress) {
    return std::sqrt(log_arms / (budget_per_round * static_cast<double>(progress.rounds + 1)));
  };
  return schedule;
}

Schedule by_cost(std::size_t arms, std::function<double(const Graph&)> price, double least_price,
                 double exploration_per_rate) {
  Schedule schedule;
  const auto n = static_cast<double>(arms);
  schedule.adaptive_rate = [n, log_arms = std::log(n), least_price](const Progress& progress) {
    const double highest = std::max(least_price, progress.highest_price);
    return std::sqrt(log_arms / (2 * (n * highest + progress.cost.value())));
  };
  schedule.price = std::move(price);
  schedule.exploration_per_rate = exploration_per_rate;
  return schedule;
}

Schedule by_cost(std::size_t arms, double price, double exploration_per_rate) {
  return by_cost(
      arms, [price](const Graph&) { return price; }, price, exploration_per_rate);
}

Schedule by_second_moment(const BySecondMoment& constants) {
  Schedule schedule;
  schedule.adaptive_rate = [constants](const Progress& progress) {
    const double budget = constants.constant * constants.first + progress.cost.value();
    return std::min(constants.largest_rate, std::sqrt(constants.entropy / (2 * budget)));
  };
  schedule.price = [price = constants.constant](const Graph&) { return price; };
  return schedule;
}

Schedule by_switches(std::size_t arms, double switches, const BySecondMoment& constants) {
  Schedule schedule = by_second_moment(constants);
  schedule.adaptive_rate = [n = static_cast<double>(arms), switches,
                            constants](const Progress& progress) {
    const double t = static_cast<double>(progress.rounds) + 1;
    const double entropy = std::log(n) + switches * std::log(n * (t + 1));
    const double budget = constants.constant * constants.first + progress.cost.value();
    const double rate = std::min(constants.largest_rate, std::sqrt(entropy / (2 * budget)));
    return progress.rounds > 0 ? std::min(rate, progress.last_rate) : rate;
  };
  return schedule;
}

Schedule by_gaps(std::size_t arms, double least_inverse_rate) {
  Schedule schedule;
  schedule.goes_by_gaps = true;
  schedule.adaptive_rate = [arms, log_arms = std::log(static_cast<double>(arms)),
                            least_inverse_rate](const Progress& progress) {
    return arms > 1 ? 1 / (least_inverse_rate + progress.gaps.value() / log_arms) : 0;
  };
  return schedule;
}

}  // namespace hearsay::schedules
