#pragma once

// Non-negative weights with their sum. Changing a weight and drawing an index in proportion to the
// weights take O(log size) each. Every node is the sum of its eight children, computed anew
// whenever one of them changes, so that rounding errors do not accumulate. The children of a node
// share a cache line.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/learner/large_pages.h"

namespace hearsay {

class SumTree {
 public:
  // All weights are 0. `size` must be at least 1.
  explicit SumTree(std::size_t size);

  std::size_t size() const { return size_; }
  const double& operator[](std::size_t i) const {
    return lines_[i / kChildren].children[i % kChildren];
  }
  double total() const { return total_; }

  void set(std::size_t i, double weight);

  // Sets all weights; there must be size() of them.
  void assign(std::span<const double> weights);

  // Returns the first index at which the running sum of the weights, as the tree rounds it, exceeds
  // uniform * total(); never an index of weight 0, unless all weights are 0. `uniform` must be in
  // [0, 1).
  std::size_t find(double uniform) const;

 private:
  static constexpr std::size_t kChildren = 8;
  struct alignas(kChildren * sizeof(double)) Line {
    std::array<double, kChildren> children{};
    double sum() const {
      return ((children[0] + children[1]) + (children[2] + children[3])) +
             ((children[4] + children[5]) + (children[6] + children[7]));
    }
    // The sum of the children before each child. The sums never decrease, and a child of 0 does not
    // increase them.
    std::array<double, kChildren> running_sums() const {
      const double two = children[0] + children[1];
      const double four = two + (children[2] + children[3]);
      const double six = four + (children[4] + children[5]);
      return {0,    children[0],        two, two + children[2],
              four, four + children[4], six, six + children[6]};
    }
  };

  std::size_t size_;
  std::vector<std::size_t> level_begin_;  // in lines_; level 0 has the weights
  LargeArray<Line> lines_;
  double total_ = 0;
};

}  // namespace hearsay
