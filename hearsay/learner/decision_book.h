#pragma once

// The decisions of a learner that await feedback, in the order in which they were made. With each
// decision it keeps what the learner needs when the feedback comes (Drawn), such as the
// probabilities of the draw. At most `max_outstanding` are kept; beyond that the oldest is dropped.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/learner/learner.h"

namespace hearsay {

// Functions that throw the Errors of DecisionBook.
namespace refuse {
[[noreturn]] void arm(Arm arm, std::size_t arms);
[[noreturn]] void arm_of_decision(const Decision& decision, Arm drawn);
[[noreturn]] void feedback_of_decision(const Decision& decision, const Feedback& feedback);
[[noreturn]] void decision_never_made(const Decision& decision, std::uint64_t made);
[[noreturn]] void decision_dropped(const Decision& decision, std::size_t max_outstanding);
[[noreturn]] void decision_not_outstanding_or_dropped(const Decision& decision,
                                                      std::size_t max_outstanding);
// `or_else` is another possible reason for the message, or empty.
[[noreturn]] void decision_not_outstanding(const Decision& decision, std::string_view or_else);
}  // namespace refuse

template <class Drawn>
class DecisionBook {
 public:
  struct Entry {
    std::uint64_t round = 0;
    Arm arm = 0;
    Drawn drawn;
  };

  DecisionBook(std::size_t arms, std::size_t max_outstanding)
      : arms_(arms), max_outstanding_(max_outstanding) {}

  std::uint64_t made() const { return made_; }  // the number of all decisions made
  std::size_t outstanding() const { return entries_.size() - first_; }
  // The round of the oldest outstanding decision, or of the next decision if none is outstanding.
  std::uint64_t oldest() const { return outstanding() > 0 ? entries_[first_].round : made_ + 1; }

  // Throws Error if there is no such arm.
  void check_arm(Arm arm) const {
    if (arm >= arms_) {
      refuse::arm(arm, arms_);
    }
  }

  // Adds a decision. Throws Error if there is no such arm.
  Decision add(Arm arm, double probability, Drawn drawn) {
    check_arm(arm);
    if (outstanding() >= max_outstanding_) {
      drop_oldest();
    }
    ++made_;
    entries_.push_back({made_, arm, std::move(drawn)});
    return {arm, probability, made_};
  }

  // The entry of an outstanding decision, valid until the next change of the book. Throws Error if
  // the decision is not outstanding or was for another arm.
  Entry& find(const Decision& decision) {
    const auto found = std::lower_bound(
        entries_.begin() + static_cast<std::ptrdiff_t>(first_), entries_.end(), decision.round,
        [](const Entry& entry, std::uint64_t round) { return entry.round < round; });
    if (found == entries_.end() || found->round != decision.round) {
      explain_absence(decision);
    }
    if (decision.arm != found->arm) {
      refuse::arm_of_decision(decision, found->arm);
    }
    return *found;
  }

  // The same, and throws Error if the feedback is for another arm than the decision.
  Entry& find(const Decision& decision, const Feedback& feedback) {
    Entry& entry = find(decision);
    if (feedback.played != decision.arm) {
      refuse::feedback_of_decision(decision, feedback);
    }
    return entry;
  }

  // Removes an entry that find() returned.
  void erase(const Entry& entry) {
    const auto index = static_cast<std::size_t>(&entry - entries_.data());
    if (index != first_) {
      entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
      return;
    }
    entries_[first_].drawn = Drawn();
    ++first_;
    if (first_ == entries_.size()) {
      entries_.clear();
      first_ = 0;
    } else if (first_ >= kFewestErased && 2 * first_ >= entries_.size()) {
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }

  // Removes a decision. Throws Error as find() does.
  void forget(const Decision& decision) { erase(find(decision)); }

  // Removes all decisions. `why` completes the message "decision 3 is not outstanding: its feedback
  // was given already, it was forgotten, or it was ..." and must be a string literal.
  void clear(std::string_view why) {
    entries_.clear();
    first_ = 0;
    cleared_through_ = made_;
    cleared_because_ = why;
  }

  // Calls write(entry, previous) for each entry to write its Drawn; `previous` points to the entry
  // before it or is null.
  template <class Write>
  void save(StateWriter& writer, Write&& write) const {
    writer.add(made_);
    writer.add(dropped_through_);
    writer.add(cleared_through_);
    writer.add(std::uint64_t{outstanding()});
    const Entry* before = nullptr;
    for (std::size_t i = first_; i < entries_.size(); ++i) {
      writer.add(entries_[i].round);
      writer.add(std::uint64_t{entries_[i].arm});
      write(entries_[i], before);
      before = &entries_[i];
    }
  }

  // Calls read(previous) for each entry, which returns its Drawn. `rounds` is the number of rounds
  // of feedback that the learner has taken in. `cleared_because` is the text that the learner
  // passes to clear(), if it calls it. Throws Error if the state is damaged; the book must then be
  // discarded.
  template <class Read>
  void load(StateReader& reader, std::uint64_t rounds, Read&& read,
            std::string_view cleared_because = {}) {
    made_ = reader.number();
    dropped_through_ = reader.number();
    dropped_.clear();
    oldest_dropped_ = 0;
    cleared_through_ = reader.number();
    cleared_because_ = cleared_because;
    reader.require(dropped_through_ <= made_ && cleared_through_ <= made_,
                   "has dropped decisions that were never made");
    entries_.clear();
    first_ = 0;
    const std::size_t outstanding = reader.count(2 * sizeof(std::uint64_t));
    reader.require(outstanding <= max_outstanding_,
                   "has more outstanding decisions than max_outstanding");
    std::uint64_t last = std::max(dropped_through_, cleared_through_);
    for (std::size_t i = 0; i < outstanding; ++i) {
      const std::uint64_t round = reader.number();
      reader.require(round > last && round <= made_, "has outstanding decisions out of order");
      last = round;
      const std::uint64_t arm = reader.number();
      reader.require(arm < arms_, "has a decision for an arm that does not exist");
      Drawn drawn = read(entries_.empty() ? nullptr : &entries_.back());
      entries_.push_back({round, static_cast<Arm>(arm), std::move(drawn)});
    }
    reader.require(rounds <= made_, "has more rounds of feedback than decisions");
  }

 private:
  void drop_oldest() {
    dropped_through_ = entries_[first_].round;
    if (dropped_.size() < kDroppedKnown) {
      dropped_.push_back(dropped_through_);
    } else {
      dropped_[oldest_dropped_] = dropped_through_;
      oldest_dropped_ = (oldest_dropped_ + 1) % kDroppedKnown;
    }
    erase(entries_[first_]);
  }

  [[noreturn]] void explain_absence(const Decision& decision) const {
    if (decision.round == 0 || decision.round > made_) {
      refuse::decision_never_made(decision, made_);
    }
    if (std::ranges::find(dropped_, decision.round) != dropped_.end()) {
      refuse::decision_dropped(decision, max_outstanding_);
    }
    if (decision.round <= dropped_through_) {
      refuse::decision_not_outstanding_or_dropped(decision, max_outstanding_);
    }
    refuse::decision_not_outstanding(decision,
                                     decision.round <= cleared_through_ ? cleared_because_ : "");
  }

  // Entries before first_ are erased. Their memory is released when there are at least this many
  // and they are at least half of all entries.
  static constexpr std::size_t kFewestErased = 64;

  // The number of dropped decisions whose rounds are remembered for messages; they are not saved.
  // Of earlier ones it is not known whether they had feedback or were forgotten or dropped.
  static constexpr std::size_t kDroppedKnown = 1024;

  std::size_t arms_;
  std::size_t max_outstanding_;
  std::uint64_t made_ = 0;
  std::uint64_t dropped_through_ = 0;   // the last decision dropped because of max_outstanding
  std::vector<std::uint64_t> dropped_;  // ring buffer of the rounds dropped last
  std::size_t oldest_dropped_ = 0;      // index in dropped_, once that is full
  std::uint64_t cleared_through_ = 0;   // the last decision made before clear()
  std::string_view cleared_because_;
  std::vector<Entry> entries_;  // in increasing round
  std::size_t first_ = 0;
};

}  // namespace hearsay
