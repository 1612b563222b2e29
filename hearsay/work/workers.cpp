#include "hearsay/work/workers.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {
namespace {

// Decides by the count of requests when a unit's state is saved. Saving a large state may take
// longer than the time between two requests, so a save that lasts for some requests is followed by
// kPause times as many that are ignored: at most about a tenth of the time goes into saving.
class SaveTimes {
 public:
  explicit SaveTimes(TaskSource& tasks) : tasks_(&tasks), next_(tasks.save_requests() + 1) {}

  void save_if_due(std::size_t unit, const UnitRuns& runs) {
    const std::uint64_t before = tasks_->save_requests();
    if (before >= next_) {
      tasks_->save_state(unit, runs.save());
      const std::uint64_t after = tasks_->save_requests();
      next_ = after + 1 + kPause * (after - before);
    }
  }

 private:
  static constexpr std::uint64_t kPause = 9;

  TaskSource* tasks_;
  std::uint64_t next_;  // the number of requests at which the state is saved next
};

// Plays the task until it is done or the workers are to stop. Throws Interrupted if they are to
// stop and what is being done takes long: making the runs, or a round on a graph that is made for
// it.
void play(const Plan& plan, TaskSource& tasks, const Task& task) {
  // A slice has fewer steps than this, unless a single round has more. So the state after the slice
  // is saved where that does not take long.
  constexpr int kMostAnswers = 32;
  int answers = 0;
  const Interruption interruption([&] { return tasks.is_stopped() && ++answers > kMostAnswers; });
  const Unit& unit = plan.units()[task.unit];
  UnitRuns runs = open_task(plan, task);
  const std::uint64_t opened_at = runs.rounds();
  tasks.add_rounds(opened_at * unit.runs());
  const std::uint64_t slice = rounds_per_slice(plan, unit);
  SaveTimes save_times(tasks);
  while (!runs.is_done()) {
    if (tasks.is_stopped()) {
      if (runs.rounds() > opened_at) {  // a state of many arms takes long to save
        tasks.save_state(task.unit, runs.save());
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
  while (const std::optional<Task> task = tasks.next()) {
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
