#include "hearsay/graph/graph.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {
namespace {

void check_arms(std::size_t arms) {
  if (arms == 0) {
    throw Error("the graph has 0 arms, expected at least 1");
  }
  if (arms > std::numeric_limits<Arm>::max()) {
    throw Error(fmt::format("the graph has {} arms, expected at most {}", arms,
                            std::numeric_limits<Arm>::max()));
  }
}

void check_weight(Arm played, Arm seen, double weight) {
  if (!(weight >= 0 && weight <= 1)) {  // also true for NaN
    throw ArcError("weight", played, seen,
                   fmt::format("is {}, expected a number in [0, 1]", weight));
  }
}

void check_self_weight(Arm arm, double weight, double expected) {
  if (!(weight >= kSmallestWeight)) {
    throw ArcError("weight", arm, arm,
                   fmt::format("is {}, expected a self weight in [{}, 1] (1 where an arm shows "
                               "its own loss exactly)",
                               weight, kSmallestWeight));
  }
  if (weight != expected) {
    throw ArcError(
        "weight", arm, arm,
        fmt::format("is {}, expected {}: the diagonal must be constant", weight, expected));
  }
}

std::size_t count_arcs(const Matrix& weights) {
  const auto positive =
      std::ranges::count_if(weights.values(), [](double weight) { return weight > 0; });
  return static_cast<std::size_t>(positive) - weights.size();  // without the diagonal
}

void check_arcs(std::size_t arms, std::span<const Arc> arcs) {
  for (const Arc& arc : arcs) {
    if (arc.played >= arms || arc.seen >= arms) {
      throw ArcError(
          "arc ", arc.played, arc.seen,
          fmt::format("names an arm that does not exist, expected arms 0 to {}", arms - 1));
    }
    check_weight(arc.played, arc.seen, arc.weight);
    note_work(1);
  }
}

void sort_by_row(std::vector<Arc>& arcs) {
  const auto comes_first = [](const Arc& a, const Arc& b) {
    note_work(1);
    return std::pair(a.played, a.seen) < std::pair(b.played, b.seen);
  };
  if (!std::ranges::is_sorted(arcs, comes_first)) {
    std::ranges::sort(arcs, comes_first);
  }
}

// The arcs must be sorted.
void check_unique(std::span<const Arc> arcs) {
  const auto repeated = std::ranges::adjacent_find(
      arcs, [](const Arc& a, const Arc& b) { return a.played == b.played && a.seen == b.seen; });
  if (repeated != arcs.end()) {
    throw ArcError("arc ", repeated->played, repeated->seen,
                   "is given twice, expected each arc once");
  }
}

// The self weight of the graph: that of the first arm if all arms have one, otherwise 1.
double self_weight_of(std::size_t arms, std::span<const Arc> arcs) {
  const auto is_self = [](const Arc& arc) { return arc.played == arc.seen; };
  const auto self_arcs = static_cast<std::size_t>(std::ranges::count_if(arcs, is_self));
  return self_arcs == arms ? std::ranges::find_if(arcs, is_self)->weight : 1;
}

}  // namespace

ArcError::ArcError(std::string what, Arm played, Arm seen, std::string problem)
    : Error(fmt::format("{}({}, {}) {}", what, played, seen, problem)),
      what_(std::move(what)),
      played_(played),
      seen_(seen),
      problem_(std::move(problem)) {}

std::string ArcError::message_with(std::string_view played, std::string_view seen) const {
  return fmt::format("{}({}, {}) {}", what_, played, seen, problem_);
}

Graph::Graph(Matrix weights, double self_weight)
    : weights_(std::make_shared<const Matrix>(std::move(weights))),
      self_weight_(self_weight),
      arc_count_(count_arcs(*weights_)) {}

Graph Graph::dense(std::size_t arms, std::vector<double> weights) {
  check_arms(arms);
  if (weights.size() / arms != arms || weights.size() % arms != 0) {
    throw Error(
        fmt::format("{} weights for {} arms, expected {} x {}", weights.size(), arms, arms, arms));
  }
  return checked_dense(Matrix(arms, std::move(weights)));
}

Graph Graph::dense(std::size_t arms, std::shared_ptr<const double> weights) {
  check_arms(arms);
  return checked_dense(Matrix(arms, std::move(weights)));
}

Graph Graph::checked_dense(Matrix weights) {
  const std::size_t arms = weights.size();
  const double self_weight = weights.values()[0];
  for (Arm played = 0; played < arms; ++played) {
    const std::span<const double> row = weights.row(played);
    for (Arm seen = 0; seen < arms; ++seen) {
      check_weight(played, seen, row[seen]);
      if (played == seen) {
        check_self_weight(played, row[seen], self_weight);
      }
    }
    note_work(arms);
  }
  return {std::move(weights), self_weight};
}

Graph Graph::sparse(std::size_t arms, std::vector<Arc> arcs) {
  check_arms(arms);
  check_arcs(arms, arcs);
  sort_by_row(arcs);
  check_unique(arcs);
  const double self_weight = self_weight_of(arms, arcs);

  std::vector<std::size_t> row_begin(arms + 1);
  std::vector<Arm> columns;
  std::vector<double> values;
  columns.reserve(arcs.size() + arms);
  values.reserve(arcs.size() + arms);
  auto next = arcs.begin();
  const auto store = [&](Arm seen, double weight) {
    columns.push_back(seen);
    values.push_back(weight);
  };
  for (Arm played = 0; played < arms; ++played) {
    row_begin[played] = values.size();
    bool self_stored = false;
    for (; next != arcs.end() && next->played == played; ++next) {
      if (!self_stored && next->seen >= played) {
        store(played, self_weight);
        self_stored = true;
      }
      if (next->seen == played) {
        check_self_weight(played, next->weight, self_weight);
      } else if (next->weight > 0) {
        store(next->seen, next->weight);
      }
    }
    if (!self_stored) {
      store(played, self_weight);
    }
    note_work(values.size() - row_begin[played]);
  }
  row_begin[arms] = values.size();
  return {Matrix(arms, std::move(row_begin), std::move(columns), std::move(values)), self_weight};
}

Graph Graph::sparse_rows(std::size_t arms, std::vector<std::size_t> row_begin,
                         std::vector<Arm> seen, std::vector<double> weights) {
  check_arms(arms);
  if (row_begin.size() != arms + 1 || row_begin.front() != 0 || row_begin.back() != seen.size() ||
      seen.size() != weights.size() || !std::ranges::is_sorted(row_begin)) {
    throw Error(
        fmt::format("the {} row limits, {} columns and {} weights do not form a matrix, "
                    "expected compressed sparse rows for {} arms",
                    row_begin.size(), seen.size(), weights.size(), arms));
  }
  double self_weight = 0;
  for (Arm played = 0; played < arms; ++played) {
    const std::size_t begin = row_begin[played];
    bool self_seen = false;
    for (std::size_t k = begin; k < row_begin[played + 1]; ++k) {
      if (seen[k] >= arms || (k > begin && seen[k] <= seen[k - 1])) {
        throw ArcError(
            "arc ", played, seen[k],
            fmt::format("is invalid, expected arms 0 to {}, increasing within a row", arms - 1));
      }
      check_weight(played, seen[k], weights[k]);
      if (seen[k] == played) {
        self_weight = self_weight > 0 ? self_weight : weights[k];
        check_self_weight(played, weights[k], self_weight);
        self_seen = true;
      } else if (weights[k] == 0) {
        throw ArcError("weight", played, seen[k], "is 0, expected a positive weight");
      }
    }
    if (!self_seen) {
      throw ArcError("weight", played, played, "is missing, expected the self weight");
    }
    note_work(row_begin[played + 1] - begin);
  }
  return {Matrix(arms, std::move(row_begin), std::move(seen), std::move(weights)), self_weight};
}

}  // namespace hearsay
