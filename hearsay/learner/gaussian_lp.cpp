#include "hearsay/learner/gaussian_lp.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "hearsay/base/interruption.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/covering_program.h"

namespace hearsay {
namespace {

constexpr double kLeastGap = 0.01;
constexpr double kConfidence = 2.1;   // alpha of the paper: above 2
constexpr double kNegligible = 1e-9;  // relative to the precision of an arm's own loss

struct Gaps {
  Arm best = 0;
  std::vector<double> to_best;  // from kLeastGap to 1, as losses are in [0, 1]
  std::vector<double> demands;  // 2 / gap^2; for the best arm, with the smallest gap of the others
};

Gaps gaps_of(std::span<const double> means) {
  Gaps gaps;
  gaps.best = static_cast<Arm>(std::ranges::min_element(means) - means.begin());
  double smallest = 1;
  for (Arm arm = 0; arm < means.size(); ++arm) {
    const double gap = std::clamp(means[arm] - means[gaps.best], kLeastGap, 1.0);
    gaps.to_best.push_back(gap);
    gaps.demands.push_back(2 / (gap * gap));
    smallest = arm == gaps.best ? smallest : std::min(smallest, gap);
  }
  gaps.demands[gaps.best] = 2 / (smallest * smallest);
  return gaps;
}

// For each pair of arms whose precision is not negligible, the precision with which playing `by`
// shows `of`. In increasing order of `by`, then `of`.
std::vector<CoveringEntry> precisions_of(const Graph& graph, double noise_bound) {
  const double own = observation_precision(graph.self_weight(), noise_bound);
  std::vector<CoveringEntry> entries;
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      note_work(1);
      const double precision = observation_precision(weight, noise_bound);
      if (seen == played || precision > kNegligible * own) {
        entries.push_back({played, seen, precision});
      }
    });
  }
  return entries;
}

struct Memory {
  double solved_in = 0;  // the round; 0 if never
  std::span<const double> means;
  std::span<const double> plays;  // for each arm, to be multiplied by 4 kConfidence log(round)
};

Memory read(const std::vector<double>& numbers, std::size_t arms) {
  if (numbers.size() != 1 + 2 * arms) {
    return {};
  }
  const std::span<const double> all(numbers);
  return {numbers[0], all.subspan(1, arms), all.subspan(1 + arms)};
}

// Whether the program must be solved again: the round has doubled, or a mean has moved by more than
// a tenth of its gap.
bool is_outdated(const Memory& memory, const PolicyInput& input, const Gaps& gaps) {
  if (memory.solved_in == 0 || static_cast<double>(input.round) >= 2 * memory.solved_in) {
    return true;
  }
  for (std::size_t i = 0; i < input.means.size(); ++i) {
    if (std::abs(input.means[i] - memory.means[i]) > gaps.to_best[i] / 10) {
      return true;
    }
  }
  return false;
}

// Whether this many plays of each arm meet all demands.
bool meets_demands(std::span<const std::uint64_t> plays, double scale, const Gaps& gaps,
                   std::span<const CoveringEntry> precisions) {
  note_work(precisions.size());
  std::vector<double> scaled(plays.size());
  std::ranges::transform(plays, scaled.begin(), [scale](std::uint64_t count) {
    return static_cast<double>(count) / scale;
  });
  std::vector<double> covered(plays.size());
  for (const CoveringEntry& entry : precisions) {
    covered[entry.of] += scaled[entry.by] * entry.amount;
  }
  return std::ranges::equal(covered, gaps.demands, std::greater_equal<>());
}

// The arm whose observations of `of` are the most precise.
Arm most_precise_observer(Arm of, std::span<const CoveringEntry> precisions) {
  Arm best = of;
  double most = 0;
  for (const CoveringEntry& entry : precisions) {
    if (entry.of == of && entry.amount > most) {
      best = static_cast<Arm>(entry.by);
      most = entry.amount;
    }
  }
  return best;
}

}  // namespace

Policy gaussian_lp(double noise_bound) {
  return [noise_bound, known = ForLastGraph<std::vector<CoveringEntry>>()](
             const PolicyInput& input) mutable -> PolicyChoice {
    const std::size_t n = input.means.size();
    const Gaps gaps = gaps_of(input.means);
    const double scale = 4 * kConfidence * std::log(static_cast<double>(input.round));
    const std::span<const CoveringEntry> precisions =
        known.get(*input.graph, [&] { return precisions_of(*input.graph, noise_bound); });
    if (n == 1 || meets_demands(input.plays, scale, gaps, precisions)) {
      return {.arm = gaps.best};
    }
    const auto least = std::ranges::min_element(input.precisions);
    if (*least < std::sqrt(static_cast<double>(input.explored)) / static_cast<double>(n)) {
      const auto arm = static_cast<Arm>(least - input.precisions.begin());
      return {.arm = most_precise_observer(arm, precisions), .explores = true};
    }
    if (is_outdated(read(input.memory, n), input, gaps)) {
      const std::vector<double> plays = cheapest_cover(gaps.to_best, gaps.demands, precisions);
      input.memory.assign(1, static_cast<double>(input.round));
      input.memory.insert(input.memory.end(), input.means.begin(), input.means.end());
      input.memory.insert(input.memory.end(), plays.begin(), plays.end());
    }
    const Memory memory = read(input.memory, n);
    for (Arm arm = 0; arm < n; ++arm) {
      if (static_cast<double>(input.plays[arm]) < scale * memory.plays[arm]) {
        return {.arm = arm, .explores = true};
      }
    }
    return {.arm = gaps.best};
  };
}

}  // namespace hearsay
