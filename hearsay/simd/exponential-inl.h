// The vector function behind exponentials(), for kernels in other files. Highway's foreach_target.h
// includes this file once for each target, so the include guard toggles.
#if defined(HEARSAY_SIMD_EXPONENTIAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEARSAY_SIMD_EXPONENTIAL_INL_H
#undef HEARSAY_SIMD_EXPONENTIAL_INL_H
#else
#define HEARSAY_SIMD_EXPONENTIAL_INL_H
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "hearsay/simd/exponential.h"

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

// Writes x = k log 2 + r with |r| <= log(2) / 2, so that e^x = 2^k e^r. Every product and sum is
// rounded separately, never fused, so that all targets agree to the bit.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V exponential(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToUnsigned<D> bits;
  const auto c = [&](double value) { return hn::Set(d, value); };

  const auto in_range = hn::Ge(x, c(-690));
  x = hn::Min(hn::Max(x, c(-690)), c(kLargestExponentialArgument));
  // Adding 1.5 * 2^52 rounds to a whole number, whose bits are then the lowest bits of the sum.
  const V shifted = hn::Add(hn::Mul(x, c(0x1.71547652b82fep+0)), c(0x1.8p52));
  const V k = hn::Sub(shifted, c(0x1.8p52));
  // log 2 is split in two parts. The first has 42 bits, so its product with k is exact.
  V r = hn::Sub(x, hn::Mul(k, c(0x1.62e42fefa38p-1)));
  r = hn::Sub(r, hn::Mul(k, c(0x1.ef35793c76730p-45)));

  // e^r = 1 + r + r^2 P(r), where P interpolates at Chebyshev nodes with an error below 2e-17.
  const V r2 = hn::Mul(r, r);
  const V r4 = hn::Mul(r2, r2);
  const auto pair = [&](double low, double high) { return hn::Add(c(low), hn::Mul(c(high), r)); };
  const V p01 = pair(0.5, 0x1.5555555555556p-3);
  const V p23 = pair(0x1.5555555553d63p-5, 0x1.11111111109b3p-7);
  const V p45 = pair(0x1.6c16c1788bd90p-10, 0x1.a01a01a7c41d5p-13);
  const V p67 = pair(0x1.a019b90d2ae7ap-16, 0x1.71de0dae63bb3p-19);
  const V p89 = pair(0x1.289185613a3d6p-22, 0x1.af38a9b0ec855p-26);
  const V low = hn::Add(p01, hn::Mul(p23, r2));
  const V high = hn::Add(p45, hn::Mul(hn::Add(p67, hn::Mul(p89, r2)), r2));
  const V p = hn::Add(low, hn::Mul(high, r4));
  const V e_to_r = hn::Add(c(1), hn::Add(r, hn::Mul(r2, p)));

  // 2^k, made from its exponent bits.
  const auto exponent = hn::Add(hn::BitCast(bits, shifted), hn::Set(bits, 1023));
  const V scale = hn::BitCast(d, hn::ShiftLeft<52>(exponent));
  return hn::IfThenElseZero(in_range, hn::Mul(e_to_r, scale));
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
