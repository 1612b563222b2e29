#pragma once

// Reads JSON, with messages that say what was expected. The functions throw Error without a place,
// which the caller knows, except for the one that is given the path of a file. An object that has a
// key twice is refused, because it is not clear which value is meant, and so are more than 64
// levels of arrays and objects.

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

// Parses a file, which may have many lines. Throws Error at "path:line", or at the path if the file
// is JSON but not an object.
Json parse_object_of_file(std::string_view text, const std::string& path);

// Throws Error at the first key of `object` that is not among `known`.
void check_keys(const Json& object, std::span<const std::string_view> known);

// The value for a message; of a text, an array or an object, which can be long, only the type.
std::string json_brief(const Json& value);

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
