#pragma once

// A learner as a value: its name and its parameters, by the words that the command, TOML and Python
// use too.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearsay {

class StateReader;
class StateWriter;

// What a saved learner begins with.
inline constexpr std::string_view kLearnerState = "learner";

// Constants of an adaptive rate: as printed in the paper, or those its proof gives when no
// inequality in it is loose (ours).
enum class Tuning : std::uint8_t { paper, sharp };
inline constexpr std::array<std::string_view, 2> kTunings = {"paper", "sharp"};

// What to do with an observation that its weight and the noise bound do not allow.
enum class OutOfRange : std::uint8_t { count, refuse };

// How a learner is computed: every probability anew each round (exact), only those that what was
// seen changes (lazy; docs/lazy.md), or lazy from as many arms on as no dense graph has
// (automatic).
enum class Engine : std::uint8_t { exact, lazy, automatic };
inline constexpr std::array<std::string_view, 3> kEngines = {"exact", "lazy", "auto"};

struct LearnerSpec {
  std::string name;
  std::size_t arms = 0;
  double noise_bound = 1;                            // R
  std::optional<double> rate = std::nullopt;         // eta, static; none: adaptive
  std::optional<double> exploration = std::nullopt;  // gamma, fixed; none: as the theory has it
  std::optional<double> threshold = std::nullopt;  // eps, of exp3-ixb and exp3-ixt, which need one
  std::optional<double> delta = std::nullopt;      // of exp3-wix, at least 1; none: 1
  std::optional<Tuning> tuning = std::nullopt;     // of exp3-wix; none: paper
  OutOfRange out_of_range = OutOfRange::count;
  Engine engine = Engine::exact;

  // Decisions whose feedback is waited for; beyond it the oldest is forgotten.
  std::size_t max_outstanding = 4096;

  bool operator==(const LearnerSpec&) const = default;
};

void write_spec(StateWriter& writer, const LearnerSpec& spec);
LearnerSpec read_spec(StateReader& reader);

}  // namespace hearsay
