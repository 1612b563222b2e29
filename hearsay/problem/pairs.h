#pragma once

// Pairs of a reading and the true outcome: after the arm `played` was played, `reading` was an
// estimate of the outcome of the arm `seen`, which became known too (in an audit, or from a
// simulator). From such pairs calibrate() finds how well each arm shows the others.
//
// As a file: CSV (RFC 4180) with a header. The columns played, seen, reading and outcome must be
// there, in any order; group and distance may be; others are ignored. Arms are called by numbers
// from 0 on, or by names.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/graph/graph.h"
#include "hearsay/problem/description.h"

namespace hearsay {

// Columns of equal length, one entry for each pair. Pairs with played = seen are not among them.
struct Pairs {
  // The name of every arm: as they were given, in the order in which they first appear (played
  // before seen). If all are whole numbers, they are the arms themselves, and the names are the
  // numbers up to the largest.
  std::vector<std::string> names;
  bool numbered = false;  // whether the names are numbers

  std::vector<Arm> played;
  std::vector<Arm> seen;
  std::vector<double> reading;
  std::vector<double> loss;  // of the outcome, in [0, 1]

  std::vector<std::string> group_names;  // in the order in which they first appear
  std::vector<std::uint32_t> group;  // an index of group_names; empty if there is no such column
  std::vector<double> distance;      // empty if there is no such column

  std::size_t own = 0;  // how many pairs with played = seen were left out

  std::size_t size() const { return reading.size(); }
};

// The outcomes of pairs, whose kind is one of the words of kOutcomeKinds. Throws Error at `outcome`
// or `range`.
Outcome outcome_of_pairs(std::string_view kind, double low, double high);

// Adds pairs one by one, and checks them. The place of an Error is only the column.
class PairsBuilder {
 public:
  enum class Column { played, seen, reading, outcome, group, distance };

  struct Row {
    std::string_view played;
    std::string_view seen;
    double reading = 0;
    double outcome = 0;
    std::optional<std::string_view> group = std::nullopt;  // in every row or in none
    std::optional<double> distance = std::nullopt;         // in every row or in none
  };

  // Outcomes must lie in the range of `outcome`, unless it says that they are clipped.
  // `range_option` is what messages call the option of the caller that sets this range.
  explicit PairsBuilder(const Outcome& outcome, std::string range_option = "range");

  void add(const Row& row);

  // The number of different arms so far.
  std::size_t arms() const { return pairs_.names.size(); }
  // If all arms are numbers and the largest is so large that most arms would have no pair: the
  // index of that arm in the order in which arms first appeared.
  std::optional<std::size_t> implausible_arm() const;
  // Throws Error if there are no pairs, or if there is an implausible_arm().
  Pairs finish();

 private:
  using Index = std::map<std::string, std::uint32_t, std::less<>>;

  std::vector<Arm> numbers() const;
  std::size_t most_arms() const;
  static std::uint32_t index_of(std::string_view name, Index& known,
                                std::vector<std::string>& names);

  Outcome outcome_;
  std::string range_option_;
  Pairs pairs_;
  Index arms_;
  Index groups_;
};

// The longest line of a file of pairs, in bytes.
inline constexpr std::size_t kLongestPairLine = std::size_t{1} << 16U;

// Reads the text in one pass. A wrong line throws Error at "name:line:column", where the column is
// counted in bytes from 1; a stream that cannot be read throws std::system_error.
// `range_option` is as for PairsBuilder.
Pairs read_pairs(std::istream& text, const std::string& name, const Outcome& outcome,
                 const std::string& range_option = "range");

}  // namespace hearsay
