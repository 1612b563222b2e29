#pragma once

// The laws of the noise, and reveal(), which makes the observations of a round. Noise is added
// nowhere else.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/fields.h"
#include "hearsay/graph/feedback.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// Laws with mean 0, on [-bound, bound] unless they are unbounded. noise.cpp has a row for each.
enum class NoiseLaw : std::uint8_t {
  uniform,
  rademacher,          // -bound or bound
  truncated_gaussian,  // standard deviation bound / 2 before truncation to [-bound, bound]
  none,
  gaussian,  // standard deviation bound; unbounded
  student,   // bound * Student's t with 3 degrees of freedom, of variance 3 bound^2; unbounded
};

struct Noise {
  NoiseLaw law = NoiseLaw::uniform;
  double bound = 1;  // R, or the scale of an unbounded law

  // The noise of `arm` in `round`.
  double draw(const Stream& stream, std::uint64_t round, Arm arm) const;

  // The largest absolute value that a draw can have; infinite if the law is unbounded.
  double largest() const;

  static const FieldTable<Noise>& fields();
};

// `law` is a name that `hearsay list` shows. Throws Error if the name is unknown, or if the bound
// is not in [0, 1e100].
Noise make_noise(std::string_view law, double bound);

// The laws in the order of NoiseLaw.
std::span<const CatalogueEntry> noise_catalogue();

// Sets `observations` to those that playing `played` gives: one for every arm of positive weight.
void reveal(const Graph& graph, Arm played, std::span<const double> losses, const Noise& noise,
            const Stream& stream, std::uint64_t round, std::vector<Observation>& observations);

}  // namespace hearsay
