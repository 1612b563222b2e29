// Writes reports of made-up numbers for the browser tests: sample_report DIRECTORY writes
// report.html, which has all that a report of learners can have, and its tables; run/report.html,
// as that of `hearsay run`; worlds/report.html, as that of `hearsay reproduce worlds`;
// graphs/report.html, with two graphs and a table of one row; and those of `hearsay alpha`,
// `hearsay calibrate` and `hearsay evaluate`. Some of the texts would break a page that did not
// escape them.

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "hearsay/graph/families.h"
#include "hearsay/random/stream.h"
#include "hearsay/report/calibration_report.h"
#include "hearsay/report/evaluation_report.h"
#include "hearsay/report/html.h"
#include "hearsay/report/independence_report.h"

namespace {

using hearsay::Figure;
using hearsay::Purpose;
using hearsay::Report;
using hearsay::Stream;

const Stream kStream(1, Purpose::test);

// The regret of a learner at its best threshold, and how fast it rises on both sides of it.
struct Learner {
  std::string_view name;
  double regret = 0;
  double left = 0;
  double right = 0;
  bool has_threshold = false;
  bool has_bound = false;
};

constexpr std::array<Learner, 6> kLearners = {{
    {.name = "exp3", .regret = 410},
    {.name = "exp3-ixb", .regret = 152, .left = 130, .right = 60, .has_threshold = true},
    {.name = "exp3-ixt", .regret = 70, .left = 25, .right = 90, .has_threshold = true},
    {.name = "exp3-wix", .regret = 57, .has_bound = true},
    {.name = "exp3-wix sharp", .regret = 55, .has_bound = true},
    {.name = "exp3-ivx", .regret = 53, .has_bound = true},
}};

Report::Table comparison() {
  std::string text = "rate,learner,threshold,regret,regret_sd\n";
  std::uint64_t draw = 0;
  const std::array<std::string_view, 3> rates = {"adaptive", "0.01", "0.1"};
  for (std::size_t panel = 0; panel < rates.size(); ++panel) {
    const double level = panel == 0 ? 140 : panel == 1 ? 200 : 0;
    for (const Learner& learner : kLearners) {
      for (int step = 0; step <= (learner.has_threshold ? 20 : 0); ++step) {
        const double threshold = step * 0.05;
        const double away = threshold - 0.6;
        const double bend =
            learner.has_threshold ? (away < 0 ? learner.left : learner.right) * away * away * 4 : 0;
        const double regret = level + learner.regret + bend + 6 * kStream.normal(1, ++draw);
        text += fmt::format("{},{},{},{},{}\n", rates.at(panel), learner.name,
                            learner.has_threshold ? fmt::format("{:.4g}", threshold) : "", regret,
                            15 + 10 * kStream.uniform(2, ++draw));
      }
    }
  }
  return {.name = "summary.csv", .text = text};
}

Report::Table curves() {
  std::string text = "learner,round,regret,regret_sd,bound\n";
  for (const Learner& learner : kLearners) {
    for (int step = 1; step <= 100; ++step) {
      const double round = 50.0 * step;
      const double shape = std::sqrt(round / 5000);
      const double wobble = 3 * std::sin(round / 400 + learner.regret);
      text += fmt::format(
          "{},{},{},{},{}\n", learner.name, round, learner.regret * shape + wobble, 20 * shape,
          learner.has_bound ? fmt::format("{}", 1.4 + 19 * learner.regret * shape) : "");
    }
  }
  return {.name = "results.csv", .text = text};
}

Report::Table random_graphs() {
  std::string text = "weights,arms,graph,alpha_star,growth\n";
  constexpr std::array<int, 10> kArms = {5, 10, 20, 50, 80, 100, 200, 300, 500, 1000};
  const std::array<std::string_view, 3> laws = {"\"U(0, 1)\"", "\"U(1/2, 1)\"", "\"U(0, 1/2)\""};
  for (std::size_t law = 0; law < laws.size(); ++law) {
    for (const int arms : kArms) {
      for (std::uint64_t graph = 0; graph < 100; ++graph) {
        const double noise =
            kStream.normal(3 + law, graph + 1000 * static_cast<std::uint64_t>(arms));
        const double slow = 4.7 * std::log(arms) - 4.2;
        const double alpha = law == 0   ? slow + 0.5 * noise
                             : law == 1 ? 4 - (8 + noise) / (arms + 4)
                                        : std::min<double>(arms, 4 * slow + 1.5 * noise);
        const double growth = law == 1 ? 4 : law == 0 ? 4.1 * std::log(arms) : arms;
        text += fmt::format("{},{},{},{},{}\n", laws.at(law), arms, graph, alpha,
                            law == 2 && arms > 100 ? "" : fmt::format("{}", growth));
      }
    }
  }
  return {.name = "random-graphs.csv", .text = text};
}

Report::Table grid() {
  std::string text = "weight,side,alpha_star,limit\n";
  for (int side = 2; side <= 15; ++side) {
    const double odd = side % 2 == 0 ? -1 : 1;
    text += fmt::format("1/(1+d^2),{},{},8.585\n", side, 8.2 + odd * 4.0 / side);
    text += fmt::format("1/(1+d)^2,{},{},32.8\n", side, 30 + odd * 9.0 / side - 22.0 / side);
  }
  return {.name = "grid.csv", .text = text};
}

Report::Table sweep() {
  std::string text = "learner,noise,rate,regret,regret_sd\n";
  constexpr std::array<double, 5> kRates = {0.003, 0.01, 0.03, 0.1, 0.3};
  for (const std::string_view learner : {"exp3", "exp3-ivx"}) {
    for (const std::string_view noise : {"uniform", "rademacher"}) {
      for (const double rate : kRates) {
        const double base = learner == "exp3" ? 320 : 55;
        const double from = std::log(rate / (learner == "exp3" ? 0.02 : 0.12));
        text += fmt::format("{},{},{},{},{}\n", learner, noise, rate,
                            base + 40 * from * from + (noise == "uniform" ? 0 : 18), 12);
      }
    }
  }
  // Quotes, a line break inside a cell, the end of a script, a line separator of JavaScript.
  text += "\"</script><script>alert(1)</script>, \"\"quoted\"\"\r\nand \u2028 long\",,,,\n";
  return {.name = "sweep.csv", .text = text};
}

std::vector<Figure::Band> bands() {
  return {{"sd", "regret_sd", 1, "standard deviation of 10 runs"},
          {"se", "regret_sd", 0.5, "half of it"}};
}

Report::Table ranking() {
  std::string text =
      "rank,name,learner,regret,regret_low,regret_high,difference,difference_low,difference_high,"
      "bound\n";
  for (std::size_t rank = 1; rank <= kLearners.size(); ++rank) {
    const Learner& learner = kLearners.at(kLearners.size() - rank);
    const double more = learner.regret - kLearners.back().regret;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", rank, learner.name, learner.name,
                        learner.regret, learner.regret - 5, learner.regret + 5, more, more - 3,
                        more + 3, learner.has_bound ? "1234.5" : "");
  }
  return {.name = "ranking.csv", .text = text};
}

// A cycle of six arms, each of which shows the next.
hearsay::GraphPicture graph() {
  hearsay::GraphPicture picture{.caption = "Six arms, each shows the next.",
                                .arms = 6,
                                .side = 6,
                                .weights = {},
                                .threshold = 0.5,
                                .witness = {0, 2, 4}};
  for (std::size_t played = 0; played < picture.arms; ++played) {
    for (std::size_t seen = 0; seen < picture.arms; ++seen) {
      const bool is_next = seen == (played + 1) % picture.arms;
      picture.weights += seen == played ? "ff" : is_next ? "80" : "00";
    }
  }
  return picture;
}

std::vector<Figure> figures() {
  using Kind = Figure::Reference::Kind;
  using Scale = Figure::Scale;
  std::vector<Figure::Series> learners;
  for (const Learner& learner : kLearners) {
    const std::string name(learner.name);
    learners.push_back({{name},
                        name,
                        name == "exp3-wix sharp" || name == "exp3-ivx",
                        name.substr(0, name.find(' '))});
  }
  return {
      {.id = "comparison",
       .title = "Total regret against the threshold",
       .caption =
           "25 arms on a 5 x 5 grid, T = 5000. Learners without a threshold are horizontal lines.",
       .table = "summary.csv",
       .mark = Figure::Mark::points,
       .x = {.column = "threshold", .title = "threshold"},
       .y = {.column = "regret", .title = "total regret", .from_zero = true},
       .bands = bands(),
       .series_columns = {"learner"},
       .series = learners,
       .panel = "rate",
       .panel_title = "rate"},
      {.id = "curves",
       .title = "Regret over time, and its certificate",
       .caption = "Mean regret after each round, rate 0.1.",
       .table = "results.csv",
       .mark = Figure::Mark::curve,
       .x = {.column = "round", .title = "round"},
       .y = {.column = "regret", .title = "regret", .from_zero = true},
       .bands = bands(),
       .references = {{.column = "bound", .title = "certificate", .kind = Kind::bound}},
       .series_columns = {"learner"},
       .series = learners},
      {.id = "random-graphs",
       .title = "The effective independence number of random graphs",
       .caption = "100 directed graphs of each size, weights independent and uniform.",
       .table = "random-graphs.csv",
       .mark = Figure::Mark::scatter,
       .x = {.column = "arms", .title = "arms", .scale = Scale::log},
       .y = {.column = "alpha_star", .title = "alpha*", .from_zero = true},
       .references = {{.column = "growth", .title = "growth the paper claims"}},
       .series = {{{}, "alpha*", false}},
       .panel = "weights",
       .panel_title = "weights"},
      {.id = "grid",
       .title = "The effective independence number of grids",
       .caption =
           "k x k points on the unit square, both interpretations of the weight, and the limits.",
       .table = "grid.csv",
       .mark = Figure::Mark::points,
       .x = {.column = "side", .title = "side k", .scale = Scale::linear_only},
       .y = {.column = "alpha_star", .title = "alpha*", .from_zero = true},
       .references = {{.column = "limit", .title = "limit", .kind = Kind::of_series}},
       .series_columns = {"weight"},
       .series = {{{"1/(1+d^2)"}, "1/(1+d^2)", false}, {{"1/(1+d)^2"}, "1/(1+d)^2", false}}},
      {.id = "sweep",
       .title = "Final regret against the rate",
       .caption = "A sweep over rate and noise; </script> & \"quotes\" are only text.",
       .table = "sweep.csv",
       .filter = {{"learner", {"exp3", "exp3-ivx"}}},
       .mark = Figure::Mark::points,
       .x = {.column = "rate", .title = "rate", .scale = Scale::log},
       .y = {.column = "regret", .title = "final regret"},
       .bands = bands(),
       .series_columns = {"learner", "noise"},
       .series = {{{"exp3", "uniform"}, "exp3, noise uniform", false, "exp3"},
                  {{"exp3", "rademacher"}, "exp3, noise rademacher", false, "exp3"},
                  {{"exp3-ivx", "uniform"}, "exp3-ivx, noise uniform", true, "exp3-ivx"},
                  {{"exp3-ivx", "rademacher"}, "exp3-ivx, noise rademacher", true, "exp3-ivx"}}},
  };
}

Report sample() {
  return {
      .title = "Online learning with noisy side observations",
      .subtitle = "The experiments of the paper run again, with numbers made up for a test.",
      .command = "hearsay reproduce --seed 1 --out hearsay-out/reproduce",
      .version = "1.2.3",
      .seed = "18446744073709551615",
      .settings =
          "# all defaults filled in\nseed = 1\n\n[environment]\nfamily = \"grid\"\nside = 5\n"
          "weight = \"inverse-square-cap:3\"\nhorizon = 5000\n\n[[learner]]\n"
          "name = \"exp3-wix\"\nrate = [\"adaptive\", 0.01, 0.1]\n",
      .facts = {{"Rounds", "5,000"}, {"Fingerprint", "0123456789abcdef0123456789abcdef"}},
      .claims = {{.claim = "wix is consistently good, whatever the threshold",
                  .paper = "below ixb and ixt at every threshold",
                  .measured = "57 against at best 152 (ixb) and 70 (ixt) at rate 0.1",
                  .verdict = Report::Verdict::holds,
                  .figure = "comparison"},
                 {.claim = "ixb and ixt are good only for moderate thresholds",
                  .paper = "both rise at both ends",
                  .measured = "ixb rises at both ends; ixt on the left only with more noise",
                  .verdict = Report::Verdict::in_part},
                 {.claim = "alpha* of the grid on the unit square",
                  .paper = "roughly 30",
                  .measured = "8.5 with 1/(1+d^2), 29 with 1/(1+d)^2",
                  .verdict = Report::Verdict::does_not_hold}},
      .highlight = "sweep",
      .ranking = {"ranking.csv", "Intervals of 95 %; those of exp3_x are made up."},
      .figures = figures(),
      .graphs = {graph()},
      .tables = {ranking(), comparison(), curves(), random_graphs(), grid(), sweep()},
  };
}

Report sample_run() {
  Report report = sample();
  report.title = "quickstart";
  report.subtitle = {};
  report.claims = {};
  report.highlight = {};
  report.figures = {figures().at(1)};
  report.figures.front().references.front().shown = false;
  report.figures.front().references.front().note = "The bound holds in expectation.";
  report.ranking.oracles = {"exp3-wix sharp"};
  report.tables = {ranking(), curves()};
  return report;
}

Report::Table worlds() {
  std::string text = "world,label,knows,regret,error,relative\n";
  const std::array<std::string_view, 8> worlds = {"seed",  "empty", "complete", "star",
                                                  "cycle", "grid",  "switch",   "random"};
  for (std::size_t world = 0; world < worlds.size(); ++world) {
    for (std::size_t learner = 0; learner < kLearners.size(); ++learner) {
      const std::size_t place = (learner + world) % kLearners.size();
      const double relative = static_cast<double>(place) / 4;  // the last is worse than uniform
      text += fmt::format("{},{},{},{},{},{}\n", worlds.at(world), kLearners.at(learner).name,
                          learner % 2 == 0 ? "" : "\"noise bound, horizon\"", 10 + 300 * relative,
                          learner == 0 ? "" : "2.345", relative);
    }
  }
  return {.name = "worlds.csv", .text = text};
}

Report sample_worlds() {
  Report report = sample_run();
  report.title = "Every learner in every world";
  report.ranking = {};
  report.figures = {};
  report.graphs = {};
  report.heat_maps = {{.id = "worlds",
                       .title = "Every learner in every world",
                       .caption = "Regret at the horizon.",
                       .table = "worlds.csv",
                       .row = "label",
                       .row_title = "Learner",
                       .column = "world",
                       .value = "regret",
                       .error = "error",
                       .colour = "relative",
                       .notes = {"knows"},
                       .columns = {{"seed", "the paper's 5 x 5 grid and its losses"},
                                   {"empty", "no arm shows another"},
                                   {"grid", "2 x 5 arms, weights 1/(1+d^2)"}}}};
  report.tables = {worlds()};
  return report;
}

// Two graphs, and a table of one row.
Report sample_graphs() {
  Report report = sample_run();
  report.ranking = {};
  report.figures = {};
  report.graphs = {graph(), graph()};
  report.tables = {{.name = "one.csv", .text = "arms,alpha\n6,3\n"}};
  return report;
}

// Of a grid of 36 arms, with the noise bound 1/2.
Report sample_alpha() {
  const hearsay::Graph graph = hearsay::make_grid({.side = 6});
  const std::vector<hearsay::Cost> costs = {hearsay::inverse_square_cost, hearsay::noise_cost(0.5)};
  const auto found = hearsay::effective_independence(graph, costs, {});
  const std::vector<hearsay::IndependenceClaims> claims = {
      {.arms = graph.arms(),
       .alpha_star = found.at(0),
       .noise = hearsay::NoiseClaim{.noise_bound = 0.5, .alpha_r = found.at(1)}}};
  Report report =
      hearsay::independence_report(graph, claims, "hearsay alpha alpha.npy --noise-bound 0.5");
  report.input = "alpha.npy";
  return report;
}

// Three arms that show each other, each pair with its own offset.
Report sample_calibration() {
  hearsay::Pairs pairs;
  pairs.names = {"north", "south", "<b>west</b>"};
  std::uint64_t draw = 0;
  for (hearsay::Arm played = 0; played < 3; ++played) {
    for (hearsay::Arm seen = 0; seen < 3; ++seen) {
      for (int pair = 0; played != seen && pair < 200; ++pair) {
        pairs.played.push_back(played);
        pairs.seen.push_back(seen);
        pairs.loss.push_back(kStream.uniform(20, ++draw));
        const double noise = (0.1 + 0.1 * played) * (2 * kStream.uniform(21, ++draw) - 1);
        pairs.reading.push_back(0.2 * seen + pairs.loss.back() + noise);
      }
    }
  }
  // Without a command, as Python's report of a calibration.
  std::vector<hearsay::NoiseBoundChoice> choices;
  std::vector<hearsay::NoiseBoundNumbers> numbers;
  for (const double noise_bound : {0.25, 0.5, 1.0}) {
    choices.push_back(hearsay::choice_of(hearsay::calibrate(pairs, {.noise_bound = noise_bound})));
    numbers.push_back(hearsay::numbers_of(choices.back()));
  }
  const std::size_t chosen = hearsay::recommended(choices);
  Report report = hearsay::calibration_report(choices.at(chosen).calibration, "");
  hearsay::add_noise_bounds(report, numbers, chosen);
  return report;
}

// 600 rounds of three arms that are played at random; two show each other.
Report sample_evaluation() {
  std::string log =
      R"({"hearsay_log": 1, "problem": {"names": ["beach", "island & bay", "<b>city</b>"], )"
      R"("outcome": {"kind": "reward", "low": 0, "high": 100}, "noise_bound": 0.5, )"
      R"("graph": {"arcs": [["beach", "island & bay", 0.8], ["island & bay", "beach", 0.8]]}}})"
      "\n";
  const std::array<std::string_view, 3> names = {"beach", "island & bay", "<b>city</b>"};
  for (std::uint64_t round = 1; round <= 600; ++round) {
    const double drawn = kStream.uniform(13, round);
    const std::size_t arm = drawn < 0.4 ? 0 : drawn < 0.8 ? 1 : 2;
    const double beach = 50 + 20 * kStream.uniform(10, round);
    const double island = 30 + 20 * kStream.uniform(11, round);
    const std::array<double, 3> outcomes = {beach, island, 40 + 20 * kStream.uniform(12, round)};
    const std::array<double, 3> readings = {island + 4, beach - 4, 0};
    log += fmt::format(
        R"({{"decision": {0}, "arm": "{1}", "probability": {2}, "probabilities": [0.4, 0.4, 0.2]}})"
        "\n"
        R"({{"feedback": {0}, "outcome": {3}{4}}})"
        "\n",
        round, names.at(arm), arm == 2 ? 0.2 : 0.4, outcomes.at(arm),
        arm == 2
            ? ""
            : fmt::format(R"(, "readings": {{"{}": {}}})", names.at(1 - arm), readings.at(arm)));
  }
  std::istringstream text(log);
  Report report = hearsay::evaluation_report(
      hearsay::evaluate_log(text, "log.jsonl", {}, hearsay::LearnerSpec{.name = "exp3"}),
      "hearsay evaluate log.jsonl --learner exp3");
  report.input = "log.jsonl";
  return report;
}

void write(Report report, const std::string& directory) {
  report.version = sample().version;  // a picture of it must not change with the version
  std::filesystem::create_directories(directory);
  std::ofstream(directory + "/report.html", std::ios::binary) << hearsay::report_html(report);
  for (const Report::Table& table : report.tables) {
    std::ofstream(directory + "/" + table.name, std::ios::binary) << table.text;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: sample_report DIRECTORY\n";
    return 2;
  }
  const std::string directory = argv[1];
  write(sample(), directory);
  write(sample_run(), directory + "/run");
  write(sample_worlds(), directory + "/worlds");
  write(sample_graphs(), directory + "/graphs");
  write(sample_alpha(), directory + "/alpha");
  write(sample_calibration(), directory + "/calibrate");
  write(sample_evaluation(), directory + "/evaluate");
}
