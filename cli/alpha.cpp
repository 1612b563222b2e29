#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/stop_signals.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/certificate/independence.h"
#include "hearsay/certificate/independence_check.h"
#include "hearsay/graph/complement.h"
#include "hearsay/graph/files.h"

namespace hearsay::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct AlphaOptions {
  std::string file;
  GraphReading reading;
  bool complemented = false;
  std::optional<double> threshold;
  std::optional<double> noise_bound;
  std::optional<double> time_limit;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  bool json = false;
  bool quiet = false;
  std::string to_check;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Shows the interval closing on standard error, from the third second on.
class Ticker {
 public:
  explicit Ticker(Clock::time_point start)
      : start_(start), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  void tell(const std::string& quantity, double lower, double upper) {
    const std::scoped_lock lock(mutex_);
    text_ = fmt::format("{} in [{}, {}]", quantity, lower, upper);
  }

 private:
  void run(const std::stop_token& stop) {
    const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
    const auto period = std::chrono::seconds(is_terminal ? 1 : 10);
    auto next = start_ + std::chrono::seconds(2);
    std::unique_lock lock(mutex_);
    while (!wake_.wait_until(lock, stop, next, [&] { return stop.stop_requested(); })) {
      if (stop.stop_requested()) {
        break;
      }
      fmt::print(stderr, "{}{}, {:.0f} s{}", is_terminal ? kClear : "", text_,
                 seconds_since(start_), is_terminal ? "" : "\n");
      shown_ = is_terminal;
      next += period;
    }
    if (shown_) {
      fmt::print(stderr, "{}", kClear);
    }
  }

  static constexpr const char* kClear = "\r\033[K";  // the line

  Clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string text_ = "searching";
  bool shown_ = false;
  std::jthread thread_;
};

void print_number(const AlphaOptions& options, const Graph& graph, const IndependenceNumber& number,
                  double seconds) {
  if (options.json) {
    std::cout << Json{{"arms", graph.arms()},
                      {"threshold", number.threshold},
                      {"independence_number", number.upper},
                      {"lower", number.lower},
                      {"upper", number.upper},
                      {"exact", number.exact()},
                      {"witness", number.witness},
                      {"seconds", seconds}}
                     .dump()
              << '\n';
    return;
  }
  const std::string value = number.exact() ? fmt::format("{}", number.upper)
                                           : fmt::format("in [{}, {}]", number.lower, number.upper);
  std::cout << fmt::format("alpha({})  {}\n", number.threshold, value)
            << fmt::format("witness  {}\n", fmt::join(number.witness, " "))
            << fmt::format("seconds  {:.3f}\n", seconds);
}

void print_effective(const AlphaOptions& options, const Graph& graph,
                     const EffectiveIndependence& result,
                     const std::optional<EffectiveIndependence>& under_noise, double seconds) {
  if (options.json) {
    Json json = {{"arms", graph.arms()},
                 {"alpha_star", result.upper},
                 {"lower", result.lower},
                 {"upper", result.upper},
                 {"exact", result.exact},
                 {"threshold", result.threshold},
                 {"independence_number", result.independence_number},
                 {"witness", result.witness},
                 {"solves", result.solves},
                 {"seconds", seconds}};
    if (under_noise) {
      json["noise_bound"] = *options.noise_bound;
      json["alpha_r"] = under_noise->upper;
      json["alpha_r_lower"] = under_noise->lower;
    }
    std::cout << json.dump() << '\n';
    return;
  }
  const auto value = [](const EffectiveIndependence& of) {
    return of.exact ? fmt::format("{}", of.upper) : fmt::format("in [{}, {}]", of.lower, of.upper);
  };
  std::cout << fmt::format("alpha*               {}\n", value(result))
            << fmt::format("threshold            {}\n", result.threshold)
            << fmt::format("independence number  {}\n", result.independence_number)
            << fmt::format("witness              {}\n", fmt::join(result.witness, " "));
  if (under_noise) {
    std::cout << fmt::format("alpha^R              {} (R = {})\n", value(*under_noise),
                             *options.noise_bound);
  }
  std::cout << fmt::format("solves               {}\n", result.solves)
            << fmt::format("seconds              {:.3f}\n", seconds);
}

void compute(const AlphaOptions& options, const Graph& graph) {
  const StopSignals signals;
  const Clock::time_point start = Clock::now();
  const Effort effort{.threads = options.threads, .stop = [&] {
                        return StopSignals::caught() ||
                               (options.time_limit && seconds_since(start) >= *options.time_limit);
                      }};
  std::optional<Ticker> ticker;
  if (!options.quiet) {
    ticker.emplace(start);
  }
  const auto effective = [&](const std::string& quantity, const Cost& cost) {
    return effective_independence(
        graph, {.effort = effort, .cost = cost, .progress = [&](double lower, double upper) {
                  if (ticker) {
                    ticker->tell(quantity, lower, upper);
                  }
                }});
  };
  if (options.threshold) {
    const IndependenceNumber number = independence_number(graph, *options.threshold, effort);
    ticker.reset();
    print_number(options, graph, number, seconds_since(start));
  } else {
    const EffectiveIndependence result = effective("alpha*", inverse_square_cost);
    std::optional<EffectiveIndependence> under_noise;
    if (options.noise_bound) {
      under_noise = effective("alpha^R", noise_cost(*options.noise_bound));
    }
    ticker.reset();
    print_effective(options, graph, result, under_noise, seconds_since(start));
  }
  if (StopSignals::caught()) {
    throw Failure("interrupted: the interval so far stands");
  }
}

// The claim in a file that --json printed, held against the graph.
void check(const AlphaOptions& options, const Graph& graph) {
  const std::string text = read_file(options.to_check);
  try {
    const Json json = Json::parse(text);
    if (const auto arms = json.at("arms").get<std::size_t>(); arms != graph.arms()) {
      throw Error("arms", fmt::format("{}, expected {}, as the graph has", arms, graph.arms()));
    }
    const auto witness = json.at("witness").get<std::vector<Arm>>();
    const auto threshold = json.at("threshold").get<double>();
    if (!json.contains("alpha_star")) {
      check_independence(graph, IndependenceNumber{.threshold = threshold,
                                                   .lower = json.at("lower").get<std::size_t>(),
                                                   .upper = json.at("upper").get<std::size_t>(),
                                                   .witness = witness});
    } else {
      const EffectiveIndependence claim{
          .lower = json.at("lower").get<double>(),
          .upper = json.at("upper").get<double>(),
          .exact = json.at("exact").get<bool>(),
          .threshold = threshold,
          .independence_number = json.at("independence_number").get<std::size_t>(),
          .witness = witness};
      check_independence(graph, claim);
      if (const auto value = json.at("alpha_star").get<double>(); value != claim.upper) {
        throw Error("alpha_star", fmt::format("{}, expected {}, as upper", value, claim.upper));
      }
    }
    std::cout << fmt::format("the witness holds: {} independent arms at threshold {}\n",
                             witness.size(), threshold);
  } catch (const Error& error) {
    throw Error(options.to_check, error.what());
  } catch (const Json::exception& error) {
    throw Error(options.to_check, fmt::format("{}, expected what --json printed", error.what()));
  }
}

void run(const AlphaOptions& options) {
  if (options.threshold && !(*options.threshold > 0 && *options.threshold <= 1)) {
    throw Error("--at", fmt::format("{}, expected a number in (0, 1]", *options.threshold));
  }
  if (options.noise_bound && !(*options.noise_bound >= 0 && std::isfinite(*options.noise_bound))) {
    throw Error("--noise-bound",
                fmt::format("{}, expected a finite number from 0 on", *options.noise_bound));
  }
  if (options.time_limit && !(*options.time_limit >= 0)) {
    throw Error("--time-limit", fmt::format("{}, expected seconds from 0 on", *options.time_limit));
  }
  if (options.threads == 0) {
    throw Error("--threads", "0, expected at least 1");
  }
  Graph graph = read_graph(options.file, options.reading);
  if (options.complemented) {
    try {
      graph = complement(graph);
    } catch (const Error& error) {
      throw Error(options.file, error.what());
    }
  }
  options.to_check.empty() ? compute(options, graph) : check(options, graph);
}

}  // namespace

void add_alpha(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("alpha", "The effective independence number, exact or as an interval");
  command->footer(
      "alpha* is the least alpha(eps) / eps^2 over the thresholds eps, where alpha(eps) is the "
      "size\n"
      "of the largest set of arms with no weight of eps or more between them in either direction.\n"
      "The interval printed always holds it. Ctrl-C ends with the interval so far.\n"
      "Example: hearsay alpha graph.npy --time-limit 60 --json > alpha.json\n"
      "         hearsay alpha --check alpha.json graph.npy");
  const auto options = std::make_shared<AlphaOptions>();
  command
      ->add_option("GRAPH", options->file,
                   "The graph: .npy, .arcs.npy, .mtx, .csv, .clq, .col or .dimacs")
      ->required()
      ->type_name("");
  CLI::Option* at = add_number(*command, "--at", options->threshold,
                               "alpha at this threshold alone, with its witness");
  command->add_flag("--complement", options->complemented,
                    "Of the complement of a graph with weights 0 and 1 (its cliques)");
  CLI::Option* noise =
      add_number(*command, "--noise-bound", options->noise_bound,
                 "Also alpha^R, the least alpha(eps) (1 + R^2 ((1 - eps) / eps)^2)");
  add_number(*command, "--time-limit", options->time_limit,
             "Seconds after which to print the interval so far");
  add_number(*command, "--threads", options->threads, "Threads; the answer is the same for any");
  add_number(*command, "--arms", options->reading.arms,
             "Number of arms; without it, as the file says (.csv, .arcs.npy: 1 + the largest)");
  command->add_flag("--json", options->json, "One JSON object");
  command->add_flag("--quiet", options->quiet, "No progress");
  CLI::Option* to_check =
      command
          ->add_option("--check", options->to_check,
                       "Check what --json printed against the graph, instead of computing")
          ->type_name("FILE.json");
  at->excludes(noise);
  to_check->excludes(at)->excludes(noise);
  command->callback([options] { run(*options); });
}

}  // namespace hearsay::cli
