#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/claims_table.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/stop_signals.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/report/csv.h"
#include "hearsay/runner/output_directory.h"
#include "hearsay/work/result.h"
#include "hearsay/work/runner.h"
#include "reproduce/claims.h"
#include "reproduce/paper.h"
#include "reproduce/paper_report.h"
#include "reproduce/tables.h"

namespace hearsay::cli {
namespace {

namespace fs = std::filesystem;

// The graphs that are solved, in a file, so that they need not be solved again: a line each, with
// its place among the points.
template <class Point>
class SolvedGraphs {
 public:
  SolvedGraphs(std::string path, std::span<Point> points)
      : path_(std::move(path)), points_(points) {
    if (fs::exists(path_)) {
      load();
    }
  }

  void save() const {
    std::string lines;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const EffectiveIndependence& result = points_[i].result;
      if (result.exact) {
        lines += fmt::format("{},{},{},{},{}\n", i, result.upper, result.threshold,
                             result.independence_number, result.solves);
      }
    }
    write_file(path_, lines);
  }

  // Every couple of seconds.
  void save_now_and_then() {
    constexpr std::chrono::seconds kBetween(2);
    if (Clock::now() - saved_ >= kBetween) {
      save();
      saved_ = Clock::now();
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  void load() {
    const std::string text = read_file(path_);
    LineReader lines(text, path_);
    while (lines.next()) {
      std::string_view rest = lines.line();
      std::size_t place = 0;
      EffectiveIndependence result{.exact = true};
      if (!read_number(take_field(rest, ','), place) || place >= points_.size() ||
          !read_number(take_field(rest, ','), result.upper) ||
          !read_number(take_field(rest, ','), result.threshold) ||
          !read_number(take_field(rest, ','), result.independence_number) ||
          !read_number(rest, result.solves)) {
        lines.fail("is damaged, expected a solved graph: start anew with --force");
      }
      result.lower = result.upper;
      points_[place].result = result;
    }
  }

  std::string path_;
  std::span<Point> points_;
  Clock::time_point saved_ = Clock::now();
};

struct Compared {
  explicit Compared(Experiment experiment) : plan(std::move(experiment)), records(plan) {}

  std::vector<ResultRow> final_rows() const { return at_horizon(plan, summarize(plan, records)); }

  Plan plan;
  Records records;
};

std::vector<FinalRegret> final_regrets(const Compared& compared) {
  std::vector<FinalRegret> regrets;
  for (const ResultRow& row : compared.final_rows()) {
    const Cell& cell = compared.plan.cells()[row.cell];
    regrets.push_back({cell.label, cell.learner.rate, cell.learner.threshold, row.regret});
  }
  return regrets;
}

std::vector<BoundedRegret> bounded_regrets(const Compared& compared) {
  std::vector<BoundedRegret> regrets;
  for (const ResultRow& row : summarize(compared.plan, compared.records)) {
    regrets.push_back({compared.plan.cells()[row.cell].label, row.round, row.regret, row.bound});
  }
  return regrets;
}

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
  void check_parts();
  std::string command() const;
  std::string file(std::string_view name) const { return fmt::format("{}/{}", out, name); }
  std::string checkpoint() const { return file("checkpoint"); }
  Verbosity verbosity() const { return quiet ? Verbosity::quiet : Verbosity::normal; }
  [[noreturn]] void interrupted(std::string_view part, std::uint64_t done,
                                std::uint64_t total) const;

  template <class Point, class Solve>
  void solve_graphs(const std::string& part, std::span<Point> points, const Solve& solve) const;
  void compare(Compared& compared) const;

  void add_random_graphs(const PaperExperiments& experiments, PaperTables& tables,
                         Claims& claims) const;
  void add_grid(const PaperExperiments& experiments, PaperTables& tables, Claims& claims) const;
  void add_comparison(const PaperExperiments& experiments, PaperTables& tables,
                      Claims& claims) const;
  void write(const PaperExperiments& experiments, const PaperTables& tables, const Claims& claims,
             const std::string& settings) const;
};

// Each once, in our order; none given: all.
void ReproduceCall::check_parts() {
  std::vector<std::string> ordered;
  for (const std::string& part : parts) {
    if (std::ranges::find(kPaperParts, part) == kPaperParts.end()) {
      throw Error("reproduce",
                  fmt::format("{}, {}", in_quotes(part), expected_one_of(part, kPaperParts)));
    }
  }
  for (const std::string_view part : kPaperParts) {
    if (parts.empty() || std::ranges::find(parts, part) != parts.end()) {
      ordered.emplace_back(part);
    }
  }
  parts = ordered;
}

std::string ReproduceCall::command() const {
  std::string text = "hearsay reproduce";
  if (parts.size() < kPaperParts.size()) {
    for (const std::string& part : parts) {
      text += " " + part;
    }
  }
  return text + (quick ? " --quick" : "") + (large ? " --large" : "") +
         fmt::format(" --seed {}", seed);
}

void ReproduceCall::interrupted(std::string_view part, std::uint64_t done,
                                std::uint64_t total) const {
  throw Failure(fmt::format(
      "interrupted in {} at {} %, what is done is kept; go on with: {} --out {} --resume", part,
      100 * done / std::max<std::uint64_t>(1, total), command(), out));
}

template <class Point, class Solve>
void ReproduceCall::solve_graphs(const std::string& part, std::span<Point> points,
                                 const Solve& solve) const {
  SolvedGraphs<Point> solved(fmt::format("{}/{}", checkpoint(), part), points);
  Progress progress(part, "graphs", verbosity());
  solve(points, Effort{.threads = threads, .stop = StopSignals::caught},
        [&](std::size_t done, std::size_t all) {
          progress.show(done, all);
          solved.save_now_and_then();
        });
  solved.save();
  const auto done =
      std::ranges::count_if(points, [](const Point& point) { return point.result.exact; });
  if (static_cast<std::size_t>(done) < points.size()) {
    interrupted(part, static_cast<std::uint64_t>(done), points.size());
  }
}

void ReproduceCall::add_random_graphs(const PaperExperiments& experiments, PaperTables& tables,
                                      Claims& claims) const {
  std::vector<RandomGraphPoint> points = points_of(experiments.random_graphs);
  solve_graphs(
      "random-graphs", std::span(points),
      [&](std::span<RandomGraphPoint> all, const Effort& effort, const GraphProgress& progress) {
        solve(experiments.random_graphs, all, effort, progress);
      });
  tables.random_graphs = random_graphs_csv(points);
  std::ranges::move(random_graph_claims(points), std::back_inserter(claims));
}

void ReproduceCall::add_grid(const PaperExperiments& experiments, PaperTables& tables,
                             Claims& claims) const {
  std::vector<GridPoint> points = points_of(experiments.grid);
  solve_graphs("grid", std::span(points),
               [](std::span<GridPoint> all, const Effort& effort, const GraphProgress& progress) {
                 solve(all, effort, progress);
               });
  tables.grid = grid_csv(points);
  std::ranges::move(grid_claims(points), std::back_inserter(claims));
}

void ReproduceCall::compare(Compared& compared) const {
  const std::string& name = compared.plan.experiment().name;
  Checkpoint kept(fmt::format("{}/{}", checkpoint(), name), compared.plan, compared.records);
  Ledger ledger(compared.plan, Shard{}.units(compared.plan), compared.records, &kept);
  Progress progress(name, "rounds", verbosity());
  const bool done = hearsay::run(compared.plan, ledger, threads, [&](const WorkDone& work) {
    if (StopSignals::caught()) {
      ledger.stop();
    }
    progress.show(work.done, work.total);
  });
  if (!done) {
    interrupted(name, ledger.work_done().done, ledger.work_done().total);
  }
}

void ReproduceCall::add_comparison(const PaperExperiments& experiments, PaperTables& tables,
                                   Claims& claims) const {
  std::list<Compared> all;
  std::vector<ExperimentRows> results;
  std::vector<ExperimentRows> summary;
  for (const Experiment& experiment : experiments.comparison) {
    Compared& compared = all.emplace_back(experiment);
    const Plan& plan = compared.plan;
    compare(compared);
    const bool also_one = experiment.name.starts_with("comparison");
    for (const std::size_t sequences : {std::size_t{1}, experiment.sequences}) {
      if (sequences > 1 || also_one) {
        const std::vector<ResultRow> rows = summarize(plan, compared.records, sequences);
        results.push_back({&plan, sequences, rows});
        summary.push_back({&plan, sequences, at_horizon(plan, rows)});
      }
    }
  }
  tables.results = results_csv(results);
  tables.summary = results_csv(summary);

  const auto named = [&](std::string_view name) -> const Compared& {
    return *std::ranges::find_if(
        all, [&](const Compared& each) { return each.plan.experiment().name == name; });
  };
  const GraphSource& graph = named("comparison").plan.experiment().environment.graph.graphs.front();
  const EffectiveIndependence independence =
      effective_independence(make_graph(graph, Stream(seed, Purpose::graph), 0));
  std::ranges::move(comparison_claims(final_regrets(named("comparison")),
                                      final_regrets(named("comparison-noisy")), independence),
                    std::back_inserter(claims));
  std::ranges::move(rate_claims(final_regrets(named("rates"))), std::back_inserter(claims));
  std::ranges::move(certificate_claims(bounded_regrets(named("certificates"))),
                    std::back_inserter(claims));
}

// claims.json is the last: where it is, all is.
void ReproduceCall::write(const PaperExperiments& experiments, const PaperTables& tables,
                          const Claims& claims, const std::string& settings) const {
  const Report report = paper_report(experiments, tables, claims, settings, command());
  for (const Report::Table& table : report.tables) {
    write_file(file(table.name), table.text);
  }
  if (tables.results) {
    for (const Experiment& experiment : experiments.comparison) {
      write_file(file(fmt::format("experiment-{}.toml", experiment.name)), to_toml(experiment));
    }
  }
  if (report_available()) {
    write_file(file("report.html"), report_html(report));
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Report::Claim& claim : claims) {
    json.push_back({{"claim", claim.claim},
                    {"paper", claim.paper},
                    {"measured", claim.measured},
                    {"verdict", claim.verdict}});
  }
  write_file(file("claims.json"), json.dump(2) + "\n");
  fs::remove_all(checkpoint());
}

void ReproduceCall::run() {
  check_parts();
  const PaperScale scale =
      quick ? PaperScale::quick : (large ? PaperScale::large : PaperScale::full);
  const PaperExperiments experiments = paper_experiments(scale, seed);
  const std::string settings = to_toml(experiments, parts);
  take_directory(out, settings,
                 force ? Existing::replace : (resume ? Existing::resume : Existing::refuse));
  if (resume && fs::exists(file("claims.json")) && !fs::exists(checkpoint())) {
    fmt::print(stderr, "hearsay: {}: is finished already\n", out);
    return;
  }
  PaperTables tables;
  Claims claims;
  try {
    const StopSignals signals;
    fs::create_directories(checkpoint());
    for (const std::string& part : parts) {
      if (part == "random-graphs") {
        add_random_graphs(experiments, tables, claims);
      } else if (part == "grid") {
        add_grid(experiments, tables, claims);
      } else {
        add_comparison(experiments, tables, claims);
      }
    }
    if (quick) {
      for (Report::Claim& claim : claims) {
        claim.measured += " (quick)";
      }
    }
    write(experiments, tables, claims, settings);
  } catch (const std::system_error& error) {
    throw Failure(fmt::format("{}; what is done is kept; go on with: {} --out {} --resume",
                              error.what(), command(), out));
  }
  print_claims(claims);
  std::cout << (report_available()
                    ? fmt::format("\nThe report: {}\n", file("report.html"))
                    : fmt::format("\nThe results: {} (no report.html: built without the page)\n",
                                  out));
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto call = std::make_shared<ReproduceCall>();
  CLI::App* command = app.add_subcommand("reproduce", "The paper's experiments, end to end");
  command->add_option("WHAT", call->parts, "random-graphs, grid, comparison (default: all)")
      ->type_name("");
  command->add_option("--out", call->out, "directory of the results")
      ->type_name("DIR")
      ->capture_default_str();
  add_number(*command, "--seed", call->seed, "all that is random follows from it");
  add_number(*command, "--threads", call->threads, "the results are the same for any number")
      ->check(CLI::Range(1, 4096));
  CLI::Option* quick =
      command->add_flag("--quick", call->quick, "seconds: fewer graphs, sequences and runs");
  command->add_flag("--large", call->large, "minutes: random graphs of up to 500 arms")
      ->excludes(quick);
  CLI::Option* resume = command->add_flag("--resume", call->resume, "go on where it was stopped");
  command->add_flag("--force", call->force, "replace what DIR holds")->excludes(resume);
  command->add_flag("--quiet", call->quiet, "no progress");
  command->footer(
      "Ends with each claim of the paper, the figures measured, and whether it holds; the figures\n"
      "are in report.html.\n"
      "Example: hearsay reproduce --quick\n"
      "         hearsay reproduce random-graphs grid --large --out graphs");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
