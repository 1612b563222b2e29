#pragma once

// Theorems that bound the expected regret of a learner by a sum over its rounds. Statements and
// proofs are in docs/learners.md.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "hearsay/base/compensated_sum.h"

namespace hearsay {

// What the analysis needs to know about the estimates of a round.
struct EstimateTerms {
  // Q, an upper bound, up to a constant, on the sum over arms of probability * mean of estimate^2.
  // With implicit exploration it is the sum of probability / (coverage + exploration).
  double q = 0;
  double bias = 0;  // an upper bound on the sum over arms of probability * (loss - mean estimate)

  // As q, but the smallest bound that is known: with implicit exploration, the sum of probability *
  // coverage / (coverage + exploration)^2. If the estimates are centred, it is the second moment
  // around the centre.
  double second_moment = 0;
};

// What is needed in addition for late feedback, that is, if other feedback was taken in between the
// draw and this feedback. The probabilities have changed since the draw, and the bound uses those
// at the time of the feedback.
struct LateRound {
  double drift = 0;          // sum over arms of max(probability at the draw - probability now, 0)
  double second_moment = 0;  // EstimateTerms::second_moment with the probabilities now
};

// What a schedule and the theorems of a learner read of each round beyond what every engine
// computes. An engine computes it only for learners that need it, and an engine that cannot compute
// it does not run them.
struct RoundNeeds {
  bool entropy = false;    // RegretRound::entropy
  bool gap = false;        // RegretRound::gap, RoundTotals::gaps
  bool growth = false;     // RegretRound::growth
  bool least_sum = false;  // RegretRound::least_sum
  bool delays = false;     // RoundTotals::delays

  // Whether an engine that computes `provided` computes all of this.
  bool are_covered_by(const RoundNeeds& provided) const {
    return entropy <= provided.entropy && gap <= provided.gap && growth <= provided.growth &&
           least_sum <= provided.least_sum && delays <= provided.delays;
  }
};

struct RegretRound {
  double rate = 0;  // at the time of the feedback; if in order, the rate of the draw
  double exploration = 0;
  EstimateTerms terms = {};
  double price = 0;                              // of Q in this round's graph (Schedule::price)
  bool in_order = true;                          // no other feedback was taken in since the draw
  std::optional<LateRound> late = std::nullopt;  // if not in order, and if known
  std::uint64_t out_of_range = 0;                // number of observations out of range
  double self_weight = 1;                        // of this round's graph
  bool is_restricted = false;                    // some arms could not be drawn: no bound holds
  bool breaks_model = false;  // an observation of weight 1 is outside [0, 1]: no bound holds
  double own_loss = 0;        // observation of the arm played / self weight

  // What the round adds to 1 / rate (Schedule::growth). 0 unless the schedule has it.
  double growth = 0;

  // The following are nullopt unless RegretAccount::needs() asks for them.

  // The learner's entropy of the probabilities at `rate`.
  std::optional<double> entropy = std::nullopt;

  // The mixability gap <p, estimates> + log(sum of p * exp(-rate * estimate)) / rate.
  std::optional<double> gap = std::nullopt;

  // The least sum of estimates of any arm, including this round.
  std::optional<double> least_sum = std::nullopt;
};

// What has happened since the first draw that depends on how late feedback comes.
struct DelayTotals {
  std::uint64_t outstanding = 0;  // decisions that await feedback when the next one is drawn
  double waited = 0;              // the sum of `outstanding` over all draws
  double drawn_rate = 0;          // the rate of the last draw; 0 before the first
};

// The sums over the rounds so far, by which a schedule may set the rate of the next round.
struct RoundTotals {
  std::uint64_t rounds = 0;   // rounds of feedback taken in
  double last_rate = 0;       // RegretRound::rate of the last of them
  double last_least_sum = 0;  // RegretRound::least_sum of the last of them, if it was computed
  double highest_price = 0;
  CompensatedSum cost;  // the sum of price * Q

  // The sum of the mixability gaps; nullopt unless they are needed (RoundNeeds::gap).
  std::optional<CompensatedSum> gaps = std::nullopt;

  // For schedules with Schedule::growth; 0 for all others.
  CompensatedSum growth;
  CompensatedSum entropies;  // the sum of the entropies of the rounds

  CompensatedSum drift;           // the sum of LateRound::drift
  CompensatedSum drift_per_rate;  // the sum of LateRound::drift / rate

  // nullopt unless the schedule depends on delays (RoundNeeds::delays).
  std::optional<DelayTotals> delays = std::nullopt;
};

// A theorem described in words.
struct TheoremText {
  std::string_view name;
  std::string_view statement;
  std::string_view conditions;
  std::string_view if_late = {};  // a further condition if feedback comes late, or empty
};

// TheoremText::if_late of the theorems that take rounds in the order in which their feedback
// arrives (docs/learners.md, Theorem 8, and Theorem 5).
inline constexpr std::string_view kIfLate =
    "its time does not depend on draws whose feedback is outstanding, and if it overtakes other "
    "feedback, neither do losses and graphs";

// The term of a bound that belongs to one round.
struct RegretTerm {
  double value = 0;
  std::string_view failure = {};  // the condition that failed in this round, or empty
};

// A theorem that bounds the expected regret by
//
//   start(arms, rate of the last round) + the sum over all rounds of term(round).
class RegretTheorem {
 public:
  RegretTheorem() = default;
  RegretTheorem(const RegretTheorem&) = delete;
  RegretTheorem& operator=(const RegretTheorem&) = delete;
  virtual ~RegretTheorem() = default;

  virtual TheoremText text() const = 0;

  // `before` does not include this round.
  virtual RegretTerm term(const RegretRound& round, const RoundTotals& before) const = 0;

  // 0 unless the theorem has such a part.
  virtual double start(std::size_t arms, double last_rate) const;

  // What each switch of a sequence of arms adds to the bound after these rounds. nullopt unless the
  // theorem is about sequences of arms.
  virtual std::optional<double> per_switch(const RoundTotals& totals) const;

  // What term() reads beyond what every engine computes. Whatever is not named here is nullopt in
  // the rounds that term() is given.
  virtual RoundNeeds needs() const = 0;
};

// The constants of a theorem about estimates that are bounded from below.
struct TheoremConstants {
  double least_exploration_per_rate = 0;
  double second_moment = 0;  // the constant by which rate * second moment is multiplied
  double largest_rate = std::numeric_limits<double>::infinity();

  // The estimates take the observation of the arm played for its loss, which is right only if the
  // self weight is 1.
  bool needs_exact_own_loss = false;

  // The learner is not one of exponential weights, so that late feedback ends its bound.
  bool needs_feedback_in_order = false;
};

// Which self weights a theorem covers: any, or only 1, with which the own loss is seen exactly.
enum class CoveredSelfWeight : std::uint8_t { any, one };

namespace theorems {

// log(arms) / last rate + the sum of (exploration + second_moment * rate) * Q: the form of the
// paper. Conditions: rates never rise, exploration >= least_exploration_per_rate * rate, and every
// observation is in its range. Late feedback adds its drift (docs/learners.md, Theorem 8).
std::shared_ptr<const RegretTheorem> paper(const TheoremConstants& constants);

// The sum of (1 / rate - 1 / rate of the round before) * entropy + bias + second_moment * rate *
// EstimateTerms::second_moment, which is never above the form of the paper. The conditions are the
// same.
std::shared_ptr<const RegretTheorem> entropic(const TheoremConstants& constants);

// The same with the mixability gaps of the run instead of the second moments. It has no condition
// on exploration or noise.
std::shared_ptr<const RegretTheorem> realised(CoveredSelfWeight self_weight);

// For exponential weights with fixed share, where the share after round t is 1 / (t + 1): a bound
// on the regret against every sequence of arms that was fixed in advance, for every number of
// switches at once. The conditions are those of entropic(), and that feedback comes in order.
std::shared_ptr<const RegretTheorem> tracking(std::size_t arms, const TheoremConstants& constants);

// The losses of the arms played minus the least sum of estimates. It has no condition on rates or
// on the order of feedback.
std::shared_ptr<const RegretTheorem> estimated();

}  // namespace theorems

}  // namespace hearsay
