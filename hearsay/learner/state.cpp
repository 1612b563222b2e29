#include "hearsay/learner/state.h"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "hearsay/error.h"

namespace hearsay {
namespace {

constexpr std::string_view kMark = "hearsay learner\n";
constexpr std::uint64_t kFormatVersion = 1;
constexpr std::size_t kNumberBytes = 8;

// FNV-1a: enough against a damaged disk or a cut file; it is no signature.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return hash;
}

[[noreturn]] void damaged(std::string_view what) {
  throw Error("learner state", fmt::format("{}, expected what save() wrote", what));
}

}  // namespace

StateWriter::StateWriter() : bytes_(kMark) {
  add(kFormatVersion);
}

StateWriter::StateWriter(std::string bytes) : bytes_(std::move(bytes)) {}

void StateWriter::add(std::uint64_t value) {
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    bytes_.push_back(static_cast<char>(value >> (8 * i) & 0xffU));
  }
}

void StateWriter::add(double value) {
  add(std::bit_cast<std::uint64_t>(value));
}

void StateWriter::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  bytes_.append(text);
}

std::string StateWriter::finish() {
  add(checksum(bytes_));
  return std::move(bytes_);
}

std::string with_right_checksum(std::string state) {
  state.resize(state.size() < kNumberBytes ? 0 : state.size() - kNumberBytes);
  StateWriter writer(std::move(state));
  return writer.finish();
}

StateReader::StateReader(std::string_view state) : rest_(state) {
  if (take(kMark.size()) != kMark) {
    damaged("does not begin as one");
  }
  const std::uint64_t version = number();
  if (version > kFormatVersion) {
    throw Error("learner state",
                fmt::format("is of version {}, expected at most {}: it needs a newer "
                            "hearsay",
                            version, kFormatVersion));
  }
  if (version == 0 || rest_.size() < kNumberBytes) {
    damaged("is cut short");
  }
  const std::string_view body = state.substr(0, state.size() - kNumberBytes);
  StateReader tail = *this;
  tail.rest_ = state.substr(body.size());
  if (tail.number() != checksum(body)) {
    damaged("is damaged (its checksum differs)");
  }
  rest_.remove_suffix(kNumberBytes);
}

std::string_view StateReader::take(std::size_t bytes) {
  if (bytes > rest_.size()) {
    damaged("is cut short");
  }
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

std::uint64_t StateReader::number() {
  const std::string_view bytes = take(kNumberBytes);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

double StateReader::real() {
  return std::bit_cast<double>(number());
}

std::string StateReader::text() {
  return std::string(take(number()));
}

std::size_t StateReader::count(std::size_t bytes_each) {
  const std::uint64_t value = number();
  require_room(value, bytes_each);
  return value;
}

void StateReader::require_room(std::uint64_t things, std::size_t bytes_each) const {
  if (things > rest_.size() / bytes_each) {
    damaged("is cut short");
  }
}

void StateReader::finish() const {
  if (!rest_.empty()) {
    damaged("is too long");
  }
}

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
  if ((tuning > 1 && tuning != kNoTuning) || out_of_range > 1 || engine > 2) {
    damaged("has an unknown tuning or engine");
  }
  if (tuning != kNoTuning) {
    spec.tuning = static_cast<Tuning>(tuning);
  }
  spec.out_of_range = static_cast<OutOfRange>(out_of_range);
  spec.engine = static_cast<Engine>(engine);
  spec.max_outstanding = reader.number();
  return spec;
}

}  // namespace hearsay
