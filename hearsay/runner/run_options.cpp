#include "hearsay/runner/run_options.h"

#include <fmt/format.h>

namespace hearsay {

std::string Shard::name() const {
  return fmt::format("shard-{}-of-{}", index, of);
}

std::vector<std::size_t> Shard::units(const Plan& plan) const {
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
