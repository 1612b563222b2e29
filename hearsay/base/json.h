#pragma once

// JSON, read with messages that say what was expected. Every function throws Error without a
// place, which the caller knows, but for those that are given the name of a file. An object that
// has a key twice is refused: which one counts would be a guess.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace hearsay {

using Json = nlohmann::json;

// Parses a line that must be one object.
Json parse_object(std::string_view line);

// Parses a file, which may have many lines. Throws Error at "path:line" if it is not JSON or has a
// key twice, and at the path if it is not one object.
Json parse_object_of_file(std::string_view text, const std::string& path);

// Throws Error at the first key of `object` that is not among `known`.
void check_keys(const Json& object, std::span<const std::string_view> known);

// `what` is what messages call the value: "the weight".
double json_number(const Json& value, const std::string& what);

// A whole number from `low` to `high`.
std::uint64_t json_whole(const Json& value, const std::string& what, std::uint64_t low,
                         std::uint64_t high);

const std::string& json_text(const Json& value, const std::string& what);

// An array of any size, or of this size.
const Json& json_array(const Json& value, const std::string& what);
const Json& json_array(const Json& value, const std::string& what, std::size_t size);

}  // namespace hearsay
