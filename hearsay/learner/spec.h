#pragma once

// A learner as a value: its name and its parameters, by the names that the command line, experiment
// files and Python use too. LearnerSpec::fields() describes each parameter once, for all of them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hearsay/base/fields.h"

namespace hearsay {

// How an adaptive rate is set. exp3-wix: by constants as printed in the paper, or by those that its
// proof gives when no inequality in it is loose (sharp, ours). exp3-ivc: by what each round's graph
// costs, or by the mixability gaps of the run (ada).
// tsallis-inf: estimates by importance weights, or with a baseline that reduces their variance
// (rv).
enum class Tuning : std::uint8_t { paper, sharp, cost, ada, iw, rv };
inline constexpr std::array<std::string_view, 6> kTunings = {"paper", "sharp", "cost",
                                                             "ada",   "iw",    "rv"};

// Whether a learner goes by its noise bound or learns the level of the noise instead.
enum class NoiseLevel : std::uint8_t { known, learned };
inline constexpr std::array<std::string_view, 2> kNoiseLevels = {"known", "learned"};

// What to do with an observation that its weight and the noise bound do not allow.
enum class OutOfRange : std::uint8_t { count, refuse };
inline constexpr std::array<std::string_view, 2> kOutOfRange = {"count", "refuse"};

// How a learner is computed: every probability in every round (exact), only those that the
// observations change (lazy; docs/lazy.md), or lazy from 20,000 arms on (automatic).
enum class Engine : std::uint8_t { exact, lazy, automatic };
inline constexpr std::array<std::string_view, 3> kEngines = {"exact", "lazy", "auto"};

// Which bounds on its regret a learner keeps account of: the designated one, or all that it has a
// theorem for, which takes longer.
enum class Bounds : std::uint8_t { designated, all };
inline constexpr std::array<std::string_view, 2> kBounds = {"designated", "all"};

// How late feedback slows the rate down: not at all, by what the lateness of feedback has cost so
// far, or by the number of decisions that await feedback.
enum class DelayRate : std::uint8_t { none, drift, count };
inline constexpr std::array<std::string_view, 3> kDelayRates = {"none", "drift", "count"};

struct LearnerSpec {
  std::string name;
  std::size_t arms = 0;
  double noise_bound = 1;                            // R
  std::optional<double> rate = std::nullopt;         // eta, static; none: adaptive
  std::optional<double> exploration = std::nullopt;  // gamma, fixed; none: as the theory has it
  std::optional<double> threshold = std::nullopt;    // eps, of exp3-ixb and exp3-ixt
  std::optional<double> delta = std::nullopt;        // of exp3-wix; none: 1
  std::optional<Tuning> tuning = std::nullopt;       // of exp3-wix and exp3-ivc
  std::optional<NoiseLevel> noise = std::nullopt;    // of exp3-ivc; learned: noise_bound is ignored
  std::optional<double> order = std::nullopt;        // of the Tsallis entropy; none: 1/2
  std::optional<std::size_t> switches = std::nullopt;  // K of the sharing learners; none: 1
  std::optional<double> alpha = std::nullopt;          // of q-ftrl and exp3.g
  std::optional<std::size_t> horizon = std::nullopt;   // T of q-ftrl, exp3.g and exp3.s
  std::optional<DelayRate> delay_rate = std::nullopt;  // of exp3-ivx-clip and exp3-ivc; none: none
  OutOfRange out_of_range = OutOfRange::count;
  Engine engine = Engine::exact;
  Bounds bounds = Bounds::designated;
  std::size_t max_outstanding = 4096;  // decisions awaiting feedback; then the oldest is forgotten

  bool operator==(const LearnerSpec&) const = default;

  // The parameters: all but name and arms. Experiment files have those `in_experiments`, which are
  // columns of the results too; the others matter where feedback comes from outside.
  static const FieldTable<LearnerSpec>& fields();
};

// What a saved learner begins with.
inline constexpr std::string_view kLearnerState = "learner";

void write_spec(StateWriter& writer, const LearnerSpec& spec);
LearnerSpec read_spec(StateReader& reader);

}  // namespace hearsay
