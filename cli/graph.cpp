#include "cli/commands.h"

namespace hearsay::cli {

void add_graph(CLI::App& app) {
  app.add_subcommand("graph", "Make, look at and convert graphs")->require_subcommand(1);
}

}  // namespace hearsay::cli
