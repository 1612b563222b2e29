#include "hearsay/base/state.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/learner/catalogue.h"
#include "tests/every_learner.h"
#include "tests/message_of.h"

namespace hearsay {
namespace {

// A learner after some rounds, with outstanding decisions drawn from different probabilities.
std::unique_ptr<Learner> learner_with_outstanding_decisions() {
  auto learner = make_learner({.name = "exp3-ixt", .arms = 3, .threshold = 0.25});
  const Graph graph = Graph::dense(3, {1, 0.5, 0.1, 0.5, 1, 0, 0.9, 0.2, 1});
  const std::vector<Observation> seen = {{0, 0.25}, {1, 0.5}, {2, -0.3}};
  for (int t = 0; t < 4; ++t) {
    learner->observe(learner->adopt(0), graph, {0, seen});
    learner->adopt(1);
    learner->adopt(2);
  }
  return learner;
}

TEST(State, IsRestoredToTheBit) {
  const auto learner = learner_with_outstanding_decisions();
  const std::string state = learner->save();
  const auto restored = restore_learner(state);
  EXPECT_EQ(restored->save(), state);
  EXPECT_EQ(restored->outstanding(), 8U);

  // Both continue with the same bits: choices, late feedback and certificate.
  const Graph graph = Graph::sparse(3, {{1, 0, 0.5}});
  const std::vector<Observation> seen = {{0, 0.25}, {1, 0.5}};
  for (Learner* each : {learner.get(), restored.get()}) {
    each->observe({1, 0, 2}, graph, {1, seen});
    each->choose(Stream(3, Purpose::draw));
  }
  EXPECT_EQ(restored->save(), learner->save());
}

std::string refusal(const std::string& state) {
  return message_of([&] { restore_learner(state); });
}

TEST(State, IsRefusedIfAnyByteIsDamaged) {
  const std::string state = learner_with_outstanding_decisions()->save();
  for (std::size_t i = 0; i < state.size(); ++i) {
    std::string damaged = state;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_NE(refusal(damaged), "") << "byte " << i;
    EXPECT_NE(refusal(state.substr(0, i)), "") << "cut at " << i;
  }
  EXPECT_NE(refusal(state + "x"), "");
  EXPECT_EQ(refusal(state), "");
}

TEST(State, AStateOfANewerVersionIsRefusedWithThatReason) {
  std::string state = learner_with_outstanding_decisions()->save();
  state[16] = 7;  // the version follows the header
  EXPECT_NE(refusal(state).find("version 7"), std::string::npos) << refusal(state);
}

// These states have right checksums, but were not written by save(). Each is refused before memory
// is allocated for its arms.
TEST(State, IsRefusedForEveryLearnerIfItIsTooShortForItsNumberOfArms) {
  for (LearnerSpec spec : every_engine(3)) {
    spec.arms = 4'000'000'000;
    StateWriter writer(kLearnerState);
    write_spec(writer, spec);
    const std::string message = refusal(writer.finish());
    EXPECT_NE(message.find("cut short"), std::string::npos) << described(spec) << ": " << message;
  }
}

}  // namespace
}  // namespace hearsay
