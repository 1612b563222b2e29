#include "hearsay/certificate/clique.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "hearsay/certificate/clique_search.h"

namespace hearsay {
namespace {

using Word = std::uint64_t;
using Vertex = std::uint32_t;

// Neighbours of v that are coloured or come before it.
std::vector<Word> candidates_of(const BitMatrix& graph, std::span<const Word> coloured,
                                std::size_t v) {
  std::vector<Word> candidates(graph.row(v).begin(), graph.row(v).end());
  for (std::size_t w = 0; w < candidates.size(); ++w) {
    Word before = 0;
    if (w < v / 64) {
      before = ~Word{0};
    } else if (w == v / 64) {
      before = (Word{1} << (v % 64)) - 1;
    }
    candidates[w] &= coloured[w] | before;
  }
  return candidates;
}

}  // namespace

CliqueProof::CliqueProof(const BitMatrix& graph, std::size_t size)
    : size_(size),
      classes_(size - 1),
      order_(core_first(graph)),
      graph_(induced(graph, order_)),
      coloured_(all_bits(graph.size())) {
  assert(size >= 1);
  std::vector<Word> left = coloured_;
  colour(graph_, classes_, left, [](std::size_t, std::size_t) {});
  for (std::size_t w = 0; w < left.size(); ++w) {
    coloured_[w] &= ~left[w];
  }
  for_each_bit(left, [&](std::size_t v) { branches_.push_back({.vertex = v}); });
  std::ranges::reverse(branches_);
}

void CliqueProof::tighten(const BitMatrix& graph, std::size_t size) {
  assert(graph.size() == graph_.size() && size >= size_);
  size_ = size;
  graph_ = induced(graph, order_);
  // Branches after the settled ones that other threads have done already are done again, because a
  // single thread would not have begun them.
  for (std::size_t i = settled_; i < branches_.size(); ++i) {
    branches_[i] = {.vertex = branches_[i].vertex};
  }
}

std::size_t CliqueProof::upper() const {
  // A clique of `size_` or more has its last uncoloured vertex among the branches that are not
  // settled, so all its other uncoloured vertices are among them too.
  std::vector<Word> rest(graph_.words());
  for (std::size_t i = settled_; i < branches_.size(); ++i) {
    rest[branches_[i].vertex / 64] |= Word{1} << (branches_[i].vertex % 64);
  }
  std::size_t classes = 0;
  colour(graph_, graph_.size(), rest, [&](std::size_t k, std::size_t) { classes = k + 1; });
  return classes == 0 ? size_ - 1 : std::max(size_ - 1, classes_ + classes);
}

// What the threads of one portion share, and the function that they run.
class CliqueProof::Workers {
 public:
  Workers(CliqueProof& proof, std::uint64_t nodes, const Effort& effort)
      : proof_(proof),
        limit_(proof.nodes_ + nodes),
        branch_limit_(kBranchPortions * nodes),
        effort_(effort),
        next_(proof.settled_),
        last_(proof.branches_.size()) {
    settle();
  }

  void work() {
    CliqueSearcher searcher;
    for (std::size_t branch = claim(); branch < proof_.branches_.size(); branch = claim()) {
      // A clique in an earlier branch makes this one pointless.
      SearchMeter meter(branch_limit_, [&] {
        return branch > last_ || stopped_ || (stopped_ = effort_.stopped());
      });
      std::vector<Vertex> clique;
      const std::size_t v = proof_.branches_[branch].vertex;
      const bool found =
          searcher.find(proof_.graph_, candidates_of(proof_.graph_, proof_.coloured_, v),
                        proof_.size_ - 1, meter, clique);
      if (found) {
        clique.push_back(static_cast<Vertex>(v));
      }
      if (!meter.gave_up()) {
        report(branch, meter.nodes(), std::move(clique));
      } else if (meter.nodes() > branch_limit_) {
        give_up(branch);
      }
    }
  }

  // The function of a thread, which must not throw: the first exception is kept and stops all
  // threads.
  void work_or_fail() {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = failure_ ? failure_ : std::current_exception();
      stopped_ = true;
    }
  }
  void rethrow_failure() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

  bool found() const { return found_; }

  // The nodes of the branch that exceeded its limit, if a single thread would have begun it too.
  std::uint64_t nodes_given_up() const {
    const bool had_its_turn = proof_.settled_ == gave_up_ && proof_.nodes_ < limit_;
    return had_its_turn && !found_ ? branch_limit_ : 0;
  }

 private:
  // A branch may take this many times the nodes of the portion. One that takes more is begun again
  // in a later, larger portion.
  static constexpr std::uint64_t kBranchPortions = 16;

  std::size_t claim() {
    const std::scoped_lock lock(mutex_);
    while (next_ < proof_.branches_.size() && proof_.branches_[next_].done) {
      ++next_;
    }
    if (next_ >= last_ || stopped_ || found_ || proof_.nodes_ >= limit_) {
      return proof_.branches_.size();
    }
    return next_++;
  }

  void report(std::size_t branch, std::uint64_t nodes, std::vector<Vertex> clique) {
    const std::scoped_lock lock(mutex_);
    if (!clique.empty()) {
      last_ = std::min<std::size_t>(last_, branch);
    }
    proof_.branches_[branch].done = true;
    proof_.branches_[branch].nodes = nodes;
    proof_.branches_[branch].clique = std::move(clique);
    settle();
  }

  void give_up(std::size_t branch) {
    const std::scoped_lock lock(mutex_);
    last_ = std::min<std::size_t>(last_, branch);
    gave_up_ = std::min(gave_up_, branch);
  }

  // Accounts for finished branches in order, until the portion is used up.
  void settle() {
    std::vector<Branch>& branches = proof_.branches_;
    std::size_t& settled = proof_.settled_;
    while (settled < branches.size() && branches[settled].done && !found_ &&
           proof_.nodes_ < limit_) {
      proof_.nodes_ += branches[settled].nodes;
      if (branches[settled].clique.empty()) {
        ++settled;
      } else {
        found_ = true;
      }
    }
  }

  CliqueProof& proof_;
  std::uint64_t limit_;
  std::uint64_t branch_limit_;
  const Effort& effort_;
  std::mutex mutex_;
  std::size_t next_;
  std::atomic<std::size_t> last_;          // branches after this one are not needed
  std::size_t gave_up_ = ~std::size_t{0};  // the first branch that took too long
  std::atomic<bool> stopped_ = false;
  bool found_ = false;
  std::exception_ptr failure_;
};

CliqueProof::Outcome CliqueProof::advance(std::uint64_t nodes, const Effort& effort) {
  Workers workers(*this, nodes, effort);
  {
    std::vector<std::jthread> others;
    const std::size_t useful = std::min<std::size_t>(effort.threads, branches_.size() - settled_);
    for (std::size_t i = 1; i < useful; ++i) {
      others.emplace_back([&] { workers.work_or_fail(); });
    }
    workers.work_or_fail();
  }
  workers.rethrow_failure();
  nodes_ += workers.nodes_given_up();
  if (workers.found()) {
    clique_.clear();
    for (const Vertex v : branches_[settled_].clique) {
      clique_.push_back(order_[v]);
    }
    return Outcome::found;
  }
  return settled_ == branches_.size() ? Outcome::none : Outcome::undecided;
}

}  // namespace hearsay
