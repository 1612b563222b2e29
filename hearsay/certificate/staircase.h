#pragma once

// The independent sets that have been found, as far as they matter: of sets of the same size the
// one of least diameter, and none that is both smaller and wider than another. Drawn over their
// diameters the sizes are a staircase that lies below alpha(eps).

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "hearsay/certificate/threshold_graph.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// Sets that contain each other: each is a beginning of `order`.
struct NestedSets {
  struct Beginning {
    std::size_t size = 0;
    double diameter = 0;
  };
  std::vector<Arm> order;
  std::vector<Beginning> beginnings;  // increasing in size and diameter
};

// `set` and smaller ones within it, each made by leaving out an arm of the strongest pair. Throws
// Stopped.
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

  // From a stair to the next: no set is known that is larger than `stair` and has a diameter below
  // `end`. So from what is known alpha(end) might be the size of the stair.
  struct Gap {
    Stair stair;
    double end = 0;

    std::size_t size() const { return stair.size; }
  };

  // Diameters of `end` or more do not count.
  explicit Staircase(double end);

  // False: nothing new, sets as large and as narrow are known.
  bool add(NestedSets sets);

  const std::vector<Stair>& stairs() const { return stairs_; }

  // After each stair, in order.
  double end_of(std::size_t stair) const;
  Gap gap(std::size_t stair) const { return {stairs_[stair], end_of(stair)}; }

  // The largest known set that is independent at the threshold.
  const Stair& largest_below(double threshold) const;

  // Keeps only stairs that are needed where is_low(size, end) holds for a gap: between two stairs
  // that are kept and were not neighbours, it does not hold.
  void keep_needed(const std::function<bool(std::size_t size, double end)>& is_low);

 private:
  double end_;
  std::vector<Stair> stairs_;
};

}  // namespace hearsay
