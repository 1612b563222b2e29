#include "hearsay/environment/noise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

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

bool is_of_one_uniform(NoiseLaw law) {
  return law == NoiseLaw::uniform || law == NoiseLaw::rademacher;
}

double of_uniform(const Noise& noise, double uniform) {
  if (noise.law == NoiseLaw::uniform) {
    return noise.bound * (2 * uniform - 1);
  }
  return uniform < 0.5 ? -noise.bound : noise.bound;
}

Observation seen_through(double weight, Arm arm, double loss, double noise) {
  return {arm, weight * loss + (weight < 1 ? (1 - weight) * noise : 0.0)};
}

}  // namespace

double Noise::draw(const Stream& stream, std::uint64_t round, Arm arm) const {
  switch (law) {
    case NoiseLaw::uniform:
    case NoiseLaw::rademacher:
      return of_uniform(*this, stream.uniform(round, arm));
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
  if (!graph.is_dense() || !is_of_one_uniform(noise.law)) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      const double drawn = weight < 1 ? noise.draw(stream, round, seen) : 0.0;
      observations.push_back(seen_through(weight, seen, losses[seen], drawn));
    });
    return;
  }
  // Numbers for all arms at once cost less than one by one for those seen through noise, if there
  // are any.
  std::array<double, 64> uniform{};
  for (std::size_t begin = 0; begin < losses.size(); begin += uniform.size()) {
    const std::size_t count = std::min(uniform.size(), losses.size() - begin);
    const std::span<const double> weights = graph.weights().row(played).subspan(begin, count);
    if (std::ranges::any_of(weights, [](double weight) { return weight > 0 && weight < 1; })) {
      stream.fill_uniform(round, std::span(uniform).first(count), begin);
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (weights[k] > 0) {
        observations.push_back(seen_through(weights[k], static_cast<Arm>(begin + k),
                                            losses[begin + k], of_uniform(noise, uniform[k])));
      }
    }
  }
}

}  // namespace hearsay
