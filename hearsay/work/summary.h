#pragma once

// The summary of an experiment: one row for each point of a cell's curve, over all runs of the
// cell. Sums are always in the same order (sequence, repetition), so the bits do not depend on
// which worker computed what.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"

namespace hearsay {

struct ResultRow {
  std::size_t cell = 0;
  std::uint64_t round = 0;
  std::size_t runs = 0;

  double regret = 0;                // mean of loss suffered - loss of the best fixed arm
  std::optional<double> regret_sd;  // over all runs; empty for a single run
  // Over the runs on one sequence (the paper's error bar), pooled over the sequences; empty for one
  // repetition.
  std::optional<double> regret_sd_within_sequence;
  // The standard error of the mean: from the means of the sequences if there are several (runs on
  // one sequence are not independent), else from the runs.
  std::optional<double> regret_standard_error;

  double loss = 0;  // mean
  std::optional<double> loss_sd;
  double best_arm_loss = 0;     // mean
  std::optional<double> bound;  // mean of the runs' certificates, if every run has one
};

// A value of a row, by the name of its column in CSV, JSON and Python.
struct ResultColumn {
  std::string_view name;
  std::variant<double ResultRow::*, std::optional<double> ResultRow::*> member;

  std::optional<double> get(const ResultRow& row) const;

  // Returns false, with nothing changed, if `value` is empty and a row must have a value here.
  bool set(ResultRow& row, std::optional<double> value) const;
};

inline constexpr std::array<ResultColumn, 8> kResultColumns = {{
    {"regret", &ResultRow::regret},
    {"regret_sd", &ResultRow::regret_sd},
    {"regret_sd_within_sequence", &ResultRow::regret_sd_within_sequence},
    {"regret_standard_error", &ResultRow::regret_standard_error},
    {"loss", &ResultRow::loss},
    {"loss_sd", &ResultRow::loss_sd},
    {"best_arm_loss", &ResultRow::best_arm_loss},
    {"bound", &ResultRow::bound},
}};

// The independent values in a mean over runs: the means of the sequences if there are several, as
// runs on one sequence are not independent, else the runs. Their number, and the values from those
// of the runs (sequence by sequence, `repetitions` of each).
std::size_t independent_values(std::size_t sequences, std::size_t repetitions);
std::vector<double> independent_values(std::vector<double> runs, std::size_t repetitions);

// Cell after cell, for each its points in order.
std::vector<ResultRow> summarize(const Plan& plan, const Curves& curves);

// The same over the first `sequences` only: the results of an experiment with that many sequences.
std::vector<ResultRow> summarize(const Plan& plan, const Curves& curves, std::size_t sequences);

// The rows of one cell, from its runs: run after run (sequence by sequence, `repetitions` of each),
// for each a point at every one of `rounds`.
std::vector<ResultRow> summarize_runs(std::span<const CurvePoint> runs, std::size_t repetitions,
                                      std::span<const std::uint64_t> rounds);

// The rows of the last point.
std::vector<ResultRow> at_horizon(const Plan& plan, std::span<const ResultRow> rows);

}  // namespace hearsay
