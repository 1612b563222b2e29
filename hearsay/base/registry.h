#pragma once

// A catalogue of rows that are found by name: those built into hearsay and those that a program
// registers before it uses them. A Row has a member `entry`, its CatalogueEntry.

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
      names.push_back(row.entry.name);
    }
    return names;
  }

  // Throws Error, which suggests the nearest name, if there is no row of that name.
  const Row& find(std::string_view name) const {
    const auto found = std::ranges::find(rows_, name, entry_name);
    if (found == rows_.end()) {
      throw Error(std::string(what_), fmt::format("{} is not known, {}", in_quotes(name),
                                                  expected_one_of(name, names())));
    }
    return *found;
  }

  // Must not be called while other threads use the registry. Throws Error if the name is taken.
  void add(Row row) {
    if (std::ranges::find(rows_, row.entry.name, entry_name) != rows_.end()) {
      throw Error(std::string(what_), fmt::format("{} is registered already, expected another name",
                                                  in_quotes(row.entry.name)));
    }
    rows_.push_back(std::move(row));
  }

 private:
  static std::string_view entry_name(const Row& row) { return row.entry.name; }

  std::string_view what_;
  std::deque<Row> rows_;
};

}  // namespace hearsay
