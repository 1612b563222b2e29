#include "hearsay/runner/time_estimate.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hearsay/environment/environment.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/work/unit_runs.h"
#include "hearsay/work/workers.h"

namespace hearsay {
namespace {

// The time of all first trials together, without set-up; but every trial takes at least
// kShortestTrial.
constexpr double kFirstTrials = 0.5;     // seconds
constexpr double kShortestTrial = 0.01;  // seconds

// A trial plays for its duration times this number: the rounds before the measured ones count too.
constexpr double kWholeTrial = 1.25;

// After this many seconds, set-up included, a unit is tried only if no other of its UnitClass has
// been tried, and no trial is repeated.
constexpr double kLastTrial = 3.0;

// How long the environment is played without a learner: long enough to pass the first rounds of the
// largest losses, which take less time than later ones if the losses are random walks.
constexpr double kEnvironmentTrial = 1.0;   // seconds
constexpr double kEnvironmentSlice = 1e-3;  // seconds between two readings of the clock, at least

// Learner, whether its engine is lazy, number of runs.
using UnitClass = std::tuple<std::string, bool, std::size_t>;

UnitClass class_of(const Plan& plan, const Unit& unit) {
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

// How long the rounds of an environment take without a learner.
class EnvironmentTimes {
 public:
  // Plays the environment for kEnvironmentTrial seconds, or to the horizon.
  EnvironmentTimes(Environment& environment, std::uint64_t horizon, const ReadClock& clock) {
    const double start = clock();
    std::uint64_t slice = 1;
    while (measured_.back().seconds < kEnvironmentTrial && measured_.back().rounds < horizon) {
      const Measured before = measured_.back();
      const std::uint64_t rounds = before.rounds + std::min(slice, horizon - before.rounds);
      for (std::uint64_t round = before.rounds; round < rounds; ++round) {
        environment.next();
      }
      measured_.push_back({rounds, clock() - start});
      if (measured_.back().seconds - before.seconds < kEnvironmentSlice) {
        slice *= 2;
      }
    }
  }

  // Seconds for a round, on average over the rounds after `begin` up to `end`.
  double mean(std::uint64_t begin, std::uint64_t end) const {
    return begin == end ? 0 : (seconds(end) - seconds(begin)) / static_cast<double>(end - begin);
  }

 private:
  struct Measured {
    std::uint64_t rounds = 0;  // played since the beginning
    double seconds = 0;        // since the beginning
  };

  // Seconds for the first rounds: interpolated, or continued as the last rounds that were measured.
  double seconds(std::uint64_t rounds) const {
    if (measured_.size() == 1) {
      return 0;
    }
    auto after = std::ranges::lower_bound(measured_, rounds, {}, &Measured::rounds);
    after = std::clamp(after, measured_.begin() + 1, measured_.end() - 1);
    const auto before = after - 1;
    const double slope = (after->seconds - before->seconds) /
                         (static_cast<double>(after->rounds) - static_cast<double>(before->rounds));
    return before->seconds +
           slope * (static_cast<double>(rounds) - static_cast<double>(before->rounds));
  }

  std::vector<Measured> measured_ = {{}};
};

struct Trial {
  double making = 0;         // seconds to make the runs
  double first_round = 0;    // seconds
  double round = 0;          // seconds for every further round; 0 if there was none
  std::uint64_t rounds = 0;  // that were played
};

// The trial measures some of the first rounds. `environment`, if it is not null, tells how much
// longer the environment takes on average over all rounds.
Trial try_unit(const Plan& plan, const Unit& unit, double duration,
               const EnvironmentTimes* environment, const ReadClock& clock) {
  const double start = clock();
  UnitRuns runs(plan, unit);
  const double made = clock();
  runs.advance(1);
  const double played = clock();
  // The rounds after the first still fill caches. They count only if the horizon is among them.
  const std::uint64_t slice = rounds_per_slice(plan, unit);
  std::uint64_t begin = runs.rounds();
  std::optional<double> round = seconds_per_round(runs, slice, (kWholeTrial - 1) * duration, clock);
  const std::uint64_t warm = runs.rounds();
  if (const auto later = seconds_per_round(runs, slice, duration, clock)) {
    begin = warm;
    round = later;
  }
  if (round && environment != nullptr) {
    const std::uint64_t horizon = plan.experiment().environment.horizon;
    *round = std::max(
        0.0, *round + environment->mean(1, horizon) - environment->mean(begin, runs.rounds()));
  }
  return {made - start, played - made, round.value_or(0), runs.rounds()};
}

// The same experiment with only one of its graphs, in all rounds.
Plan with_one_graph(const Plan& plan, std::size_t graph) {
  Experiment experiment = plan.experiment();
  GraphSettings fixed;
  fixed.graphs = {experiment.environment.graph.graphs[graph]};
  experiment.environment.graph = std::move(fixed);
  return Plan(std::move(experiment));
}

// A unit to be tried, for all with its cell and number of runs.
struct Candidate {
  Unit unit;
  std::size_t units = 0;  // how many it stands for
  double duration = 0;    // of its trial, in seconds
  std::optional<UnitCost> cost = {};
  bool is_settled = false;  // a longer trial is not expected to tell more

  double seconds(std::uint64_t horizon) const {
    return static_cast<double>(units) *
           (cost->set_up + static_cast<double>(horizon - 1) * cost->round);
  }
};

// Makes the trials of a plan's units.
class Trials {
 public:
  // `environment` may be null.
  Trials(const Plan& plan, const EnvironmentTimes* environment, const ReadClock& clock)
      : plan_(&plan), environment_(environment), clock_(&clock) {}

  // Sets the cost of a candidate by a trial of its duration.
  void try_candidate(Candidate& candidate) {
    const Unit& unit = candidate.unit;
    duration_ = candidate.duration;
    const Trial trial = try_unit(*plan_, unit, duration_, environment_, *clock_);
    const GraphSettings& settings = plan_->experiment().environment.graph;
    const std::uint64_t horizon = plan_->experiment().environment.horizon;
    // 0 if the graphs are not shown in turn.
    const std::uint64_t rounds_each =
        settings.kind->rounds_each != nullptr ? settings.kind->rounds_each(settings.options) : 0;
    const bool has_seen_all = rounds_each == 0 || trial.rounds == horizon ||
                              trial.rounds / settings.graphs.size() >= rounds_each;
    candidate.cost = {trial.making + trial.first_round,
                      has_seen_all ? trial.round : mean_over_graphs(unit, trial, rounds_each)};
    candidate.is_settled = trial.rounds == horizon;
  }

  // Some learners take longer in their first rounds than later. So candidates that are expected to
  // take a good part of the time are tried again, for up to four times as long, until the cost of a
  // round hardly changes, or until `end` on the clock.
  void repeat(std::span<Candidate> candidates, double end) {
    const std::uint64_t horizon = plan_->experiment().environment.horizon;
    while (Candidate* const longest = longest_unsettled(candidates, horizon)) {
      const UnitCost before = *longest->cost;
      const double left = (end - (*clock_)() - before.set_up) / kWholeTrial;
      if (left < 2 * longest->duration) {  // too short to tell more
        longest->is_settled = true;
        continue;
      }
      longest->duration = std::min(4 * longest->duration, left);
      try_candidate(*longest);
      longest->is_settled = longest->is_settled || (longest->cost->round > 0.8 * before.round &&
                                                    longest->cost->round < 1.25 * before.round);
    }
  }

 private:
  // The candidate with the largest part of the expected time, if that is at least a twentieth.
  static Candidate* longest_unsettled(std::span<Candidate> candidates, std::uint64_t horizon) {
    double all = 0;
    Candidate* longest = nullptr;
    for (Candidate& candidate : candidates) {
      if (candidate.cost) {
        all += candidate.seconds(horizon);
        if (!candidate.is_settled &&
            (longest == nullptr || candidate.seconds(horizon) > longest->seconds(horizon))) {
          longest = &candidate;
        }
      }
    }
    return longest != nullptr && 20 * longest->seconds(horizon) >= all ? longest : nullptr;
  }

  // Seconds per round after the first: on each graph as many rounds as the horizon has of it, the
  // first after each change being a first round. `each`: how many consecutive rounds have the same
  // graph.
  double mean_over_graphs(const Unit& unit, const Trial& on_first, std::uint64_t each) {
    const Experiment& experiment = plan_->experiment();
    const std::size_t graphs = experiment.environment.graph.graphs.size();
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
    return try_unit(fixed_[graph - 1], unit, duration_, environment_, *clock_);
  }

  const Plan* plan_;
  const EnvironmentTimes* environment_;
  const ReadClock* clock_;
  double duration_ = 0;      // of the present trial
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
  const double start_of_sequence = clock();
  std::unique_ptr<Environment> environment = plan.environment(sequence);
  estimate.sequence = clock() - start_of_sequence;
  // Runs in an adaptive environment have one each; all others share one.
  std::optional<EnvironmentTimes> environment_times;
  if (!environment->is_adaptive()) {
    environment_times.emplace(*environment, plan.experiment().environment.horizon, clock);
  }
  environment.reset();  // the trials make their own, and it may be large

  // One unit for every cell and number of runs, in the order of the plan.
  using CellRuns = std::pair<std::size_t, std::size_t>;
  std::map<CellRuns, std::size_t> index;
  std::vector<Candidate> candidates;
  for (const Unit& unit : plan.units()) {
    const auto [known, is_new] = index.try_emplace({unit.cell, unit.runs()}, candidates.size());
    if (is_new) {
      candidates.push_back({unit});
      candidates.back().unit.sequence = sequence;
    }
    ++candidates[known->second].units;
  }
  Trials trials(plan, environment_times ? &*environment_times : nullptr, clock);
  const double start = clock();
  std::set<UnitClass> tried;
  for (Candidate& candidate : candidates) {
    candidate.duration =
        std::max(kShortestTrial, kFirstTrials / static_cast<double>(candidates.size()));
    if (tried.insert(class_of(plan, candidate.unit)).second) {
      trials.try_candidate(candidate);
    }
  }
  for (Candidate& candidate : candidates) {
    if (!candidate.cost && clock() - start < kLastTrial) {
      trials.try_candidate(candidate);
    }
  }
  trials.repeat(candidates, start + kLastTrial);

  std::map<UnitClass, Costs> costs_of_classes;
  for (const Candidate& candidate : candidates) {
    if (candidate.cost) {
      costs_of_classes[class_of(plan, candidate.unit)].add(*candidate.cost);
    }
  }
  for (const Unit& unit : plan.units()) {
    const Candidate& candidate = candidates[index.at({unit.cell, unit.runs()})];
    estimate.units.push_back(candidate.cost ? *candidate.cost
                                            : costs_of_classes[class_of(plan, unit)].mean());
  }
  return estimate;
}

}  // namespace hearsay
