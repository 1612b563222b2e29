#include "hearsay/certificate/alpha_bounds.h"

#include <algorithm>
#include <utility>

namespace hearsay {

const AlphaBound* AlphaBounds::proof_of(std::size_t size, double threshold) const {
  const auto bound = std::ranges::find_if(bounds_, [&](const AlphaBound& each) {
    return each.size <= size && each.threshold >= threshold;
  });
  return bound == bounds_.end() ? nullptr : &*bound;
}

bool AlphaBounds::add(AlphaBound bound) {
  if (proof_of(bound.size, bound.threshold) != nullptr) {
    return false;
  }
  std::erase_if(bounds_, [&](const AlphaBound& each) {
    return bound.size <= each.size && bound.threshold >= each.threshold;
  });
  bounds_.push_back(std::move(bound));
  return true;
}

void AlphaBounds::release_covers(const std::function<bool(const AlphaBound&)>& is_needed) {
  for (AlphaBound& each : bounds_) {
    if (!is_needed(each)) {
      each.cover.reset();
    }
  }
}

}  // namespace hearsay
