#include "hearsay/runner/output_directory.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/runner/manifest.h"
#include "hearsay/runner/run_experiment.h"
#include "tests/message_of.h"
#include "tests/program.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::ScratchDirectory;
using testing::small_experiment;

void expect_contains(const std::string& message, std::string_view expected) {
  EXPECT_NE(message.find(expected), std::string::npos) << message;
}

class OutputDirectoryTest : public ::testing::Test {
 protected:
  // How an experiment uses the directory: "a" writes results.csv and a.csv.
  DirectoryUse use(const std::string& experiment, Existing existing = Existing::refuse) const {
    return {.description = experiment,
            .shard = {},
            .outputs = {"results.csv", experiment + ".csv"},
            .inputs = {},
            .existing = existing};
  }
  static std::vector<OutputFile> files(const std::string& experiment) {
    return {{"results.csv", "results of " + experiment}, {experiment + ".csv", experiment}};
  }
  DirectoryUse shard_use(const std::string& experiment, std::size_t index,
                         Existing existing = Existing::resume) const {
    const Shard shard{index, 3};
    return {.description = experiment,
            .shard = shard,
            .outputs = {shard.name() + ".units"},
            .inputs = {},
            .existing = existing};
  }
  void finish(const std::string& experiment, Existing existing = Existing::refuse) const {
    OutputDirectory directory(out, use(experiment, existing));
    directory.begin();
    directory.finish(files(experiment));
  }
  std::string error_of(const DirectoryUse& directory_use) const {
    return message_of([&] { OutputDirectory(out, directory_use).begin(); });
  }
  // The sorted names of the files in the directory, without .hearsay.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(out)) {
      if (entry.path().filename() != ".hearsay") {
        found.push_back(entry.path().filename().string());
      }
    }
    std::ranges::sort(found);
    return found;
  }

  ScratchDirectory scratch;
  std::string out = scratch.file("out");
};

using Names = std::vector<std::string>;

TEST_F(OutputDirectoryTest, HoldsTheExperimentFromTheStartAndTheResultsAtTheEnd) {
  OutputDirectory directory(out, use("a"));
  EXPECT_EQ(names(), Names{});
  directory.begin();
  EXPECT_EQ(names(), Names{"experiment.toml"});
  EXPECT_FALSE(directory.is_finished());
  directory.finish(files("a"));
  EXPECT_EQ(names(), (Names{"a.csv", "experiment.toml", "results.csv"}));
  EXPECT_TRUE(directory.is_finished());
  EXPECT_EQ(scratch.read("out/experiment.toml"), "a");
  EXPECT_EQ(scratch.read("out/results.csv"), "results of a");
  fs::remove(directory.file("a.csv"));
  EXPECT_FALSE(directory.is_finished());
}

// Someone deletes the directory of a run that goes on, and starts another there.
TEST_F(OutputDirectoryTest, IsNotTouchedByARunWhoseDirectoryWasReplaced) {
  OutputDirectory first(out, use("a", Existing::replace));
  first.begin();
  fs::remove_all(out);
  OutputDirectory second(out, use("b"));
  second.begin();
  EXPECT_THROW(first.finish(files("a")), Error);
  second.finish(files("b"));
  EXPECT_TRUE(second.is_finished());
}

TEST_F(OutputDirectoryTest, IsNotFinishedWithoutItsDescription) {
  finish("a");
  fs::remove(out + "/experiment.toml");
  const OutputDirectory directory(out, use("a", Existing::resume));
  EXPECT_FALSE(directory.is_finished());
}

TEST_F(OutputDirectoryTest, IsUsedByOneProcessAtATimeAndNamesIt) {
  const OutputDirectory first(out, use("a"));
  const std::regex expected(
      fmt::format("{}: is in use by process {} on .* since 20..-..-.. ..:..:.. UTC, expected no "
                  "other process: wait until it ends, or choose another directory, such as {}-2",
                  out, ::getpid(), out));
  for (const Existing existing : {Existing::refuse, Existing::resume, Existing::replace}) {
    for (const char* experiment : {"a", "b"}) {
      const std::string message = error_of(use(experiment, existing));
      EXPECT_TRUE(std::regex_match(message, expected)) << message;
    }
  }
  expect_contains(error_of(shard_use("a", 1)), "is in use by process");
}

TEST_F(OutputDirectoryTest, IsFreeAfterTheProcessThatSignedItsLockHasEnded) {
  fs::create_directories(scratch.file("out/.hearsay"));
  scratch.write("out/.hearsay/run.lock", "process 1 on elsewhere\n");
  EXPECT_NO_THROW(finish("a"));
}

TEST_F(OutputDirectoryTest, IsSharedByTheShardsOfOneExperiment) {
  OutputDirectory first(out, shard_use("a", 1));
  OutputDirectory second(out, shard_use("a", 2));
  first.begin();
  second.begin();
  expect_contains(error_of(shard_use("a", 1)), "is in use");
  expect_contains(error_of(use("a", Existing::replace)), "is in use");
  expect_contains(error_of(shard_use("b", 3)), "of another experiment");
  expect_contains(error_of(shard_use("b", 3, Existing::replace)), "is in use");
  second.finish(std::vector<OutputFile>{{"shard-2-of-3.units", "2"}});
  first.finish(std::vector<OutputFile>{{"shard-1-of-3.units", "1"}});
  EXPECT_EQ(names(), (Names{"experiment.toml", "shard-1-of-3.units", "shard-2-of-3.units"}));
  EXPECT_TRUE(first.is_finished());
  EXPECT_TRUE(second.is_finished());
}

// Both have looked at an empty directory before either writes to it.
TEST_F(OutputDirectoryTest, TakesOnlyTheFirstOfTwoExperimentsWhoseShardsStartTogether) {
  OutputDirectory first(out, shard_use("a", 1));
  OutputDirectory second(out, shard_use("b", 2));
  second.begin();
  expect_contains(message_of([&] { first.begin(); }), "of another experiment");
  EXPECT_EQ(scratch.read("out/experiment.toml"), "b");
}

TEST_F(OutputDirectoryTest, ReplacesOnlyWhatWasWrittenByHearsay) {
  finish("a");
  fs::create_directories(scratch.file("out/checkpoint"));
  const Names user_files = {"checkpoint/units", "shard-1-of-2.units", "experiment-mine.toml",
                            "grid.csv", "summary.csv"};
  for (const std::string& name : user_files) {
    scratch.write("out/" + name, "precious");
  }
  expect_contains(
      error_of(use("b")),
      "experiment.toml of another experiment ('a' where this one has 'b'), expected none: choose");
  finish("b", Existing::replace);
  EXPECT_EQ(names(), (Names{"b.csv", "checkpoint", "experiment-mine.toml", "experiment.toml",
                            "grid.csv", "results.csv", "shard-1-of-2.units", "summary.csv"}));
  for (const std::string& name : user_files) {
    EXPECT_EQ(scratch.read("out/" + name), "precious") << name;
  }
}

TEST_F(OutputDirectoryTest, IsRefusedIfItHasAFileOfTheUserWhereOneIsToBeWritten) {
  for (const char* name : {"results.csv", "a.csv", "experiment.toml"}) {
    const ScratchDirectory other;
    other.write(name, "precious");
    for (const Existing existing : {Existing::refuse, Existing::resume, Existing::replace}) {
      expect_contains(message_of([&] { OutputDirectory(other.file("."), use("a", existing)); }),
                      "was not written here by this version of hearsay");
      EXPECT_EQ(other.names(), Names{name});  // not even .hearsay was made
    }
  }
  // A file that was changed since it was written is the user's, too.
  finish("a");
  scratch.write("out/results.csv", "results of a, with my notes");
  expect_contains(error_of(use("a", Existing::replace)), "or was changed since");
  expect_contains(error_of(use("b", Existing::replace)), "or was changed since");
  EXPECT_EQ(names(), (Names{"a.csv", "experiment.toml", "results.csv"}));
  // Such a file stays if the next experiment does not write one of its name.
  fs::remove(scratch.file("out/results.csv"));
  scratch.write("out/a.csv", "my notes");
  finish("b", Existing::replace);
  EXPECT_EQ(scratch.read("out/a.csv"), "my notes");
}

TEST_F(OutputDirectoryTest, DoesNotReplaceALink) {
  finish("a");
  fs::rename(scratch.file("out/a.csv"), scratch.file("elsewhere.csv"));
  fs::create_symlink(scratch.file("elsewhere.csv"), scratch.file("out/a.csv"));
  expect_contains(error_of(use("a", Existing::replace)), "was not written here");
  EXPECT_EQ(scratch.read("elsewhere.csv"), "a");
}

TEST_F(OutputDirectoryTest, DoesNotReplaceAnInputOfTheSameCall) {
  finish("a");
  DirectoryUse other = use("b", Existing::replace);
  for (const char* name : {"experiment.toml", "a.csv", "results.csv"}) {
    other.inputs = {scratch.file("small.toml"), scratch.file("out/../out/") + name};
    EXPECT_EQ(error_of(other), scratch.file("out/") + name +
                                   ": is an input of this call and would be replaced, expected "
                                   "another output directory");
  }
  EXPECT_EQ(scratch.read("out/results.csv"), "results of a");
  // The description of the same experiment stays as it is, so that it may be read from there.
  DirectoryUse same = use("a", Existing::replace);
  same.inputs = {scratch.file("out/experiment.toml")};
  EXPECT_NO_THROW(OutputDirectory(out, same).begin());
}

// The manifest changes first. The test tries every state that a process can leave if it is killed
// after that.
TEST_F(OutputDirectoryTest, IsCompletedAfterAReplacementThatWasKilled) {
  const Manifest killed{checksum_text("b"),
                        {{"experiment.toml", checksum_text("a"), true},
                         {"results.csv", checksum_text("results of a"), true},
                         {"a.csv", checksum_text("a"), true},
                         {"experiment.toml", checksum_text("b")}}};
  for (int removed = 0; removed <= 3; ++removed) {
    const ScratchDirectory other;
    fs::create_directories(other.file(".hearsay"));
    other.write(".hearsay/manifest", to_text(killed));
    other.write(".hearsay/run.experiment.toml.part", "b");
    other.write("experiment.toml", removed > 0 ? "b" : "a");
    if (removed < 2) {
      other.write("results.csv", "results of a");
    }
    if (removed < 3) {
      other.write("a.csv", "a");
    }
    OutputDirectory directory(other.file("."), use("b", Existing::resume));
    EXPECT_FALSE(directory.is_finished());
    directory.begin();
    EXPECT_EQ(other.names(), (Names{".hearsay", "experiment.toml"}));
    EXPECT_EQ(other.read("experiment.toml"), "b");
    directory.finish(files("b"));
    EXPECT_TRUE(directory.is_finished());
    EXPECT_FALSE(fs::exists(other.file(".hearsay/run.experiment.toml.part")));
  }
}

TEST_F(OutputDirectoryTest, KeepsEverythingIfTheNewFilesCannotBeWritten) {
  finish("a");
  OutputDirectory directory(out, use("b", Existing::replace));
  fs::create_directories(scratch.file("out/.hearsay/run.b.csv.part/full"));  // cannot be opened
  EXPECT_ANY_THROW(directory.finish(files("b")));
  EXPECT_EQ(names(), (Names{"a.csv", "experiment.toml", "results.csv"}));
  EXPECT_EQ(scratch.read("out/results.csv"), "results of a");
}

TEST_F(OutputDirectoryTest, KeepsThePermissionsOfAFileThatItReplaces) {
  finish("a");
  fs::permissions(scratch.file("out/results.csv"), fs::perms::owner_read | fs::perms::owner_write);
  finish("a");
  EXPECT_EQ(fs::status(scratch.file("out/results.csv")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(Manifest, ReadsBackAsItWasWrittenAndIsRefusedIfOneBitDiffers) {
  const Manifest manifest{
      checksum_text("a"),
      {{"results.csv", checksum_text("1")}, {"experiment.toml", checksum_text("2"), true}}};
  const std::string text = to_text(manifest);
  EXPECT_EQ(parse_manifest(text, "manifest"), manifest);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string damaged = text;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THROW(parse_manifest(damaged, "manifest"), Error) << bit;
  }
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_THROW(parse_manifest(text.substr(0, size), "manifest"), Error) << size;
  }
}

// Does something as a user who may not write to everything, as root may.
template <class Use>
void as_ordinary_user(Use&& use) {
  constexpr ::uid_t kNobody = 65534;
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::seteuid(kNobody) == 0);
  use();
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
}

TEST_F(OutputDirectoryTest, IsNotChangedIfAFileOrTheDirectoryIsWriteProtected) {
  fs::permissions(fs::path(out).parent_path(), fs::perms::all);
  as_ordinary_user([&] { finish("a"); });
  const std::string manifest = scratch.read("out/.hearsay/manifest");
  const auto expect_refused = [&](const std::string& name) {
    const std::string path = name.empty() ? out : out + "/" + name;
    const fs::perms before = fs::status(path).permissions();
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_exec);
    as_ordinary_user([&] {
      for (const DirectoryUse& replacing :
           {use("b", Existing::replace), use("a", Existing::replace)}) {
        EXPECT_EQ(error_of(replacing),
                  path + ": Permission denied, expected a place that can be written to");
      }
    });
    fs::permissions(path, before);
    EXPECT_EQ(scratch.read("out/.hearsay/manifest"), manifest);
    EXPECT_EQ(names(), (Names{"a.csv", "experiment.toml", "results.csv"}));
  };
  expect_refused("");
  expect_refused("results.csv");
  expect_refused("a.csv");
  // What has not been finished is refused before anything is computed; what is finished stays so.
  as_ordinary_user([&] {
    fs::permissions(out + "/results.csv", fs::perms::owner_read);
    EXPECT_TRUE(OutputDirectory(out, use("a", Existing::resume)).is_finished());
    fs::remove(out + "/a.csv");
    EXPECT_EQ(error_of(use("a", Existing::resume)),
              out + "/results.csv: Permission denied, expected a place that can be written to");
  });
}

TEST_F(OutputDirectoryTest, SaysThatAnotherExperimentHasBegunToReplaceIt) {
  finish("a");
  // As after a kill between the manifest of "b" and its other files: those of "a" are obsolete.
  Manifest manifest = parse_manifest(scratch.read("out/.hearsay/manifest"), "manifest");
  manifest.fingerprint = checksum_text("b");
  for (ListedFile& listed : manifest.files) {
    listed.obsolete = true;
  }
  scratch.write("out/.hearsay/manifest", to_text(manifest));
  expect_contains(error_of(use("a", Existing::resume)),
                  "holds the beginning of another experiment, which was to replace this one");
  finish("b", Existing::resume);
  EXPECT_EQ(names(), (Names{"b.csv", "experiment.toml", "results.csv"}));
}

TEST(MergeShards, LeavesItsInputsAloneWhereverItWrites) {
  const ScratchDirectory scratch;
  const std::string out = scratch.file("out");
  for (std::size_t index = 1; index <= 2; ++index) {
    run_experiment(small_experiment(), {.out = out, .shard = {index, 2}});
  }
  const std::string first = scratch.read("out/shard-1-of-2.units");
  const std::string second = scratch.read("out/shard-2-of-2.units");
  for (const Existing existing : {Existing::refuse, Existing::replace}) {
    merge_shards(std::vector{out}, out, existing);
    EXPECT_EQ(scratch.read("out/shard-1-of-2.units"), first);
    EXPECT_EQ(scratch.read("out/shard-2-of-2.units"), second);
    EXPECT_TRUE(fs::exists(scratch.file("out/results.csv")));
  }
}

}  // namespace
}  // namespace hearsay
