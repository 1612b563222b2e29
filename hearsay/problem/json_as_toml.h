#pragma once

// Parses JSON into the tree that the parser of TOML makes, with the line of every value, so that
// one reader with one kind of messages serves both formats.

#include <string>
#include <string_view>

#include "hearsay/experiment/toml_library.h"

namespace hearsay {

// Throws Error at "path:line" if the text is not JSON, is not an object, has a key twice, or has a
// null, which TOML does not have. `path` may be empty: messages then have no place.
toml::table parse_json_as_toml(std::string_view text, const std::string& path);

// Converts a number, string, boolean or list from JSON to TOML.
std::string toml_value(std::string_view json);

}  // namespace hearsay
