#include "hearsay/experiment/experiment.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay {
namespace {

// The largest integer that TOML can represent.
constexpr std::uint64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMostRuns = 1'000'000;
constexpr std::uint64_t kLongestHorizon = 1'000'000'000'000'000;

}  // namespace

const FieldTable<Experiment>& Experiment::fields() {
  static const FieldTable<Experiment> table = {
      field("seed", &Experiment::seed, WholeRange{0, kLargestSeed},
            "determines all random numbers"),
      field("repetitions", &Experiment::repetitions, WholeRange{1, kMostRuns},
            "runs of every learner on every sequence; they differ in the draws and the noise"),
      field("sequences", &Experiment::sequences, WholeRange{1, kMostRuns},
            "how many times the losses and random graphs are drawn; all learners meet the same"),
  };
  return table;
}

const FieldTable<EnvironmentSettings>& EnvironmentSettings::fields() {
  static const FieldTable<EnvironmentSettings> table = {
      field("horizon", &EnvironmentSettings::horizon, WholeRange{1, kLongestHorizon}, "rounds"),
  };
  return table;
}

LearnerSweep::LearnerSweep(const std::string& name) : label(name), learner(name) {
  LearnerSpec defaults;
  defaults.name = name;
  defaults = with_defaults(std::move(defaults));
  const FieldTable<LearnerSpec>& fields = LearnerSpec::fields();
  for (std::size_t i = 0; i < fields.infos().size(); ++i) {
    values.push_back({fields.get(defaults, i)});
  }
}

std::vector<FieldValue>& LearnerSweep::of(std::string_view parameter) {
  const std::optional<std::size_t> index = field_index(LearnerSpec::fields().infos(), parameter);
  assert(index);
  return values[*index];
}

void check_experiment(const Experiment& experiment) {
  check_options(experiment);
  check_options(experiment.environment);
  check_options(experiment.environment.noise);
  const GraphSettings& graph = experiment.environment.graph;
  const bool takes_several = graph.kind->takes == GraphsTaken::several;
  if (takes_several ? graph.graphs.empty() : graph.graphs.size() != 1) {
    throw Error("graphs",
                fmt::format("has {} graphs, expected {} for kind {}", graph.graphs.size(),
                            takes_several ? "at least one" : "one", graph.kind->entry.name));
  }
  if (graph.kind->takes == GraphsTaken::random_family && !is_random(graph.graphs.front())) {
    throw Error("graphs",
                fmt::format("has a graph that is not random, expected a random family for "
                            "kind {}",
                            graph.kind->entry.name));
  }
  if (experiment.learners.empty()) {
    throw Error("learners", "is empty, expected at least one learner");
  }
  const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
  for (const LearnerSweep& sweep : experiment.learners) {
    if (sweep.values.size() != fields.size()) {
      throw Error("learners", fmt::format("{} has lists for {} parameters, expected {}",
                                          sweep.label, sweep.values.size(), fields.size()));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (sweep.values[i].empty()) {
        throw Error("learners", fmt::format("{} has no value of {}, expected at least one",
                                            sweep.label, fields[i].name));
      }
    }
  }
}

std::vector<Cell> expand(const LearnerSweep& sweep, std::size_t arms) {
  const FieldTable<LearnerSpec>& fields = LearnerSpec::fields();
  LearnerSpec first;
  first.name = sweep.learner;
  first.arms = arms;
  std::vector<LearnerSpec> specs = {first};
  for (std::size_t i = 0; i < sweep.values.size(); ++i) {
    const std::vector<FieldValue>& values = sweep.values[i];
    if (values.size() > kMostCells / specs.size()) {
      throw Error(std::string(fields.infos()[i].name),
                  fmt::format("has {} values, which make {} combinations, expected at most {}",
                              values.size(), values.size() * specs.size(), kMostCells));
    }
    std::vector<LearnerSpec> multiplied;
    multiplied.reserve(specs.size() * values.size());
    for (const LearnerSpec& spec : specs) {
      for (const FieldValue& value : values) {
        multiplied.push_back(spec);
        fields.set(multiplied.back(), i, value);
      }
    }
    specs = std::move(multiplied);
  }

  std::vector<Cell> cells;
  cells.reserve(specs.size());
  std::ranges::transform(specs, std::back_inserter(cells), [&](const LearnerSpec& spec) {
    return Cell{sweep.label, spec};
  });
  return cells;
}

std::vector<Parameter> parameters(const LearnerSpec& learner) {
  const FieldTable<LearnerSpec>& fields = LearnerSpec::fields();
  // For a learner that does not take the parameter, the text is empty: the word for "no value",
  // such as "adaptive", would say that it does.
  const auto takes = [&](std::string_view name) {
    if (learner.name.empty()) {  // of no learner in particular
      return true;
    }
    const auto& all = learner_row(learner.name).parameters;
    return std::ranges::find(all, name, &LearnerParameter::name) != all.end();
  };
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < fields.infos().size(); ++i) {
    const FieldInfo& info = fields.infos()[i];
    if (info.in_experiments) {
      const FieldValue value = fields.get(learner, i);
      const bool is_none = std::holds_alternative<std::monostate>(value);
      parameters.push_back(
          {info.name, is_none && !takes(info.name) ? std::string() : field_text(info, value)});
    }
  }
  return parameters;
}

std::vector<std::uint64_t> recorded_rounds(const RecordedRounds& settings, std::uint64_t horizon) {
  std::vector<std::uint64_t> points = settings.list;
  if (points.empty()) {
    const auto last = static_cast<double>(settings.count - 1);
    for (std::size_t k = 1; k < settings.count; ++k) {
      if (settings.spacing == Spacing::linear) {
        // k / count of the horizon, rounded down; in two parts, so that nothing overflows
        points.push_back(horizon / settings.count * k +
                         horizon % settings.count * k / settings.count);
      } else {
        const double part = static_cast<double>(k - 1) / last;
        points.push_back(static_cast<std::uint64_t>(std::pow(static_cast<double>(horizon), part)));
      }
    }
  }
  points.push_back(horizon);
  std::erase_if(points, [&](std::uint64_t point) { return point == 0 || point > horizon; });
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace hearsay
