#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "python/binding/binding.h"

namespace hearsay::python {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void raise_if_signalled() {
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) {
    throw py::error_already_set();
  }
}

void run_interruptibly(const std::function<void()>& work, const std::function<void()>& stop) {
  using namespace std::chrono_literals;
  std::exception_ptr failure;
  std::exception_ptr interrupt;  // the exception that the signal handler raised
  {
    const py::gil_scoped_release unlocked;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    const std::jthread worker([&] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      const std::scoped_lock lock(mutex);
      done = true;
      changed.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, 100ms, [&] { return done; })) {
      lock.unlock();
      {
        const py::gil_scoped_acquire locked;
        if (!interrupt && PyErr_CheckSignals() != 0) {
          interrupt = std::make_exception_ptr(py::error_already_set());
          stop();
        }
      }
      lock.lock();
    }
  }
  if (interrupt) {
    std::rethrow_exception(interrupt);
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace hearsay::python
