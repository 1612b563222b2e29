#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/results_table.h"
#include "cli/run_record.h"
#include "cli/shared_options.h"
#include "hearsay/runner/run_experiment.h"

namespace hearsay::cli {
namespace {

struct MergeCall {
  std::vector<std::string> directories;
  std::string out;
  bool force = false;
  bool json = false;

  void run() const {
    const ExperimentResult result = merge_shards(
        directories, out, force ? Existing::replace : Existing::refuse, start_run_record(1));
    print_results(result.plan, result.rows, json ? ResultsFormat::json : ResultsFormat::text, out);
    print_message(place_of_results(out));
  }
};

}  // namespace

void add_merge(CLI::App& app) {
  auto call = std::make_shared<MergeCall>();
  CLI::App* command = app.add_subcommand("merge", "Combine the finished shards of an experiment");
  command->add_option("DIR", call->directories, "output directories of `hearsay run --shard`")
      ->required();
  add_out(*command, call->out, "");
  add_force(*command, call->force);
  add_json(*command, call->json);
  command->footer(
      "Example:\n"
      "  hearsay run experiments/quickstart.toml --shard 1/2 --out shards\n"
      "  hearsay run experiments/quickstart.toml --shard 2/2 --out shards\n"
      "  hearsay merge shards --out merged");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
