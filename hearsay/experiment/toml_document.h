#pragma once

// TOML text as a tree, with the command line's overrides applied to it. Every node knows where it
// came from.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/toml_library.h"

namespace hearsay {

inline constexpr std::size_t kLargestToml = std::size_t{64} << 20U;  // bytes

// Throws Error at "path:line" if the text is not TOML, or larger than kLargestToml or more deeply
// nested than any experiment.
toml::table parse_toml(std::string_view text, const std::string& path);

void apply_override(toml::table& root, const Override& given);

// "file:line", or the option that an override came from; empty if the text is in no file.
std::string place_of(const toml::node& node);

}  // namespace hearsay
