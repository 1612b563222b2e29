#pragma once

// A result: tidy rows, one a point of a cell's curve, each a summary over all runs of that cell.
// Everything is added up in one order (sequence, repetition), so that the bits do not depend on who
// computed what.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/work/plan.h"
#include "hearsay/work/records.h"

namespace hearsay {

struct ResultRow {
  std::size_t cell = 0;
  std::uint64_t round = 0;
  std::size_t runs = 0;

  double regret = 0;                // mean: loss suffered - loss of the best fixed arm
  std::optional<double> regret_sd;  // over all runs; none for a single one
  // Over the runs on one sequence (the paper's error bar), pooled over the sequences; none for one
  // repetition.
  std::optional<double> regret_sd_within_sequence;
  // Of the mean, as an estimate for the whole experiment: over the means of the sequences where
  // there are several (runs on one sequence are not independent), else over the runs.
  std::optional<double> regret_standard_error;

  double loss = 0;  // mean
  std::optional<double> loss_sd;
  double best_arm_loss = 0;
  std::optional<double> bound;  // mean of the runs' certificates, where every run has one
};

// Cell after cell, point after point.
std::vector<ResultRow> summarize(const Plan& plan, const Records& records);

// Of the first `sequences` alone: what the experiment with so many would have given.
std::vector<ResultRow> summarize(const Plan& plan, const Records& records, std::size_t sequences);

// Of one cell, from its runs alone: run after run (sequence by sequence, `repetitions` of each),
// for each a record a point.
std::vector<ResultRow> summarize_runs(std::span<const CurvePoint> records, std::size_t repetitions,
                                      std::span<const std::uint64_t> points);

// The last point of every cell.
std::vector<ResultRow> at_horizon(const Plan& plan, const std::vector<ResultRow>& rows);

}  // namespace hearsay
