#include "hearsay/certificate/independence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "hearsay/certificate/clique.h"
#include "hearsay/certificate/independent_set.h"
#include "hearsay/certificate/set_bounds.h"
#include "hearsay/certificate/threshold_graph.h"

// Let d_m be the least diameter of a set of m arms. Then alpha(eps) = k for d_k < eps <= d_{k+1},
// so
//
//     alpha* = min over k of cost(k, d_{k+1})        (with the self weight for the last)
//
// and every set found is an upper bound on a d_m, hence together they bound alpha* from below. The
// k where that bound is attained is the only one that matters: either a larger set of smaller
// diameter is found and the bound rises, or it is proved that there is none and the bound is
// alpha*.

namespace hearsay {

double inverse_square_cost(std::size_t independence_number, double threshold) {
  return static_cast<double>(independence_number) / (threshold * threshold);
}

Cost noise_cost(double noise_bound) {
  return [noise_bound](std::size_t independence_number, double threshold) {
    // Without noise the price is 1 even where (1 - eps) / eps overflows.
    const double noise = noise_bound == 0 ? 0 : noise_bound * ((1 - threshold) / threshold);
    return static_cast<double>(independence_number) * (1 + noise * noise);
  };
}

namespace {

// The sets found so far, none both smaller and wider than another: stairs of increasing size and
// diameter, all below the end.
class Staircase {
 public:
  class Stair {
   public:
    Stair(const std::vector<Arm>& set, std::size_t arms, double diameter)
        : size_(set.size()), diameter_(diameter), contains_(arms) {
      for (const Arm arm : set) {
        contains_[arm] = true;
      }
    }

    std::size_t size() const { return size_; }
    double diameter() const { return diameter_; }
    std::vector<Arm> set() const {
      std::vector<Arm> set;
      for (std::size_t arm = 0; arm < contains_.size(); ++arm) {
        if (contains_[arm]) {
          set.push_back(static_cast<Arm>(arm));
        }
      }
      return set;
    }

   private:
    std::size_t size_;
    double diameter_;
    std::vector<bool> contains_;  // bits: of a large graph there are many large sets to keep
  };
  // Between a stair and the next: no set is known that is larger than `stair` and narrower than
  // `end`.
  struct Gap {
    const Stair* stair = nullptr;
    double end = 0;

    std::size_t size() const { return stair->size(); }
  };

  Staircase(std::size_t arms, double end) : arms_(arms), end_(end) {
    stairs_.emplace_back(std::vector<Arm>{0}, arms, 0);
  }

  // False: nothing new, a set as large and as narrow is known.
  bool add(const std::vector<Arm>& set, double diameter) {
    const auto wider = std::ranges::find_if(
        stairs_, [&](const Stair& stair) { return stair.diameter() > diameter; });
    if (diameter >= end_ || std::prev(wider)->size() >= set.size()) {
      return false;
    }
    // What is no narrower and no larger goes.
    const auto equally_wide = std::prev(wider)->diameter() == diameter ? std::prev(wider) : wider;
    const auto larger = std::find_if(wider, stairs_.end(),
                                     [&](const Stair& stair) { return stair.size() > set.size(); });
    const auto place = stairs_.erase(equally_wide, larger);
    stairs_.emplace(place, set, arms_, diameter);
    return true;
  }

  std::vector<Gap> gaps() const {
    std::vector<Gap> gaps;
    for (std::size_t i = 0; i < stairs_.size(); ++i) {
      gaps.push_back({&stairs_[i], i + 1 < stairs_.size() ? stairs_[i + 1].diameter() : end_});
    }
    return gaps;
  }

  // The largest known set that is independent at the threshold.
  std::vector<Arm> largest_below(double threshold) const {
    const auto wider = std::ranges::find_if(
        stairs_, [&](const Stair& stair) { return stair.diameter() >= threshold; });
    return std::prev(wider)->set();
  }

 private:
  std::size_t arms_;
  double end_;
  std::vector<Stair> stairs_;
};

// Too large for a bit a pair: bounds are found along the conflicts.
bool is_large(const Strengths& strengths) {
  constexpr std::size_t kLarge = 8192;
  return !strengths.is_dense() && strengths.arms() > kLarge;
}

class Closing {
 public:
  Closing(const Graph& graph, const IndependenceOptions& options)
      : strengths_(graph),
        is_large_(is_large(strengths_)),
        options_(options),
        end_(graph.self_weight()),
        stairs_(graph.arms(), end_),
        upper_{.size = graph.arms(), .threshold = end_} {
    if (const double least = std::min(strengths_.least(), end_); least > 0) {
      learn(Fact{.size = 1, .threshold = least});
    }
  }

  EffectiveIndependence run() {
    for (;;) {
      const Staircase::Gap gap = lowest();
      tell(cost(gap));
      if (proved(gap)) {
        return result(gap);
      }
      if (options_.effort.stopped() || (is_large_ && round_ == kLastRound)) {
        return result_so_far(gap);
      }
      if (!widen(gap)) {
        prove(gap);
      }
    }
  }

 private:
  // alpha(threshold) <= size.
  struct Fact {
    std::size_t size = 0;
    double threshold = 0;
  };

  double cost(const Fact& fact) const { return options_.cost(fact.size, fact.threshold); }
  double cost(const Staircase::Gap& gap) const { return options_.cost(gap.size(), gap.end); }

  Staircase::Gap lowest() const {
    const std::vector<Staircase::Gap> gaps = stairs_.gaps();
    return *std::ranges::min_element(gaps, {}, [&](const auto& gap) { return cost(gap); });
  }

  bool proved(const Staircase::Gap& gap) const {
    return std::ranges::any_of(facts_, [&](const Fact& fact) {
      return fact.size <= gap.size() && fact.threshold >= gap.end;
    });
  }

  void learn(const Fact& fact) {
    facts_.push_back(fact);
    if (cost(fact) < cost(upper_)) {
      upper_ = fact;
    }
  }

  void learn(std::vector<Arm> set) {
    double diameter = strengths_.diameter(set);
    bool news = stairs_.add(set, diameter);
    // Taking away an end of the widest pair again and again gives narrow sets of the smaller sizes.
    while (news && set.size() > 2 && !is_large_) {
      set.erase(std::ranges::find_if(set, [&](Arm arm) {
        return std::ranges::any_of(
            set, [&](Arm other) { return other != arm && strengths_.of(arm, other) == diameter; });
      }));
      diameter = strengths_.diameter(set);
      news = stairs_.add(set, diameter);
    }
  }

  void tell(double lower) {
    const std::pair<double, double> interval = {lower, cost(upper_)};
    if (options_.progress && interval != told_) {
      told_ = interval;
      options_.progress(interval.first, interval.second);
    }
  }

  // Looks for a set that is larger than the gap's and independent at `threshold`.
  bool search(const Staircase::Gap& gap, double threshold, std::uint64_t steps) {
    std::vector<Arm> start = gap.stair->set();
    SetSearch search{.size = gap.size() + 1, .steps = steps, .seed = ++searches_, .start = start};
    std::vector<Arm> found;
    if (is_large_) {
      const ConflictGraph conflicts = strengths_.conflicts(threshold);
      SetBounds bounds = bound_independent_set(conflicts, options_.effort);
      learn(Fact{.size = bounds.upper, .threshold = threshold});
      if (bounds.set.size() > start.size()) {
        start = std::move(bounds.set);
        search.start = start;
      }
      search.size = bounds.upper;
      found = search_independent_set(conflicts, search, options_.effort);
    } else {
      found = search_independent_set(strengths_.compatible(threshold), search, options_.effort);
    }
    const bool larger = found.size() > gap.size();
    if (larger) {
      learn(std::move(found));
    }
    return larger;
  }

  // Looks for a set that is larger than the gap's and so much narrower than its end that the bound
  // rises by a factor: by a large one first, so that the first stairs are laid in a few leaps.
  bool widen(const Staircase::Gap& gap) {
    // On small graphs a proof costs less than a long search that would spare it.
    const auto arms = static_cast<std::int64_t>(strengths_.arms());
    const auto short_run =
        static_cast<std::uint64_t>(std::min(std::max(2 * arms, 5 * arms - 500), 4 * arms + 500));
    const unsigned last_leap = is_large_ ? kLastLeapIfLarge : kLastLeap;
    double tried = 0;
    for (unsigned leap = leap_; leap <= last_leap; ++leap) {
      const double rise = kFirstRise * std::pow(3, -static_cast<double>(leap));
      const double threshold = strengths_.level(threshold_of(gap, (1 + rise) * cost(gap)));
      if (threshold == tried || threshold >= gap.end) {
        continue;
      }
      tried = threshold;
      // A large graph is first seen as a whole, without search.
      if (search(gap, threshold, is_large_ && rise > 0.005 ? 0 : short_run)) {
        leap_ = leap > 0 ? leap - 1 : 0;
        return true;
      }
    }
    leap_ = last_leap - 1;
    return search(gap, gap.end, std::max(short_run, portion() / 2));
  }

  // Where in the gap its size costs `target`.
  double threshold_of(const Staircase::Gap& gap, double target) const {
    double low = 0;
    double high = gap.end;
    for (int i = 0; i < 50; ++i) {
      const double middle = low + (high - low) / 2;
      (options_.cost(gap.size(), middle) >= target ? low : high) = middle;
    }
    return low;
  }

  void prove(const Staircase::Gap& gap) {
    if (is_large_) {
      ++round_;  // the search has learned what can be proved
      return;
    }
    if (prove(gap, portion()) == CliqueProof::Verdict::open) {
      if (round_ >= kLongProof) {
        bring_upper_down(portion() / 4);
      }
      ++round_;
    }
  }

  // Small sets are easier to settle: they bring the upper bound down while the proof that counts is
  // under way.
  void bring_upper_down(std::uint64_t nodes) {
    const std::uint64_t end = nodes_ + nodes;
    while (nodes_ < end && !options_.effort.stopped()) {
      const std::vector<Staircase::Gap> gaps = stairs_.gaps();
      const auto easiest = std::ranges::find_if(gaps, [&](const Staircase::Gap& gap) {
        return !proved(gap) && cost(gap) < cost(upper_);
      });
      if (easiest == gaps.end()) {
        return;
      }
      if (!widen(*easiest)) {
        prove(*easiest, end - nodes_);
      }
    }
  }

  // How much a search aims to raise the bound by: 1000 times, and a third of the leap before each.
  static constexpr double kFirstRise = 1000;
  static constexpr unsigned kLastLeap = 13;
  static constexpr unsigned kLastLeapIfLarge = 19;
  // From this round on, a proof is worth having company.
  static constexpr unsigned kLongProof = 3;
  // A large graph is given up after so many searches of its lowest gap, each twice as long.
  static constexpr unsigned kLastRound = 4;

  std::uint64_t portion() const { return std::uint64_t{2000} << round_; }

  CliqueProof::Verdict prove(const Staircase::Gap& gap, std::uint64_t portion) {
    const Fact claim = {.size = gap.size(), .threshold = gap.end};
    const auto found = proofs_.find(claim.size);
    if (found == proofs_.end()) {
      proofs_.emplace(claim.size,
                      Proof{claim.threshold,
                            CliqueProof(strengths_.compatible(claim.threshold), claim.size + 1)});
    } else if (found->second.threshold > claim.threshold) {
      found->second.threshold = claim.threshold;
      found->second.proof.tighten(strengths_.compatible(claim.threshold), claim.size + 1);
    }
    CliqueProof& proof = proofs_.at(claim.size).proof;
    const std::uint64_t before = proof.nodes();
    const CliqueProof::Verdict verdict = proof.advance(portion, options_.effort);
    nodes_ += proof.nodes() - before;
    if (verdict == CliqueProof::Verdict::found) {
      ++solves_;
      learn(proof.clique());
    } else if (verdict == CliqueProof::Verdict::none) {
      ++solves_;
      learn(claim);
    }
    return verdict;
  }

  EffectiveIndependence result(const Staircase::Gap& gap) const {
    return {.lower = cost(gap),
            .upper = cost(gap),
            .exact = true,
            .threshold = gap.end,
            .independence_number = gap.size(),
            .witness = gap.stair->set(),
            .solves = solves_};
  }

  EffectiveIndependence result_so_far(const Staircase::Gap& gap) const {
    return {.lower = cost(gap),
            .upper = cost(upper_),
            .exact = false,
            .threshold = upper_.threshold,
            .independence_number = upper_.size,
            .witness = stairs_.largest_below(upper_.threshold),
            .solves = solves_};
  }

  struct Proof {
    double threshold = 0;
    CliqueProof proof;
  };

  Strengths strengths_;
  bool is_large_;
  const IndependenceOptions& options_;
  double end_;
  Staircase stairs_;
  Fact upper_;
  std::vector<Fact> facts_ = {upper_};
  std::map<std::size_t, Proof> proofs_;  // by the size of the gap
  std::uint64_t searches_ = 0;
  std::uint64_t solves_ = 0;
  std::uint64_t nodes_ = 0;
  unsigned leap_ = 0;
  unsigned round_ = 0;
  std::pair<double, double> told_ = {0, std::numeric_limits<double>::infinity()};
};

}  // namespace

EffectiveIndependence effective_independence(const Graph& graph,
                                             const IndependenceOptions& options) {
  return Closing(graph, options).run();
}

IndependenceNumber independence_number(const Graph& graph, double threshold, const Effort& effort) {
  assert(threshold > 0);
  const Strengths strengths(graph);
  SetBounds bounds =
      is_large(strengths)
          ? bound_independent_set(strengths.conflicts(threshold), effort)
          : bound_independent_set(strengths.compatible(threshold),
                                  std::numeric_limits<std::uint64_t>::max() / 2, effort);
  std::ranges::sort(bounds.set);
  return {.threshold = threshold,
          .lower = bounds.set.size(),
          .upper = bounds.upper,
          .witness = std::move(bounds.set)};
}

}  // namespace hearsay
