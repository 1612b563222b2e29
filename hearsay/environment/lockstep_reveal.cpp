#include "hearsay/environment/lockstep_reveal.h"

#include <algorithm>
#include <cassert>

#include "hearsay/simd/philox.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/environment/lockstep_reveal.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Reals = hn::CappedTag<double, 8>;
using Whole = hn::RebindToSigned<Reals>;

// `observations` holds what `to_noise` makes noise of, and then what is seen. A weight of 1 lets no
// noise through: 0 times it adds nothing.
template <class ToNoise>
HWY_INLINE void show(const double* weights, const std::array<Arm, kLanes>& played,
                     std::span<const double> losses, std::span<Lanes> observations,
                     ToNoise to_noise) {
  const Reals d;
  const auto one = hn::Set(d, 1);
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    HWY_ALIGN std::array<std::int64_t, 8> begins{};
    for (std::size_t k = 0; k < hn::Lanes(d); ++k) {
      begins[k] = static_cast<std::int64_t>(played[lane + k] * losses.size());
    }
    const auto rows = hn::Load(Whole(), begins.data());
    for (std::size_t i = 0; i < losses.size(); ++i) {
      double* place = observations[i].data() + lane;
      const auto weight = hn::GatherIndex(d, weights + i, rows);
      const auto through = hn::Mul(hn::Sub(one, weight), to_noise(hn::Load(d, place)));
      hn::Store(hn::Add(hn::Mul(weight, hn::Set(d, losses[i])), through), d, place);
    }
  }
}

// From uniform numbers on [0, 1).
void show_uniform(const double* weights, const std::array<Arm, kLanes>& played,
                  std::span<const double> losses, double bound, std::span<Lanes> observations) {
  const Reals d;
  show(weights, played, losses, observations, [&](auto u) {
    return hn::Mul(hn::Set(d, bound), hn::Sub(hn::Mul(hn::Set(d, 2), u), hn::Set(d, 1)));
  });
}

void show_rademacher(const double* weights, const std::array<Arm, kLanes>& played,
                     std::span<const double> losses, double bound, std::span<Lanes> observations) {
  const Reals d;
  show(weights, played, losses, observations, [&](auto u) {
    return hn::IfThenElse(hn::Lt(u, hn::Set(d, 0.5)), hn::Set(d, -bound), hn::Set(d, bound));
  });
}

// From the noise itself.
void show_as_is(const double* weights, const std::array<Arm, kLanes>& played,
                std::span<const double> losses, std::span<Lanes> observations) {
  show(weights, played, losses, observations, [](auto noise) { return noise; });
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay {

HWY_EXPORT(show_uniform);
HWY_EXPORT(show_rademacher);
HWY_EXPORT(show_as_is);

void reveal(const Graph& graph, const std::array<Arm, kLanes>& played,
            std::span<const double> losses, const Noise& noise,
            std::span<const Stream, kLanes> streams, std::uint64_t round,
            std::span<Lanes> observations) {
  assert(graph.is_dense() && losses.size() == graph.arms() && observations.size() == losses.size());
  const double* weights = graph.weights().values().data();
  const auto draw_uniforms = [&] {
    std::array<std::uint64_t, kLanes> keys{};
    std::ranges::transform(streams, keys.begin(), &Stream::key);
    philox::uniforms(keys, round, observations);
  };
  switch (noise.law) {
    case NoiseLaw::uniform:
      draw_uniforms();
      HWY_DYNAMIC_DISPATCH(show_uniform)(weights, played, losses, noise.bound, observations);
      return;
    case NoiseLaw::rademacher:
      draw_uniforms();
      HWY_DYNAMIC_DISPATCH(show_rademacher)(weights, played, losses, noise.bound, observations);
      return;
    default:  // laws without a vector form of their own
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        for (std::size_t arm = 0; arm < losses.size(); ++arm) {
          observations[arm][lane] = graph.weight(played[lane], static_cast<Arm>(arm)) < 1
                                        ? noise.draw(streams[lane], round, static_cast<Arm>(arm))
                                        : 0;
        }
      }
      HWY_DYNAMIC_DISPATCH(show_as_is)(weights, played, losses, observations);
      return;
  }
}

}  // namespace hearsay
#endif
