#include "hearsay/base/json.h"

#include <algorithm>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

namespace hearsay {

Json parse_object(std::string_view text) {
  Json object;
  try {
    object = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(fmt::format("is not JSON at column {}, expected one object a line", error.byte));
  } catch (const Json::out_of_range&) {
    throw Error("holds a number too large for a double");
  }
  if (!object.is_object()) {
    throw Error(fmt::format("is {}, expected an object", object.type_name()));
  }
  return object;
}

void check_keys(const Json& object, std::span<const std::string_view> known) {
  for (const auto& item : object.items()) {
    if (std::ranges::find(known, item.key()) == known.end()) {
      throw Error(fmt::format("has the key \"{}\", expected only {}", on_one_line(item.key()),
                              fmt::join(known, ", ")));
    }
  }
}

double json_number(const Json& value, const std::string& what) {
  if (!value.is_number()) {
    throw Error(fmt::format("{} is {}, expected a number", what, value.type_name()));
  }
  return value.get<double>();
}

std::uint64_t json_whole(const Json& value, const std::string& what, std::uint64_t low,
                         std::uint64_t high) {
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= low &&
                    value.get<std::uint64_t>() <= high;
  if (!fits) {
    throw Error(fmt::format("{} is {}, expected a whole number from {} to {}", what,
                            value.is_structured() ? value.type_name() : value.dump(), low, high));
  }
  return value.get<std::uint64_t>();
}

const std::string& json_text(const Json& value, const std::string& what) {
  if (!value.is_string()) {
    throw Error(fmt::format("{} is {}, expected a text", what, value.type_name()));
  }
  return value.get_ref<const std::string&>();
}

const Json& json_array(const Json& value, const std::string& what) {
  if (!value.is_array()) {
    throw Error(fmt::format("{} is {}, expected an array", what, value.type_name()));
  }
  return value;
}

const Json& json_array(const Json& value, const std::string& what, std::size_t size) {
  if (!value.is_array() || value.size() != size) {
    throw Error(fmt::format("{} is {}, expected an array of {}", what,
                            value.is_array() ? fmt::format("an array of {}", value.size())
                                             : std::string(value.type_name()),
                            size));
  }
  return value;
}

}  // namespace hearsay
