#include "cli/run.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/results_table.h"
#include "cli/stop_signals.h"
#include "hearsay/base/error.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/runner/output_directory.h"
#include "hearsay/version.h"

namespace hearsay::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct RunCall {
  std::string file;
  std::string out;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::optional<std::size_t> threads;
  std::string shard_text;
  bool resume = false;
  bool force = false;
  bool dry_run = false;
  bool quiet = false;
  bool json = false;
  Compute compute;  // none: threads of this process

  void run() const;

 private:
  Shard shard() const;
  std::size_t thread_count() const {
    return threads.value_or(std::max(1U, std::thread::hardware_concurrency()));
  }
  void print_plan(const Plan& plan, const Shard& shard) const;
  bool compute_all(const Plan& plan, Ledger& ledger) const;
};

Shard RunCall::shard() const {
  Shard shard;
  if (!shard_text.empty()) {
    std::string_view of = shard_text;
    const std::string_view index = take_field(of, '/');
    if (!read_number(index, shard.index) || !read_number(of, shard.of) || shard.index < 1 ||
        shard.index > shard.of) {
      throw Error("--shard",
                  fmt::format("{}, expected I/K with I from 1 to K", in_quotes(shard_text)));
    }
  }
  return shard;
}

// Seconds a round of a single run takes, for the learner of that cell: tried out for some
// milliseconds.
double seconds_per_round(const Plan& plan, std::size_t cell) {
  constexpr double kLongEnough = 0.004;
  const Unit& unit = *std::ranges::find(plan.units(), cell, &Unit::cell);
  Block block(plan, unit);
  const Clock::time_point start = Clock::now();
  double elapsed = 0;
  while (elapsed < kLongEnough && !block.is_done()) {
    block.advance(std::min<std::uint64_t>(100, slice(plan, unit)));
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  return elapsed / static_cast<double>(block.rounds() * unit.runs());
}

void RunCall::print_plan(const Plan& plan, const Shard& shard) const {
  const Experiment& experiment = plan.experiment();
  const std::uint64_t horizon = experiment.environment.horizon;
  std::uint64_t runs = 0;
  double seconds = 0;
  std::vector<double> per_round(plan.cells().size());
  std::vector<std::size_t> cells_of(experiment.learners.size());
  for (std::size_t cell = 0, learner = 0; cell < plan.cells().size(); ++cell) {
    // Cells of one learner differ little: the first speaks for all.
    const bool first = cell == 0 || plan.cells()[cell].label != plan.cells()[cell - 1].label;
    learner += first && cell > 0 ? 1 : 0;
    per_round[cell] = first ? seconds_per_round(plan, cell) : per_round[cell - 1];
    ++cells_of[learner];
  }
  for (const std::size_t unit : shard.units(plan)) {
    const Unit& each = plan.units()[unit];
    runs += each.runs();
    seconds += per_round[each.cell] * static_cast<double>(each.runs() * horizon);
  }
  const std::size_t units = shard.units(plan).size();
  seconds /= static_cast<double>(std::min(thread_count(), std::max<std::size_t>(1, units)));

  if (json) {
    nlohmann::ordered_json plan_json = {{"name", experiment.name},
                                        {"arms", plan.arms()},
                                        {"cells", plan.cells().size()},
                                        {"sequences", experiment.sequences},
                                        {"repetitions", experiment.repetitions},
                                        {"runs", runs},
                                        {"horizon", horizon},
                                        {"rounds", runs * horizon},
                                        {"points", plan.points().size()},
                                        {"units", units},
                                        {"threads", thread_count()},
                                        {"seconds", seconds}};
    std::cout << plan_json.dump(2) << '\n';
    return;
  }
  std::cout << fmt::format("{}: {} arms, {} rounds, recorded at {} points\n", experiment.name,
                           plan.arms(), horizon, plan.points().size());
  for (std::size_t i = 0, cell = 0; i < cells_of.size(); cell += cells_of[i], ++i) {
    std::cout << fmt::format("  {:<20} {:>5} cell{}  {:.2f} us a round\n",
                             experiment.learners[i].label, cells_of[i],
                             cells_of[i] == 1 ? " " : "s", 1e6 * per_round[cell]);
  }
  std::cout << fmt::format(
      "{} cells x {} sequences x {} repetitions{}: {} runs, {} rounds in {} units of work\n"
      "about {} on {} threads\n",
      plan.cells().size(), experiment.sequences, experiment.repetitions,
      shard.is_whole() ? "" : fmt::format(", shard {} of {}", shard.index, shard.of), runs,
      count_text(runs * horizon), units, duration_text(seconds), thread_count());
}

bool RunCall::compute_all(const Plan& plan, Ledger& ledger) const {
  const StopSignals signals;
  Progress progress(plan.experiment().name, "rounds", quiet ? Verbosity::quiet : Verbosity::normal);
  const auto look = [&](const WorkDone& work) {
    if (StopSignals::caught()) {
      ledger.stop();
    }
    progress.show(work.done, work.total);
  };
  return compute ? compute(plan, ledger, look) : hearsay::run(plan, ledger, thread_count(), look);
}

void RunCall::run() const {
  std::vector<Override> overrides(set.begin(), set.end());
  if (seed) {
    overrides.emplace_back(fmt::format("seed={}", *seed), "--seed");
  }
  const Plan plan(read_experiment(file, overrides));
  const std::string& version = plan.experiment().version;
  if (!version.empty() && version != kVersion && !quiet) {
    fmt::print(stderr, "hearsay: {}: is of hearsay {}, this is {}: results may differ\n", file,
               version, kVersion);
  }
  const Shard part = shard();
  if (dry_run) {
    print_plan(plan, part);
    return;
  }

  const OutputDirectory directory(
      out.empty() ? "hearsay-out/" + plan.experiment().name : out, plan, part,
      force ? Existing::replace : (resume ? Existing::resume : Existing::refuse));
  if (resume && directory.is_finished()) {
    fmt::print(stderr, "hearsay: {}: is finished already\n", directory.path());
    return;
  }
  const std::string go_on =
      fmt::format("hearsay run {0}/experiment.toml --out {0}{1} --resume", directory.path(),
                  part.is_whole() ? "" : " --shard " + shard_text);
  Records records(plan);
  try {
    Checkpoint checkpoint(directory.checkpoint(), plan, records);
    Ledger ledger(plan, part.units(plan), records, &checkpoint);
    if (!compute_all(plan, ledger)) {
      const WorkDone work = ledger.work_done();
      throw Failure(fmt::format("interrupted at {} %, what is done is kept; go on with: {}",
                                100 * work.done / std::max<std::uint64_t>(1, work.total), go_on));
    }
    directory.write(records);
    checkpoint.remove();
  } catch (const std::system_error& error) {
    throw Failure(fmt::format("{}; what is done is kept; go on with: {}", error.what(), go_on));
  }
  if (part.is_whole()) {
    print_results(plan, records, json ? ResultsFormat::json : ResultsFormat::text);
  }
  if (!quiet) {
    fmt::print(stderr, "hearsay: results in {}\n", directory.path());
  }
}

}  // namespace

CLI::App* add_run(CLI::App& app, const Compute& compute) {
  auto call = std::make_shared<RunCall>();
  call->compute = compute;
  CLI::App* command = app.add_subcommand("run", "Any experiment, from its file");
  command->add_option("FILE", call->file, "the experiment, as TOML (docs/experiments.md)")
      ->required();
  command->add_option("--out", call->out, "directory of the results (default hearsay-out/NAME)")
      ->type_name("DIR");
  command
      ->add_option("--set", call->set,
                   "sets a key of the file: environment.horizon=1000, "
                   "learners.exp3-wix.rate=[0.01,0.1]; may be given again")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_number(*command, "--seed", call->seed, "instead of the file's");
  if (!compute) {
    add_number(*command, "--threads", call->threads, "default: all cores")
        ->check(CLI::Range(1, 4096));
    command
        ->add_option("--shard", call->shard_text, "only the I-th of K parts, for `hearsay merge`")
        ->type_name("I/K");
  }
  CLI::Option* resume = command->add_flag("--resume", call->resume, "go on where it was stopped");
  command->add_flag("--force", call->force, "replace what DIR holds")->excludes(resume);
  command->add_flag("--dry-run", call->dry_run, "print what would be run, and how long it takes");
  command->add_flag("--quiet", call->quiet, "no progress");
  command->add_flag("--json", call->json, "the results as one JSON object");
  command->footer(
      "Example:\n  hearsay run experiments/quickstart.toml --set repetitions=20 --out out");
  command->callback([call] { call->run(); });
  return command;
}

void add_run(CLI::App& app) {
  add_run(app, nullptr);
}

}  // namespace hearsay::cli
