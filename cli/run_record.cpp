#include "cli/run_record.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <string_view>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include "hearsay/version.h"

namespace hearsay::cli {
namespace {

using WallClock = std::chrono::system_clock;

std::string time_text(WallClock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(WallClock::to_time_t(time)));
}

// As Linux names it; empty if it does not.
std::string processor_name() {
  constexpr std::string_view kKey = "model name";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(kKey) && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "";
}

}  // namespace

std::function<std::string()> start_run_record(std::size_t threads) {
  return [threads, started = WallClock::now(), start = std::chrono::steady_clock::now()] {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    utsname system = {};
    uname(&system);  // on failure the texts are empty
    const nlohmann::ordered_json record = {
        {"version", kVersion},
        {"started", time_text(started)},
        {"finished", time_text(WallClock::now())},
        {"seconds", std::round(seconds.count() * 1000) / 1000},
        {"threads", threads},
        {"host", static_cast<const char*>(system.nodename)},
        {"system", fmt::format("{} {} {}", static_cast<const char*>(system.sysname),
                               static_cast<const char*>(system.release),
                               static_cast<const char*>(system.machine))},
        {"processor", processor_name()},
        {"cores", std::thread::hardware_concurrency()},
    };
    using Handler = nlohmann::ordered_json::error_handler_t;
    return record.dump(2, ' ', false, Handler::replace) + '\n';
  };
}

}  // namespace hearsay::cli
