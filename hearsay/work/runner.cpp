#include "hearsay/work/runner.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <thread>
#include <utility>

#include "hearsay/base/error.h"

namespace hearsay {

Block open_block(const Plan& plan, const Task& task) {
  const Unit& unit = plan.units()[task.unit];
  Block block(plan, unit);
  if (!task.state.empty()) {
    try {
      block.restore(task.state);
    } catch (const Error&) {
      block = Block(plan, unit);
    }
  }
  return block;
}

std::uint64_t slice(const Plan& plan, const Unit& unit) {
  constexpr std::uint64_t kWeights = 1'000'000;  // at about a nanosecond each
  return std::max<std::uint64_t>(1, kWeights / (unit.runs() * plan.arms() * plan.arms()));
}

Ledger::Ledger(const Plan& plan, std::span<const std::size_t> units, Records& records,
               Checkpoint* checkpoint)
    : plan_(&plan), records_(&records), checkpoint_(checkpoint) {
  std::vector<bool> done(plan.units().size());
  if (checkpoint != nullptr) {
    for (const std::size_t unit : checkpoint->done()) {
      done[unit] = true;
    }
  }
  const std::uint64_t horizon = plan.experiment().environment.horizon;
  for (const std::size_t unit : units) {
    const std::uint64_t rounds = plan.units()[unit].runs() * horizon;
    rounds_total_ += rounds;
    if (done[unit]) {
      rounds_done_ += rounds;
    } else {
      waiting_.push_back(unit);
    }
  }
  unfinished_ = waiting_.size();
  std::ranges::reverse(waiting_);
}

std::optional<Task> Ledger::next() {
  const std::scoped_lock lock(mutex_);
  if (waiting_.empty() || stopped_) {
    return std::nullopt;
  }
  Task task{waiting_.back(), {}};
  waiting_.pop_back();
  if (checkpoint_ != nullptr) {
    task.state = checkpoint_->state(task.unit);
  }
  return task;
}

void Ledger::finish(std::size_t unit, std::span<const CurvePoint> records) {
  const std::scoped_lock lock(mutex_);
  std::ranges::copy(records, records_->of(plan_->units()[unit]).begin());
  if (checkpoint_ != nullptr) {
    checkpoint_->add(unit, records);
  }
  --unfinished_;
}

void Ledger::save_state(std::size_t unit, const std::string& state) {
  if (checkpoint_ != nullptr) {
    const std::scoped_lock lock(mutex_);
    checkpoint_->save_state(unit, state);
  }
}

void Ledger::ask_for_states() {
  if (checkpoint_ != nullptr) {
    checkpoint_->sync();
    ++saves_;
  }
}

void Ledger::fail(std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  if (!error_) {
    error_ = std::move(error);
  }
  stopped_ = true;
}

bool Ledger::is_complete() const {
  const std::scoped_lock lock(mutex_);
  if (error_) {
    std::rethrow_exception(error_);
  }
  return unfinished_ == 0;
}

namespace {

void compute(const Plan& plan, Ledger& ledger, const Task& task) {
  const Unit& unit = plan.units()[task.unit];
  Block block = open_block(plan, task);
  ledger.add_rounds(block.rounds() * unit.runs());
  const std::uint64_t rounds = slice(plan, unit);
  std::uint64_t saves = ledger.saves();
  while (!block.is_done()) {
    if (ledger.stopped()) {
      ledger.save_state(task.unit, block.save());
      return;
    }
    if (saves != ledger.saves()) {
      saves = ledger.saves();
      ledger.save_state(task.unit, block.save());
    }
    const std::uint64_t before = block.rounds();
    block.advance(rounds);
    ledger.add_rounds((block.rounds() - before) * unit.runs());
  }
  ledger.finish(task.unit, block.records());
}

}  // namespace

void work(const Plan& plan, Ledger& ledger) {
  try {
    while (const std::optional<Task> task = ledger.next()) {
      compute(plan, ledger, *task);
    }
  } catch (...) {
    ledger.fail(std::current_exception());
  }
}

bool run(const Plan& plan, Ledger& ledger, std::size_t threads,
         const std::function<void(const WorkDone&)>& look) {
  using namespace std::chrono_literals;
  constexpr auto kLook = 100ms;
  constexpr int kLooksPerSave = 20;

  std::mutex mutex;
  std::condition_variable changed;
  std::size_t working = std::max<std::size_t>(1, threads);
  std::vector<std::jthread> workers;
  workers.reserve(working);
  try {
    for (std::size_t i = working; i > 0; --i) {
      workers.emplace_back([&] {
        work(plan, ledger);
        const std::scoped_lock lock(mutex);
        --working;
        changed.notify_one();
      });
    }
  } catch (...) {  // those that have started must not play to the end before anyone hears of it
    ledger.fail(std::current_exception());
    throw;
  }
  std::unique_lock lock(mutex);
  for (int looks = 1; !changed.wait_for(lock, kLook, [&] { return working == 0; }); ++looks) {
    lock.unlock();
    try {
      look(ledger.work_done());
      if (looks % kLooksPerSave == 0) {
        ledger.ask_for_states();
      }
    } catch (...) {
      ledger.fail(std::current_exception());
    }
    lock.lock();
  }
  lock.unlock();
  look(ledger.work_done());
  return ledger.is_complete();
}

}  // namespace hearsay
