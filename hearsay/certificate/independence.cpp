#include "hearsay/certificate/independence.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "hearsay/certificate/clique.h"
#include "hearsay/certificate/independent_set.h"
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
  struct Stair {
    double diameter = 0;
    std::vector<Arm> set = {};
  };
  // Between a stair and the next: no set is known that is larger than `stair` and narrower than
  // `end`.
  struct Gap {
    const Stair* stair = nullptr;
    double end = 0;

    std::size_t size() const { return stair->set.size(); }
  };

  explicit Staircase(double end) : end_(end) { stairs_.push_back({0, {0}}); }

  void add(std::vector<Arm> set, double diameter) {
    const auto wider = std::ranges::find_if(
        stairs_, [&](const Stair& stair) { return stair.diameter > diameter; });
    if (diameter >= end_ || std::prev(wider)->set.size() >= set.size()) {
      return;
    }
    // What is no narrower and no larger goes.
    const auto equally_wide = std::prev(wider)->diameter == diameter ? std::prev(wider) : wider;
    const auto larger = std::find_if(
        wider, stairs_.end(), [&](const Stair& stair) { return stair.set.size() > set.size(); });
    const auto place = stairs_.erase(equally_wide, larger);
    stairs_.insert(place, {diameter, std::move(set)});
  }

  std::vector<Gap> gaps() const {
    std::vector<Gap> gaps;
    for (std::size_t i = 0; i < stairs_.size(); ++i) {
      gaps.push_back({&stairs_[i], i + 1 < stairs_.size() ? stairs_[i + 1].diameter : end_});
    }
    return gaps;
  }

  // The largest known set that is independent at the threshold.
  const std::vector<Arm>& largest_below(double threshold) const {
    const auto wider = std::ranges::find_if(
        stairs_, [&](const Stair& stair) { return stair.diameter >= threshold; });
    return std::prev(wider)->set;
  }

 private:
  double end_;
  std::vector<Stair> stairs_;
};

std::vector<Arm> sorted(std::vector<Arm> arms) {
  std::ranges::sort(arms);
  return arms;
}

class Closing {
 public:
  Closing(const Graph& graph, const IndependenceOptions& options)
      : strengths_(graph),
        options_(options),
        end_(graph.self_weight()),
        stairs_(end_),
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
      if (options_.effort.stopped()) {
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
    // Taking away an end of the widest pair again and again gives narrow sets of every smaller
    // size.
    while (set.size() > 1) {
      const double diameter = strengths_.diameter(set);
      stairs_.add(set, diameter);
      const auto on_widest_pair = std::ranges::find_if(set, [&](Arm arm) {
        return std::ranges::any_of(
            set, [&](Arm other) { return other != arm && strengths_.of(arm, other) == diameter; });
      });
      set.erase(on_widest_pair);
    }
  }

  void tell(double lower) {
    const std::pair<double, double> interval = {lower, std::max(lower, cost(upper_))};
    if (options_.progress && interval != told_) {
      told_ = interval;
      options_.progress(interval.first, interval.second);
    }
  }

  std::optional<std::vector<Arm>> search(const Staircase::Gap& gap, double threshold,
                                         std::uint64_t steps) {
    std::vector<Arm> set = search_independent_set(
        strengths_.compatible(threshold),
        {.size = gap.size() + 1, .steps = steps, .seed = ++searches_, .start = gap.stair->set},
        options_.effort);
    return set.size() > gap.size() ? std::optional(std::move(set)) : std::nullopt;
  }

  // Looks for a set that is larger than the gap's and so much narrower than its end that the bound
  // rises by a factor: by a large one first, so that the first stairs are laid in a few leaps.
  bool widen(const Staircase::Gap& gap) {
    static constexpr std::array kFactors = {1.5, 1.1, 1.03, 1.01, 1.003, 1.001};
    const std::uint64_t short_run = 500 + 4 * strengths_.arms();
    double tried = 0;
    for (const double factor : kFactors) {
      const double threshold = strengths_.level(threshold_of(gap, factor * cost(gap)));
      if (threshold == tried || threshold >= gap.end) {
        continue;
      }
      tried = threshold;
      if (auto set = search(gap, threshold, short_run)) {
        learn(std::move(*set));
        return true;
      }
    }
    if (auto set = search(gap, gap.end, std::max(short_run, portion() / 2))) {
      learn(std::move(*set));
      return true;
    }
    return false;
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
    if (prove(gap, portion()) == CliqueProof::Verdict::open) {
      if (round_ >= kLongProof) {
        lower_upper(portion() / 4);
      }
      ++round_;
    }
  }

  // Small sets are easier to settle: they bring the upper bound down while the proof that counts is
  // under way.
  void lower_upper(std::uint64_t nodes) {
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

  // From this round on, a good part of a second has gone into a proof.
  static constexpr unsigned kLongProof = 6;

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
            .witness = sorted(gap.stair->set),
            .solves = solves_};
  }

  EffectiveIndependence result_so_far(const Staircase::Gap& gap) const {
    return {.lower = cost(gap),
            .upper = cost(upper_),
            .exact = false,
            .threshold = upper_.threshold,
            .independence_number = upper_.size,
            .witness = sorted(stairs_.largest_below(upper_.threshold)),
            .solves = solves_};
  }

  struct Proof {
    double threshold = 0;
    CliqueProof proof;
  };

  Strengths strengths_;
  const IndependenceOptions& options_;
  double end_;
  Staircase stairs_;
  Fact upper_;
  std::vector<Fact> facts_ = {upper_};
  std::map<std::size_t, Proof> proofs_;  // by the size of the gap
  std::uint64_t searches_ = 0;
  std::uint64_t solves_ = 0;
  std::uint64_t nodes_ = 0;
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
  const BitMatrix compatible = strengths.compatible(threshold);
  IndependenceNumber number{
      .threshold = threshold,
      .upper = graph.arms(),
      .witness = search_independent_set(
          compatible, {.size = graph.arms(), .steps = 1000 + 20 * graph.arms()}, effort)};
  number.lower = number.witness.size();
  CliqueProof proof(compatible, number.lower + 1);
  for (bool open = !number.exact(); open;) {
    switch (proof.advance(std::numeric_limits<std::uint64_t>::max() / 2, effort)) {
      case CliqueProof::Verdict::found:
        number.witness = proof.clique();
        number.lower = number.witness.size();
        proof.tighten(compatible, number.lower + 1);
        break;
      case CliqueProof::Verdict::none:
        number.upper = number.lower;
        open = false;
        break;
      case CliqueProof::Verdict::open:
        open = false;
        break;
    }
  }
  std::ranges::sort(number.witness);
  return number;
}

}  // namespace hearsay
