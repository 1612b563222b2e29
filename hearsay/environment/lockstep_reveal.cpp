#include "hearsay/environment/lockstep_reveal.h"

#include <algorithm>
#include <cassert>

#include "hearsay/simd/philox.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/environment/lockstep_reveal.cpp"
#include <hwy/foreach_target.h>
// This include must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Reals = hn::CappedTag<double, 8>;

// On entry `observations` has the random numbers that to_noise() converts to noise; on return it
// has the observations. If the weight is 1, the noise is multiplied by 0.
template <class ToNoise>
HWY_INLINE void combine(std::span<const Lanes> weights, std::span<const double> losses,
                        std::span<Lanes> observations, ToNoise to_noise) {
  const Reals d;
  const auto one = hn::Set(d, 1);
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    for (std::size_t i = 0; i < losses.size(); ++i) {
      double* place = observations[i].data() + lane;
      const auto weight = hn::Load(d, weights[i].data() + lane);
      const auto noise = hn::Mul(hn::Sub(one, weight), to_noise(hn::Load(d, place)));
      hn::Store(hn::Add(hn::Mul(weight, hn::Set(d, losses[i])), noise), d, place);
    }
  }
}

// These two expect uniform numbers on [0, 1) in `observations`.
void reveal_uniform(std::span<const Lanes> weights, std::span<const double> losses, double bound,
                    std::span<Lanes> observations) {
  const Reals d;
  combine(weights, losses, observations, [&](auto u) {
    return hn::Mul(hn::Set(d, bound), hn::Sub(hn::Mul(hn::Set(d, 2), u), hn::Set(d, 1)));
  });
}

void reveal_rademacher(std::span<const Lanes> weights, std::span<const double> losses, double bound,
                       std::span<Lanes> observations) {
  const Reals d;
  combine(weights, losses, observations, [&](auto u) {
    return hn::IfThenElse(hn::Lt(u, hn::Set(d, 0.5)), hn::Set(d, -bound), hn::Set(d, bound));
  });
}

// Expects the noise itself in `observations`.
void reveal_given_noise(std::span<const Lanes> weights, std::span<const double> losses,
                        std::span<Lanes> observations) {
  combine(weights, losses, observations, [](auto noise) { return noise; });
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay {

HWY_EXPORT(reveal_uniform);
HWY_EXPORT(reveal_rademacher);
HWY_EXPORT(reveal_given_noise);

void reveal(const Graph& graph, const std::array<Arm, kLanes>& played,
            std::span<const double> losses, const Noise& noise,
            std::span<const Stream, kLanes> streams, std::uint64_t round, std::span<Lanes> weights,
            std::span<Lanes> observations) {
  assert(graph.is_dense() && losses.size() == graph.arms() && weights.size() == losses.size() &&
         observations.size() == losses.size());
  copy_rows(graph.weights().values(), played, weights);
  const auto draw_uniforms = [&] {
    std::array<std::uint64_t, kLanes> keys{};
    std::ranges::transform(streams, keys.begin(), &Stream::key);
    philox::uniforms(keys, round, observations);
  };
  switch (noise.law) {
    case NoiseLaw::uniform:
      draw_uniforms();
      HWY_DYNAMIC_DISPATCH(reveal_uniform)(weights, losses, noise.bound, observations);
      return;
    case NoiseLaw::rademacher:
      draw_uniforms();
      HWY_DYNAMIC_DISPATCH(reveal_rademacher)(weights, losses, noise.bound, observations);
      return;
    default:  // laws that have no vector implementation
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        for (std::size_t arm = 0; arm < losses.size(); ++arm) {
          observations[arm][lane] =
              weights[arm][lane] < 1 ? noise.draw(streams[lane], round, static_cast<Arm>(arm)) : 0;
        }
      }
      HWY_DYNAMIC_DISPATCH(reveal_given_noise)(weights, losses, observations);
      return;
  }
}

}  // namespace hearsay
#endif
