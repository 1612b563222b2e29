#pragma once

// The outstanding decisions (those that await feedback), by their ids. Each holds a graph, which
// takes memory for every arm although it may take few bytes in a log. If the different graphs have
// too many arms together, the caller must drop the oldest decisions.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "hearsay/base/error.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// The largest number of arms that the different graphs of outstanding decisions may have together,
// unless there is only one graph. An arm takes about 20 bytes. Arcs need no limit, because an arc
// takes at least as many bytes in the log or in the call that set the graph.
inline constexpr std::size_t kMostOutstandingArms = std::size_t{1} << 22U;

// The message about a decision that is not outstanding. `last_dropped` is the id of the decision
// that was dropped last; 0 if none was.
std::string not_outstanding_message(std::uint64_t id, std::uint64_t last_dropped);

// Entry has a member `graph`.
template <class Entry>
class OutstandingDecisions {
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
      throw Error(not_outstanding_message(id, last_dropped_));
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

  void drop_oldest() {
    last_dropped_ = entries_.begin()->first;
    erase(entries_.begin());
  }

  // The id of the decision that was dropped last; 0 if none was.
  std::uint64_t last_dropped() const { return last_dropped_; }

  // Whether the caller must drop the oldest decision.
  bool has_too_many_graphs() const {
    const std::size_t graphs = decisions_of_graph_.size();
    return graphs > 1 && graphs > kMostOutstandingArms / entries_.begin()->second.graph.arms();
  }

 private:
  std::map<std::uint64_t, Entry> entries_;
  std::map<const Matrix*, std::size_t> decisions_of_graph_;
  std::uint64_t last_dropped_ = 0;
};

}  // namespace hearsay
