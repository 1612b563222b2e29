#include "hearsay/base/bytes.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "tests/message_of.h"
#include "tests/program.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::ScratchDirectory;
using Names = std::vector<std::string>;

TEST(NewFile, AppearsOnlyWhenCommitted) {
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

TEST(NewFile, WritesTheTargetOfASymbolicLink) {
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

TEST(NewFile, DoesNotReplaceAWriteProtectedFile) {
  const ScratchDirectory scratch;
  scratch.write("file", "precious");
  fs::permissions(scratch.file("file"), fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(fs::path(scratch.file("file")).parent_path(), fs::perms::all);
  const ::uid_t user = ::geteuid();
  constexpr ::uid_t kNobody = 65534;  // root may write to every file
  ASSERT_TRUE(user != 0 || ::seteuid(kNobody) == 0);
  EXPECT_THROW(write_file(scratch.file("file"), "new"), Error);
  ASSERT_TRUE(user != 0 || ::seteuid(0) == 0);
  EXPECT_EQ(scratch.read("file"), "precious");
}

TEST(Bytes, AFileIsNotReadIfItsPathHasANulCharacter) {
  const ScratchDirectory scratch;
  scratch.write("file", "bytes");
  const std::string path = scratch.file("file");
  for (const std::string& wrong : {path + '\0', path + std::string("\0.csv", 5)}) {
    const std::string expected =
        path + ": is followed by a NUL character, expected the path of a file";
    EXPECT_EQ(message_of([&] { read_file(wrong); }), expected);
    EXPECT_EQ(message_of([&] { InputStream stream(wrong); }), expected);
  }
}

TEST(NewFile, HasAllBytesWrittenAtEverySize) {
  constexpr std::size_t kBuffer = std::size_t{1} << 16U;
  constexpr std::size_t kPiece = std::size_t{1} << 22U;
  std::string bytes;
  for (std::size_t i = 0; bytes.size() < 3 * kPiece; ++i) {
    bytes += std::to_string(i);
  }
  const ScratchDirectory scratch;
  for (const std::size_t size : {std::size_t{0}, kBuffer - 1, kBuffer, kBuffer + 1, kPiece,
                                 kPiece + 1, 2 * kPiece, bytes.size()}) {
    for (const std::size_t first : {size / 3, std::min<std::size_t>(size, 100)}) {
      NewFile file(scratch.file("file"));
      file.write(std::string_view(bytes).substr(0, first));
      file.write(std::string_view(bytes).substr(first, size - first));
      file.commit();
      EXPECT_TRUE(scratch.read("file") == bytes.substr(0, size)) << size;
    }
  }
}

TEST(NewFile, LeavesThePreviousFileIfInterrupted) {
  const ScratchDirectory scratch;
  scratch.write("file", "old");
  const std::string bytes(std::size_t{9} << 20U, 'x');
  const std::size_t calls = bytes.size() / Interruption::kStepsBetween;
  for (const std::size_t stop_at : {std::size_t{1}, calls / 2, calls}) {
    std::size_t calls_so_far = 0;
    const Interruption interruption([&] { return ++calls_so_far == stop_at; });
    EXPECT_THROW(write_file(scratch.file("file"), bytes), Interrupted);
    EXPECT_EQ(scratch.names(), Names{"file"});
    EXPECT_EQ(scratch.read("file"), "old");
  }
}

}  // namespace
}  // namespace hearsay
