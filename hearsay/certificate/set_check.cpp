#include "hearsay/certificate/set_check.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace hearsay {
namespace {

struct GaveUp {};

using Word = std::uint64_t;
using Bits = std::vector<Word>;

// For dense graphs: vertices are put greedily into need - 1 cliques. An independent set has at most
// need - 1 vertices in them, so a set of `need` vertices must have one of the other vertices.
class DenseCheck {
 public:
  DenseCheck(const ConflictLists& graph, const std::function<bool()>& stop)
      : stop_(stop), words_((graph.size() + 63) / 64), conflicts_(graph.size(), Bits(words_)) {
    // Vertices with few conflicts are put into cliques first: they have the most candidates when
    // they are branched on.
    std::vector<Arm> order(graph.size());
    std::iota(order.begin(), order.end(), Arm{0});
    std::ranges::stable_sort(order, {}, [&](Arm v) { return graph[v].size(); });
    std::vector<std::size_t> number(graph.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      number[order[i]] = i;
    }
    for (std::size_t v = 0; v < graph.size(); ++v) {
      for (const Arm other : graph[v]) {
        set_bit(conflicts_[number[v]], number[other]);
      }
    }
  }

  bool has_set(std::size_t size) {
    Bits all(words_);
    for (std::size_t i = 0; i < conflicts_.size(); ++i) {
      set_bit(all, i);
    }
    return has_set(all, size);
  }

 private:
  static void set_bit(Bits& bits, std::size_t i) { bits[i / 64] |= Word{1} << (i % 64); }
  static void clear_bit(Bits& bits, std::size_t i) { bits[i / 64] &= ~(Word{1} << (i % 64)); }
  static std::optional<std::size_t> first_bit(const Bits& bits) {
    for (std::size_t w = 0; w < bits.size(); ++w) {
      if (bits[w] != 0) {
        return w * 64 + static_cast<std::size_t>(std::countr_zero(bits[w]));
      }
    }
    return std::nullopt;
  }

  bool has_set(const Bits& candidates, std::size_t need) {
    if (need == 0) {
      return true;
    }
    work_ += (conflicts_.size() + need) * words_;
    if (work_ > kWorkBetweenStops) {
      work_ = 0;
      if (stop_()) {
        throw GaveUp{};
      }
    }
    Bits outside = candidates;  // the vertices in no clique
    for (std::size_t clique = 1; clique < need; ++clique) {
      Bits fits = outside;
      while (const std::optional<std::size_t> v = first_bit(fits)) {
        clear_bit(outside, *v);
        for (std::size_t w = 0; w < words_; ++w) {
          fits[w] &= conflicts_[*v][w];
        }
      }
    }
    Bits allowed = candidates;
    for (std::size_t w = 0; w < words_; ++w) {
      allowed[w] &= ~outside[w];
    }
    while (const std::optional<std::size_t> v = first_bit(outside)) {
      Bits rest = allowed;
      for (std::size_t w = 0; w < words_; ++w) {
        rest[w] &= ~conflicts_[*v][w];
      }
      if (has_set(rest, need - 1)) {
        return true;
      }
      clear_bit(outside, *v);
      set_bit(allowed, *v);
    }
    return false;
  }

  static constexpr std::uint64_t kWorkBetweenStops = 10'000'000;

  const std::function<bool()>& stop_;
  std::size_t words_;
  std::vector<Bits> conflicts_;
  std::uint64_t work_ = 0;
};

// A graph from which vertices are removed; the others keep their numbers.
using ConflictSets = std::map<Arm, std::set<Arm>>;

ConflictLists to_lists(const ConflictSets& graph) {
  std::map<Arm, Arm> number;
  for (const auto& [arm, conflicts] : graph) {
    number.emplace(arm, static_cast<Arm>(number.size()));
  }
  ConflictLists lists;
  for (const auto& [arm, conflicts] : graph) {
    lists.emplace_back();
    for (const Arm other : conflicts) {
      lists.back().push_back(number.at(other));
    }
  }
  return lists;
}

bool is_dense(std::size_t vertices, std::size_t entries) {
  return 10 * entries >= vertices * vertices;
}

std::size_t count_entries(const ConflictLists& graph) {
  std::size_t entries = 0;
  for (const std::vector<Arm>& conflicts : graph) {
    entries += conflicts.size();
  }
  return entries;
}

// For sparse graphs: arms with at most two conflicts are decided at once, components are solved one
// by one, and the search branches on an arm with the most conflicts.
class SparseCheck {
 public:
  explicit SparseCheck(const std::function<bool()>& stop) : stop_(stop) {}

  // The independence number of the graph, clamped to [floor, enough].
  std::int64_t alpha(ConflictSets graph, std::int64_t floor, std::int64_t enough) {
    std::size_t entries = graph.size();
    for (const auto& [arm, conflicts] : graph) {
      entries += conflicts.size();
    }
    path_ += entries;
    if (path_ > kLongestPath) {
      throw GaveUp{};
    }
    const std::int64_t result = alpha_of_components(std::move(graph), floor, enough);
    path_ -= entries;
    return result;
  }

 private:
  std::int64_t alpha_of_components(ConflictSets graph, std::int64_t floor, std::int64_t enough) {
    std::int64_t sum = decide_arms(graph);
    struct Part {
      ConflictSets graph;
      std::int64_t cliques = 0;
    };
    std::vector<Part> parts;
    std::int64_t rest = 0;  // the number of cliques of the components after this one
    while (!graph.empty()) {
      parts.push_back({take_component(graph)});
      parts.back().cliques = cliques(parts.back().graph);
      rest += parts.back().cliques;
    }
    for (const Part& part : parts) {
      if (sum >= enough) {
        return enough;
      }
      if (sum + rest <= floor) {
        return floor;
      }
      rest -= part.cliques;
      const std::int64_t least = std::max<std::int64_t>(0, floor - sum - rest);
      sum += alpha_of_component(part.graph, least, enough - sum);
    }
    return std::clamp(sum, floor, enough);
  }

  void throw_if_stopped() {
    if (stop_()) {
      throw GaveUp{};
    }
  }

  static void remove(ConflictSets& graph, Arm arm) {
    for (const Arm other : graph.at(arm)) {
      graph.at(other).erase(arm);
    }
    graph.erase(arm);
  }

  static void remove_with_conflicts(ConflictSets& graph, Arm arm) {
    const std::set<Arm> conflicts = graph.at(arm);
    for (const Arm other : conflicts) {
      remove(graph, other);
    }
    remove(graph, arm);
  }

  // Decides arms with at most two conflicts while there are any. Returns the number of arms that
  // this adds to a largest set.
  std::int64_t decide_arms(ConflictSets& graph) {
    std::int64_t taken = 0;
    std::vector<Arm> waiting;
    for (const auto& [arm, conflicts] : graph) {
      waiting.push_back(arm);
    }
    while (!waiting.empty()) {
      if (++steps_ % 1024 == 0) {
        throw_if_stopped();
      }
      const Arm arm = waiting.back();
      waiting.pop_back();
      const auto found = graph.find(arm);
      if (found == graph.end() || found->second.size() > 2) {
        continue;
      }
      ++taken;
      const std::set<Arm> conflicts = found->second;
      for (const Arm other : conflicts) {  // their conflicts must be examined again
        waiting.insert(waiting.end(), graph.at(other).begin(), graph.at(other).end());
      }
      if (conflicts.size() == 2 && !graph.at(*conflicts.begin()).contains(*conflicts.rbegin())) {
        fold(graph, arm, *conflicts.begin(), *conflicts.rbegin());
        waiting.push_back(*conflicts.begin());
      } else {
        remove_with_conflicts(graph, arm);
      }
    }
    return taken;
  }

  // Some largest set has either both conflicts of `arm`, which are `a` and `b`, or `arm`. From now
  // on `a` represents the choice of both.
  static void fold(ConflictSets& graph, Arm arm, Arm a, Arm b) {
    std::set<Arm> conflicts = graph.at(a);
    conflicts.insert(graph.at(b).begin(), graph.at(b).end());
    conflicts.erase(arm);
    remove(graph, arm);
    remove(graph, b);
    for (const Arm other : conflicts) {
      graph.at(other).insert(a);
    }
    graph.at(a) = std::move(conflicts);
  }

  static ConflictSets take_component(ConflictSets& graph) {
    std::vector<Arm> waiting = {graph.begin()->first};
    ConflictSets component;
    while (!waiting.empty()) {
      const Arm arm = waiting.back();
      waiting.pop_back();
      if (const auto found = graph.find(arm); found != graph.end()) {
        waiting.insert(waiting.end(), found->second.begin(), found->second.end());
        component.insert(graph.extract(found));
      }
    }
    return component;
  }

  std::int64_t alpha_of_component(const ConflictSets& graph, std::int64_t floor,
                                  std::int64_t enough) {
    throw_if_stopped();
    if (floor >= enough) {
      return floor;
    }
    std::size_t entries = 0;
    Arm chosen = graph.begin()->first;
    for (const auto& [arm, conflicts] : graph) {
      entries += conflicts.size();
      chosen = conflicts.size() > graph.at(chosen).size() ? arm : chosen;
    }
    if (is_dense(graph.size(), entries)) {
      DenseCheck dense(to_lists(graph), stop_);
      std::int64_t size = floor;
      while (size < enough && dense.has_set(static_cast<std::size_t>(size + 1))) {
        ++size;
      }
      return size;
    }
    ConflictSets with = graph;
    remove_with_conflicts(with, chosen);
    const std::int64_t best =
        1 + alpha(std::move(with), std::max<std::int64_t>(0, floor - 1), enough - 1);
    if (best >= enough) {
      return enough;
    }
    ConflictSets without = graph;
    remove(without, chosen);
    return alpha(std::move(without), std::max(best, floor), enough);
  }

  // The number of cliques of a greedy cover.
  static std::int64_t cliques(const ConflictSets& graph) {
    std::map<Arm, std::size_t> clique_of;
    std::vector<std::size_t> sizes;
    for (const auto& [arm, conflicts] : graph) {
      std::map<std::size_t, std::size_t> met;  // members of a clique that the arm conflicts with
      std::size_t fits = sizes.size();
      for (const Arm other : conflicts) {
        const auto clique = clique_of.find(other);
        if (clique != clique_of.end() && ++met[clique->second] == sizes[clique->second]) {
          fits = clique->second;
        }
      }
      if (fits == sizes.size()) {
        sizes.push_back(0);
      }
      ++sizes[fits];
      clique_of[arm] = fits;
    }
    return static_cast<std::int64_t>(sizes.size());
  }

  // The graphs on the path from the root of the search to a node are all in memory. This limits
  // their total number of vertices and entries, of about 50 bytes each.
  static constexpr std::size_t kLongestPath = 5'000'000;

  const std::function<bool()>& stop_;
  std::uint64_t steps_ = 0;
  std::size_t path_ = 0;
};

}  // namespace

std::optional<bool> has_independent_set(const ConflictLists& graph, std::size_t size,
                                        const std::function<bool()>& stop) {
  if (size > graph.size()) {
    return false;
  }
  if (stop()) {
    return std::nullopt;
  }
  try {
    const std::size_t entries = count_entries(graph);
    if (is_dense(graph.size(), entries)) {
      return DenseCheck(graph, stop).has_set(size);
    }
    ConflictSets sets;
    for (Arm v = 0; v < graph.size(); ++v) {
      sets.emplace_hint(sets.end(), v, std::set<Arm>(graph[v].begin(), graph[v].end()));
    }
    const auto enough = static_cast<std::int64_t>(size);
    return SparseCheck(stop).alpha(std::move(sets), enough - 1, enough) == enough;
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

}  // namespace hearsay
