#include "hearsay/runner/run_experiment.h"

#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/report/csv.h"
#include "hearsay/report/html.h"
#include "hearsay/work/work_queue.h"
#include "hearsay/work/workers.h"
#include "tests/message_of.h"
#include "tests/program.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::checkpoint_in;
using testing::ScratchDirectory;
using testing::small_experiment;
using testing::small_plan;

std::string csv_of(const ExperimentResult& result) {
  return results_csv(result.plan, result.rows);
}

// Makes the run long enough to be stopped: the first call of `progress` comes before any unit is
// computed.
const std::vector<std::string> kLongRun = {"environment.horizon=20000"};

TEST(RunExperiment, ReturnsTheSummaryOfItsCurvesAndWritesNothingUnlessRequested) {
  const ExperimentResult result = run_experiment(small_experiment());
  EXPECT_EQ(result.status, RunStatus::finished);
  EXPECT_EQ(result.work.done, 8 * 2 * 3 * 60);
  EXPECT_EQ(result.work.total, result.work.done);
  EXPECT_EQ(csv_of(result), results_csv(result.plan, summarize(result.plan, result.curves)));
}

TEST(RunExperiment, WritesTheFilesOfItsResults) {
  const ScratchDirectory scratch;
  const ExperimentResult result =
      run_experiment(small_experiment(), {.threads = 2, .out = scratch.file("out")});
  EXPECT_EQ(scratch.read("out/results.csv"), csv_of(result));
  EXPECT_EQ(scratch.read("out/summary.csv"),
            results_csv(result.plan, at_horizon(result.plan, result.rows)));
  EXPECT_EQ(scratch.read("out/experiment.toml"), to_toml(result.plan.experiment()));
  EXPECT_EQ(fs::exists(scratch.file("out/report.html")), report_available());
  EXPECT_EQ(checkpoint_in(scratch.file("out")), "");
}

TEST(RunExperiment, WritesARecordOnlyIfTheCallerGivesOne) {
  const ScratchDirectory scratch;
  RunOptions options{.out = scratch.file("out"), .existing = Existing::resume};
  run_experiment(small_experiment(), options);
  EXPECT_FALSE(fs::exists(scratch.file("out/run.json")));
  options.record = [&] { return fs::exists(scratch.file("out/results.csv")) ? "again" : "first"; };
  EXPECT_EQ(run_experiment(small_experiment(), options).status, RunStatus::finished);
  EXPECT_EQ(scratch.read("out/run.json"), "again");
  EXPECT_EQ(run_experiment(small_experiment(), options).status, RunStatus::finished_before);
}

TEST(RunExperiment, StopsWhenProgressSaysSoAndResumesToTheSameBytes) {
  const ScratchDirectory scratch;
  const std::string expected = csv_of(run_experiment(small_experiment(kLongRun), {.threads = 2}));
  RunOptions options{.threads = 2, .out = scratch.file("out"), .existing = Existing::resume};
  std::uint64_t last_done = 0;
  // Stops again and again, each time after some more work.
  RunStatus status = RunStatus::stopped;
  while (status == RunStatus::stopped) {
    const std::uint64_t before = last_done;
    options.progress = [&](const WorkDone& work) {
      last_done = work.done;
      return work.done <= before || work.done > work.total / 2;
    };
    const ExperimentResult result = run_experiment(small_experiment(kLongRun), options);
    status = result.status;
    EXPECT_EQ(fs::exists(scratch.file("out/results.csv")), status == RunStatus::finished);
    EXPECT_EQ(result.rows.empty(), status == RunStatus::stopped);
  }
  EXPECT_EQ(scratch.read("out/results.csv"), expected);
}

TEST(RunExperiment, StopsWhileItWritesManyResultsAndResumesToTheSameBytes) {
  const auto experiment = [] {
    return small_experiment({"environment.horizon=3000", "points=3000", "repetitions=1"});
  };
  const std::string expected = csv_of(run_experiment(experiment(), {}));
  ASSERT_GT(expected.size(), 2 * Interruption::kStepsBetween);
  const ScratchDirectory scratch;
  RunOptions options{.out = scratch.file("out"), .existing = Existing::resume};
  int checks = 0;  // after all rounds have been played; some happen while rows are written
  options.progress = [&](const WorkDone& work) {
    checks += work.done == work.total ? 1 : 0;
    return checks < 3;
  };
  const ExperimentResult stopped = run_experiment(experiment(), options);
  EXPECT_EQ(stopped.status, RunStatus::stopped);
  EXPECT_TRUE(stopped.rows.empty());
  EXPECT_FALSE(fs::exists(scratch.file("out/results.csv")));
  options.progress = {};
  EXPECT_EQ(run_experiment(experiment(), options).status, RunStatus::finished);
  EXPECT_EQ(scratch.read("out/results.csv"), expected);
}

TEST(RunExperiment, PassesOnWhatProgressThrowsAndKeepsTheCheckpoint) {
  const ScratchDirectory scratch;
  RunOptions options{.out = scratch.file("out")};
  options.progress = [](const WorkDone& work) -> bool {
    if (work.done > 0) {
      throw std::runtime_error("interrupted");
    }
    return true;
  };
  EXPECT_THROW(run_experiment(small_experiment(kLongRun), options), std::runtime_error);
  EXPECT_TRUE(fs::exists(checkpoint_in(scratch.file("out")) + "/units"));
  // The same experiment is refused unless it is to be resumed or replaced.
  EXPECT_THROW(run_experiment(small_experiment(kLongRun), options), Error);
}

TEST(RunExperiment, ReturnsTheRowsOfARunThatWasFinishedBefore) {
  const ScratchDirectory scratch;
  const RunOptions options{.out = scratch.file("out"), .existing = Existing::resume};
  const ExperimentResult first = run_experiment(small_experiment(), options);
  const ExperimentResult second = run_experiment(small_experiment(), options);
  EXPECT_EQ(first.status, RunStatus::finished);
  EXPECT_EQ(second.status, RunStatus::finished_before);
  EXPECT_EQ(csv_of(second), csv_of(first));
  // Without its results it is not finished.
  fs::remove(scratch.file("out/results.csv"));
  EXPECT_EQ(run_experiment(small_experiment(), options).status, RunStatus::finished);
  scratch.write("out/results.csv", "damaged");
  EXPECT_THROW(run_experiment(small_experiment(), options), Error);
}

// An experiment with its graph in memory, under this name.
Experiment experiment_with_graph(const std::string& name, const std::string& graph) {
  const std::string text = "repetitions = 2\n[environment]\nhorizon = 30\ngraph.file = \"" + name +
                           "\"\n[[learners]]\nlearner = \"exp3-wix\"\n";
  return parse_experiment(text, "", {}, {{name, graph}});
}

constexpr const char* kGraph = "played,seen,weight\n0,0,1\n1,1,1\n0,1,0.5\n";

TEST(RunExperiment, WritesDataThatIsInMemorySoThatItsExperimentRunsAgain) {
  const ScratchDirectory scratch;
  const ExperimentResult first =
      run_experiment(experiment_with_graph("graph.csv", kGraph), {.out = scratch.file("out")});
  EXPECT_EQ(scratch.read("out/graph.csv"), kGraph);
  const std::string written = scratch.file("out/experiment.toml");
  run_experiment(read_experiment(written), {.out = scratch.file("again")});
  for (const auto& entry : fs::directory_iterator(scratch.file("again"))) {
    const std::string name = entry.path().filename().string();
    if (name != ".hearsay") {
      EXPECT_EQ(scratch.read("again/" + name), scratch.read("out/" + name)) << name;
    }
  }
  EXPECT_FALSE(fs::exists(scratch.file("again/graph.csv")));
  // In its own directory it is the same experiment, and its data is kept.
  for (const Existing existing : {Existing::resume, Existing::refuse, Existing::replace}) {
    const ExperimentResult again = run_experiment(
        read_experiment(written), {.out = scratch.file("out"), .existing = existing});
    EXPECT_EQ(again.status,
              existing == Existing::resume ? RunStatus::finished_before : RunStatus::finished);
    EXPECT_EQ(csv_of(again), csv_of(first));
  }
  EXPECT_EQ(scratch.read("out/graph.csv"), kGraph);
}

TEST(RunExperiment, ReplacesDataThatItWroteAndNoOther) {
  const ScratchDirectory scratch;
  const Experiment experiment = experiment_with_graph("graph.csv", kGraph);
  RunOptions options{.out = scratch.file("out"), .existing = Existing::resume};
  run_experiment(experiment, options);
  EXPECT_EQ(run_experiment(experiment, options).status, RunStatus::finished_before);
  // Without its data it is not finished.
  fs::remove(scratch.file("out/graph.csv"));
  EXPECT_EQ(run_experiment(experiment, options).status, RunStatus::finished);
  EXPECT_EQ(scratch.read("out/graph.csv"), kGraph);

  options.existing = Existing::replace;
  const std::string other_graph = std::string(kGraph) + "1,0,0.25\n";
  run_experiment(experiment_with_graph("graph.csv", other_graph), options);
  EXPECT_EQ(scratch.read("out/graph.csv"), other_graph);
  // The new experiment has no data.
  run_experiment(small_experiment(), options);
  EXPECT_FALSE(fs::exists(scratch.file("out/graph.csv")));

  scratch.write("out/graph.csv", "of the user");
  EXPECT_EQ(message_of([&] { run_experiment(experiment, options); }),
            scratch.file("out/graph.csv") +
                ": was not written here by this version of hearsay, or was changed since, expected "
                "no such file: move it away, or choose another directory, such as " +
                scratch.file("out-2"));
  EXPECT_EQ(scratch.read("out/graph.csv"), "of the user");
}

TEST(RunExperiment, RefusesDataInMemoryWhoseNameCannotStandBesideTheResults) {
  const ScratchDirectory scratch;
  EXPECT_EQ(message_of([&] {
              run_experiment(experiment_with_graph("results.csv", kGraph),
                             {.out = scratch.file("out")});
            }),
            "results.csv: is data, but results have this name, expected another name");
  EXPECT_FALSE(fs::exists(scratch.file("out")));
  const auto in_directory = [] { experiment_with_graph("data/graph.csv", kGraph); };
  EXPECT_NE(message_of(in_directory)
                .find("is 'data/graph.csv', whose data is in memory, expected "
                      "a name without a directory"),
            std::string::npos)
      << message_of(in_directory);
}

TEST(RunExperiment, KeepsACheckpointWithoutAnOutputDirectory) {
  const ScratchDirectory scratch;
  const RunOptions options{.checkpoint = scratch.file("kept")};
  const ExperimentResult first = run_experiment(small_experiment(), options);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"kept"});
  RunOptions again = options;
  std::vector<std::uint64_t> done;
  again.progress = [&](const WorkDone& work) {
    done.push_back(work.done);
    return true;
  };
  EXPECT_EQ(csv_of(run_experiment(small_experiment(), again)), csv_of(first));
  EXPECT_EQ(done.front(), first.work.total);  // nothing was left to compute
}

TEST(RunExperiment, LetsTheCallerComputeTheUnits) {
  std::size_t units = 0;
  const ComputeUnits one_by_one = [&](const Plan& plan, WorkQueue& queue, const WatchWork& watch) {
    while (const std::optional<Task> task = queue.next()) {
      UnitRuns runs = open_task(plan, *task);
      runs.advance(60);
      queue.finish(task->unit, runs.points());
      ++units;
    }
    watch(queue.work_done());
    return queue.is_complete();
  };
  const ExperimentResult result = run_experiment(small_experiment(), {.compute = one_by_one});
  EXPECT_EQ(csv_of(result), csv_of(run_experiment(small_experiment())));
  EXPECT_EQ(units, result.plan.units().size());
}

TEST(RunExperiment, MergesShardsToTheResultsOfTheWhole) {
  const ScratchDirectory scratch;
  const std::vector<std::string> directories = {scratch.file("a"), scratch.file("b")};
  for (std::size_t index = 1; index <= 2; ++index) {
    const ExperimentResult part =
        run_experiment(small_experiment(), {.out = directories[index - 1], .shard = {index, 2}});
    EXPECT_TRUE(part.rows.empty());
  }
  for (const std::size_t count : {0U, 1U}) {
    EXPECT_THROW(
        merge_shards(std::span(directories).first(count), scratch.file("merged"), Existing::refuse),
        Error)
        << count;
  }
  EXPECT_FALSE(fs::exists(scratch.file("merged")));
  const ExperimentResult merged =
      merge_shards(directories, scratch.file("merged"), Existing::refuse);
  EXPECT_EQ(csv_of(merged), csv_of(run_experiment(small_experiment())));
  EXPECT_EQ(scratch.read("merged/results.csv"), csv_of(merged));
}

TEST(Shard, EveryUnitIsInExactlyOneShard) {
  const Plan plan = small_plan();
  std::vector<int> times(plan.units().size());
  for (std::size_t index = 1; index <= 5; ++index) {
    for (const std::size_t unit : Shard{index, 5}.units(plan)) {
      ++times[unit];
    }
  }
  EXPECT_EQ(times, std::vector<int>(plan.units().size(), 1));
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ((Shard{2, kMost}.units(plan)), std::vector<std::size_t>{1});
  EXPECT_TRUE((Shard{kMost, kMost}.units(plan)).empty());
}

}  // namespace
}  // namespace hearsay
