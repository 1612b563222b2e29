#include "hearsay/environment/noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay {
namespace {

// --- The laws, each at bound 1 -----------------------------------------------------------------
// A law has kLaw, kEntry, kLargest and draw(). A law that is a function of a single uniform number
// has from_uniform() too, so that the noise of many arms can be drawn at once.

struct UniformLaw {
  static constexpr NoiseLaw kLaw = NoiseLaw::uniform;
  static constexpr CatalogueEntry kEntry = {"uniform", "uniform on [-R, R]", "docs/model.md"};
  static constexpr double kLargest = 1;
  static double from_uniform(double uniform) { return 2 * uniform - 1; }
  static double draw(const Stream& stream, std::uint64_t round, Arm arm) {
    return from_uniform(stream.uniform(round, arm));
  }
};

struct Rademacher {
  static constexpr NoiseLaw kLaw = NoiseLaw::rademacher;
  static constexpr CatalogueEntry kEntry = {
      "rademacher", "-R or R with probability 1/2 each, the largest possible variance",
      "docs/model.md"};
  static constexpr double kLargest = 1;
  static double from_uniform(double uniform) { return uniform < 0.5 ? -1 : 1; }
  static double draw(const Stream& stream, std::uint64_t round, Arm arm) {
    return from_uniform(stream.uniform(round, arm));
  }
};

struct TruncatedGaussian {
  static constexpr NoiseLaw kLaw = NoiseLaw::truncated_gaussian;
  static constexpr CatalogueEntry kEntry = {
      "truncated-gaussian", "Gaussian with standard deviation R/2, truncated to [-R, R]",
      "docs/model.md"};
  static constexpr double kLargest = 1;
  // Rejection sampling: each attempt has its own random numbers, and one in 22 is rejected.
  static double draw(const Stream& stream, std::uint64_t round, Arm arm) {
    constexpr std::uint64_t kBetweenAttempts = std::uint64_t{1} << 32U;
    double value = stream.normal(round, arm);
    for (std::uint64_t attempt = 1; std::abs(value) > 2; ++attempt) {
      value = stream.normal(round, arm + attempt * kBetweenAttempts);
    }
    return value / 2;
  }
};

struct NoNoise {
  static constexpr NoiseLaw kLaw = NoiseLaw::none;
  static constexpr CatalogueEntry kEntry = {"none", "no noise: an observation is weight x loss",
                                            "docs/model.md"};
  static constexpr double kLargest = 0;
  static double draw(const Stream& /*stream*/, std::uint64_t /*round*/, Arm /*arm*/) { return 0; }
};

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Each normal number of a draw has a different index.
double normal(const Stream& stream, std::uint64_t round, Arm arm, std::uint64_t k) {
  return stream.normal(round, arm + (k << 32U));
}

struct Gaussian {
  static constexpr NoiseLaw kLaw = NoiseLaw::gaussian;
  static constexpr CatalogueEntry kEntry = {
      "gaussian",
      "Gaussian with standard deviation R: unbounded, so learners that need a noise "
      "bound have no certificate from the first observation out of range on",
      "docs/model.md"};
  static constexpr double kLargest = kInfinite;
  static double draw(const Stream& stream, std::uint64_t round, Arm arm) {
    return normal(stream, round, arm, 0);
  }
};

struct Student {
  static constexpr NoiseLaw kLaw = NoiseLaw::student;
  static constexpr CatalogueEntry kEntry = {
      "student", "R times Student's t with 3 degrees of freedom: unbounded, with heavy tails",
      "docs/model.md"};
  static constexpr double kLargest = kInfinite;
  static double draw(const Stream& stream, std::uint64_t round, Arm arm) {
    double squares = 0;
    for (std::uint64_t k = 1; k <= 3; ++k) {
      const double value = normal(stream, round, arm, k);
      squares += value * value;
    }
    return normal(stream, round, arm, 0) / std::sqrt(squares / 3);
  }
};

// --- The observations of a round ---------------------------------------------------------------

struct Play {
  const Graph& graph;
  Arm played;
  std::span<const double> losses;
  double bound;
  const Stream& stream;
  std::uint64_t round;
};

Observation observation(double weight, Arm arm, double loss, double noise) {
  return {arm, weight * loss + (weight < 1 ? (1 - weight) * noise : 0.0)};
}

// Draws a uniform number for every arm, in blocks. This costs less than single draws for only those
// arms whose observations have noise.
template <class Law>
void reveal_dense(const Play& play, std::vector<Observation>& observations) {
  std::array<double, 64> uniform{};
  for (std::size_t begin = 0; begin < play.losses.size(); begin += uniform.size()) {
    const std::size_t count = std::min(uniform.size(), play.losses.size() - begin);
    const std::span<const double> weights =
        play.graph.weights().row(play.played).subspan(begin, count);
    if (std::ranges::any_of(weights, [](double weight) { return weight > 0 && weight < 1; })) {
      play.stream.fill_uniform(play.round, std::span(uniform).first(count), begin);
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (weights[k] > 0) {
        observations.push_back(observation(weights[k], static_cast<Arm>(begin + k),
                                           play.losses[begin + k],
                                           play.bound * Law::from_uniform(uniform[k])));
      }
    }
  }
}

template <class Law>
void reveal_with_law(const Play& play, std::vector<Observation>& observations) {
  if constexpr (requires { Law::from_uniform(0.0); }) {
    if (play.graph.is_dense()) {
      reveal_dense<Law>(play, observations);
      return;
    }
  }
  play.graph.for_each_seen(play.played, [&](Arm seen, double weight) {
    const double noise = weight < 1 ? play.bound * Law::draw(play.stream, play.round, seen) : 0.0;
    observations.push_back(observation(weight, seen, play.losses[seen], noise));
  });
}

// --- The table ---------------------------------------------------------------------------------

struct LawRow {
  NoiseLaw law = {};
  CatalogueEntry entry;
  double largest = 0;
  double (*draw)(const Stream&, std::uint64_t, Arm) = nullptr;
  void (*reveal)(const Play&, std::vector<Observation>&) = nullptr;
};

template <class Law>
constexpr LawRow row() {
  return {Law::kLaw, Law::kEntry, Law::kLargest, Law::draw, reveal_with_law<Law>};
}

// The rows are in the order of NoiseLaw.
constexpr std::array kLaws = {row<UniformLaw>(), row<Rademacher>(), row<TruncatedGaussian>(),
                              row<NoNoise>(),    row<Gaussian>(),   row<Student>()};

constexpr auto kEntries = [] {
  std::array<CatalogueEntry, kLaws.size()> entries;
  std::ranges::transform(kLaws, entries.begin(), &LawRow::entry);
  return entries;
}();

constexpr auto kNames = [] {
  std::array<std::string_view, kLaws.size()> names;
  std::ranges::transform(kEntries, names.begin(), &CatalogueEntry::name);
  return names;
}();

static_assert(names_all(kNames, NoiseLaw::student), "expected a row for each law");
static_assert(std::ranges::adjacent_find(kLaws, std::ranges::greater_equal(), &LawRow::law) ==
                  kLaws.end(),
              "expected the rows in the order of NoiseLaw");

const LawRow& row_of(NoiseLaw law) {
  return kLaws[static_cast<std::size_t>(law)];
}

}  // namespace

const FieldTable<Noise>& Noise::fields() {
  static const FieldTable<Noise> table = {
      field("noise", &Noise::law, kNames, "the law of the noise"),
      field("noise_bound", &Noise::bound, RealRange{0, 1e100},
            "R: noise lies in [-R, R]; for an unbounded law, its scale"),
  };
  return table;
}

double Noise::draw(const Stream& stream, std::uint64_t round, Arm arm) const {
  return bound * row_of(law).draw(stream, round, arm);
}

double Noise::largest() const {
  return bound > 0 ? bound * row_of(law).largest : 0;
}

std::span<const CatalogueEntry> noise_catalogue() {
  return kEntries;
}

Noise make_noise(std::string_view law, double bound) {
  Noise noise;
  Noise::fields().set(noise, 0, std::string(law));
  Noise::fields().set(noise, 1, bound);
  return noise;
}

void reveal(const Graph& graph, Arm played, std::span<const double> losses, const Noise& noise,
            const Stream& stream, std::uint64_t round, std::vector<Observation>& observations) {
  observations.clear();
  row_of(noise.law).reveal({graph, played, losses, noise.bound, stream, round}, observations);
}

}  // namespace hearsay
