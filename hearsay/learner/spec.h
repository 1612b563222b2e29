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

// Which constants an adaptive rate has. exp3-wix: as printed in the paper, or those that its proof
// gives when no inequality in it is loose (ours).
enum class Tuning : std::uint8_t { paper, sharp };
inline constexpr std::array<std::string_view, 2> kTunings = {"paper", "sharp"};

// What to do with an observation that its weight and the noise bound do not allow.
enum class OutOfRange : std::uint8_t { count, refuse };
inline constexpr std::array<std::string_view, 2> kOutOfRange = {"count", "refuse"};

// How a learner is computed: every probability in every round (exact), only those that the
// observations change (lazy; docs/lazy.md), or lazy from 20,000 arms on (automatic).
enum class Engine : std::uint8_t { exact, lazy, automatic };
inline constexpr std::array<std::string_view, 3> kEngines = {"exact", "lazy", "auto"};

struct LearnerSpec {
  std::string name;
  std::size_t arms = 0;
  double noise_bound = 1;                            // R
  std::optional<double> rate = std::nullopt;         // eta, static; none: adaptive
  std::optional<double> exploration = std::nullopt;  // gamma, fixed; none: as the theory has it
  std::optional<double> threshold = std::nullopt;    // eps, of exp3-ixb and exp3-ixt
  std::optional<double> delta = std::nullopt;        // of exp3-wix; none: 1
  std::optional<Tuning> tuning = std::nullopt;       // of exp3-wix; none: paper
  OutOfRange out_of_range = OutOfRange::count;
  Engine engine = Engine::exact;
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
