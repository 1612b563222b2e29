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
#include "cli/stop_signals.h"
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
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  bool quick = false;
  bool large = false;
  bool resume = false;
  bool force = false;
  bool quiet = false;

  void run();

 private:
  std::string command() const;
  std::string resume_command() const {
    return fmt::format("{} --out {} --resume", command(), shell_word(out));
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
  options.threads = threads;
  options.out = out;
  options.existing = force ? Existing::replace : (resume ? Existing::resume : Existing::refuse);
  options.command = command();
  options.record = start_run_record(threads);
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
      ->add_option("WHAT", call->parts, "random-graphs, grid, comparison (default: these), field")
      ->type_name("");
  command->add_option("--out", call->out, "directory of the results")
      ->type_name("DIR")
      ->capture_default_str();
  add_number(*command, "--seed", call->seed, "determines all random numbers");
  add_number(*command, "--threads", call->threads, "the results are the same for any number")
      ->check(CLI::Range(1, 4096));
  CLI::Option* quick =
      command->add_flag("--quick", call->quick, "seconds: fewer graphs, sequences and runs");
  command
      ->add_flag("--large", call->large,
                 "minutes: random graphs of up to 500 arms; field: hours, with larger worlds")
      ->excludes(quick);
  CLI::Option* resume =
      command->add_flag("--resume", call->resume, "continue where it was stopped");
  command->add_flag("--force", call->force, "replace the results that DIR holds")->excludes(resume);
  command->add_flag("--quiet", call->quiet, "do not show progress");
  command->footer(
      "Prints each claim of the paper, the figures measured, and whether it holds; the figures "
      "are\n"
      "drawn in report.html. `field` is not in the paper: every learner of `hearsay list` in nine\n"
      "worlds, which takes minutes; the results are in field.csv and in report.html.\n\n"
      "Example:\n"
      "  hearsay reproduce --quick\n"
      "  hearsay reproduce random-graphs grid --large --out graphs\n"
      "  hearsay reproduce field --out field");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
