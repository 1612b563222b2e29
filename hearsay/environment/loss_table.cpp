#include <fmt/format.h>

#include "hearsay/environment/losses.h"
#include "hearsay/error.h"
#include "hearsay/file/npy.h"
#include "hearsay/file/text.h"

namespace hearsay::losses {
namespace {

Table parse_csv(std::string_view text, const std::string& name) {
  Table table;
  LineReader lines(text, name);
  while (lines.next()) {
    std::size_t columns = 0;
    for (std::string_view rest = lines.line(); !rest.empty(); ++columns) {
      const std::string_view field = take_field(rest, ',');
      double value = 0;
      if (!read_number(field, value) || !(value >= 0 && value <= 1)) {
        lines.fail(fmt::format("{}, expected a loss in [0, 1]", in_quotes(field)));
      }
      table.values.push_back(value);
    }
    if (table.arms == 0) {
      table.arms = columns;
    }
    if (columns != table.arms) {
      lines.fail(fmt::format("{} losses, expected {} as in the first row", columns, table.arms));
    }
  }
  return table;
}

}  // namespace

Table parse_table(std::string_view bytes, const std::string& name) {
  Table table;
  if (name.ends_with(".npy")) {
    const NpyHeader header = read_npy_header(bytes, name);
    table = {header.columns, read_npy_values(bytes, header)};
  } else if (name.ends_with(".csv")) {
    table = parse_csv(bytes, name);
  } else {
    throw Error(name, "has an unknown ending, expected .csv or .npy");
  }
  if (table.values.empty()) {
    throw Error(name, "holds no losses, expected a row a round");
  }
  return table;
}

}  // namespace hearsay::losses
