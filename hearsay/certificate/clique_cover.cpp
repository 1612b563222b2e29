#include "hearsay/certificate/clique_cover.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hearsay/certificate/clique_search.h"
#include "hearsay/random/stream.h"

namespace hearsay {
namespace {

constexpr Arm kNoClique = ~Arm{0};

struct Cliques {
  std::vector<Arm> clique_of;
  std::size_t count = 0;
};

// In the given order, each arm joins the largest clique that it fits into. Throws Stopped.
Cliques join_in_order(const ConflictGraph& graph, std::span<const Arm> order, StopPoll& poll) {
  std::vector<Arm> clique_of(graph.size(), kNoClique);
  std::vector<std::uint32_t> size;
  std::vector<std::uint32_t> met;  // members of the clique that the arm is in conflict with
  for (const Arm arm : order) {
    poll.throw_if_stopped(4 * graph.degree(arm) + 8);
    Arm best = kNoClique;
    for (const Arm other : graph.of(arm)) {
      const Arm clique = clique_of[other];
      if (clique != kNoClique && ++met[clique] == size[clique] &&
          (best == kNoClique || size[clique] > size[best])) {
        best = clique;
      }
    }
    for (const Arm other : graph.of(arm)) {
      if (clique_of[other] != kNoClique) {
        met[clique_of[other]] = 0;
      }
    }
    if (best == kNoClique) {
      best = static_cast<Arm>(size.size());
      size.push_back(0);
      met.push_back(0);
    }
    clique_of[arm] = best;
    ++size[best];
  }
  return {std::move(clique_of), size.size()};
}

// Repeatedly takes the largest known clique out of the graph. For every arm one clique is known:
// starting from the arm, the candidate that is in conflict with most of the other candidates is
// added until there are no candidates.
class LargestFirst {
 public:
  LargestFirst(const ConflictGraph& graph, const Effort& effort)
      : graph_(graph), poll_(effort), covered_(graph.size()), inside_(graph.size()) {}

  Cliques run() {
    for (Arm arm = 0; arm < graph_.size(); ++arm) {
      store(arm, clique_from(arm));
    }
    Cliques cliques{std::vector<Arm>(graph_.size(), kNoClique), 0};
    for (std::size_t size = by_size_.size(); size-- > 0;) {
      while (!by_size_[size].empty()) {
        const Arm arm = by_size_[size].back();
        by_size_[size].pop_back();
        if (covered_[arm]) {
          continue;
        }
        const std::vector<Arm> clique = clique_from(arm);
        if (clique.size() < size) {  // some of its arms have been covered since
          store(arm, clique);
          continue;
        }
        for (const Arm member : clique) {
          covered_[member] = true;
          cliques.clique_of[member] = static_cast<Arm>(cliques.count);
        }
        ++cliques.count;
      }
    }
    return cliques;
  }

 private:
  void store(Arm arm, const std::vector<Arm>& clique) {
    by_size_.resize(std::max(by_size_.size(), clique.size() + 1));
    by_size_[clique.size()].push_back(arm);
  }

  std::vector<Arm> clique_from(Arm arm) {
    std::vector<Arm> clique = {arm};
    std::vector<Arm> candidates;
    for (const Arm other : graph_.of(arm)) {
      if (!covered_[other]) {
        candidates.push_back(other);
      }
    }
    while (!candidates.empty()) {
      for (const Arm candidate : candidates) {
        inside_[candidate] = true;
      }
      Arm best = candidates.front();
      std::size_t most = 0;
      for (const Arm candidate : candidates) {
        std::size_t count = 1;
        for (const Arm other : graph_.of(candidate)) {
          count += inside_[other] ? 1U : 0U;
        }
        poll_.throw_if_stopped(graph_.degree(candidate));
        if (count > most) {
          most = count;
          best = candidate;
        }
      }
      for (const Arm candidate : candidates) {
        inside_[candidate] = false;
      }
      clique.push_back(best);
      std::erase_if(candidates, [&](Arm candidate) {
        return !std::ranges::binary_search(graph_.of(best), candidate);
      });
    }
    return clique;
  }

  const ConflictGraph& graph_;
  StopPoll poll_;
  std::vector<bool> covered_;
  std::vector<bool> inside_;
  std::vector<std::vector<Arm>> by_size_;
};

Cover as_cover(const std::vector<Arm>& clique_of, std::size_t count) {
  Cover cover(count);
  for (Arm arm = 0; arm < clique_of.size(); ++arm) {
    cover[clique_of[arm]].arms.push_back(arm);
  }
  return cover;
}

}  // namespace

std::size_t clique_cover_size(const ConflictGraph& graph) {
  const Effort unlimited;
  StopPoll poll(unlimited);
  return join_in_order(graph, few_conflicts_first(graph), poll).count;
}

Cover clique_cover(const BitMatrix& compatible) {
  const std::vector<std::uint32_t> order = core_first(compatible);
  const BitMatrix ordered = induced(compatible, order);
  std::vector<std::uint64_t> left = all_bits(compatible.size());
  Cover cover;
  colour(ordered, compatible.size(), left, [&](std::size_t k, std::size_t v) {
    if (k == cover.size()) {
      cover.emplace_back();
    }
    cover[k].arms.push_back(order[v]);
  });
  return cover;
}

Cover first_fit_cover(const Graph& graph, double threshold, const Effort& effort) {
  StopPoll poll(effort);
  Cover cover;
  for (Arm arm = 0; arm < graph.arms(); ++arm) {
    std::uint64_t compared = 1;
    // The weights of the arm's own row are read first, because they are next to each other.
    const auto is_in_conflict = [&](Arm other) {
      ++compared;
      return graph.weight(arm, other) >= threshold || graph.weight(other, arm) >= threshold;
    };
    constexpr std::size_t kMostTried = 512;
    const std::span<CoverGroup> tried = std::span(cover).first(std::min(cover.size(), kMostTried));
    const auto clique = std::ranges::find_if(tried, [&](const CoverGroup& group) {
      return std::ranges::all_of(group.arms, is_in_conflict);
    });
    if (clique == tried.end()) {
      cover.push_back({{arm}, 1});
    } else {
      clique->arms.push_back(arm);
    }
    constexpr std::uint64_t kWorkOfComparison = 16;  // most of them wait for memory
    poll.throw_if_stopped(kWorkOfComparison * compared);
  }
  return cover;
}

CliqueCoverSearch::CliqueCoverSearch(const ConflictGraph& graph, std::uint64_t seed,
                                     const Effort& effort)
    : graph_(graph), seed_(seed) {
  StopPoll poll(effort);
  Cliques cliques = join_in_order(graph, few_conflicts_first(graph), poll);
  size_ = cliques.count;
  clique_of_ = std::move(cliques.clique_of);
}

void CliqueCoverSearch::improve(std::uint64_t steps, std::size_t enough, const Effort& effort) {
  const std::uint64_t pass_steps = graph_.size() + graph_.entries();
  StopPoll poll(effort);
  std::uint64_t done = 0;
  const auto keep_if_no_worse = [&](Cliques cliques, std::uint64_t cost) {
    done += cost;
    if (cliques.count <= size_) {
      size_ = cliques.count;
      clique_of_ = std::move(cliques.clique_of);
    }
  };
  try {
    const std::uint64_t cost =
        pass_steps + graph_.entries() * graph_.entries() / (4 * graph_.size() + 1);
    if (!has_tried_largest_first_ && cost <= steps && size_ > enough) {
      has_tried_largest_first_ = true;
      keep_if_no_worse(LargestFirst(graph_, effort).run(), cost);
    }
    while (done < steps && size_ > enough) {
      ++passes_;
      keep_if_no_worse(join_in_order(graph_, next_order(), poll), pass_steps);
    }
  } catch (const Stopped&) {
    // The cliques of the last pass remain.
  }
}

// Culberson's iterated greedy: if the members of a clique follow each other in the order, the next
// cover has no more cliques. So only the order of the cliques changes.
std::vector<Arm> CliqueCoverSearch::next_order() const {
  std::vector<std::uint64_t> rank(size_);  // the cliques are sorted by this
  switch (passes_ % 3) {
    case 0:  // the largest first
      rank.assign(size_, graph_.size());
      for (const Arm clique : clique_of_) {
        --rank[clique];
      }
      break;
    case 1: {
      const Stream stream(seed_, Purpose::search, 1);
      for (std::size_t i = 0; i < size_; ++i) {
        rank[i] = stream.bits(passes_, i)[0];
      }
      break;
    }
    default:  // the last first
      for (std::size_t i = 0; i < size_; ++i) {
        rank[i] = size_ - i;
      }
  }
  std::vector<std::size_t> place(size_ + 1);  // where each clique begins in the order
  for (const Arm clique : clique_of_) {
    ++place[clique];
  }
  std::vector<Arm> cliques(size_);
  std::iota(cliques.begin(), cliques.end(), Arm{0});
  std::ranges::stable_sort(cliques, {}, [&](Arm clique) { return rank[clique]; });
  std::size_t begin = 0;
  for (const Arm clique : cliques) {
    begin += std::exchange(place[clique], begin);
  }
  std::vector<Arm> order(graph_.size());
  for (Arm arm = 0; arm < order.size(); ++arm) {
    order[place[clique_of_[arm]]++] = arm;
  }
  return order;
}

Cover CliqueCoverSearch::cover() const {
  return as_cover(clique_of_, size_);
}

}  // namespace hearsay
