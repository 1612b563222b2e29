#include "cli/progress.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/messages.h"
#include "cli/terminal.h"
#include "hearsay/base/number_text.h"

namespace hearsay::cli {
namespace {

constexpr double kWorthShowing = 2;  // seconds of work
constexpr std::chrono::milliseconds kFirst(500);
constexpr std::chrono::milliseconds kBetweenDraws(200);
constexpr std::chrono::seconds kBetweenLines(15);
constexpr std::size_t kBarWidth = 24;

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 10) {
    return fmt::format("{:.1f} s", seconds);
  }
  const long whole = std::lround(seconds);
  if (whole < 3600) {
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
  }
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string count_text(std::uint64_t count) {
  const auto number = static_cast<double>(count);
  if (count >= 1'000'000'000) {
    return fmt::format("{:.3g} billion", number / 1e9);
  }
  return count >= 1'000'000 ? fmt::format("{:.3g} million", number / 1e6) : grouped_digits(count);
}

Progress::Progress(std::string title, std::string things, Verbosity verbosity)
    : title_(std::move(title)),
      things_(std::move(things)),
      silent_(verbosity == Verbosity::quiet),
      terminal_(is_terminal(STDERR_FILENO)),
      start_(Clock::now()),
      next_(start_ + kFirst) {}

Progress::~Progress() {
  if (drawn_ && terminal_) {
    print_progress("\r\033[K");
  }
}

void Progress::show(std::uint64_t done, std::uint64_t total) {
  if (std::exchange(first_, false)) {
    before_ = done;
  }
  const Clock::time_point now = Clock::now();
  if (silent_ || now < next_ || done <= before_ || done >= total) {
    return;
  }
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done - before_) / elapsed;
  const double left = static_cast<double>(total - done) / rate;
  if (!drawn_ && elapsed + left < kWorthShowing) {
    return;
  }
  drawn_ = true;
  const double part = static_cast<double>(done) / static_cast<double>(total);
  const std::string numbers =
      fmt::format("{:3.0f} %  {} {}/s  {} left", 100 * part,
                  count_text(static_cast<std::uint64_t>(rate)), things_, duration_text(left));
  if (terminal_) {
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(kBarWidth));
    print_progress(fmt::format("\r\033[K{} [{:#<{}}{:.<{}}] {}", title_, "", filled, "",
                               kBarWidth - filled, numbers));
    next_ = now + kBetweenDraws;
  } else {
    print_progress(fmt::format("{}: {}\n", title_, numbers));
    next_ = now + kBetweenLines;
  }
}

}  // namespace hearsay::cli
