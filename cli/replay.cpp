#include "hearsay/play/replay.h"

#include <array>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/shared_options.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/gzip.h"
#include "hearsay/base/number_text.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/problem/log_reader.h"
#include "hearsay/problem/log_replay.h"

namespace hearsay::cli {
namespace {

std::string number_or_null(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "null";
}

// `"bounds": {...}`; if requested, `"conditions": {...}`; and if a condition has failed,
// `"failures": {...}`. Names, conditions and failures are texts of the library that need no
// escapes.
std::string bounds_text(const std::vector<RegretBound>& bounds, bool with_conditions) {
  std::string values;
  std::string conditions;
  std::string failures;
  for (const RegretBound& bound : bounds) {
    fmt::format_to(std::back_inserter(conditions), "{}\"{}\": \"{}\"",
                   conditions.empty() ? "" : ", ", bound.name, bound.conditions);
    fmt::format_to(std::back_inserter(values), "{}\"{}\": {}", values.empty() ? "" : ", ",
                   bound.name, number_or_null(bound.value));
    if (bound.per_switch) {
      fmt::format_to(std::back_inserter(values), ", \"{}_per_switch\": {}", bound.name,
                     *bound.per_switch);
    }
    if (bound.failed_in_round > 0) {
      fmt::format_to(std::back_inserter(failures), "{}\"{}\": \"round {}: {}\"",
                     failures.empty() ? "" : ", ", bound.name, bound.failed_in_round,
                     bound.failure);
    }
  }
  return fmt::format("\"bounds\": {{{}}}{}{}", values,
                     with_conditions ? fmt::format(", \"conditions\": {{{}}}", conditions) : "",
                     failures.empty() ? "" : fmt::format(", \"failures\": {{{}}}", failures));
}

void print_round(const ReplayedRound& round, bool with_conditions) {
  fmt::memory_buffer line;
  const RoundDetails& details = round.details;
  fmt::format_to(std::back_inserter(line),
                 R"({{"t": {}, "rate": {}, "exploration": {}, "q": {}, "probabilities": [{}], )"
                 R"("estimates": [{}], "bound": {}, {}}})"
                 "\n",
                 round.round, details.rate, details.exploration, details.q,
                 fmt::join(details.probabilities, ", "), fmt::join(details.estimates, ", "),
                 number_or_null(round.bound), bounds_text(round.bounds, with_conditions));
  std::cout.write(line.data(), static_cast<std::streamsize>(line.size()));
  if (!std::cout) {
    throw OutputNotWritten();
  }
}

struct ReplayCall {
  std::string log;
  std::string learner;
  FieldOptions parameters = FieldOptions(LearnerSpec{});
  bool lenient = false;
  bool conditions = false;
  std::optional<double> confidence;

  void run() const {
    const bool from_stdin = log == "-";
    const std::string name = name_of_input(log);
    const auto file = from_stdin ? std::make_unique<InputStream>(STDIN_FILENO, name)
                                 : std::make_unique<InputStream>(log);
    UnzippedStream input(*file, name);
    with_options_named({"confidence", "learner"}, [&] {
      if (begins_as_problem_log(input.peek_available())) {
        replay_problem_log(input, name);
      } else {
        parameters.use(
            [&](const AnyOptions& given) { replay_rounds(given.as<LearnerSpec>(), input, name); });
      }
    });
  }

 private:
  void replay_rounds(LearnerSpec spec, std::istream& input, const std::string& name) const {
    spec.name = learner;
    spec = default_learner(std::move(spec));
    spec.out_of_range = lenient ? OutOfRange::count : OutOfRange::refuse;
    warn_of_out_of_range(replay(input, name, spec, printer(), {.confidence = confidence}));
  }

  // The learner is that of the log, unless one is named; how many decisions await feedback is
  // always as the log has it.
  void replay_problem_log(std::istream& input, const std::string& name) const {
    LogReader reader(input, name);
    LearnerSpec base = learner_of(reader.problem());
    if (!learner.empty()) {
      base = LearnerSpec{.name = learner,
                         .arms = base.arms,
                         .noise_bound = base.noise_bound,
                         .max_outstanding = base.max_outstanding};
    }
    if (lenient) {
      base.out_of_range = OutOfRange::count;
    }
    parameters.use_over(base, [&](const AnyOptions& given) {
      warn_of_out_of_range(
          replay_log(reader, given.as<LearnerSpec>(), printer(), {.confidence = confidence}));
    });
    if (reader.ignored_bytes() > 0) {
      print_warning(fmt::format("{}: the last line is torn, {} ignored", name,
                                counted(reader.ignored_bytes(), "byte")));
    }
  }

  std::function<void(const ReplayedRound&)> printer() const {
    return
        [conditions = conditions](const ReplayedRound& round) { print_round(round, conditions); };
  }

  static void warn_of_out_of_range(const Certificate& certificate) {
    if (certificate.out_of_range > 0) {
      print_warning(fmt::format(
          "{} out of range: the noise bound or a weight is wrong{}; `hearsay calibrate` "
          "finds them from pairs of readings and outcomes",
          counted(certificate.out_of_range, "observation"),
          certificate.regret_bound ? "" : ", and there is no bound on the regret"));
    }
  }
};

}  // namespace

void add_replay(CLI::App& app) {
  auto call = std::make_shared<ReplayCall>();
  CLI::App* command = app.add_subcommand(
      "replay", "Print a learner's rates, probabilities and estimates for logged rounds");
  command
      ->add_option("LOG", call->log,
                   "the log of a problem, or rounds ({\"arms\": N}, then a line for each), JSON "
                   "lines; may be compressed by gzip; - for standard input")
      ->required();
  add_number(*command, "--confidence", call->confidence,
             "add a bound on the regret of this run that holds with this probability");
  command->add_flag("--conditions", call->conditions,
                    "add to each line the conditions under which each bound holds");
  command->add_flag(
      "--lenient", call->lenient,
      "count observations out of range instead of stopping at the first, which in the "
      "log of a problem is needed only if its learner refuses them");
  command
      ->add_option("--learner", call->learner,
                   "name of the learner (see `hearsay list`); its parameters are the options below")
      ->type_name("LEARNER")
      ->default_str(
          "that of the problem in the log, or exp3-ivc with --tuning ada --noise learned, which "
          "needs no parameter");
  // What the command sets by itself: it has --lenient, prints all bounds, and how many decisions
  // may await feedback is as in the log.
  constexpr std::array<std::string_view, 3> kLeftOut = {"out_of_range", "bounds",
                                                        "max_outstanding"};
  add_parameters(*command, call->parameters, kLeftOut);
  command->get_option("--noise-bound")->type_name("R");
  command->footer(
      "Example:\n"
      "  printf '%s\\n' '{\"arms\": 2}' \\\n"
      "    '{\"arm\":0,\"observations\":[0.25,0.5],\"weights\":[[1,0.5],[0,1]]}' \\\n"
      "    | hearsay replay - --learner exp3-wix\n"
      "  hearsay replay examples/data/log.jsonl --confidence 0.95 \\\n"
      "    > replayed.jsonl");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
