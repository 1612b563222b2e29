#include "hearsay/learner/lockstep_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/learner/lockstep_kernels.cpp"
#include <hwy/foreach_target.h>
// This include must come after foreach_target.h.
#include <hwy/highway.h>

#include "hearsay/learner/mixability.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/learner/weighting.h"
#include "hearsay/simd/exponential-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Reals = hn::CappedTag<double, 8>;
using Real = hn::Vec<Reals>;

HWY_INLINE Real load(const Lanes& lanes, std::size_t lane) {
  return hn::Load(Reals(), lanes.data() + lane);
}
HWY_INLINE void store(Real value, Lanes& lanes, std::size_t lane) {
  hn::Store(value, Reals(), lanes.data() + lane);
}

// Counts the arms at which the running sum is at most `uniform`. The sum never falls, so this is
// the index of the first arm at which it exceeds `uniform`.
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

// Powers with the same exponent for all arms, by the operations of power() in base/power.h, so that
// the bits are those of the exact engine.
struct ToZero {
  Real operator()(Real /*x*/) const { return hn::Set(Reals(), 1); }
};
struct Root {
  Real operator()(Real x) const { return hn::Sqrt(x); }
};
struct FourthRoot {
  Real operator()(Real x) const { return hn::Sqrt(hn::Sqrt(x)); }
};
struct ThreeQuarters {
  Real operator()(Real x) const {
    const Real root = hn::Sqrt(x);
    return hn::Mul(root, hn::Sqrt(root));
  }
};
struct Square {
  Real operator()(Real x) const { return hn::Mul(x, x); }
};
struct FourthPower {
  Real operator()(Real x) const { return hn::Mul(hn::Mul(x, x), hn::Mul(x, x)); }
};
struct Power {
  double exponent;
  Real operator()(Real x) const {
    HWY_ALIGN std::array<double, 8> values{};
    hn::Store(x, Reals(), values.data());
    for (std::size_t k = 0; k < hn::Lanes(Reals()); ++k) {
      values[k] = std::pow(values[k], exponent);
    }
    return hn::Load(Reals(), values.data());
  }
};
template <class Function>
void with_power(double exponent, const Function& function) {
  if (exponent == 0) {
    function(ToZero());
  } else if (exponent == 0.25) {
    function(FourthRoot());
  } else if (exponent == 0.5) {
    function(Root());
  } else if (exponent == 0.75) {
    function(ThreeQuarters());
  } else if (exponent == 2) {
    function(Square());
  } else if (exponent == 4) {
    function(FourthPower());
  } else {
    function(Power{exponent});
  }
}

void invert(std::span<Lanes> coverage, std::span<const Lanes> probabilities,
            const Lanes& exploration, std::size_t lanes, lockstep::Terms& terms) {
  const Reals d;
  const Real smallest = hn::Set(d, kSmallestCoverage);
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    const Real added = load(exploration, lane);
    Real q = load(terms.q, lane);
    Real second_moment = load(terms.second_moment, lane);
    for (std::size_t i = 0; i < coverage.size(); ++i) {
      const Real covered = load(coverage[i], lane);
      const Real divisor = hn::Max(hn::Add(covered, added), smallest);
      const Real inverse = hn::Div(hn::Set(d, 1), divisor);
      store(inverse, coverage[i], lane);
      const Real of_q = hn::Mul(load(probabilities[i], lane), inverse);
      q = hn::Add(q, of_q);
      second_moment = hn::Add(second_moment, hn::Mul(of_q, hn::Mul(covered, inverse)));
    }
    store(q, terms.q, lane);
    store(second_moment, terms.second_moment, lane);
  }
}

void clip(std::span<Lanes> coverage, std::span<const Lanes> probabilities, const Floor& floor,
          const Lanes& rate, std::size_t lanes, lockstep::Terms& terms) {
  const Reals d;
  const Real one = hn::Set(d, 1);
  const Real smallest = hn::Set(d, kSmallestCoverage);
  with_power(1 - floor.order, [&](auto power_of) {
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
      const Real per_power = hn::Mul(hn::Set(d, floor.per_rate), load(rate, lane));
      Real second_moment = load(terms.second_moment, lane);
      Real bias = load(terms.bias, lane);
      for (std::size_t i = 0; i < coverage.size(); ++i) {
        const Real p = load(probabilities[i], lane);
        const Real power = power_of(p);
        const Real covered = load(coverage[i], lane);
        const Real divisor = hn::Max(hn::Max(covered, hn::Mul(per_power, power)), smallest);
        const Real unclipped = hn::Div(covered, divisor);
        store(hn::Div(one, divisor), coverage[i], lane);
        second_moment =
            hn::Add(second_moment, hn::Mul(hn::Div(hn::Mul(p, power), divisor), unclipped));
        bias = hn::Add(bias, hn::Mul(p, hn::Sub(one, unclipped)));
      }
      store(second_moment, terms.second_moment, lane);
      store(second_moment, terms.q, lane);
      store(bias, terms.bias, lane);
    }
  });
}

void centre(const lockstep::Centring& centring, std::span<const Lanes> probabilities,
            const Floor& floor, const Lanes& rate, std::size_t lanes, lockstep::Terms& terms,
            bool& complete) {
  const Reals d;
  const Real one = hn::Set(d, 1);
  const Real smallest = hn::Set(d, kSmallestCoverage);
  const lockstep::Terms before = terms;
  with_power(1 - floor.order, [&](auto power_of) {
    for (std::size_t lane = 0; lane < lanes && complete; lane += hn::Lanes(d)) {
      const Real per_power = hn::Mul(hn::Set(d, floor.per_rate), load(rate, lane));
      Real second_moment = load(terms.second_moment, lane);
      Real bias = load(terms.bias, lane);
      for (std::size_t i = 0; i < centring.centred.size(); ++i) {
        const Real p = load(probabilities[i], lane);
        const Real power = power_of(p);
        const Real at_least = hn::Mul(per_power, power);
        const Real factor = hn::Mul(p, power);
        const Real centred = load(centring.centred[i], lane);
        const auto safe = hn::And(hn::Ge(centred, hn::Mul(hn::Set(d, kLargestCentred), at_least)),
                                  hn::Gt(centred, hn::Zero(d)));
        Real inverse = hn::Div(one, hn::Max(centred, smallest));
        Real moment = hn::Mul(factor, inverse);
        if (!hn::AllTrue(d, safe)) {
          if (centring.plain.empty()) {
            complete = false;
            break;
          }
          const Real plain = load(centring.plain[i], lane);
          const Real divisor = hn::Max(hn::Max(plain, at_least), smallest);
          const Real unclipped = hn::Div(plain, divisor);
          const Real clipped_moment = hn::Add(hn::Mul(hn::Div(factor, divisor), unclipped),
                                              hn::Mul(factor, hn::Set(d, 0.25)));
          inverse = hn::IfThenElse(safe, inverse, hn::Div(one, divisor));
          moment = hn::IfThenElse(safe, moment, clipped_moment);
          bias = hn::Add(bias, hn::IfThenZeroElse(safe, hn::Mul(p, hn::Sub(one, unclipped))));
        }
        store(inverse, centring.per_divisor[i], lane);
        store(hn::IfThenElseZero(safe, hn::Set(d, 0.5)), centring.centre[i], lane);
        second_moment = hn::Add(second_moment, moment);
      }
      store(second_moment, terms.second_moment, lane);
      store(second_moment, terms.q, lane);
      store(bias, terms.bias, lane);
    }
  });
  if (!complete) {
    terms = before;
  }
}

// The estimate of an arm with gain 0 is its centre, or 0 if nothing is centred.
void estimate_all(const lockstep::Weighted& seen, std::span<const Lanes> centre,
                  std::span<const Lanes> per_divisor, std::span<Lanes> estimates,
                  std::size_t lanes) {
  const Reals d;
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      const Real value = load(seen.observations[i], lane);
      if (centre.empty()) {
        const Real gain = load(seen.gains[i], lane);
        store(hn::Mul(hn::Mul(gain, value), load(per_divisor[i], lane)), estimates[i], lane);
        continue;
      }
      const Real middle = load(centre[i], lane);
      const Real weight = load(seen.weights[i], lane);
      Real gain = load(seen.centred_gains[i], lane);
      if (!seen.gains.empty()) {
        const auto centred = hn::Gt(middle, hn::Zero(d));
        gain = hn::IfThenElse(centred, gain, load(seen.gains[i], lane));
      }
      const Real above = hn::Sub(value, hn::Mul(middle, weight));
      const Real move = hn::Mul(hn::Mul(gain, above), load(per_divisor[i], lane));
      store(hn::Add(middle, move), estimates[i], lane);
    }
  }
}

// CompensatedSum::add for each lane. An estimate of 0 does not change the bits of a sum, because
// sums are never -0.
void add_to_sums(std::span<const Lanes> estimates, double largest, const lockstep::Sums& sums,
                 std::size_t lanes, bool& all_fit) {
  const Reals d;
  const Real limit = hn::Set(d, largest);
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    Real highest = hn::Zero(d);
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      const Real estimate = load(estimates[i], lane);
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

// The smallest estimate of an arm of positive probability.
HWY_INLINE Real least_of_possible(std::span<const Lanes> probabilities,
                                  std::span<const Lanes> estimates, std::size_t lane) {
  const Reals d;
  Real least = hn::Set(d, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const auto possible = hn::Gt(load(probabilities[i], lane), hn::Zero(d));
    least = hn::IfThenElse(possible, hn::Min(least, load(estimates[i], lane)), least);
  }
  return least;
}

// Computes the sums that mixability_gap() needs.
void sum_for_gap(std::span<const Lanes> probabilities, std::span<const Lanes> estimates,
                 const Lanes& rate, std::size_t lanes, Lanes& mean_above, Lanes& mean_weight,
                 Lanes& mean_weight_minus_one) {
  const Reals d;
  const Real zero = hn::Zero(d);
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    const Real least = least_of_possible(probabilities, estimates, lane);
    const Real slope = hn::Neg(load(rate, lane));
    Real above_sum = zero;
    Real weight_sum = zero;
    Real minus_one_sum = zero;
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      const Real p = load(probabilities[i], lane);
      const Real above = hn::Max(hn::Sub(load(estimates[i], lane), least), zero);
      const Real weight = exponential(d, hn::Mul(slope, above));
      above_sum = hn::Add(above_sum, hn::Mul(p, above));
      weight_sum = hn::Add(weight_sum, hn::Mul(p, weight));
      minus_one_sum = hn::Add(minus_one_sum, hn::Mul(p, hn::Sub(weight, hn::Set(d, 1))));
    }
    store(above_sum, mean_above, lane);
    store(weight_sum, mean_weight, lane);
    store(minus_one_sum, mean_weight_minus_one, lane);
  }
}

// Checks ObservationRange for every arm seen.
void count_outside(std::span<const Lanes> weights, std::span<const Lanes> observations,
                   double noise_bound, std::size_t lanes, Lanes& count) {
  const Reals d;
  const Real one = hn::Set(d, 1);
  const Real bound = hn::Set(d, noise_bound);
  const Real slack = hn::Set(d, range_slack(noise_bound));
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    Real outside = hn::Zero(d);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const Real weight = load(weights[i], lane);
      const Real reach = hn::Mul(hn::Sub(one, weight), bound);
      const Real value = load(observations[i], lane);
      const auto low = hn::Ge(value, hn::Sub(hn::Neg(reach), slack));
      const auto high = hn::Le(value, hn::Add(hn::Add(weight, reach), slack));
      // An arm of weight 0 is not seen.
      const auto wrong = hn::AndNot(hn::And(low, high), hn::Gt(weight, hn::Zero(d)));
      outside = hn::Add(outside, hn::IfThenElseZero(wrong, one));
    }
    store(outside, count, lane);
  }
}

// The sums minus the smallest sum of the lane, as by CompensatedSum::minus.
class AboveSmallest {
 public:
  AboveSmallest(const lockstep::Sums& sums, std::size_t lane)
      : sums_(sums),
        lane_(lane),
        rounded_(load(sums.rounded[0], lane)),
        error_(load(sums.error[0], lane)) {
    Real smallest = hn::Add(rounded_, error_);
    for (std::size_t i = 1; i < sums.rounded.size(); ++i) {
      const Real other_rounded = load(sums.rounded[i], lane);
      const Real other_error = load(sums.error[i], lane);
      const Real other = hn::Add(other_rounded, other_error);
      const auto smaller = hn::Lt(other, smallest);
      smallest = hn::Min(smallest, other);  // a lower latency than a selection by `smaller`
      rounded_ = hn::IfThenElse(smaller, other_rounded, rounded_);
      error_ = hn::IfThenElse(smaller, other_error, error_);
    }
  }

  HWY_INLINE Real operator()(std::size_t i) const {
    return hn::Add(hn::Sub(load(sums_.rounded[i], lane_), rounded_),
                   hn::Sub(load(sums_.error[i], lane_), error_));
  }

 private:
  const lockstep::Sums& sums_;
  std::size_t lane_;
  Real rounded_;
  Real error_;
};

// Sets probabilities proportional to weight(i), added up as in scale_to_one(). Returns the sum.
template <class Weight>
HWY_INLINE Real normalise(std::span<Lanes> probabilities, std::size_t lane, const Weight& weight) {
  const Reals d;
  const std::size_t arms = probabilities.size();
  Real total = hn::Zero(d);
  for (std::size_t begin = 0; begin < arms; begin += kSummedTogether) {
    const std::size_t end = std::min(arms, begin + kSummedTogether);
    Real sum = hn::Zero(d);
    for (std::size_t i = begin; i < end; ++i) {
      const Real each = weight(i);
      store(each, probabilities[i], lane);
      sum = hn::Add(sum, each);
    }
    total = hn::Add(total, sum);
  }
  const Real scale = hn::Div(hn::Set(d, 1), total);
  for (Lanes& probability : probabilities) {
    store(hn::Mul(load(probability, lane), scale), probability, lane);
  }
  return total;
}

// FixedShare::add without distributing the share.
void reweigh_by(std::span<const Lanes> estimates, const Lanes& rate, std::size_t lanes,
                std::span<Lanes> probabilities, Lanes& total, Lanes& smallest) {
  const Reals d;
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    const Real least = least_of_possible(probabilities, estimates, lane);
    const Real slope = hn::Neg(load(rate, lane));
    const Real sum = normalise(probabilities, lane, [&](std::size_t i) {
      const Real above = hn::Max(hn::Sub(load(estimates[i], lane), least), hn::Zero(d));
      return hn::Mul(exponential(d, hn::Mul(slope, above)), load(probabilities[i], lane));
    });
    store(sum, total, lane);
    store(least, smallest, lane);
  }
}

void blend_all(const Lanes& kept, const Lanes& added, std::size_t lanes,
               std::span<Lanes> probabilities) {
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(Reals())) {
    const Real factor = load(kept, lane);
    const Real addend = load(added, lane);
    for (Lanes& probability : probabilities) {
      store(hn::Add(hn::Mul(factor, load(probability, lane)), addend), probability, lane);
    }
  }
}

void find_highest(std::span<const Lanes> estimates, std::size_t lanes, Lanes& highest) {
  const Reals d;
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    Real high = hn::Zero(d);
    for (const Lanes& estimate : estimates) {
      high = hn::Max(high, hn::Abs(load(estimate, lane)));
    }
    store(high, highest, lane);
  }
}

// Unless `total` and `mean_above` are null, also sets these arguments of shannon_entropy().
void shannon_probabilities(const lockstep::Sums& sums, const Lanes& rate,
                           std::span<Lanes> probabilities, std::size_t lanes, Lanes* total,
                           Lanes* mean_above) {
  const Reals d;
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
    const AboveSmallest above(sums, lane);
    const Real slope = hn::Neg(load(rate, lane));
    const Real sum = normalise(probabilities, lane, [&](std::size_t i) {
      return exponential(d, hn::Mul(slope, above(i)));
    });
    if (total != nullptr) {
      Real mean = hn::Zero(d);
      for (std::size_t i = 0; i < probabilities.size(); ++i) {
        mean = hn::Add(mean, hn::Mul(load(probabilities[i], lane), above(i)));
      }
      store(sum, *total, lane);
      store(mean, *mean_above, lane);
    }
  }
}

// The Regularizer for the Tsallis entropy. Every lane makes the same steps of Newton's method as
// alone.
void tsallis_probabilities(const lockstep::Sums& sums, const Lanes& rate, double order,
                           std::span<Lanes> probabilities, std::size_t lanes) {
  const Reals d;
  const Real numerator = hn::Set(d, order / (1 - order));
  with_power(1 / (1 - order), [&](auto power_of) {
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
      const AboveSmallest above(sums, lane);
      const Real lane_rate = load(rate, lane);
      // `probabilities` holds the scaled sums for now.
      for (std::size_t i = 0; i < probabilities.size(); ++i) {
        store(hn::Mul(lane_rate, above(i)), probabilities[i], lane);
      }
      Real y = numerator;
      auto searching = hn::Eq(y, y);
      for (int step = 0; step < kMostNewtonSteps && !hn::AllFalse(d, searching); ++step) {
        Real sum = hn::Zero(d);
        Real slope = hn::Zero(d);
        for (const Lanes& scaled : probabilities) {
          const Real ratio = hn::Div(numerator, hn::Add(load(scaled, lane), y));
          const Real weight = power_of(ratio);
          sum = hn::Add(sum, weight);
          slope = hn::Add(slope, hn::Mul(weight, ratio));
        }
        const Real move = hn::Div(hn::Mul(hn::Set(d, order), hn::Sub(sum, hn::Set(d, 1))), slope);
        y = hn::IfThenElse(searching, hn::Add(y, move), y);
        const auto found = hn::Le(hn::Abs(move), hn::Mul(hn::Set(d, kNewtonPrecision), y));
        searching = hn::AndNot(found, searching);
      }
      normalise(probabilities, lane, [&](std::size_t i) {
        return power_of(hn::Div(numerator, hn::Add(load(probabilities[i], lane), y)));
      });
    }
  });
}

void tsallis_entropy(std::span<const Lanes> probabilities, double order, std::size_t lanes,
                     Lanes& entropy) {
  const Reals d;
  with_power(order, [&](auto power_of) {
    for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(d)) {
      Real sum = hn::Zero(d);
      for (const Lanes& probability : probabilities) {
        sum = hn::Add(sum, power_of(load(probability, lane)));
      }
      const Real above = hn::Sub(sum, hn::Set(d, 1));
      store(hn::Max(hn::Zero(d), hn::Div(above, hn::Set(d, 1 - order))), entropy, lane);
    }
  });
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay::lockstep {

HWY_EXPORT(count_below);
HWY_EXPORT(multiply_rows);
HWY_EXPORT(invert);
HWY_EXPORT(clip);
HWY_EXPORT(centre);
HWY_EXPORT(estimate_all);
HWY_EXPORT(add_to_sums);
HWY_EXPORT(count_outside);
HWY_EXPORT(sum_for_gap);
HWY_EXPORT(reweigh_by);
HWY_EXPORT(blend_all);
HWY_EXPORT(find_highest);
HWY_EXPORT(shannon_probabilities);
HWY_EXPORT(tsallis_probabilities);
HWY_EXPORT(tsallis_entropy);

LaneArms draw(std::span<const Lanes> probabilities, const Lanes& uniform, std::size_t lanes) {
  Lanes count;
  HWY_DYNAMIC_DISPATCH(count_below)(probabilities, uniform, lanes, count);
  LaneArms arms{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    auto arm = static_cast<std::size_t>(count[lane]);
    // If rounding left the whole sum at or below the number: the last arm of positive probability.
    if (arm == probabilities.size()) {
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
                     const Lanes& exploration, std::size_t lanes, Terms& terms) {
  HWY_DYNAMIC_DISPATCH(invert)(coverage, probabilities, exploration, lanes, terms);
}

void clip_coverage(std::span<Lanes> coverage, std::span<const Lanes> probabilities,
                   const Floor& floor, const Lanes& rate, std::size_t lanes, Terms& terms) {
  HWY_DYNAMIC_DISPATCH(clip)(coverage, probabilities, floor, rate, lanes, terms);
}

bool centre_coverage(const Centring& centring, std::span<const Lanes> probabilities,
                     const Floor& floor, const Lanes& rate, std::size_t lanes, Terms& terms) {
  bool complete = true;
  HWY_DYNAMIC_DISPATCH(centre)
  (centring, probabilities, floor, rate, lanes, terms, complete);
  return complete;
}

void estimate(const Weighted& seen, std::span<const Lanes> centre,
              std::span<const Lanes> per_divisor, std::span<Lanes> estimates, std::size_t lanes) {
  HWY_DYNAMIC_DISPATCH(estimate_all)(seen, centre, per_divisor, estimates, lanes);
}

bool add(std::span<const Lanes> estimates, double largest, const Sums& sums, std::size_t lanes) {
  bool all_fit = true;
  HWY_DYNAMIC_DISPATCH(add_to_sums)(estimates, largest, sums, lanes, all_fit);
  return all_fit;
}

Lanes gaps(std::span<const Lanes> probabilities, std::span<const Lanes> estimates,
           const Lanes& rate, std::size_t lanes) {
  Lanes mean_above;
  Lanes mean_weight;
  Lanes mean_weight_minus_one;
  HWY_DYNAMIC_DISPATCH(sum_for_gap)
  (probabilities, estimates, rate, lanes, mean_above, mean_weight, mean_weight_minus_one);
  Lanes gap;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    gap[lane] = mixability_gap(mean_above[lane], mean_weight[lane], mean_weight_minus_one[lane],
                               rate[lane]);
  }
  return gap;
}

Lanes reweigh(std::span<Lanes> probabilities, std::span<const Lanes> estimates, const Lanes& rate,
              std::size_t lanes) {
  Lanes total;
  Lanes smallest;
  HWY_DYNAMIC_DISPATCH(reweigh_by)(estimates, rate, lanes, probabilities, total, smallest);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    total[lane] *= std::exp(-rate[lane] * smallest[lane]);
  }
  return total;
}

void blend(std::span<Lanes> probabilities, const Lanes& kept, const Lanes& added,
           std::size_t lanes) {
  HWY_DYNAMIC_DISPATCH(blend_all)(kept, added, lanes, probabilities);
}

bool are_within(std::span<const Lanes> estimates, double largest, std::size_t lanes) {
  Lanes highest;
  HWY_DYNAMIC_DISPATCH(find_highest)(estimates, lanes, highest);
  return std::all_of(highest.data(), highest.data() + lanes,
                     [largest](double high) { return high < largest; });
}

Lanes count_out_of_range(std::span<const Lanes> weights, std::span<const Lanes> observations,
                         double noise_bound, std::size_t lanes) {
  Lanes count;
  HWY_DYNAMIC_DISPATCH(count_outside)(weights, observations, noise_bound, lanes, count);
  return count;
}

void set_probabilities(const Sums& sums, const Lanes& rate, double order,
                       std::span<Lanes> probabilities, Lanes* entropy, std::size_t lanes) {
  if (order != 1) {
    HWY_DYNAMIC_DISPATCH(tsallis_probabilities)(sums, rate, order, probabilities, lanes);
    if (entropy != nullptr) {
      HWY_DYNAMIC_DISPATCH(tsallis_entropy)(probabilities, order, lanes, *entropy);
    }
    return;
  }
  if (entropy == nullptr) {
    HWY_DYNAMIC_DISPATCH(shannon_probabilities)(sums, rate, probabilities, lanes, nullptr, nullptr);
    return;
  }
  Lanes total;
  Lanes mean_above;
  HWY_DYNAMIC_DISPATCH(shannon_probabilities)
  (sums, rate, probabilities, lanes, &total, &mean_above);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    (*entropy)[lane] = shannon_entropy(total[lane], rate[lane], mean_above[lane]);
  }
}

}  // namespace hearsay::lockstep
#endif
