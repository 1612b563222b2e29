#pragma once

// Covers a graph by cliques and odd cycles. An independent set has at most k arms of a cycle of
// 2k + 1 arms, so in sparse graphs, where most cliques are pairs, cycles give a better bound.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/random_integers.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

// Searches for a better cover. The result depends only on the seed and the number of steps.
class CycleCoverSearch {
 public:
  // Throws Stopped.
  CycleCoverSearch(const ConflictGraph& graph, std::uint64_t seed, const Effort& effort);

  // Makes about `steps` steps, each of which looks at one conflict. Ends early if effort.stop
  // returns true or the bound is at most `enough`.
  void improve(std::uint64_t steps, std::size_t enough, const Effort& effort);

  std::size_t bound() const { return bound_; }
  Cover cover() const;

 private:
  bool find_odd_cycle(Arm start, std::size_t most);
  void pack_cycles(std::vector<CoverGroup>& groups, std::span<const Arm> arms, std::size_t shortest,
                   std::size_t longest, StopPoll& poll);
  void cover_rest(std::vector<CoverGroup>& groups, std::span<const Arm> arms, const Effort& effort);
  void add(CoverGroup group);
  std::vector<std::size_t> choose_region();
  void rebuild(const std::vector<std::size_t>& region);

  static constexpr std::uint32_t kNotReached = ~std::uint32_t{0};

  const ConflictGraph& graph_;
  RandomIntegers random_;
  std::size_t bound_ = 0;
  std::vector<CoverGroup> groups_;  // empty ones are in unused_
  std::vector<std::size_t> unused_;
  std::vector<std::size_t> group_of_;

  // Temporary data:
  std::uint64_t work_ = 0;
  std::vector<bool> is_uncovered_;
  std::vector<std::uint32_t> distance_;
  std::vector<Arm> before_;  // predecessor on the path from the start
  std::vector<Arm> number_;  // within a subgraph; kAbsent between calls
  std::vector<Arm> cycle_;
};

}  // namespace hearsay
