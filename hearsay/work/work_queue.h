#pragma once

// Hands out the units of a plan to workers and takes in their results.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hearsay/play/curve_point.h"
#include "hearsay/work/checkpoint.h"
#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/progress.h"

namespace hearsay {

// One unit for a worker to compute.
struct Task {
  std::size_t unit = 0;  // index in Plan::units()
  std::string state;     // from UnitRuns::save(), to continue from; empty to start at round 1
};

// A queue as a worker sees it. The worker may be in another process than the queue.
class TaskSource {
 public:
  TaskSource() = default;
  TaskSource(const TaskSource&) = delete;
  TaskSource& operator=(const TaskSource&) = delete;
  virtual ~TaskSource() = default;

  // Empty if there is no more work.
  virtual std::optional<Task> next() = 0;

  // Reports progress, in rounds of single runs.
  virtual void add_rounds(std::uint64_t rounds) = 0;

  // The unit is done; `points` as UnitRuns::points().
  virtual void finish(std::size_t unit, std::span<const CurvePoint> points) = 0;

  // The state of a unit that is not done.
  virtual void save_state(std::size_t unit, const std::string& state) = 0;

  // How many times the states of unfinished units have been requested. A worker that sees a larger
  // number than before saves the state of its unit, unless saving has just taken long.
  virtual std::uint64_t save_requests() = 0;

  // Whether workers must save their state and return.
  virtual bool is_stopped() = 0;
};

// Safe to use from several threads. The arguments of the constructor must outlive the queue.
class WorkQueue final : public TaskSource {
 public:
  // `units` are the indices of the units to be computed; those that `checkpoint` has are left out.
  // `checkpoint` may be null.
  WorkQueue(const Plan& plan, std::span<const std::size_t> units, Curves& curves,
            Checkpoint* checkpoint);

  std::optional<Task> next() override;
  void add_rounds(std::uint64_t rounds) override { rounds_done_ += rounds; }
  void finish(std::size_t unit, std::span<const CurvePoint> points) override;
  void save_state(std::size_t unit, const std::string& state) override;
  std::uint64_t save_requests() override { return save_requests_; }
  bool is_stopped() override { return stopped_; }

  // Makes sure that finished units are on the disk, and asks workers to save the state of theirs.
  void request_save();

  // Asks workers to return. fail() does so because of an error; the first error is kept.
  void stop() { stopped_ = true; }
  void fail(std::exception_ptr error);

  WorkDone work_done() const { return {rounds_done_, rounds_total_}; }

  // Whether all units are done. Throws the error that fail() was given.
  bool is_complete() const;

 private:
  const Plan* plan_;
  Curves* curves_;
  Checkpoint* checkpoint_;
  std::uint64_t rounds_total_ = 0;
  std::atomic<std::uint64_t> rounds_done_ = 0;
  std::atomic<std::uint64_t> save_requests_ = 0;
  std::atomic<bool> stopped_ = false;

  mutable std::mutex mutex_;  // guards all below, the curves, and what changes the checkpoint
  std::vector<std::size_t> waiting_;  // units to be handed out, the next one at the end
  std::size_t unfinished_ = 0;
  std::exception_ptr error_;
};

}  // namespace hearsay
