#include "hearsay/work/runner.h"

#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/report/csv.h"
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

void look_away(const WorkDone& /*work*/) {}

std::string csv_of(const Plan& plan, const Records& records) {
  return results_csv(plan, summarize(plan, records));
}

std::string whole_run(const Plan& plan, std::size_t threads) {
  Records records(plan);
  Ledger ledger(plan, all_units(plan), records, nullptr);
  EXPECT_TRUE(run(plan, ledger, threads, look_away));
  EXPECT_EQ(ledger.work_done().done, ledger.work_done().total);
  return csv_of(plan, records);
}

TEST(Runner, HasTheSameBytesForAnyNumberOfThreads) {
  const Plan plan = small_plan({"repetitions=20"});
  const std::string one = whole_run(plan, 1);
  EXPECT_EQ(whole_run(plan, 2), one);
  EXPECT_EQ(whole_run(plan, 3), one);
  EXPECT_EQ(whole_run(plan, 16), one);
}

TEST(Runner, LearnersOfAnExperimentDoNotDisturbEachOther) {
  // The rows of a learner are the same whoever else is there.
  const Plan all = small_plan();
  const Plan fewer(parse_experiment(
      std::string(testing::kSmallExperiment)
          .replace(
              std::string(testing::kSmallExperiment).find("[[learners]]\nlearner = \"exp3-ixt\""),
              std::string("[[learners]]\nlearner = \"exp3-ixt\"\nthreshold = [0, 0.5]\n").size(),
              ""),
      "small.toml"));
  EXPECT_EQ(fewer.cells().size(), all.cells().size() - 2);
  const std::string with = whole_run(all, 1);
  const std::string without = whole_run(fewer, 1);
  EXPECT_NE(with.find(without.substr(without.rfind("\nexp3-ivx"))), std::string::npos);
}

TEST(Runner, GoesOnFromACheckpointToTheSameBytes) {
  const Plan plan = small_plan();
  const std::string expected = whole_run(plan, 1);
  const ScratchDirectory scratch;
  const std::string directory = scratch.file("checkpoint");
  // Each time a little further: some units are done, one is in the middle.
  for (std::size_t times = 0; times < 5; ++times) {
    Records records(plan);
    Checkpoint checkpoint(directory, plan, records);
    Ledger ledger(plan, all_units(plan), records, &checkpoint);
    const std::size_t done_before = checkpoint.done().size();
    for (int i = 0; i < 7; ++i) {
      const Task task = ledger.next().value();
      Block block = open_block(plan, task);
      block.advance(60);
      ledger.finish(task.unit, block.records());
    }
    const Task left = ledger.next().value();
    Block block = open_block(plan, left);
    EXPECT_EQ(block.rounds(), 0);
    block.advance(17 + times);
    ledger.save_state(left.unit, block.save());
    EXPECT_EQ(done_before, 7 * times);
    EXPECT_FALSE(ledger.is_complete());
  }
  Records records(plan);
  Checkpoint checkpoint(directory, plan, records);
  EXPECT_EQ(checkpoint.done().size(), 35);
  Ledger ledger(plan, all_units(plan), records, &checkpoint);
  const Task first = ledger.next().value();
  EXPECT_EQ(open_block(plan, first).rounds(), 21);
  {
    Ledger rest(plan, all_units(plan), records, &checkpoint);
    EXPECT_TRUE(run(plan, rest, 2, look_away));
  }
  EXPECT_EQ(csv_of(plan, records), expected);
  checkpoint.remove();
  EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST(Runner, WhenToldToStopSavesWhereItIs) {
  const Plan plan = small_plan({"environment.horizon=100000000", "repetitions=1", "sequences=1"});
  const ScratchDirectory scratch;
  Records records(plan);
  Checkpoint checkpoint(scratch.file("checkpoint"), plan, records);
  Ledger ledger(plan, all_units(plan), records, &checkpoint);
  EXPECT_FALSE(run(plan, ledger, 2, [&](const WorkDone&) { ledger.stop(); }));
  for (const std::size_t unit : {std::size_t{0}, std::size_t{1}}) {
    const Task task{unit, checkpoint.state(unit)};
    const Block block = open_block(plan, task);
    EXPECT_GT(block.rounds(), 0);
    EXPECT_FALSE(block.is_done());
  }
  EXPECT_FALSE(ledger.next().has_value());
}

TEST(Runner, PassesOnWhatWentWrong) {
  const Plan plan = small_plan({"environment.horizon=100000000"});
  Records records(plan);
  Ledger ledger(plan, all_units(plan), records, nullptr);
  const auto broken = [](const WorkDone&) { throw std::runtime_error("the disk is full"); };
  EXPECT_THROW(run(plan, ledger, 2, broken), std::runtime_error);
}

// A crash may tear the last record anywhere: what is before it stands.
TEST(Checkpoint, IgnoresATornRecord) {
  const Plan plan = small_plan({"points=[30]"});
  const ScratchDirectory scratch;
  Records records(plan);
  std::string bytes = unit_file_header(plan);
  std::vector<std::size_t> ends = {bytes.size()};
  for (const std::size_t unit : {std::size_t{4}, std::size_t{0}, std::size_t{2}}) {
    records.of(plan.units()[unit])[0].loss = static_cast<double>(unit) + 0.5;
    bytes += unit_file_record(plan, unit, records.of(plan.units()[unit]));
    ends.push_back(bytes.size());
  }
  for (std::size_t length = ends.front(); length <= bytes.size(); ++length) {
    std::filesystem::create_directories(scratch.file("checkpoint"));
    scratch.write("checkpoint/units", bytes.substr(0, length));
    Records read(plan);
    const Checkpoint checkpoint(scratch.file("checkpoint"), plan, read);
    std::size_t whole = 0;
    while (whole + 1 < ends.size() && ends[whole + 1] <= length) {
      ++whole;
    }
    ASSERT_EQ(checkpoint.done().size(), whole) << length;
    EXPECT_EQ(scratch.read("checkpoint/units").size(), ends[whole]);
    if (whole > 0) {
      EXPECT_EQ(read.of(plan.units()[4])[0].loss, 4.5);
    }
  }
  // A byte changed in the middle one: that and what follows is gone.
  std::string damaged = bytes;
  damaged[(ends[1] + ends[2]) / 2] ^= 1;
  Records read(plan);
  EXPECT_EQ(read_unit_file(damaged, "units", plan, read).units, std::vector<std::size_t>{4});
}

// Unit 1 of three repetitions is the second, of one repetition it is the second cell's: as large.
TEST(Checkpoint, IgnoresARecordThatWasCutInAnotherWay) {
  const Plan plan = small_plan();
  const Plan other = small_plan({"repetitions=1"});
  Records records(plan);
  const std::string bytes =
      unit_file_header(plan) + unit_file_record(other, 1, records.of(plan.units()[1]));
  const UnitFileContents contents = read_unit_file(bytes, "units", plan, records);
  EXPECT_TRUE(contents.units.empty());
  EXPECT_EQ(contents.whole_bytes, unit_file_header(plan).size());
}

TEST(Checkpoint, OfAnotherExperimentOrInUseIsRefused) {
  const Plan plan = small_plan();
  const Plan other = small_plan({"seed=2"});
  const ScratchDirectory scratch;
  Records records(plan);
  {
    const Checkpoint checkpoint(scratch.file("checkpoint"), plan, records);
    EXPECT_THROW(Checkpoint(scratch.file("checkpoint"), plan, records), Error);  // in use
  }
  const std::string before = scratch.read("checkpoint/units");
  EXPECT_THROW(Checkpoint(scratch.file("checkpoint"), other, records), Error);
  EXPECT_EQ(scratch.read("checkpoint/units"), before);
}

}  // namespace
}  // namespace hearsay
