#include "hearsay/runner/run_options.h"

#include <fmt/format.h>

namespace hearsay {

std::string Shard::name() const {
  return fmt::format("shard-{}-of-{}", index, of);
}

std::vector<std::size_t> Shard::units(const Plan& plan) const {
  std::vector<std::size_t> units;
  const std::size_t count = plan.units().size();
  for (std::size_t unit = index - 1; unit < count; unit += of) {
    units.push_back(unit);
    if (of > count - unit) {  // the sum could overflow
      break;
    }
  }
  return units;
}

}  // namespace hearsay
