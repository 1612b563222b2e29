#pragma once

// What learners that are made from a LearnerSpec have in common: the spec as part of the saved
// state, the checks of feedback, and the book of decisions. A class that derives from LearnerBase
// adds how it draws, what it learns, and what of that it saves.

#include <cstddef>
#include <string>

#include "hearsay/base/state.h"
#include "hearsay/learner/decision_book.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// A learner that can read back what it has saved.
class RestorableLearner : public Learner {
 public:
  // Reads what save() wrote after the spec, into a learner that was just made from that spec.
  // Throws Error if the state is damaged; the learner must then be discarded.
  virtual void load(StateReader& reader) = 0;
};

// `Drawn` is what the learner keeps with each decision (DecisionBook).
template <class Drawn>
class LearnerBase : public RestorableLearner {
 public:
  std::size_t arms() const override { return spec_.arms; }
  Information information() const override { return information_; }
  void forget(const Decision& decision) override { book_.forget(decision); }
  std::size_t outstanding() const override { return book_.outstanding(); }

  std::string save() const override {
    StateWriter writer(kLearnerState);
    write_spec(writer, spec_);
    save_after_spec(writer);
    return writer.finish();
  }

 protected:
  using Entry = typename DecisionBook<Drawn>::Entry;

  // The caller must have checked `spec`.
  LearnerBase(const LearnerSpec& spec, Information information)
      : spec_(spec),
        checker_(spec.arms, spec.known_noise_bound(), spec.out_of_range, information),
        book_(spec.arms, spec.max_outstanding),
        information_(information) {}

  // Writes what load() reads.
  virtual void save_after_spec(StateWriter& writer) const = 0;

  const LearnerSpec spec_;
  FeedbackChecker checker_;
  DecisionBook<Drawn> book_;

 private:
  Information information_;
};

}  // namespace hearsay
