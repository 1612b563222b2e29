#pragma once

// A learner draws an arm and takes in what playing it showed:
//
//   Decision decision = learner.choose(stream);
//   ... play decision.arm; see the graph and the observations ...
//   learner.observe(decision, graph, {decision.arm, observations});
//
// Feedback belongs to its decision: what counts are the probabilities of the draw. It may come late
// and out of order, once for each decision, or never. Input that is refused (Error) changes
// nothing.
//
// Learner is what every learner has. What only some have are interfaces of their own, which a class
// implements besides: Informed, Restrictable, Randomized, Inspectable, Certified. The functions at
// the end ask any learner for them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "hearsay/certificate/certificate.h"
#include "hearsay/graph/feedback.h"
#include "hearsay/random/stream.h"

namespace hearsay {

struct Decision {
  Arm arm = 0;
  double probability = 0;   // of this arm, at the draw; 1 if the learner does not randomize
  std::uint64_t round = 0;  // 1 for a learner's first decision

  bool operator==(const Decision&) const = default;
};

// What a learner must be shown. Whoever runs the rounds gives it that and nothing more.
enum class Information : std::uint8_t {
  side_observations,  // after the draw: the graph, and what the arm played shows
  graph_before_draw,  // the same, and the graph before the draw as well (an Informed learner)
  true_losses,        // after the draw: every true loss, as observations of weight 1
};

class Learner {
 public:
  Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  virtual ~Learner() = default;

  virtual std::size_t arms() const = 0;
  virtual Information information() const = 0;

  // Draws an arm. All randomness comes from `stream` and the number of the decision, so that the
  // same stream gives the same choices.
  virtual Decision choose(const Stream& stream) = 0;

  // Takes note of an arm that was drawn elsewhere (in a log, say) as if it had been drawn now.
  virtual Decision adopt(Arm arm) = 0;

  // Takes in what `decision` showed. Refuses a decision that is not outstanding, a graph of another
  // size, and an observation that is missing, repeated or not a number.
  virtual void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) = 0;

  // Gives up on a decision's feedback. The learner then plays as if it had never been made.
  virtual void forget(const Decision& decision) = 0;

  // The number of decisions whose feedback may still come.
  virtual std::size_t outstanding() const = 0;

  // The whole state, from which restore_learner (catalogue.h) makes a learner that continues with
  // the same bits.
  virtual std::string save() const = 0;
};

// A learner that must know the graph of a round before it draws (Information::graph_before_draw).
class Informed {
 public:
  Informed() = default;
  Informed(const Informed&) = delete;
  Informed& operator=(const Informed&) = delete;
  virtual ~Informed() = default;

  // Called before every choose().
  virtual void see_graph(const Graph& graph) = 0;
};

// A learner that can draw among some of its arms, if not all can be played in a round.
//
// The law of such a draw is that of choose() restricted to the arms that are available, scaled to
// sum to 1 (uniform among them if they have no probability left), and the feedback is weighed by
// that law. An arm that is not available is charged in that round what the learner itself is
// charged, by the estimates: it stands neither better nor worse for its absence, and observations
// of it are not used. From the first such round on the certificate has no bounds.
class Restrictable {
 public:
  Restrictable() = default;
  Restrictable(const Restrictable&) = delete;
  Restrictable& operator=(const Restrictable&) = delete;
  virtual ~Restrictable() = default;

  // `available` has at least one arm, in increasing order; Error otherwise.
  virtual Decision choose_among(const Stream& stream, std::span<const Arm> available) = 0;

  // Takes note of an arm that was drawn elsewhere among these.
  virtual Decision adopt_among(Arm arm, std::span<const Arm> available) = 0;
};

// A learner that draws from probabilities it can tell.
class Randomized {
 public:
  Randomized() = default;
  Randomized(const Randomized&) = delete;
  Randomized& operator=(const Randomized&) = delete;
  virtual ~Randomized() = default;

  // Of the next draw, one for each arm. Valid until the learner next changes.
  virtual std::span<const double> probabilities() const = 0;
};

// The inner figures of one round. The spans are valid until the learner next changes.
struct RoundFigures {
  double rate = 0;         // eta
  double exploration = 0;  // gamma
  double q = 0;
  std::span<const double> probabilities;  // of the draw
  std::span<const double> estimates;      // of this round's losses; 0 where none was formed
};

// A learner whose inner figures can be looked at.
class Inspectable {
 public:
  Inspectable() = default;
  Inspectable(const Inspectable&) = delete;
  Inspectable& operator=(const Inspectable&) = delete;
  virtual ~Inspectable() = default;

  // Of the last round of feedback; all zero and empty before the first.
  virtual RoundFigures last_round() const = 0;
};

// A learner that keeps account of its regret.
class Certified {
 public:
  Certified() = default;
  Certified(const Certified&) = delete;
  Certified& operator=(const Certified&) = delete;
  virtual ~Certified() = default;

  virtual Certificate certificate() const = 0;
};

// Null unless the learner's information() is graph_before_draw.
Informed* informed_of(Learner& learner);

// Null if the learner can draw only among all its arms.
Restrictable* restrictable_of(Learner& learner);

// Empty or none if the learner has no such thing.
std::span<const double> probabilities_of(const Learner& learner);
std::optional<RoundFigures> last_round_of(const Learner& learner);
std::optional<Certificate> certificate_of(const Learner& learner);

}  // namespace hearsay
