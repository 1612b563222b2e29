#include "hearsay/learner/spec.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/state.h"

namespace hearsay {
namespace {

constexpr double kHuge = 1e100;  // its square, times any reasonable number, is finite

}  // namespace

const FieldTable<LearnerSpec>& LearnerSpec::fields() {
  static const std::string engines = fmt::format(
      "exact, lazy (for sparse graphs of very many arms: the cost of a round depends only on the "
      "arms seen), or auto: lazy from {} arms on",
      grouped_digits(kLazyArms));
  static const FieldTable<LearnerSpec> table = {
      field("noise_bound", &LearnerSpec::noise_bound, RealRange{0, kHuge},
            "R: the learner assumes that noise lies in [-R, R]"),
      field("rate", &LearnerSpec::rate, RealRange{1 / kHuge, kHuge},
            "eta, the learning rate; adaptive: set from the observations so far", "adaptive"),
      field("exploration", &LearnerSpec::exploration, RealRange{0, kHuge},
            "gamma, the implicit exploration; theory: the one of the learner's theorem", "theory"),
      field("threshold", &LearnerSpec::threshold, RealRange{0, 1},
            "eps: observations of smaller weight are ignored"),
      field("delta", &LearnerSpec::delta, RealRange{1, kHuge},
            "the power of the weight by which an observation is weighed"),
      field("tuning", &LearnerSpec::tuning, kTunings, "how an adaptive rate is set"),
      field("noise", &LearnerSpec::noise, kNoiseLevels,
            "known: `noise_bound` holds; learned: the level of the noise is learned, and "
            "`noise_bound` ignored"),
      field("switches", &LearnerSpec::switches, WholeRange{0, 1'000'000'000},
            "the expected number of changes of the best arm over all rounds"),
      field("order", &LearnerSpec::order, RealRange{0.01, 0.99},
            "the order of the Tsallis entropy"),
      field(
          "alpha", &LearnerSpec::alpha, RealRange{1, kHuge},
          "the independence number of the graph of perfect arcs (weight 1), which the learner must "
          "know; a value above the number of arms counts as the number of arms"),
      field("horizon", &LearnerSpec::horizon, WholeRange{1, 1'000'000'000'000},
            "T, the number of rounds, which the learner must know"),
      field("engine", &LearnerSpec::engine, kEngines, engines),
      outside_experiments(
          field("delay_rate", &LearnerSpec::delay_rate, kDelayRates,
                "how late feedback reduces the rate: not at all (none), by the cost of lateness so "
                "far (drift), or by the number of outstanding decisions (count)")),
      outside_experiments(field("out_of_range", &LearnerSpec::out_of_range, kOutOfRange,
                                "what to do with observations that the noise bound does not allow: "
                                "count or refuse them")),
      outside_experiments(field(
          "bounds", &LearnerSpec::bounds, kBounds,
          "the regret bounds to compute: only the designated one, or all; the lazy engine has "
          "only the designated one")),
      outside_experiments(field(
          "max_outstanding", &LearnerSpec::max_outstanding, WholeRange{.low = 1},
          "largest number of decisions that await feedback; beyond it the oldest is dropped")),
  };
  return table;
}

// A delay rate says how late feedback reduces an adaptive rate.
void LearnerSpec::check() const {
  if (delay_rate.value_or(DelayRate::none) == DelayRate::none) {
    return;
  }
  if (rate) {
    throw Error("delay_rate",
                "is given besides a rate, expected none: a given rate does not change");
  }
  if (engine == Engine::lazy) {
    throw Error("delay_rate", "is given, expected none: the lazy engine takes no late feedback");
  }
}

void write_spec(StateWriter& writer, const LearnerSpec& spec) {
  writer.add(std::string_view(spec.name));
  writer.add(std::uint64_t{spec.arms});
  const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
  writer.add(std::uint64_t{fields.size()});
  for (std::size_t i = 0; i < fields.size(); ++i) {
    writer.add(fields[i].name);
    write_field(writer, LearnerSpec::fields().get(spec, i));
  }
}

LearnerSpec read_spec(StateReader& reader) {
  LearnerSpec spec;
  spec.name = reader.text();
  spec.arms = reader.number();
  const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
  const std::uint64_t count = reader.number();
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::optional<std::size_t> index = field_index(fields, reader.text());
    reader.require(index.has_value(), "has an unknown parameter");
    const FieldValue value = read_field(reader);
    try {
      LearnerSpec::fields().set(spec, *index, value);
    } catch (const Error& error) {
      reader.fail(error.what());
    }
  }
  return spec;
}

}  // namespace hearsay
