#pragma once

// The records of a CSV text, the first of which has the names of the columns.

#include <sstream>
#include <string>
#include <vector>

#include "hearsay/base/csv.h"

namespace hearsay::testing {

inline std::vector<std::vector<std::string>> records(const std::string& csv) {
  std::istringstream text(csv);
  CsvReader reader(text, "table", 10'000);
  std::vector<std::vector<std::string>> all;
  while (reader.next()) {
    auto& record = all.emplace_back();
    for (std::size_t i = 0; i < reader.size(); ++i) {
      record.emplace_back(reader.field(i));
    }
  }
  return all;
}

}  // namespace hearsay::testing
