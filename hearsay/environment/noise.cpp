#include "hearsay/environment/noise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "hearsay/error.h"
#include "hearsay/file/text.h"

namespace hearsay {
namespace {

// In the order of NoiseLaw.
constexpr std::array<CatalogueEntry, 4> kLaws = {{
    {"uniform", "uniform on [-R, R]", "docs/model.md"},
    {"rademacher", "-R or R, with equal chances: the largest variance of all", "docs/model.md"},
    {"truncated-gaussian", "Gaussian of standard deviation R/2, truncated to [-R, R]",
     "docs/model.md"},
    {"none", "no noise: an observation is weight x loss", "docs/model.md"},
}};

// Rejection: try again until it falls inside, each try with numbers of its own. One try in 22
// fails.
double truncated_normal(const Stream& stream, std::uint64_t round, Arm arm) {
  constexpr std::uint64_t kTriesApart = std::uint64_t{1} << 32U;
  double value = stream.normal(round, arm);
  for (std::uint64_t tries = 1; std::abs(value) > 2; ++tries) {
    value = stream.normal(round, arm + tries * kTriesApart);
  }
  return value / 2;
}

}  // namespace

double Noise::draw(const Stream& stream, std::uint64_t round, Arm arm) const {
  switch (law) {
    case NoiseLaw::uniform:
      return bound * (2 * stream.uniform(round, arm) - 1);
    case NoiseLaw::rademacher:
      return stream.uniform(round, arm) < 0.5 ? -bound : bound;
    case NoiseLaw::truncated_gaussian:
      return bound * truncated_normal(stream, round, arm);
    case NoiseLaw::none:
      break;
  }
  return 0;
}

std::span<const CatalogueEntry> noise_catalogue() {
  return kLaws;
}

Noise make_noise(std::string_view law, double bound) {
  const auto* const found = std::ranges::find(kLaws, law, &CatalogueEntry::name);
  if (found == kLaws.end()) {
    throw Error("noise", fmt::format("{} is not known, expected uniform, rademacher, "
                                     "truncated-gaussian or none",
                                     in_quotes(law)));
  }
  if (!(bound >= 0 && std::isfinite(bound))) {
    throw Error("noise_bound", fmt::format("is {}, expected a number >= 0", bound));
  }
  return {static_cast<NoiseLaw>(found - kLaws.begin()), bound};
}

void reveal(const Graph& graph, Arm played, std::span<const double> losses, const Noise& noise,
            const Stream& stream, std::uint64_t round, std::vector<Observation>& observations) {
  observations.clear();
  graph.for_each_seen(played, [&](Arm seen, double weight) {
    const double through = weight < 1 ? (1 - weight) * noise.draw(stream, round, seen) : 0.0;
    observations.push_back({seen, weight * losses[seen] + through});
  });
}

}  // namespace hearsay
