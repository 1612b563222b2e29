#include "hearsay/environment/losses.h"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/base/npy.h"
#include "tests/message_of.h"
#include "tests/program.h"

namespace hearsay {
namespace {

std::unique_ptr<Losses> replayed(std::size_t arms, std::vector<double> values) {
  return losses::replayed(
      std::make_shared<const losses::Table>(losses::Table{arms, std::move(values)}));
}

const Stream kStream(1, Purpose::losses);

std::vector<std::vector<double>> rounds_of(Losses& losses, std::size_t rounds) {
  std::vector<std::vector<double>> all;
  for (std::size_t t = 0; t < rounds; ++t) {
    all.emplace_back(losses.arms());
    losses.next(all.back());
    if (auto* adaptive = dynamic_cast<AdaptiveLosses*>(&losses)) {
      adaptive->played(0);
    }
  }
  return all;
}

double mean_of(const std::vector<std::vector<double>>& rounds, std::size_t arm) {
  double sum = 0;
  for (const auto& round : rounds) {
    sum += round[arm];
  }
  return sum / static_cast<double>(rounds.size());
}

TEST(Walks, TakeOneStepEveryTwentyRounds) {
  const auto losses = losses::walks({.arms = 3}, kStream);
  const auto rounds = rounds_of(*losses, 2000);
  double squares = 0;
  int steps_inside = 0;
  for (std::size_t t = 20; t < rounds.size(); ++t) {
    for (std::size_t arm = 0; arm < 3; ++arm) {
      const double before = rounds[t - 20][arm];
      const double step = rounds[t][arm] - before;
      ASSERT_TRUE(rounds[t][arm] >= 0 && rounds[t][arm] <= 1);
      if (before > 0.05 && before < 0.95) {  // too far from the ends to be clipped
        squares += step * step;
        ++steps_inside;
      }
    }
  }
  // The variance of a step is 1e-4, and the standard error of its estimate is sqrt(2 / n) of that;
  // the tolerance is five standard errors.
  EXPECT_NEAR(squares / steps_inside, 1e-4, 5e-4 * std::sqrt(2.0 / steps_inside));
}

TEST(Bernoulli, HasOneBestArm) {
  const auto losses = losses::bernoulli({.arms = 4, .gap = 0.3, .best = 2}, kStream);
  const auto rounds = rounds_of(*losses, 20'000);
  for (std::size_t arm = 0; arm < 4; ++arm) {
    // The standard deviation of a loss is at most 1/2; the tolerance is five standard errors.
    EXPECT_NEAR(mean_of(rounds, arm), arm == 2 ? 0.2 : 0.5, 2.5 / std::sqrt(20'000.0));
  }
}

TEST(Switching, HasOneBestArmInEveryPeriod) {
  const auto losses = losses::switching({.arms = 5, .gap = 0.5, .period = 100}, kStream);
  const auto rounds = rounds_of(*losses, 1000);
  std::vector<int> periods_as_best(5);
  for (std::size_t phase = 0; phase < 10; ++phase) {
    int perfect = 0;  // arms with loss 0 throughout; with a gap of 1/2, the best arm
    for (std::size_t arm = 0; arm < 5; ++arm) {
      double sum = 0;
      for (std::size_t t = phase * 100; t < (phase + 1) * 100; ++t) {
        sum += rounds[t][arm];
      }
      perfect += sum == 0 ? 1 : 0;
      periods_as_best[arm] += sum == 0 ? 1 : 0;
    }
    EXPECT_EQ(perfect, 1);
  }
  EXPECT_LT(*std::max_element(periods_as_best.begin(), periods_as_best.end()), 10)
      << "the best arm never changed";
}

TEST(Trap, ChangesTheMeansAfterTheGivenRound) {
  const auto losses = losses::trap({.arms = 3, .turn = 500}, kStream);
  const auto rounds = rounds_of(*losses, 1000);
  for (std::size_t t = 500; t < 1000; ++t) {
    EXPECT_EQ(rounds[t][0], 1);
    EXPECT_EQ(rounds[t][1], 0);
  }
  // The mean is 1/4, with a standard error of 0.02.
  EXPECT_LT(mean_of({rounds.begin(), rounds.begin() + 500}, 0), 0.35);
  EXPECT_LT(mean_of(rounds, 1), mean_of(rounds, 0));
}

TEST(Adversary, RaisesTheMeanLossOfTheArmPlayed) {
  const auto losses = losses::adversary({.arms = 4, .gap = 0, .strength = 0.5}, kStream);
  const auto rounds = rounds_of(*losses, 5000);  // arm 0 is always played
  const double late_mean = mean_of({rounds.begin() + 1000, rounds.end()}, 0);
  // The mean losses are 0.5 + 0.5 (1 - 1/4) for arm 0 and 0.5 - 0.5 / 4 for the others. The
  // tolerance is five standard errors.
  EXPECT_NEAR(late_mean, 0.5 + 0.5 * 0.75, 2.5 / std::sqrt(4000.0));
  EXPECT_LT(mean_of({rounds.begin() + 1000, rounds.end()}, 1), 0.45);
}

TEST(Replayed, ReturnsTheRowsOfTheTableAndThenThrows) {
  const auto losses = replayed(2, {0, 1, 0.25, 0.5});
  const auto rounds = rounds_of(*losses, 2);
  EXPECT_EQ(rounds[1], (std::vector<double>{0.25, 0.5}));
  EXPECT_THROW(rounds_of(*losses, 1), Error);
}

TEST(FromFile, ReadsRoundsByArms) {
  const testing::ScratchDirectory scratch;
  scratch.write("losses.csv",
                "\xEF\xBB\xBF"
                "0,1,0.5\n0.25,0.75,1e-3\r\n");
  const auto from_csv = losses::from_file(scratch.file("losses.csv"));
  ASSERT_EQ(from_csv->arms(), 3U);
  const auto rounds = rounds_of(*from_csv, 2);
  EXPECT_EQ(rounds[1], (std::vector<double>{0.25, 0.75, 1e-3}));
  EXPECT_THROW(rounds_of(*from_csv, 1), Error);

  std::string npy = npy_preamble(2, 3);
  for (const auto& round : rounds) {
    npy.append(reinterpret_cast<const char*>(round.data()), 3 * sizeof(double));
  }
  scratch.write("losses.npy", npy);
  EXPECT_EQ(rounds_of(*losses::from_file(scratch.file("losses.npy")), 2), rounds);
}

TEST(FromFile, ReadsAnArrayWithoutRoundsWhateverItsOtherSize) {
  const std::string dict = "{'descr':'<f8','fortran_order':True,'shape':(0,4611686018427387904)}";
  std::string npy("\x93NUMPY\x01\0", 8);
  npy += static_cast<char>(dict.size());
  npy += '\0';
  EXPECT_TRUE(losses::parse_table(npy + dict, "a.npy").values.empty());
}

TEST(FromFile, ErrorsNameThePlace) {
  const testing::ScratchDirectory scratch;
  const auto refusal = [&](const std::string& name, const std::string& bytes) {
    scratch.write(name, bytes);
    return message_of([&] { losses::from_file(scratch.file(name)); });
  };
  EXPECT_NE(refusal("a.csv", "0,1\n0,1,0\n").find("a.csv:2: has 3 columns"), std::string::npos);
  EXPECT_NE(refusal("a.csv", "0,1\n0,2\n").find("a.csv:2: column 2"), std::string::npos);
  EXPECT_NE(refusal("a.csv", "0,1\nx,0\n").find("a.csv:2: column 1"), std::string::npos);
  EXPECT_NE(refusal("a.csv", "0,nan\n").find("a.csv:1: column 2"), std::string::npos);
  EXPECT_NE(refusal("a.csv", "0,\n").find("a.csv:1: "), std::string::npos);
  EXPECT_NE(refusal("a.csv", "").find("a.csv: is empty"), std::string::npos);
  EXPECT_NE(refusal("a.npy", "\x93NUMPY").find("a.npy: "), std::string::npos);
  EXPECT_NE(refusal("a.txt", "0\n").find("a.txt: has an unknown ending"), std::string::npos);
}

TEST(Losses, RefuseOptionsOutOfRange) {
  EXPECT_THROW(losses::walks({.arms = 0}, kStream), Error);
  EXPECT_THROW(losses::walks({.arms = 2, .walks = 0}, kStream), Error);
  EXPECT_THROW(losses::walks({.arms = 2, .step = -1}, kStream), Error);
  EXPECT_THROW(losses::bernoulli({.arms = 2, .gap = 0.6}, kStream), Error);
  EXPECT_THROW(losses::bernoulli({.arms = 2, .best = 2}, kStream), Error);
  EXPECT_THROW(losses::switching({.arms = 0}, kStream), Error);
  EXPECT_THROW(losses::switching({.arms = 2, .period = 0}, kStream), Error);
  EXPECT_THROW(losses::trap({.arms = 1}, kStream), Error);
  EXPECT_THROW(losses::adversary({.arms = 2, .strength = 2}, kStream), Error);
  EXPECT_THROW(losses::adversary({.arms = 2, .memory = 0}, kStream), Error);
  EXPECT_THROW(replayed(2, {0, 1, 0.5}), Error);
  EXPECT_THROW(replayed(2, {0, 1.5}), Error);
}

}  // namespace
}  // namespace hearsay
