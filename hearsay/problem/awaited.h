#pragma once

// The decisions that await feedback, by their ids. Each holds a graph, which takes memory for every
// arm, but may take few bytes in a log: if the different graphs have too many arms together, the
// oldest decisions are to be given up.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "hearsay/base/error.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// The different graphs of decisions that await feedback have at most so many arms together, about
// 20 bytes each, or there is one only. Their arcs are bounded by what was read or set: an arc takes
// as many bytes in a log.
inline constexpr std::size_t kMostAwaitedArms = std::size_t{1} << 22U;

// What to say of a decision that awaits no feedback. `given_up`: the last one that was.
std::string why_not_awaited(std::uint64_t id, std::uint64_t given_up);

// Entry has a member `graph`.
template <class Entry>
class AwaitedDecisions {
 public:
  using Iterator = typename std::map<std::uint64_t, Entry>::iterator;

  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  Iterator end() { return entries_.end(); }
  Iterator find(std::uint64_t id) { return entries_.find(id); }
  Iterator oldest() { return entries_.begin(); }

  // Throws Error if there is no such decision.
  Iterator require(std::uint64_t id) {
    const auto found = entries_.find(id);
    if (found == entries_.end()) {
      throw Error(why_not_awaited(id, given_up_));
    }
    return found;
  }

  // The id must not be there.
  void add(std::uint64_t id, Entry entry) {
    ++decisions_of_graph_[&entry.graph.weights()];
    entries_.emplace_hint(entries_.end(), id, std::move(entry));
  }

  void erase(Iterator entry) {
    const auto graph = decisions_of_graph_.find(&entry->second.graph.weights());
    if (--graph->second == 0) {
      decisions_of_graph_.erase(graph);
    }
    entries_.erase(entry);
  }

  void give_up_oldest() {
    given_up_ = entries_.begin()->first;
    erase(entries_.begin());
  }

  // The last decision that was given up, and perhaps earlier ones.
  std::uint64_t given_up() const { return given_up_; }

  // Whether the oldest decision is to be given up.
  bool has_too_many_graphs() const {
    const std::size_t graphs = decisions_of_graph_.size();
    return graphs > 1 && graphs > kMostAwaitedArms / entries_.begin()->second.graph.arms();
  }

 private:
  std::map<std::uint64_t, Entry> entries_;
  std::map<const Matrix*, std::size_t> decisions_of_graph_;
  std::uint64_t given_up_ = 0;
};

}  // namespace hearsay
