#pragma once

// Whether the pairs of a group support the model: a line, the same for all arcs, with errors of a
// bounded size, which also holds for pairs that it was not fitted to. docs/calibrate.md has the
// tests.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/problem/calibrate.h"
#include "hearsay/problem/calibration_line.h"

namespace hearsay {

// Fewer residuals say nothing about the ends of their distribution.
inline constexpr std::size_t kLeastForTails = 50;

// The functions compute the members of CalibratedGroup of the same name. With too few pairs for a
// test they return the values that CalibratedGroup documents for that case.

std::vector<LossRange> ranges_of(const LinePoints& points, const FittedLine& line);

double ends_p(const FittedLine& line);

// Sets `trend` and `trend_p`, from the group's pairs, spread, kurtosis and ranges.
void test_trend(CalibratedGroup& group);

// Sets `lines_p` and `lines_apart`. `arcs` has the arc of each point.
void test_lines(CalibratedGroup& group, const LinePoints& points,
                std::span<const std::uint32_t> arcs);

// The result has 0 pairs if there are too few, or if those that are not held out allow no weight.
HeldOut hold_out(const LinePoints& points, const CalibrationOptions& options);

}  // namespace hearsay
