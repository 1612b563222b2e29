#pragma once

// Runs the units of a plan, on as many threads as there are, to the same bits for any number.
//
// The Ledger hands out units and takes in what they came to; whoever computes (threads here, other
// processes elsewhere) asks it for the next. Time decides when things are saved, never what they
// are.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hearsay/work/checkpoint.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/records.h"

namespace hearsay {

// In rounds of single runs.
struct WorkDone {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

struct Task {
  std::size_t unit = 0;
  std::string state;  // of a Block, where it was left; empty: from the beginning
};

// A block at the state of a task; at its beginning where the state is none or damaged.
Block open_block(const Plan& plan, const Task& task);

// How many rounds a block may be advanced at once so that it takes some milliseconds.
std::uint64_t slice(const Plan& plan, const Unit& unit);

// Safe to use from many threads. What it is made from outlives it.
class Ledger {
 public:
  // `units`: to be done, by their place in plan.units(); those that `checkpoint` (which may be
  // null) has are done already.
  Ledger(const Plan& plan, std::span<const std::size_t> units, Records& records,
         Checkpoint* checkpoint);

  // None: there is nothing to hand out any more.
  std::optional<Task> next();

  void add_rounds(std::uint64_t rounds) { rounds_done_ += rounds; }
  void finish(std::size_t unit, std::span<const CurvePoint> records);
  void save_state(std::size_t unit, const std::string& state);

  // Asks whoever computes to hand in where it is. `saves` counts the times this was asked.
  void ask_for_states();
  std::uint64_t saves() const { return saves_; }

  // Asks whoever computes to save and return; with an error where something failed.
  void stop() { stopped_ = true; }
  void fail(std::exception_ptr error);
  bool stopped() const { return stopped_; }

  WorkDone work_done() const { return {rounds_done_, rounds_total_}; }

  // Whether everything is done. Throws what fail() was given.
  bool is_complete() const;

 private:
  const Plan* plan_;
  Records* records_;
  Checkpoint* checkpoint_;
  std::uint64_t rounds_total_ = 0;
  std::atomic<std::uint64_t> rounds_done_ = 0;
  std::atomic<std::uint64_t> saves_ = 0;
  std::atomic<bool> stopped_ = false;

  mutable std::mutex mutex_;          // of all below, the records and the checkpoint
  std::vector<std::size_t> waiting_;  // the next at the end
  std::size_t unfinished_ = 0;
  std::exception_ptr error_;
};

// Computes unit after unit until there are none or it is told to stop: what a thread does.
void work(const Plan& plan, Ledger& ledger);

// `look` is called about ten times a second and at the end, from the calling thread; it may stop
// the ledger. Every couple of seconds all is saved. Returns whether everything is done.
bool run(const Plan& plan, Ledger& ledger, std::size_t threads,
         const std::function<void(const WorkDone&)>& look);

}  // namespace hearsay
