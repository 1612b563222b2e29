#include "hearsay/play/replay.h"

#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/messages.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"

namespace hearsay::cli {
namespace {

std::string number_or_null(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "null";
}

// `"bounds": {...}` and, if a condition has failed, `"failures": {...}`. The names and failures are
// the library's own words, which need no escapes.
std::string bounds_text(const std::vector<RegretBound>& bounds) {
  std::string values;
  std::string failures;
  for (const RegretBound& bound : bounds) {
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
  return fmt::format("\"bounds\": {{{}}}{}", values,
                     failures.empty() ? "" : fmt::format(", \"failures\": {{{}}}", failures));
}

void print_round(const ReplayedRound& round) {
  fmt::memory_buffer line;
  const RoundFigures& figures = round.figures;
  fmt::format_to(std::back_inserter(line),
                 R"({{"t": {}, "rate": {}, "exploration": {}, "q": {}, "probabilities": [{}], )"
                 R"("estimates": [{}], "bound": {}, {}}})"
                 "\n",
                 round.t, figures.rate, figures.exploration, figures.q,
                 fmt::join(figures.probabilities, ", "), fmt::join(figures.estimates, ", "),
                 number_or_null(round.bound), bounds_text(round.bounds));
  std::cout.write(line.data(), static_cast<std::streamsize>(line.size()));
  if (!std::cout) {
    throw Failure("standard output: could not be written");
  }
}

struct ReplayCall {
  std::string log;
  std::string learner;
  FieldOptions parameters = FieldOptions(LearnerSpec{});
  bool lenient = false;
  std::optional<double> confidence;

  void run() const {
    parameters.use([&](const AnyOptions& given) { replay_log(given.as<LearnerSpec>()); });
  }

 private:
  void replay_log(LearnerSpec spec) const {
    spec.name = learner;
    spec.out_of_range = lenient ? OutOfRange::count : OutOfRange::refuse;
    const bool from_stdin = log == "-";
    const std::string name = from_stdin ? "standard input" : log;
    const auto input = from_stdin ? std::make_unique<InputStream>(STDIN_FILENO, name)
                                  : std::make_unique<InputStream>(log);
    const Certificate certificate =
        replay(*input, name, spec, print_round, {.confidence = confidence});
    if (certificate.out_of_range > 0) {
      print_message(
          fmt::format("{} observations are out of range: the noise bound or a weight is wrong, and "
                      "there is no bound on the regret",
                      certificate.out_of_range));
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
                   "JSON lines: {\"arms\": N}, then one line for each round; - for standard input")
      ->required();
  command->add_option("--learner", call->learner, "name of the learner (see `hearsay list`)")
      ->required()
      ->type_name("LEARNER");
  call->parameters.add_to(*command);
  command
      ->add_option("--confidence", call->confidence,
                   "add a bound on the regret of this run that holds with this probability")
      ->type_name("NUMBER");
  command->add_flag("--lenient", call->lenient,
                    "count observations out of range instead of stopping at the first");
  command->footer(
      "Example:\n"
      "  printf '%s\\n' '{\"arms\": 2}' '{\"arm\": 0, \"observations\": [0.25, 0.5], \"weights\": "
      "[[1, 0.5], "
      "[0, 1]]}' \\\n"
      "    | hearsay replay - --learner exp3-wix");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
