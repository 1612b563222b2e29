#pragma once

// The account of a learner's regret, which all engines share. It adds up one RegretRound for each
// round of feedback, to the sums by which a schedule sets its rates (RoundTotals) and to the bounds
// that theorems guarantee (Certificate).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/state.h"
#include "hearsay/certificate/certificate.h"
#include "hearsay/certificate/regret_theorem.h"

namespace hearsay {

// Values of RegretTerm::failure. The first two end every bound, the third only the bound that
// became too large.

// All theorems assume that every arm can be drawn.
inline constexpr std::string_view kNotAllAvailable = "some arms were not available";

// An observation of weight 1 is the loss itself, and all theorems are about losses in [0, 1].
inline constexpr std::string_view kLossOutOfRange = "an observation of weight 1 was not in [0, 1]";

// The term of the round is too large, as after late feedback of an arm that could hardly be drawn
// when the decision was made.
inline constexpr std::string_view kBoundTooLarge = "the bound is too large to be added up";

// The theorems that a learner keeps account of.
struct RegretTheorems {
  std::shared_ptr<const RegretTheorem> designated;  // gives Certificate::regret_bound; may be null
  std::vector<std::shared_ptr<const RegretTheorem>> others = {};

  // The theorem whose bound is also computed in the order of the decisions, even if feedback comes
  // in another order (learner/round_order.h); may be null.
  std::shared_ptr<const RegretTheorem> in_round_order = nullptr;
};

class RegretAccount {
 public:
  // `of_schedule`: what the learner's schedule reads.
  RegretAccount(std::size_t arms, const RegretTheorems& theorems,
                const RoundNeeds& of_schedule = {});

  // What the schedule and the theorems read. The rounds that are added must have all of it.
  const RoundNeeds& needs() const { return needs_; }

  // Adds a round of feedback. Returns false and changes nothing if the sum of Q, of price * Q, of
  // the gaps or of the growth would reach kLargestSum, so that no schedule sees a sum that is not
  // finite. A bound that would reach it ends with this round. Inline, because it is called for each
  // of many runs in lockstep.
  [[nodiscard]] bool add(const RegretRound& round) {
    const double cost = round.price * round.terms.q;
    const bool fits = q_sum_.rounded() + round.terms.q < kLargestSum &&
                      totals_.cost.rounded() + cost < kLargestSum &&
                      totals_.growth.rounded() + round.growth < kLargestSum &&
                      (!totals_.gaps || totals_.gaps->rounded() + round.gap.value() < kLargestSum);
    if (!fits) {  // also if a sum would be NaN
      return false;
    }
    for (KeptTheorem& kept : kept_) {
      RegretTerm term = round.is_restricted  ? RegretTerm{.failure = kNotAllAvailable}
                        : round.breaks_model ? RegretTerm{.failure = kLossOutOfRange}
                                             : kept.theorem->term(round, totals_);
      if (!(std::abs(kept.sum.rounded() + term.value) < kLargestSum)) {
        term = {.failure = kBoundTooLarge};
      }
      if (!term.failure.empty() && kept.failed_in_round == 0) {
        kept.failed_in_round = totals_.rounds + 1;
        kept.failure = term.failure;
      }
      kept.sum.add(term.value);
    }
    ++totals_.rounds;
    totals_.last_rate = round.rate;
    totals_.last_least_sum = round.least_sum.value_or(0);
    totals_.highest_price = std::max(totals_.highest_price, round.price);
    totals_.cost.add(cost);
    if (totals_.gaps) {
      totals_.gaps->add(round.gap.value());
    }
    if (round.growth > 0) {
      totals_.growth.add(round.growth);
      totals_.entropies.add(round.entropy.value());
    }
    if (round.late && round.rate > 0) {
      totals_.drift.add(round.late->drift);
      totals_.drift_per_rate.add(round.late->drift / round.rate);
    }
    q_sum_.add(round.terms.q);
    out_of_range_ += round.out_of_range;
    last_q_ = round.terms.q;
    return true;
  }

  // If needs().delays: call set_outstanding() with the number of decisions that await feedback
  // before each draw and whenever that number changes, and add_draw() with the rate of each draw.
  void set_outstanding(std::size_t outstanding) {
    totals_.delays.value().outstanding = outstanding;
  }
  void add_draw(double rate) {
    DelayTotals& delays = totals_.delays.value();
    delays.waited += static_cast<double>(delays.outstanding);
    delays.drawn_rate = rate;
  }

  const RoundTotals& totals() const { return totals_; }
  double last_q() const { return last_q_; }
  Certificate certificate() const;

  void save(StateWriter& writer) const;
  // Throws Error if the state is damaged; the object must then be discarded.
  void load(StateReader& reader);

 private:
  struct KeptTheorem {
    std::shared_ptr<const RegretTheorem> theorem;
    CompensatedSum sum = {};  // the sum of the terms
    std::uint64_t failed_in_round = 0;
    std::string failure = {};
  };

  RegretBound bound(const KeptTheorem& kept) const;

  std::size_t arms_;
  bool has_designated_;
  std::vector<KeptTheorem> kept_;  // the designated theorem first
  RoundNeeds needs_;
  RoundTotals totals_;
  CompensatedSum q_sum_;
  std::uint64_t out_of_range_ = 0;
  double last_q_ = 0;
};

// A sentence with all conditions of a theorem.
std::string conditions_of(const TheoremText& text);

// The message for a round for which add() returned false.
std::string q_too_large_message(double q);

}  // namespace hearsay
