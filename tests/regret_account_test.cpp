#include "hearsay/certificate/regret_account.h"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"

namespace hearsay {
namespace {

constexpr TheoremConstants kConstants{.least_exploration_per_rate = 0.5, .second_moment = 2};

RegretAccount account() {
  return {10, {.designated = theorems::paper(kConstants)}};
}

constexpr RegretRound kRound{.rate = 0.1, .exploration = 0.05, .terms = {.q = 3}, .price = 4};

TEST(RegretAccount, AddsUpTheTermsOfTheTheorem) {
  RegretAccount total = account();
  EXPECT_EQ(total.certificate().regret_bound, 0.0) << "no rounds, no regret";
  EXPECT_TRUE(total.add(kRound));
  RegretRound second = kRound;
  second.rate = 0.08;
  second.terms.q = 5;
  second.price = 3;
  EXPECT_TRUE(total.add(second));
  const Certificate certificate = total.certificate();
  EXPECT_EQ(certificate.rounds, 2U);
  EXPECT_EQ(certificate.q, 5);
  EXPECT_EQ(certificate.q_sum, 8);
  EXPECT_EQ(certificate.out_of_range, 0U);
  EXPECT_NEAR(certificate.regret_bound.value(),
              std::log(10) / 0.08 + (0.05 + 2 * 0.1) * 3 + (0.05 + 2 * 0.08) * 5, 1e-12);
  EXPECT_EQ(total.totals().rounds, 2U);
  EXPECT_EQ(total.totals().highest_price, 4);
  EXPECT_EQ(total.totals().cost.value(), 4 * 3 + 3 * 5);
}

TEST(RegretAccount, HasNoBoundFromTheFirstFailedConditionOn) {
  const auto bound_after = [](const RegretRound& round) {
    RegretAccount sum = account();
    EXPECT_TRUE(sum.add(kRound));
    EXPECT_TRUE(sum.add(round));
    EXPECT_TRUE(sum.add(kRound));
    return sum.certificate().regret_bound;
  };
  EXPECT_TRUE(bound_after(kRound));
  RegretRound late = kRound;
  late.in_order = false;
  EXPECT_FALSE(bound_after(late));
  RegretRound outside = kRound;
  outside.out_of_range = 1;
  EXPECT_FALSE(bound_after(outside));
  RegretRound little_exploration = kRound;
  little_exploration.exploration = 0.049;
  EXPECT_FALSE(bound_after(little_exploration));
  RegretRound rising_rate = kRound;
  rising_rate.rate = 0.1000001;
  rising_rate.exploration = 1;
  EXPECT_FALSE(bound_after(rising_rate));
  RegretRound falling_rate = kRound;
  falling_rate.rate = 0.09;  // and then the rate rises to 0.1 again
  EXPECT_FALSE(bound_after(falling_rate));
}

TEST(RegretAccount, WithoutATheoremHasNoBound) {
  RegretAccount sum(10, {});
  EXPECT_TRUE(sum.add(kRound));
  EXPECT_FALSE(sum.certificate().regret_bound);
  EXPECT_EQ(sum.certificate().q_sum, 3);
}

// A theorem that is not part of the library.
class BiasTheorem final : public RegretTheorem {
 public:
  TheoremText text() const override { return {"bias", "of a test", "none"}; }
  RegretTerm term(const RegretRound& round, const RoundTotals& /*before*/) const override {
    return {round.terms.bias + round.rate * round.terms.q};
  }
  RoundNeeds needs() const override { return {}; }
  double start(std::size_t arms, double last_rate) const override {
    return static_cast<double>(arms) + last_rate;
  }
};

TEST(RegretAccount, AcceptsATheoremFromOutsideTheLibrary) {
  RegretAccount sum(10, {.designated = std::make_shared<const BiasTheorem>()});
  RegretRound round = kRound;
  round.terms.bias = 0.25;
  round.in_order = false;  // which this theorem does not require
  EXPECT_TRUE(sum.add(round));
  EXPECT_TRUE(sum.add(round));
  EXPECT_NEAR(sum.certificate().regret_bound.value(), 10 + 0.1 + 2 * (0.25 + 0.1 * 3), 1e-12);
}

TEST(RegretAccount, RefusesARoundThatOverflowsASumAndChangesNothing) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [price, q] :
       std::vector<std::array<double, 2>>{{4, 1e300},
                                          {1e200, 1e150},
                                          {infinity, 3},
                                          {infinity, 0},
                                          {4, infinity},
                                          {4, std::numeric_limits<double>::quiet_NaN()}}) {
    RegretAccount sum = account();
    EXPECT_TRUE(sum.add(kRound));
    RegretRound round = kRound;
    round.price = price;
    round.terms.q = q;
    EXPECT_FALSE(sum.add(round)) << price << ' ' << q;
    EXPECT_EQ(sum.certificate().rounds, 1U);
    EXPECT_EQ(sum.certificate().q_sum, 3);
    EXPECT_TRUE(sum.certificate().regret_bound);
  }
  RegretAccount sum = account();
  RegretRound large = kRound;
  large.terms.q = 0.2e300;
  EXPECT_TRUE(sum.add(large));
  EXPECT_FALSE(sum.add(large)) << "price * Q adds up to more than the largest sum";
}

TEST(RegretAccount, EndsABoundThatIsTooLargeAndTakesTheRoundIn) {
  RegretAccount sum = account();
  EXPECT_TRUE(sum.add(kRound));
  RegretRound round = kRound;
  round.terms.q = 1e200;
  round.exploration = 1e150;
  EXPECT_TRUE(sum.add(round));
  EXPECT_TRUE(sum.add(kRound));
  const Certificate certificate = sum.certificate();
  EXPECT_EQ(certificate.rounds, 3U);
  EXPECT_FALSE(certificate.regret_bound);
  EXPECT_EQ(certificate.bounds.front().failed_in_round, 2U);
  EXPECT_EQ(certificate.bounds.front().failure, kBoundTooLarge);
}

std::string saved(const RegretAccount& sum) {
  StateWriter writer("test");
  sum.save(writer);
  return writer.finish();
}

TEST(RegretAccount, ContinuesFromASavedState) {
  RegretAccount sum = account();
  EXPECT_TRUE(sum.add(kRound));
  const std::string state = saved(sum);
  RegretAccount restored = account();
  StateReader reader(state, "test");
  restored.load(reader);
  reader.finish();
  EXPECT_EQ(restored.certificate().regret_bound, sum.certificate().regret_bound);
  RegretRound rising_rate = kRound;
  rising_rate.rate = 0.11;
  EXPECT_TRUE(sum.add(rising_rate));
  EXPECT_TRUE(restored.add(rising_rate));
  EXPECT_EQ(saved(restored), saved(sum));
  EXPECT_FALSE(restored.certificate().regret_bound)
      << "the rate of the round before is part of the state";
}

TEST(RegretAccount, RefusesAStateWithANegativeCost) {
  RegretAccount sum = account();
  RegretRound round = kRound;
  round.terms.q = -1;
  EXPECT_TRUE(sum.add(round));
  const std::string state = saved(sum);
  StateReader reader(state, "test");
  EXPECT_THROW(account().load(reader), Error);
}

}  // namespace
}  // namespace hearsay
