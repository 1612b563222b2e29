#include "hearsay/learner/schedule.h"

#include <algorithm>
#include <cmath>

namespace hearsay {

double rate(const Schedule& schedule, const Progress& progress, std::size_t arms, double log_arms) {
  if (schedule.fixed_rate) {
    return *schedule.fixed_rate;
  }
  const auto n = static_cast<double>(arms);
  const double budget = schedule.budget_per_round
                            ? *schedule.budget_per_round * static_cast<double>(progress.rounds + 1)
                            : 2 * (n * std::max(schedule.least_price, progress.highest_price) +
                                   progress.cost.value());
  return std::sqrt(log_arms / budget);
}

double exploration(const Schedule& schedule, double rate) {
  return schedule.fixed_exploration.value_or(schedule.exploration_per_rate * rate);
}

}  // namespace hearsay
