#pragma once

// Confidence intervals by the bootstrap for ratios of sums over rounds. Rounds are added up in
// blocks of consecutive rounds, so that memory and time are bounded for a log of any length. A
// resample draws as many blocks as there are, with replacement.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/problem/empirical_bernstein.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// Sums of several columns over blocks of consecutive rounds. A block is one round until there are
// `limit` of them; then pairs of blocks become one, and so on.
class BlockSums {
 public:
  // `limit` must be even.
  BlockSums(std::size_t columns, std::size_t limit);

  // Adds to a column in the present round.
  void add(std::size_t column, double value) { present_[column] += value; }
  void end_round();

  std::size_t blocks() const { return sums_.size() / present_.size() + (length_ > 0 ? 1 : 0); }
  double sum(std::size_t block, std::size_t column) const {
    const std::size_t place = block * present_.size() + column;
    return place < sums_.size() ? sums_[place] : present_[column];
  }

 private:
  void merge_pairs();

  std::size_t limit_;
  std::size_t full_length_ = 1;  // of a block
  std::size_t length_ = 0;       // of the block that is not complete
  std::vector<double> sums_;     // of the complete blocks, a row of columns each
  std::vector<double> present_;  // of the block that is not complete
};

// The sum of one column divided by that of another.
struct Ratio {
  std::size_t numerator = 0;    // a column
  std::size_t denominator = 0;  // a column
};

// An interval for each ratio, by the distribution of (resampled ratio - ratio) / its standard error
// over the resamples (the studentised bootstrap, which allows for skewed terms). Empty if the ratio
// or its standard error is undefined, or is undefined in most resamples.
std::vector<std::optional<Interval>> bootstrap_intervals(const BlockSums& blocks,
                                                         std::span<const Ratio> ratios,
                                                         std::size_t resamples, double confidence,
                                                         const Stream& stream);

}  // namespace hearsay
