#include "hearsay/work/workers.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {
namespace {

// Decides by the number of requests when a unit's state is saved. Saving a large state may take
// longer than the time between two requests. If n requests come during a save, the next kPause * n
// are ignored, so that at most about a tenth of the time is spent on saving.
class SaveTimes {
 public:
  explicit SaveTimes(TaskSource& tasks) : tasks_(&tasks), next_(tasks.save_requests() + 1) {}

  void save_if_due(std::size_t unit, const UnitRuns& runs) {
    const std::uint64_t before = tasks_->save_requests();
    if (before >= next_) {
      save(unit, runs);
      const std::uint64_t after = tasks_->save_requests();
      next_ = after + 1 + kPause * (after - before);
    }
  }

 private:
  static constexpr std::uint64_t kPause = 9;

  // A stop ends this at once: the state that was saved before stays.
  void save(std::size_t unit, const UnitRuns& runs) const {
    const Interruption interruption([&] { return tasks_->is_stopped(); });
    try {
      tasks_->save_state(unit, runs.save());
    } catch (const Interrupted&) {  // the caller finds that it is to stop
    }
  }

  TaskSource* tasks_;
  std::uint64_t next_;  // the number of requests at which the state is saved next
};

constexpr std::size_t kMostBytesAtStop = std::size_t{8} << 20U;

// The state, or nullopt if it has more than kMostBytesAtStop, which is found out early: a larger
// one has some numbers for each of very many arms or walks, and takes seconds to put together.
std::optional<std::string> small_state(const UnitRuns& runs) {
  constexpr std::size_t kMostChecks = kMostBytesAtStop / Interruption::kStepsBetween;
  std::size_t checks = 0;
  const Interruption interruption([&] { return ++checks > kMostChecks; });
  try {
    std::string state = runs.save();
    return state.size() <= kMostBytesAtStop ? std::optional(std::move(state)) : std::nullopt;
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

// Saves the state after a stop if it is written in a fraction of a second. Otherwise the unit
// continues from the state that was saved last.
void save_at_stop(TaskSource& tasks, std::size_t unit, const UnitRuns& runs) {
  if (const std::optional<std::string> state = small_state(runs)) {
    const Interruption none([] { return false; });
    tasks.save_state(unit, *state);
  }
}

UnitRuns open_until_stopped(const Plan& plan, TaskSource& tasks, const Task& task) {
  const Interruption interruption([&] { return tasks.is_stopped(); });
  return open_task(plan, task);
}

// Plays the task until it is done or the workers are to stop. Throws Interrupted if they are to
// stop and what is being done takes long: making the runs, or a round on a graph that is made for
// it.
void play(const Plan& plan, TaskSource& tasks, const Task& task) {
  UnitRuns runs = open_until_stopped(plan, tasks, task);
  const Unit& unit = plan.units()[task.unit];
  const std::uint64_t opened_at = runs.rounds();
  // After a stop, a slice that has begun is played to its end if there is a state to save. It is
  // abandoned only if stopping is checked more than kMostChecks times before that, which happens
  // only if a single round takes long.
  constexpr int kMostChecks = 32;
  int checks = 0;
  const bool is_small = plan.arms() <= kMostBytesAtStop / (2 * sizeof(double));
  const Interruption interruption([&] {
    const bool has_state = is_small && runs.rounds() > opened_at;
    return tasks.is_stopped() && (!has_state || ++checks > kMostChecks);
  });
  tasks.add_rounds(opened_at * unit.runs());
  const std::uint64_t slice = rounds_per_slice(plan, unit);
  SaveTimes save_times(tasks);
  while (!runs.is_done()) {
    if (tasks.is_stopped()) {
      if (runs.rounds() > opened_at) {
        save_at_stop(tasks, task.unit, runs);
      }
      return;
    }
    save_times.save_if_due(task.unit, runs);
    const std::uint64_t before = runs.rounds();
    runs.advance(slice);
    tasks.add_rounds((runs.rounds() - before) * unit.runs());
  }
  tasks.finish(task.unit, runs.points());
}

// A large state to continue from may take long to read.
std::optional<Task> next_task(TaskSource& tasks) {
  const Interruption interruption([&] { return tasks.is_stopped(); });
  try {
    return tasks.next();
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

void compute(const Plan& plan, TaskSource& tasks, const Task& task) {
  try {
    play(plan, tasks, task);
  } catch (const Interrupted&) {  // the unit continues from the state that was saved last
  }
}

}  // namespace

UnitRuns open_task(const Plan& plan, const Task& task) {
  const Unit& unit = plan.units()[task.unit];
  UnitRuns runs(plan, unit);
  if (!task.state.empty()) {
    try {
      runs.restore(task.state);
    } catch (const Error&) {
      runs = UnitRuns(plan, unit);
    }
  }
  return runs;
}

std::uint64_t rounds_per_slice(const Plan& plan, const Unit& unit) {
  constexpr std::uint64_t kWeights = 1'000'000;  // at about a nanosecond each
  return std::max<std::uint64_t>(1, kWeights / (unit.runs() * plan.arms() * plan.arms()));
}

void work(const Plan& plan, TaskSource& tasks) {
  while (const std::optional<Task> task = next_task(tasks)) {
    compute(plan, tasks, *task);
  }
}

bool run_workers(const Plan& plan, WorkQueue& queue, std::size_t threads, const WatchWork& watch) {
  using namespace std::chrono_literals;
  constexpr auto kBetweenCalls = 100ms;
  constexpr int kCallsPerSave = 20;

  std::mutex mutex;
  std::condition_variable changed;
  std::size_t working = std::max<std::size_t>(1, threads);
  std::vector<std::jthread> workers;
  workers.reserve(working);
  try {
    for (std::size_t i = working; i > 0; --i) {
      workers.emplace_back([&] {
        try {
          work(plan, queue);
        } catch (...) {
          queue.fail(std::current_exception());
        }
        const std::scoped_lock lock(mutex);
        --working;
        changed.notify_one();
      });
    }
  } catch (...) {  // a thread could not be started: the others must not compute everything first
    queue.fail(std::current_exception());
    throw;
  }
  std::unique_lock lock(mutex);
  for (int calls = 1; !changed.wait_for(lock, kBetweenCalls, [&] { return working == 0; });
       ++calls) {
    lock.unlock();
    try {
      watch(queue.work_done());
      if (calls % kCallsPerSave == 0) {
        queue.request_save();
      }
    } catch (...) {
      queue.fail(std::current_exception());
    }
    lock.lock();
  }
  lock.unlock();
  watch(queue.work_done());
  return queue.is_complete();
}

}  // namespace hearsay
