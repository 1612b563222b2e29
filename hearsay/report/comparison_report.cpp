#include "hearsay/report/comparison_report.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/number_text.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/report/csv.h"
#include "hearsay/report/series.h"
#include "hearsay/work/summary.h"

namespace hearsay {
namespace {

bool is_in_catalogue(std::string_view learner) {
  const std::span<const CatalogueEntry> all = learner_catalogue();
  return std::ranges::find(all, learner, &CatalogueEntry::name) != all.end();
}

// The labels of the learners that are shown this information, each once.
std::vector<std::string> labels_shown(std::span<const Cell> cells, Information information) {
  std::vector<std::string> labels;
  for (const Cell& cell : cells) {
    if (learner_row(cell.learner.name).information == information &&
        std::ranges::find(labels, cell.label) == labels.end()) {
      labels.push_back(cell.label);
    }
  }
  return labels;
}

// Replaces the facts that the report has, and adds the others.
void set_facts(Report& report, const std::vector<Report::Fact>& facts) {
  for (const Report::Fact& fact : facts) {
    const auto old = std::ranges::find(report.facts, fact.name, &Report::Fact::name);
    if (old != report.facts.end()) {
      old->value = fact.value;
    } else {
      report.facts.push_back(fact);
    }
  }
}

std::string ranking_csv(const CurveComparison& comparison) {
  std::vector<std::string> names;
  std::vector<std::string> learners;
  for (const ComparedCurve& curve : comparison.curves) {
    names.push_back(curve.name);
    learners.push_back(curve.learner);
  }
  return ranking_csv(rank_curves(comparison), names, learners);
}

}  // namespace

RunCounts run_counts(const Experiment& experiment) {
  return {experiment.environment.horizon, experiment.sequences, experiment.repetitions};
}

std::string runs_text(const RunCounts& counts) {
  if (counts.sequences == 0) {
    return "the runs";
  }
  const std::string runs =
      grouped_digits(counts.repetitions) + (counts.repetitions == 1 ? " run on " : " runs on ");
  return runs + (counts.sequences == 1
                     ? "one loss sequence"
                     : fmt::format("each of {} loss sequences", grouped_digits(counts.sequences)));
}

std::vector<Report::Fact> run_facts(const RunCounts& counts, std::span<const std::string> labels) {
  const std::set<std::string> distinct(labels.begin(), labels.end());
  std::string learners = grouped_digits(distinct.size());
  if (distinct.size() < labels.size()) {
    learners += fmt::format(", in {} settings", grouped_digits(labels.size()));
  }
  std::vector<Report::Fact> facts = {{"Rounds", grouped_digits(counts.rounds)},
                                     {"Learners", std::move(learners)}};
  if (counts.sequences > 0) {
    facts.push_back({"Loss sequences", grouped_digits(counts.sequences)});
    facts.push_back({"Runs on each", grouped_digits(counts.repetitions)});
  }
  return facts;
}

std::string ranking_caption(const RunCounts& counts, std::span<const Cell> cells) {
  std::vector<std::string> sentences;
  const std::string rounds = grouped_digits(counts.rounds);
  if (counts.sequences == 0) {
    sentences.push_back(fmt::format("Mean regret after {} rounds.", rounds));
  } else {
    sentences.push_back(fmt::format("Mean regret after {} rounds, {}.", rounds, runs_text(counts)));
    const std::size_t independent = independent_values(counts.sequences, counts.repetitions);
    sentences.push_back(
        independent < 2
            ? "With a single run there are no intervals."
            : fmt::format(
                  "Intervals are 95 % confidence intervals by Student's t over the {} {}; those of "
                  "differences are paired, as all learners meet the same losses and draws.",
                  grouped_digits(independent),
                  counts.sequences > 1 ? "loss sequences" : "runs on one loss sequence"));
  }
  if (std::string informed = informed_learners_text(cells); !informed.empty()) {
    sentences.push_back(std::move(informed));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string informed_learners_text(std::span<const Cell> cells) {
  const auto graph = labels_shown(cells, Information::graph_before_draw);
  const auto losses = labels_shown(cells, Information::true_losses);
  std::vector<std::string> sentences;
  if (!graph.empty()) {
    sentences.push_back(
        fmt::format("Informed of the graph before each draw: {}.", fmt::join(graph, ", ")));
  }
  if (!losses.empty()) {
    sentences.push_back(fmt::format("Shown every true loss: {}.", fmt::join(losses, ", ")));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

bool is_oracle(std::string_view learner) {
  return is_in_catalogue(learner) && learner_row(learner).information == Information::true_losses;
}

Figure regret_over_time_figure(const RunCounts& counts) {
  Figure figure;
  figure.id = "regret-over-time";
  figure.title = "Regret over time";
  figure.caption = fmt::format(
      "Loss suffered minus the loss of the best fixed arm so far, mean of {}.", runs_text(counts));
  figure.table = "results.csv";
  figure.mark = Figure::Mark::curve;
  figure.x = {.column = "round", .title = "round"};
  figure.y = {.column = "regret", .title = "regret", .from_zero = true};
  figure.bands = regret_bands(counts.sequences, counts.repetitions);
  // A bound may be many times the regret, whose curves would then be too low to read.
  figure.references = {{.column = "bound",
                        .title = "bound",
                        .kind = Figure::Reference::Kind::bound,
                        .shown = false,
                        .note = "The bound is what the theory guarantees in expectation, given "
                                "what each learner saw."}};
  return figure;
}

std::string ranking_caption(const CurveComparison& comparison) {
  std::vector<Cell> in_catalogue;
  for (const ComparedCurve& curve : comparison.curves) {
    if (is_in_catalogue(curve.learner)) {
      in_catalogue.push_back({curve.label, {.name = curve.learner}});
    }
  }
  return ranking_caption(comparison.counts, in_catalogue);
}

std::vector<RankedRow> rank_curves(const CurveComparison& comparison) {
  std::vector<ResultRow> rows;
  for (std::size_t i = 0; i < comparison.curves.size(); ++i) {
    if (const std::optional<ResultRow>& last = comparison.curves[i].last) {
      rows.push_back(*last);
      rows.back().cell = i;
    }
  }
  const RunCounts& counts = comparison.counts;
  return rank_rows(std::move(rows), counts.sequences, counts.repetitions,
                   [&](const ResultRow& row) { return comparison.curves[row.cell].last_regrets; });
}

void set_curves(Report& report, const CurveComparison& comparison, const std::string& results) {
  report.ranking = {.table = "ranking.csv", .caption = ranking_caption(comparison)};
  Figure figure = regret_over_time_figure(comparison.counts);
  figure.series_columns = {"curve"};
  std::vector<std::string> labels;
  for (const ComparedCurve& curve : comparison.curves) {
    labels.push_back(curve.label);
    figure.series.push_back({{curve.name}, curve.name, curve.ours, curve.learner});
    if (is_oracle(curve.learner)) {
      report.ranking.oracles.push_back(curve.name);
    }
  }
  report.figures = {std::move(figure)};
  report.tables = {{"ranking.csv", ranking_csv(comparison)}, {"results.csv", results}};
  set_facts(report, run_facts(comparison.counts, labels));
}

}  // namespace hearsay
