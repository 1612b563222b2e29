#pragma once

// A learner draws an arm and takes in what playing it showed:
//
//   Decision decision = learner.choose(stream);
//   ... play decision.arm; see the graph and the observations ...
//   learner.observe(decision, graph, {decision.arm, observations});
//
// Feedback belongs to its decision: what counts are the probabilities of the draw. It may come late
// and out of order, once for each decision, or never. What is refused (Error) changes nothing.

#include <cstdint>
#include <span>
#include <string>

#include "hearsay/certificate/certificate.h"
#include "hearsay/graph/feedback.h"
#include "hearsay/random/stream.h"

namespace hearsay {

struct Decision {
  Arm arm = 0;
  double probability = 0;   // of this arm, at the draw
  std::uint64_t round = 0;  // 1 for a learner's first decision

  bool operator==(const Decision&) const = default;
};

// The inner figures of one round. The spans hold until the learner is next told something.
struct RoundFigures {
  double rate = 0;         // eta
  double exploration = 0;  // gamma
  double q = 0;
  std::span<const double> probabilities;  // of the draw
  std::span<const double> estimates;      // of this round's losses; 0 where none was formed
};

// What a learner must be shown: an oracle is told the true losses, as observations of weight 1 of
// every arm.
enum class Information { side_observations, true_losses };

class Learner {
 public:
  Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  virtual ~Learner() = default;

  virtual std::size_t arms() const = 0;
  virtual Information information() const = 0;

  // Draws an arm with the number stream.uniform(round): the same stream, the same choices.
  virtual Decision choose(const Stream& stream) = 0;

  // Takes note of an arm that was drawn elsewhere (in a log, say) as if it had been drawn now.
  virtual Decision adopt(Arm arm) = 0;

  // Takes in what `decision` showed. Refuses a decision that is not outstanding, a graph of another
  // size, an observation that is missing, repeated or not a number.
  virtual void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) = 0;

  // Gives up on a decision's feedback: as if it had never been made.
  virtual void forget(const Decision& decision) = 0;

  // Decisions whose feedback may still come.
  virtual std::size_t outstanding() const = 0;

  // Of the next draw. Holds until the learner is next told something.
  virtual std::span<const double> probabilities() const = 0;

  virtual Certificate certificate() const = 0;

  // Of the last round told; all zero and empty before the first.
  virtual RoundFigures last_round() const = 0;

  // The whole state. restore_learner (catalogue.h) makes a learner that goes on with the same bits.
  virtual std::string save() const = 0;
};

}  // namespace hearsay
