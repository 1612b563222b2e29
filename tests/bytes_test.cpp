#include "hearsay/base/bytes.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "tests/program.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::ScratchDirectory;
using Names = std::vector<std::string>;

TEST(NewFile, AppearsWithItsCommitAndLeavesNothingWithoutIt) {
  const ScratchDirectory scratch;
  scratch.write("file", "old");
  {
    NewFile file(scratch.file("file"));
    file.write("new");
    file.sync();
    EXPECT_EQ(scratch.read("file"), "old");
  }
  EXPECT_EQ(scratch.names(), Names{"file"});
  EXPECT_EQ(scratch.read("file"), "old");
  write_file(scratch.file("file"), "new");
  EXPECT_EQ(scratch.names(), Names{"file"});
  EXPECT_EQ(scratch.read("file"), "new");
}

TEST(NewFile, WritesTheFileThatALinkLeadsTo) {
  const ScratchDirectory scratch;
  fs::create_directories(scratch.file("data"));
  fs::create_symlink("data/link", scratch.file("link"));
  fs::create_symlink("file", scratch.file("data/link"));
  for (const char* text : {"first", "second"}) {  // a link to nothing, and one to a file
    write_file(scratch.file("link"), text);
    EXPECT_TRUE(fs::is_symlink(scratch.file("link")));
    EXPECT_TRUE(fs::is_symlink(scratch.file("data/link")));
    EXPECT_EQ(scratch.read("data/file"), text);
  }
  fs::create_symlink("circle", scratch.file("circle"));
  EXPECT_THROW(write_file(scratch.file("circle"), ""), Error);
}

TEST(NewFile, KeepsThePermissionsOfTheFileThatItReplaces) {
  const ScratchDirectory scratch;
  scratch.write("file", "secret");
  fs::permissions(scratch.file("file"), fs::perms::owner_read | fs::perms::owner_write);
  write_file(scratch.file("file"), "new secret");
  EXPECT_EQ(fs::status(scratch.file("file")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace hearsay
