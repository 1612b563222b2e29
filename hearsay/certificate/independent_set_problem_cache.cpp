#include "hearsay/certificate/independent_set_problem_cache.h"

#include <algorithm>
#include <iterator>

namespace hearsay {

namespace {

std::size_t most_problems(const Graph& graph) {
  constexpr std::size_t kMostMemory = std::size_t{1} << 27U;
  const std::size_t memory =
      graph.is_dense() ? graph.arms() * graph.arms() / 2 : 16 * (graph.arms() + graph.arc_count());
  return std::max<std::size_t>(2, kMostMemory / std::max<std::size_t>(1, memory));
}

}  // namespace

IndependentSetProblemCache::IndependentSetProblemCache(const Graph& graph)
    : most_problems_(most_problems(graph)) {}

IndependentSetProblem& IndependentSetProblemCache::at(const Staircase::Gap& gap,
                                                      const Strengths& strengths,
                                                      const Effort& effort) {
  const auto known = std::ranges::find(entries_, gap.size(), &Entry::size);
  if (known != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, known);
    Entry& front = entries_.front();
    if (front.threshold == gap.end) {
      return front.problem;
    }
    if (front.threshold > gap.end &&
        front.problem.add_conflicts(strengths.at(gap.end, effort), gap.stair.set())) {
      front.threshold = gap.end;
      return front.problem;
    }
    forget(entries_.begin());
  }
  entries_.push_front(
      {gap.size(), gap.end, IndependentSetProblem(strengths.at(gap.end, effort), effort)});
  entries_.front().problem.offer(gap.stair.set());
  while (entries_.size() > most_problems_) {
    forget(std::prev(entries_.end()));
  }
  return entries_.front().problem;
}

void IndependentSetProblemCache::forget(std::list<Entry>::iterator entry) {
  forgotten_ += entry->problem.decisions();
  entries_.erase(entry);
}

std::uint64_t IndependentSetProblemCache::decisions() const {
  std::uint64_t decisions = forgotten_;
  for (const Entry& entry : entries_) {
    decisions += entry.problem.decisions();
  }
  return decisions;
}

}  // namespace hearsay
