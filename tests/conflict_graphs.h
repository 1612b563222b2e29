#pragma once

// Conflict graphs for tests: random and known ones, and the independence number of small ones by
// exhaustive search.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/threshold_graph.h"
#include "hearsay/random/stream.h"

namespace hearsay::testing {

inline ConflictGraph make_conflicts(std::size_t arms,
                                    const std::function<bool(Arm, Arm)>& in_conflict) {
  std::vector<std::size_t> begin(arms + 1);
  std::vector<Arm> others;
  for (Arm i = 0; i < arms; ++i) {
    for (Arm j = 0; j < arms; ++j) {
      if (i != j && in_conflict(std::min(i, j), std::max(i, j))) {
        others.push_back(j);
      }
    }
    begin[i + 1] = others.size();
  }
  return {std::move(begin), std::move(others)};
}

// Each pair of arms is in conflict with the same probability.
inline ConflictGraph random_conflicts(std::size_t arms, double probability, std::uint64_t seed) {
  const Stream stream(seed, Purpose::test, 3);
  return make_conflicts(arms, [&](Arm i, Arm j) { return stream.uniform(i, j) < probability; });
}

inline bool is_independent(const ConflictGraph& graph, std::span<const Arm> set) {
  std::vector<bool> member(graph.size());
  for (const Arm arm : set) {
    if (arm >= graph.size() || member[arm]) {
      return false;
    }
    member[arm] = true;
  }
  return std::ranges::all_of(set, [&](Arm arm) {
    return std::ranges::none_of(graph.of(arm), [&](Arm other) { return member[other]; });
  });
}

// A largest independent set among `arms`, at most 24 of them.
inline std::vector<Arm> largest_set(const ConflictGraph& graph, std::span<const Arm> arms) {
  if (arms.size() > 24) {
    throw std::invalid_argument("too many arms to look at every set");
  }
  std::vector<std::size_t> conflicts(arms.size());
  for (std::size_t i = 0; i < arms.size(); ++i) {
    for (std::size_t j = 0; j < arms.size(); ++j) {
      if (std::ranges::binary_search(graph.of(arms[i]), arms[j])) {
        conflicts[i] |= std::size_t{1} << j;
      }
    }
  }
  std::size_t best = 0;
  std::vector<bool> independent(std::size_t{1} << arms.size(), true);
  for (std::size_t set = 1; set < independent.size(); ++set) {
    const std::size_t rest = set & (set - 1);
    independent[set] = independent[rest] &&
                       (conflicts[static_cast<std::size_t>(std::countr_zero(set))] & rest) == 0;
    if (independent[set] && std::popcount(set) > std::popcount(best)) {
      best = set;
    }
  }
  std::vector<Arm> result;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (((best >> i) & 1U) != 0) {
      result.push_back(arms[i]);
    }
  }
  return result;
}

inline std::vector<Arm> all_arms(const ConflictGraph& graph) {
  std::vector<Arm> arms(graph.size());
  for (std::size_t i = 0; i < arms.size(); ++i) {
    arms[i] = static_cast<Arm>(i);
  }
  return arms;
}

inline std::vector<Arm> largest_set(const ConflictGraph& graph) {
  return largest_set(graph, all_arms(graph));
}

// Every arm is in one group, and no group has more independent arms than its bound.
inline void expect_cover(const ConflictGraph& graph, const Cover& cover) {
  std::vector<int> groups_of(graph.size());
  for (const CoverGroup& group : cover) {
    for (const Arm arm : group.arms) {
      ASSERT_LT(arm, graph.size());
      ++groups_of[arm];
    }
    ASSERT_LE(largest_set(graph, group.arms).size(), group.bound);
  }
  ASSERT_EQ(std::ranges::count(groups_of, 1), static_cast<std::ptrdiff_t>(graph.size()));
}

}  // namespace hearsay::testing
