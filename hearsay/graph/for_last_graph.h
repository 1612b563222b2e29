#pragma once

// A value that depends on a graph and is expensive to compute, kept as long as the graph stays the
// same. Rounds usually have the same graph as the round before.

#include <cassert>
#include <optional>

#include "hearsay/graph/graph.h"

namespace hearsay {

template <class Value>
class ForLastGraph {
 public:
  // Returns the value for this graph: that of make(), which is called only if the last graph was
  // another one (Graph::same_as). Valid until the next call. Nothing is kept if make() throws.
  template <class Make>
  const Value& get(const Graph& graph, Make&& make) {
    if (!kept_ || !kept_->graph.same_as(graph)) {
      kept_.reset();  // releases its memory before the next value is allocated
      kept_.emplace(Kept{graph, make()});
    }
    return kept_->value;
  }

  // The last graph and its value. get() must have been called.
  const Graph& graph() const {
    assert(kept_);
    return kept_->graph;
  }
  const Value& value() const {
    assert(kept_);
    return kept_->value;
  }

  // To be called if make() would now return another value.
  void reset() { kept_.reset(); }

 private:
  struct Kept {
    Graph graph;
    Value value;
  };

  std::optional<Kept> kept_;
};

}  // namespace hearsay
