#include "hearsay/learner/sum_tree.h"

#include <algorithm>
#include <cassert>

namespace hearsay {

SumTree::SumTree(std::size_t size) : size_(size) {
  assert(size > 0);
  std::size_t lines = 0;
  for (std::size_t nodes = size; level_begin_.empty() || nodes > 1;) {
    level_begin_.push_back(lines);
    nodes = (nodes + kChildren - 1) / kChildren;
    lines += nodes;
  }
  lines_.resize(lines);
}

void SumTree::set(std::size_t i, double weight) {
  assert(i < size_ && weight >= 0);
  double value = weight;
  for (const std::size_t begin : level_begin_) {
    Line& line = lines_[begin + i / kChildren];
    line.children[i % kChildren] = value;
    value = line.sum();
    i /= kChildren;
  }
  total_ = value;
}

void SumTree::assign(std::span<const double> weights) {
  assert(weights.size() == size_);
  for (std::size_t i = 0; i < size_; ++i) {
    lines_[i / kChildren].children[i % kChildren] = weights[i];
  }
  std::size_t nodes = (size_ + kChildren - 1) / kChildren;  // lines of the level below
  for (std::size_t level = 1; level < level_begin_.size(); ++level) {
    for (std::size_t i = 0; i < nodes; ++i) {
      lines_[level_begin_[level] + i / kChildren].children[i % kChildren] =
          lines_[level_begin_[level - 1] + i].sum();
    }
    nodes = (nodes + kChildren - 1) / kChildren;
  }
  total_ = lines_.back().sum();
}

// No branch depends on the draw, because a misprediction would cost more than looking at all eight
// children.
std::size_t SumTree::find(double uniform) const {
  double rest = uniform * total_;
  std::size_t at = 0;
  for (auto begin = level_begin_.rbegin(); begin != level_begin_.rend(); ++begin) {
    const Line& line = lines_[*begin + at];
    const std::array<double, kChildren> before = line.running_sums();
    std::size_t child = 0;
    for (std::size_t k = 1; k < kChildren; ++k) {
      child += rest >= before[k] ? 1U : 0U;
    }
    // A child of weight 0 does not increase the sums, so only rounding can lead to one.
    while (line.children[child] == 0 && child > 0) {
      --child;
    }
    rest -= before[child];
    at = at * kChildren + child;
  }
  return at;
}

}  // namespace hearsay
