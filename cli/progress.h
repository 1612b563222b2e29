#pragma once

// How far a long work is, on standard error: a bar with rate and time left where that is a
// terminal, a plain line now and then where it is not. Nothing for work of less than two seconds.

#include <chrono>
#include <cstdint>
#include <string>

namespace hearsay::cli {

enum class Verbosity { normal, quiet };

class Progress {
 public:
  // `title`: of the work; `things`: what is counted, "rounds".
  Progress(std::string title, std::string things, Verbosity verbosity);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Any number of times a second. `done` counts what was done before the start, too.
  void show(std::uint64_t done, std::uint64_t total);

 private:
  using Clock = std::chrono::steady_clock;

  std::string title_;
  std::string things_;
  bool silent_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
  std::uint64_t before_ = 0;  // done at the first call
  bool first_ = true;
};

// "1:05", "2:00:00"; "0.3 s" below ten seconds.
std::string duration_text(double seconds);

// "6.75 million"
std::string count_text(std::uint64_t count);

}  // namespace hearsay::cli
