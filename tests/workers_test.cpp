#include "hearsay/work/workers.h"

#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/report/csv.h"
#include "hearsay/work/unit_file.h"
#include "tests/program.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::ScratchDirectory;
using testing::small_plan;

std::vector<std::size_t> all_units(const Plan& plan) {
  std::vector<std::size_t> units(plan.units().size());
  std::iota(units.begin(), units.end(), std::size_t{0});
  return units;
}

void ignore_progress(const WorkDone& /*work*/) {}

std::string csv_of(const Plan& plan, const Curves& curves) {
  return results_csv(plan, summarize(plan, curves));
}

std::string results_on(const Plan& plan, std::size_t threads) {
  Curves curves(plan);
  WorkQueue queue(plan, all_units(plan), curves, nullptr);
  EXPECT_TRUE(run_workers(plan, queue, threads, ignore_progress));
  EXPECT_EQ(queue.work_done().done, queue.work_done().total);
  return csv_of(plan, curves);
}

TEST(Workers, GiveTheSameBytesForAnyNumberOfThreads) {
  const Plan plan = small_plan({"repetitions=20"});
  const std::string on_one_thread = results_on(plan, 1);
  EXPECT_EQ(results_on(plan, 2), on_one_thread);
  EXPECT_EQ(results_on(plan, 3), on_one_thread);
  EXPECT_EQ(results_on(plan, 16), on_one_thread);
}

TEST(Workers, GiveALearnerTheSameRowsWhateverTheOtherLearnersAre) {
  const Plan all = small_plan();
  const std::string removed = "[[learners]]\nlearner = \"exp3-ixt\"\nthreshold = [0, 0.5]\n";
  std::string text = testing::kSmallExperiment;
  const Plan fewer(
      parse_experiment(text.replace(text.find(removed), removed.size(), ""), "small.toml"));
  EXPECT_EQ(fewer.cells().size(), all.cells().size() - 2);
  const std::string rows_of_all = results_on(all, 1);
  const std::string rows_of_fewer = results_on(fewer, 1);
  EXPECT_NE(rows_of_all.find(rows_of_fewer.substr(rows_of_fewer.rfind("\nexp3-ivx"))),
            std::string::npos);
}

TEST(Workers, ContinueFromACheckpointToTheSameBytes) {
  const Plan plan = small_plan();
  const std::string expected = results_on(plan, 1);
  const ScratchDirectory scratch;
  const std::string directory = scratch.file("checkpoint");
  // Each time seven more units are finished, and the next one is left in the middle.
  for (std::size_t times = 0; times < 5; ++times) {
    Curves curves(plan);
    Checkpoint checkpoint(directory, plan, curves);
    WorkQueue queue(plan, all_units(plan), curves, &checkpoint);
    const std::size_t done_before = checkpoint.done().size();
    for (int i = 0; i < 7; ++i) {
      const Task task = queue.next().value();
      UnitRuns runs = open_task(plan, task);
      runs.advance(60);
      queue.finish(task.unit, runs.points());
    }
    const Task unfinished = queue.next().value();
    UnitRuns runs = open_task(plan, unfinished);
    EXPECT_EQ(runs.rounds(), 0);
    runs.advance(17 + times);
    queue.save_state(unfinished.unit, runs.save());
    EXPECT_EQ(done_before, 7 * times);
    EXPECT_FALSE(queue.is_complete());
  }
  Curves curves(plan);
  Checkpoint checkpoint(directory, plan, curves);
  EXPECT_EQ(checkpoint.done().size(), 35);
  WorkQueue queue(plan, all_units(plan), curves, &checkpoint);
  const Task first = queue.next().value();
  EXPECT_EQ(open_task(plan, first).rounds(), 21);
  {
    WorkQueue rest(plan, all_units(plan), curves, &checkpoint);
    EXPECT_TRUE(run_workers(plan, rest, 2, ignore_progress));
  }
  EXPECT_EQ(csv_of(plan, curves), expected);
  remove_checkpoints(directory);
  EXPECT_FALSE(std::filesystem::exists(directory));
}

// Hands out one unit. Its state is requested before every slice of rounds, and `requests_per_save`
// times while it is saved.
class OneTask final : public TaskSource {
 public:
  explicit OneTask(std::uint64_t requests_per_save) : requests_per_save_(requests_per_save) {}

  std::optional<Task> next() override {
    return std::exchange(handed_out_, true) ? std::nullopt : std::optional<Task>(Task{});
  }
  void add_rounds(std::uint64_t /*rounds*/) override { ++requests_; }
  void finish(std::size_t /*unit*/, std::span<const CurvePoint> /*points*/) override {}
  void save_state(std::size_t /*unit*/, const std::string& /*state*/) override {
    ++saves_;
    requests_ += requests_per_save_;
  }
  std::uint64_t save_requests() override { return requests_; }
  bool is_stopped() override { return false; }

  std::uint64_t saves() const { return saves_; }

 private:
  std::uint64_t requests_per_save_;
  std::uint64_t requests_ = 0;
  std::uint64_t saves_ = 0;
  bool handed_out_ = false;
};

TEST(Workers, SpendAtMostATenthOfTheirTimeOnSavingStates) {
  // There are 400 x 400 weights, so a slice has 6 rounds, and there are 100 slices.
  const Plan plan = small_plan({"environment.horizon=600", "environment.graph.side=20",
                                "repetitions=1", "sequences=1", "learners=[{learner='exp3'}]"});
  ASSERT_EQ(rounds_per_slice(plan, plan.units()[0]), 6);
  OneTask quick(0);
  work(plan, quick);
  EXPECT_EQ(quick.saves(), 99);  // before every slice but the first
  // A save lasts as long as 2 slices, and the next one comes 19 slices later.
  OneTask slow(2);
  work(plan, slow);
  EXPECT_EQ(slow.saves(), 6);  // before slices 1, 20, 39, 58, 77, 96
}

TEST(Workers, SaveTheirStateWhenStopped) {
  const Plan plan = small_plan({"environment.horizon=100000000", "repetitions=1", "sequences=1"});
  const ScratchDirectory scratch;
  Curves curves(plan);
  Checkpoint checkpoint(scratch.file("checkpoint"), plan, curves);
  WorkQueue queue(plan, all_units(plan), curves, &checkpoint);
  EXPECT_FALSE(run_workers(plan, queue, 2, [&](const WorkDone&) { queue.stop(); }));
  for (const std::size_t unit : {std::size_t{0}, std::size_t{1}}) {
    const Task task{unit, checkpoint.state(unit)};
    const UnitRuns runs = open_task(plan, task);
    EXPECT_GT(runs.rounds(), 0);
    EXPECT_FALSE(runs.is_done());
  }
  EXPECT_FALSE(queue.next().has_value());
}

TEST(Workers, DoNotSaveALargeStateWhenStopped) {
  const Plan plan(parse_experiment(R"(
points = 1
[environment]
horizon = 100000000
[environment.graph]
family = "empty"
arms = 600000
[environment.losses]
kind = "bernoulli"
[[learners]]
learner = "exp3"
engine = "lazy"
)",
                                   "large.toml"));
  const ScratchDirectory scratch;
  Curves curves(plan);
  Checkpoint checkpoint(scratch.file("checkpoint"), plan, curves);
  WorkQueue queue(plan, all_units(plan), curves, &checkpoint);
  std::uint64_t rounds = 0;
  const auto stop_after_some_rounds = [&](const WorkDone& work) {
    rounds = work.done;
    if (rounds > 0) {
      queue.stop();
    }
  };
  EXPECT_FALSE(run_workers(plan, queue, 1, stop_after_some_rounds));
  EXPECT_GT(rounds, 0);
  EXPECT_EQ(checkpoint.state(0), "");
}

TEST(Workers, PassOnAnException) {
  const Plan plan = small_plan({"environment.horizon=100000000"});
  Curves curves(plan);
  WorkQueue queue(plan, all_units(plan), curves, nullptr);
  const auto throw_error = [](const WorkDone&) { throw std::runtime_error("the disk is full"); };
  EXPECT_THROW(run_workers(plan, queue, 2, throw_error), std::runtime_error);
}

// A crash may tear the last entry at any byte; the entries before it are kept.
TEST(Checkpoint, IgnoresATornEntry) {
  const Plan plan = small_plan({"points=[30]"});
  const ScratchDirectory scratch;
  Curves curves(plan);
  std::string bytes = unit_file_header(plan);
  std::vector<std::size_t> ends = {bytes.size()};
  for (const std::size_t unit : {std::size_t{4}, std::size_t{0}, std::size_t{2}}) {
    curves.of(plan.units()[unit])[0].loss = static_cast<double>(unit) + 0.5;
    bytes += unit_file_entry(plan, unit, curves.of(plan.units()[unit]));
    ends.push_back(bytes.size());
  }
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    std::filesystem::create_directories(scratch.file("checkpoint"));
    scratch.write("checkpoint/units", bytes.substr(0, length));
    Curves read(plan);
    const Checkpoint checkpoint(scratch.file("checkpoint"), plan, read);
    std::size_t whole_entries = 0;
    while (whole_entries + 1 < ends.size() && ends[whole_entries + 1] <= length) {
      ++whole_entries;
    }
    ASSERT_EQ(checkpoint.done().size(), whole_entries) << length;
    EXPECT_EQ(scratch.read("checkpoint/units").size(), ends[whole_entries]);
    if (whole_entries > 0) {
      EXPECT_EQ(read.of(plan.units()[4])[0].loss, 4.5);
    }
  }
  // With a changed byte in the middle entry, that one and those after it are ignored.
  std::string damaged = bytes;
  damaged[(ends[1] + ends[2]) / 2] ^= 1;
  Curves read(plan);
  EXPECT_EQ(read_unit_file(damaged, "units", plan, read).units, std::vector<std::size_t>{4});
}

// With three repetitions, unit 1 is the second repetition of the first cell; with one repetition it
// is the second cell. Both have one run.
TEST(Checkpoint, IgnoresAnEntryOfAnotherDivisionIntoUnits) {
  const Plan plan = small_plan();
  const Plan other = small_plan({"repetitions=1"});
  Curves curves(plan);
  const std::string bytes =
      unit_file_header(plan) + unit_file_entry(other, 1, curves.of(plan.units()[1]));
  const UnitFileContents contents = read_unit_file(bytes, "units", plan, curves);
  EXPECT_TRUE(contents.units.empty());
  EXPECT_EQ(contents.whole_bytes, unit_file_header(plan).size());
}

TEST(Checkpoint, IsRemovedWithoutTheFilesOfOthers) {
  const ScratchDirectory scratch;
  std::filesystem::create_directories(scratch.file("checkpoint/rates"));
  for (const char* checkpoint_file :
       {"checkpoint/units", "checkpoint/unit-12.state", "checkpoint/grid.solved",
        "checkpoint/unit-12.state.4711-0.part", "checkpoint/rates/units"}) {
    scratch.write(checkpoint_file, "");
  }
  const std::vector<std::string> others = {"my.part", "notes", "unit-1.state.part", "unit-x.state"};
  for (const std::string& name : others) {
    scratch.write("checkpoint/" + name, "precious");
  }
  remove_checkpoints(scratch.file("checkpoint"));
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.file("checkpoint"))) {
    left.push_back(entry.path().filename().string());
  }
  std::ranges::sort(left);
  EXPECT_EQ(left, others);

  // What a link leads to is not removed, either.
  std::filesystem::create_directories(scratch.file("elsewhere"));
  scratch.write("elsewhere/units", "precious");
  std::filesystem::create_directory_symlink("elsewhere", scratch.file("link"));
  remove_checkpoints(scratch.file("link"));
  EXPECT_EQ(scratch.read("elsewhere/units"), "precious");
}

TEST(Checkpoint, IsRefusedIfItIsInUseOrOfAnotherExperiment) {
  const Plan plan = small_plan();
  const Plan other = small_plan({"seed=2"});
  const ScratchDirectory scratch;
  Curves curves(plan);
  {
    const Checkpoint checkpoint(scratch.file("checkpoint"), plan, curves);
    EXPECT_THROW(Checkpoint(scratch.file("checkpoint"), plan, curves), Error);
  }
  const std::string before = scratch.read("checkpoint/units");
  EXPECT_THROW(Checkpoint(scratch.file("checkpoint"), other, curves), Error);
  EXPECT_EQ(scratch.read("checkpoint/units"), before);
}

}  // namespace
}  // namespace hearsay
