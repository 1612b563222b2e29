#include "hearsay/certificate/matching.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>

namespace hearsay {
namespace {

constexpr Arm kNone = DoubleCoverMatching::kUnmatched;

class HopcroftKarp {
 public:
  HopcroftKarp(const ConflictGraph& graph, const Effort& effort)
      : graph_(graph),
        poll_(effort),
        matching_{std::vector<Arm>(graph.size(), kNone), std::vector<Arm>(graph.size(), kNone)},
        layer_(graph.size()),
        next_(graph.size()) {}

  DoubleCoverMatching run() {
    match_greedily();
    while (build_layers()) {
      std::ranges::fill(next_, 0);
      for (Arm u = 0; u < graph_.size(); ++u) {
        if (matching_.right_of[u] == kNone) {
          augment(u);
        }
      }
    }
    return std::move(matching_);
  }

 private:
  static constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

  void match(Arm left, Arm right) {
    matching_.right_of[left] = right;
    matching_.left_of[right] = left;
  }

  void match_greedily() {
    for (Arm u = 0; u < graph_.size(); ++u) {
      for (const Arm v : graph_.of(u)) {
        if (matching_.left_of[v] == kNone) {
          match(u, v);
          break;
        }
      }
      poll_.throw_if_stopped(graph_.degree(u) + 1);
    }
  }

  // Computes the distance of each left vertex from an unmatched one along alternating paths.
  // Returns false if no path ends at an unmatched right vertex; the matching is then a largest one.
  bool build_layers() {
    std::vector<Arm> reached;
    for (Arm u = 0; u < graph_.size(); ++u) {
      layer_[u] = kFar;
      if (matching_.right_of[u] == kNone) {
        layer_[u] = 0;
        reached.push_back(u);
      }
    }
    bool found = false;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const Arm u = reached[i];
      for (const Arm v : graph_.of(u)) {
        const Arm next = matching_.left_of[v];
        if (next == kNone) {
          found = true;
        } else if (layer_[next] == kFar) {
          layer_[next] = layer_[u] + 1;
          reached.push_back(next);
        }
      }
      poll_.throw_if_stopped(4 * graph_.degree(u) + 1);
    }
    return found;
  }

  // Looks for an augmenting path from left vertex `start` along the layers. Uses an explicit stack,
  // because paths can be as long as the graph is large.
  void augment(Arm start) {
    std::vector<Arm> path = {start};
    while (!path.empty()) {
      const Arm u = path.back();
      const std::span<const Arm> neighbours = graph_.of(u);
      if (next_[u] == neighbours.size()) {
        layer_[u] = kFar;
        path.pop_back();
        continue;
      }
      const Arm v = neighbours[next_[u]++];
      const Arm next = matching_.left_of[v];
      poll_.throw_if_stopped(4);
      if (next == kNone) {
        // Each left vertex of the path is matched with the right vertex that was tried last for it.
        for (const Arm left : path) {
          match(left, graph_.of(left)[next_[left] - 1]);
        }
        return;
      }
      if (layer_[next] == layer_[u] + 1) {
        path.push_back(next);
      }
    }
  }

  const ConflictGraph& graph_;
  StopPoll poll_;
  DoubleCoverMatching matching_;
  std::vector<std::uint32_t> layer_;
  std::vector<std::size_t> next_;  // the next neighbour to try
};

// The strongly connected components of the graph of alternating paths: from left vertex u over a
// neighbour v to the left vertex that v is matched with. Every vertex of `alive` must be matched.
// Calls visit(component) in an order in which components that can be reached come first.
template <class Visit>
void for_each_component(const ConflictGraph& graph, const DoubleCoverMatching& matching,
                        const std::vector<bool>& alive, StopPoll& poll, Visit&& visit) {
  // Tarjan's algorithm with an explicit stack.
  struct Frame {
    Arm vertex = 0;
    std::size_t next = 0;
  };
  std::vector<std::uint32_t> index(graph.size());  // 0: not visited
  std::vector<std::uint32_t> low(graph.size());
  std::vector<bool> on_stack(graph.size());
  std::vector<Arm> stack;
  std::vector<Frame> frames;
  std::uint32_t count = 0;
  const auto enter = [&](Arm u) {
    index[u] = low[u] = ++count;
    on_stack[u] = true;
    stack.push_back(u);
    frames.push_back({u, 0});
  };
  for (Arm start = 0; start < graph.size(); ++start) {
    if (!alive[start] || index[start] != 0) {
      continue;
    }
    enter(start);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const Arm u = frame.vertex;
      const std::span<const Arm> neighbours = graph.of(u);
      poll.throw_if_stopped(4);
      if (frame.next < neighbours.size()) {
        const Arm v = neighbours[frame.next++];
        if (!alive[v]) {
          continue;
        }
        const Arm reached = matching.left_of[v];
        if (index[reached] == 0) {
          enter(reached);
        } else if (on_stack[reached]) {
          low[u] = std::min(low[u], index[reached]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        low[frames.back().vertex] = std::min(low[frames.back().vertex], low[u]);
      }
      if (low[u] == index[u]) {
        std::vector<Arm> component;
        do {
          component.push_back(stack.back());
          on_stack[stack.back()] = false;
          stack.pop_back();
        } while (component.back() != u);
        visit(component);
      }
    }
  }
}

}  // namespace

DoubleCoverMatching match_double_cover(const ConflictGraph& graph, const Effort& effort) {
  return HopcroftKarp(graph, effort).run();
}

Crown find_crown(const ConflictGraph& graph, const DoubleCoverMatching& matching,
                 const Effort& effort) {
  StopPoll poll(effort);
  Crown crown;
  std::vector<bool> open(graph.size(), true);  // neither taken nor removed yet
  const auto take = [&](Arm arm) {
    const Arm partner = matching.right_of[arm];
    crown.taken.push_back(arm);
    crown.partner.push_back(partner);
    open[arm] = false;
    if (partner != kNone) {
      crown.removed.push_back(partner);
      open[partner] = false;
    }
  };

  // Follows alternating paths from the unmatched left vertices. The relaxation has the value 1 for
  // an arm whose left vertex is reached and whose right vertex is not, and 0 for an arm whose right
  // vertex is reached and whose left vertex is not. The right vertices of the latter are matched
  // with left vertices of the former.
  std::vector<bool> left_reached(graph.size());
  std::vector<bool> right_reached(graph.size());
  std::vector<Arm> reached;
  for (Arm u = 0; u < graph.size(); ++u) {
    if (matching.right_of[u] == kNone) {
      left_reached[u] = true;
      reached.push_back(u);
    }
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Arm v : graph.of(reached[i])) {
      right_reached[v] = true;
      const Arm next = matching.left_of[v];
      assert(next != kNone);  // otherwise there would be an augmenting path
      if (!left_reached[next]) {
        left_reached[next] = true;
        reached.push_back(next);
      }
    }
    poll.throw_if_stopped(4 * graph.degree(reached[i]) + 1);
  }
  for (const Arm u : reached) {
    if (!right_reached[u]) {
      take(u);
    }
  }

  // The other arms are matched with each other. A component can be taken too if it leads to no
  // undecided vertices other than its own right vertices, and has no arm on both sides.
  std::vector<std::uint32_t> member(graph.size());
  std::uint32_t component_number = 0;
  const std::vector<bool> others = open;
  for_each_component(graph, matching, others, poll, [&](const std::vector<Arm>& component) {
    ++component_number;
    for (const Arm u : component) {
      member[u] = component_number;
    }
    const bool can_be_taken = std::ranges::all_of(component, [&](Arm u) {
      const Arm partner = matching.right_of[u];
      return open[u] && open[partner] && member[partner] != component_number &&
             std::ranges::all_of(graph.of(u), [&](Arm v) {
               return !open[v] || member[matching.left_of[v]] == component_number;
             });
    });
    if (can_be_taken) {
      std::ranges::for_each(component, take);
    }
  });
  return crown;
}

}  // namespace hearsay
