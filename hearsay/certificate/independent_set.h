#pragma once

// Large independent sets, without a promise that they are the largest.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

// Always an arm with the fewest conflicts among those that remain. For large sparse graphs.
std::vector<Arm> greedy_independent_set(const ConflictGraph& graph);

// Tabu search: adds arms without conflict, else swaps an arm in for the only one it conflicts with,
// and where that leads nowhere forces one in. The same calls give the same sets.
class IndependentSetSearch {
 public:
  IndependentSetSearch(const ConflictGraph& graph, std::uint64_t seed);

  // Puts the arms of `set` in, in order, leaving out those that conflict with one that is in.
  void insert(std::span<const Arm> set);

  // Searches on for a set of at least `size` arms, for `steps` steps at most. True: best() is one,
  // and no arm can be added to it.
  bool run(std::size_t size, std::uint64_t steps, const Effort& effort);

  const std::vector<Arm>& best() const { return best_; }

 private:
  enum class Place : std::uint8_t { in, free, swappable, elsewhere };
  struct Conflicts {
    std::uint32_t count = 0;  // with arms that are in
    std::uint32_t sum = 0;    // of their numbers: the one there is, where count is 1
  };
  class Dice {
   public:
    explicit Dice(std::uint64_t seed) : seed_(seed) {}
    std::size_t below(std::size_t bound);

   private:
    std::uint64_t seed_;
    std::uint64_t rolls_ = 0;
    std::vector<std::uint32_t> rolled_;
  };

  void put(Arm arm, Place place);
  void add(Arm arm);
  void remove(Arm arm);
  void force(Arm arm);
  void step();
  void keep_best();
  bool is_tabu(Arm arm) const { return tabu_until_[arm] > now_; }

  std::vector<Arm>& list(Place place) { return lists_[static_cast<std::size_t>(place)]; }

  const ConflictGraph& graph_;
  Dice dice_;
  std::vector<Conflicts> conflicts_;
  std::vector<Place> place_;
  std::vector<std::size_t> position_;  // in the list of its place
  std::vector<Arm> lists_[3];
  std::vector<std::uint64_t> tabu_until_;
  std::vector<std::uint64_t> moved_;
  std::uint64_t now_ = 0;
  std::uint64_t grown_ = 0;  // when the set was last larger than since the last force
  std::size_t size_since_force_ = 0;
  std::vector<Arm> best_;
};

}  // namespace hearsay
