#include "hearsay/certificate/branch_and_reduce.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "hearsay/certificate/clique_cover.h"
#include "hearsay/certificate/clique_search.h"
#include "hearsay/certificate/reduction.h"

namespace hearsay {
namespace {

using Set = std::vector<Arm>;

// All arms of the graph except `arm` and `others`.
std::vector<Arm> without(const ConflictGraph& graph, Arm arm, std::span<const Arm> others) {
  std::vector<bool> gone(graph.size());
  gone[arm] = true;
  for (const Arm other : others) {
    gone[other] = true;
  }
  std::vector<Arm> rest;
  rest.reserve(graph.size());
  for (Arm each = 0; each < graph.size(); ++each) {
    if (!gone[each]) {
      rest.push_back(each);
    }
  }
  return rest;
}

Set renumbered(Set set, std::span<const Arm> number) {
  for (Arm& arm : set) {
    arm = number[arm];
  }
  return set;
}

class Search {
 public:
  Search(std::uint64_t nodes, const Effort& effort)
      : effort_(effort), meter_(nodes, [&effort] { return effort.stopped(); }) {}

  const SearchMeter& meter() const { return meter_; }

  // Returns a largest set of `graph` if it has more than `floor` arms. If the meter gave up, a set
  // that is returned has more than `floor` arms but need not be a largest one.
  std::optional<Set> solve(const ConflictGraph& graph, std::int64_t floor) {
    const std::size_t size = graph.size() + graph.entries();
    path_ += size;
    if (meter_.node(64 * size, 1 + size / 16) || path_ > kLongestPath) {
      meter_.give_up();
      path_ -= size;
      return std::nullopt;
    }
    const Reduction reduction(graph, Reduction::Rules::local, effort_);
    const std::optional<Set> kernel_set =
        solve_kernel(reduction.kernel(), floor - static_cast<std::int64_t>(reduction.taken()));
    path_ -= size;
    return kernel_set ? std::optional(reduction.lift_set(*kernel_set)) : std::nullopt;
  }

 private:
  std::optional<Set> solve_kernel(const ConflictGraph& kernel, std::int64_t floor) {
    std::vector<ConflictComponent> parts = components_of(kernel, effort_);
    std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.arms.size(); });
    std::vector<std::int64_t> uppers;
    std::ranges::transform(parts, std::back_inserter(uppers), [](const auto& part) {
      return static_cast<std::int64_t>(clique_cover_size(part.graph));
    });
    auto upper = std::accumulate(uppers.begin(), uppers.end(), std::int64_t{0});
    Set set;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      upper -= uppers[i];  // now the bound for the parts after this one
      const std::int64_t others = static_cast<std::int64_t>(set.size()) + upper;
      if (uppers[i] + others <= floor) {
        return std::nullopt;
      }
      const std::optional<Set> found = solve_part(parts[i].graph, floor - others);
      if (!found) {
        return std::nullopt;
      }
      const Set lifted = renumbered(*found, parts[i].arms);
      set.insert(set.end(), lifted.begin(), lifted.end());
    }
    return static_cast<std::int64_t>(set.size()) > floor ? std::optional(set) : std::nullopt;
  }

  std::optional<Set> solve_part(const ConflictGraph& graph, std::int64_t floor) {
    constexpr std::size_t kLargestForCliques = 512;
    if (graph.size() <= kLargestForCliques && 12 * graph.entries() >= graph.size() * graph.size()) {
      return solve_by_cliques(to_compatible(graph), floor);
    }
    Arm chosen = 0;
    for (Arm arm = 1; arm < graph.size(); ++arm) {
      if (graph.degree(arm) > graph.degree(chosen)) {
        chosen = arm;
      }
    }
    std::optional<Set> best;
    std::vector<Arm> rest = without(graph, chosen, graph.of(chosen));
    if (const auto found = solve(induced(graph, rest), floor - 1)) {
      best = renumbered(*found, rest);
      best->push_back(chosen);
      floor = static_cast<std::int64_t>(best->size());
    }
    if (meter_.gave_up()) {
      return best;
    }
    rest = without(graph, chosen, {});
    if (const auto found = solve(induced(graph, rest), floor)) {
      best = renumbered(*found, rest);
    }
    return best;
  }

  std::optional<Set> solve_by_cliques(const BitMatrix& compatible, std::int64_t floor) {
    std::optional<Set> best;
    auto need = static_cast<std::size_t>(std::max<std::int64_t>(floor + 1, 1));
    for (Set found; cliques_.find(compatible, all_bits(compatible.size()), need, meter_, found);
         found.clear()) {
      need = found.size() + 1;
      best = found;
    }
    return best;
  }

  // The largest total size of the graphs on the path from the root to a node, which are all in
  // memory.
  static constexpr std::size_t kLongestPath = std::size_t{1} << 24U;

  const Effort& effort_;
  SearchMeter meter_;
  CliqueSearcher cliques_;
  std::size_t path_ = 0;
};

}  // namespace

LargerSet find_larger_set(const ConflictGraph& graph, std::size_t size, std::uint64_t nodes,
                          const Effort& effort) {
  Search search(nodes, effort);
  LargerSet result;
  try {
    std::optional<Set> set = search.solve(graph, static_cast<std::int64_t>(size));
    if (!search.meter().gave_up()) {
      result.outcome = set ? LargerSet::Outcome::found : LargerSet::Outcome::none;
    }
    if (set) {
      result.set = std::move(*set);
    }
  } catch (const Stopped&) {
    // The outcome stays `undecided`.
  }
  result.nodes = search.meter().nodes();
  return result;
}

}  // namespace hearsay
