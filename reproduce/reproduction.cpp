#include "reproduce/reproduction.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <list>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/bytes.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/runner/output_directory.h"
#include "hearsay/work/checkpoint.h"
#include "reproduce/paper_report.h"
#include "reproduce/solved_graphs.h"
#include "reproduce/tables.h"
#include "reproduce/worlds.h"

namespace hearsay::reproduce {
namespace {

std::vector<FinalRegret> final_regrets(const ExperimentResult& result) {
  std::vector<FinalRegret> regrets;
  for (const ResultRow& row : at_horizon(result.plan, result.rows)) {
    const Cell& cell = result.plan.cells()[row.cell];
    regrets.push_back({cell.label, cell.learner.rate, cell.learner.threshold, row.regret});
  }
  return regrets;
}

std::vector<BoundedRegret> bounded_regrets(const ExperimentResult& result) {
  std::vector<BoundedRegret> regrets;
  for (const ResultRow& row : result.rows) {
    const Cell& cell = result.plan.cells()[row.cell];
    regrets.push_back({cell.label, is_ours(cell.learner), row.round, row.regret, row.bound});
  }
  return regrets;
}

constexpr const char* kReport = "report.html";
constexpr const char* kClaims = "claims.json";
constexpr const char* kRecord = "run.json";

std::string experiment_file_name(std::string_view name) {
  return fmt::format("experiment-{}.toml", name);
}

std::vector<std::string> output_names(const ReproduceOptions& options,
                                      const PaperExperiments& experiments) {
  const std::vector<std::string>& parts = options.parts;
  std::vector<std::string> names = {kClaims};
  if (options.record) {
    names.emplace_back(kRecord);
  }
  if (report_available()) {
    names.emplace_back(kReport);
  }
  for (const std::string& part : parts) {
    if (part != "comparison") {
      names.push_back(part + ".csv");
      continue;
    }
    names.insert(names.end(), {"results.csv", "summary.csv"});
    for (const Experiment& experiment : experiments.comparison) {
      names.push_back(experiment_file_name(experiment.name));
    }
  }
  if (std::ranges::find(parts, "worlds") != parts.end()) {
    for (const Experiment& experiment : experiments.worlds) {
      names.push_back(experiment_file_name(experiment.name));
    }
  }
  return names;
}

// Runs the parts one after another. Each add_...() returns false if it was stopped.
class Reproducer {
 public:
  explicit Reproducer(const ReproduceOptions& options)
      : options_(options),
        experiments_(paper_experiments(options.scale, options.seed)),
        settings_(to_toml(experiments_, options.parts)),
        directory_(options.out, {.description = settings_,
                                 .shard = {},
                                 .outputs = output_names(options, experiments_),
                                 .inputs = {},
                                 .existing = options.existing}) {}

  Reproduction run() {
    if (options_.existing == Existing::resume && directory_.is_finished()) {
      return {.status = RunStatus::finished_before, .claims = {}, .worlds = {}, .stopped_at = {}};
    }
    directory_.begin();
    make_directories(directory_.checkpoint());
    for (const std::string& part : options_.parts) {
      const bool done = part == "random-graphs" ? add_random_graphs()
                        : part == "grid"        ? add_grid()
                        : part == "comparison"  ? add_comparison()
                                                : add_worlds();
      if (!done) {
        return {.status = RunStatus::stopped, .claims = {}, .worlds = {}, .stopped_at = progress_};
      }
    }
    if (options_.scale == PaperScale::quick) {
      for (Report::Claim& claim : claims_) {
        claim.measured += " (quick)";
      }
    }
    directory_.finish(output_files());
    return {.status = RunStatus::finished, .claims = claims_, .worlds = worlds_, .stopped_at = {}};
  }

 private:
  bool is_stopped() const { return options_.stop && options_.stop(); }

  void report_progress(StudyProgress progress) {
    progress_ = std::move(progress);
    if (options_.progress) {
      options_.progress(progress_);
    }
  }

  void add_claims(Claims claims) { std::ranges::move(claims, std::back_inserter(claims_)); }

  // `solve` takes points, effort and progress as solve() of graph_studies.h does.
  template <class Point, class Solve>
  bool solve_graphs(const std::string& study, std::span<Point> points, const Solve& solve) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds kBetweenSaves(2);
    const std::string path =
        fmt::format("{}/{}{}", directory_.checkpoint(), study, kCallersFileEnding);
    load_solved(path, settings_, points);
    Clock::time_point saved = Clock::now();
    solve(points, Effort{.threads = options_.threads, .stop = options_.stop},
          [&](std::size_t done, std::size_t all) {
            report_progress({study, "graphs", done, all});
            if (Clock::now() - saved >= kBetweenSaves) {
              save_solved(path, settings_, std::span<const Point>(points));
              saved = Clock::now();
            }
          });
    save_solved(path, settings_, std::span<const Point>(points));
    const auto done = static_cast<std::size_t>(
        std::ranges::count_if(points, [](const Point& point) { return point.result.exact; }));
    progress_ = {study, "graphs", done, points.size()};
    return done == points.size();
  }

  bool add_random_graphs() {
    const RandomGraphs& study = experiments_.random_graphs;
    std::vector<RandomGraphPoint> points = random_graph_points(study);
    const bool done =
        solve_graphs("random-graphs", std::span(points),
                     [&](std::span<RandomGraphPoint> all, const Effort& effort,
                         const GraphProgress& progress) { solve(study, all, effort, progress); });
    if (done) {
      tables_.random_graphs = random_graphs_csv(points);
      add_claims(random_graph_claims(points));
    }
    return done;
  }

  bool add_grid() {
    std::vector<GridPoint> points = grid_points(experiments_.grid);
    const bool done =
        solve_graphs("grid", std::span(points),
                     [](std::span<GridPoint> all, const Effort& effort,
                        const GraphProgress& progress) { solve(all, effort, progress); });
    if (done) {
      tables_.grid = grid_csv(points);
      add_claims(grid_claims(points));
    }
    return done;
  }

  // The results of the experiments that were finished: of all, unless the run was stopped.
  std::list<ExperimentResult> run_all(const std::vector<Experiment>& experiments) {
    std::list<ExperimentResult> results;
    for (const Experiment& experiment : experiments) {
      const std::string& name = experiment.name;
      results.push_back(run_experiment(
          experiment, {.threads = options_.threads,
                       .checkpoint = fmt::format("{}/{}", directory_.checkpoint(), name),
                       .progress = [&](const WorkDone& work) {
                         report_progress({name, "rounds", work.done, work.total});
                         return !is_stopped();
                       }}));
      if (results.back().status == RunStatus::stopped) {
        results.pop_back();
        break;
      }
    }
    return results;
  }

  bool add_comparison() {
    const std::list<ExperimentResult> results = run_all(experiments_.comparison);
    if (results.size() < experiments_.comparison.size()) {
      return false;
    }
    add_tables(results);
    add_comparison_claims(results);
    return true;
  }

  bool add_worlds() {
    const std::list<ExperimentResult> results = run_all(experiments_.worlds);
    if (results.size() < experiments_.worlds.size()) {
      return false;
    }
    auto world = all_worlds().begin();
    for (const ExperimentResult& result : results) {
      std::ranges::move(world_rows(*world++, result), std::back_inserter(worlds_));
    }
    tables_.worlds = worlds_csv(worlds_);
    return true;
  }

  void add_tables(const std::list<ExperimentResult>& results) {
    std::vector<ExperimentRows> all;
    std::vector<ExperimentRows> last;
    const auto add = [&](const Plan& plan, std::size_t sequences, std::vector<ResultRow> rows) {
      last.push_back({&plan, sequences, at_horizon(plan, rows)});
      all.push_back({&plan, sequences, std::move(rows)});
    };
    const auto* comparison = kPaperComparisons.begin();
    for (const ExperimentResult& result : results) {
      if ((comparison++)->sweeps_thresholds) {
        add(result.plan, 1, summarize(result.plan, result.curves, 1));
      }
      add(result.plan, result.plan.experiment().sequences, result.rows);
    }
    tables_.results = results_csv(all);
    tables_.summary = results_csv(last);
  }

  void add_comparison_claims(const std::list<ExperimentResult>& results) {
    const auto named = [&](std::string_view name) -> const ExperimentResult& {
      return *std::ranges::find_if(results, [&](const ExperimentResult& result) {
        return result.plan.experiment().name == name;
      });
    };
    const ExperimentResult& usual = named("comparison");
    const GraphSource& graph = usual.plan.experiment().environment.graph.graphs.front();
    const EffectiveIndependence independence =
        effective_independence(make_graph(graph, Stream(options_.seed, Purpose::graph), 0));
    add_claims(comparison_claims(final_regrets(usual), final_regrets(named("comparison-noisy")),
                                 independence));
    add_claims(rate_claims(final_regrets(named("rates"))));
    add_claims(certificate_claims(bounded_regrets(named("certificates"))));
  }

  // The files that output_names() lists.
  std::vector<OutputFile> output_files() const {
    const Report report = paper_report(experiments_, tables_, claims_, settings_, options_.command);
    std::vector<OutputFile> files;
    for (const Report::Table& table : report.tables) {
      files.push_back({table.name, table.text});
    }
    const auto add_files = [&](const std::vector<Experiment>& experiments) {
      for (const Experiment& experiment : experiments) {
        files.push_back({experiment_file_name(experiment.name), hearsay::to_toml(experiment)});
      }
    };
    if (tables_.results) {
      add_files(experiments_.comparison);
    }
    if (tables_.worlds) {
      add_files(experiments_.worlds);
    }
    if (report_available()) {
      files.push_back({kReport, report_html(report)});
    }
    if (options_.record) {
      files.push_back({kRecord, options_.record()});
    }
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Report::Claim& claim : claims_) {
      json.push_back({{"claim", claim.claim},
                      {"paper", claim.paper},
                      {"measured", claim.measured},
                      {"verdict", verdict_text(claim.verdict)}});
    }
    files.push_back({kClaims, json.dump(2) + "\n"});
    return files;
  }

  const ReproduceOptions& options_;
  PaperExperiments experiments_;
  std::string settings_;  // the text of experiment.toml
  OutputDirectory directory_;
  PaperTables tables_;
  Claims claims_;
  std::vector<WorldRow> worlds_;
  StudyProgress progress_;  // the last that was reported
};

}  // namespace

Reproduction reproduce_paper(const ReproduceOptions& options) {
  return Reproducer(options).run();
}

}  // namespace hearsay::reproduce
