#pragma once

// The description of a learner: its name and its parameters, with the same names as on the command
// line, in experiment files and in Python. LearnerSpec::fields() describes each parameter once for
// all of these.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hearsay/base/fields.h"

namespace hearsay {

// How an adaptive rate is set: with the constants of the paper (paper), or with sharper ones that
// its proof allows (sharp); by the cost of each round (cost), or by the mixability gaps of the run
// (ada). Two tunings also set the estimates: with importance weights alone (iw), or with a baseline
// that reduces their variance (rv). The row of a learner in the catalogue says which it has.
enum class Tuning : std::uint8_t { paper, sharp, cost, ada, iw, rv };
inline constexpr std::array<std::string_view, 6> kTunings = {"paper", "sharp", "cost",
                                                             "ada",   "iw",    "rv"};
static_assert(names_all(kTunings, Tuning::rv));

// Whether a learner uses its noise bound or learns the noise level.
enum class NoiseLevel : std::uint8_t { known, learned };
inline constexpr std::array<std::string_view, 2> kNoiseLevels = {"known", "learned"};
static_assert(names_all(kNoiseLevels, NoiseLevel::learned));

// What to do with an observation that its weight and the noise bound do not allow.
enum class OutOfRange : std::uint8_t { count, refuse };
inline constexpr std::array<std::string_view, 2> kOutOfRange = {"count", "refuse"};
static_assert(names_all(kOutOfRange, OutOfRange::refuse));

// With engine `automatic`, learners are lazy from this number of arms on: graphs are then never
// dense, and estimating Q instead of computing it pays off.
inline constexpr std::size_t kLazyArms = 20'000;

// How a learner is computed: all probabilities in every round (exact), only those that the
// observations change (lazy; docs/lazy.md), or lazy from kLazyArms arms on (automatic).
enum class Engine : std::uint8_t { exact, lazy, automatic };
inline constexpr std::array<std::string_view, 3> kEngines = {"exact", "lazy", "auto"};
static_assert(names_all(kEngines, Engine::automatic));

// Which regret bounds a learner computes: only the designated one, or those of all its theorems,
// which takes longer.
enum class Bounds : std::uint8_t { designated, all };
inline constexpr std::array<std::string_view, 2> kBounds = {"designated", "all"};
static_assert(names_all(kBounds, Bounds::all));

// How late feedback reduces the rate: not at all (none), by the cost of lateness so far (drift), or
// by the number of decisions that await feedback (count).
enum class DelayRate : std::uint8_t { none, drift, count };
inline constexpr std::array<std::string_view, 3> kDelayRates = {"none", "drift", "count"};
static_assert(names_all(kDelayRates, DelayRate::count));

// A parameter without a value has the learner's own default, if the learner takes it
// (catalogue.h).
struct LearnerSpec {
  std::string name = {};  // empty: the default learner
  std::size_t arms = 0;
  double noise_bound = 1;                            // R
  std::optional<double> rate = std::nullopt;         // eta, fixed; nullopt: adaptive
  std::optional<double> exploration = std::nullopt;  // gamma, fixed; nullopt: that of the theorem
  std::optional<double> threshold = std::nullopt;    // eps
  std::optional<double> delta = std::nullopt;
  std::optional<Tuning> tuning = std::nullopt;
  std::optional<NoiseLevel> noise = std::nullopt;  // if learned, noise_bound is unused
  std::optional<double> order = std::nullopt;      // of the Tsallis entropy
  std::optional<std::size_t> switches = std::nullopt;
  std::optional<double> alpha = std::nullopt;
  std::optional<std::size_t> horizon = std::nullopt;  // T
  std::optional<DelayRate> delay_rate = std::nullopt;
  OutOfRange out_of_range = OutOfRange::count;
  Engine engine = Engine::exact;
  Bounds bounds = Bounds::designated;
  std::size_t max_outstanding = 4096;  // decisions awaiting feedback; beyond, the oldest is dropped

  bool operator==(const LearnerSpec&) const = default;

  // nullopt if the level of the noise is learned.
  std::optional<double> known_noise_bound() const {
    return noise == NoiseLevel::learned ? std::nullopt : std::optional(noise_bound);
  }

  // All members except name and arms. Those with `in_experiments` can be set in experiment files
  // and are columns of the results; the others matter only if feedback comes from outside.
  static const FieldTable<LearnerSpec>& fields();

  // Throws Error if parameters contradict each other, for whatever learner.
  void check() const;
};

// The subject of the saved state of a learner (StateWriter).
inline constexpr std::string_view kLearnerState = "learner";

void write_spec(StateWriter& writer, const LearnerSpec& spec);
LearnerSpec read_spec(StateReader& reader);

}  // namespace hearsay
