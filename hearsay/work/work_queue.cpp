#include "hearsay/work/work_queue.h"

#include <algorithm>
#include <utility>

namespace hearsay {

WorkQueue::WorkQueue(const Plan& plan, std::span<const std::size_t> units, Curves& curves,
                     Checkpoint* checkpoint)
    : plan_(&plan), curves_(&curves), checkpoint_(checkpoint) {
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

std::optional<Task> WorkQueue::next() {
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

void WorkQueue::finish(std::size_t unit, std::span<const CurvePoint> points) {
  const std::scoped_lock lock(mutex_);
  std::ranges::copy(points, curves_->of(plan_->units()[unit]).begin());
  if (checkpoint_ != nullptr) {
    checkpoint_->add(unit, points);
  }
  --unfinished_;
}

void WorkQueue::save_state(std::size_t unit, const std::string& state) {
  if (checkpoint_ != nullptr) {
    const std::scoped_lock lock(mutex_);
    checkpoint_->save_state(unit, state);
  }
}

void WorkQueue::request_save() {
  if (checkpoint_ != nullptr) {
    checkpoint_->sync();  // without the mutex, so that no worker waits for the disk
    ++save_requests_;
  }
}

void WorkQueue::fail(std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  if (!error_) {
    error_ = std::move(error);
  }
  stopped_ = true;
}

bool WorkQueue::is_complete() const {
  const std::scoped_lock lock(mutex_);
  if (error_) {
    std::rethrow_exception(error_);
  }
  return unfinished_ == 0;
}

}  // namespace hearsay
