#include "hearsay/base/number_text.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/bytes.h"

namespace hearsay {
namespace {

// web/tests/numbers.mjs checks that the page writes the same numbers.
nlohmann::json examples() {
  return nlohmann::json::parse(read_file(HEARSAY_SOURCE_DIR "/tests/golden/numbers.json"));
}

TEST(NumberText, EveryNumberOfTheExamplesIsWrittenAsExpected) {
  const nlohmann::json all = examples();
  for (const auto& example : all["counts"]) {
    EXPECT_EQ(grouped_digits(example[0].get<std::uint64_t>()), example[1]) << example;
  }
  for (const auto& example : all["four_digits"]) {
    EXPECT_EQ(four_digits(example[0].get<double>()), example[1]) << example;
  }
  for (const auto& example : all["with_decimals"]) {
    EXPECT_EQ(with_decimals(example[0].get<double>(), example[1].get<int>()), example[2])
        << example;
  }
}

TEST(NumberText, EveryColumnOfTheExamplesHasTheExpectedDecimals) {
  const nlohmann::json all = examples();
  for (const auto& example : all["column_decimals"]) {
    EXPECT_EQ(column_decimals(example["values"].get<std::vector<double>>(),
                              example["errors"].get<std::vector<double>>()),
              example["decimals"])
        << example;
  }
  const std::vector<double> infinite = {std::numeric_limits<double>::infinity(), 12.5};
  EXPECT_EQ(column_decimals(infinite, infinite), 0);
  EXPECT_EQ(column_decimals(infinite, {}), 2);
}

// What is printed contains the number, and is not wider than it must be.
TEST(NumberText, TheEndsOfAnIntervalAreRoundedOutwards) {
  EXPECT_EQ(four_digits_down(13.40767721686548), "13.4");
  EXPECT_EQ(four_digits_up(13.40767721686548), "13.41");
  EXPECT_EQ(four_digits_down(0.99996), "0.9999");
  EXPECT_EQ(four_digits_up(0.99996), "1");
  EXPECT_EQ(four_digits_up(999.96), "1,000");
  EXPECT_EQ(four_digits_down(12345.6), "12,345");
  EXPECT_EQ(four_digits_up(12345.6), "12,346");
  EXPECT_EQ(four_digits_down(-1.23456), "-1.235");
  EXPECT_EQ(four_digits_up(-1.23456), "-1.234");
  EXPECT_EQ(four_digits_down(1.23456e20), "1.234e+20");
  EXPECT_EQ(four_digits_up(1.23412e20), "1.235e+20");
  for (const double exact : {0.0, 0.1, 13.4, 9.0, 123.4, 999.9, 1e6, 1e300}) {
    EXPECT_EQ(four_digits_down(exact), four_digits(exact));
    EXPECT_EQ(four_digits_up(exact), four_digits(exact));
  }
}

TEST(NumberText, WritesOneWithASingularNoun) {
  EXPECT_EQ(counted(1, "run"), "1 run");
  EXPECT_EQ(counted(0, "run"), "0 runs");
  EXPECT_EQ(counted(2000, "run"), "2,000 runs");
}

TEST(NumberText, AnExactNumberReadsBackWithoutItsCommas) {
  EXPECT_EQ(exact_digits(3589.25), "3,589.25");
  EXPECT_EQ(exact_digits(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(exact_digits(25), "25");
  EXPECT_EQ(exact_digits(1e300), "1e+300");
}

TEST(NumberText, AHugeNumberIsWrittenWithAnExponent) {
  EXPECT_EQ(four_digits(1e15), "1e+15");
  EXPECT_EQ(with_decimals(1e15, 1), "1.000e+15");
}

}  // namespace
}  // namespace hearsay
