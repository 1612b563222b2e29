#include "hearsay/base/checksum.h"

#include <string>

#include <gtest/gtest.h>

namespace hearsay {
namespace {

// The values that xxhsum 0.8.1 (xxhsum -H2) prints for the same bytes.
TEST(Checksum, IsXxh3Of128Bits) {
  EXPECT_EQ(checksum_text(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(checksum_text("hearsay"), "1d309318aab5d55b09f271b819c44194");
  EXPECT_EQ(checksum_text(std::string(1000, 'x')), "50a1af5a5f2dcf01c0a4877b962cba82");
}

}  // namespace
}  // namespace hearsay
