#include "hearsay/problem/pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/csv.h"
#include "hearsay/base/error.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

using Column = PairsBuilder::Column;

// In the order of the enumerators. The first four must be there.
constexpr std::array<std::string_view, 6> kColumns = {"played",  "seen",  "reading",
                                                      "outcome", "group", "distance"};
constexpr std::size_t kRequired = 4;

// Larger numbers would leave no digits, or overflow in sums of squares.
constexpr double kLargestReading = 1e100;

// Arm numbers below this are accepted even if few of the arms have pairs.
constexpr std::size_t kAlwaysPlausibleArms = 65'536;

std::string_view name_of(Column column) {
  return kColumns[static_cast<std::size_t>(column)];
}

[[noreturn]] void refuse(Column column, const std::string& message) {
  throw Error(std::string(name_of(column)), message);
}

void check_name(Column column, std::string_view name) {
  if (name.empty()) {
    refuse(column, "is empty, expected a name");
  }
  if (!is_utf8(name) || has_control_characters(name)) {
    refuse(column,
           fmt::format("is {}, expected UTF-8 without control characters", in_quotes(name)));
  }
}

// The number that a name is, if it is written as a number is: without a sign or leading zeros.
std::optional<std::uint32_t> number_in(std::string_view name) {
  std::uint32_t number = 0;
  if (!read_number(name, number) || (name.size() > 1 && name.front() == '0') ||
      name.front() == '-') {
    return std::nullopt;
  }
  return number;
}

// Where the columns of a file are.
struct Header {
  std::array<std::optional<std::size_t>, kColumns.size()> place = {};
  std::size_t fields = 0;

  std::optional<std::size_t> of(Column column) const {
    return place[static_cast<std::size_t>(column)];
  }
};

Header read_header(CsvReader& reader) {
  constexpr const char* kExpected = "expected a header with played, seen, reading and outcome";
  if (!reader.next()) {
    reader.fail(0, fmt::format("no lines, {}", kExpected));
  }
  Header header;
  header.fields = reader.size();
  for (std::size_t i = 0; i < reader.size(); ++i) {
    const auto* const column = std::ranges::find(kColumns, reader.field(i));
    if (column == kColumns.end()) {
      continue;
    }
    auto& place = header.place[static_cast<std::size_t>(column - kColumns.begin())];
    if (place) {
      reader.fail(i, fmt::format("the column {} is given twice", *column));
    }
    place = i;
  }
  for (std::size_t k = 0; k < kRequired; ++k) {
    if (!header.place[k]) {
      reader.fail(reader.size(), fmt::format("there is no column {}, {}", kColumns[k], kExpected));
    }
  }
  return header;
}

double read_finite_field(const CsvReader& reader, std::size_t field, Column column) {
  double number = 0;
  if (!read_number(reader.field(field), number) || !std::isfinite(number)) {
    reader.fail(field, fmt::format("the {} is {}, expected a finite number", name_of(column),
                                   in_quotes(reader.field(field))));
  }
  return number;
}

}  // namespace

Outcome outcome_of_pairs(std::string_view kind, double low, double high) {
  const auto* const word = std::ranges::find(kOutcomeKinds, kind);
  if (word == kOutcomeKinds.end()) {
    throw Error("outcome",
                fmt::format("is {}, {}", in_quotes(kind), expected_one_of(kind, kOutcomeKinds)));
  }
  const Outcome outcome{
      .kind = static_cast<OutcomeKind>(word - kOutcomeKinds.begin()), .low = low, .high = high};
  try {
    check_options(outcome);
  } catch (const Error& error) {
    throw Error("range", error.what());
  }
  return outcome;
}

PairsBuilder::PairsBuilder(const Outcome& outcome, std::string range_option)
    : outcome_(outcome), range_option_(std::move(range_option)) {
  check_options(outcome);
}

std::uint32_t PairsBuilder::index_of(std::string_view name, Index& known,
                                     std::vector<std::string>& names) {
  const auto found = known.find(name);
  if (found != known.end()) {
    return found->second;
  }
  const auto index = static_cast<std::uint32_t>(names.size());
  names.emplace_back(name);
  known.emplace(name, index);
  return index;
}

void PairsBuilder::add(const Row& row) {
  check_name(Column::played, row.played);
  check_name(Column::seen, row.seen);
  if (!(std::abs(row.reading) <= kLargestReading)) {
    refuse(Column::reading, fmt::format("is {}, expected a number from {} to {}", row.reading,
                                        -kLargestReading, kLargestReading));
  }
  double loss = outcome_.loss_of(row.outcome);
  if (!std::isfinite(row.outcome) ||
      (!(row.outcome >= outcome_.low && row.outcome <= outcome_.high) &&
       outcome_.out_of_range == OutOfRangeOutcome::refuse)) {
    refuse(Column::outcome,
           fmt::format("is {}, expected a number in [{}, {}], the range of outcomes ({})",
                       row.outcome, outcome_.low, outcome_.high, range_option_));
  }
  loss = std::clamp(loss, 0.0, 1.0);
  if (row.group) {
    check_name(Column::group, *row.group);
  }
  if (row.distance && !(*row.distance >= 0 && *row.distance <= kLargestReading)) {
    refuse(Column::distance,
           fmt::format("is {}, expected a number from 0 to {}", *row.distance, kLargestReading));
  }

  const Arm played = index_of(row.played, arms_, pairs_.names);
  const Arm seen = index_of(row.seen, arms_, pairs_.names);
  if (played == seen) {
    ++pairs_.own;
    return;
  }
  pairs_.played.push_back(played);
  pairs_.seen.push_back(seen);
  pairs_.reading.push_back(row.reading);
  pairs_.loss.push_back(loss);
  if (row.group) {
    pairs_.group.push_back(index_of(*row.group, groups_, pairs_.group_names));
  }
  if (row.distance) {
    pairs_.distance.push_back(*row.distance);
  }
}

// Of the arms, if all are numbers; empty otherwise.
std::vector<Arm> PairsBuilder::numbers() const {
  std::vector<Arm> numbers;
  for (const std::string& name : pairs_.names) {
    const auto number = number_in(name);
    if (!number) {
      return {};
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::size_t PairsBuilder::most_arms() const {
  return std::max(kAlwaysPlausibleArms, pairs_.size());
}

std::optional<std::size_t> PairsBuilder::implausible_arm() const {
  const std::vector<Arm> number_of = numbers();
  const auto largest = std::ranges::max_element(number_of);
  if (largest == number_of.end() || *largest < most_arms()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(largest - number_of.begin());
}

Pairs PairsBuilder::finish() {
  if (pairs_.size() == 0) {
    throw Error(pairs_.own == 0
                    ? "no pairs, expected some"
                    : "no pairs of different arms, expected readings of arms other than the one "
                      "played");
  }
  if (const auto beyond = implausible_arm()) {
    throw Error(
        fmt::format("the arm {} is beyond the {} arms that these pairs can be about, "
                    "expected smaller numbers or names",
                    pairs_.names[*beyond], most_arms()));
  }
  if (const std::vector<Arm> number_of = numbers(); !number_of.empty()) {
    const Arm largest = *std::ranges::max_element(number_of);
    pairs_.numbered = true;
    pairs_.names.clear();
    for (Arm arm = 0; arm <= largest; ++arm) {
      pairs_.names.push_back(fmt::format("{}", arm));
    }
    for (std::vector<Arm>* column : {&pairs_.played, &pairs_.seen}) {
      for (Arm& arm : *column) {
        arm = number_of[arm];
      }
    }
  }
  return std::exchange(pairs_, {});
}

Pairs read_pairs(std::istream& text, const std::string& name, const Outcome& outcome,
                 const std::string& range_option) {
  CsvReader reader(text, name, kLongestPairLine);
  const Header header = read_header(reader);
  PairsBuilder builder(outcome, range_option);
  std::vector<std::size_t> line_of_arm;  // where it first appears
  while (reader.next()) {
    if (reader.size() != header.fields) {
      reader.fail(reader.size(), fmt::format("has {} fields, expected {} as in the header",
                                             reader.size(), header.fields));
    }
    const auto text_in = [&](Column column) { return reader.field(*header.of(column)); };
    const auto number_in_field = [&](Column column) {
      return read_finite_field(reader, *header.of(column), column);
    };
    PairsBuilder::Row row{.played = text_in(Column::played),
                          .seen = text_in(Column::seen),
                          .reading = number_in_field(Column::reading),
                          .outcome = number_in_field(Column::outcome)};
    if (header.of(Column::group)) {
      row.group = text_in(Column::group);
    }
    if (header.of(Column::distance)) {
      row.distance = number_in_field(Column::distance);
    }
    try {
      builder.add(row);
    } catch (const Error& error) {
      const auto* const column = std::ranges::find(kColumns, error.place());
      const auto place = header.place[static_cast<std::size_t>(column - kColumns.begin())];
      reader.fail(place.value_or(reader.size()), error.what());
    }
    line_of_arm.resize(builder.arms(), reader.line());
  }
  const auto beyond = builder.implausible_arm();
  try {
    return builder.finish();
  } catch (const Error& error) {
    throw error.within(beyond ? fmt::format("{}:{}", name, line_of_arm[*beyond]) : name);
  }
}

}  // namespace hearsay
