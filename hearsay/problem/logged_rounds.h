#pragma once

// The rounds of a problem's log: its decisions joined with their feedback.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/graph/graph.h"
#include "hearsay/problem/log_reader.h"
#include "hearsay/problem/log_record.h"
#include "hearsay/problem/outstanding_decisions.h"
#include "hearsay/problem/translation.h"

namespace hearsay {

// A decision with its feedback, in the model's terms.
struct LoggedRound {
  std::uint64_t decision = 0;  // its id
  Arm arm = 0;
  double probability = 0;
  std::vector<double> probabilities = {};  // of the draw; may be empty
  std::vector<Arm> available = {};         // in increasing order; empty if all
  Graph graph;      // of the round: without arcs into arms that were not available or not read
  double loss = 0;  // of the arm, in [0, 1]
  std::vector<Observation> observations = {};  // with that of the arm
  bool is_clipped = false;                     // the outcome was out of range
  std::uint64_t beyond_noise_bound = 0;        // observations that the noise bound does not allow
  std::string missing = {};      // the arms without a reading, as a message lists them
  bool missing_are_null = true;  // each of them has a null in the log
};

// How a round with a missing reading is treated: as the problem says; thinned whatever the problem
// says; or readings are ignored in all rounds, and rounds have no observations.
enum class LoggedReadings : std::uint8_t { as_the_problem_says, thinned, ignored };

// The rounds of a log in the order of their feedback.
class LoggedRounds {
 public:
  // At most this many decisions are outstanding at a time, or fewer if they have too many different
  // graphs (kMostOutstandingArms); beyond that the oldest is dropped.
  static constexpr std::size_t kMostOutstanding = std::size_t{1} << 20U;

  // `reader` must outlive the object.
  explicit LoggedRounds(LogReader& reader,
                        LoggedReadings readings = LoggedReadings::as_the_problem_says);

  // Returns nullopt at the end of the log. Throws Error at "name:line" as the reader does, and for
  // feedback that belongs to no decision or cannot be translated.
  std::optional<LoggedRound> next();

  // The number of decisions so far without feedback: forgotten, dropped or still outstanding.
  std::uint64_t without_feedback() const { return decisions_ - rounds_; }

 private:
  void add(LoggedDecision decision);
  LoggedRound round_of(const LoggedFeedback& feedback);

  LogReader& reader_;
  LoggedReadings readings_;
  Translation translation_;
  OutstandingDecisions<LoggedDecision> outstanding_;
  std::uint64_t decisions_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace hearsay
