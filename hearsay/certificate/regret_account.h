#pragma once

// The account of a learner's regret, which every engine keeps in the same way: one RegretRound for
// each round of feedback, added up to what a schedule sets its rates by (Progress) and to what a
// theorem guarantees (Certificate).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/state.h"
#include "hearsay/certificate/certificate.h"

namespace hearsay {

// What the analysis needs to know of a round's estimates.
struct EstimateTerms {
  // Q: up to a constant, the sum over arms of probability * mean estimate^2 is at most this. With
  // implicit exploration, the sum of probability / (coverage + exploration).
  double q = 0;
  double bias = 0;  // the sum over arms of probability * (loss - mean estimate) is at most this
};

struct RegretRound {
  double rate = 0;
  double exploration = 0;
  EstimateTerms terms = {};
  double price = 0;                // of Q in this round's graph, for schedules that go by it
  bool in_order = true;            // no feedback of a later decision came before
  std::uint64_t out_of_range = 0;  // observations
};

// What the rounds so far add up to: what a schedule may set the rate of the next round by.
struct Progress {
  std::uint64_t rounds = 0;  // of feedback taken in
  double last_rate = 0;      // of the last of them
  double highest_price = 0;
  CompensatedSum cost;  // the sum of price * Q
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

  // None if a condition of the theorem fails in this round. `before`: without this round.
  virtual std::optional<double> term(const RegretRound& round, const Progress& before) const = 0;

  // Follow the regularized leader with the Shannon entropy: log(arms) / rate.
  virtual double start(std::size_t arms, double last_rate) const;
};

// The theorem for implicit exploration (docs/model.md, "Why these constants"): a round adds
// (exploration + second_moment * rate) * Q. Conditions: rates never rise, exploration >=
// least_exploration_per_rate * rate, every observation is in its range, and feedback comes in
// order.
struct ImplicitExploration {
  double least_exploration_per_rate = 0;
  double second_moment = 0;
};
std::shared_ptr<const RegretTheorem> regret_theorem(const ImplicitExploration& constants);

class RegretAccount {
 public:
  // Without a theorem (null) the certificate has no bound.
  RegretAccount(std::size_t arms, std::shared_ptr<const RegretTheorem> theorem)
      : arms_(arms), theorem_(std::move(theorem)), theorem_holds_(theorem_ != nullptr) {}

  // Returns false, and changes nothing, if a sum would be too large to go on with: so no schedule
  // sees a number that is not finite. Inline: it is called for each of many runs in lockstep.
  [[nodiscard]] bool add(const RegretRound& round) {
    const double cost = round.price * round.terms.q;
    double term = 0;
    bool holds = false;
    if (theorem_) {
      const std::optional<double> of_theorem = theorem_->term(round, progress_);
      holds = of_theorem.has_value();
      term = of_theorem.value_or(0);
    }
    const bool fits = q_sum_.rounded() + round.terms.q < kLargestSum &&
                      progress_.cost.rounded() + cost < kLargestSum &&
                      bound_sum_.rounded() + term < kLargestSum;
    if (!fits) {  // also if one is not a number
      return false;
    }
    theorem_holds_ = theorem_holds_ && holds;
    bound_sum_.add(term);
    ++progress_.rounds;
    progress_.last_rate = round.rate;
    progress_.highest_price = std::max(progress_.highest_price, round.price);
    progress_.cost.add(cost);
    q_sum_.add(round.terms.q);
    out_of_range_ += round.out_of_range;
    last_q_ = round.terms.q;
    return true;
  }

  const Progress& progress() const { return progress_; }
  double last_q() const { return last_q_; }
  Certificate certificate() const;

  void save(StateWriter& writer) const;
  // Throws Error if the state is damaged; the object must then be discarded.
  void load(StateReader& reader);

 private:
  std::size_t arms_;
  std::shared_ptr<const RegretTheorem> theorem_;
  Progress progress_;
  CompensatedSum q_sum_;
  CompensatedSum bound_sum_;
  bool theorem_holds_;
  std::uint64_t out_of_range_ = 0;
  double last_q_ = 0;
};

// The message for a round that add() returned false for.
std::string too_costly(double q);

}  // namespace hearsay
