#pragma once

// The progress of long work on standard error: on a terminal a bar with the rate and the time left,
// elsewhere a line every 15 seconds. Work of less than two seconds shows nothing.

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

  // May be called often. `done` includes what was done before a run was resumed.
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

// "6.75 million", "12,500"
std::string count_text(std::uint64_t count);

}  // namespace hearsay::cli
