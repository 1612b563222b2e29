#pragma once

// The problems of finding larger independent sets at several thresholds, with the results so far of
// each, so that a search can leave one and continue it later. The problems used last are kept, as
// many as fit into a limited memory.

#include <cstddef>
#include <cstdint>
#include <list>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/independent_set_problem.h"
#include "hearsay/certificate/staircase.h"
#include "hearsay/certificate/threshold_graph.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

class IndependentSetProblemCache {
 public:
  explicit IndependentSetProblemCache(const Graph& graph);

  // The problem whether alpha(gap.end) exceeds the size of the gap. The reference is valid until
  // the next call. Throws Stopped.
  IndependentSetProblem& at(const Staircase::Gap& gap, const Strengths& strengths,
                            const Effort& effort);

  // The decisions (IndependentSetProblem::decisions) of all problems, including those no longer
  // kept.
  std::uint64_t decisions() const;

 private:
  struct Entry {
    std::size_t size = 0;  // of the gap
    double threshold = 0;
    IndependentSetProblem problem;
  };

  void forget(std::list<Entry>::iterator entry);

  std::size_t most_problems_;
  std::list<Entry> entries_;     // the most recently used first, at most one for each size
  std::uint64_t forgotten_ = 0;  // decisions of problems that are no longer kept
};

}  // namespace hearsay
