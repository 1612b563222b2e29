#include "hearsay/runner/time_estimate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "hearsay/learner/catalogue.h"
#include "hearsay/work/unit_runs.h"
#include "hearsay/work/workers.h"

namespace hearsay {
namespace {

// Of all trials together, without set-up; but every trial has at least kShortestTrial.
constexpr double kAllTrials = 1.0;  // seconds
constexpr double kShortestTrial = 0.01;

// After this many seconds, set-up included, a cell is tried only if its learner has not been tried.
constexpr double kLastTrial = 3.0;

// Learner, engine, number of runs.
using Kind = std::tuple<std::string, bool, std::size_t>;

Kind kind_of(const Plan& plan, const Unit& unit) {
  const LearnerSpec& learner = plan.cells()[unit.cell].learner;
  return {learner.name, is_lazy(learner), unit.runs()};
}

// Plays for `duration` seconds, or to the horizon. Returns the seconds for each round; empty if
// there were no rounds left.
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

struct Trial {
  double making = 0;         // seconds to make the runs
  double first_round = 0;    // seconds
  double round = 0;          // seconds for every further round; 0 if there was none
  std::uint64_t rounds = 0;  // that were played
};

Trial try_unit(const Plan& plan, const Unit& unit, double duration, const ReadClock& clock) {
  const double start = clock();
  UnitRuns runs(plan, unit);
  const double made = clock();
  runs.advance(1);
  const double played = clock();
  // The rounds after the first still fill caches. They count only if the horizon is among them.
  const std::uint64_t slice = rounds_per_slice(plan, unit);
  const std::optional<double> first = seconds_per_round(runs, slice, duration / 4, clock);
  const std::optional<double> later = seconds_per_round(runs, slice, duration, clock);
  return {made - start, played - made, later ? *later : first.value_or(0), runs.rounds()};
}

// The same experiment with one of its graphs, which stays.
Plan with_one_graph(const Plan& plan, std::size_t graph) {
  Experiment experiment = plan.experiment();
  GraphSettings& settings = experiment.environment.graph;
  settings.graphs = {settings.graphs[graph]};
  settings.kind = GraphKind::fixed;
  return Plan(std::move(experiment));
}

// Makes the trials of a plan's units.
class Trials {
 public:
  Trials(const Plan& plan, double duration, const ReadClock& clock)
      : plan_(&plan), duration_(duration), clock_(&clock) {}

  UnitCost cost(const Unit& unit) {
    const Trial trial = try_unit(*plan_, unit, duration_, *clock_);
    const GraphSettings& settings = plan_->experiment().environment.graph;
    const std::uint64_t horizon = plan_->experiment().environment.horizon;
    const bool has_seen_all = settings.kind != GraphKind::alternating || trial.rounds == horizon ||
                              trial.rounds / settings.graphs.size() >= settings.rounds_each;
    return {trial.making + trial.first_round,
            has_seen_all ? trial.round : mean_over_graphs(unit, trial)};
  }

 private:
  // Seconds per round after the first: on each graph as many rounds as the horizon has of it, the
  // first after each change being a first round.
  double mean_over_graphs(const Unit& unit, const Trial& on_first) {
    const Experiment& experiment = plan_->experiment();
    const std::size_t graphs = experiment.environment.graph.graphs.size();
    const std::uint64_t each = experiment.environment.graph.rounds_each;
    const std::uint64_t horizon = experiment.environment.horizon;
    const std::uint64_t cycles = horizon / graphs / each;
    const std::uint64_t rest =
        horizon - cycles * graphs * each;    // rounds of the last, partial cycle
    double seconds = -on_first.first_round;  // part of the set-up
    for (std::size_t graph = 0; graph < graphs; ++graph) {
      const std::uint64_t before = std::min(rest, graph * each);
      const std::uint64_t in_rest = std::min(each, rest - before);
      const std::uint64_t changes = cycles + (in_rest > 0 ? 1 : 0);
      const std::uint64_t rounds = cycles * each + in_rest;
      if (rounds == 0) {
        break;
      }
      const Trial trial = graph == 0 ? on_first : try_graph(unit, graph);
      seconds += static_cast<double>(changes) * trial.first_round +
                 static_cast<double>(rounds - changes) * trial.round;
    }
    return std::max(0.0, seconds) / static_cast<double>(horizon - 1);
  }

  Trial try_graph(const Unit& unit, std::size_t graph) {
    while (fixed_.size() < graph) {
      fixed_.push_back(with_one_graph(*plan_, fixed_.size() + 1));
    }
    return try_unit(fixed_[graph - 1], unit, duration_, *clock_);
  }

  const Plan* plan_;
  double duration_;
  const ReadClock* clock_;
  std::vector<Plan> fixed_;  // with the second graph alone, with the third alone, and so on
};

struct Costs {
  UnitCost sum;
  double count = 0;

  void add(const UnitCost& cost) {
    sum.set_up += cost.set_up;
    sum.round += cost.round;
    ++count;
  }
  UnitCost mean() const { return {sum.set_up / count, sum.round / count}; }
};

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

  // One unit for every cell and number of runs, in the order of the plan.
  using CellRuns = std::pair<std::size_t, std::size_t>;
  std::map<CellRuns, Unit> candidates;
  for (const Unit& unit : plan.units()) {
    Unit& candidate = candidates.try_emplace({unit.cell, unit.runs()}, unit).first->second;
    candidate.sequence = sequence;
  }
  const double duration =
      std::max(kShortestTrial, kAllTrials / static_cast<double>(candidates.size()));
  Trials trials(plan, duration, clock);
  std::map<CellRuns, UnitCost> costs;
  std::map<Kind, Costs> costs_of_kinds;
  const auto try_candidate = [&](const CellRuns& key, const Unit& unit) {
    const UnitCost cost = trials.cost(unit);
    costs[key] = cost;
    costs_of_kinds[kind_of(plan, unit)].add(cost);
  };
  for (const auto& [key, unit] : candidates) {
    if (!costs_of_kinds.contains(kind_of(plan, unit))) {
      try_candidate(key, unit);
    }
  }
  for (const auto& [key, unit] : candidates) {
    if (!costs.contains(key) && clock() - start < kLastTrial) {
      try_candidate(key, unit);
    }
  }
  for (const Unit& unit : plan.units()) {
    const auto cost = costs.find({unit.cell, unit.runs()});
    estimate.units.push_back(cost != costs.end() ? cost->second
                                                 : costs_of_kinds[kind_of(plan, unit)].mean());
  }
  return estimate;
}

}  // namespace hearsay
