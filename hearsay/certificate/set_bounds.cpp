#include "hearsay/certificate/set_bounds.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <optional>
#include <span>

#include "hearsay/certificate/clique.h"
#include "hearsay/certificate/independent_set.h"

namespace hearsay {

SetBounds bound_independent_set(const BitMatrix& compatible, std::uint64_t nodes,
                                const Effort& effort) {
  const std::size_t n = compatible.size();
  SetBounds bounds{search_independent_set(compatible, {.size = n, .steps = 20 * n}, effort), n};
  if (bounds.exact()) {
    return bounds;
  }
  CliqueProof proof(compatible, bounds.set.size() + 1);
  for (;;) {
    switch (proof.advance(nodes, effort)) {
      case CliqueProof::Verdict::found:
        bounds.set = proof.clique();
        proof.tighten(compatible, bounds.set.size() + 1);
        break;
      case CliqueProof::Verdict::none:
        bounds.upper = bounds.set.size();
        return bounds;
      case CliqueProof::Verdict::open:
        return bounds;
    }
  }
}

namespace {

// What remains of a conflict graph while arms are taken into a set.
class Kernel {
 public:
  Kernel(const ConflictGraph& graph, const Effort& effort)
      : graph_(graph), effort_(effort), degree_(graph.size()), gone_(graph.size()) {
    for (Arm arm = 0; arm < graph.size(); ++arm) {
      degree_[arm] = graph.of(arm).size();
      file(arm);
    }
  }

  SetBounds bounds() {
    take_safe();
    by_degree_.clear();
    std::vector<bool> visited = gone_;
    for (Arm arm = 0; arm < graph_.size(); ++arm) {
      if (!visited[arm]) {
        settle(component(arm, visited));
      }
    }
    return {std::move(set_), upper_};
  }

 private:
  void file(Arm arm) {
    by_degree_.resize(std::max(by_degree_.size(), degree_[arm] + 1));
    by_degree_[degree_[arm]].push_back(arm);
    least_ = std::min(least_, degree_[arm]);
  }

  // The next arm on file with the fewest conflicts that remain, and at most `degree` of them.
  std::optional<Arm> next(std::size_t degree) {
    while (least_ < by_degree_.size() && least_ <= degree) {
      std::vector<Arm>& arms = by_degree_[least_];
      if (arms.empty()) {
        ++least_;
        continue;
      }
      const Arm arm = arms.back();
      arms.pop_back();
      if (!gone_[arm] && degree_[arm] == least_) {  // else an entry from before it lost conflicts
        return arm;
      }
    }
    return std::nullopt;
  }

  // An arm without conflict, or all of whose conflicts conflict with each other, is in some largest
  // set: whichever of them is in a set can be exchanged for it.
  void take_safe() {
    while (const std::optional<Arm> arm = next(2)) {
      if (is_safe(*arm)) {
        take(*arm);
        ++upper_;
      }
    }
  }

  bool is_safe(Arm arm) const {
    if (degree_[arm] < 2) {
      return true;
    }
    std::vector<Arm> left;
    std::ranges::copy_if(graph_.of(arm), std::back_inserter(left),
                         [&](Arm other) { return !gone_[other]; });
    return left.size() == 2 && std::ranges::binary_search(graph_.of(left[0]), left[1]);
  }

  void take(Arm arm) {
    set_.push_back(arm);
    gone_[arm] = true;
    for (const Arm out : graph_.of(arm)) {
      if (gone_[out]) {
        continue;
      }
      gone_[out] = true;
      for (const Arm other : graph_.of(out)) {
        if (!gone_[other]) {
          --degree_[other];
          file(other);
        }
      }
    }
  }

  std::vector<Arm> component(Arm first, std::vector<bool>& visited) const {
    std::vector<Arm> arms = {first};
    visited[first] = true;
    for (std::size_t next = 0; next < arms.size(); ++next) {
      for (const Arm other : graph_.of(arms[next])) {
        if (!visited[other]) {
          visited[other] = true;
          arms.push_back(other);
        }
      }
    }
    std::ranges::sort(arms);
    return arms;
  }

  void settle(const std::vector<Arm>& arms) {
    constexpr std::size_t kSmall = 256;
    constexpr std::uint64_t kNodes = 20'000;
    const std::size_t cover = clique_cover(arms);
    if (arms.size() <= kSmall) {
      const SetBounds solved = bound_independent_set(compatible(arms), kNodes, effort_);
      upper_ += std::min(cover, solved.upper);
      for (const Arm arm : solved.set) {
        set_.push_back(arms[arm]);
      }
    } else {
      upper_ += cover;
      take_least(arms);
    }
  }

  BitMatrix compatible(const std::vector<Arm>& arms) const {
    BitMatrix bits(arms.size());
    for (std::size_t i = 0; i < arms.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!std::ranges::binary_search(graph_.of(arms[i]), arms[j])) {
          bits.join(i, j);
        }
      }
    }
    return bits;
  }

  // Always an arm with the fewest conflicts among those that remain.
  void take_least(const std::vector<Arm>& arms) {
    for (const Arm arm : arms) {
      file(arm);
    }
    while (const std::optional<Arm> arm = next(by_degree_.size())) {
      take(*arm);
    }
  }

  // How many cliques it takes to cover the arms: each joins the largest that it fits.
  std::size_t clique_cover(std::span<const Arm> arms) {
    constexpr Arm kNone = std::numeric_limits<Arm>::max();
    clique_of_.resize(graph_.size(), kNone);
    std::vector<std::size_t> size;
    std::vector<std::size_t> joined;  // conflicts of the arm at hand within the clique
    for (const Arm arm : arms) {
      Arm best = kNone;
      for (const Arm other : graph_.of(arm)) {
        const Arm clique = gone_[other] ? kNone : clique_of_[other];
        if (clique != kNone && ++joined[clique] == size[clique] &&
            (best == kNone || size[clique] > size[best])) {
          best = clique;
        }
      }
      for (const Arm other : graph_.of(arm)) {
        if (!gone_[other] && clique_of_[other] != kNone) {
          joined[clique_of_[other]] = 0;
        }
      }
      if (best == kNone) {
        best = static_cast<Arm>(size.size());
        size.push_back(0);
        joined.push_back(0);
      }
      clique_of_[arm] = best;
      ++size[best];
    }
    return size.size();
  }

  const ConflictGraph& graph_;
  const Effort& effort_;
  std::vector<std::size_t> degree_;  // among those that remain
  std::vector<bool> gone_;
  std::vector<std::vector<Arm>> by_degree_;
  std::size_t least_ = 0;
  std::vector<Arm> clique_of_;  // of the component at hand
  std::vector<Arm> set_;
  std::size_t upper_ = 0;
};

}  // namespace

SetBounds bound_independent_set(const ConflictGraph& conflicts, const Effort& effort) {
  return Kernel(conflicts, effort).bounds();
}

}  // namespace hearsay
