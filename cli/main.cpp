#include "cli/commands.h"
#include "cli/options.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  CLI::App app{"Online learning with noisy side observations."};
  hearsay::cli::name_program(app, "hearsay");
  hearsay::cli::add_reproduce(app);
  hearsay::cli::add_run(app);
  hearsay::cli::add_merge(app);
  hearsay::cli::add_alpha(app);
  hearsay::cli::add_replay(app);
  hearsay::cli::add_evaluate(app);
  hearsay::cli::add_graph(app);
  hearsay::cli::add_calibrate(app);
  hearsay::cli::add_list(app);
  hearsay::cli::add_completion(app);
  hearsay::cli::add_man(app);
  app.footer(
      "`hearsay COMMAND --help` explains a command. The examples run in a clone, in the order in "
      "which they are shown.\n\n"
      "Example:\n"
      "  hearsay run experiments/quickstart.toml --out quickstart");
  hearsay::cli::require_one_subcommand(app, "command", "COMMAND");
  return hearsay::cli::run_program(app, argc, argv);
}
