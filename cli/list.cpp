#include <algorithm>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "hearsay/base/catalogue_entry.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/losses.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay::cli {
namespace {

using Sections = std::vector<std::pair<std::string, std::span<const CatalogueEntry>>>;

Sections sections() {
  return {{"learners", learner_catalogue()},
          {"environments", graphs::catalogue()},
          {"losses", losses::catalogue()},
          {"noise", noise_catalogue()},
          {"graphs", graph_families()}};
}

void print_text() {
  for (const auto& [title, entries] : sections()) {
    std::cout << title << '\n';
    for (const CatalogueEntry& entry : entries) {
      std::cout << fmt::format("  {:<19} {}\n  {:<19} {}\n", entry.name, entry.summary, "",
                               entry.reference);
    }
  }
}

void print_json() {
  nlohmann::ordered_json all;
  for (const auto& [title, entries] : sections()) {
    for (const CatalogueEntry& entry : entries) {
      all[title].push_back(
          {{"name", entry.name}, {"summary", entry.summary}, {"reference", entry.reference}});
    }
  }
  std::cout << all.dump(2) << '\n';
}

}  // namespace

void add_list(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("list", "Learners, environments, losses, noise laws and graph families");
  command->add_flag("--json", *json, "as one JSON object");
  command->footer("Example:\n  hearsay list --json");
  command->callback([json] { *json ? print_json() : print_text(); });
}

}  // namespace hearsay::cli
