// Files of pairs: what is read, and what is refused, with the file, line and column in the message.

#include "hearsay/problem/pairs.h"

#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/csv.h"
#include "hearsay/base/error.h"

namespace hearsay {
namespace {

using namespace std::string_view_literals;

constexpr Outcome kLoss = {.kind = OutcomeKind::loss};

Pairs parse(std::string_view text, const Outcome& outcome = kLoss) {
  std::istringstream stream{std::string(text)};
  return read_pairs(stream, "p.csv", outcome);
}

TEST(CsvReader, TakesQuotesBlanksAndEndsOfLines) {
  std::istringstream text("\xEF\xBB\xBF a , \"b, \"\"c\"\"\" ,\r\n\r\n \n,\"\"\n\"x\"");
  CsvReader reader(text, "t.csv", 100);
  std::vector<std::vector<std::string>> records;
  while (reader.next()) {
    auto& record = records.emplace_back();
    for (std::size_t i = 0; i < reader.size(); ++i) {
      record.emplace_back(reader.field(i));
    }
  }
  EXPECT_EQ(records,
            (std::vector<std::vector<std::string>>{{"a", "b, \"c\"", ""}, {"", ""}, {"x"}}));
}

TEST(CsvReader, TakesLinesUpToTheLongest) {
  for (const std::size_t size : {9U, 10U, 11U}) {
    std::istringstream text("a\n" + std::string(size, 'x') + "\nb\n");
    CsvReader reader(text, "t.csv", 10);
    EXPECT_TRUE(reader.next());
    if (size <= 10) {
      EXPECT_TRUE(reader.next());
      EXPECT_EQ(reader.field(0).size(), size);
      EXPECT_TRUE(reader.next());
      EXPECT_FALSE(reader.next());
    } else {
      try {
        reader.next();
        FAIL();
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "t.csv:2: is longer than 10 bytes, expected a shorter line");
      }
    }
  }
}

TEST(Pairs, AreReadInAnyOrderOfColumns) {
  const Pairs pairs = parse(
      "note,outcome,reading,seen,played,distance,group\r\n"
      "x,0.25,3,\"b, c\",a,2,near\r\n"
      ",1,-1e3,a,\"b, c\",0.5,far\r\n"
      "y,0,7,a,a,0,near\n");
  EXPECT_EQ(pairs.names, (std::vector<std::string>{"a", "b, c"}));
  EXPECT_FALSE(pairs.numbered);
  EXPECT_EQ(pairs.played, (std::vector<Arm>{0, 1}));
  EXPECT_EQ(pairs.seen, (std::vector<Arm>{1, 0}));
  EXPECT_EQ(pairs.reading, (std::vector<double>{3, -1000}));
  EXPECT_EQ(pairs.loss, (std::vector<double>{0.25, 1}));
  EXPECT_EQ(pairs.distance, (std::vector<double>{2, 0.5}));
  EXPECT_EQ(pairs.group_names, (std::vector<std::string>{"near", "far"}));
  EXPECT_EQ(pairs.group, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(pairs.own, 1U);
}

TEST(Pairs, NumbersAreTheArmsThemselves) {
  const Pairs pairs = parse("played,seen,reading,outcome\n3,1,0,0\n3,1,0,0\n0,3,1,1\n");
  EXPECT_TRUE(pairs.numbered);
  EXPECT_EQ(pairs.names, (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(pairs.played, (std::vector<Arm>{3, 3, 0}));
  EXPECT_EQ(pairs.seen, (std::vector<Arm>{1, 1, 3}));
  // One name among numbers makes all of them names, and so do leading zeros.
  EXPECT_FALSE(parse("played,seen,reading,outcome\n3,1,0,0\n3,x,0,0\n").numbered);
  EXPECT_FALSE(parse("played,seen,reading,outcome\n3,01,0,0\n").numbered);
}

TEST(Pairs, OutcomesBecomeLosses) {
  constexpr auto kText = "played,seen,reading,outcome\na,b,0,5\na,b,0,35\na,b,0,95\n"sv;
  EXPECT_EQ(parse(kText, {.kind = OutcomeKind::loss, .low = 5, .high = 95}).loss,
            (std::vector<double>{0, 30.0 / 90, 1}));
  EXPECT_EQ(parse(kText, {.kind = OutcomeKind::reward, .low = 5, .high = 95}).loss,
            (std::vector<double>{1, 60.0 / 90, 0}));
}

struct Wrong {
  std::string_view text;
  std::string_view message;  // how the message begins
};

constexpr auto kHead = "played,seen,reading,outcome\n"sv;

TEST(Pairs, WrongFilesAreRefusedWithTheirPlace) {
  const auto wrong = std::to_array<Wrong>({
      {"", "p.csv:1: no lines, expected a header"},
      {"a,b,1,1\n", "p.csv:1: there is no column played, expected a header with played, seen"},
      {"played,seen,reading\n", "p.csv:1: there is no column outcome"},
      {"played,seen,reading,outcome,seen\n", "p.csv:1:29: the column seen is given twice"},
  });
  for (const Wrong& each : wrong) {
    try {
      parse(each.text);
      ADD_FAILURE() << each.text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, each.message.size()), each.message);
    }
  }
  const auto wrong_lines = std::to_array<Wrong>({
      {"", "p.csv: no pairs, expected some"},
      {"a,a,1,1\n", "p.csv: no pairs of different arms"},
      {"a,b,1\n", "p.csv:2: has 3 fields, expected 4"},
      {"a,b,1,1\n\na,b,1,1,1\n", "p.csv:4: has 5 fields, expected 4"},
      {"a,b,x,1\n", "p.csv:2:5: the reading is 'x', expected a finite number"},
      {"a,b,,1\n", "p.csv:2:5: the reading is '', expected a finite number"},
      {"a,b, nan,1\n", "p.csv:2:6: the reading is 'nan', expected a finite number"},
      {"a,b,1,inf\n", "p.csv:2:7: the outcome is 'inf', expected a finite number"},
      {"a,b,1e101,1\n", "p.csv:2:5: reading: is 1e+101, expected a number from"},
      {"a,b,1,1.5\n", "p.csv:2:7: outcome: is 1.5, expected a number in [0, 1]"},
      {"a,b,1,-1e-9\n", "p.csv:2:7: outcome: is -1e-09, expected a number in [0, 1]"},
      {",b,1,1\n", "p.csv:2:1: played: is empty, expected a name"},
      {"a,\"\",1,1\n", "p.csv:2:3: seen: is empty"},
      {"a,\x1b,1,1\n", "p.csv:2:3: seen: is '?', expected UTF-8"},
      {"a,\xff,1,1\n", "p.csv:2:3: seen: is '?', expected UTF-8"},
      {"a,\"b,1,1\n", "p.csv:2:3: the quote is not closed"},
      {"a,\"b\"c,1,1\n", "p.csv:2:6: text after the quote"},
      {"0,4000000,1,1\n", "p.csv:2: the arm 4000000 is beyond the 65536 arms"},
      {"0,1,1,1\n\n0,2,1,1\n4000000,2,1,1\n3,4000000,1,1\n", "p.csv:5: the arm 4000000 is"},
  });
  for (const Wrong& each : wrong_lines) {
    try {
      parse(std::string(kHead).append(each.text));
      ADD_FAILURE() << each.text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, each.message.size()), each.message);
    }
  }
  EXPECT_THROW(parse(std::string(kHead) + std::string(kLongestPairLine + 1, 'a')), Error);
  EXPECT_THROW(parse(kHead, {.kind = OutcomeKind::loss, .low = 1, .high = 1}), Error);
}

TEST(Pairs, WrongDistancesAndGroupsAreRefused) {
  try {
    parse("played,seen,reading,outcome,distance\na,b,1,1,-1\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "p.csv:2:9: distance: is -1, expected a number from 0 to 1e+100");
  }
  EXPECT_THROW(parse("played,seen,reading,outcome,group\na,b,1,1,\n"), Error);
}

}  // namespace
}  // namespace hearsay
