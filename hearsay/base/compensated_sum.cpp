#include "hearsay/base/compensated_sum.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace hearsay {
namespace {

// Folds value(0) ... value(size - 1) into four results in turn, so that no step waits for the one
// before it. The order must not matter to `fold`.
template <class Value, class Fold>
double fold_in_any_order(std::size_t size, double start, Value value, Fold fold) {
  std::array<double, 4> folded{start, start, start, start};
  std::size_t i = 0;
  for (; i + folded.size() <= size; i += folded.size()) {
    for (std::size_t k = 0; k < folded.size(); ++k) {
      folded[k] = fold(folded[k], value(i + k));
    }
  }
  for (; i < size; ++i) {
    folded[0] = fold(folded[0], value(i));
  }
  return fold(fold(folded[0], folded[1]), fold(folded[2], folded[3]));
}

}  // namespace

void CompensatedSums::set(std::size_t i, const CompensatedSum& sum) {
  rounded_[i] = sum.rounded();
  error_[i] = sum.error();
}

void CompensatedSums::add(std::span<const double> terms) {
  assert(terms.size() == size());
  double* rounded = rounded_.data();
  double* error = error_.data();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    CompensatedSum sum(rounded[i], error[i]);
    sum.add(terms[i]);
    rounded[i] = sum.rounded();
    error[i] = sum.error();
  }
}

bool CompensatedSums::can_add(std::span<const double> terms, double limit) const {
  assert(terms.size() == size());
  // A comparison with NaN is false, so a sum that would be NaN counts as too large.
  const double too_large = fold_in_any_order(
      size(), 0.0,
      [&](std::size_t i) { return std::abs(rounded_[i] + terms[i]) < limit ? 0.0 : 1.0; },
      std::plus<>());
  return too_large == 0;
}

CompensatedSum CompensatedSums::smallest() const {
  assert(size() > 0);
  const auto value = [&](std::size_t i) { return rounded_[i] + error_[i]; };
  const double least =
      fold_in_any_order(size(), value(0), value, [](double a, double b) { return b < a ? b : a; });
  std::size_t i = 0;
  while (value(i) != least) {
    ++i;
  }
  return (*this)[i];
}

void CompensatedSums::scaled_above(const CompensatedSum& reference, double factor,
                                   std::span<double> out) const {
  assert(out.size() == size());
  const double* rounded = rounded_.data();
  const double* error = error_.data();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = factor * CompensatedSum(rounded[i], error[i]).minus(reference);
  }
}

void write_sum(StateWriter& writer, const CompensatedSum& sum) {
  writer.add(sum.rounded());
  writer.add(sum.error());
}

CompensatedSum read_sum(StateReader& reader) {
  const double rounded = read_finite(reader);
  return {rounded, read_finite(reader)};
}

void write_sums(StateWriter& writer, const CompensatedSums& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    write_sum(writer, sums[i]);
  }
}

void read_sums(StateReader& reader, CompensatedSums& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums.set(i, read_sum(reader));
  }
}

void write_numbers(StateWriter& writer, std::span<const double> numbers) {
  writer.add(std::uint64_t{numbers.size()});
  for (const double number : numbers) {
    writer.add(number);
  }
}

std::vector<double> read_numbers(StateReader& reader) {
  std::vector<double> numbers(reader.count(sizeof(double)));
  std::ranges::generate(numbers, [&] { return read_finite(reader); });
  return numbers;
}

double read_finite(StateReader& reader) {
  const double value = reader.real();
  if (!(std::abs(value) < kLargestSum)) {
    reader.fail(fmt::format("has the number {}", value));
  }
  return value;
}

}  // namespace hearsay
