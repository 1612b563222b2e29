#pragma once

// Workers compute the units of a plan, with the same bits for any number of workers. Time
// determines when states are saved, never what the results are.

#include <cstddef>
#include <cstdint>

#include "hearsay/work/plan.h"
#include "hearsay/work/progress.h"
#include "hearsay/work/unit_runs.h"
#include "hearsay/work/work_queue.h"

namespace hearsay {

// The runs of a task, restored from its state, or at the first round if that is empty or damaged.
UnitRuns open_task(const Plan& plan, const Task& task);

// The number of rounds for which the runs of a unit are advanced at once: about a millisecond of
// work, or one round if that takes longer.
std::uint64_t rounds_per_slice(const Plan& plan, const Unit& unit);

// One worker: computes task after task until there are no more or the queue is stopped.
void work(const Plan& plan, TaskSource& tasks);

// Runs `threads` workers, each on a thread of its own, and calls `watch` from the calling thread.
// The checkpoint is saved every couple of seconds, less often if that takes long. Returns whether
// all units are done. Throws what a worker or `watch` has thrown.
bool run_workers(const Plan& plan, WorkQueue& queue, std::size_t threads, const WatchWork& watch);

}  // namespace hearsay
