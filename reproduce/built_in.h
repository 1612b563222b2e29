#pragma once

// The experiment files that come with hearsay (experiments/), as they were when it was built.

#include <span>
#include <string_view>

namespace hearsay::reproduce {

struct BuiltInExperiment {
  std::string_view name;  // of the file, without its ending
  std::string_view text;
};

std::span<const BuiltInExperiment> built_in_experiments();

}  // namespace hearsay::reproduce
