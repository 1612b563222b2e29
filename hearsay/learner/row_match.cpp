#include "hearsay/learner/row_match.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

// Highway compiles the rest of this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/learner/row_match.cpp"
#include <hwy/foreach_target.h>
// This include must come after foreach_target.h.
#include <hwy/highway.h>

#include "hearsay/learner/observations.h"

// The vectors below read an observation as two numbers of 64 bits: the arm with its padding, and
// the value.
static_assert(sizeof(hearsay::Observation) == 16 && sizeof(hearsay::Arm) == 4);
static_assert(offsetof(hearsay::Observation, arm) == 0);
static_assert(offsetof(hearsay::Observation, value) == 8);

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Reals = hn::CappedTag<double, 8>;
using Whole = hn::RebindToUnsigned<Reals>;

// The arms of observations, of which 32 bits of 64 are padding.
HWY_INLINE hn::Vec<Whole> without_padding(hn::Vec<Whole> arms) {
  if constexpr (std::endian::native == std::endian::little) {
    return hn::And(arms, hn::Set(Whole(), 0xffff'ffffU));
  } else {
    return hn::ShiftRight<32>(arms);
  }
}

HWY_INLINE hn::Vec<Whole> arms_of_row(const Arm* arms, std::size_t first) {
  const Whole whole;
  return arms == nullptr ? hn::Iota(whole, first)
                         : hn::PromoteTo(whole, hn::LoadU(hn::Rebind<Arm, Whole>(), arms + first));
}

// The limits are computed as ObservationRange computes them, so that the bits are the same. `arms`
// may be null. `count` is at least the number of lanes.
bool match_row(const Observation* observations, const double* weights, const Arm* arms,
               std::size_t count, double noise_bound) {
  const Reals d;
  const Whole whole;
  const auto bound = hn::Set(d, noise_bound);
  const auto slack = hn::Set(d, range_slack(noise_bound));
  auto good = hn::Eq(bound, bound);
  const std::size_t last = count - hn::Lanes(d);
  for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
    const std::size_t first = std::min(k, last);  // the last vector may overlap the one before it
    hn::Vec<Whole> arm;
    hn::Vec<Whole> bits;
    hn::LoadInterleaved2(whole, reinterpret_cast<const std::uint64_t*>(observations + first), arm,
                         bits);
    const auto value = hn::BitCast(d, bits);
    const auto weight = hn::LoadU(d, weights + first);
    const auto reach = hn::Mul(hn::Sub(hn::Set(d, 1.0), weight), bound);
    const auto low = hn::Sub(hn::Neg(reach), slack);
    const auto high = hn::Add(hn::Add(weight, reach), slack);
    const auto in_range = hn::And(hn::Ge(value, low), hn::Le(value, high));
    const auto same_arm = hn::Eq(without_padding(arm), arms_of_row(arms, first));
    good = hn::And(good, hn::And(in_range, hn::RebindMask(d, same_arm)));
  }
  return hn::AllTrue(d, good);
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay {

HWY_EXPORT(match_row);

bool observations_match_row(std::span<const Observation> observations,
                            std::span<const double> weights, std::span<const Arm> arms,
                            double noise_bound) {
  if (observations.size() != weights.size()) {
    return false;
  }
  constexpr std::size_t kMostLanes = 8;
  if (weights.size() >= kMostLanes) {
    return HWY_DYNAMIC_DISPATCH(match_row)(observations.data(), weights.data(),
                                           arms.empty() ? nullptr : arms.data(), weights.size(),
                                           noise_bound);
  }
  bool good = true;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto [arm, value] = observations[k];
    good &= arm == (arms.empty() ? static_cast<Arm>(k) : arms[k]);
    good &= ObservationRange(weights[k], noise_bound).contains(value);
  }
  return good;
}

}  // namespace hearsay
#endif
