#pragma once

// The parts of a report that compare curves of regret: their ranking, and the regret over time.
// They are the same for the cells of an experiment and for learners that no experiment can
// describe, such as those that are written in Python.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/experiment/experiment.h"
#include "hearsay/report/html.h"
#include "hearsay/work/ranking.h"

namespace hearsay {

// What was played to measure the curves.
struct RunCounts {
  std::uint64_t rounds = 0;
  std::size_t sequences = 0;    // of losses; 0 if it is not known
  std::size_t repetitions = 0;  // runs on each; 0 if it is not known
};

RunCounts run_counts(const Experiment& experiment);

// "10 runs on each of 3 loss sequences"
std::string runs_text(const RunCounts& counts);

// The lines of a report that say how much was played, and how many learners: "4", or "4, in 7
// settings" if some labels have several curves. `labels` has one for each curve.
std::vector<Report::Fact> run_facts(const RunCounts& counts, std::span<const std::string> labels);

// What the ranking shows, and what its intervals are. `cells` are those of the ranking whose
// learners are in the catalogue.
std::string ranking_caption(const RunCounts& counts, std::span<const Cell> cells);

// Sentences that name the learners that were shown more than the others: the graph before the draw,
// or every true loss. Empty if there are none.
std::string informed_learners_text(std::span<const Cell> cells);

// Whether the learner is shown every true loss. False for a name that is not in the catalogue.
bool is_oracle(std::string_view learner);

// The regret over the rounds, from results.csv. The caller adds the series.
Figure regret_over_time_figure(const RunCounts& counts);

// A curve that is not, or not only, described by a cell of an experiment.
struct ComparedCurve {
  std::string name;  // no two have the same
  std::string label;
  std::string learner;  // may be one that is not in the catalogue
  bool ours = false;    // shown as introduced by this project

  // At the last round of all curves; empty if this curve ends before. Its `cell` is not used.
  std::optional<ResultRow> last;
  std::vector<double> last_regrets = {};  // of each run, for RegretsOf
};

struct CurveComparison {
  std::vector<ComparedCurve> curves;
  RunCounts counts;
};

std::string ranking_caption(const CurveComparison& comparison);

// The curves that reach the last round. RankedRow::row.cell is an index in `curves`.
std::vector<RankedRow> rank_curves(const CurveComparison& comparison);

// Replaces the ranking, the figures, the tables and the run_facts() of a report by those of these
// curves. `results` is a CSV table like results.csv whose column `curve` has the names.
void set_curves(Report& report, const CurveComparison& comparison, const std::string& results);

}  // namespace hearsay
