#include "hearsay/base/checksum.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL  // header-only, so there is no library to link with
#include <xxhash.h>

namespace hearsay {

Checksum checksum(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string checksum_text(std::string_view bytes) {
  const Checksum sum = checksum(bytes);
  return fmt::format("{:016x}{:016x}", sum.high, sum.low);
}

}  // namespace hearsay
