#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/output_files.h"
#include "cli/shared_options.h"
#include "cli/stop_signals.h"
#include "cli/terminal.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/text.h"
#include "hearsay/certificate/claims_file.h"
#include "hearsay/certificate/deadline.h"
#include "hearsay/certificate/independence.h"
#include "hearsay/certificate/independence_check.h"
#include "hearsay/graph/complement.h"
#include "hearsay/graph/files.h"
#include "hearsay/report/html.h"
#include "hearsay/report/independence_report.h"

namespace hearsay::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct AlphaOptions {
  std::string file;
  GraphReadOptions read_options;
  bool complemented = false;
  std::vector<double> thresholds;  // of --at; empty for alpha*
  std::optional<double> noise_bound;
  std::optional<double> time_limit;
  std::optional<unsigned> threads;
  bool json = false;
  bool quiet = false;
  std::string to_check;
  std::string report;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Prints the interval found so far to standard error, first after two seconds.
class Ticker {
 public:
  explicit Ticker(Clock::time_point start)
      : start_(start), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  void show(const std::string& quantity, double lower, double upper) {
    const std::scoped_lock lock(mutex_);
    text_ =
        fmt::format("{} from {} to {}", quantity, four_digits_down(lower), four_digits_up(upper));
  }

 private:
  void run(const std::stop_token& stop) {
    const bool on_terminal = is_terminal(STDERR_FILENO);
    const auto period = std::chrono::seconds(on_terminal ? 1 : 10);
    auto next = start_ + std::chrono::seconds(2);
    std::unique_lock lock(mutex_);
    while (!wake_.wait_until(lock, stop, next, [&] { return stop.stop_requested(); })) {
      if (stop.stop_requested()) {
        break;
      }
      print_progress(fmt::format("{}{}, {:.0f} s{}", on_terminal ? kClear : "", text_,
                                 seconds_since(start_), on_terminal ? "" : "\n"));
      shown_ = on_terminal;
      next += period;
    }
    if (shown_) {
      print_progress(kClear);
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

// Four digits; the interval still contains the number if it is rounded.
std::string bounds(bool exact, double lower, double upper) {
  return exact ? four_digits(upper)
               : fmt::format("from {} to {}", four_digits_down(lower), four_digits_up(upper));
}

std::string bounds(std::size_t lower, std::size_t upper) {
  return lower == upper
             ? grouped_digits(upper)
             : fmt::format("from {} to {}", grouped_digits(lower), grouped_digits(upper));
}

void print_number(const IndependenceNumber& number) {
  std::cout << fmt::format("alpha({})  {}\n", number.threshold, bounds(number.lower, number.upper))
            << fmt::format("witness  {}\n", fmt::join(number.witness, " "));
}

// `name` is alpha* or alpha^R, and what it depends on.
void print_effective(const std::string& name, const EffectiveIndependence& result) {
  std::cout << fmt::format("{:<20} {}\n", name, bounds(result.exact, result.lower, result.upper))
            << fmt::format("threshold            {}\n", result.threshold)
            << fmt::format("independence number  {}\n",
                           bounds(result.independence_number, result.independence_upper))
            << fmt::format("witness              {}\n", fmt::join(result.witness, " "));
}

void print_answer(const AlphaOptions& options, const IndependenceClaims& claims, double seconds) {
  if (options.json) {
    std::cout << print_claims(claims, seconds) << std::endl;
    return;
  }
  if (claims.number) {
    print_number(*claims.number);
    std::cout << fmt::format("seconds  {:.3f}\n", seconds);
    return;
  }
  print_effective("alpha*", *claims.alpha_star);
  if (claims.noise) {
    print_effective(fmt::format("alpha^R (R = {})", claims.noise->noise_bound),
                    claims.noise->alpha_r);
  }
  std::cout << fmt::format("searches             {}\n", grouped_digits(claims.alpha_star->solves))
            << fmt::format("seconds              {:.3f}\n", seconds);
}

// Stops at a signal or when the time is over.
Effort limited(const AlphaOptions& options, const Deadline& deadline) {
  return {.threads = thread_count(options.threads),
          .stop = [&deadline] { return StopSignals::caught() || deadline.is_over(); }};
}

// Each threshold has an equal part of the time that is left.
std::vector<IndependenceClaims> compute_numbers(const AlphaOptions& options, const Graph& graph) {
  std::vector<IndependenceClaims> all;
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < options.thresholds.size(); ++i) {
    const Clock::time_point begin = Clock::now();
    std::optional<Ticker> ticker;
    if (!options.quiet) {
      ticker.emplace(begin);
    }
    std::optional<double> share = options.time_limit;
    if (share) {
      share = std::max(0.0, *share - seconds_since(start)) /
              static_cast<double>(options.thresholds.size() - i);
    }
    const double threshold = options.thresholds[i];
    Deadline deadline(seconds_now, share);
    const auto show_progress = [&](std::size_t lower, std::size_t upper) {
      deadline.note_bounds();
      if (ticker) {
        ticker->show(fmt::format("alpha({})", threshold), static_cast<double>(lower),
                     static_cast<double>(upper));
      }
    };
    const IndependenceNumber number =
        independence_number(graph, threshold, limited(options, deadline), show_progress);
    ticker.reset();
    all.push_back({.arms = graph.arms(), .number = number});
    print_answer(options, all.back(), seconds_since(begin));
    if (!std::cout && options.report.empty()) {
      throw OutputNotWritten();
    }
  }
  return all;
}

IndependenceClaims compute_effective(const AlphaOptions& options, const Graph& graph) {
  const Clock::time_point start = Clock::now();
  std::optional<Ticker> ticker;
  if (!options.quiet) {
    ticker.emplace(start);
  }
  std::vector<Cost> costs = {inverse_square_cost};
  if (options.noise_bound) {
    costs.push_back(noise_cost(*options.noise_bound));
  }
  Deadline deadline(seconds_now, options.time_limit);
  const auto show_progress = [&](std::size_t cost, double lower, double upper) {
    deadline.note_bounds();
    if (ticker) {
      ticker->show(cost == 0 ? "alpha*" : "alpha^R", lower, upper);
    }
  };
  std::vector<EffectiveIndependence> results =
      effective_independence(graph, costs, limited(options, deadline), show_progress);
  IndependenceClaims claims{.arms = graph.arms(), .alpha_star = std::move(results[0])};
  if (options.noise_bound) {
    claims.noise = {.noise_bound = *options.noise_bound, .alpha_r = std::move(results[1])};
  }
  ticker.reset();
  print_answer(options, claims, seconds_since(start));
  return claims;
}

// The command that repeats this call.
std::string alpha_again(const AlphaOptions& options) {
  std::string command = fmt::format("hearsay alpha {}", shell_path(options.file));
  if (!options.thresholds.empty()) {
    command += fmt::format(" --at {}", fmt::join(options.thresholds, ","));
  }
  if (options.complemented) {
    command += " --complement";
  }
  if (options.noise_bound) {
    command += fmt::format(" --noise-bound {}", *options.noise_bound);
  }
  if (options.time_limit) {
    command += fmt::format(" --time-limit {}", *options.time_limit);
  }
  if (options.read_options.arms) {
    command += fmt::format(" --arms {}", *options.read_options.arms);
  }
  return command;
}

void compute(const AlphaOptions& options, const Graph& graph) {
  const StopSignals signals;
  const std::vector<IndependenceClaims> claims =
      options.thresholds.empty() ? std::vector{compute_effective(options, graph)}
                                 : compute_numbers(options, graph);
  if (!options.report.empty()) {
    Report report = independence_report(graph, claims, alpha_again(options),
                                        [] { return StopSignals::caught(); });
    report.input = name_of_input(options.file);
    write_file(options.report, report_html(report));
  }
  if (StopSignals::caught()) {
    throw Failure("interrupted: the bounds so far hold");
  }
}

struct LineOfClaims {
  std::size_t number = 0;
  IndependenceClaims claims;
};

std::vector<LineOfClaims> read_claims(const std::string& path) {
  const std::string text = read_file(path);
  std::vector<LineOfClaims> all;
  LineReader lines(text, path);
  while (lines.next()) {
    try {
      all.push_back({lines.number(), parse_claims(lines.line())});
    } catch (const Error& error) {
      lines.fail(error.what());
    }
  }
  return all;
}

// Prints for each claim of the file whether it was verified.
void check(const AlphaOptions& options, const Graph& graph) {
  const std::vector<LineOfClaims> lines = read_claims(options.to_check);
  constexpr double kDefaultLimit = 60;
  const StopSignals signals;  // from here on: while the file is read, Ctrl-C ends at once
  Deadline deadline(seconds_now, options.time_limit.value_or(kDefaultLimit));
  deadline.note_bounds();  // they are in the file
  const Effort effort = limited(options, deadline);
  std::size_t claims = 0;
  std::size_t open = 0;
  std::string refuted;
  for (const auto& [line, claimed] : lines) {
    try {
      for (const CheckedClaim& each : check_claims(graph, claimed, effort)) {
        using Status = CheckedClaim::Status;
        const bool is_verified = each.status == Status::verified;
        const std::string verdict = is_verified ? styled("verified", Style::good, STDOUT_FILENO)
                                    : each.status == Status::not_verified
                                        ? styled("not verified", Style::caution, STDOUT_FILENO)
                                        : styled("refuted", Style::bad, STDOUT_FILENO);
        std::cout << fmt::format("{}: {} ({})\n", each.claim, verdict, each.reason);
        ++claims;
        open += each.status == Status::not_verified ? 1 : 0;
        if (each.status == Status::refuted && refuted.empty()) {
          refuted = fmt::format("{} is refuted: {}", each.claim, each.reason);
        }
      }
    } catch (const Error& error) {
      throw Error(fmt::format("{}:{}", options.to_check, line), error.what());
    }
  }
  if (claims == 0) {
    throw Error(options.to_check, "no claims, expected what --json prints");
  }
  if (!refuted.empty()) {
    throw Error(options.to_check, refuted);
  }
  if (open > 0) {
    throw Failure(fmt::format("{}: {} of {} are not verified", options.to_check, open,
                              counted(claims, "claim")));
  }
}

void run(const AlphaOptions& options) {
  for (const double threshold : options.thresholds) {
    if (!(threshold > 0 && threshold <= 1)) {
      throw Error("--at", fmt::format("{}, expected a number in (0, 1]", threshold));
    }
  }
  if (options.noise_bound && !(*options.noise_bound >= 0 && std::isfinite(*options.noise_bound))) {
    throw Error("--noise-bound",
                fmt::format("{}, expected a finite number from 0 on", *options.noise_bound));
  }
  if (options.time_limit && !(*options.time_limit >= 0)) {
    throw Error("--time-limit", fmt::format("{}, expected seconds from 0 on", *options.time_limit));
  }
  check_outputs(options.file, {{"--report", options.report}});
  check_report(options.report);
  Graph graph = read_graph_file(options.file, options.read_options).graph;
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
  CLI::App* command = app.add_subcommand(
      "alpha", "Compute the effective independence number, exactly or as an interval");
  command->footer(
      "alpha* is the least alpha(eps) / eps^2 over the thresholds eps, where alpha(eps) is the "
      "size of the largest set of arms with no weight of eps or more between them in either "
      "direction. The interval printed always contains it. Ctrl-C prints the interval so far.\n\n"
      "--check exits with 0 if every claim is verified, 2 if one is refuted, and 1 otherwise.\n\n"
      "Example:\n"
      "  hearsay graph make grid --side 5 -o grid.npy\n"
      "  hearsay alpha grid.npy --time-limit 60 --json > alpha.json\n"
      "  hearsay alpha --check alpha.json grid.npy\n"
      "  hearsay alpha grid.npy --report alpha.html");
  const auto options = std::make_shared<AlphaOptions>();
  command->add_option("GRAPH", options->file, kGraphFile)->required()->type_name("");
  CLI::Option* at = add_numbers(*command, "--at", options->thresholds,
                                "compute alpha(eps) at this threshold instead of alpha*; several: "
                                "0.5,0.7 or --at again")
                        ->type_name("NUMBER");
  command->add_flag("--complement", options->complemented,
                    "take the complement of a graph with weights 0 and 1 (its cliques)");
  CLI::Option* noise =
      add_number(*command, "--noise-bound", options->noise_bound,
                 "also alpha^R, the least alpha(eps) (1 + R^2 ((1 - eps) / eps)^2)")
          ->type_name("R");
  add_number(*command, "--time-limit", options->time_limit,
             "after this time print the interval so far")
      ->type_name("SECONDS")
      ->default_str("none; with --check 60");
  add_threads(*command, options->threads);
  add_arms(*command, options->read_options);
  add_json(*command, options->json, "for each threshold of --at; --check reads it");
  add_report(*command, options->report, "the bounds, what each threshold costs and the graph");
  add_quiet(*command, options->quiet);
  CLI::Option* to_check = command
                              ->add_option("--check", options->to_check,
                                           "verify what --json printed, instead of computing")
                              ->type_name("FILE.json");
  at->excludes(noise);
  to_check->excludes(at)->excludes(noise)->excludes("--report");
  command->callback([options] { run(*options); });
}

}  // namespace hearsay::cli
