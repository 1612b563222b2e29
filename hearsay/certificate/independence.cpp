#include "hearsay/certificate/independence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/certificate/alpha_bounds.h"
#include "hearsay/certificate/clique_cover.h"
#include "hearsay/certificate/independent_set.h"
#include "hearsay/certificate/independent_set_problem.h"
#include "hearsay/certificate/independent_set_problem_cache.h"
#include "hearsay/certificate/staircase.h"
#include "hearsay/certificate/threshold_graph.h"

// The diameter of a set of arms is the largest strength of a pair in it (threshold_graph.h). Let
// d_m be the least diameter of a set of m arms. Then alpha(eps) = k for d_k < eps <= d_{k+1}, so
//
//     alpha* = min over k of cost(k, d_{k+1})
//
// where the self weight takes the place of d_{k+1} for the largest k.
//
// Every set that is found bounds a d_m from above. So the sets found bound alpha* from below: the
// bound is the least cost of a gap of the staircase (the lowest gap). Only the k of this gap
// matters: either a larger set of smaller diameter is found and the bound rises, or it is proved
// that there is none and the bound equals alpha*.
//
// Every proof that alpha(eps) <= k, by a cover or by a search, bounds alpha* from above.

namespace hearsay {

double inverse_square_cost(std::size_t independence_number, double threshold) {
  const double square = threshold * threshold;  // 0 for thresholds below 1e-162
  return square > 0 ? static_cast<double>(independence_number) / square
                    : std::numeric_limits<double>::infinity();
}

Cost noise_cost(double noise_bound) {
  return [noise_bound](std::size_t independence_number, double threshold) {
    // Without noise the cost is k even where (1 - eps) / eps overflows.
    const double noise = noise_bound == 0 ? 0 : noise_bound * ((1 - threshold) / threshold);
    return static_cast<double>(independence_number) * (1 + noise * noise);
  };
}

namespace {

using Gap = Staircase::Gap;

// The number of steps of improving a cover that take as long as a node of a search tree.
constexpr std::uint64_t kCoverSteps = 200;

struct ProblemAtThreshold {
  double threshold = 0;
  IndependentSetProblem problem;
};

// A set and a cover, which bound alpha from both sides.
struct GreedyBounds {
  std::vector<Arm> set;
  Cover cover;
};

// Bounds that take little more time than reading the graph. Only for large sparse graphs: of all
// others, an IndependentSetProblem gives better bounds as soon. Throws Stopped.
std::optional<GreedyBounds> greedy_bounds(const ThresholdGraph& graph, const Effort& effort) {
  constexpr std::size_t kManyEntries = std::size_t{1} << 17U;
  const auto* const conflicts = std::get_if<ConflictGraph>(&graph);
  if (conflicts == nullptr || conflicts->entries() < kManyEntries) {
    return std::nullopt;
  }
  return GreedyBounds{greedy_independent_set(*conflicts, effort),
                      CliqueCoverSearch(*conflicts, 1, effort).cover()};
}

// One of the costs to be minimized.
struct Target {
  Cost cost;
  AlphaBound upper;
  bool exact = false;
  unsigned leap = 0;       // the first leap of the next raise_lower_bound()
  unsigned undecided = 0;  // number of proofs that were left undecided
  double offset = 0;       // relative distance of the next threshold tried from the best one
  std::optional<ProblemAtThreshold> at_upper = {};  // at the threshold of `upper`
  std::pair<double, double> reported = {0, std::numeric_limits<double>::infinity()};

  double cost_of(const AlphaBound& bound) const { return cost(bound.size, bound.threshold); }
  double cost_of(const Gap& gap) const { return cost(gap.size(), gap.end); }
  double upper_cost() const { return cost_of(upper); }

  // Work for the next proof, in nodes of a search tree.
  std::uint64_t portion() const { return std::uint64_t{2000} << std::min(undecided, 40U); }
};

// Called with the index of a cost and its bounds, whenever these have changed.
using ReportBounds = std::function<void(std::size_t cost, double lower, double upper)>;

class Solver {
 public:
  Solver(const Graph& graph, std::span<const Cost> costs, const Effort& effort,
         const ReportBounds& progress)
      : graph_(graph),
        effort_(effort),
        progress_(progress),
        end_(graph.self_weight()),
        stairs_(end_),
        bounds_({.size = graph.arms(), .threshold = end_}),
        problems_(graph) {
    for (const Cost& cost : costs) {
      targets_.emplace_back(Target{.cost = cost, .upper = bounds_.newest()});
    }
  }

  std::vector<EffectiveIndependence> run() {
    try {
      solve();
    } catch (const Stopped&) {
      // The result is what has been found so far.
    }
    std::vector<EffectiveIndependence> results;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      report(i);
      results.push_back(result(targets_[i]));
    }
    return results;
  }

 private:
  void solve() {
    if (effort_.stopped()) {
      throw Stopped{};
    }
    if (is_very_large()) {
      cover_directly();
    }
    strengths_.emplace(graph_, effort_);
    if (const double least = std::min(strengths_->least(effort_), end_); least > 0) {
      std::vector<Arm> all(graph_.arms());
      std::iota(all.begin(), all.end(), Arm{0});
      record(AlphaBound{1, least, std::make_shared<Cover>(Cover{{std::move(all), 1}})});
    }
    take_first_bounds();
    bool open = true;
    while (open) {
      open = false;
      for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (!targets_[i].exact) {
          step(i);
          open = true;
        }
      }
    }
  }

  // Whether it takes longer than a second to compare all pairs of arms, which Strengths does before
  // anything else.
  bool is_very_large() const {
    constexpr std::size_t kManyEntries = std::size_t{1} << 26U;
    return (graph_.is_dense() ? graph_.arms() * graph_.arms() : graph_.arc_count()) > kManyEntries;
  }

  // Bounds alpha* by a cover at a threshold that is so small that few cliques are enough in most
  // graphs.
  void cover_directly() {
    const double threshold = 0.3 * end_;
    auto cover = std::make_shared<Cover>(first_fit_cover(graph_, threshold, effort_));
    record(AlphaBound{cover->size(), threshold, std::move(cover)});
  }

  // Finds both bounds at a few thresholds, so that neither is trivial.
  void take_first_bounds() {
    std::vector<double> thresholds;
    for (const double part : {1.0, 0.85, 0.7, 0.5, 0.3}) {
      const double threshold = std::min(end_, strengths_->level(part * end_));
      if (thresholds.empty() || threshold != thresholds.back()) {
        thresholds.push_back(threshold);
      }
    }
    for (const double threshold : thresholds) {
      if (const auto greedy = greedy_bounds(strengths_->at(threshold, effort_), effort_)) {
        record(AlphaBound{greedy->cover.size(), threshold, std::make_shared<Cover>(greedy->cover)});
        record(greedy->set);
      }
    }
    for (const double threshold : thresholds) {
      record(IndependentSetProblem(strengths_->at(threshold, effort_), effort_), threshold);
    }
  }

  // Brings the bounds of a target closer together.
  void step(std::size_t index) {
    Target& target = targets_[index];
    const Gap gap = lowest(target);
    report(index);
    if (proof_of(gap) != nullptr) {
      target.exact = true;
      return;
    }
    if (effort_.stopped()) {
      throw Stopped{};
    }
    if (!raise_lower_bound(target, gap, target.portion() / 2)) {
      prove(target, gap);
    }
    // If the proof turns out to be long, a part of the work is spent on the upper bound: most of it
    // for dense graphs, where each proof of a weaker bound costs only a fraction of the next one.
    // It is spent in growing portions, because a proof that is given too little work decides
    // nothing.
    constexpr std::uint64_t kLongProof = 100'000;
    const std::uint64_t share = graph_.is_dense() ? 2 * work_ / 3 : work_ / 4;
    if (work_ > kLongProof && share > upper_work_ + upper_work_ / 2) {
      const std::uint64_t before = work_;
      reduce_upper_bound(target, share - upper_work_);
      upper_work_ += work_ - before;
    }
  }

  Gap lowest(const Target& target) const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < stairs_.stairs().size(); ++i) {
      const double cost = target.cost(stairs_.stairs()[i].size, stairs_.end_of(i));
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    return stairs_.gap(best);
  }

  const AlphaBound* proof_of(const Gap& gap) const { return bounds_.proof_of(gap.size(), gap.end); }

  void record(AlphaBound bound) {
    if (!bounds_.add(std::move(bound))) {
      return;
    }
    for (Target& target : targets_) {
      if (target.cost_of(bounds_.newest()) < target.upper_cost()) {
        target.upper = bounds_.newest();
      }
    }
    // The bound that proves a lowest gap costs no more than the best upper bound, so the covers of
    // bounds that cost more are never needed.
    bounds_.release_covers([&](const AlphaBound& each) {
      return std::ranges::any_of(targets_, [&](const Target& target) {
        return target.cost_of(each) <= target.upper_cost();
      });
    });
  }

  // Records an independent set, and smaller ones within it.
  void record(const std::vector<Arm>& set) {
    stairs_.add(nested_sets(*strengths_, set, effort_));
    constexpr std::size_t kManyStairs = 256;
    if (stairs_.stairs().size() > kManyStairs) {
      stairs_.remove_redundant([&](std::size_t size, double end) {
        return std::ranges::any_of(targets_, [&](const Target& target) {
          return target.cost(size, end) < target.upper_cost();
        });
      });
    }
  }

  void record(const IndependentSetProblem& problem, double threshold) {
    record(problem.set());
    // The cover of a large graph is made only if it is needed.
    AlphaBound bound{problem.upper(), threshold, {}};
    if (std::ranges::any_of(targets_, [&](const Target& target) {
          return target.cost_of(bound) <= target.upper_cost();
        })) {
      bound.cover = std::make_shared<Cover>(problem.cover());
    }
    record(std::move(bound));
  }

  void report(std::size_t index) {
    Target& target = targets_[index];
    const std::pair interval = {target.cost_of(lowest(target)), target.upper_cost()};
    if (progress_ && interval != target.reported) {
      target.reported = interval;
      progress_(index, interval.first, interval.second);
    }
  }

  // Looks for a set that is larger than that of the gap, of a diameter so far below the end of the
  // gap that the lower bound rises by a given factor. Large factors are tried first, so that the
  // first bounds rise in a few leaps. If none is found, it searches at the end of the gap, for
  // `steps` steps or those of a short search if that is more. Returns whether a set was found.
  bool raise_lower_bound(Target& target, const Gap& gap, std::uint64_t steps) {
    // The first leap aims to raise the bound by 1000 times its value, each further leap by a third
    // of the previous rise.
    constexpr double kFirstRise = 1000;
    // The last leap is a small part of the difference that one more arm makes.
    const auto last_leap = static_cast<unsigned>(
        std::max(13.0, std::ceil(std::log(80e3 * static_cast<double>(gap.size())) / std::log(3))));
    double tried = 0;
    for (unsigned leap = std::min(target.leap, last_leap); leap <= last_leap; ++leap) {
      const double rise = kFirstRise * std::pow(3, -static_cast<double>(leap));
      const double threshold =
          strengths_->level(threshold_of(target, gap, (1 + rise) * target.cost_of(gap)));
      if (threshold == tried || threshold >= gap.end) {
        continue;
      }
      tried = threshold;
      if (search(gap, threshold, rise)) {
        target.leap = leap > 0 ? leap - 1 : 0;
        return true;
      }
    }
    target.leap = last_leap - 1;
    IndependentSetProblem& problem = problem_of(gap);
    steps = std::max(short_search(), steps);
    problem.search(steps, ++searches_, effort_);
    work_ += steps;
    record(problem, gap.end);
    return problem.lower() > gap.size();
  }

  // The number of steps of a short local search. On small graphs it is small, because a proof costs
  // less than a long search.
  std::uint64_t short_search() const {
    const auto arms = static_cast<std::int64_t>(graph_.arms());
    return static_cast<std::uint64_t>(std::min(std::max(2 * arms, 5 * arms - 500), 4 * arms + 500));
  }

  // The threshold within the gap at which the size of the gap has this cost.
  static double threshold_of(const Target& target, const Gap& gap, double cost) {
    double low = 0;
    double high = gap.end;
    for (int i = 0; i < 50; ++i) {
      const double middle = low + (high - low) / 2;
      (target.cost(gap.size(), middle) >= cost ? low : high) = middle;
    }
    return low;
  }

  // Looks for a set that is larger than that of the gap and independent at `threshold`.
  bool search(const Gap& gap, double threshold, double rise) {
    ThresholdGraph graph = strengths_->at(threshold, effort_);
    work_ += short_search();
    if (const auto* const bits = std::get_if<BitMatrix>(&graph)) {
      const std::vector<Arm> start = gap.stair.set();
      const std::vector<Arm> found = search_independent_set(
          *bits,
          {.size = gap.size() + 1, .steps = short_search(), .seed = ++searches_, .start = start},
          effort_);
      if (found.size() <= gap.size()) {
        return false;
      }
      record(found);
      return true;
    }
    // A sparse graph may be solved by its reduction alone.
    IndependentSetProblem problem(std::move(graph), effort_);
    constexpr double kSmallRise = 0.005;
    if (!problem.solved() && rise < kSmallRise) {
      problem.offer(gap.stair.set());
      problem.search(short_search(), ++searches_, effort_);
      problem.prove(kQuickProof, effort_);
    }
    record(problem, threshold);
    solves_ += problem.decisions();
    return problem.lower() > gap.size();
  }

  // How many nodes of a clique search take as long as a node of the problem's search.
  static std::uint64_t node_cost(const IndependentSetProblem& problem) {
    return problem.is_sparse() ? 25 : 1;
  }

  IndependentSetProblem& problem_of(const Gap& gap) {
    return problems_.at(gap, *strengths_, effort_);
  }

  void prove(Target& target, const Gap& gap) {
    IndependentSetProblem& problem = problem_of(gap);
    work_ += 1 + node_cost(problem) * problem.prove(target.portion(), effort_);
    record(problem, gap.end);
    if (!problem.solved()) {
      ++target.undecided;
    }
  }

  // Reduces the upper bound while the decisive proof, that of the lowest gap, is not finished: by
  // deciding gaps of small sets, and by better covers and proofs at the threshold of the upper
  // bound and at others. Half of the work goes to each, because in graphs of middle density a
  // single gap may take all the work that it is given. If the lowest gap ends at the threshold of
  // the upper bound, both would be the same work, so the gaps get all of it.
  void reduce_upper_bound(Target& target, std::uint64_t work) {
    const std::uint64_t end = work_ + work;
    const bool is_same = lowest(target).end == target.upper.threshold;
    settle_small_gaps(target, is_same ? work : work / 2);
    const std::uint64_t portion = std::max<std::uint64_t>(work / 4, 1000);
    while (work_ < end) {
      improve_at_upper(target, portion);
      try_other_threshold(target, portion);
    }
  }

  // Bounds alpha more closely at the threshold of the best upper bound.
  void improve_at_upper(Target& target, std::uint64_t nodes) {
    if (effort_.stopped()) {
      throw Stopped{};
    }
    const double threshold = target.upper.threshold;
    if (!target.at_upper || target.at_upper->threshold != threshold) {
      target.at_upper.reset();  // before the next one is made, because each needs much memory
      target.at_upper.emplace(ProblemAtThreshold{
          threshold, IndependentSetProblem(strengths_->at(threshold, effort_), effort_)});
      target.at_upper->problem.offer(stairs_.largest_at(threshold).set());
    }
    work_ += 1000;
    IndependentSetProblem& problem = target.at_upper->problem;
    if (problem.solved()) {
      return;
    }
    solves_ += bound_more_closely(problem, nodes);
    record(problem, threshold);
    work_ += nodes;
  }

  // Spends about `nodes` nodes of work on the upper bound of a problem. Returns the number of
  // proofs that decided something.
  std::uint64_t bound_more_closely(IndependentSetProblem& problem, std::uint64_t nodes) const {
    const std::uint64_t before = problem.decisions();
    problem.improve_cover(kCoverSteps * nodes / 4, effort_);
    problem.prove(nodes / 4 / node_cost(problem), effort_);
    problem.reduce_upper_bound(nodes / 2, effort_);
    return problem.decisions() - before;
  }

  // In dense graphs, gaps of small sets are easier to decide.
  void settle_small_gaps(Target& target, std::uint64_t nodes) {
    const std::uint64_t end = work_ + nodes;
    while (work_ < end) {
      if (effort_.stopped()) {
        throw Stopped{};
      }
      std::optional<Gap> easiest;
      for (std::size_t i = 0; i < stairs_.stairs().size() && !easiest; ++i) {
        const Gap gap = stairs_.gap(i);
        if (target.cost_of(gap) < target.upper_cost() && proof_of(gap) == nullptr) {
          easiest = gap;
        }
      }
      if (!easiest || is_sparse_at(easiest->end)) {
        return;
      }
      if (!raise_lower_bound(target, *easiest, (end - work_) / 4)) {
        IndependentSetProblem& problem = problem_of(*easiest);
        const std::uint64_t left = end - std::min(end, work_);
        if (easiest->size() != lowest(target).size()) {
          work_ += 1 + problem.prove(left, effort_);
        } else {  // the decisive proof: weaker proofs and covers reduce the bound
          problem.improve_cover(kCoverSteps * left / 2, effort_);
          work_ += 1 + left / 2 + problem.reduce_upper_bound(left / 2, effort_);
        }
        record(problem, easiest->end);
        if (!problem.solved()) {
          work_ = std::max(work_, end);
          return;
        }
      }
    }
  }

  bool is_sparse_at(double threshold) const {
    return std::holds_alternative<ConflictGraph>(strengths_->at(threshold, effort_));
  }

  // Bounds alpha at a threshold near that of the best upper bound: first below it, then above it,
  // and nearer to it after both did not help.
  void try_other_threshold(Target& target, std::uint64_t nodes) {
    constexpr double kFirst = 0.2;
    constexpr double kLast = 1e-3;
    if (std::abs(target.offset) < kLast) {
      target.offset = kFirst;
    }
    const double best = target.upper.threshold;
    const double threshold = std::min(end_, strengths_->level(best * (1 - target.offset)));
    const double before = target.upper_cost();
    const std::size_t known = stairs_.largest_at(threshold).size;
    work_ += 1000;
    if (threshold != best && target.cost(known, threshold) < before) {
      IndependentSetProblem problem(strengths_->at(threshold, effort_), effort_);
      solves_ += bound_more_closely(problem, nodes);
      record(problem, threshold);
      work_ += nodes;
    }
    if (target.upper_cost() == before) {
      target.offset *= target.offset > 0 ? -1 : -0.5;
    }
  }

  EffectiveIndependence result(const Target& target) const {
    const Gap gap = lowest(target);
    const double lower = target.cost_of(gap);
    const AlphaBound& upper = target.exact ? *proof_of(gap) : target.upper;
    EffectiveIndependence result;
    result.lower = lower;
    result.exact = target.exact;
    result.threshold = target.exact ? gap.end : upper.threshold;
    result.independence_upper = target.exact ? gap.size() : upper.size;
    result.upper = target.cost(result.independence_upper, result.threshold);
    result.witness = stairs_.largest_at(result.threshold).set();
    result.independence_number = result.witness.size();
    result.chain = chain(target, lower);
    result.cover = upper.cover ? *upper.cover : Cover{};
    result.solves = solves_ + problems_.decisions();
    return result;
  }

  // The chain of sets that proves that the target costs at least `lower`.
  std::vector<ChainLink> chain(const Target& target, double lower) const {
    Staircase needed = stairs_;
    needed.remove_redundant(
        [&](std::size_t size, double end) { return target.cost(size, end) < lower; });
    return chain_of(needed, graph_.arms());
  }

  static constexpr std::uint64_t kQuickProof = 20'000;

  const Graph& graph_;
  const Effort& effort_;
  const ReportBounds& progress_;
  double end_;
  std::optional<Strengths> strengths_;
  Staircase stairs_;
  AlphaBounds bounds_;
  IndependentSetProblemCache problems_;
  std::vector<Target> targets_;
  std::uint64_t searches_ = 0;
  std::uint64_t work_ = 0;        // approximate number of steps of local searches and nodes
  std::uint64_t upper_work_ = 0;  // the part of it spent on the upper bound
  std::uint64_t solves_ = 0;      // decisions of problems that are not in problems_
};

}  // namespace

std::vector<EffectiveIndependence> effective_independence(const Graph& graph,
                                                          std::span<const Cost> costs,
                                                          const Effort& effort,
                                                          const ReportBounds& progress) {
  for (const Cost& cost : costs) {
    if (!std::isfinite(cost(graph.arms(), graph.self_weight()))) {
      throw Error(
          fmt::format("the bound for {} arms at the self weight {} is not finite, expected a "
                      "smaller noise bound",
                      graph.arms(), graph.self_weight()));
    }
  }
  return Solver(graph, costs, effort, progress).run();
}

EffectiveIndependence effective_independence(const Graph& graph,
                                             const IndependenceOptions& options) {
  const std::function<void(std::size_t, double, double)> progress =
      options.progress
          ? [&](std::size_t, double lower, double upper) { options.progress(lower, upper); }
          : ReportBounds{};
  return std::move(
      effective_independence(graph, std::span(&options.cost, 1), options.effort, progress).front());
}

IndependenceNumber independence_number(
    const Graph& graph, double threshold, const Effort& effort,
    const std::function<void(std::size_t lower, std::size_t upper)>& progress) {
  assert(threshold > 0);
  IndependenceNumber result{.threshold = threshold, .upper = graph.arms(), .witness = {0}};
  const auto report_bounds = [&](std::size_t lower, std::size_t upper) {
    if (std::pair(lower, upper) != std::pair(result.lower, result.upper)) {
      result.lower = lower;
      result.upper = upper;
      if (progress) {
        progress(lower, upper);
      }
    }
  };
  std::optional<IndependentSetProblem> problem;
  try {
    if (!effort.stopped()) {
      ThresholdGraph conflicts = Strengths(graph, effort).at(threshold, effort);
      if (auto greedy = greedy_bounds(conflicts, effort)) {
        result.witness = std::move(greedy->set);
        result.cover = std::move(greedy->cover);
        report_bounds(result.witness.size(), result.cover.size());
      }
      problem.emplace(std::move(conflicts), effort);
    }
  } catch (const Stopped&) {
    // The bounds so far remain.
  }
  if (!problem) {
    return result;
  }
  const auto report = [&] { report_bounds(problem->lower(), problem->upper()); };
  report();
  problem->search(20 * graph.arms(), 0, effort);
  report();
  std::uint64_t seed = 0;
  // The first proof is short, because that is often enough. Later a third of the nodes is spent on
  // proofs of weaker bounds: each costs a fraction of the next, so the interval keeps shrinking.
  std::uint64_t work = 0;
  std::uint64_t upper_work = 0;
  for (std::uint64_t nodes = 2000; !problem->solved() && !effort.stopped(); nodes *= 2) {
    work += problem->prove(nodes, effort);
    report();
    problem->improve_cover(kCoverSteps * nodes / 2, effort);
    report();
    problem->search(2 * nodes, ++seed, effort);
    if (upper_work < work / 2) {
      upper_work += problem->reduce_upper_bound(work / 2 - upper_work, effort);
    }
    report();
  }
  report();
  result.witness = problem->set();
  result.cover = problem->cover();
  return result;
}

}  // namespace hearsay
