#include "hearsay/certificate/independent_set_problem.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <utility>

#include "hearsay/certificate/branch_and_reduce.h"
#include "hearsay/certificate/clique.h"
#include "hearsay/certificate/clique_cover.h"
#include "hearsay/certificate/cycle_cover.h"
#include "hearsay/certificate/independent_set.h"
#include "hearsay/certificate/reduction.h"

namespace hearsay {
namespace {

// Whether the graph of conflicts is connected and each arm has at least three conflicts, so that
// the rules for arms with at most two conflicts do not apply. Such a dense graph is not reduced.
bool is_irreducible(const BitMatrix& compatible) {
  const std::size_t n = compatible.size();
  for (std::size_t v = 0; v < n; ++v) {
    if (n - 1 - count_bits(compatible.row(v)) < 3) {
      return false;
    }
  }
  std::vector<std::uint64_t> waiting = all_bits(n);  // not reached from arm 0
  std::vector<std::size_t> reached = {0};
  waiting[0] &= ~std::uint64_t{1};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::span<const std::uint64_t> row = compatible.row(reached[i]);
    for (std::size_t w = 0; w < waiting.size(); ++w) {
      const std::uint64_t met = waiting[w] & ~row[w];
      waiting[w] &= ~met;
      for_each_bit(std::span(&met, 1), [&](std::size_t bit) { reached.push_back(w * 64 + bit); });
    }
  }
  return reached.size() == n;
}

}  // namespace

class IndependentSetProblem::Component {
 public:
  // A component of a graph; its arm i is part.arms[i] of the graph.
  Component(ConflictComponent part, const Effort& effort)
      : arms_(std::move(part.arms)), lists_(std::move(part.graph)) {
    set_ = large_set(*lists_, effort);
    use_cover(CliqueCoverSearch(*lists_, 1, effort).cover());
    // Branching and reducing alone is better for large sparse components.
    constexpr std::size_t kSmall = 1536;
    is_sparse_ = 12 * lists_->entries() < size() * size();
    if (!is_sparse_ || size() <= kSmall) {
      bits_ = to_compatible(*lists_);
    }
  }

  // A whole dense graph.
  explicit Component(BitMatrix compatible)
      : arms_(compatible.size()), bits_(std::move(compatible)) {
    std::iota(arms_.begin(), arms_.end(), Arm{0});
    set_ = search_independent_set(*bits_, {.size = size()}, {});
    use_cover(clique_cover(*bits_));
  }

  std::size_t size() const { return arms_.size(); }
  std::size_t lower() const { return set_.size(); }
  std::size_t upper() const { return upper_; }
  bool solved() const { return lower() == upper(); }
  bool is_sparse() const { return is_sparse_; }

  void append_set(std::vector<Arm>& out) const {
    for (const Arm arm : set_) {
      out.push_back(arms_[arm]);
    }
  }
  void append_cover(Cover& out) const {
    for (CoverGroup group : cover_) {
      for (Arm& arm : group.arms) {
        arm = arms_[arm];
      }
      out.push_back(std::move(group));
    }
  }

  // `set` has the numbers of the whole graph, increasing.
  void offer(std::span<const Arm> set) {
    std::vector<Arm> start;
    for (Arm arm = 0; arm < arms_.size(); ++arm) {
      if (std::ranges::binary_search(set, arms_[arm])) {
        start.push_back(arm);
      }
    }
    search_from(start, 0, 0, {});
  }

  void search(std::uint64_t steps, std::uint64_t seed, const Effort& effort) {
    search_from(std::vector<Arm>(set_), steps, seed, effort);
  }

  void improve_cover(std::uint64_t steps, const Effort& effort) {
    constexpr std::size_t kMostEntries = std::size_t{1} << 22U;
    if (!lists_) {
      std::size_t entries = size() * (size() - 1);
      for (std::size_t v = 0; v < size(); ++v) {
        entries -= count_bits(bits_->row(v));
      }
      if (entries > kMostEntries) {
        return;
      }
      lists_ = to_conflicts(*bits_);
    }
    try {
      if (!cliques_) {
        cliques_.emplace(*lists_, 1, effort);
      }
      cliques_->improve(steps, lower(), effort);
      if (cliques_->size() < upper_) {
        use_cover(cliques_->cover());
      }
      // If most cliques have at most two arms, cycles give better bounds.
      if (5 * cliques_->size() < 2 * size()) {
        return;
      }
      if (!cycles_) {
        cycles_.emplace(*lists_, 1, effort);
      }
      cycles_->improve(steps, lower(), effort);
      if (cycles_->bound() < upper_) {
        use_cover(cycles_->cover());
      }
    } catch (const Stopped&) {
      // Covers found before the stop are kept.
    }
  }

  // What a proof has taken so far.
  struct ProofWork {
    std::uint64_t nodes = 0;
    std::uint64_t decisions = 0;
  };

  ProofWork prove(std::uint64_t nodes, const Effort& effort) {
    ProofWork work;
    if (is_sparse_) {
      work = prove_sparse(bits_ ? nodes / 2 : nodes, effort);
    }
    if (bits_ && !solved()) {
      const ProofWork more = prove_dense(is_sparse_ ? nodes / 2 : nodes, effort);
      work.nodes += more.nodes;
      work.decisions += more.decisions;
    }
    return work;
  }

  std::uint64_t reduce_upper_bound(std::uint64_t nodes, const Effort& effort) {
    std::uint64_t used = 0;
    while (bits_ && used < nodes && upper_ > lower() + 1 && !effort.stopped()) {
      if (!ceiling_ || ceiling_->size() > upper_ || ceiling_->size() < lower() + 2) {
        const std::size_t stride = std::max<std::size_t>(1, (upper_ - lower()) / stride_divisor_);
        ceiling_.emplace(*bits_, std::max(lower() + 2, upper_ + 1 - stride));
      }
      const std::uint64_t before = ceiling_->nodes();
      const CliqueProof::Outcome outcome = ceiling_->advance(nodes - used, effort);
      const std::uint64_t taken = ceiling_->nodes() - before + 1;
      used += taken;
      if (outcome == CliqueProof::Outcome::undecided) {
        bound_by_proof(ceiling_->upper());
        if (ceiling_->size() < upper_) {  // the next proof aims at a larger size
          stride_divisor_ = std::min<std::size_t>(2 * stride_divisor_, size());
          ceiling_.reset();
        }
        break;
      }
      if (outcome == CliqueProof::Outcome::none) {
        bound_by_proof(ceiling_->size() - 1);
        if (8 * taken < nodes) {  // it was easy: the next proof aims at a smaller size
          stride_divisor_ = std::max<std::size_t>(2, stride_divisor_ / 2);
        }
      } else {
        set_ = ceiling_->clique();
      }
      ceiling_.reset();
    }
    return used;
  }

  // Only for a whole dense graph.
  bool add_conflicts(const BitMatrix& compatible, std::span<const Arm> set) {
    if (!bits_ || set.size() < set_.size()) {
      return false;
    }
    bits_ = compatible;
    lists_.reset();
    cliques_.reset();
    cycles_.reset();
    ceiling_.reset();
    set_.assign(set.begin(), set.end());
    if (proof_) {
      proof_->tighten(*bits_, set_.size() + 1);
    }
    return true;
  }

 private:
  void search_from(std::span<const Arm> start, std::uint64_t steps, std::uint64_t seed,
                   const Effort& effort) {
    const SetSearch search{.size = upper(), .steps = steps, .seed = seed, .start = start};
    std::vector<Arm> found = is_sparse_ ? search_independent_set(*lists_, search, effort)
                                        : search_independent_set(*bits_, search, effort);
    if (found.size() > set_.size()) {
      set_ = std::move(found);
    }
  }

  void use_cover(Cover cover) {
    upper_ = bound_of(cover);
    cover_ = std::move(cover);
  }

  // Replaces the cover by a single group, the whole component, with a proved bound.
  void bound_by_proof(std::size_t upper) {
    if (upper < upper_) {
      std::vector<Arm> all(size());
      std::iota(all.begin(), all.end(), Arm{0});
      use_cover({{std::move(all), upper}});
    }
  }

  ProofWork prove_dense(std::uint64_t nodes, const Effort& effort) {
    ProofWork work;
    if (!proof_) {
      proof_.emplace(*bits_, set_.size() + 1);
    } else if (proof_->size() <= set_.size()) {  // a larger set has been found by other means
      proof_->tighten(*bits_, set_.size() + 1);
    }
    while (!solved() && work.nodes < nodes) {
      const std::uint64_t before = proof_->nodes();
      const CliqueProof::Outcome outcome = proof_->advance(nodes - work.nodes, effort);
      work.nodes += proof_->nodes() - before + 1;
      if (outcome == CliqueProof::Outcome::undecided) {
        bound_by_proof(proof_->upper());
        break;
      }
      ++work.decisions;
      if (outcome == CliqueProof::Outcome::none) {
        bound_by_proof(set_.size());
      } else {
        set_ = proof_->clique();
        proof_->tighten(*bits_, set_.size() + 1);
      }
    }
    return work;
  }

  ProofWork prove_sparse(std::uint64_t nodes, const Effort& effort) {
    LargerSet result = find_larger_set(*lists_, set_.size(), nodes, effort);
    if (result.set.size() > set_.size()) {
      set_ = std::move(result.set);
    }
    if (result.outcome != LargerSet::Outcome::undecided) {
      bound_by_proof(set_.size());
    }
    return {result.nodes, result.outcome == LargerSet::Outcome::undecided ? 0U : 1U};
  }

  std::vector<Arm> arms_;
  std::optional<ConflictGraph> lists_;
  bool is_sparse_ = false;
  std::optional<BitMatrix> bits_;  // for dense components and for small ones
  std::vector<Arm> set_;
  std::size_t upper_ = 0;
  Cover cover_;
  std::optional<CliqueProof> proof_;    // that there is no set larger than set_
  std::optional<CliqueProof> ceiling_;  // that there is no set of a size nearer to upper_
  std::size_t stride_divisor_ = 4;      // ceiling_ aims to close 1 / this of the gap of the bounds
  std::optional<CliqueCoverSearch> cliques_;
  std::optional<CycleCoverSearch> cycles_;
};

IndependentSetProblem::~IndependentSetProblem() = default;
IndependentSetProblem::IndependentSetProblem(IndependentSetProblem&&) noexcept = default;
IndependentSetProblem& IndependentSetProblem::operator=(IndependentSetProblem&&) noexcept = default;

IndependentSetProblem::IndependentSetProblem(ThresholdGraph graph, const Effort& effort) {
  if (auto* const bits = std::get_if<BitMatrix>(&graph)) {
    if (is_irreducible(*bits)) {
      components_.push_back(std::make_unique<Component>(std::move(*bits)));
      return;
    }
    graph = to_conflicts(*bits);
  }
  reduction_ =
      std::make_unique<Reduction>(std::get<ConflictGraph>(graph), Reduction::Rules::all, effort);
  taken_ = reduction_->taken();
  for (ConflictComponent& part : components_of(reduction_->kernel(), effort)) {
    components_.push_back(std::make_unique<Component>(std::move(part), effort));
  }
  std::ranges::stable_sort(components_, {}, [](const auto& each) { return each->size(); });
}

std::size_t IndependentSetProblem::lower() const {
  return std::accumulate(components_.begin(), components_.end(), taken_,
                         [](std::size_t sum, const auto& each) { return sum + each->lower(); });
}

std::size_t IndependentSetProblem::upper() const {
  return std::accumulate(components_.begin(), components_.end(), taken_,
                         [](std::size_t sum, const auto& each) { return sum + each->upper(); });
}

bool IndependentSetProblem::is_sparse() const {
  return std::ranges::any_of(components_,
                             [](const auto& each) { return !each->solved() && each->is_sparse(); });
}

std::vector<Arm> IndependentSetProblem::set() const {
  std::vector<Arm> set;
  for (const auto& component : components_) {
    component->append_set(set);
  }
  if (reduction_) {
    return reduction_->lift_set(set);
  }
  std::ranges::sort(set);
  return set;
}

Cover IndependentSetProblem::cover() const {
  Cover cover;
  for (const auto& component : components_) {
    component->append_cover(cover);
  }
  if (reduction_) {
    return reduction_->lift_cover(std::move(cover));
  }
  for (CoverGroup& group : cover) {
    std::ranges::sort(group.arms);
  }
  return cover;
}

void IndependentSetProblem::offer(std::span<const Arm> set) {
  const std::vector<Arm> kernel_set =
      reduction_ ? reduction_->restrict_set(set) : std::vector<Arm>(set.begin(), set.end());
  for (const auto& component : components_) {
    component->offer(kernel_set);
  }
}

// Calls work(component, share) for every unsolved component. Its share of `amount` is proportional
// to its size, and at least `least`.
template <class Work>
void IndependentSetProblem::for_each_unsolved(std::uint64_t amount, std::uint64_t least,
                                              const Effort& effort, Work&& work) {
  std::uint64_t arms = 0;
  for (const auto& component : components_) {
    arms += component->solved() ? 0 : component->size();
  }
  for (const auto& component : components_) {
    if (!component->solved() && !effort.stopped()) {
      const double part = static_cast<double>(component->size()) / static_cast<double>(arms);
      work(*component,
           std::max(least, static_cast<std::uint64_t>(part * static_cast<double>(amount))));
    }
  }
}

void IndependentSetProblem::search(std::uint64_t steps, std::uint64_t seed, const Effort& effort) {
  for_each_unsolved(steps, 50, effort, [&](Component& component, std::uint64_t share) {
    component.search(share, seed, effort);
  });
}

void IndependentSetProblem::improve_cover(std::uint64_t steps, const Effort& effort) {
  for_each_unsolved(steps, 1, effort, [&](Component& component, std::uint64_t share) {
    component.improve_cover(share, effort);
  });
}

std::uint64_t IndependentSetProblem::prove(std::uint64_t nodes, const Effort& effort) {
  std::uint64_t used = 0;
  for_each_unsolved(nodes, 500, effort, [&](Component& component, std::uint64_t share) {
    const Component::ProofWork work = component.prove(share, effort);
    used += work.nodes;
    decisions_ += work.decisions;
  });
  return used;
}

std::uint64_t IndependentSetProblem::reduce_upper_bound(std::uint64_t nodes, const Effort& effort) {
  std::uint64_t used = 0;
  for_each_unsolved(nodes, 500, effort, [&](Component& component, std::uint64_t share) {
    used += component.reduce_upper_bound(share, effort);
  });
  return used;
}

bool IndependentSetProblem::add_conflicts(const ThresholdGraph& graph, std::span<const Arm> set) {
  const auto* const bits = std::get_if<BitMatrix>(&graph);
  return !reduction_ && bits != nullptr && components_.front()->add_conflicts(*bits, set);
}

}  // namespace hearsay
