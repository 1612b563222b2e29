#include "hearsay/base/state.h"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/little_endian.h"

namespace hearsay {
namespace {

constexpr std::uint64_t kFormatVersion = 6;
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kChecksumBytes = 2 * kNumberBytes;

std::string header(std::string_view subject) {
  return fmt::format("hearsay {}\n", subject);
}

}  // namespace

StateWriter::StateWriter(std::string_view subject) : bytes_(header(subject)) {
  add(kFormatVersion);
}

void StateWriter::add(std::uint64_t value) {
  note_work(1);
  append_little_endian(bytes_, value);
}

void StateWriter::add(double value) {
  add(std::bit_cast<std::uint64_t>(value));
}

void StateWriter::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  note_work(text.size());
  bytes_.append(text);
}

std::string StateWriter::finish() {
  const Checksum sum = checksum(bytes_);
  add(sum.high);
  add(sum.low);
  return std::move(bytes_);
}

StateReader::StateReader(std::string_view state, std::string_view subject)
    : place_(fmt::format("{} state", subject)), rest_(state) {
  const std::string expected = header(subject);
  if (take(expected.size()) != expected) {
    fail(fmt::format("does not begin with \"hearsay {}\"", subject));
  }
  const std::uint64_t version = number();
  if (version > kFormatVersion) {
    throw Error(place_, fmt::format("has format version {}, expected at most {}: it was written by "
                                    "a newer hearsay",
                                    version, kFormatVersion));
  }
  if (version < kFormatVersion) {
    throw Error(place_,
                fmt::format("has format version {}, expected {}: it was written by an older "
                            "hearsay",
                            version, kFormatVersion));
  }
  require(rest_.size() >= kChecksumBytes, "is cut short");
  const std::string_view body = state.substr(0, state.size() - kChecksumBytes);
  StateReader tail = *this;
  tail.rest_ = state.substr(body.size());
  const Checksum written{tail.number(), tail.number()};
  require(written == checksum(body), "is damaged (its checksum does not match)");
  rest_.remove_suffix(kChecksumBytes);
}

void StateReader::fail(std::string_view what) const {
  throw Error(place_, fmt::format("{}, expected the bytes that save() wrote", what));
}

void StateReader::require(bool holds, std::string_view what) const {
  if (!holds) {
    fail(what);
  }
}

std::string_view StateReader::take(std::size_t bytes) {
  note_work(1);
  require(bytes <= rest_.size(), "is cut short");
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

std::uint64_t StateReader::number() {
  return little_endian<std::uint64_t>(take(kNumberBytes).data());
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

void StateReader::require_room(std::uint64_t elements, std::size_t bytes_each) const {
  require(elements <= rest_.size() / bytes_each, "is cut short");
}

void StateReader::finish() const {
  require(rest_.empty(), "is too long");
}

}  // namespace hearsay
