#pragma once

// A catalogue of rows that are found by name: those built into hearsay and those that a program
// registers before it uses them. A Row has a member `entry`, its CatalogueEntry, or its name as a
// member `name`.

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/error.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"

namespace hearsay {

template <class Row>
class Registry {
 public:
  // `what` is the word for a row in messages ("family").
  Registry(std::string_view what, std::initializer_list<Row> rows) : what_(what), rows_(rows) {}

  // The rows in the order in which they were added. The address of a row never changes.
  const std::deque<Row>& rows() const { return rows_; }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const Row& row : rows_) {
      names.push_back(name_of(row));
    }
    return names;
  }

  // Throws Error, which suggests the nearest name, if there is no row of that name.
  const Row& find(std::string_view name) const {
    const auto found = std::ranges::find(rows_, name, name_of);
    if (found == rows_.end()) {
      throw Error(std::string(what_), fmt::format("{} is not known, {}", in_quotes(name),
                                                  expected_one_of(name, names())));
    }
    return *found;
  }

  // Returns the row as it is kept. Must not be called while other threads use the registry. Throws
  // Error if the name is taken, empty or not a line of UTF-8.
  const Row& add(Row row) {
    if (name_of(row).empty() || has_control_characters(name_of(row)) || !is_utf8(name_of(row))) {
      throw Error(
          std::string(what_),
          fmt::format("{} is the name of a row, expected a line of text", in_quotes(name_of(row))));
    }
    if (std::ranges::find(rows_, name_of(row), name_of) != rows_.end()) {
      throw Error(std::string(what_), fmt::format("{} is registered already, expected another name",
                                                  in_quotes(name_of(row))));
    }
    return rows_.emplace_back(std::move(row));
  }

 private:
  static std::string_view name_of(const Row& row) {
    if constexpr (requires { row.entry.name; }) {
      return row.entry.name;
    } else {
      return row.name;
    }
  }

  std::string_view what_;
  std::deque<Row> rows_;
};

}  // namespace hearsay
