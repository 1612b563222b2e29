#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/results_table.h"
#include "hearsay/base/error.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/runner/output_directory.h"

namespace hearsay::cli {
namespace {

struct MergeCall {
  std::vector<std::string> directories;
  std::string out;
  bool force = false;
  bool json = false;

  void run() const {
    const Plan plan(experiment_in(directories.front()));
    Records records(plan);
    std::vector<bool> done(plan.units().size());
    for (const std::string& directory : directories) {
      for (const std::size_t unit : read_shards(directory, plan, records)) {
        done[unit] = true;
      }
    }
    const auto missing = std::ranges::count(done, false);
    if (missing > 0) {
      throw Error(directories.front(),
                  fmt::format("{} of {} units are missing, expected the directories of all shards",
                              missing, done.size()));
    }
    const OutputDirectory directory(out, plan, Shard{},
                                    force ? Existing::replace : Existing::refuse);
    directory.write(records);
    print_results(plan, records, json ? ResultsFormat::json : ResultsFormat::text);
    fmt::print(stderr, "hearsay: results in {}\n", directory.path());
  }
};

}  // namespace

void add_merge(CLI::App& app) {
  auto call = std::make_shared<MergeCall>();
  CLI::App* command = app.add_subcommand("merge", "One result from the shards of an experiment");
  command->add_option("DIR", call->directories, "where `hearsay run --shard` put them")->required();
  command->add_option("--out", call->out, "directory of the results")->required();
  command->add_flag("--force", call->force, "replace what is there");
  command->add_flag("--json", call->json, "the results as one JSON object");
  command->footer(
      "Example:\n  hearsay run FILE.toml --shard 1/2 --out shards\n  hearsay run FILE.toml --shard "
      "2/2 --out shards\n  hearsay merge shards --out merged");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
