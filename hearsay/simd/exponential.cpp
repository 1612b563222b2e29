#include "hearsay/simd/exponential.h"

#include <algorithm>
#include <array>

// Highway compiles the rest of this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/simd/exponential.cpp"
#include <hwy/foreach_target.h>
// This include must come after foreach_target.h.
#include <hwy/highway.h>

#include "hearsay/simd/exponential-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

void replace_by_exponentials(double* values, std::size_t count) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 8> d;
  const std::size_t width = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    hn::StoreU(exponential(d, hn::LoadU(d, values + i)), d, values + i);
  }
  // A single value does not use the buffer below: storing one double and loading a vector of it
  // would stall store forwarding.
  if (i + 1 == count) {
    const hn::CappedTag<double, 1> one;
    values[i] = hn::GetLane(exponential(one, hn::Set(one, values[i])));
  } else if (i < count) {
    HWY_ALIGN std::array<double, 8> rest{};
    std::copy(values + i, values + count, rest.data());
    hn::Store(exponential(d, hn::Load(d, rest.data())), d, rest.data());
    std::copy_n(rest.data(), count - i, values + i);
  }
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay {

HWY_EXPORT(replace_by_exponentials);

void exponentials(std::span<double> values) {
  HWY_DYNAMIC_DISPATCH(replace_by_exponentials)(values.data(), values.size());
}

}  // namespace hearsay
#endif
