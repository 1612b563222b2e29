#include "hearsay/runner/time_estimate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "hearsay/learner/catalogue.h"
#include "hearsay/work/unit_runs.h"
#include "hearsay/work/workers.h"

namespace hearsay {
namespace {

// Of all trials together, without set-up; but every trial has at least kShortestTrial.
constexpr double kAllTrials = 1.0;  // seconds
constexpr double kShortestTrial = 0.02;

// Learner, engine, number of runs.
using Kind = std::tuple<std::string, bool, std::size_t>;

Kind kind_of(const Plan& plan, const Unit& unit) {
  const LearnerSpec& learner = plan.cells()[unit.cell].learner;
  return {learner.name, is_lazy(learner), unit.runs()};
}

// Plays for so many seconds, or to the horizon. Returns the seconds for each round; none if there
// were no rounds left.
std::optional<double> seconds_per_round(UnitRuns& runs, std::uint64_t slice, double duration,
                                        const ReadClock& clock) {
  const std::uint64_t before = runs.rounds();
  const double start = clock();
  double elapsed = 0;
  while (elapsed < duration && !runs.is_done()) {
    runs.advance(slice);
    elapsed = clock() - start;
  }
  if (runs.rounds() == before) {
    return std::nullopt;
  }
  return elapsed / static_cast<double>(runs.rounds() - before);
}

UnitCost try_unit(const Plan& plan, const Unit& unit, double duration, const ReadClock& clock) {
  const double start = clock();
  UnitRuns runs(plan, unit);
  runs.advance(1);
  const double set_up = clock() - start;
  // The rounds after the first still fill caches. They count only if the horizon is among them.
  const std::uint64_t slice = rounds_per_slice(plan, unit);
  const std::optional<double> first = seconds_per_round(runs, slice, duration / 4, clock);
  const std::optional<double> later = seconds_per_round(runs, slice, duration, clock);
  return {set_up, later ? *later : first.value_or(0)};
}

}  // namespace

double TimeEstimate::seconds(const Plan& plan, std::span<const std::size_t> indices,
                             std::size_t workers) const {
  const auto later_rounds = static_cast<double>(plan.experiment().environment.horizon - 1);
  std::vector<double> busy_until(std::max<std::size_t>(1, workers));
  std::optional<std::size_t> last_sequence;
  for (const std::size_t index : indices) {
    const UnitCost& cost = units[index];
    double& worker = *std::ranges::min_element(busy_until);
    if (last_sequence != plan.units()[index].sequence) {
      last_sequence = plan.units()[index].sequence;
      worker += sequence;
    }
    worker += cost.set_up + later_rounds * cost.round;
  }
  return std::ranges::max(busy_until);
}

TimeEstimate estimate_time(const Plan& plan, const ReadClock& clock) {
  // The plan has made the environment of the first sequence already, so the last one is tried.
  const std::size_t sequence = plan.experiment().sequences - 1;
  TimeEstimate estimate;
  const double start = clock();
  plan.environment(sequence);
  estimate.sequence = clock() - start;

  std::map<Kind, std::optional<UnitCost>> costs;
  for (const Unit& unit : plan.units()) {
    costs[kind_of(plan, unit)];
  }
  const double duration = std::max(kShortestTrial, kAllTrials / static_cast<double>(costs.size()));
  for (const Unit& unit : plan.units()) {
    std::optional<UnitCost>& cost = costs[kind_of(plan, unit)];
    if (!cost) {
      Unit trial = unit;
      trial.sequence = sequence;
      cost = try_unit(plan, trial, duration, clock);
    }
    estimate.units.push_back(*cost);
  }
  return estimate;
}

}  // namespace hearsay
