#pragma once

// Noise, and the one place where it enters: what playing an arm shows.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/fields.h"
#include "hearsay/graph/feedback.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// Laws of mean 0 on [-bound, bound]. noise.cpp has a row for each.
enum class NoiseLaw : std::uint8_t {
  uniform,
  rademacher,          // -bound or bound
  truncated_gaussian,  // of standard deviation bound / 2 before truncation at the bound
  none,
};

struct Noise {
  NoiseLaw law = NoiseLaw::uniform;
  double bound = 1;  // R

  // The noise of `arm` in `round`.
  double draw(const Stream& stream, std::uint64_t round, Arm arm) const;

  // The largest absolute value that a draw can have.
  double largest() const;

  static const FieldTable<Noise>& fields();
};

// By the names that `hearsay list` and experiment files use. Throws Error for another name, or a
// bound that is negative or not a number.
Noise make_noise(std::string_view law, double bound);

// In the order of NoiseLaw.
std::span<const CatalogueEntry> noise_catalogue();

// What playing `played` shows: an observation for every arm of positive weight.
void reveal(const Graph& graph, Arm played, std::span<const double> losses, const Noise& noise,
            const Stream& stream, std::uint64_t round, std::vector<Observation>& observations);

}  // namespace hearsay
