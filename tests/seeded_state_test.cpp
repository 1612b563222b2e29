#include "hearsay/learner/seeded_state.h"

#include <string>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay {
namespace {

std::string saved_learner() {
  return make_learner({.name = "exp3-wix", .arms = 3})->save();
}

TEST(SeededState, ReadsBackWhatWasWritten) {
  const std::string bytes = write_seeded_state({7, 9, saved_learner()});
  const SeededState read = read_seeded_state(bytes);
  EXPECT_EQ(read.seed, 7U);
  EXPECT_EQ(read.stream, 9U);
  EXPECT_EQ(restore_learner(read.learner)->save(), saved_learner());
}

TEST(SeededState, ReadsTheStateOfALearnerAlone) {
  const SeededState read = read_seeded_state(saved_learner());
  EXPECT_EQ(read.seed, 1U);
  EXPECT_EQ(read.stream, 0U);
  EXPECT_EQ(read.learner, saved_learner());
}

TEST(SeededState, RefusesDamagedBytes) {
  const std::string bytes = write_seeded_state({7, 9, saved_learner()});
  EXPECT_THROW(read_seeded_state(""), Error);
  EXPECT_THROW(read_seeded_state("hearsay"), Error);
  EXPECT_THROW(read_seeded_state(bytes + "x"), Error);
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_THROW(read_seeded_state(bytes.substr(0, size)), Error);
    std::string changed = bytes;
    changed[size] = static_cast<char>(changed[size] + 1);
    EXPECT_THROW(read_seeded_state(changed), Error);
  }
}

}  // namespace
}  // namespace hearsay
