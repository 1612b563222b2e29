#include "hearsay/simd/philox.h"

#include <algorithm>
#include <array>
#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/simd/philox.cpp"
#include <hwy/foreach_target.h>
// This include must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The 32-bit words are in the lower halves of 64-bit lanes, where the widening product expects
// them. The upper halves may contain anything: the product ignores them, and the last step masks
// them.
using Words = hn::CappedTag<std::uint64_t, 8>;
using Reals = hn::CappedTag<double, 8>;
constexpr std::size_t kMostLanes = 8;  // of a vector, as the two types above limit it

struct TwoNumbers {
  hn::Vec<Reals> even;
  hn::Vec<Reals> odd;
};

HWY_INLINE hn::Vec<Reals> to_reals(hn::Vec<Words> bits) {
  const Reals d;
  const hn::RebindToSigned<Words> whole;
  const auto upper = hn::BitCast(whole, hn::ShiftRight<11>(bits));
  return hn::Mul(hn::ConvertTo(d, upper), hn::Set(d, 0x1p-53));
}

HWY_INLINE hn::Vec<Words> product(std::uint32_t multiplier, hn::Vec<Words> word) {
  const Words d;
#if HWY_TARGET == HWY_SCALAR  // has only one lane, which cannot be split into 32-bit halves
  return hn::Set(d, std::uint64_t{multiplier} * static_cast<std::uint32_t>(hn::GetLane(word)));
#else
  const hn::RepartitionToNarrow<Words> halves;
  return hn::MulEven(hn::BitCast(halves, word), hn::BitCast(halves, hn::Set(d, multiplier)));
#endif
}

// Moves the upper half to the lower. A shuffle runs on another execution port than the products; a
// shift would compete with them.
HWY_INLINE hn::Vec<Words> upper_half(hn::Vec<Words> word) {
#if HWY_TARGET == HWY_SCALAR
  return hn::ShiftRight<32>(word);
#else
  const Words d;
  const hn::RepartitionToNarrow<Words> halves;
  return hn::BitCast(d, hn::Shuffle2301(hn::BitCast(halves, word)));
#endif
}

// Encrypts the counter (round, block) with the key, one block per lane.
HWY_INLINE TwoNumbers encrypt(hn::Vec<Words> key, std::uint64_t round, hn::Vec<Words> block) {
  const Words d;
  auto key_low = key;
  auto key_high = hn::ShiftRight<32>(key);
  auto c0 = hn::Set(d, round);
  auto c1 = hn::Set(d, round >> 32U);
  auto c2 = block;
  auto c3 = hn::ShiftRight<32>(block);
  for (int i = 0; i < 10; ++i) {
    const auto product0 = product(0xD2511F53, c0);
    const auto product1 = product(0xCD9E8D57, c2);
    c0 = hn::Xor3(upper_half(product1), c1, key_low);
    c1 = product1;
    c2 = hn::Xor3(upper_half(product0), c3, key_high);
    c3 = product0;
    key_low = hn::Add(key_low, hn::Set(d, 0x9E3779B9));
    key_high = hn::Add(key_high, hn::Set(d, 0xBB67AE85));
  }
  const auto lower = hn::Set(d, 0xFFFFFFFF);
  return {to_reals(hn::Or(hn::And(c0, lower), hn::ShiftLeft<32>(c1))),
          to_reals(hn::Or(hn::And(c2, lower), hn::ShiftLeft<32>(c3)))};
}

void uniforms_of_key(std::uint64_t key, std::uint64_t round, std::uint64_t first, double* out,
                     std::size_t count) {
  const Words d;
  const Reals reals;
  const std::size_t width = hn::Lanes(d);
  const auto keys = hn::Set(d, key);
  auto block = hn::Iota(d, first / 2);
  std::size_t i = 0;
  for (; i + 2 * width <= count; i += 2 * width) {
    const TwoNumbers drawn = encrypt(keys, round, block);
    hn::StoreInterleaved2(drawn.even, drawn.odd, reals, out + i);
    block = hn::Add(block, hn::Set(d, width));
  }
  if (i < count) {
    HWY_ALIGN std::array<double, 2 * kMostLanes> rest{};
    const TwoNumbers drawn = encrypt(keys, round, block);
    hn::StoreInterleaved2(drawn.even, drawn.odd, reals, rest.data());
    std::copy_n(rest.data(), count - i, out + i);
  }
}

void uniforms_of_keys(const std::uint64_t* keys, std::uint64_t round, Lanes* out,
                      std::size_t count) {
  const Words d;
  const Reals reals;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const auto lane_keys = hn::LoadU(d, keys + lane);
    for (std::size_t i = 0; i < count; i += 2) {
      const TwoNumbers drawn = encrypt(lane_keys, round, hn::Set(d, i / 2));
      hn::Store(drawn.even, reals, out[i].data() + lane);
      if (i + 1 < count) {
        hn::Store(drawn.odd, reals, out[i + 1].data() + lane);
      }
    }
  }
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay::philox {

HWY_EXPORT(uniforms_of_key);
HWY_EXPORT(uniforms_of_keys);

void uniforms(std::uint64_t key, std::uint64_t round, std::uint64_t first, std::span<double> out) {
  assert(first % 2 == 0);
  HWY_DYNAMIC_DISPATCH(uniforms_of_key)(key, round, first, out.data(), out.size());
}

void uniforms(const std::array<std::uint64_t, kLanes>& keys, std::uint64_t round,
              std::span<Lanes> out) {
  HWY_DYNAMIC_DISPATCH(uniforms_of_keys)(keys.data(), round, out.data(), out.size());
}

}  // namespace hearsay::philox
#endif
