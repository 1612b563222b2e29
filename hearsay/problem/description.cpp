#include "hearsay/problem/description.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/error.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/storage.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay {
namespace {

constexpr double kLargestOutcome = 1e100;
constexpr std::uint64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();  // of TOML

const FieldInfo& noise_bound_field() {
  const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
  return fields[*field_index(fields, "noise_bound")];
}

}  // namespace

const FieldTable<Outcome>& Outcome::fields() {
  static const FieldTable<Outcome> table = {
      field("kind", &Outcome::kind, kOutcomeKinds, "whether more is better (reward) or worse"),
      field("low", &Outcome::low, RealRange{-kLargestOutcome, kLargestOutcome},
            "the smallest outcome that an arm can have"),
      field("high", &Outcome::high, RealRange{-kLargestOutcome, kLargestOutcome},
            "the largest outcome that an arm can have"),
      field("out_of_range", &Outcome::out_of_range, kOutOfRangeOutcomes,
            "what to do with an outcome outside of [low, high]"),
  };
  return table;
}

void Outcome::check() const {
  constexpr double kLeastRange = 1e-9;  // relative: a narrower range leaves no digits to learn from
  if (!(high > low)) {
    throw Error("high", fmt::format("is {}, expected more than low, {}", high, low));
  }
  const double largest = std::max(std::abs(low), std::abs(high));
  if (!(high - low > kLeastRange * largest)) {
    throw Error("high", fmt::format("is {}, only {} more than low, {}, expected a range wider than "
                                    "{} of its ends (subtract a constant from every outcome)",
                                    high, high - low, low, kLeastRange));
  }
}

const FieldTable<ProblemDescription>& ProblemDescription::fields() {
  static const FieldTable<ProblemDescription> table = {
      field("noise_bound", &ProblemDescription::noise_bound, noise_bound_field().real,
            "R: the noise of readings is assumed to lie in [-R, R]", "learned"),
      field("missing_readings", &ProblemDescription::missing_readings, kMissingReadings,
            "what to do if a reading is missing: refuse, or leave its arcs out of the round's "
            "graph"),
      field("logged_probabilities", &ProblemDescription::logged_probabilities, kLoggedProbabilities,
            "which probabilities of a draw the log has"),
      field("seed", &ProblemDescription::seed, WholeRange{0, kLargestSeed},
            "determines the random numbers of the draws"),
  };
  return table;
}

LearnerSpec learner_of(const ProblemDescription& description) {
  LearnerSpec spec = description.learner;
  spec.arms = description.names.size();
  spec.noise_bound = description.noise_bound.value_or(LearnerSpec().noise_bound);
  if (spec.name.empty() && description.noise_bound && !spec.noise) {
    spec.noise = NoiseLevel::known;
  }
  return with_defaults(std::move(spec));
}

std::optional<double> noise_bound_of(const ProblemDescription& description) {
  const std::optional<double> known = learner_of(description).known_noise_bound();
  return known ? known : description.noise_bound;
}

Graph graph_in_problem(const std::optional<Graph>& graph, std::size_t arms) {
  if (!graph) {
    return Graph::sparse(arms, {});
  }
  if (graph->arms() != arms) {
    throw Error("graph",
                fmt::format("has {} arms, expected {}, one for each name", graph->arms(), arms));
  }
  if (graph->self_weight() != 1) {
    throw Error("graph",
                fmt::format("has the self weight {}, expected 1: the outcome of the arm played is "
                            "known exactly",
                            graph->self_weight()));
  }
  std::vector<Arc> arcs;
  for (Arm played = 0; played < arms; ++played) {
    graph->for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played) {
        arcs.push_back({played, seen, weight});
      }
    });
  }
  return graph_of_arcs(arms, std::move(arcs));
}

bool has_same_arcs(const Graph& one, const Graph& other) {
  // They are stored alike, as graph_in_problem() does it.
  const Matrix& left = one.weights();
  const Matrix& right = other.weights();
  if (one.arms() != other.arms() || one.arc_count() != other.arc_count() ||
      one.is_dense() != other.is_dense()) {
    return false;
  }
  for (Arm played = 0; played < one.arms(); ++played) {
    if (!std::ranges::equal(left.row(played), right.row(played)) ||
        (!one.is_dense() &&
         !std::ranges::equal(left.row_columns(played), right.row_columns(played)))) {
      return false;
    }
  }
  return true;
}

void check_problem(const ProblemDescription& description) {
  const ArmNames names(description.names);
  const auto at_key = [](const std::string& key, const auto& check) {
    try {
      check();
    } catch (const Error& error) {
      throw error.place() == key ? error : error.within(key);
    }
  };
  at_key("outcome", [&] { check_options(description.outcome); });
  check_options(description);
  graph_in_problem(description.graph, names.size());
  at_key("learner", [&] { check_learner(learner_of(description)); });
}

ArmNames::ArmNames(std::vector<std::string> names) : names_(std::move(names)) {
  if (names_.empty()) {
    throw Error("names", "is empty, expected a name for each arm");
  }
  if (names_.size() > std::numeric_limits<Arm>::max()) {
    throw Error("names", fmt::format("has {} names, expected at most {}", names_.size(),
                                     std::numeric_limits<Arm>::max()));
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].empty()) {
      throw Error("names", fmt::format("name {} is empty, expected a text", i));
    }
    if (!is_utf8(names_[i])) {
      throw Error("names", fmt::format("name {} is not UTF-8, expected a text", i));
    }
    if (!arms_.emplace(names_[i], static_cast<Arm>(i)).second) {
      throw Error("names", fmt::format("{} appears twice, expected a different name for each arm",
                                       in_quotes(names_[i])));
    }
  }
}

Arm ArmNames::find(std::string_view name) const {
  const auto found = arms_.find(name);
  if (found == arms_.end()) {
    throw Error(fmt::format("there is no arm {}, {}", in_quotes(name),
                            expected_near(name, names_, "the name of an arm")));
  }
  return found->second;
}

std::string ArmNames::listed(std::span<const Arm> arms) const {
  constexpr std::size_t kMostShown = 10;
  std::vector<std::string> shown;
  std::ranges::transform(arms.first(std::min(arms.size(), kMostShown)), std::back_inserter(shown),
                         [&](Arm arm) { return in_quotes(names_[arm]); });
  return fmt::format(
      "{}{}", fmt::join(shown, ", "),
      arms.size() > kMostShown ? fmt::format(" and {} more", arms.size() - kMostShown) : "");
}

Graph graph_of_named_arcs(std::vector<Arc> arcs, const ArmNames& names) {
  const auto place = [&](Arm played, Arm seen) {
    return fmt::format("the arc from {} to {}", in_quotes(names[played]), in_quotes(names[seen]));
  };
  for (const auto& [played, seen, weight] : arcs) {
    if (played == seen) {
      throw Error(fmt::format("{} is of an arm to itself, expected arcs between different arms",
                              place(played, seen)));
    }
    if (!(weight >= 0 && weight <= 1)) {
      throw Error(fmt::format("{} has weight {}, expected a number in [0, 1]", place(played, seen),
                              weight));
    }
  }
  try {
    return graph_of_arcs(names.size(), std::move(arcs));
  } catch (const ArcError& error) {
    throw Error(fmt::format("{}: {}", place(error.played(), error.seen()), error.what()));
  }
}

}  // namespace hearsay
