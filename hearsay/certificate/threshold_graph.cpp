#include "hearsay/certificate/threshold_graph.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace hearsay {
namespace {

Matrix dense_strengths(const Graph& graph) {
  const std::size_t n = graph.arms();
  const std::span<const double> weights = graph.weights().values();
  std::vector<double> strengths(n * n);
  constexpr std::size_t kTile = 32;  // two tiles stay in the cache while one is read across
  for (std::size_t top = 0; top < n; top += kTile) {
    for (std::size_t left = 0; left <= top; left += kTile) {
      for (std::size_t i = top; i < std::min(top + kTile, n); ++i) {
        for (std::size_t j = left; j < std::min(left + kTile, i); ++j) {
          const double strength = std::max(weights[i * n + j], weights[j * n + i]);
          strengths[i * n + j] = strength;
          strengths[j * n + i] = strength;
        }
      }
    }
  }
  return {n, std::move(strengths)};
}

Matrix sparse_strengths(const Graph& graph) {
  const std::size_t n = graph.arms();
  using Entry = std::pair<Arm, double>;
  std::vector<std::vector<Entry>> rows(n);  // every arc in the rows of both its arms
  for (Arm played = 0; played < n; ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played) {
        rows[played].emplace_back(seen, weight);
        rows[seen].emplace_back(played, weight);
      }
    });
  }
  std::vector<std::size_t> begin(n + 1);
  std::vector<Arm> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    std::ranges::sort(rows[i]);
    for (const auto& [arm, weight] : rows[i]) {
      if (columns.size() > begin[i] && columns.back() == arm) {
        values.back() = weight;  // of the two directions the larger, which is sorted last
      } else {
        columns.push_back(arm);
        values.push_back(weight);
      }
    }
    begin[i + 1] = columns.size();
  }
  return {n, std::move(begin), std::move(columns), std::move(values)};
}

// Calls visit(other, strength) for the stored entries of a row; a dense row stores them all.
template <class Visit>
void for_each_strength(const Matrix& matrix, std::size_t i, Visit&& visit) {
  const std::span<const double> row = matrix.row(i);
  if (matrix.is_dense()) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j != i) {
        visit(static_cast<Arm>(j), row[j]);
      }
    }
  } else {
    const std::span<const Arm> columns = matrix.row_columns(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      visit(columns[k], row[k]);
    }
  }
}

// Bit k: whether value k, of up to 64, is below the threshold.
std::uint64_t bits_below(std::span<const double> values, double threshold) {
  std::uint64_t bits = 0;
  for (std::size_t k = values.size(); k-- > 0;) {
    bits = 2 * bits + (values[k] < threshold ? 1U : 0U);
  }
  return bits;
}

std::vector<double> few_distinct(std::span<const double> values) {
  constexpr std::size_t kFew = 4096;
  std::unordered_set<double> distinct;
  for (const double value : values) {
    distinct.insert(value);
    if (distinct.size() > kFew) {
      return {};
    }
  }
  std::vector<double> sorted(distinct.begin(), distinct.end());
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace

Strengths::Strengths(const Graph& graph)
    : matrix_(graph.is_dense() ? dense_strengths(graph) : sparse_strengths(graph)),
      levels_(few_distinct(matrix_.values())) {}

double Strengths::least() const {
  const std::size_t n = arms();
  if (!is_dense() && matrix_.values().size() < n * (n - 1)) {
    return 0;
  }
  double least = 1;
  for (std::size_t i = 0; i < n; ++i) {
    for_each_strength(matrix_, i, [&](Arm, double strength) { least = std::min(least, strength); });
  }
  return least;
}

double Strengths::level(double threshold) const {
  const auto level = std::ranges::lower_bound(levels_, threshold);
  return level == levels_.end() ? threshold : *level;
}

double Strengths::diameter(std::span<const Arm> set) const {
  double diameter = 0;
  if (is_dense()) {
    for (std::size_t a = 0; a < set.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        diameter = std::max(diameter, of(set[a], set[b]));
      }
    }
    return diameter;
  }
  std::vector<bool> member(arms());
  for (const Arm arm : set) {
    member[arm] = true;
  }
  for (const Arm arm : set) {
    for_each_strength(matrix_, arm, [&](Arm other, double strength) {
      if (member[other]) {
        diameter = std::max(diameter, strength);
      }
    });
  }
  return diameter;
}

ConflictGraph Strengths::conflicts(double threshold) const {
  std::vector<std::size_t> begin(arms() + 1);
  std::vector<Arm> others;
  for (std::size_t i = 0; i < arms(); ++i) {
    for_each_strength(matrix_, i, [&](Arm other, double strength) {
      if (strength >= threshold) {
        others.push_back(other);
      }
    });
    begin[i + 1] = others.size();
  }
  return {std::move(begin), std::move(others)};
}

BitMatrix Strengths::compatible(double threshold) const {
  const std::size_t n = arms();
  BitMatrix bits(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<std::uint64_t> row = bits.row(i);
    if (is_dense()) {
      const std::span<const double> strengths = matrix_.row(i);
      for (std::size_t w = 0; w < row.size(); ++w) {
        row[w] =
            bits_below(strengths.subspan(64 * w, std::min<std::size_t>(64, n - 64 * w)), threshold);
      }
    } else {
      for (std::size_t j = 0; j < n; ++j) {
        row[j / 64] |= std::uint64_t{1} << (j % 64);
      }
      for_each_strength(matrix_, i, [&](Arm other, double strength) {
        row[other / 64] &= ~(std::uint64_t{strength >= threshold ? 1U : 0U} << (other % 64));
      });
    }
    row[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  }
  return bits;
}

}  // namespace hearsay
