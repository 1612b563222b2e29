#include "hearsay/problem/bootstrap.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hearsay/base/interruption.h"

namespace hearsay {
namespace {

// The sums from which a ratio and its standard error are computed: over blocks, of the numerator x,
// the denominator z, and their products.
enum Product : std::uint8_t { x, z, xx, xz, zz, products };

// A ratio and its standard error, which is that of the mean of x - ratio * z; 0 if undefined.
struct RatioEstimate {
  double ratio = 0;
  double error = 0;
};

RatioEstimate estimate_ratio(const double* sums) {
  if (!(sums[z] > 0)) {
    return {};
  }
  const double ratio = sums[x] / sums[z];
  const double squares = sums[xx] - 2 * ratio * sums[xz] + ratio * ratio * sums[zz];
  // If the squares cancel almost completely, what is left is rounding error.
  const bool is_known = squares > 1e-12 * (sums[xx] + ratio * ratio * sums[zz]);
  return {.ratio = ratio, .error = is_known ? std::sqrt(squares) / sums[z] : 0};
}

// The quantile of sorted numbers, interpolated.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

BlockSums::BlockSums(std::size_t columns, std::size_t limit) : limit_(limit), present_(columns) {
  assert(limit % 2 == 0);
}

void BlockSums::end_round() {
  if (++length_ < full_length_) {
    return;
  }
  sums_.insert(sums_.end(), present_.begin(), present_.end());
  std::ranges::fill(present_, 0.0);
  length_ = 0;
  if (sums_.size() == limit_ * present_.size()) {
    merge_pairs();
  }
}

void BlockSums::merge_pairs() {
  const std::size_t width = present_.size();
  for (std::size_t block = 0; block < limit_ / 2; ++block) {
    for (std::size_t column = 0; column < width; ++column) {
      sums_[block * width + column] =
          sums_[2 * block * width + column] + sums_[(2 * block + 1) * width + column];
    }
  }
  sums_.resize(limit_ / 2 * width);
  full_length_ *= 2;
}

std::vector<std::optional<Interval>> bootstrap_intervals(const BlockSums& blocks,
                                                         std::span<const Ratio> ratios,
                                                         std::size_t resamples, double confidence,
                                                         const Stream& stream) {
  const std::size_t count = blocks.blocks();
  const std::size_t width = products * ratios.size();
  std::vector<double> rows(count * width);
  std::vector<double> whole(width);
  for (std::size_t block = 0; block < count; ++block) {
    double* row = &rows[block * width];
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      const double numerator = blocks.sum(block, ratios[k].numerator);
      const double denominator = blocks.sum(block, ratios[k].denominator);
      double* of_ratio = row + products * k;
      of_ratio[x] = numerator;
      of_ratio[z] = denominator;
      of_ratio[xx] = numerator * numerator;
      of_ratio[xz] = numerator * denominator;
      of_ratio[zz] = denominator * denominator;
    }
    for (std::size_t column = 0; column < width; ++column) {
      whole[column] += row[column];
    }
  }

  std::vector<std::vector<double>> deviations(ratios.size());
  std::vector<double> uniforms(count);
  std::vector<double> times(count);  // how often each block is drawn
  std::vector<double> sums(width);
  for (std::size_t resample = 0; resample < resamples; ++resample) {
    stream.fill_uniform(resample, uniforms);
    std::ranges::fill(times, 0.0);
    for (const double uniform : uniforms) {
      ++times[static_cast<std::size_t>(uniform * static_cast<double>(count))];
    }
    std::ranges::fill(sums, 0.0);
    for (std::size_t block = 0; block < count; ++block) {
      const double* row = &rows[block * width];
      for (std::size_t column = 0; times[block] > 0 && column < width; ++column) {
        sums[column] += times[block] * row[column];
      }
    }
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      const RatioEstimate drawn = estimate_ratio(&sums[products * k]);
      if (drawn.error > 0) {
        deviations[k].push_back((drawn.ratio - estimate_ratio(&whole[products * k]).ratio) /
                                drawn.error);
      }
    }
    note_work(count * width);
  }

  std::vector<std::optional<Interval>> intervals(ratios.size());
  const double tail = (1 - confidence) / 2;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    const RatioEstimate all = estimate_ratio(&whole[products * k]);
    if (all.error > 0 && 2 * deviations[k].size() > resamples) {
      std::ranges::sort(deviations[k]);
      intervals[k] = {all.ratio - all.error * quantile(deviations[k], 1 - tail),
                      all.ratio - all.error * quantile(deviations[k], tail)};
    }
  }
  return intervals;
}

}  // namespace hearsay
