#include "hearsay/problem/calibrate.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/output_files.h"
#include "cli/shared_options.h"
#include "cli/stop_signals.h"
#include "cli/text_table.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/text.h"
#include "hearsay/certificate/deadline.h"
#include "hearsay/graph/files.h"
#include "hearsay/problem/pairs.h"
#include "hearsay/report/calibration_report.h"
#include "hearsay/report/csv.h"
#include "hearsay/report/html.h"

namespace hearsay::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CalibrateCall {
  std::string file;
  std::vector<double> noise_bounds;  // empty for weights by spread
  FieldOptions options = FieldOptions(CalibrationOptions{});
  bool has_bins = false;  // whether --bins was given
  std::vector<double> range = {0, 1};
  std::string outcome = "loss";
  double time_limit = kCalibrationTimeLimit;
  std::string output;
  std::string corrections;
  std::string report;
  bool json = false;
};

struct CalibrateAnswer {
  std::vector<NoiseBoundChoice> choices;  // one for each noise bound, or that by spread
  std::size_t chosen = 0;                 // the recommended one
  std::size_t own_pairs = 0;
  std::size_t pairs = 0;

  const NoiseBoundChoice& choice() const { return choices[chosen]; }
  const Calibration& calibration() const { return choice().calibration; }

  std::vector<NoiseBoundNumbers> numbers() const {
    std::vector<NoiseBoundNumbers> all;
    std::ranges::transform(choices, std::back_inserter(all), numbers_of);
    return all;
  }
};

Outcome outcome_of(const CalibrateCall& call) {
  if (call.range.size() != 2) {
    throw Error("--range", "expected two numbers, LOW,HIGH");
  }
  try {
    return outcome_of_pairs(call.outcome, call.range[0], call.range[1]);
  } catch (const Error& error) {
    throw Error("--" + error.place(), error.message());
  }
}

Pairs read_pairs_of(const CalibrateCall& call) {
  const Outcome outcome = outcome_of(call);
  const std::string name = name_of_input(call.file);
  const auto input = call.file == "-" ? std::make_unique<InputStream>(STDIN_FILENO, name)
                                      : std::make_unique<InputStream>(call.file);
  return read_pairs(*input, name, outcome, "--range");
}

// `seconds` are for the independence numbers.
NoiseBoundChoice choice_within(double seconds, Calibration calibration) {
  Deadline deadline(seconds_now, seconds);
  const Effort effort{.threads = std::max(1U, std::thread::hardware_concurrency()),
                      .stop = [&] { return deadline.is_over(); }};
  return choice_of(std::move(calibration), effort,
                   [&](std::size_t, double, double) { deadline.note_bounds(); });
}

CalibrateAnswer calibrate_all(const Pairs& pairs, CalibrationOptions options,
                              const CalibrateCall& call) {
  CalibrateAnswer answer{.choices = {}, .own_pairs = pairs.own, .pairs = pairs.size()};
  const auto add = [&](double seconds) {
    answer.choices.push_back(choice_within(seconds, calibrate(pairs, options)));
  };
  for (const double noise_bound : call.noise_bounds) {
    options.noise_bound = noise_bound;
    add(call.time_limit / static_cast<double>(call.noise_bounds.size()));
  }
  if (call.noise_bounds.empty()) {
    add(call.time_limit);
  }
  answer.chosen = recommended(answer.choices);
  return answer;
}

Json interval_json(const EffectiveIndependence& alpha) {
  return {{"lower", alpha.lower}, {"upper", alpha.upper}, {"exact", alpha.exact}};
}

Json held_out_json(const HeldOut& held) {
  return {{"pairs", held.pairs},
          {"beyond", held.beyond},
          {"allowed", held.allowed},
          {"mean_square", held.mean_square}};
}

Json arm_json(const Calibration& calibration, Arm arm) {
  return calibration.numbered ? Json(arm) : Json(calibration.names[arm]);
}

Json group_json(const CalibratedGroup& group) {
  Json json = {{"name", group.name}, {"arcs", group.arcs}, {"pairs", group.pairs}};
  for (const auto& [name, value] : kGroupColumns) {
    json[name] = group.*value;
  }
  json["held_out"] = held_out_json(group.held_out);
  if (!group.no_weight.empty()) {
    json["no_weight"] = group.no_weight;
  }
  return json;
}

Json arc_json(const Calibration& calibration, const CalibratedArc& arc) {
  const CalibratedGroup& group = calibration.groups[arc.group];
  return {{"played", arm_json(calibration, arc.played)},
          {"seen", arm_json(calibration, arc.seen)},
          {"weight", group.weight},
          {"offset", group.offset},
          {"slope", group.slope},
          {"residual_bound", group.residual_bound},
          {"pairs", arc.pairs},
          {"group", group.name}};
}

void print_calibration_json(const CalibrateAnswer& answer) {
  const Calibration& calibration = answer.calibration();
  Json json;
  json["noise_bound"] =
      calibration.options.noise_bound ? Json(*calibration.options.noise_bound) : Json();
  json["normalisation"] = calibration.options.noise_bound ? "bound" : "spread";
  json["pairs"] = answer.pairs;
  json["own_pairs"] = answer.own_pairs;
  json["arms"] = calibration.names;
  json["arcs"] = Json::array();
  for (const CalibratedArc& arc : calibration.arcs) {
    json["arcs"].push_back(arc_json(calibration, arc));
  }
  json["groups"] = Json::array();
  for (const CalibratedGroup& group : calibration.groups) {
    json["groups"].push_back(group_json(group));
  }
  json["alpha_star_without"] = calibration.names.size();
  json["alpha_star"] = interval_json(answer.choice().alpha_star);
  json["alpha_r"] = interval_json(answer.choice().alpha_r);
  json["held_out"] = held_out_json(calibration.held_out);
  if (answer.choices.size() > 1) {
    json["noise_bounds"] = Json::array();
    for (const NoiseBoundChoice& choice : answer.choices) {
      json["noise_bounds"].push_back({{"noise_bound", choice.noise_bound},
                                      {"alpha_star", interval_json(choice.alpha_star)},
                                      {"alpha_r", interval_json(choice.alpha_r)},
                                      {"wix_cost", choice.wix_cost}});
    }
  }
  json["warnings"] = calibration.warnings;
  std::cout << json.dump() << '\n';
}

void print_groups(const Calibration& calibration) {
  constexpr std::size_t kMostShown = 40;
  const GroupDecimals decimals = group_decimals(calibration);
  TextTable table = {.columns = {{"group", TextTable::Align::left},
                                 {"arcs"},
                                 {"pairs"},
                                 {"offset"},
                                 {"slope"},
                                 {"spread"},
                                 {"bound"},
                                 {"weight"},
                                 {"interval", TextTable::Align::left}},
                     .rows = {}};
  for (std::size_t i = 0; i < std::min(kMostShown, calibration.groups.size()); ++i) {
    const CalibratedGroup& group = calibration.groups[i];
    const std::string weight = with_decimals(group.weight, decimals.weight);
    const std::string high = with_decimals(group.weight_high, decimals.weight);
    table.rows.push_back(
        {on_one_line(group.name), grouped_digits(group.arcs), grouped_digits(group.pairs),
         with_decimals(group.offset, decimals.reading), with_decimals(group.slope, decimals.slope),
         with_decimals(group.spread, decimals.reading),
         with_decimals(group.residual_bound, decimals.reading), weight,
         group.no_weight.empty() ? fmt::format("{} to {}", weight, high) : group.no_weight});
  }
  print_table(table);
  if (calibration.groups.size() > kMostShown) {
    std::cout << fmt::format("and {}: see --json\n",
                             counted(calibration.groups.size() - kMostShown, "more group"));
  }
}

void print_choices(const CalibrateAnswer& answer) {
  TextTable table = {.columns = {{"noise bound"}, {"alpha*"}, {"alpha^R"}, {"(1+R+R^2) alpha*"}},
                     .rows = {},
                     .best = answer.chosen};
  const NoiseBoundDecimals decimals = noise_bound_decimals(answer.numbers());
  for (const NoiseBoundChoice& choice : answer.choices) {
    table.rows.push_back({exact_digits(choice.noise_bound),
                          interval_text(choice.alpha_star, decimals.alpha),
                          interval_text(choice.alpha_r, decimals.alpha),
                          with_decimals(choice.wix_cost, decimals.cost)});
  }
  std::cout << '\n';
  print_table(table);
  std::cout << fmt::format("recommended for exp3-wix: {}\n",
                           exact_digits(answer.choice().noise_bound));
}

// The names of the first arms, as the graph file numbers them.
std::string arms_text(std::span<const std::string> names) {
  constexpr std::size_t kMost = 10;
  const bool is_all = names.size() <= kMost;
  return fmt::format("{}{}", fmt::join(names.first(std::min(names.size(), kMost)), ", "),
                     is_all ? "" : ", ...");
}

void print_calibration_text(const CalibrateAnswer& answer) {
  const Calibration& calibration = answer.calibration();
  const NoiseBoundChoice& choice = answer.choice();
  const int decimals = noise_bound_decimals(std::vector{numbers_of(choice)}).alpha;
  const bool by_bound = calibration.options.noise_bound.has_value();
  print_groups(calibration);
  std::cout << fmt::format("\npairs        {} ({} of an arm with itself left out)\n",
                           grouped_digits(answer.pairs), grouped_digits(answer.own_pairs))
            << (by_bound ? fmt::format("weights      by bound: noise in [-{0}, {0}]\n",
                                       *calibration.options.noise_bound)
                         : std::string("weights      by spread: noise of standard deviation 1\n"))
            << fmt::format("graph        {}, {}\n", counted(calibration.graph.arms(), "arm"),
                           counted(calibration.graph.arc_count(), "arc"))
            << fmt::format("arms         {}, in the order of the graph\n",
                           on_one_line(arms_text(calibration.names)))
            << fmt::format("alpha*       {} without side observations, {} with them\n",
                           grouped_digits(calibration.graph.arms()),
                           interval_text(choice.alpha_star, decimals))
            << fmt::format("alpha^R      {}\n", interval_text(choice.alpha_r, decimals));
  const HeldOut& held = calibration.held_out;
  std::cout << (by_bound
                    ? fmt::format("held out     {} of {} beyond the noise bound, at most about {} "
                                  "expected\n",
                                  grouped_digits(held.beyond), counted(held.pairs, "pair"),
                                  four_digits(held.allowed))
                    : fmt::format("held out     {}, mean square of the noise {}, at most 1 "
                                  "expected\n",
                                  counted(held.pairs, "pair"), four_digits(held.mean_square)));
  if (by_bound && calibration.options.quantile == 1) {
    std::cout << "limits       hold if P(|error| > x B) >= (1 - x)^2 for x up to 1, where B is the "
                 "largest error\n";
  }
  if (calibration.options.quantile < 1) {
    double beyond = 0;
    for (const CalibratedGroup& group : calibration.groups) {
      beyond += group.beyond * static_cast<double>(group.pairs);
    }
    std::cout << fmt::format("quantile     {}: {} of the pairs have a residual beyond the bound\n",
                             calibration.options.quantile,
                             four_digits(beyond / static_cast<double>(answer.pairs)));
  }
  if (answer.choices.size() > 1) {
    print_choices(answer);
  }
}

std::string corrections_csv(const Calibration& calibration) {
  std::string csv = "played,seen,weight,offset,slope,residual_bound,pairs,group\n";
  for (const CalibratedArc& arc : calibration.arcs) {
    const CalibratedGroup& group = calibration.groups[arc.group];
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}\n",
                   csv_field(calibration.names[arc.played]), csv_field(calibration.names[arc.seen]),
                   group.weight, group.offset, group.slope, group.residual_bound, arc.pairs,
                   csv_field(group.name));
  }
  return csv;
}

// Numbers stay numbers: they are the arms themselves.
std::span<const std::string> names_to_write(const Calibration& calibration) {
  return calibration.numbered ? std::span<const std::string>() : calibration.names;
}

// The command that repeats this call.
std::string command_again(const CalibrateCall& call) {
  std::string command =
      fmt::format("hearsay calibrate {}{}", shell_path(call.file), call.options.words_given());
  const auto add = [&](const char* option, const std::string& value) {
    command += fmt::format(" {} {}", option, value);
  };
  if (!call.noise_bounds.empty()) {
    add("--noise-bound", fmt::format("{}", fmt::join(call.noise_bounds, ",")));
  }
  if (call.range != std::vector<double>{0, 1}) {
    add("--range", fmt::format("{}", fmt::join(call.range, ",")));
  }
  if (call.outcome != "loss") {
    add("--outcome", call.outcome);
  }
  if (call.time_limit != CalibrateCall{}.time_limit) {
    add("--time-limit", fmt::format("{}", call.time_limit));
  }
  return command;
}

std::string report_page(const CalibrateCall& call, const CalibrateAnswer& answer) {
  Report report = calibration_report(answer.calibration(), command_again(call));
  report.input = name_of_input(call.file);
  add_noise_bounds(report, answer.numbers(), answer.chosen);
  return report_html(report);
}

void write_outputs(const CalibrateCall& call, const CalibrateAnswer& answer) {
  const Calibration& calibration = answer.calibration();
  const std::string corrections = call.corrections.empty() ? "" : corrections_csv(calibration);
  const std::string report = call.report.empty() ? "" : report_page(call, answer);
  // Until here there was nothing to tidy up, and a signal could end the program at once.
  const InterruptibleBySignals interruptible;
  OutputFiles files;
  files.add_graph(call.output, calibration.graph, names_to_write(calibration));
  files.add(call.corrections, corrections);
  files.add(call.report, report);
  files.commit();
}

void run_calibrate(const CalibrateCall& call, const CalibrationOptions& options) {
  for (const double noise_bound : call.noise_bounds) {
    constexpr double kLargest = 1e100;
    if (!(noise_bound > 0 && noise_bound <= kLargest)) {
      throw Error("--noise-bound",
                  fmt::format("is {}, expected a positive number up to {}", noise_bound, kLargest));
    }
  }
  if (call.has_bins && options.by != PooledBy::distance) {
    throw Error("--bins", "is given without --by distance, expected both or neither");
  }
  if (!(call.time_limit >= 0)) {
    throw Error("--time-limit", fmt::format("is {}, expected seconds from 0 on", call.time_limit));
  }
  if (!call.output.empty()) {
    graph_format(call.output);  // refuses a wrong ending before the work
  }
  check_outputs(
      call.file,
      {{"--output", call.output}, {"--corrections", call.corrections}, {"--report", call.report}});
  check_report(call.report);
  const Pairs pairs = read_pairs_of(call);
  const CalibrateAnswer answer = [&] {
    try {
      return calibrate_all(pairs, options, call);
    } catch (const Error& error) {
      throw error.place() == "by" ? error : error.within(call.file);
    }
  }();
  write_outputs(call, answer);
  call.json ? print_calibration_json(answer) : print_calibration_text(answer);
  for (const std::string& warning : answer.calibration().warnings) {
    print_warning(warning);
  }
  if (!call.output.empty()) {
    warn_of_lost_names(call.output, names_to_write(answer.calibration()));
  }
}

}  // namespace

void add_calibrate(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("calibrate", "Find weights from pairs of a reading and its outcome");
  command->footer(
      "PAIRS has the columns played, seen, reading and outcome: after `played` was played, "
      "`reading` was an estimate for the arm `seen`, and `outcome` its true outcome. Arms are "
      "names, or numbers from 0 on. For each arc a line reading = offset + slope * loss is fitted; "
      "the observation for learners is weight * (reading - offset) / slope. docs/calibrate.md "
      "explains it.\n\n"
      "Example:\n"
      "  hearsay calibrate examples/data/pairs.csv --by distance \\\n"
      "    --output graph.csv\n"
      "  hearsay calibrate examples/data/pairs.csv --by distance \\\n"
      "    --noise-bound 0.5,1,2 --quantile 0.95");
  const auto call = std::make_shared<CalibrateCall>();
  command->add_option("PAIRS", call->file, "the pairs, a CSV file; - for standard input")
      ->required()
      ->type_name("");
  add_numbers(*command, "--noise-bound", call->noise_bounds,
              "weights by bound: noise in [-R, R]; of several, as 0.5,1,2, one is recommended")
      ->type_name("R")
      ->default_str("weights by spread: noise of standard deviation 1");
  call->options.add_to(*command);
  add_numbers(*command, "--range", call->range, "the smallest and the largest outcome")
      ->type_name("LOW,HIGH")
      ->default_str("0,1");
  command->add_option("--outcome", call->outcome, "whether a larger outcome is worse or better")
      ->type_name("loss|reward")
      ->default_str("loss");
  add_graph_output(*command, call->output);
  command
      ->add_option("--corrections", call->corrections,
                   "write offset, slope and weight of every arc to this file")
      ->type_name("FILE.csv");
  add_report(*command, call->report, "the fit, the residuals and the weights");
  add_number(*command, "--time-limit", call->time_limit,
             "time for alpha*, which is an interval if it takes longer")
      ->type_name("SECONDS");
  add_json(*command, call->json);
  command->callback([call, command] {
    call->has_bins = command->count("--bins") > 0;
    call->options.use(
        [&](const AnyOptions& options) { run_calibrate(*call, options.as<CalibrationOptions>()); });
  });
}

}  // namespace hearsay::cli
