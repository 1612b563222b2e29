// `hearsay calibrate`, run as a program.

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/distributions.h"
#include "hearsay/graph/files.h"
#include "hearsay/problem/problem_file.h"
#include "hearsay/random/stream.h"
#include "hearsay/report/html.h"
#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;

constexpr std::size_t kPairsOfArc = 3000;

// Pairs of three arcs: losses uniform on [0, 1], and reading = 7 + 2 loss + error, with errors
// uniform on [-size, size] in units of the loss.
std::string planted_csv() {
  struct Planted {
    std::string_view arc;
    double size;
    std::string_view group_and_distance;
  };
  constexpr auto kArcs = std::to_array<Planted>({{"home,shop", 0.1, "near,1"},
                                                 {"home,\"news, all\"", 0.5, "far,9"},
                                                 {"shop,home", 0.1, "near,1"}});
  const Stream stream(3, Purpose::noise);
  std::string csv = "played,seen,reading,outcome,group,distance\n";
  for (std::size_t i = 0; i < 3 * kPairsOfArc; ++i) {
    const Planted& arc = kArcs[i % 3];
    const double loss = stream.uniform(1, i);
    const double reading = 7 + 2 * loss + 2 * arc.size * (2 * stream.uniform(2, i) - 1);
    csv += fmt::format("{},{},{},{}\n", arc.arc, reading, loss, arc.group_and_distance);
  }
  return csv;
}

nlohmann::json calibrated(const ScratchDirectory& scratch, std::vector<std::string> options) {
  std::vector<std::string> arguments = {"calibrate", scratch.file("pairs.csv"), "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramRun run = run_program(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return nlohmann::json::parse(run.out);
}

// How far estimates from n planted pairs of an arc can be off. The readings have errors uniform on
// [-2 size, 2 size], with the standard deviation 2 size / sqrt(3), and the losses the variance
// 1/12, so the slope has the standard error 2 size / sqrt(3) * sqrt(12 / n), and the line at the
// ends of [0, 1] (the offset is its value at 0) 2 size / sqrt(3) * sqrt(1 / n + (1/4) / (n / 12)).
// Five standard errors are allowed: an estimate is beyond four with a probability of 6e-5, and the
// variance of 3000 losses is within 7 % of 1/12 (four of its standard deviations).
struct Tolerances {
  explicit Tolerances(double size) {
    const double n = kPairsOfArc;
    slope = 5 * 4 * size / std::sqrt(n);
    line = 5 * 4 * size / std::sqrt(3 * n);
    // A residual is an error, of which the largest of n is below x times its bound with the
    // probability x^n, and the error of the line.
    least_bound = 2 * size * std::pow(1e-6, 1 / n) - line;
    largest_bound = 2 * size + line;
    // Uniform errors have the kurtosis 1.8, so their variance has the relative standard error
    // sqrt(0.8 / n), and the standard deviation half of it.
    const double spread = 5 * 0.5 * std::sqrt(0.8 / n);
    least_spread = 2 * size / std::sqrt(3) * (1 - spread);
    largest_spread = 2 * size / std::sqrt(3) * (1 + spread);
    // The lower confidence limit of a slope is another t = 1.96 standard errors lower.
    least_slope = 2 - 8 * slope / 5;
    largest_slope = 2 + slope;
  }

  double slope;
  double line;
  double least_bound;
  double largest_bound;
  double least_spread;
  double largest_spread;
  double least_slope;
  double largest_slope;
};

TEST(CalibrateCommand, FindsPlantedWeightsByBoundAndBySpread) {
  const ScratchDirectory scratch;
  scratch.write("pairs.csv", planted_csv());
  const auto by_bound = calibrated(scratch, {"--noise-bound", "1"});
  EXPECT_EQ(by_bound["noise_bound"], 1);
  EXPECT_EQ(by_bound["arms"], (std::vector<std::string>{"home", "shop", "news, all"}));
  ASSERT_EQ(by_bound["arcs"].size(), 3U);
  for (const auto& arc : by_bound["arcs"]) {
    const Tolerances allowed(arc["seen"] == "news, all" ? 0.5 : 0.1);
    const double bound = arc["residual_bound"].get<double>();
    EXPECT_NEAR(arc["offset"].get<double>(), 7, allowed.line);
    EXPECT_NEAR(arc["slope"].get<double>(), 2, allowed.slope);
    EXPECT_GE(bound, allowed.least_bound);
    EXPECT_LE(bound, allowed.largest_bound);
    // The upper limit of the errors is the largest one times 1 / (1 - sqrt(1 - 0.025^(1/n))) and
    // times a factor for the leverage, which is 4/n at the ends of [0, 1], or a little more.
    const double n = kPairsOfArc;
    const double limit =
        allowed.largest_bound / (1 - std::sqrt(1 - std::pow(0.025, 1 / n))) / (1 - 5 / n);
    EXPECT_LE(arc["weight"].get<double>(), 1 / (1 + allowed.least_bound / allowed.largest_slope));
    EXPECT_GE(arc["weight"].get<double>(), 1 / (1 + limit / allowed.least_slope));
    EXPECT_EQ(arc["pairs"], kPairsOfArc);
  }
  EXPECT_EQ(by_bound["held_out"]["pairs"], 3 * kPairsOfArc / 5);
  EXPECT_EQ(by_bound["alpha_star_without"], 3);
  const auto by_spread = calibrated(scratch, {});
  EXPECT_TRUE(by_spread["noise_bound"].is_null());
  for (const auto& arc : by_spread["arcs"]) {
    const Tolerances allowed(arc["seen"] == "news, all" ? 0.5 : 0.1);
    const double degrees = kPairsOfArc - 2;
    const double limit =
        allowed.largest_spread * std::sqrt(degrees / chi_square_quantile(0.025, degrees));
    EXPECT_LE(arc["weight"].get<double>(), 1 / (1 + allowed.least_spread / allowed.largest_slope));
    EXPECT_GE(arc["weight"].get<double>(), 1 / (1 + limit / allowed.least_slope));
  }
}

TEST(CalibrateCommand, WritesTheGraphAndTheCorrections) {
  const ScratchDirectory scratch;
  scratch.write("pairs.csv", planted_csv());
  const auto json = calibrated(scratch, {"--by", "group", "-o", scratch.file("graph.csv"),
                                         "--corrections", scratch.file("corrections.csv")});
  ASSERT_EQ(json["groups"].size(), 2U);
  const Graph graph = read_graph(scratch.file("graph.csv"));
  EXPECT_EQ(graph.arms(), 3U);
  EXPECT_EQ(graph.weight(0, 1), json["groups"][0]["weight"].get<double>());
  EXPECT_EQ(graph.weight(1, 0), json["groups"][0]["weight"].get<double>());
  EXPECT_EQ(graph.weight(0, 2), json["groups"][1]["weight"].get<double>());
  EXPECT_EQ(graph.arc_count(), 3U);
  const std::string corrections = scratch.read("corrections.csv");
  EXPECT_EQ(corrections.rfind("played,seen,weight,offset,slope,residual_bound,pairs,group\n"
                              "home,shop,",
                              0),
            0U)
      << corrections;
  EXPECT_NE(corrections.find("home,\"news, all\","), std::string::npos);
  EXPECT_EQ(std::ranges::count(corrections, '\n'), 4);
  EXPECT_EQ(calibrated(scratch, {"--by", "distance", "--bins", "2"})["groups"][0]["weight"],
            json["groups"][0]["weight"]);
}

// The arms first appear in the order c, b, a: a problem with another order must not mix them up.
TEST(CalibrateCommand, TheGraphKeepsTheNamesForAProblemWithAnotherOrder) {
  const ScratchDirectory scratch;
  const Stream stream(3, Purpose::noise);
  std::string pairs = "played,seen,reading,outcome\n";
  for (std::size_t i = 0; i < 100; ++i) {
    const double loss = stream.uniform(1, i);
    const double error = 2 * stream.uniform(2, i) - 1;
    pairs += fmt::format("c,b,{},{}\nb,a,{},{}\n", loss + error, loss, loss + error / 10, loss);
  }
  scratch.write("pairs.csv", pairs);
  const auto json = calibrated(scratch, {"-o", scratch.file("graph.csv")});
  scratch.write("problem.toml", "names = [\"a\", \"b\", \"c\"]\n[graph]\nfile = \"graph.csv\"\n");
  const ProblemDescription problem = read_problem(scratch.file("problem.toml"));
  EXPECT_EQ(problem.graph->weight(1, 0), json["arcs"][1]["weight"].get<double>());
  EXPECT_EQ(problem.graph->weight(2, 1), json["arcs"][0]["weight"].get<double>());
  EXPECT_GT(problem.graph->weight(1, 0), problem.graph->weight(2, 1));
  EXPECT_EQ(problem.graph->arc_count(), 2U);
  const ProgramRun run =
      run_program({"calibrate", scratch.file("pairs.csv"), "-o", scratch.file("graph.npy")});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "hearsay: warning: " + scratch.file("graph.npy") +
                         " holds no names: its arms are c, b, a in this order; a .csv file holds "
                         "names\n");
  const ProgramRun convert =
      run_program({"graph", "convert", scratch.file("graph.csv"), scratch.file("again.csv")});
  EXPECT_EQ(convert.exit_code, 0) << convert.err;
  EXPECT_EQ(scratch.read("again.csv"), scratch.read("graph.csv"));
}

TEST(CalibrateCommand, ComparesNoiseBoundsAndRecommendsOne) {
  const ScratchDirectory scratch;
  scratch.write("pairs.csv", planted_csv());
  const auto json = calibrated(scratch, {"--noise-bound", "0.25,1,4"});
  ASSERT_EQ(json["noise_bounds"].size(), 3U);
  double least = 1e9;
  for (const auto& choice : json["noise_bounds"]) {
    EXPECT_NEAR(choice["alpha_r"]["upper"].get<double>(), json["alpha_r"]["upper"].get<double>(),
                1e-9);
    least = std::min(least, choice["wix_cost"].get<double>());
  }
  for (const auto& choice : json["noise_bounds"]) {
    EXPECT_EQ(choice["noise_bound"] == json["noise_bound"],
              choice["wix_cost"].get<double>() == least);
  }
}

TEST(CalibrateCommand, PrintsATableAndWarnings) {
  const ScratchDirectory scratch;
  scratch.write("pairs.csv", "played,seen,reading,outcome\n0,1,1,0\n0,1,1,0.5\n1,1,0,1\n");
  const ProgramRun run =
      run_program({"calibrate", scratch.file("pairs.csv"), "--noise-bound", "1"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out.rfind("group  ", 0), 0U) << run.out;
  EXPECT_NE(run.out.find("2 (1 of an arm with itself left out)"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("limits       hold if P(|error| > x B) >= (1 - x)^2"), std::string::npos);
  EXPECT_EQ(run.err,
            "hearsay: warning: the group '0 -> 1' has no weight: there are fewer than 5 pairs\n");
  const ProgramRun input = run_program({"calibrate", "-"}, scratch.read("pairs.csv"));
  EXPECT_EQ(input.exit_code, 0) << input.err;
}

// Whichever of the outputs cannot be written, those that were there before stay as they were.
TEST(CalibrateCommand, WritesAllOutputsOrNone) {
  const ScratchDirectory scratch;
  scratch.write("pairs.csv", planted_csv());
  const std::vector<std::pair<std::string, std::string>> outputs = {
      {"--output", "graph.csv"}, {"--corrections", "corrections.csv"}, {"--report", "page.html"}};
  for (std::size_t unwritable = 0; unwritable < outputs.size(); ++unwritable) {
    if (outputs[unwritable].first == "--report" && !report_available()) {
      continue;
    }
    std::vector<std::string> arguments = {"calibrate", scratch.file("pairs.csv")};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].first != "--report" || report_available()) {
        scratch.write(outputs[i].second, "before");
        const std::string path = (i == unwritable ? "none/" : "") + outputs[i].second;
        arguments.insert(arguments.end(), {outputs[i].first, scratch.file(path)});
      }
    }
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    for (const auto& [option, path] : outputs) {
      if (option != "--report" || report_available()) {
        EXPECT_EQ(scratch.read(path), "before") << option;
      }
    }
  }
}

TEST(CalibrateCommand, FindsTheFirstBoundsIfThereIsNoTimeForASearch) {
  const ScratchDirectory scratch;
  scratch.write("pairs.csv", planted_csv());
  const nlohmann::json alpha =
      calibrated(scratch, {"--noise-bound", "1", "--time-limit", "0"}).at("alpha_star");
  EXPECT_GT(alpha.at("lower").get<double>(), 1);
  EXPECT_LT(alpha.at("upper").get<double>(), 3);  // the number of arms bounds it without a search
}

// The call has every option that the results depend on.
TEST(CalibrateCommand, WritesAReportWithTheCommandThatRepeatsTheCall) {
  if (!report_available()) {
    GTEST_SKIP() << "this build does not contain the page of the report";
  }
  const ScratchDirectory scratch;
  scratch.write("pairs.csv", planted_csv());
  const std::string options =
      "--by distance --bins 2 --quantile 0.9 --noise-bound 0.5,1 --range 0,2 --outcome reward "
      "--time-limit 3";
  std::vector<std::string> arguments = {"calibrate", scratch.file("pairs.csv"), "--report",
                                        scratch.file("page.html")};
  std::istringstream words(options);
  for (std::string word; words >> word;) {
    arguments.push_back(word);
  }
  ASSERT_EQ(run_program(arguments).exit_code, 0);
  const std::string command =
      fmt::format("\"hearsay calibrate {} {}\"", scratch.file("pairs.csv"), options);
  EXPECT_NE(scratch.read("page.html").find(command), std::string::npos) << command;
}

struct WrongCalibrate {
  std::vector<std::string> options;
  std::string place;
  std::string message;
};

TEST(CalibrateCommand, NamesTheWrongOptionAndWritesNothing) {
  const ScratchDirectory scratch;
  scratch.write("pairs.csv", planted_csv());
  const std::string pairs = scratch.file("pairs.csv");
  const std::vector<WrongCalibrate> wrong = {
      {{}, "PAIRS", "required"},
      {{scratch.file("none.csv")}, scratch.file("none.csv"), "No such file or directory"},
      {{pairs, "--noise-bound", "0"}, "--noise-bound: ", "is 0, expected a positive number"},
      {{pairs, "--noise-bound", "1,x"}, "--noise-bound: ", "'x', expected a number"},
      {{pairs, "--noise-bound", "1,,2"}, "--noise-bound: ", "'', expected a number"},
      {{pairs, "--noise-bound", "1,2,"}, "--noise-bound: ", "'', expected a number"},
      {{pairs, "--range", "0,,1"}, "--range: ", "'', expected a number"},
      {{pairs, "--by", "colour"}, "--by: ", "expected one of arc, group, distance"},
      {{pairs, "--by", "distance", "--bins", "0"}, "--bins: ", "is 0"},
      {{pairs, "--bins", "12"}, "--bins: ", "is given without --by distance"},
      {{pairs, "--by", "group", "--bins", "12"}, "--bins: ", "is given without --by distance"},
      {{pairs, "--quantile", "1.5"}, "--quantile: ", "is 1.5"},
      {{pairs, "--range", "1,0"}, "--range: ", "expected more than low"},
      {{pairs, "--range", "1"}, "--range: ", "expected two numbers, LOW,HIGH"},
      {{pairs, "--range", "0,0.5"},
       pairs + ":",
       "expected a number in [0, 0.5], the range of outcomes (--range)"},
      {{pairs, "--outcome", "gain"}, "--outcome: is 'gain', ", "expected one of reward, loss"},
      {{pairs, "--time-limit", "-1"}, "--time-limit: ", "is -1"},
      {{pairs, "--output", pairs}, "--output: ", "which this call reads, expected another file"},
      {{pairs, "--corrections", scratch.file("./pairs.csv")},
       "--corrections: ",
       "which this call reads"},
      {{pairs, "-o", scratch.file("x.csv"), "--corrections", scratch.file("x.csv")},
       "--corrections: ",
       "which this call writes"},
      {{pairs, "--output", scratch.file("graph.xls")}, scratch.file("graph.xls"), "'.xls'"},
  };
  for (const WrongCalibrate& each : wrong) {
    std::vector<std::string> arguments = {"calibrate"};
    arguments.insert(arguments.end(), each.options.begin(), each.options.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err.rfind("hearsay: " + each.place, 0), 0U) << run.err << each.place;
    EXPECT_NE(run.err.find(each.message), std::string::npos) << run.err << each.message;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
  EXPECT_EQ(scratch.read("pairs.csv"), planted_csv());
  scratch.write("mixed.csv", "played,seen,reading,outcome,group\na,b,1,0,x\na,b,1,0.5,y\n");
  const std::string mixed = scratch.file("mixed.csv");
  const ProgramRun run =
      run_program({"calibrate", mixed, "--by", "group", "--output", scratch.file("graph.csv")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "hearsay: " + mixed +
                         ": group: is 'x' and 'y' for the pairs of a -> b, expected one for each "
                         "arc\n");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"mixed.csv", "pairs.csv"}));
}

}  // namespace
}  // namespace hearsay
