#include "cli/run.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/results_table.h"
#include "cli/run_record.h"
#include "cli/shared_options.h"
#include "cli/stop_signals.h"
#include "hearsay/base/error.h"
#include "hearsay/base/number_text.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/report/comparison_report.h"
#include "hearsay/runner/run_experiment.h"
#include "hearsay/runner/time_estimate.h"
#include "hearsay/version.h"

namespace hearsay::cli {
namespace {

struct RunCall {
  std::string file;
  std::string out;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::optional<unsigned> threads;  // of the workers, also if they are in other processes
  std::string shard_text;
  bool resume = false;
  bool force = false;
  bool dry_run = false;
  bool quiet = false;
  bool json = false;
  ComputeUnits compute;  // empty if threads of this process compute

  void run() const;

 private:
  Shard shard() const;
  std::vector<Override> overrides() const;
  void warn_of_other_version(const Experiment& experiment) const;
  void print_plan(const Plan& plan, const Shard& shard, double seconds_to_read) const;
  ExperimentResult compute_results(Experiment experiment, const std::string& directory,
                                   const std::string& resume_command) const;
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

std::vector<Override> RunCall::overrides() const {
  std::vector<Override> all(set.begin(), set.end());
  if (seed) {
    all.emplace_back(fmt::format("seed={}", *seed), "--seed");
  }
  return all;
}

void RunCall::warn_of_other_version(const Experiment& experiment) const {
  const std::string& version = experiment.version;
  if (!version.empty() && version != kVersion && !quiet) {
    print_warning(fmt::format("{}: was written by hearsay {}, this is {}: results may differ", file,
                              version, kVersion));
  }
}

// `seconds_to_read` is the time for reading the experiment and making its plan, which every run
// takes too.
void RunCall::print_plan(const Plan& plan, const Shard& shard, double seconds_to_read) const {
  const Experiment& experiment = plan.experiment();
  const std::uint64_t horizon = experiment.environment.horizon;
  const std::vector<std::size_t> units = shard.units(plan);
  std::uint64_t runs = 0;
  for (const std::size_t unit : units) {
    runs += plan.units()[unit].runs();
  }
  const TimeEstimate estimate = estimate_time(plan, seconds_now);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t workers =
      compute ? thread_count(threads) : std::min(thread_count(threads), cores);
  const double seconds = seconds_to_read + estimate.seconds(plan, units, workers);

  if (json) {
    const nlohmann::ordered_json plan_json = {{"name", experiment.name},
                                              {"arms", plan.arms()},
                                              {"cells", plan.cells().size()},
                                              {"sequences", experiment.sequences},
                                              {"repetitions", experiment.repetitions},
                                              {"runs", runs},
                                              {"horizon", horizon},
                                              {"rounds", runs * horizon},
                                              {"points", plan.points().size()},
                                              {"units", units.size()},
                                              {"threads", thread_count(threads)},
                                              {"seconds", seconds}};
    std::cout << plan_json.dump(2) << '\n';
    return;
  }
  std::cout << fmt::format("{}: {}, {}, recorded at {}\n", experiment.name,
                           counted(plan.arms(), "arm"), counted(horizon, "round"),
                           counted(plan.points().size(), "point"));
  for (const LearnerSweep& sweep : experiment.learners) {
    const auto cells = std::ranges::count(plan.cells(), sweep.label, &Cell::label);
    const auto unit = std::ranges::find_if(plan.units(), [&](const Unit& each) {
      return plan.cells()[each.cell].label == sweep.label;
    });
    const double seconds_per_round =
        estimate.units[static_cast<std::size_t>(unit - plan.units().begin())].round /
        static_cast<double>(unit->runs());
    std::cout << fmt::format("  {:<20} {:>5} cell{}  {:.2f} us for a round of one run\n",
                             sweep.label, cells, cells == 1 ? " " : "s", 1e6 * seconds_per_round);
  }
  std::cout << fmt::format(
      "{} x {} x {}{}: {}, {} rounds in {} of work\nabout {} on {}\n",
      counted(plan.cells().size(), "cell"), counted(experiment.sequences, "sequence"),
      counted(experiment.repetitions, "repetition"),
      shard.is_whole() ? "" : fmt::format(", shard {} of {}", shard.index, shard.of),
      counted(runs, "run"), count_text(runs * horizon), counted(units.size(), "unit"),
      duration_text(seconds), counted(thread_count(threads), "thread"));
}

ExperimentResult RunCall::compute_results(Experiment experiment, const std::string& directory,
                                          const std::string& resume_command) const {
  Progress progress(experiment.name, "rounds", quiet ? Verbosity::quiet : Verbosity::normal);
  std::optional<StopSignals> signals;  // from when units are computed: before, Ctrl-C ends at once
  RunOptions options;
  options.threads = thread_count(threads);
  options.out = directory;
  options.existing = force ? Existing::replace : (resume ? Existing::resume : Existing::refuse);
  options.shard = shard();
  options.inputs = {file};
  options.compute = compute;
  options.record = start_run_record(thread_count(threads));
  options.progress = [&](const WorkDone& work) {
    if (!signals) {
      signals.emplace();
    }
    progress.show(work.done, work.total);
    return !StopSignals::caught();
  };
  try {
    return run_experiment(std::move(experiment), options);
  } catch (const std::system_error& error) {
    if (!signals) {  // nothing has been computed
      throw;
    }
    throw Failure(
        fmt::format("{}; what is done is kept; continue with: {}", error.what(), resume_command));
  }
}

void RunCall::run() const {
  const double start = seconds_now();
  Experiment experiment = read_experiment(file, overrides());
  warn_of_other_version(experiment);
  const Shard part = shard();
  if (dry_run) {
    const Plan plan(std::move(experiment));
    print_plan(plan, part, seconds_now() - start);
    return;
  }
  const std::string directory = out.empty() ? "hearsay-out/" + experiment.name : out;
  const std::string resume_command =
      fmt::format("hearsay run {} --out {}{} --resume", shell_path(directory + "/experiment.toml"),
                  shell_path(directory), part.is_whole() ? "" : " --shard " + shard_text);
  const ExperimentResult result = compute_results(std::move(experiment), directory, resume_command);
  if (result.status == RunStatus::finished_before) {
    print_message(fmt::format("{}: is finished already", directory));
    return;
  }
  if (result.status == RunStatus::stopped) {
    throw Failure(fmt::format(
        "interrupted at {} %, what is done is kept; continue with: {}",
        100 * result.work.done / std::max<std::uint64_t>(1, result.work.total), resume_command));
  }
  if (part.is_whole()) {
    print_results(result.plan, result.rows, json ? ResultsFormat::json : ResultsFormat::text,
                  directory);
  }
  if (const std::string informed = informed_learners_text(result.plan.cells());
      !quiet && !informed.empty()) {
    print_message(informed);
  }
  if (!quiet) {
    print_message(part.is_whole() ? place_of_results(directory)
                                  : fmt::format("results in {}", directory));
  }
}

}  // namespace

CLI::App* add_run(CLI::App& app, const ComputeUnits& compute, unsigned workers) {
  auto call = std::make_shared<RunCall>();
  call->compute = compute;
  CLI::App* command = app.add_subcommand("run", "Run an experiment from a file");
  command->add_option("FILE", call->file, "the experiment, as TOML (docs/experiments.md)")
      ->required();
  add_out(*command, call->out, "hearsay-out/NAME, with the name of the experiment");
  command
      ->add_option("--set", call->set,
                   "set a key of the file: environment.horizon=1000, "
                   "learners.exp3-wix.rate=[0.01,0.1]; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_number(*command, "--seed", call->seed, "determines all random numbers")
      ->default_str("that of the file");
  if (compute) {
    call->threads = workers;
  } else {
    add_threads(*command, call->threads);
    command
        ->add_option("--shard", call->shard_text, "only the I-th of K parts, for `hearsay merge`")
        ->type_name("I/K");
  }
  CLI::Option* resume =
      command->add_flag("--resume", call->resume, "continue where it was stopped");
  add_force(*command, call->force)->excludes(resume);
  command->add_flag("--dry-run", call->dry_run,
                    "print what would be run and an estimate of how long it takes");
  add_quiet(*command, call->quiet);
  add_json(*command, call->json);
  command->footer(
      "Example:\n"
      "  hearsay run experiments/quickstart.toml --set repetitions=20 \\\n"
      "    --out twenty-runs");
  command->callback([call] { call->run(); });
  return command;
}

void add_run(CLI::App& app) {
  add_run(app, nullptr, 0);
}

}  // namespace hearsay::cli
