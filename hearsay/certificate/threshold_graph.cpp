#include "hearsay/certificate/threshold_graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace hearsay {
namespace {

// The strengths of a sparse graph, from its rows and its columns, both of which are sorted.
Matrix sparse_strengths(const Graph& graph, StopPoll& poll) {
  const std::size_t n = graph.arms();
  std::vector<std::size_t> column_begin(n + 1);
  for (Arm played = 0; played < n; ++played) {
    graph.for_each_seen(played, [&](Arm seen, double) { ++column_begin[seen + 1]; });
    poll.throw_if_stopped(8 * graph.weights().row(played).size() + 1);
  }
  for (std::size_t i = 0; i < n; ++i) {
    column_begin[i + 1] += column_begin[i];
  }
  std::vector<Arm> column_arms(column_begin[n]);
  std::vector<double> column_weights(column_begin[n]);
  std::vector<std::size_t> place(column_begin.begin(), column_begin.end() - 1);
  for (Arm played = 0; played < n; ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      column_arms[place[seen]] = played;
      column_weights[place[seen]++] = weight;
    });
    poll.throw_if_stopped(16 * graph.weights().row(played).size() + 1);
  }

  std::vector<std::size_t> begin(n + 1);
  std::vector<Arm> arms;
  std::vector<double> strengths;
  arms.reserve(2 * graph.arc_count());
  strengths.reserve(2 * graph.arc_count());
  for (Arm i = 0; i < n; ++i) {
    std::size_t column = column_begin[i];
    const auto add = [&](Arm arm, double strength) {
      if (arm != i) {
        arms.push_back(arm);
        strengths.push_back(strength);
      }
    };
    graph.for_each_seen(i, [&](Arm seen, double weight) {
      for (; column < column_begin[i + 1] && column_arms[column] < seen; ++column) {
        add(column_arms[column], column_weights[column]);
      }
      const bool both = column < column_begin[i + 1] && column_arms[column] == seen;
      add(seen, both ? std::max(weight, column_weights[column]) : weight);
      column += both ? 1 : 0;
    });
    for (; column < column_begin[i + 1]; ++column) {
      add(column_arms[column], column_weights[column]);
    }
    begin[i + 1] = arms.size();
    poll.throw_if_stopped(4 * (arms.size() - begin[i]) + 1);
  }
  return {n, std::move(begin), std::move(arms), std::move(strengths)};
}

// The distinct values, increasing; empty if there are more than a few thousand.
std::vector<double> few_distinct(std::span<const double> values, StopPoll& poll) {
  constexpr std::size_t kMost = 4096;
  constexpr std::size_t kSlots = 4 * kMost;
  std::vector<double> slots(kSlots, -1);  // a hash table; weights are not negative
  std::vector<double> distinct;
  for (std::size_t i = 0; i < values.size(); ++i) {
    constexpr std::size_t kBlock = 4096;
    if (i % kBlock == 0) {
      poll.throw_if_stopped(2 * kBlock);
    }
    const double value = values[i] + 0.0;  // turns -0 into 0
    std::size_t slot = (std::bit_cast<std::uint64_t>(value) * 0x9E37'79B9'7F4A'7C15U) >> 50U;
    while (slots[slot] != value && slots[slot] >= 0) {
      slot = (slot + 1) % kSlots;
    }
    if (slots[slot] != value) {
      slots[slot] = value;
      distinct.push_back(value);
      if (distinct.size() > kMost) {
        return {};
      }
    }
  }
  std::ranges::sort(distinct);
  return distinct;
}

// Bit k: whether value k, of up to 64, is below the threshold.
std::uint64_t bits_below(std::span<const double> values, double threshold) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    bits |= std::uint64_t{values[k] < threshold ? 1U : 0U} << k;
  }
  return bits;
}

using Block = std::array<std::uint64_t, 64>;  // 64 x 64 bits

// Divides the block into quarters, exchanges those off the diagonal, and repeats this for smaller
// blocks.
void transpose(Block& block) {
  std::uint64_t mask = 0xFFFF'FFFFU;
  for (std::size_t width = 32; width != 0; width /= 2, mask ^= mask << width) {
    for (std::size_t i = 0; i < 64; i = ((i | width) + 1) & ~width) {
      const std::uint64_t moved = ((block[i] >> width) ^ block[i | width]) & mask;
      block[i] ^= moved << width;
      block[i | width] ^= moved;
    }
  }
}

// Keeps the bits (i, j) for which (j, i) is set as well.
void intersect_with_transpose(BitMatrix& bits) {
  const std::size_t n = bits.size();
  const auto load = [&](std::size_t rows, std::size_t word) {
    Block block{};
    for (std::size_t i = 64 * rows; i < std::min(64 * rows + 64, n); ++i) {
      block[i % 64] = bits.row(i)[word];
    }
    return block;
  };
  const auto intersect = [&](std::size_t rows, std::size_t word, const Block& block) {
    for (std::size_t i = 64 * rows; i < std::min(64 * rows + 64, n); ++i) {
      bits.row(i)[word] &= block[i % 64];
    }
  };
  for (std::size_t a = 0; a < bits.words(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      Block below = load(a, b);
      Block above = load(b, a);
      transpose(below);
      transpose(above);
      intersect(a, b, above);
      intersect(b, a, below);
    }
  }
}

// Calls visit(i, begin, end) so that every pair j < i < size occurs once with begin <= j < end. The
// matrix is visited in tiles, two of which fit into the cache, because one of them is read by
// columns.
template <class Visit>
void for_each_tile(std::size_t size, Visit&& visit) {
  constexpr std::size_t kTile = 32;
  for (std::size_t top = 0; top < size; top += kTile) {
    for (std::size_t left = 0; left <= top; left += kTile) {
      for (std::size_t i = top; i < std::min(top + kTile, size); ++i) {
        visit(i, left, std::min(left + kTile, i));
      }
    }
  }
}

}  // namespace

bool is_sparse(std::size_t arms, std::size_t entries) {
  return 32 * entries < arms * arms;
}

BitMatrix to_compatible(const ConflictGraph& conflicts) {
  BitMatrix bits(conflicts.size());
  const std::vector<std::uint64_t> all = all_bits(conflicts.size());
  for (Arm arm = 0; arm < conflicts.size(); ++arm) {
    const std::span<std::uint64_t> row = bits.row(arm);
    std::ranges::copy(all, row.begin());
    row[arm / 64] &= ~(std::uint64_t{1} << (arm % 64));
    for (const Arm other : conflicts.of(arm)) {
      row[other / 64] &= ~(std::uint64_t{1} << (other % 64));
    }
  }
  return bits;
}

ConflictGraph to_conflicts(const BitMatrix& compatible) {
  const std::size_t n = compatible.size();
  std::vector<std::size_t> begin(n + 1);
  std::vector<Arm> arms;
  std::vector<std::uint64_t> conflicts(compatible.words());
  for (std::size_t i = 0; i < n; ++i) {
    conflicts = all_bits(n);
    conflicts[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    for (std::size_t w = 0; w < conflicts.size(); ++w) {
      conflicts[w] &= ~compatible.row(i)[w];
    }
    for_each_bit(conflicts, [&](std::size_t other) { arms.push_back(static_cast<Arm>(other)); });
    begin[i + 1] = arms.size();
  }
  return {std::move(begin), std::move(arms)};
}

ConflictGraph induced(const ConflictGraph& conflicts, std::span<const Arm> arms,
                      std::span<Arm> number) {
  for (std::size_t i = 0; i < arms.size(); ++i) {
    number[arms[i]] = static_cast<Arm>(i);
  }
  std::vector<std::size_t> begin(arms.size() + 1);
  std::vector<Arm> others;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    for (const Arm other : conflicts.of(arms[i])) {
      if (number[other] != kAbsent) {
        others.push_back(number[other]);
      }
    }
    begin[i + 1] = others.size();
  }
  return {std::move(begin), std::move(others)};
}

ConflictGraph induced(const ConflictGraph& conflicts, std::span<const Arm> arms) {
  std::vector<Arm> number(conflicts.size(), kAbsent);
  return induced(conflicts, arms, number);
}

std::vector<Arm> few_conflicts_first(const ConflictGraph& graph) {
  std::size_t most = 0;
  for (Arm arm = 0; arm < graph.size(); ++arm) {
    most = std::max(most, graph.degree(arm));
  }
  std::vector<std::size_t> place(most + 2);
  for (Arm arm = 0; arm < graph.size(); ++arm) {
    ++place[graph.degree(arm) + 1];
  }
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Arm> order(graph.size());
  for (Arm arm = 0; arm < graph.size(); ++arm) {
    order[place[graph.degree(arm)]++] = arm;
  }
  return order;
}

std::vector<ConflictComponent> components_of(const ConflictGraph& conflicts, const Effort& effort) {
  StopPoll poll(effort);
  std::vector<ConflictComponent> components;
  std::vector<bool> seen(conflicts.size());
  std::vector<Arm> number(conflicts.size(), kAbsent);
  for (Arm first = 0; first < conflicts.size(); ++first) {
    if (seen[first]) {
      continue;
    }
    std::vector<Arm> arms = {first};
    seen[first] = true;
    for (std::size_t next = 0; next < arms.size(); ++next) {
      for (const Arm other : conflicts.of(arms[next])) {
        if (!seen[other]) {
          seen[other] = true;
          arms.push_back(other);
        }
      }
      poll.throw_if_stopped(16 * conflicts.degree(arms[next]) + 32);
    }
    std::ranges::sort(arms);
    ConflictGraph graph = induced(conflicts, arms, number);
    components.push_back({std::move(arms), std::move(graph)});
  }
  return components;
}

Strengths::Strengths(Graph graph, const Effort& effort) : graph_(std::move(graph)) {
  StopPoll poll(effort);
  if (!graph_.is_dense()) {
    sparse_ = sparse_strengths(graph_, poll);
  }
  levels_ = few_distinct(graph_.weights().values(), poll);
}

double Strengths::of(Arm a, Arm b) const {
  return sparse_ ? sparse_->at(a, b) : std::max(graph_.weight(a, b), graph_.weight(b, a));
}

double Strengths::least(const Effort& effort) const {
  const std::size_t n = arms();
  StopPoll poll(effort);
  double least = 1;
  if (sparse_) {
    const std::span<const double> strengths = sparse_->values();
    if (strengths.size() < n * (n - 1)) {
      return 0;
    }
    return std::accumulate(strengths.begin(), strengths.end(), least,
                           [](double a, double b) { return std::min(a, b); });
  }
  const std::span<const double> weights = graph_.weights().values();
  for_each_tile(n, [&](std::size_t i, std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      least = std::min(least, std::max(weights[i * n + j], weights[j * n + i]));
    }
    poll.throw_if_stopped(2 * (end - begin));
  });
  return least;
}

double Strengths::level(double threshold) const {
  const auto level = std::ranges::lower_bound(levels_, threshold);
  return level == levels_.end() ? threshold : *level;
}

std::vector<WeightedPair> Strengths::strongest_pairs(std::span<const Arm> set, std::size_t most,
                                                     const Effort& effort) const {
  assert(most > 0);
  StopPoll poll(effort);
  // Pairs of equal strength are in the order of the arms, so that the result does not depend on the
  // selection algorithm.
  const auto stronger = [](const WeightedPair& a, const WeightedPair& b) {
    return std::tie(b.strength, a.first, a.second) < std::tie(a.strength, b.first, b.second);
  };
  std::vector<WeightedPair> pairs;
  WeightedPair weakest;  // only stronger pairs can be among the strongest
  const auto shorten = [&] {
    if (pairs.size() > most) {
      const auto end = pairs.begin() + static_cast<std::ptrdiff_t>(most);
      std::ranges::nth_element(pairs, end, stronger);
      weakest = *end;
      pairs.erase(end, pairs.end());
    }
  };
  const auto add = [&](double strength, Arm a, Arm b) {
    const WeightedPair pair{strength, std::min(a, b), std::max(a, b)};
    if (strength > 0 && stronger(pair, weakest)) {
      pairs.push_back(pair);
      if (pairs.size() == 2 * most) {
        shorten();
      }
    }
  };
  if (sparse_) {
    std::vector<bool> member(arms());
    for (const Arm arm : set) {
      const std::span<const double> strengths = sparse_->row(arm);
      const std::span<const Arm> others = sparse_->row_columns(arm);
      for (std::size_t k = 0; k < others.size(); ++k) {
        if (member[others[k]]) {
          add(strengths[k], arm, others[k]);
        }
      }
      member[arm] = true;
      poll.throw_if_stopped(8 * others.size() + 1);
    }
  } else {
    for_each_tile(set.size(), [&](std::size_t a, std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        add(of(set[a], set[b]), set[a], set[b]);
      }
      poll.throw_if_stopped(8 * (end - begin));
    });
  }
  shorten();
  std::ranges::sort(pairs, stronger);
  return pairs;
}

ConflictGraph Strengths::conflicts(double threshold, StopPoll& poll) const {
  std::vector<std::size_t> begin(arms() + 1);
  std::vector<Arm> others;
  for (std::size_t i = 0; i < arms(); ++i) {
    const std::span<const double> strengths = sparse_->row(i);
    const std::span<const Arm> columns = sparse_->row_columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (strengths[k] >= threshold) {
        others.push_back(columns[k]);
      }
    }
    begin[i + 1] = others.size();
    poll.throw_if_stopped(2 * columns.size() + 1);
  }
  return {std::move(begin), std::move(others)};
}

BitMatrix Strengths::compatible(double threshold, StopPoll& poll) const {
  const std::size_t n = arms();
  BitMatrix bits(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<std::uint64_t> row = bits.row(i);
    const std::span<const double> weights = graph_.weights().row(i);
    for (std::size_t w = 0; w < row.size(); ++w) {
      row[w] =
          bits_below(weights.subspan(64 * w, std::min<std::size_t>(64, n - 64 * w)), threshold);
    }
    row[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    poll.throw_if_stopped(n);
  }
  intersect_with_transpose(bits);
  return bits;
}

ThresholdGraph Strengths::at(double threshold, const Effort& effort) const {
  StopPoll poll(effort);
  const std::size_t n = arms();
  if (sparse_) {
    ConflictGraph lists = conflicts(threshold, poll);
    if (is_sparse(n, lists.entries())) {
      return lists;
    }
    return to_compatible(lists);
  }
  BitMatrix bits = compatible(threshold, poll);
  std::size_t entries = n * (n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    entries -= count_bits(bits.row(i));
  }
  if (is_sparse(n, entries)) {
    return to_conflicts(bits);
  }
  return bits;
}

}  // namespace hearsay
