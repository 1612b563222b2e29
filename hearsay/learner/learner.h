#pragma once

// A learner draws an arm and takes in the observations that playing it gives:
//
//   Decision decision = learner.choose(stream);
//   ... play decision.arm; see the graph and the observations ...
//   learner.observe(decision, graph, {decision.arm, observations});
//
// Every learner implements Learner. Abilities that only some learners have are separate interfaces,
// which their classes implement too: Informed, Restrictable, Randomized, Inspectable, Certified.
// The functions at the end find them for any learner.

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
  double probability = 0;   // of this arm at the draw; 1 if the learner is not randomized
  std::uint64_t round = 0;  // the number of the decision, counted from 1

  bool operator==(const Decision&) const = default;
};

// What a learner must be shown. The code that plays the rounds shows it that and nothing more.
enum class Information : std::uint8_t {
  side_observations,  // after the draw: the graph, and the observations of the arm played
  graph_before_draw,  // the same, and the graph before the draw as well (an Informed learner)
  true_losses,        // after the draw: every true loss, as observations of weight 1
};

// What chooses the arms of a run (play/run.h): a learner, or an object in front of a learner that
// changes or delays its feedback.
class Player {
 public:
  Player() = default;
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  virtual ~Player() = default;

  virtual std::size_t arms() const = 0;
  virtual Information information() const = 0;

  // Draws an arm. The random numbers depend only on `stream` and the number of the decision, so the
  // same stream gives the same choices.
  virtual Decision choose(const Stream& stream) = 0;

  // Takes in the feedback of `decision`, weighted by the probabilities of that draw. It may come
  // late and out of order, once for each decision, or never. Throws Error, and changes nothing, if
  // the decision is not outstanding, the graph has another size, or an observation is missing,
  // repeated, out of order or not finite. After any other exception, such as Interrupted
  // (base/interruption.h), the player must be discarded.
  virtual void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) = 0;
};

// A player that can also learn from arms that others chose, and continue after a pause. If input is
// refused (Error), nothing changes.
class Learner : public Player {
 public:
  // Records an arm that was chosen elsewhere, such as in a log, as if the learner had drawn it now.
  virtual Decision adopt(Arm arm) = 0;

  // Removes a decision whose feedback will never come. The learner learns nothing from it. Its
  // number is not used again, and a `delay_rate` has counted it while it was outstanding.
  virtual void forget(const Decision& decision) = 0;

  // The number of decisions that await feedback.
  virtual std::size_t outstanding() const = 0;

  // Returns the whole state. restore_learner (catalogue.h) makes a learner from it that continues
  // with the same bits.
  virtual std::string save() const = 0;
};

// A learner that must know the graph of a round before it draws (Information::graph_before_draw).
class Informed {
 public:
  Informed() = default;
  Informed(const Informed&) = delete;
  Informed& operator=(const Informed&) = delete;
  virtual ~Informed() = default;

  // Must be called before every decision, drawn or adopted. The graph is not saved: after the
  // learner was restored, call this again.
  virtual void see_graph(const Graph& graph) = 0;
};

// A learner that can draw from a subset of its arms, for rounds in which not all arms are
// available.
//
// The probabilities of such a draw are those of choose() for the available arms, scaled to sum to 1
// (equal if their sum is too small), and the feedback is weighted by them. The estimate of an arm
// that is not available is the learner's own estimated loss in that round, so that the arm gains or
// loses nothing by its absence, and observations of it are not used. From the first such round on,
// the bounds of the certificate have no value.
class Restrictable {
 public:
  Restrictable() = default;
  Restrictable(const Restrictable&) = delete;
  Restrictable& operator=(const Restrictable&) = delete;
  virtual ~Restrictable() = default;

  // Throws Error unless `available` has at least one arm, in increasing order.
  virtual Decision choose_among(const Stream& stream, std::span<const Arm> available) = 0;

  // Records an arm that was chosen elsewhere among the available arms.
  virtual Decision adopt_among(Arm arm, std::span<const Arm> available) = 0;
};

// A learner that draws from known probabilities.
class Randomized {
 public:
  Randomized() = default;
  Randomized(const Randomized&) = delete;
  Randomized& operator=(const Randomized&) = delete;
  virtual ~Randomized() = default;

  // The probabilities of the next draw, one for each arm. Valid until the learner changes.
  virtual std::span<const double> probabilities() const = 0;
};

// What a learner computed in one round. The spans are valid until the learner changes.
struct RoundDetails {
  double rate = 0;         // eta
  double exploration = 0;  // gamma
  double q = 0;  // Q (docs/model.md), or what the learner uses in its place (EstimateTerms::q)
  std::span<const double> probabilities;  // of the draw
  std::span<const double> estimates;      // of this round's losses, one for each arm
};

// A learner whose computation can be inspected.
class Inspectable {
 public:
  Inspectable() = default;
  Inspectable(const Inspectable&) = delete;
  Inspectable& operator=(const Inspectable&) = delete;
  virtual ~Inspectable() = default;

  // Of the last round of feedback; all are zero or empty before the first.
  virtual RoundDetails last_round() const = 0;
};

// A learner with a certificate about its regret.
class Certified {
 public:
  Certified() = default;
  Certified(const Certified&) = delete;
  Certified& operator=(const Certified&) = delete;
  virtual ~Certified() = default;

  virtual Certificate certificate() const = 0;
};

// Null unless the player's information() is graph_before_draw.
Informed* informed_of(Player& player);

// Null if the learner can draw only among all its arms.
Restrictable* restrictable_of(Learner& learner);

// Empty or nullopt if the learner or player does not implement the interface.
std::span<const double> probabilities_of(const Learner& learner);
std::optional<RoundDetails> last_round_of(const Learner& learner);
std::optional<Certificate> certificate_of(const Player& player);

}  // namespace hearsay
