#include "hearsay/base/fields.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/base/state.h"
#include "hearsay/environment/losses.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/learner/spec.h"
#include "tests/message_of.h"

namespace hearsay {
namespace {

// A struct with one member of every type that a field can have.
enum class Colour : std::uint8_t { red, green };
constexpr std::array<std::string_view, 2> kColours = {"red", "green"};

struct Everything {
  double real = 0.5;
  std::optional<double> optional_real = std::nullopt;
  std::size_t whole = 3;
  std::uint32_t small = 4;
  Colour colour = Colour::green;
  std::optional<Colour> optional_colour = std::nullopt;

  static const FieldTable<Everything>& fields() {
    static const FieldTable<Everything> table = {
        field("real", &Everything::real, RealRange{0, 1}, "a real number"),
        field("optional_real", &Everything::optional_real, RealRange{.low = 0}, "or none",
              "automatic"),
        field("whole", &Everything::whole, WholeRange{1, 9}, "a whole number"),
        field("small", &Everything::small, WholeRange{0, 100}, "of 32 bits"),
        field("colour", &Everything::colour, kColours, "an enumerator"),
        field("optional_colour", &Everything::optional_colour, kColours, "or none"),
    };
    return table;
  }
  void check() const {
    if (whole > small) {
      throw Error("whole", "is larger than small");
    }
  }
};

std::string refusal(std::size_t field, const FieldValue& value) {
  Everything options;
  return message_of([&] { Everything::fields().set(options, field, value); });
}

TEST(FieldTable, ReadsAndSetsEveryTypeOfMember) {
  const std::vector<FieldValue> values = {0.25,
                                          FieldValue(2.0),
                                          std::uint64_t{9},
                                          std::uint64_t{7},
                                          std::string("red"),
                                          std::string("green")};
  Everything options;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Everything::fields().set(options, i, values[i]);
    EXPECT_EQ(Everything::fields().get(options, i), values[i]) << i;
  }
  EXPECT_EQ(options.real, 0.25);
  EXPECT_EQ(options.optional_real, 2.0);
  EXPECT_EQ(options.whole, 9U);
  EXPECT_EQ(options.small, 7U);
  EXPECT_EQ(options.colour, Colour::red);
  EXPECT_EQ(options.optional_colour, Colour::green);
}

TEST(FieldTable, ConvertsBetweenNumbersWithoutLoss) {
  Everything options;
  Everything::fields().set(options, 0, std::uint64_t{1});
  EXPECT_EQ(options.real, 1.0);
  Everything::fields().set(options, 2, 8.0);
  EXPECT_EQ(options.whole, 8U);
  EXPECT_EQ(refusal(2, 2.5), "whole: is 2.5, expected a whole number from 1 to 9");
}

TEST(FieldTable, ReadsTheWordForNoValue) {
  Everything options;
  options.optional_real = 1;
  Everything::fields().set(options, 1, std::string("automatic"));
  EXPECT_EQ(options.optional_real, std::nullopt);
  EXPECT_EQ(field_text(Everything::fields().infos()[1], Everything::fields().get(options, 1)),
            "automatic");
}

TEST(FieldTable, RefusesValuesOutOfRangeAndNamesTheField) {
  EXPECT_EQ(refusal(0, 1.5), "real: is 1.5, expected a number in [0, 1]");
  EXPECT_EQ(refusal(0, std::numeric_limits<double>::quiet_NaN()).find("real: is nan"), 0U);
  EXPECT_EQ(refusal(0, true), "real: is true, expected a number in [0, 1]");
  EXPECT_EQ(refusal(0, std::monostate()), "real: is missing, expected a number in [0, 1]");
  EXPECT_EQ(refusal(1, -1.0),
            "optional_real: is -1, expected 'automatic' or a number of at least 0");
  EXPECT_EQ(refusal(1, std::numeric_limits<double>::infinity()).find("optional_real: is inf"), 0U);
  EXPECT_EQ(refusal(2, -1.0), "whole: is -1, expected a whole number from 1 to 9");
  EXPECT_EQ(refusal(4, std::string("gren")), "colour: is 'gren', expected 'green'");
  EXPECT_EQ(refusal(4, std::uint64_t{1}), "colour: is 1, expected one of red, green");
}

// A limit that only keeps arithmetic from overflowing is named only to those that exceed it.
TEST(FieldTable, NamesATechnicalLimitOnlyToANumberBeyondIt) {
  const FieldInfo positive = {
      .name = "rate", .summary = "", .type = FieldType::real, .real = {1e-100, 1e100}};
  FieldInfo least = positive;
  least.real.low = 1;
  EXPECT_EQ(expected(positive), "a positive number");
  EXPECT_EQ(expected(least), "a number of at least 1");
  const auto message = [](const FieldInfo& info, double number) {
    return message_of([&] { checked(info, number); });
  };
  EXPECT_EQ(message(positive, 0), "rate: is 0, expected a positive number");
  EXPECT_EQ(message(positive, 1e-101), "rate: is 1e-101, expected a number in [1e-100, 1e+100]");
  EXPECT_EQ(message(least, 0.5), "rate: is 0.5, expected a number of at least 1");
  EXPECT_EQ(message(least, 1e101), "rate: is 1e+101, expected a number in [1, 1e+100]");
}

struct Narrow {
  std::uint8_t byte = 0;
};

// A larger number would lose its upper bits.
TEST(FieldTable, AcceptsNoNumberThatDoesNotFitTheMember) {
  const FieldTable<Narrow> table = {field("byte", &Narrow::byte, WholeRange{0, 1000}, "of 8 bits")};
  Narrow narrow;
  table.set(narrow, 0, std::uint64_t{255});
  EXPECT_EQ(narrow.byte, 255);
  EXPECT_EQ(message_of([&] { table.set(narrow, 0, std::uint64_t{256}); }),
            "byte: is 256, expected a whole number from 0 to 255");
}

TEST(FieldTable, RefusesNamesThatAreNoKeysOrNotNew) {
  const auto refusal = [](std::string_view first, std::string_view second) {
    return message_of([&] {
      const FieldTable<Narrow> table = {field(first, &Narrow::byte, WholeRange{}, ""),
                                        field(second, &Narrow::byte, WholeRange{}, "")};
    });
  };
  EXPECT_EQ(refusal("a", "b_2"), "");
  EXPECT_EQ(refusal("a", "a"), "fields: 'a' is the name of two fields, expected different names");
  EXPECT_EQ(refusal("a b", "c"),
            "fields: 'a b' is the name of a field, expected a-z, 0-9 and _ alone");
  EXPECT_EQ(refusal("", "c"), "fields: '' is the name of a field, expected a-z, 0-9 and _ alone");
}

TEST(Fields, AreFoundByTheirNames) {
  const std::span<const FieldInfo> fields = Everything::fields().infos();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ(field_index(fields, fields[i].name), i);
  }
  EXPECT_EQ(field_index(fields, "rea"), std::nullopt);
}

TEST(Fields, HaveADefaultIfTheyAcceptTheInitialValue) {
  const std::span<const FieldInfo> fields = Everything::fields().infos();
  EXPECT_TRUE(has_default(fields[0], 1.0));
  EXPECT_FALSE(has_default(fields[0], 2.0));
  EXPECT_TRUE(has_default(fields[1], {}));
  EXPECT_FALSE(has_default(fields[2], std::uint64_t{0}));
}

TEST(FieldTable, ChecksAWholeStruct) {
  Everything options;
  check_options(options);
  options.real = -1;
  EXPECT_THROW(check_options(options), Error);
  options.real = 1;
  options.whole = 5;
  EXPECT_THROW(check_options(options), Error);  // must not be larger than `small`
}

TEST(Fields, AreParsedFromText) {
  const std::span<const FieldInfo> fields = Everything::fields().infos();
  EXPECT_EQ(parse_field(fields[0], "0.5"), FieldValue(0.5));
  EXPECT_EQ(parse_field(fields[2], "4"), FieldValue(std::uint64_t{4}));
  EXPECT_EQ(parse_field(fields[1], "automatic"), FieldValue());
  EXPECT_THROW(parse_field(fields[0], "half"), Error);
  EXPECT_THROW(parse_field(fields[2], "-1"), Error);
}

TEST(AnyOptions, CopiesAreIndependent) {
  const AnyOptions first = Everything{};
  AnyOptions second = first;
  second.set(2, std::uint64_t{4});
  EXPECT_EQ(first.as<Everything>().whole, 3U);
  EXPECT_EQ(second.as<Everything>().whole, 4U);
}

// Expects that every field is documented, accepts its default, and reads back what it writes.
void expect_valid_fields(const AnyOptions& defaults, std::string_view owner) {
  for (std::size_t i = 0; i < defaults.fields().size(); ++i) {
    const FieldInfo& info = defaults.fields()[i];
    EXPECT_FALSE(info.summary.empty()) << owner << ' ' << info.name;
    EXPECT_EQ(info.summary.find('\n'), std::string_view::npos) << owner << ' ' << info.name;
    const FieldValue value = defaults.get(i);
    if (!std::holds_alternative<std::monostate>(value)) {
      EXPECT_EQ(checked(info, value), value) << owner << ' ' << info.name;
      EXPECT_EQ(parse_field(info, field_text(info, value)), value) << owner << ' ' << info.name;
    }
    StateWriter writer("test");
    write_field(writer, value);
    const std::string state = writer.finish();
    StateReader reader(state, "test");
    EXPECT_EQ(read_field(reader), value);
  }
}

TEST(Fields, EveryFieldOfEveryTableIsDocumentedAndAcceptsItsDefault) {
  expect_valid_fields(LearnerSpec{}, "learner");
  for (const GraphFamily& family : graph_families()) {
    expect_valid_fields(family.defaults, family.entry.name);
  }
  for (const LossKind& kind : loss_kinds()) {
    expect_valid_fields(kind.defaults, kind.entry.name);
  }
}

}  // namespace
}  // namespace hearsay
