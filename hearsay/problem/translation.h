#pragma once

// Translates the feedback of a round from the user's units into the model: outcomes become losses,
// and a reading becomes the observation weight * loss of the reading. (Names have been replaced by
// arm numbers before.) docs/your-data.md has a picture.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/graph/graph.h"
#include "hearsay/problem/description.h"

namespace hearsay {

// Why no bound on the regret holds from a round on: estimates are unbiased only if every missing
// reading is reported, also those of arms that the arm played does not show (docs/your-data.md).
inline constexpr std::string_view kReadingNotReported =
    "a reading was missing that was not reported as null";

// A reading of an arm that was not played. If it has no value, this arm could not be read in this
// round, whichever arm was played.
struct Reading {
  Arm arm = 0;
  std::optional<double> value = std::nullopt;
};

// Whether a reading is an estimate of the other arm's outcome in the user's units, or an
// observation as the model has it: weight * loss + (1 - weight) * noise.
enum class ReadingForm : std::uint8_t { reading, observation };

// The feedback of a decision, as the user gives it.
struct UserFeedback {
  double outcome = 0;  // of the arm played, in the user's units
  std::vector<Reading> readings = {};
  ReadingForm form = ReadingForm::reading;
};

// The same in the model, for a learner.
struct ModelRound {
  Graph graph;
  std::vector<Observation> observations;  // with that of the arm played
  double loss = 0;                        // of the arm played, in [0, 1]
  bool is_clipped = false;                // the outcome was out of range
  std::vector<Arm> missing = {};          // the arms without a reading, in increasing order
  bool missing_are_null = true;           // each of them has a reading without a value
  std::uint64_t beyond_noise_bound = 0;   // observations that the noise bound does not allow
};

class Translation {
 public:
  // `names` must outlive the translation.
  Translation(const ProblemDescription& description, const ArmNames& names);

  // `available` has the arms that could be played, in increasing order, or is empty if all could.
  // Arms that could not are left out of the round's graph: the learner treats them as absent.
  // If an arm has no reading, the round is refused or, with MissingReadings::thin, all arcs from
  // other arms into it are left out of the round's graph. The estimates stay unbiased if the set of
  // arms without readings depends neither on the draw nor on the noise of the round and is given
  // completely: by readings without a value also for the arm played and for arms that it does not
  // show (docs/your-data.md). Throws Error for anything that is refused.
  ModelRound translate(const Graph& graph, Arm played, std::span<const Arm> available,
                       const UserFeedback& feedback);

  // The loss of the arm played. Throws Error for an outcome that is refused.
  double loss_of(Arm played, double outcome, bool& is_clipped) const;

 private:
  // A graph without the arcs into some arms, kept as long as graph and arms stay the same.
  struct Thinned {
    Graph from;
    std::vector<Arm> without;
    Graph graph;
  };

  std::vector<Reading> sorted_readings(Arm played, const UserFeedback& feedback) const;
  std::vector<Arm> absent_arms(std::span<const Arm> available) const;
  std::vector<Arm> unread_arms(const Graph& graph, Arm played,
                               std::span<const Reading> readings) const;
  [[noreturn]] void refuse_missing(const Graph& graph, Arm played,
                                   std::span<const Arm> missing) const;
  const Graph& without_arcs_into(const Graph& graph, std::vector<Arm> arms);

  Outcome outcome_;
  MissingReadings missing_readings_;
  std::optional<double> noise_bound_;
  const ArmNames& names_;
  std::optional<Thinned> thinned_;
};

}  // namespace hearsay
