#pragma once

// Non-negative weights whose sum, and a draw in proportion to them, cost O(log) each. Every node is
// the sum of its eight children, added up afresh whenever one of them changes: no error builds up,
// however many changes there are. A node's children share a cache line.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/learner/large_pages.h"

namespace hearsay {

class SumTree {
 public:
  // All weights 0; at least one.
  explicit SumTree(std::size_t size);

  std::size_t size() const { return size_; }
  const double& operator[](std::size_t i) const { return lines_[i / kChildren].of[i % kChildren]; }
  double total() const { return total_; }

  void set(std::size_t i, double weight);

  // As many weights as there are.
  void assign(std::span<const double> weights);

  // The first index at which the running sum of the weights exceeds share * total(), as the tree
  // rounds it: never one of weight 0, if any is positive. `share` in [0, 1).
  std::size_t find(double share) const;

 private:
  static constexpr std::size_t kChildren = 8;
  struct alignas(kChildren * sizeof(double)) Line {
    std::array<double, kChildren> of{};
    double sum() const {
      return ((of[0] + of[1]) + (of[2] + of[3])) + ((of[4] + of[5]) + (of[6] + of[7]));
    }
    // Of those before each: never falling, and not rising over a 0.
    std::array<double, kChildren> running_sums() const {
      const double two = of[0] + of[1];
      const double four = two + (of[2] + of[3]);
      const double six = four + (of[4] + of[5]);
      return {0, of[0], two, two + of[2], four, four + of[4], six, six + of[6]};
    }
  };

  std::size_t size_;
  std::vector<std::size_t> level_begin_;  // in lines_; level 0 has the weights, the last one line
  LargeArray<Line> lines_;
  double total_ = 0;
};

}  // namespace hearsay
