#pragma once

// The upper bounds on independence numbers that have been proved: alpha(threshold) <= size. Since
// alpha does not fall as the threshold rises, a bound also holds at every smaller threshold, and a
// bound that follows from another one is not kept.

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "hearsay/certificate/cover.h"

namespace hearsay {

struct AlphaBound {
  std::size_t size = 0;
  double threshold = 0;
  // Null if every arm is a group of its own, if the cover was not needed and so never made, or if
  // it was released.
  std::shared_ptr<const Cover> cover = {};
};

class AlphaBounds {
 public:
  explicit AlphaBounds(AlphaBound first) : bounds_({std::move(first)}) {}

  // Returns false, and keeps nothing, if the bound follows from a known one.
  bool add(AlphaBound bound);

  const AlphaBound& newest() const { return bounds_.back(); }

  // A bound from which alpha(threshold) <= size follows; null if there is none.
  const AlphaBound* proof_of(std::size_t size, double threshold) const;

  // Releases the memory of the covers that will not be needed.
  void release_covers(const std::function<bool(const AlphaBound&)>& is_needed);

 private:
  std::vector<AlphaBound> bounds_;  // none follows from another one
};

}  // namespace hearsay
