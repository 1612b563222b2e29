#pragma once

// Problems as TOML and JSON, with the same keys. docs/your-data.md has the format, key by key.
//
// Reading is strict: an unknown key, a value of the wrong type or out of its range throws Error at
// "file:line", with the nearest known name if one is near.

#include <string>
#include <string_view>

#include "hearsay/problem/description.h"

namespace hearsay {

// The ending chooses the format: .toml or .json.
ProblemDescription read_problem(const std::string& path);

// Messages call the text `path`; if that is empty, they have no place. The path of a graph file is
// relative to it.
ProblemDescription parse_problem_toml(std::string_view text, const std::string& path);
ProblemDescription parse_problem_json(std::string_view text, const std::string& path);

// The whole problem, with the arcs of its graph and nothing left to defaults that may change. The
// text reads back to the same problem. JSON is on one line.
std::string to_toml(const ProblemDescription& description);
std::string to_json(const ProblemDescription& description);

// Throws Error that names the first key in which `found` differs from `expected`. Seeds may differ.
void check_same_problem(const ProblemDescription& found, const ProblemDescription& expected);

}  // namespace hearsay
