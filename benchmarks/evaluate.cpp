// Measures how often the confidence intervals of `hearsay evaluate` contain the true mean, over
// many simulated logs, and how long it takes to evaluate a large log, with the share of reading it.
// docs/results.md has the tables.
//
//   bench_evaluate [--logs N] [--rounds N] [--lines N]

#include "hearsay/problem/evaluate.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "hearsay/environment/environment.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/draw.h"
#include "hearsay/problem/log_reader.h"
#include "hearsay/problem/log_writer.h"
#include "hearsay/problem/logged_rounds.h"

namespace hearsay {
namespace {

// Whether losses are the same in every log, so that the true mean is their mean, or are drawn anew,
// so that it is their expectation.
enum class Losses : std::uint8_t { fixed, drawn };

struct World {
  std::string name;
  Graph graph;
  std::vector<double> probabilities;  // of the logged policy; if empty, the default learner decides
  Losses losses = Losses::fixed;
  std::size_t rounds = 0;
};

constexpr double kNoiseBound = 1;
constexpr std::size_t kResamples = 300;

double mean_of(Arm arm, std::size_t arms) {
  return 0.2 + 0.6 * static_cast<double>(arm) / static_cast<double>(arms);
}

// The losses of one log: 0 or 1.
class DrawnLosses {
 public:
  DrawnLosses(const World& world, std::uint64_t log)
      : arms_(world.graph.arms()),
        stream_(world.losses == Losses::fixed ? 1 : log, Purpose::losses) {}

  double at(std::size_t t, Arm arm) const {
    return stream_.uniform(t, arm) < mean_of(arm, arms_) ? 1 : 0;
  }

 private:
  std::size_t arms_;
  Stream stream_;
};

std::vector<Observation> observations_of(const World& world, const DrawnLosses& losses,
                                         std::size_t t, Arm played, const Stream& noise) {
  std::vector<Observation> observations;
  world.graph.for_each_seen(played, [&](Arm seen, double weight) {
    const double drawn = kNoiseBound * (2 * noise.uniform(t, seen) - 1);
    observations.push_back({seen, weight * losses.at(t, seen) + (1 - weight) * drawn});
  });
  return observations;
}

void for_each_round(const World& world, std::uint64_t log,
                    const std::function<void(const LoggedRound&)>& use) {
  const std::size_t arms = world.graph.arms();
  const DrawnLosses losses(world, log);
  const Stream draws(log, Purpose::draw);
  const Stream noise(log, Purpose::noise);
  LearnerSpec spec;
  spec.arms = arms;
  const auto learner = make_learner(default_learner(spec));
  for (std::size_t t = 0; t < world.rounds; ++t) {
    LoggedRound round{.decision = t + 1, .graph = world.graph};
    std::optional<Decision> decision;
    if (world.probabilities.empty()) {
      const auto p = probabilities_of(*learner);
      round.probabilities.assign(p.begin(), p.end());
      decision = learner->choose(draws);
      round.arm = decision->arm;
    } else {
      round.probabilities = world.probabilities;
      round.arm = draw_arm(round.probabilities, draws.uniform(t));
    }
    round.probability = round.probabilities[round.arm];
    round.loss = losses.at(t, round.arm);
    round.observations = observations_of(world, losses, t, round.arm, noise);
    if (decision) {
      learner->observe(*decision, world.graph, {round.arm, round.observations});
    }
    use(round);
  }
}

bool holds(const Interval& interval, double value) {
  return interval.low <= value && value <= interval.high;
}

struct Count {
  std::uint64_t intervals = 0;
  std::uint64_t held = 0;
  double width = 0;

  void add(const Interval& interval, double truth) {
    ++intervals;
    held += holds(interval, truth) ? 1U : 0U;
    width += interval.high - interval.low;
  }
  double share() const {
    return intervals == 0 ? 1 : static_cast<double>(held) / static_cast<double>(intervals);
  }
};

// The coverage of the arm whose intervals contain its mean least often, and the mean width for all
// arms.
std::string shown(const std::vector<Count>& of_arms, std::uint64_t logs) {
  Count all;
  double least = 1;
  for (const Count& count : of_arms) {
    all.intervals += count.intervals;
    all.width += count.width;
    if (2 * count.intervals > logs) {  // otherwise too few logs have an interval for this arm
      least = std::min(least, count.share());
    }
  }
  return all.intervals == 0 ? " | | "
                            : fmt::format("{:.1f} % | {:.3f} | {:.0f} %", 100 * least,
                                          all.width / static_cast<double>(all.intervals),
                                          100 * static_cast<double>(all.intervals) /
                                              static_cast<double>(logs * of_arms.size()));
}

void print_coverage(const World& world, std::uint64_t logs, std::optional<double> noise_bound) {
  const std::size_t arms = world.graph.arms();
  struct Counts {
    std::vector<Count> bernstein;
    std::vector<Count> bootstrap;
    std::vector<double> squared_errors;
  };
  std::vector<Counts> counts(kMethods.size(), {std::vector<Count>(arms), std::vector<Count>(arms),
                                               std::vector<double>(arms)});
  std::vector<double> truth(arms);
  for (Arm arm = 0; arm < arms; ++arm) {
    const DrawnLosses losses(world, 1);
    for (std::size_t t = 0; t < world.rounds; ++t) {
      truth[arm] += losses.at(t, arm) / static_cast<double>(world.rounds);
    }
    if (world.losses == Losses::drawn) {
      truth[arm] = mean_of(arm, arms);
    }
  }
  for (std::uint64_t log = 1; log <= logs; ++log) {
    Evaluator evaluator(arms, {.bootstrap = kResamples, .noise_bound = noise_bound});
    for_each_round(world, log, [&](const LoggedRound& round) { evaluator.add(round); });
    const Evaluation evaluation = evaluator.result();
    for (std::size_t m = 0; m < kMethods.size(); ++m) {
      for (Arm arm = 0; arm < arms; ++arm) {
        const MeanEstimate& loss = evaluation.methods[m].arms[arm].loss;
        counts[m].bernstein[arm].add(loss.bernstein, truth[arm]);
        if (loss.bootstrap) {
          counts[m].bootstrap[arm].add(*loss.bootstrap, truth[arm]);
        }
        const double error = loss.estimate.value_or(0.5) - truth[arm];
        counts[m].squared_errors[arm] += error * error / static_cast<double>(logs);
      }
    }
  }
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    double ratio = 0;  // sum of mean squared errors, later divided by that of ips
    double of_ips = 0;
    for (Arm arm = 0; arm < arms; ++arm) {
      ratio += counts[m].squared_errors[arm];
      of_ips += counts[0].squared_errors[arm];
    }
    fmt::print("| {} | {} | {:.2f} | {} | {} |\n", world.name, kMethods[m], ratio / of_ips,
               shown(counts[m].bernstein, logs), shown(counts[m].bootstrap, logs));
  }
}

// CPU time, so that other work on the machine matters little.
double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// A log with this many lines, half of them decisions and half their feedback.
std::string log_text(const World& world, std::size_t lines) {
  ProblemDescription description;
  for (std::size_t i = 0; i < world.graph.arms(); ++i) {
    description.names.push_back(fmt::format("arm {}", i));
  }
  description.outcome.kind = OutcomeKind::loss;
  description.graph = world.graph;
  const ArmNames names(description.names);
  std::string text = log_lines::header(description) + '\n';
  World long_world = world;
  long_world.rounds = lines / 2;
  for_each_round(long_world, 1, [&](const LoggedRound& round) {
    text += log_lines::decision({.id = round.decision,
                                 .arm = round.arm,
                                 .probability = round.probability,
                                 .probabilities = round.probabilities,
                                 .graph = round.graph},
                                std::nullopt, names) +
            '\n';
    LoggedFeedback feedback{.id = round.decision,
                            .content = {.outcome = round.loss, .form = ReadingForm::observation}};
    for (const auto& [arm, value] : round.observations) {
      if (arm != round.arm) {
        feedback.content.readings.push_back({arm, value});
      }
    }
    text += log_lines::feedback(feedback, names) + '\n';
  });
  return text;
}

void print_speed(const World& world, std::size_t lines) {
  const std::string text = log_text(world, lines);
  std::istringstream stream(text);
  Evaluator evaluator(world.graph.arms(), {});
  LogReader reader(stream, "log");
  LoggedRounds rounds(reader);
  constexpr std::size_t kTogether = 4096;  // rounds are read, then added, in blocks, to time both
  std::vector<LoggedRound> read;
  double reading = 0;
  double adding = 0;
  do {
    read.clear();
    std::clock_t start = std::clock();
    while (read.size() < kTogether) {
      auto round = rounds.next();
      if (!round) {
        break;
      }
      read.push_back(std::move(*round));
    }
    reading += seconds_since(start);
    start = std::clock();
    for (const LoggedRound& round : read) {
      evaluator.add(round);
    }
    adding += seconds_since(start);
  } while (!read.empty());
  const std::clock_t start = std::clock();
  const Evaluation evaluation = evaluator.result();
  const double finishing = seconds_since(start);
  fmt::print("| {} | {} | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} % |\n", world.name,
             2 * evaluation.rounds + 1, static_cast<double>(text.size()) / 1e6, reading, adding,
             finishing, 100 * reading / (reading + adding + finishing));
}

int main_of(int argc, char** argv) {
  std::uint64_t logs = 1000;
  std::size_t rounds = 500;
  std::size_t lines = 1'000'000;
  CLI::App app("Coverage and speed of hearsay evaluate");
  app.add_option("--logs", logs, "simulated logs");
  app.add_option("--rounds", rounds, "rounds of each");
  app.add_option("--lines", lines, "lines of the log that is timed");
  CLI11_PARSE(app, argc, argv);

  const Graph grid = make_grid({.side = 3});
  const std::vector<double> uniform(9, 1.0 / 9);
  std::vector<double> skewed = {0.6, 0.08, 0.06, 0.05, 0.05, 0.04, 0.04, 0.04, 0.04};
  std::vector<double> rare = {0.92, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
  const std::vector<World> worlds = {
      {"uniform policy, fixed losses", grid, uniform, Losses::fixed, rounds},
      {"uniform policy, drawn losses", grid, uniform, Losses::drawn, rounds},
      {"skewed policy (0.04 to 0.6), drawn losses", grid, skewed, Losses::drawn, rounds},
      {"rare arms (0.01), drawn losses", grid, rare, Losses::drawn, rounds},
      {"default learner, drawn losses", grid, {}, Losses::drawn, rounds}};
  fmt::print(
      "| log | method | squared error | Bernstein | width | | bootstrap | width | given |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const World& world : worlds) {
    if (logs > 0) {
      print_coverage(world, logs, kNoiseBound);
      std::fflush(stdout);
    }
  }
  fmt::print(
      "\n| log | lines | MB | reading, s | adding up, s | intervals, s | share of reading |\n"
      "|---|---|---|---|---|---|---|\n");
  if (lines > 0) {
    print_speed({"9 arms, all observed", grid, uniform, Losses::drawn, 0}, lines);
  }
  return 0;
}

}  // namespace
}  // namespace hearsay

int main(int argc, char** argv) {
  return hearsay::main_of(argc, argv);
}
