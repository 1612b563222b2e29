#include "hearsay/certificate/cover.h"

#include <numeric>

namespace hearsay {

std::size_t bound_of(const Cover& cover) {
  return std::accumulate(
      cover.begin(), cover.end(), std::size_t{0},
      [](std::size_t sum, const CoverGroup& group) { return sum + group.bound; });
}

}  // namespace hearsay
