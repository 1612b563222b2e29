#pragma once

// Theorems that bound the expected regret of a learner by what its rounds add up to. Statements and
// proofs are in docs/learners.md.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "hearsay/base/compensated_sum.h"

namespace hearsay {

// What the analysis needs to know of a round's estimates.
struct EstimateTerms {
  // Q: up to a constant, the sum over arms of probability * mean estimate^2 is at most this. With
  // implicit exploration, the sum of probability / (coverage + exploration).
  double q = 0;
  double bias = 0;  // the sum over arms of probability * (loss - mean estimate) is at most this

  // As q, but as small as is known: with implicit exploration, the sum of
  // probability * coverage / (coverage + exploration)^2. Estimates of some learners are centred; it
  // is then the second moment around the centre.
  double second_moment = 0;
};

// What is needed besides if feedback of a later decision, or of an earlier one that was outstanding
// at the draw, came before. The learner has moved since the draw: the bound goes by the
// probabilities at the time of the feedback.
struct LateRound {
  double drift = 0;          // sum over arms of max(probability of the draw - that now, 0)
  double second_moment = 0;  // EstimateTerms::second_moment, by the probabilities now
};

struct RegretRound {
  double rate = 0;  // at the time of the feedback; in order, that of the draw
  double exploration = 0;
  EstimateTerms terms = {};
  double price = 0;      // of Q in this round's graph, for schedules that go by it
  bool in_order = true;  // no other feedback came between the draw and this
  std::optional<LateRound> late = std::nullopt;  // if not in order; none: not known
  std::uint64_t out_of_range = 0;                // observations
  double self_weight = 1;                        // of this round's graph
  bool is_restricted = false;                    // some arms could not be drawn: no bound holds
  bool breaks_model = false;  // an observation of weight 1 is no loss: no bound holds
  double entropy = 0;         // of the probabilities at `rate`, by the learner's regularizer
  double own_loss = 0;        // observation of the arm played / self weight

  // The mixability gap <p, estimates> + log(sum of p * exp(-rate * estimate)) / rate. 0 unless the
  // account needs it.
  double gap = 0;

  // The least sum of the estimates of an arm, with this round. 0 unless the account needs it.
  double least_sum = 0;

  // What the round adds to 1 / rate. 0 unless the schedule goes by it.
  double growth = 0;
};

// What the rounds so far add up to: what a schedule may set the rate of the next round by.
struct Progress {
  std::uint64_t rounds = 0;   // of feedback taken in
  double last_rate = 0;       // of the last of them
  double last_least_sum = 0;  // likewise
  double highest_price = 0;
  CompensatedSum cost;  // the sum of price * Q
  CompensatedSum gaps;  // the sum of the mixability gaps

  // For schedules that go by what each round adds to 1 / rate; 0 for all others.
  CompensatedSum growth;
  CompensatedSum entropies;  // of the probabilities of each round

  CompensatedSum drift;           // the sum of LateRound::drift
  CompensatedSum drift_per_rate;  // the sum of LateRound::drift / rate

  // For schedules that go by delays; 0 for all others.
  std::uint64_t outstanding = 0;  // decisions that await feedback when the next one is drawn
  double waited = 0;              // the sum of these numbers over all draws
  double drawn_rate = 0;          // of the last draw; 0 before the first
};

// What a theorem is, in words.
struct TheoremText {
  std::string_view name;
  std::string_view statement;
  std::string_view conditions;
  std::string_view if_late = {};  // a further condition, if feedback comes late; empty: none
};

// TheoremText::if_late of the theorems that go on in the order of arrival (docs/learners.md,
// Theorem 8, and Theorem 5).
inline constexpr std::string_view kIfLate =
    "its time does not depend on draws that were not reported yet, and if it overtakes other "
    "feedback, neither do losses and graphs";

// What a round adds to a bound.
struct RegretTerm {
  double value = 0;
  std::string_view failure = {};  // the condition that failed in this round; empty: all held
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

  // `before`: without this round.
  virtual RegretTerm term(const RegretRound& round, const Progress& before) const = 0;

  // 0 unless the theorem has such a part.
  virtual double start(std::size_t arms, double last_rate) const;

  // What each switch of a sequence of arms adds, after these rounds. None unless the theorem is
  // about sequences of arms.
  virtual std::optional<double> per_switch(const Progress& progress) const;

  // Whether term() reads RegretRound::entropy, RegretRound::gap, or RegretRound::least_sum.
  virtual bool needs_entropy() const { return false; }
  virtual bool needs_gap() const { return false; }
  virtual bool needs_least_sum() const { return false; }
};

// The constants of a theorem about estimates that are bounded from below.
struct ImplicitExploration {
  double least_exploration_per_rate = 0;
  double second_moment = 0;
  double largest_rate = std::numeric_limits<double>::infinity();

  // The estimates are unbiased, but for the exploration, only if the self weight is 1.
  bool needs_exact_own_loss = false;

  // The learner is not one of exponential weights, so that late feedback ends its bound.
  bool needs_feedback_in_order = false;
};

namespace theorems {

// log(arms) / last rate + the sum of (exploration + second_moment * rate) * Q: the form of the
// paper. Conditions: rates never rise, exploration >= least_exploration_per_rate * rate, and every
// observation is in its range. Late feedback adds its drift (docs/learners.md, Theorem 8).
std::shared_ptr<const RegretTheorem> paper(const ImplicitExploration& constants);

// The sum of (1 / rate - 1 / rate of the round before) * entropy + bias
// + second_moment * rate * EstimateTerms::second_moment: never above the form of the paper. The
// same conditions.
std::shared_ptr<const RegretTheorem> entropic(const ImplicitExploration& constants);

// The same with the mixability gaps of the run in place of the second moments. No condition on
// exploration or noise.
std::shared_ptr<const RegretTheorem> realised(bool needs_exact_own_loss);

// For exponential weights with fixed share, of which 1 / (t + 1) is spread evenly after round t: a
// bound on the regret against every sequence of arms that was fixed in advance, for every number of
// switches at once. The conditions of entropic(), and feedback comes in order.
std::shared_ptr<const RegretTheorem> tracking(std::size_t arms,
                                              const ImplicitExploration& constants);

// The losses of the arms played minus the least sum of estimates. No condition on rates or order.
std::shared_ptr<const RegretTheorem> estimated();

}  // namespace theorems

}  // namespace hearsay
