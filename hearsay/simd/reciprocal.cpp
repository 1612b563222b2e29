#include "hearsay/simd/reciprocal.h"

#include <algorithm>
#include <cassert>

// Highway compiles the rest of this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/simd/reciprocal.cpp"
#include <hwy/foreach_target.h>
// This include must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

void write_reciprocals(const double* values, std::size_t count, double addend, double least,
                       double* out) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 8> d;
  const std::size_t width = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    const auto divisor =
        hn::Max(hn::Add(hn::LoadU(d, values + i), hn::Set(d, addend)), hn::Set(d, least));
    hn::StoreU(hn::Div(hn::Set(d, 1.0), divisor), d, out + i);
  }
  for (; i < count; ++i) {
    out[i] = 1 / std::max(values[i] + addend, least);
  }
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay {

HWY_EXPORT(write_reciprocals);

void reciprocals(std::span<const double> values, double addend, double least,
                 std::span<double> out) {
  assert(values.size() == out.size());
  HWY_DYNAMIC_DISPATCH(write_reciprocals)(values.data(), values.size(), addend, least, out.data());
}

}  // namespace hearsay
#endif
