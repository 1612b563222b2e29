#pragma once

// The description of a problem as a value: a recurring decision in the user's terms. Arms have
// names; outcomes are rewards or losses in the user's units. The rest of hearsay uses arm numbers
// and losses in [0, 1]; only this module translates between the two.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/fields.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

enum class OutcomeKind : std::uint8_t { reward, loss };
inline constexpr std::array<std::string_view, 2> kOutcomeKinds = {"reward", "loss"};

// What to do with an outcome that is not in its range.
enum class OutOfRangeOutcome : std::uint8_t { refuse, clip };
inline constexpr std::array<std::string_view, 2> kOutOfRangeOutcomes = {"refuse", "clip"};

// What to do if an arm that was shown has no reading.
enum class MissingReadings : std::uint8_t { refuse, thin };
inline constexpr std::array<std::string_view, 2> kMissingReadings = {"refuse", "thin"};

// Which probabilities the log has: those of all arms, or only that of the arm played.
enum class LoggedProbabilities : std::uint8_t { all, played };
inline constexpr std::array<std::string_view, 2> kLoggedProbabilities = {"all", "played"};

// What an arm earns or costs, in the user's units.
struct Outcome {
  OutcomeKind kind = OutcomeKind::reward;
  double low = 0;
  double high = 1;
  OutOfRangeOutcome out_of_range = OutOfRangeOutcome::refuse;

  double range() const { return high - low; }

  // The loss of an outcome: from 0 for the best to 1 for the worst; beyond them for an outcome that
  // is out of range.
  double loss_of(double value) const {
    return (kind == OutcomeKind::reward ? high - value : value - low) / range();
  }
  double value_of(double loss) const {
    return kind == OutcomeKind::reward ? high - loss * range() : low + loss * range();
  }

  bool operator==(const Outcome&) const = default;
  static const FieldTable<Outcome>& fields();
  void check() const;
};

struct ProblemDescription {
  std::vector<std::string> names;  // of the arms: not empty, all different, UTF-8
  Outcome outcome = {};

  // weight(played, seen): how well playing one arm shows another; self weights are 1. Without a
  // graph an arm shows only its own outcome.
  std::optional<Graph> graph = std::nullopt;

  // If it is not set, a learner that is named has its own default, and the default learner learns
  // the level of the noise. If it is set and no learner is named, the default learner uses it
  // instead of learning.
  std::optional<double> noise_bound = std::nullopt;

  // Its `arms` and `noise_bound` are ignored. Without a name it is the default learner.
  LearnerSpec learner = {};

  MissingReadings missing_readings = MissingReadings::refuse;
  LoggedProbabilities logged_probabilities = LoggedProbabilities::all;
  std::uint64_t seed = 1;  // of the draws

  // The members that are numbers or words.
  static const FieldTable<ProblemDescription>& fields();
};

// Throws Error at the key that is wrong.
void check_problem(const ProblemDescription& description);

// The learner of a problem, with all its parameters.
LearnerSpec learner_of(const ProblemDescription& description);

// The noise bound against which readings are checked; empty if the learner learns the level of the
// noise and no bound is given.
std::optional<double> noise_bound_of(const ProblemDescription& description);

// The graph of a problem, dense or sparse depending only on its weights, so that the same problem
// gives the same bits wherever its graph came from. Throws Error if the number of arms is not
// `arms` or the self weight is not 1.
Graph graph_in_problem(const std::optional<Graph>& graph, std::size_t arms);

// Whether two graphs of a problem have the same weights.
bool has_same_arcs(const Graph& one, const Graph& other);

// The arms of a problem by their names.
class ArmNames {
 public:
  // Throws Error at "names" unless they are as in ProblemDescription.
  explicit ArmNames(std::vector<std::string> names);

  std::size_t size() const { return names_.size(); }
  const std::string& operator[](Arm arm) const { return names_[arm]; }
  const std::vector<std::string>& list() const { return names_; }

  // Throws Error, with the nearest name, if there is no such arm.
  Arm find(std::string_view name) const;

  // The names of these arms in quotes, as a message lists them; the first few, if there are many.
  std::string listed(std::span<const Arm> arms) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, Arm, std::less<>> arms_;
};

// The graph of a problem from arcs between different arms. Throws Error that names the arms if an
// arc is wrong.
Graph graph_of_named_arcs(std::vector<Arc> arcs, const ArmNames& names);

}  // namespace hearsay
