#pragma once

// Estimates how long an experiment will take, from short trials of its units. A trial measures
// separately what is done once (drawing losses and graphs for a sequence, making the runs of a
// unit, and their first round, in which learners prepare the graph) and what is done in every
// round. If graphs alternate so slowly that a trial would see only the first, each of them has its
// own trial. The environment is also played without a learner, because its later rounds may take
// longer than those that a trial sees.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "hearsay/work/plan.h"

namespace hearsay {

// Seconds since some fixed moment. The library does not read the clock itself.
using ReadClock = std::function<double()>;

// What a unit costs, in seconds.
struct UnitCost {
  double set_up = 0;  // making the runs, and their first round
  double round = 0;   // every further round, of all runs of the unit, on average
};

struct TimeEstimate {
  double sequence = 0;          // seconds to prepare one sequence
  std::vector<UnitCost> units;  // for every unit of the plan

  // Seconds until the last of the workers is done with these units (indices in plan.units()), if
  // each worker takes the next unit in this order as soon as it is free.
  double seconds(const Plan& plan, std::span<const std::size_t> indices, std::size_t workers) const;
};

// Tries one unit of every cell and number of runs, and those that take most of the time again and
// longer, some several times. After some seconds of trials, only combinations of learner, engine
// and number of runs that were not tried at all are tried. A unit that was not tried is estimated
// by the mean of those with the same learner, engine and number of runs.
TimeEstimate estimate_time(const Plan& plan, const ReadClock& clock);

}  // namespace hearsay
