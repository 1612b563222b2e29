#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/claims_table.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/run_record.h"
#include "cli/shared_options.h"
#include "cli/stop_signals.h"
#include "cli/worlds_table.h"
#include "hearsay/base/text.h"
#include "hearsay/report/html.h"
#include "reproduce/reproduction.h"

namespace hearsay::cli {
namespace {

using reproduce::PaperScale;
using reproduce::ReproduceOptions;
using reproduce::Reproduction;
using reproduce::StudyProgress;

struct ReproduceCall {
  std::vector<std::string> parts;
  std::string out = "hearsay-out/reproduce";
  std::uint64_t seed = 1;
  std::optional<unsigned> threads;
  bool quick = false;
  bool large = false;
  bool resume = false;
  bool force = false;
  bool quiet = false;

  void run();

 private:
  std::string command() const;
  std::string resume_command() const {
    return fmt::format("{} --out {} --resume", command(), shell_path(out));
  }
  Reproduction compute() const;
};

std::string ReproduceCall::command() const {
  std::string text = "hearsay reproduce";
  if (parts != reproduce::ordered_parts({})) {
    for (const std::string& part : parts) {
      text += " " + part;
    }
  }
  return text + (quick ? " --quick" : "") + (large ? " --large" : "") +
         fmt::format(" --seed {}", seed);
}

Reproduction ReproduceCall::compute() const {
  ReproduceOptions options;
  options.parts = parts;
  options.scale = quick ? PaperScale::quick : (large ? PaperScale::large : PaperScale::full);
  options.seed = seed;
  options.threads = thread_count(threads);
  options.out = out;
  options.existing = force ? Existing::replace : (resume ? Existing::resume : Existing::refuse);
  options.command = command();
  options.record = start_run_record(options.threads);
  options.stop = StopSignals::caught;
  std::string study;
  std::optional<Progress> progress;  // of that study
  options.progress = [&](const StudyProgress& now) {
    if (now.study != study) {
      study = now.study;
      progress.reset();
      progress.emplace(study, now.counted, quiet ? Verbosity::quiet : Verbosity::normal);
    }
    progress->show(now.done, now.total);
  };
  const StopSignals signals;
  try {
    return reproduce_paper(options);
  } catch (const std::system_error& error) {
    throw Failure(
        fmt::format("{}; what is done is kept; continue with: {}", error.what(), resume_command()));
  }
}

void ReproduceCall::run() {
  parts = reproduce::ordered_parts(parts);
  const Reproduction reproduction = compute();
  if (reproduction.status == RunStatus::finished_before) {
    print_message(fmt::format("{}: is finished already", out));
    return;
  }
  if (reproduction.status == RunStatus::stopped) {
    const StudyProgress& at = reproduction.stopped_at;
    throw Failure(fmt::format("interrupted in {} at {} %, what is done is kept; continue with: {}",
                              at.study, 100 * at.done / std::max<std::uint64_t>(1, at.total),
                              resume_command()));
  }
  if (!reproduction.claims.empty()) {
    print_claims(reproduction.claims);
  }
  if (!reproduction.worlds.empty()) {
    print_worlds(reproduction.worlds);
  }
  const std::string shown = on_one_line(out);
  std::cout << (report_available()
                    ? fmt::format("\nThe report: {}/report.html\n", shown)
                    : fmt::format("\nThe results: {} (no report.html: built without the page)\n",
                                  shown));
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto call = std::make_shared<ReproduceCall>();
  CLI::App* command = app.add_subcommand("reproduce", "Repeat the paper's experiments");
  command
      ->add_option("PART", call->parts,
                   fmt::format("any of {}", fmt::join(reproduce::kParts, ", ")))
      ->type_name(fmt::format("{}", fmt::join(reproduce::kParts, "|")))
      ->default_str("those of the paper: all but worlds");
  add_out(*command, call->out, call->out);
  add_seed(*command, call->seed);
  add_threads(*command, call->threads);
  CLI::Option* quick =
      command->add_flag("--quick", call->quick, "seconds: fewer graphs, sequences and runs");
  command
      ->add_flag("--large", call->large,
                 "minutes: random graphs of up to 500 arms; worlds: hours, with larger worlds too")
      ->excludes(quick);
  CLI::Option* resume =
      command->add_flag("--resume", call->resume, "continue where it was stopped");
  add_force(*command, call->force)->excludes(resume);
  add_quiet(*command, call->quiet);
  command->footer(
      "Prints each claim of the paper, what was measured and whether it holds; report.html has "
      "the figures. `worlds` is not in the paper: every learner of `hearsay list` in "
      "nine worlds, which takes minutes; the results are in worlds.csv and in report.html.\n\n"
      "Example:\n"
      "  hearsay reproduce --quick\n"
      "  hearsay reproduce random-graphs grid --quick --seed 2 --out graphs\n"
      "  hearsay reproduce worlds --quick --out worlds");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
