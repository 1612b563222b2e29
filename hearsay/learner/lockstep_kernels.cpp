#include "hearsay/learner/lockstep_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/learner/lockstep_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "hearsay/learner/observations.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/learner/weighting.h"
#include "hearsay/simd/exponential-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Reals = hn::CappedTag<double, 8>;
using Whole = hn::RebindToSigned<Reals>;
using Real = hn::Vec<Reals>;

HWY_INLINE Real load(const Lanes& lanes, std::size_t lane) {
  return hn::Load(Reals(), lanes.data() + lane);
}
HWY_INLINE void store(Real value, Lanes& lanes, std::size_t lane) {
  hn::Store(value, Reals(), lanes.data() + lane);
}

// How many arms the running sum passes at or below `uniform`: as sums never fall, that is the index
// of the first arm above it.
void count_below(std::span<const Lanes> probabilities, const Lanes& uniform, std::size_t lanes,
                 Lanes& count) {
  const Reals d;
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    const Real u = load(uniform, lane);
    Real sum = hn::Zero(d);
    Real below = hn::Zero(d);
    for (const Lanes& probability : probabilities) {
      sum = hn::Add(sum, load(probability, lane));
      below = hn::Add(below, hn::IfThenElseZero(hn::Le(sum, u), hn::Set(d, 1)));
    }
    store(below, count, lane);
  }
}

void multiply_rows(const Matrix& matrix, std::span<const Lanes> vector, std::span<Lanes> out,
                   std::size_t lanes) {
  const Reals d;
  std::fill(out.begin(), out.end(), Lanes{});
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const std::span<const double> values = matrix.row(i);
    const std::span<const Arm> columns = matrix.row_columns(i);
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
      const Real v = load(vector[i], lane);
      for (std::size_t k = 0; k < values.size(); ++k) {
        Lanes& sum = out[columns[k]];
        store(hn::Add(load(sum, lane), hn::Mul(v, hn::Set(d, values[k]))), sum, lane);
      }
    }
  }
}

void invert(std::span<Lanes> coverage, std::span<const Lanes> probabilities,
            const Lanes& exploration, std::size_t lanes, Lanes& q) {
  const Reals d;
  const Real smallest = hn::Set(d, kSmallestCoverage);
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    const Real held_back = load(exploration, lane);
    Real sum = load(q, lane);
    for (std::size_t i = 0; i < coverage.size(); ++i) {
      const Real divisor = hn::Max(hn::Add(load(coverage[i], lane), held_back), smallest);
      const Real inverse = hn::Div(hn::Set(d, 1), divisor);
      store(inverse, coverage[i], lane);
      sum = hn::Add(sum, hn::Mul(load(probabilities[i], lane), inverse));
    }
    store(sum, q, lane);
  }
}

// Where in a table the rows of the arms played begin, for the lanes from `lane` on.
HWY_INLINE hn::Vec<Whole> row_begins(const LaneArms& played, std::size_t arms, std::size_t lane) {
  HWY_ALIGN std::array<std::int64_t, 8> begins{};
  for (std::size_t k = 0; k < hn::Lanes(Whole()); ++k) {
    begins[k] = static_cast<std::int64_t>(played[lane + k] * arms);
  }
  return hn::Load(Whole(), begins.data());
}

// Arms without a gain get an estimate of 0, which changes no sum: not even its bits, as sums are
// never -0.
void add_to_sums(const lockstep::Shown& shown, double largest, const lockstep::Sums& sums,
                 std::size_t lanes, bool& all_fit) {
  const Reals d;
  const std::size_t arms = shown.observations.size();
  const Real limit = hn::Set(d, largest);
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    const auto begins = row_begins(shown.played, arms, lane);
    Real highest = hn::Zero(d);
    for (std::size_t i = 0; i < arms; ++i) {
      const Real gain = hn::GatherIndex(d, shown.gains.data() + i, begins);
      const Real estimate = hn::Mul(hn::Mul(gain, load(shown.observations[i], lane)),
                                    load(shown.per_coverage[i], lane));
      // CompensatedSum::add.
      const Real rounded = load(sums.rounded[i], lane);
      const Real sum = hn::Add(rounded, estimate);
      const Real of_term = hn::Sub(sum, rounded);
      const Real lost =
          hn::Add(hn::Sub(rounded, hn::Sub(sum, of_term)), hn::Sub(estimate, of_term));
      store(sum, sums.rounded[i], lane);
      store(hn::Add(load(sums.error[i], lane), lost), sums.error[i], lane);
      highest = hn::Max(highest, hn::Abs(sum));
    }
    all_fit = all_fit && hn::AllTrue(d, hn::Lt(highest, limit));
  }
}

// ObservationRange, for every arm seen.
void count_outside(const lockstep::Shown& shown, double noise_bound, std::size_t lanes,
                   Lanes& count) {
  const Reals d;
  const std::size_t arms = shown.observations.size();
  const Real one = hn::Set(d, 1);
  const Real bound = hn::Set(d, noise_bound);
  const Real slack = hn::Set(d, range_slack(noise_bound));
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    const auto begins = row_begins(shown.played, arms, lane);
    Real outside = hn::Zero(d);
    for (std::size_t i = 0; i < arms; ++i) {
      const Real weight = hn::GatherIndex(d, shown.weights.data() + i, begins);
      const Real reach = hn::Mul(hn::Sub(one, weight), bound);
      const Real value = load(shown.observations[i], lane);
      const auto low = hn::Ge(value, hn::Sub(hn::Neg(reach), slack));
      const auto high = hn::Le(value, hn::Add(hn::Add(weight, reach), slack));
      // Nothing is seen at weight 0.
      const auto wrong = hn::AndNot(hn::And(low, high), hn::Gt(weight, hn::Zero(d)));
      outside = hn::Add(outside, hn::IfThenElseZero(wrong, one));
    }
    store(outside, count, lane);
  }
}

void weigh_all(const lockstep::Sums& sums, const Lanes& rate, std::span<Lanes> probabilities,
               std::size_t lanes) {
  const Reals d;
  const std::size_t arms = probabilities.size();
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    Real rounded = load(sums.rounded[0], lane);
    Real error = load(sums.error[0], lane);
    Real smallest = hn::Add(rounded, error);
    for (std::size_t i = 1; i < arms; ++i) {
      const Real other_rounded = load(sums.rounded[i], lane);
      const Real other_error = load(sums.error[i], lane);
      const Real other = hn::Add(other_rounded, other_error);
      const auto smaller = hn::Lt(other, smallest);
      smallest = hn::IfThenElse(smaller, other, smallest);
      rounded = hn::IfThenElse(smaller, other_rounded, rounded);
      error = hn::IfThenElse(smaller, other_error, error);
    }
    const Real slope = hn::Neg(load(rate, lane));
    Real total = hn::Zero(d);
    for (std::size_t begin = 0; begin < arms; begin += kSummedTogether) {
      const std::size_t end = std::min(arms, begin + kSummedTogether);
      Real sum = hn::Zero(d);
      for (std::size_t i = begin; i < end; ++i) {
        const Real above = hn::Add(hn::Sub(load(sums.rounded[i], lane), rounded),
                                   hn::Sub(load(sums.error[i], lane), error));
        const Real weight = exponential(d, hn::Mul(slope, above));
        store(weight, probabilities[i], lane);
        sum = hn::Add(sum, weight);
      }
      total = hn::Add(total, sum);
    }
    const Real scale = hn::Div(hn::Set(d, 1), total);
    for (Lanes& probability : probabilities) {
      store(hn::Mul(load(probability, lane), scale), probability, lane);
    }
  }
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay::lockstep {

HWY_EXPORT(count_below);
HWY_EXPORT(multiply_rows);
HWY_EXPORT(invert);
HWY_EXPORT(add_to_sums);
HWY_EXPORT(count_outside);
HWY_EXPORT(weigh_all);

LaneArms draw(std::span<const Lanes> probabilities, const Lanes& uniform, std::size_t lanes) {
  Lanes count;
  HWY_DYNAMIC_DISPATCH(count_below)(probabilities, uniform, lanes, count);
  LaneArms arms{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    auto arm = static_cast<std::size_t>(count[lane]);
    if (arm ==
        probabilities.size()) {  // rounding left the whole sum at or below: the last possible
      do {
        --arm;
      } while (arm > 0 && !(probabilities[arm][lane] > 0));
    }
    arms[lane] = static_cast<Arm>(arm);
  }
  return arms;
}

void multiply_sparse(const Matrix& matrix, std::span<const Lanes> vector, std::span<Lanes> out,
                     std::size_t lanes) {
  HWY_DYNAMIC_DISPATCH(multiply_rows)(matrix, vector, out, lanes);
}

void invert_coverage(std::span<Lanes> coverage, std::span<const Lanes> probabilities,
                     const Lanes& exploration, std::size_t lanes, Lanes& q) {
  HWY_DYNAMIC_DISPATCH(invert)(coverage, probabilities, exploration, lanes, q);
}

bool add_estimates(const Shown& shown, double largest, const Sums& sums, std::size_t lanes) {
  bool all_fit = true;
  HWY_DYNAMIC_DISPATCH(add_to_sums)(shown, largest, sums, lanes, all_fit);
  return all_fit;
}

Lanes count_out_of_range(const Shown& shown, double noise_bound, std::size_t lanes) {
  Lanes count;
  HWY_DYNAMIC_DISPATCH(count_outside)(shown, noise_bound, lanes, count);
  return count;
}

void weigh(const Sums& sums, const Lanes& rate, std::span<Lanes> probabilities, std::size_t lanes) {
  HWY_DYNAMIC_DISPATCH(weigh_all)(sums, rate, probabilities, lanes);
}

}  // namespace hearsay::lockstep
#endif
