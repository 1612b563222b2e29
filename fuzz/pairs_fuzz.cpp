// Any text is either read as pairs that calibrate() takes, with weights in [0, 1] and finite
// numbers, or refused with Error in one line that begins with the place.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "hearsay/base/error.h"
#include "hearsay/problem/calibrate.h"
#include "hearsay/problem/pairs.h"

namespace {

void check(const hearsay::Pairs& pairs) {
  require(pairs.size() > 0 && pairs.played.size() == pairs.size() &&
          pairs.seen.size() == pairs.size() && pairs.loss.size() == pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    require(pairs.played[i] < pairs.names.size() && pairs.seen[i] < pairs.names.size());
    require(pairs.played[i] != pairs.seen[i]);
    require(pairs.loss[i] >= 0 && pairs.loss[i] <= 1 && std::isfinite(pairs.reading[i]));
  }
}

void check(const hearsay::Calibration& calibration) {
  for (const hearsay::CalibratedGroup& group : calibration.groups) {
    require(group.weight >= 0 && group.weight <= 1);
    require(group.weight_high >= 0 && group.weight_high <= 1);
    require((group.weight == 0) == !group.no_weight.empty());
    for (const double number :
         {group.offset, group.slope, group.slope_error, group.spread, group.residual_bound,
          group.weight_estimate, group.kurtosis, group.trend, group.trend_p, group.lines_apart,
          group.lines_p, group.held_out.mean_square}) {
      require(std::isfinite(number));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream text(std::string(data, data + size));
  try {
    const hearsay::Pairs pairs =
        hearsay::read_pairs(text, "fuzz", {.kind = hearsay::OutcomeKind::loss});
    check(pairs);
    for (const hearsay::PooledBy by :
         {hearsay::PooledBy::arc, hearsay::PooledBy::group, hearsay::PooledBy::distance}) {
      try {
        check(hearsay::calibrate(pairs, {.by = by, .bins = 3}));
        check(hearsay::calibrate(pairs, {.by = by, .bins = 3, .quantile = 0.8, .noise_bound = 1}));
      } catch (
          const hearsay::Error& error) {  // a column that is not there, or an arc in two groups
        require(by != hearsay::PooledBy::arc);
      }
    }
  } catch (const hearsay::Error& error) {
    const std::string_view message = error.what();
    require(message.starts_with("fuzz:") && message.find('\n') == std::string_view::npos);
  }
  return 0;
}
