#include "cli/worlds_table.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/text_table.h"
#include "cli/wrapped_text.h"
#include "hearsay/base/number_text.h"

namespace hearsay::cli {

void print_worlds(std::span<const reproduce::WorldRow> rows) {
  using reproduce::World;
  using reproduce::WorldRow;
  std::vector<double> regrets;
  std::vector<double> errors;
  for (const WorldRow& row : rows) {
    regrets.push_back(row.regret);
    errors.push_back(row.standard_error.value_or(0));
  }
  const int decimals = column_decimals(regrets, errors);
  TextTable table = {.columns = {{"world", TextTable::Align::left},
                                 {"best learner", TextTable::Align::left},
                                 {"regret"},
                                 {"error"},
                                 {"uniform"},
                                 {"what the world is", TextTable::Align::wrapped}},
                     .rows = {}};
  for (const World& world : reproduce::all_worlds()) {
    const auto find = [&](const auto& is_it) {
      return std::ranges::find_if(
          rows, [&](const WorldRow& row) { return row.world == world.name && is_it(row); });
    };
    const auto best = find([](const WorldRow& row) { return row.rank == 1; });
    const auto uniform = find([](const WorldRow& row) { return row.label == "uniform"; });
    if (best != rows.end() && uniform != rows.end()) {
      table.rows.push_back(
          {std::string(world.name), best->label, with_decimals(best->regret, decimals),
           best->standard_error ? with_decimals(*best->standard_error, decimals) : "",
           with_decimals(uniform->regret, decimals), std::string(world.summary)});
    }
  }
  std::cout << "mean regret of the best learner and of uniform play; error: standard error\n";
  print_table(table);
  std::cout << with_hanging_indent("", reproduce::kCommonToWorlds, 0);
}

}  // namespace hearsay::cli
