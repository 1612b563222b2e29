#include "hearsay/base/interruption.h"

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX
#include <unistd.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/text.h"
#include "hearsay/environment/losses.h"
#include "hearsay/graph/complement.h"
#include "hearsay/graph/families.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/similarity.h"
#include "hearsay/graph/summary.h"
#include "hearsay/graph/thin.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/exp3_dom.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/learner/transposed_graph.h"
#include "hearsay/learner/weighting.h"
#include "hearsay/problem/calibrate.h"
#include "hearsay/work/workers.h"
#include "tests/program.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

constexpr std::size_t kBetween = Interruption::kStepsBetween;

TEST(Interruption, CallsShouldStopOncePerFixedNumberOfSteps) {
  EXPECT_NO_THROW(note_work(10 * kBetween));  // without an Interruption it does nothing
  int calls = 0;
  const Interruption outer([&] { return ++calls == 2; });
  note_work(kBetween - 1);
  EXPECT_EQ(calls, 0);
  note_work(1);
  EXPECT_EQ(calls, 1);
  {
    const Interruption inner([]() -> bool { throw std::runtime_error("a signal"); });
    EXPECT_THROW(note_work(kBetween), std::runtime_error);
  }
  EXPECT_THROW(note_work(kBetween), Interrupted);
  EXPECT_EQ(calls, 2);
}

std::string printed(GraphFormat format, const Graph& graph) {
  std::string bytes;
  print_graph(format, graph, "graph", [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

// Pairs of one group.
Pairs many_pairs(std::size_t count) {
  PairsBuilder builder(Outcome{});
  const Stream stream(2, Purpose::test);
  std::vector<double> uniforms(2 * count);
  stream.fill_uniform(0, uniforms);
  for (std::size_t i = 0; i < count; ++i) {
    builder.add({.played = i % 2 == 0 ? "a" : "b",
                 .seen = "c",
                 .reading = uniforms[2 * i] + uniforms[2 * i + 1],
                 .outcome = uniforms[2 * i],
                 .group = "all"});
  }
  return builder.finish();
}

// A file of `size` bytes, in lines of 100.
class ScratchFile {
 public:
  explicit ScratchFile(std::size_t size) {
    std::string lines(size, 'x');
    for (std::size_t end = 99; end < size; end += 100) {
      lines[end] = '\n';
    }
    scratch_.write("lines", lines);
  }
  void read() const {
    InputStream stream(scratch_.file("lines"));
    std::string line;
    while (read_line(stream, line)) {
    }
  }

 private:
  testing::ScratchDirectory scratch_;
};

// Every observation is 0.5.
void play_one_round(const std::string& learner_name, const Graph& graph) {
  const auto learner = make_learner({.name = learner_name, .arms = graph.arms()});
  const Decision decision = learner->choose(Stream(3, Purpose::test));
  std::vector<Observation> observations;
  graph.for_each_seen(decision.arm, [&](Arm seen, double) { observations.push_back({seen, 0.5}); });
  learner->observe(decision, graph, {decision.arm, observations});
}

// An operation that may take long before the first round ends, and its number of weights or arcs.
// A dense graph is filled first, and checked at the end.
struct Work {
  std::size_t steps;
  std::function<void()> run;
};

std::map<std::string, Work> long_work() {
  const Stream stream(1, Purpose::test);
  const std::size_t many = 2 * kBetween;
  const Graph sparse = make_erdos_renyi({.arms = many, .probability = 2.0 / many}, stream, 0);
  const Graph dense = make_uniform({.arms = 512}, stream, 0);
  std::vector<Arc> reversed_arcs;
  for (std::size_t arm = many - 1; arm > 0; --arm) {
    reversed_arcs.push_back({static_cast<Arm>(arm), static_cast<Arm>(arm - 1), 0.5});
  }
  std::map<std::string, Work> all = {
      {"grid", {3 * 529 * 529, [] { make_grid({.side = 23}); }}},
      {"uniform", {3 * 512 * 512, [=] { make_uniform({.arms = 512}, stream, 0); }}},
      {"erdos-renyi",
       {many, [=] { make_erdos_renyi({.arms = many, .probability = 2.0 / many}, stream, 0); }}},
      {"erdos-renyi on two threads",
       {many, [=] { make_erdos_renyi({.arms = many, .probability = 2.0 / many}, stream, 0, 2); }}},
      {"cycle", {many, [=] { make_cycle({.arms = many}); }}},
      {"star", {many, [=] { make_star({.arms = many}); }}},
      {"empty", {many, [=] { make_empty({.arms = many}); }}},
      {"king", {many, [=] { make_king({.side = 512}); }}},
      {"cliques", {many, [=] { make_cliques({.count = many / 16, .size = 16}); }}},
      {"hamming", {512 * 512, [] { make_hamming({.length = 9, .distance = 2}); }}},
      {"complete", {2 * 512 * 512, [] { make_complete({.arms = 512}); }}},
      {"constant", {2 * 512 * 512, [] { make_constant({.arms = 512}); }}},
      {"complement", {5 * 512 * 512, [] { complement(make_complete({.arms = 512})); }}},
      {"arcs in any order", {many, [=] { Graph::sparse(many, reversed_arcs); }}},
      {"transposed graph",
       {sparse.arc_count(), [=] { TransposedGraph(*weightings::by_power(1), sparse); }}},
      {"coverage", {2 * 512 * 512, [=] { Coverage(*weightings::by_power(1), dense); }}},
  };
  // The steps are those of the coverages and the gains, which are filled first, and of the panels.
  all["runs in lockstep"] = {5 * 512 * 512, [=] {
                               const LearnerSpec spec{.name = "exp3-wix", .arms = 512};
                               make_lockstep_learners(spec, 2, RangeCheck::needed)->see(dense);
                             }};
  const auto reading = [&](GraphFormat format, const Graph& graph) {
    return Work{
        (graph.is_dense() ? 3 : 1) * graph.arc_count(),
        [format, bytes = printed(format, graph)] { parse_graph(format, bytes, "graph", {}); }};
  };
  const Graph complete = make_complete({.arms = 512});
  all["thin"] = {512 * 512, [=] { thin(dense, 0.5); }};
  all["nearest"] = {512 * 512, [=] { nearest(dense, 5); }};
  all["symmetrize"] = {512 * 512, [=] { symmetrize(dense, Symmetry::mean); }};
  all["summary"] = {512 * 512, [=] { summarize(dense); }};
  all["check before dimacs is written"] = {
      512 * 512, [=] { print_graph(GraphFormat::dimacs, complete, "graph", [](auto) {}); }};
  // There are many passes over the pairs of a group, which are also sorted.
  all["calibrate"] = {20 * many,
                      [pairs = many_pairs(many)] { calibrate(pairs, {.by = PooledBy::group}); }};
  all["lines of a file"] = {many, [file = std::make_shared<ScratchFile>(many)] { file->read(); }};
  // No arm shows another one exactly, so all arms are in the set.
  all["dominating set"] = {2 * 512 * 512, [=] { greedy_dominating_set(dense); }};
  all["round of exp3-res"] = {512 * 512, [=] { play_one_round("exp3-res", complete); }};
  const LearnerSpec spec{.name = "exp3-wix", .arms = many, .engine = Engine::lazy};
  all["saved state"] = {many, [=] { make_learner(spec)->save(); }};
  all["restored state"] = {many, [state = make_learner(spec)->save()] { restore_learner(state); }};
  const losses::Walks walks{.arms = many, .walks = 3};
  all["walks"] = {2 * 3 * many, [=] { losses::walks(walks, stream); }};
  all["saved walks"] = {3 * 3 * many, [=] { losses::walks(walks, stream)->save(); }};
  all["rounds of walks"] = {(2 * 3 + 4) * many, [=] {
                              const auto made = losses::walks(walks, stream);
                              std::vector<double> out(many);
                              for (int t = 0; t < 4; ++t) {
                                made->next(out);
                              }
                            }};
  all["round of losses of 0 or 1"] = {many, [=] {
                                        std::vector<double> out(many);
                                        losses::bernoulli({.arms = many}, stream)->next(out);
                                      }};
  // The root is found in at least two steps, at the beginning and after the round.
  all["round of tsallis-inf"] = {
      4 * many, [graph = make_empty({.arms = many})] { play_one_round("tsallis-inf", graph); }};
  all["npy"] = reading(GraphFormat::npy, dense);
  all["arcs.npy"] = reading(GraphFormat::arc_npy, sparse);
  all["csv"] = reading(GraphFormat::arc_csv, sparse);
  all["mtx"] = reading(GraphFormat::matrix_market, sparse);
  all["dimacs"] = reading(GraphFormat::dimacs, make_king({.side = 256}));
  return all;
}

// Counts the calls of should_stop in `calls`, and lets call number `stop_at` stop the work. Returns
// the number of calls, or nullopt if the work was interrupted.
std::optional<std::size_t> run_and_stop(const Work& work, std::size_t stop_at, std::size_t& calls) {
  calls = 0;
  const Interruption interruption([&] { return ++calls == stop_at; });
  try {
    work.run();
  } catch (const Interrupted&) {
    return std::nullopt;
  }
  return calls;
}

TEST(Interruption, StopsLongSetupsAtTheFirstMiddleAndLastCall) {
  for (const auto& [name, work] : long_work()) {
    std::size_t calls = 0;
    const std::optional<std::size_t> total_calls = run_and_stop(work, 0, calls);
    ASSERT_TRUE(total_calls) << name;
    EXPECT_GE(*total_calls, work.steps / kBetween) << name;
    for (const std::size_t stop_at :
         std::set<std::size_t>{1, (*total_calls + 1) / 2, *total_calls}) {
      EXPECT_FALSE(run_and_stop(work, stop_at, calls)) << name;
      EXPECT_EQ(calls, stop_at) << name;
    }
  }
}

// A thread sends a signal until the wait has ended. The handler of the signal does nothing.
TEST(Interruption, EndsTheWaitForAPipeAtASignal) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  std::atomic<bool> has_ended = false;
  std::thread sender([&, reader = pthread_self()] {
    while (!has_ended) {
      pthread_kill(reader, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  {
    InputStream stream(pipe[0], "pipe");
    const Interruption interruption([] { return true; });
    EXPECT_THROW(stream.get(), Interrupted);
  }
  has_ended = true;
  sender.join();
  sigaction(SIGUSR1, &before, nullptr);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

// One task, and a request to stop that comes at the first check.
class StoppedSource final : public TaskSource {
 public:
  std::optional<Task> next() override {
    return std::exchange(handed_out_, true) ? std::nullopt : std::optional(Task{});
  }
  void add_rounds(std::uint64_t more) override { rounds += more; }
  void finish(std::size_t /*unit*/, std::span<const CurvePoint> /*points*/) override {
    finished = true;
  }
  void save_state(std::size_t /*unit*/, const std::string& /*state*/) override { saved = true; }
  std::uint64_t save_requests() override { return 0; }
  bool is_stopped() override {
    ++stop_calls;
    return true;
  }

  std::size_t stop_calls = 0;
  std::uint64_t rounds = 0;
  bool saved = false;
  bool finished = false;

 private:
  bool handed_out_ = false;
};

// One task. Its state is requested before its first round, together with a request to stop.
class StoppedWhileSaving final : public TaskSource {
 public:
  std::optional<Task> next() override {
    return std::exchange(handed_out_, true) ? std::nullopt : std::optional(Task{});
  }
  void add_rounds(std::uint64_t /*more*/) override {}
  void finish(std::size_t /*unit*/, std::span<const CurvePoint> /*points*/) override {}
  void save_state(std::size_t /*unit*/, const std::string& /*state*/) override { saved = true; }
  std::uint64_t save_requests() override {
    stopped_ = requests_ > 0;
    return requests_++;
  }
  bool is_stopped() override { return stopped_; }

  bool saved = false;

 private:
  bool handed_out_ = false;
  bool stopped_ = false;
  std::uint64_t requests_ = 0;
};

// One task, and a request to stop that comes after its first rounds.
class StoppedAfterRounds final : public TaskSource {
 public:
  std::optional<Task> next() override {
    return std::exchange(handed_out_, true) ? std::nullopt : std::optional(Task{});
  }
  void add_rounds(std::uint64_t more) override { rounds_ += more; }
  void finish(std::size_t /*unit*/, std::span<const CurvePoint> /*points*/) override {}
  void save_state(std::size_t /*unit*/, const std::string& /*state*/) override { saved = true; }
  std::uint64_t save_requests() override { return 0; }
  bool is_stopped() override { return rounds_ > 0; }

  bool saved = false;

 private:
  bool handed_out_ = false;
  std::uint64_t rounds_ = 0;
};

// Ten arms with many walks have a large state, too.
TEST(Workers, SaveAStateAfterAStopOnlyIfItIsSmall) {
  const auto saves = [](std::size_t walks) {
    const Plan plan = testing::small_plan(
        {"environment.graph={family='empty', arms=10}",
         "environment.losses={kind='walks', walks=" + std::to_string(walks) + "}",
         "environment.horizon=10000000", "learners=[{learner='exp3'}]"});
    StoppedAfterRounds tasks;
    work(plan, tasks);
    return tasks.saved;
  };
  EXPECT_TRUE(saves(20));
  EXPECT_FALSE(saves(200'000));
}

TEST(Workers, AbandonTheSavingOfALargeStateWhenStopped) {
  const auto saves = [](std::size_t arms) {
    const Plan plan = testing::small_plan(
        {"environment.graph={family='empty', arms=" + std::to_string(arms) + "}",
         "environment.losses={kind='bernoulli'}", "environment.horizon=1000000",
         "learners=[{learner='exp3', engine='lazy'}]"});
    StoppedWhileSaving tasks;
    work(plan, tasks);
    return tasks.saved;
  };
  EXPECT_TRUE(saves(10));
  EXPECT_FALSE(saves(600'000));
}

// A graph of a million arcs is drawn for each round.
TEST(Workers, ReturnWithoutMakingALargeGraphWhenStopped) {
  const Plan plan = testing::small_plan(
      {"environment.graph={kind='redrawn', family='erdos-renyi', arms=200000, probability=2e-5}",
       "environment.losses={kind='bernoulli'}", "learners=[{learner='exp3-wix', engine='lazy'}]"});
  StoppedSource tasks;
  work(plan, tasks);
  EXPECT_FALSE(tasks.finished);
  EXPECT_FALSE(tasks.saved);
  EXPECT_LE(tasks.stop_calls, 40);
  EXPECT_EQ(tasks.rounds, 0);
}

}  // namespace
}  // namespace hearsay
