#include "hearsay/learner/spec.h"

#include "hearsay/base/state.h"

namespace hearsay {
namespace {

void write_option(StateWriter& writer, const std::optional<double>& option) {
  writer.add(std::uint64_t{option ? 1U : 0U});
  writer.add(option.value_or(0.0));
}

std::optional<double> read_option(StateReader& reader) {
  const bool given = reader.number() != 0;
  const double value = reader.real();
  return given ? std::optional(value) : std::nullopt;
}

constexpr std::uint64_t kNoTuning = ~std::uint64_t{0};

}  // namespace

void write_spec(StateWriter& writer, const LearnerSpec& spec) {
  writer.add(std::string_view(spec.name));
  writer.add(std::uint64_t{spec.arms});
  writer.add(spec.noise_bound);
  write_option(writer, spec.rate);
  write_option(writer, spec.exploration);
  write_option(writer, spec.threshold);
  write_option(writer, spec.delta);
  writer.add(spec.tuning ? static_cast<std::uint64_t>(*spec.tuning) : kNoTuning);
  writer.add(static_cast<std::uint64_t>(spec.out_of_range));
  writer.add(static_cast<std::uint64_t>(spec.engine));
  writer.add(std::uint64_t{spec.max_outstanding});
}

LearnerSpec read_spec(StateReader& reader) {
  LearnerSpec spec;
  spec.name = reader.text();
  spec.arms = reader.number();
  spec.noise_bound = reader.real();
  spec.rate = read_option(reader);
  spec.exploration = read_option(reader);
  spec.threshold = read_option(reader);
  spec.delta = read_option(reader);
  const std::uint64_t tuning = reader.number();
  const std::uint64_t out_of_range = reader.number();
  const std::uint64_t engine = reader.number();
  reader.require((tuning <= 1 || tuning == kNoTuning) && out_of_range <= 1 && engine <= 2,
                 "has an unknown tuning or engine");
  if (tuning != kNoTuning) {
    spec.tuning = static_cast<Tuning>(tuning);
  }
  spec.out_of_range = static_cast<OutOfRange>(out_of_range);
  spec.engine = static_cast<Engine>(engine);
  spec.max_outstanding = reader.number();
  return spec;
}

}  // namespace hearsay
