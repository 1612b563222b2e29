#pragma once

// One line of JSON, read with messages that say what was expected. Every function throws Error
// without a place, which the caller knows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace hearsay {

using Json = nlohmann::json;

// Parses text that must be one object.
Json parse_object(std::string_view text);

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
