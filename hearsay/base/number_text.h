#pragma once

// Numbers in texts that people read, by one convention: the digits before the point in groups of
// three, "300,000", and the same number of decimals in all rows of a column. The page of a report
// follows the same rules (web/src/numbers.ts; tests/golden/numbers.json has examples for both). Not
// for files (CSV, JSON, TOML), nor for what a reader may type or look up: values of options, lines,
// arms, seeds.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hearsay {

// A count: "300,000".
std::string grouped_digits(std::uint64_t count);

// A count and what is counted: "1 run", "2,000 runs".
std::string counted(std::uint64_t count, std::string_view noun);

// A measured number that stands alone: four digits, and all digits of its whole part: "0.7123",
// "12,346".
std::string four_digits(double number);

// The same, but always rounded down or always rounded up, for the ends of an interval that must
// contain a value.
std::string four_digits_down(double number);
std::string four_digits_up(double number);

// A number that must not be rounded: the fewest digits that read back exactly, "3,589.25".
std::string exact_digits(double number);

// A number of a column: "1,234.50" with two decimals. Zero has no sign.
std::string with_decimals(double number, int decimals);

// How many decimals the numbers of a column have. The median of the errors (standard errors, or
// halves of the widths of intervals) has two digits; without a positive error, the largest value
// has four. At most six decimals.
int column_decimals(std::span<const double> values, std::span<const double> errors);

}  // namespace hearsay
