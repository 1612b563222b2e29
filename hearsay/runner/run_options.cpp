#include "hearsay/runner/run_options.h"

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay {

std::string Shard::name() const {
  return fmt::format("shard-{}-of-{}", index, of);
}

std::vector<std::size_t> Shard::units(const Plan& plan) const {
  if (!is_whole() && (index == 0 || index > of)) {
    throw Error("shard", fmt::format("is {} of {}, expected 1 to {}", index, of, of));
  }
  std::vector<std::size_t> units;
  const std::size_t count = plan.units().size();
  const std::size_t step = is_whole() ? 1 : of;
  for (std::size_t unit = index - 1; unit < count; unit += step) {
    units.push_back(unit);
    if (step > count - unit) {  // the sum could overflow
      break;
    }
  }
  return units;
}

}  // namespace hearsay
