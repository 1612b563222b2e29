#include "hearsay/base/fields.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/error.h"
#include "hearsay/base/state.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

// The value as text for messages; a text is in quotes.
std::string value_text(const FieldValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    return *flag ? "true" : "false";
  }
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
    return fmt::format("{}", *whole);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return fmt::format("{}", *real);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return in_quotes(*text);
  }
  return "missing";
}

// Every whole number up to this one is exact as a double.
constexpr double kLargestExact = 0x1p53;

std::optional<double> as_real(const FieldValue& value) {
  if (const auto* real = std::get_if<double>(&value)) {
    return *real;
  }
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> as_whole(const FieldValue& value) {
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
    return *whole;
  }
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr && *real >= 0 && *real <= kLargestExact && std::floor(*real) == *real) {
    return static_cast<std::uint64_t>(*real);
  }
  return std::nullopt;
}

// Limits that only keep arithmetic from overflowing, or a divisor from being 0.
constexpr double kTechnicalHigh = 1e100;
constexpr double kTechnicalLow = 1e-100;

std::string exact_number_range(const FieldInfo& info) {
  return fmt::format("a number in [{}, {}]", info.real.low, info.real.high);
}

// Without limits that are only technical.
std::string number_range(const FieldInfo& info) {
  if (info.real.high < kTechnicalHigh) {
    return exact_number_range(info);
  }
  if (info.real.low > 0 && info.real.low <= kTechnicalLow) {
    return "a positive number";
  }
  return info.real.low == RealRange().low ? "a number"
                                          : fmt::format("a number of at least {}", info.real.low);
}

std::string whole_range(const FieldInfo& info) {
  if (info.whole.high == WholeRange().high) {
    return fmt::format("a whole number of at least {}", info.whole.low);
  }
  return fmt::format("a whole number from {} to {}", info.whole.low, info.whole.high);
}

// `range` is the text for the range of a real number.
std::string expected_value(const FieldInfo& info, const std::string& range) {
  switch (info.type) {
    case FieldType::real:
      return range;
    case FieldType::whole:
      return whole_range(info);
    case FieldType::flag:
      return "true or false";
    case FieldType::word:
      return fmt::format("one of {}", fmt::join(info.words, ", "));
    case FieldType::text:
      break;
  }
  return "a text";
}

std::string expected_in(const FieldInfo& info, const std::string& range) {
  const std::string value = expected_value(info, range);
  return info.none.empty() ? value : fmt::format("'{}' or {}", info.none, value);
}

// If only a technical limit excludes a number, the message has that limit.
[[noreturn]] void refuse(const FieldInfo& info, const FieldValue& value) {
  const std::optional<double> real = as_real(value);
  const bool is_technical =
      info.type == FieldType::real && real &&
      ((*real > info.real.high && info.real.high < RealRange().high) ||
       (*real > 0 && *real < info.real.low && info.real.low <= kTechnicalLow));
  throw Error(
      std::string(info.name),
      fmt::format("is {}, expected {}", value_text(value),
                  is_technical ? expected_in(info, exact_number_range(info)) : expected(info)));
}

}  // namespace

std::string expected(const FieldInfo& info) {
  return expected_in(info, number_range(info));
}

FieldValue checked(const FieldInfo& info, const FieldValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (info.optional && (std::holds_alternative<std::monostate>(value) ||
                        (text != nullptr && !info.none.empty() && *text == info.none))) {
    return {};
  }
  switch (info.type) {
    case FieldType::real:
      // Both comparisons are false for NaN, which is refused that way.
      if (const auto real = as_real(value);
          real && *real >= info.real.low && *real <= info.real.high) {
        return *real;
      }
      break;
    case FieldType::whole:
      if (const auto whole = as_whole(value);
          whole && *whole >= info.whole.low && *whole <= info.whole.high) {
        return *whole;
      }
      break;
    case FieldType::flag:
      if (std::holds_alternative<bool>(value)) {
        return value;
      }
      break;
    case FieldType::word:
      if (text != nullptr) {
        if (std::ranges::find(info.words, *text) == info.words.end()) {
          throw Error(std::string(info.name), fmt::format("is {}, {}", in_quotes(*text),
                                                          expected_one_of(*text, info.words)));
        }
        return value;
      }
      break;
    case FieldType::text:
      if (text != nullptr) {
        return value;
      }
      break;
  }
  refuse(info, value);
}

bool has_default(const FieldInfo& info, const FieldValue& initial) {
  try {
    checked(info, initial);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::optional<std::size_t> field_index(std::span<const FieldInfo> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &FieldInfo::name);
  return found == fields.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(found - fields.begin()));
}

void check_field_name(std::span<const FieldInfo> fields, std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (name.empty() || name.find_first_not_of(kAllowed) != std::string_view::npos) {
    throw Error("fields", fmt::format("{} is the name of a field, expected a-z, 0-9 and _ alone",
                                      in_quotes(name)));
  }
  if (field_index(fields, name)) {
    throw Error("fields", fmt::format("{} is the name of two fields, expected different names",
                                      in_quotes(name)));
  }
}

FieldValue parse_field(const FieldInfo& info, std::string_view text) {
  double real = 0;
  std::uint64_t whole = 0;
  const bool number = info.type == FieldType::real || info.type == FieldType::whole;
  if (number && read_number(text, whole)) {
    return checked(info, whole);
  }
  if (number && read_number(text, real)) {
    return checked(info, real);
  }
  if (info.type == FieldType::flag && (text == "true" || text == "false")) {
    return text == "true";
  }
  return checked(info, std::string(text));
}

std::string field_text(const FieldInfo& info, const FieldValue& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    return std::string(info.none);
  }
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : value_text(value);
}

void write_field(StateWriter& writer, const FieldValue& value) {
  writer.add(std::uint64_t{value.index()});
  if (const auto* flag = std::get_if<bool>(&value)) {
    writer.add(std::uint64_t{*flag ? 1U : 0U});
  } else if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
    writer.add(*whole);
  } else if (const auto* real = std::get_if<double>(&value)) {
    writer.add(*real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    writer.add(std::string_view(*text));
  }
}

FieldValue read_field(StateReader& reader) {
  switch (reader.number()) {
    case 0:
      return {};
    case 1:
      return reader.number() != 0;
    case 2:
      return reader.number();
    case 3:
      return reader.real();
    case 4:
      return reader.text();
    default:
      reader.fail("has a value of unknown type");
  }
}

}  // namespace hearsay
