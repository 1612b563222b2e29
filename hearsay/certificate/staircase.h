#pragma once

// The useful ones of the independent sets that have been found: for each size only the set of least
// diameter (the largest strength of a pair in it, threshold_graph.h), and no set that is smaller
// than another and has a larger diameter. Plotted against their diameters, the sizes form a
// staircase below alpha(eps).

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "hearsay/certificate/independence.h"
#include "hearsay/certificate/threshold_graph.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// Nested sets, each of which is a prefix of `order`.
struct NestedSets {
  struct Prefix {
    std::size_t size = 0;
    double diameter = 0;
  };
  std::vector<Arm> order;
  std::vector<Prefix> prefixes;  // increasing in size and diameter
};

// Returns `set` and smaller sets within it, each made by leaving out an arm of the strongest pair.
// Throws Stopped.
NestedSets nested_sets(const Strengths& strengths, const std::vector<Arm>& set,
                       const Effort& effort);

class Staircase {
 public:
  struct Stair {
    std::size_t size = 1;
    double diameter = 0;
    std::shared_ptr<const std::vector<Arm>> order;

    std::vector<Arm> set() const;  // increasing
  };

  // The thresholds from a stair to the next one. No known set is larger than `stair` and has a
  // diameter below `end`, so alpha(end) may be as small as the size of the stair.
  struct Gap {
    Stair stair;
    double end = 0;

    std::size_t size() const { return stair.size; }
  };

  // Sets with a diameter of at least `end` are ignored.
  explicit Staircase(double end);

  // Returns false if all sets were known, or known sets are as large and have no larger diameters.
  bool add(NestedSets sets);

  const std::vector<Stair>& stairs() const { return stairs_; }

  // The end of the gap after this stair.
  double end_of(std::size_t stair) const;
  Gap gap(std::size_t stair) const { return {stairs_[stair], end_of(stair)}; }

  // The largest known set that is independent at the threshold.
  const Stair& largest_at(double threshold) const;

  // Removes stairs that are not needed. Without a stair, the gap before it extends to the next
  // stair; is_too_low(size, end) is false for every gap that is extended in this way.
  void remove_redundant(const std::function<bool(std::size_t size, double end)>& is_too_low);

 private:
  double end_;
  std::vector<Stair> stairs_;
};

// The sets of the stairs as a chain, each as what changes from the one before. The graph has `arms`
// arms.
std::vector<ChainLink> chain_of(const Staircase& stairs, std::size_t arms);

}  // namespace hearsay
