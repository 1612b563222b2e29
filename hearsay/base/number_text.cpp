#include "hearsay/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/text.h"

namespace hearsay {
namespace {

// From here on numbers are written with an exponent, because a double has about 15 exact digits.
constexpr double kFirstHuge = 1e15;

// A number as text, with the digits before its point in groups. One with an exponent stays as it
// is.
std::string grouped(std::string text) {
  constexpr std::size_t kGroup = 3;
  if (text.find_first_not_of("-0123456789.") != std::string::npos) {
    return text;
  }
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = std::min(text.find('.'), text.size()); at > first + kGroup;) {
    at -= kGroup;
    text.insert(at, 1, ',');
  }
  return text;
}

// The exponent of the first digit: 2 for 345.
int magnitude(double number) {
  return static_cast<int>(std::floor(std::log10(number)));
}

// Four digits, rounded up if `direction` is 1 and down if it is -1.
std::string four_digits_towards(double number, int direction) {
  const double size = std::abs(number);
  if (!(size > 0) || !std::isfinite(size)) {
    return four_digits(number);
  }
  const int last = magnitude(size) - 3;  // the exponent of the fourth digit
  const int step = size < kFirstHuge ? std::min(0, last) : last;
  double nearest = number;
  read_number(
      size < kFirstHuge ? fmt::format("{:.{}f}", number, -step) : fmt::format("{:.3e}", number),
      nearest);
  const bool is_on_wrong_side = direction * (nearest - number) < 0;
  return four_digits(is_on_wrong_side ? nearest + direction * std::pow(10.0, step) : nearest);
}

}  // namespace

std::string grouped_digits(std::uint64_t count) {
  return grouped(std::to_string(count));
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped_digits(count), noun, count == 1 ? "" : "s");
}

std::string four_digits(double number) {
  constexpr double kFirstWhole = 999.95;  // from here on four digits are a whole number
  const double size = std::abs(number);
  return size >= kFirstWhole && size < kFirstHuge ? with_decimals(number, 0)
                                                  : fmt::format("{:.4g}", number);
}

std::string four_digits_down(double number) {
  return four_digits_towards(number, -1);
}

std::string four_digits_up(double number) {
  return four_digits_towards(number, 1);
}

std::string exact_digits(double number) {
  return grouped(fmt::format("{}", number));
}

std::string with_decimals(double number, int decimals) {
  if (!(std::abs(number) < kFirstHuge)) {
    return fmt::format("{:.3e}", number);
  }
  const std::string text = fmt::format("{:.{}f}", number, decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return grouped(is_zero && text.starts_with('-') ? text.substr(1) : text);
}

int column_decimals(std::span<const double> values, std::span<const double> errors) {
  constexpr int kMost = 6;
  std::vector<double> positive;
  std::ranges::copy_if(errors, std::back_inserter(positive),
                       [](double error) { return error > 0 && std::isfinite(error); });
  if (!positive.empty()) {
    const auto middle = positive.begin() + static_cast<std::ptrdiff_t>((positive.size() - 1) / 2);
    std::ranges::nth_element(positive, middle);
    return std::clamp(1 - magnitude(*middle), 0, kMost);
  }
  double largest = 0;
  for (const double value : values) {
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  }
  return largest > 0 ? std::clamp(3 - magnitude(largest), 0, kMost) : 0;
}

}  // namespace hearsay
