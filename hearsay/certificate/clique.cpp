#include "hearsay/certificate/clique.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hearsay {
namespace {

using Word = std::uint64_t;
using Vertex = std::uint32_t;

std::size_t lowest_bit(Word word) {
  return static_cast<std::size_t>(std::countr_zero(word));
}

std::size_t count(std::span<const Word> bits) {
  return std::accumulate(bits.begin(), bits.end(), std::size_t{0}, [](std::size_t sum, Word word) {
    return sum + static_cast<std::size_t>(std::popcount(word));
  });
}

bool contains(std::span<const Word> bits, std::size_t v) {
  return ((bits[v / 64] >> (v % 64)) & 1U) != 0;
}

// The vertices from the core outwards: repeatedly the one of least degree among those that remain
// is taken to the end. Colouring from the core and branching from the rim keeps branches small.
std::vector<Vertex> core_first(const BitMatrix& graph) {
  const std::size_t n = graph.size();
  std::vector<Vertex> order(n);
  std::iota(order.begin(), order.end(), Vertex{0});
  std::vector<std::size_t> degree(n);
  for (std::size_t v = 0; v < n; ++v) {
    degree[v] = count(graph.row(v));
  }
  for (std::size_t end = n; end > 1; --end) {
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(end);
    const auto least = std::min_element(order.begin(), last,
                                        [&](Vertex a, Vertex b) { return degree[a] < degree[b]; });
    const Vertex v = *least;
    std::iter_swap(least, last - 1);
    for (auto rest = order.begin(); rest != last - 1; ++rest) {
      degree[*rest] -= graph.joined(v, *rest) ? 1U : 0U;
    }
  }
  return order;
}

// Takes out of `left` the vertices that fit into `classes` sets of vertices none of which are
// joined, filled one after the other in order.
template <class Rows, class Bits>
void colour(const Rows& rows, std::size_t classes, Bits& left) {
  const std::size_t words = left.size();
  std::size_t first = 0;
  for (; classes > 0; --classes) {
    while (first < words && left[first] == 0) {
      ++first;
    }
    if (first == words) {
      return;
    }
    Bits open = left;
    for (std::size_t word = first; word < words; ++word) {
      while (open[word] != 0) {
        const std::size_t bit = lowest_bit(open[word]);
        const auto& row = rows.row(word * 64 + bit);
        const Word mask = Word{1} << bit;
        left[word] &= ~mask;
        open[word] &= ~mask;
        for (std::size_t w = word; w < words; ++w) {
          open[w] &= ~row[w];
        }
      }
    }
  }
}

// Whoever runs the search: counts its nodes and says when to give up.
class Watch {
 public:
  explicit Watch(std::function<bool()> give_up) : give_up_(std::move(give_up)) {}

  // To be called at every node; true: unwind.
  bool tick() {
    constexpr std::uint64_t kEvery = 2048;  // some milliseconds
    if (++nodes_ % kEvery == 0 && give_up_()) {
      gave_up_ = true;
    }
    return gave_up_;
  }
  bool gave_up() const { return gave_up_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  std::function<bool()> give_up_;
  std::uint64_t nodes_ = 0;
  bool gave_up_ = false;
};

// A graph of at most 64 * Words vertices, small enough to stay in the nearest cache, with loops
// over words that the compiler unrolls.
template <std::size_t Words>
class SmallSearch {
 public:
  using Bits = std::array<Word, Words>;

  Bits& row(std::size_t v) { return rows_[v]; }
  const Bits& row(std::size_t v) const { return rows_[v]; }

  // Whether `need` of the candidates form a clique; if so, they are appended to `clique`.
  bool expand(const Bits& candidates, std::size_t need, Watch& watch, std::vector<Vertex>& clique) {
    if (watch.tick()) {
      return false;
    }
    if (need <= 1) {
      return need == 0 || append_first(candidates, clique);
    }
    Bits left = candidates;
    colour(*this, need - 1, left);
    Bits allowed{};
    bool none_left = true;
    for (std::size_t w = 0; w < Words; ++w) {
      allowed[w] = candidates[w] & ~left[w];
      none_left = none_left && left[w] == 0;
    }
    if (none_left) {
      return false;
    }
    for (std::size_t word = 0; word < Words; ++word) {
      for (Word rest = left[word]; rest != 0; rest &= rest - 1) {
        const std::size_t v = word * 64 + lowest_bit(rest);
        const Bits& row = rows_[v];
        Bits next;
        for (std::size_t w = 0; w < Words; ++w) {
          next[w] = allowed[w] & row[w];
        }
        if (expand(next, need - 1, watch, clique)) {
          clique.push_back(static_cast<Vertex>(v));
          return true;
        }
        if (watch.gave_up()) {
          return false;
        }
        allowed[word] |= rest & (~rest + 1);
      }
    }
    return false;
  }

 private:
  static bool append_first(const Bits& candidates, std::vector<Vertex>& clique) {
    for (std::size_t word = 0; word < Words; ++word) {
      if (candidates[word] != 0) {
        clique.push_back(static_cast<Vertex>(word * 64 + lowest_bit(candidates[word])));
        return true;
      }
    }
    return false;
  }

  std::array<Bits, Words * 64> rows_;
};

// One thread's searches, and the room they take: takes a graph apart until the parts are small.
class Searcher {
 public:
  // Whether `need` of `vertices` form a clique of `graph`; if so, `clique` is one.
  bool run(const BitMatrix& graph, std::span<const Word> vertices, std::size_t need, Watch& watch,
           std::vector<Vertex>& clique) {
    if (watch.tick()) {
      return false;
    }
    if (need == 0) {
      return true;
    }
    std::vector<Vertex> members = core(graph, vertices, need);
    if (members.size() < need) {
      return false;
    }
    if (need == 1) {
      clique.push_back(members.front());
      return true;
    }
    const BitMatrix part = induced(graph, members);
    const std::vector<Vertex> order = core_first(part);
    std::vector<Vertex> found;
    const BitMatrix ordered = induced(part, order);
    if (!search(ordered, need, watch, found)) {
      return false;
    }
    for (const Vertex v : found) {
      clique.push_back(members[order[v]]);
    }
    return true;
  }

 private:
  // Those of `vertices` that have at least need - 1 neighbours among them, again and again.
  static std::vector<Vertex> core(const BitMatrix& graph, std::span<const Word> vertices,
                                  std::size_t need) {
    std::vector<Word> alive(vertices.begin(), vertices.end());
    for (bool changed = true; changed;) {
      changed = false;
      for_each_bit(vertices, [&](std::size_t v) {
        if (!contains(alive, v)) {
          return;
        }
        std::size_t degree = 0;
        const std::span<const Word> row = graph.row(v);
        for (std::size_t w = 0; w < alive.size(); ++w) {
          degree += static_cast<std::size_t>(std::popcount(row[w] & alive[w]));
        }
        if (degree + 1 < need) {
          alive[v / 64] &= ~(Word{1} << (v % 64));
          changed = true;
        }
      });
    }
    std::vector<Vertex> members;
    for_each_bit(alive, [&](std::size_t v) { members.push_back(static_cast<Vertex>(v)); });
    return members;
  }

  static BitMatrix induced(const BitMatrix& graph, const std::vector<Vertex>& members) {
    BitMatrix part(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        if (graph.joined(members[i], members[j])) {
          part.join(i, j);
        }
      }
    }
    return part;
  }

  bool search(const BitMatrix& graph, std::size_t need, Watch& watch, std::vector<Vertex>& clique) {
    const auto fits = [&](auto& small) {
      return graph.words() == std::tuple_size_v<typename std::decay_t<decltype(small)>::Bits>;
    };
    bool found = false;
    const bool was_small = std::apply(
        [&](auto&... small) {
          return (
              (fits(small) && (found = search_small(small, graph, need, watch, clique), true)) ||
              ...);
        },
        small_);
    return was_small ? found : search_large(graph, need, watch, clique);
  }

  template <std::size_t Words>
  bool search_small(SmallSearch<Words>& small, const BitMatrix& graph, std::size_t need,
                    Watch& watch, std::vector<Vertex>& clique) {
    typename SmallSearch<Words>::Bits all{};
    for (std::size_t v = 0; v < graph.size(); ++v) {
      std::ranges::copy(graph.row(v), small.row(v).begin());
      all[v / 64] |= Word{1} << (v % 64);
    }
    return small.expand(all, need, watch, clique);
  }

  bool search_large(const BitMatrix& graph, std::size_t need, Watch& watch,
                    std::vector<Vertex>& clique);

  std::tuple<SmallSearch<1>, SmallSearch<2>, SmallSearch<3>, SmallSearch<4>, SmallSearch<5>,
             SmallSearch<6>, SmallSearch<7>, SmallSearch<8>>
      small_;
};

// The vertices that fit into `classes` colour classes.
std::vector<Word> coloured(const BitMatrix& graph, std::size_t classes) {
  std::vector<Word> all(graph.words());
  for (std::size_t v = 0; v < graph.size(); ++v) {
    all[v / 64] |= Word{1} << (v % 64);
  }
  std::vector<Word> left = all;
  colour(graph, classes, left);
  for (std::size_t w = 0; w < all.size(); ++w) {
    all[w] &= ~left[w];
  }
  return all;
}

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

bool Searcher::search_large(const BitMatrix& graph, std::size_t need, Watch& watch,
                            std::vector<Vertex>& clique) {
  const std::vector<Word> fits = coloured(graph, need - 1);
  for (std::size_t v = graph.size(); v-- > 0;) {
    if (contains(fits, v)) {
      continue;
    }
    if (run(graph, candidates_of(graph, fits, v), need - 1, watch, clique)) {
      clique.push_back(static_cast<Vertex>(v));
      return true;
    }
    if (watch.gave_up()) {
      return false;
    }
  }
  return false;
}

}  // namespace

CliqueProof::CliqueProof(const BitMatrix& graph, std::size_t size)
    : size_(size), order_(core_first(graph)), graph_(graph.size()) {
  assert(size >= 1);
  take_over(graph);
  coloured_ = coloured(graph_, size - 1);
  for (std::size_t v = graph.size(); v-- > 0;) {
    if (!contains(coloured_, v)) {
      tasks_.push_back({.vertex = v});
    }
  }
}

void CliqueProof::take_over(const BitMatrix& graph) {
  std::vector<std::size_t> place(order_.size());
  for (std::size_t v = 0; v < order_.size(); ++v) {
    place[order_[v]] = v;
  }
  graph_ = BitMatrix(graph.size());
  for (std::size_t v = 0; v < graph.size(); ++v) {
    for_each_bit(graph.row(order_[v]), [&](std::size_t neighbour) {
      if (place[neighbour] < v) {
        graph_.join(v, place[neighbour]);
      }
    });
  }
}

void CliqueProof::tighten(const BitMatrix& graph, std::size_t size) {
  assert(graph.size() == graph_.size() && size >= size_);
  size_ = size;
  take_over(graph);
  // What ran ahead of the settled tasks is done again: one thread would not have run ahead.
  for (std::size_t i = settled_; i < tasks_.size(); ++i) {
    tasks_[i] = {.vertex = tasks_[i].vertex};
  }
}

// The threads of one portion, and what they share.
class CliqueProof::Crew {
 public:
  Crew(CliqueProof& proof, std::uint64_t limit, const Effort& effort)
      : proof_(proof),
        limit_(limit),
        effort_(effort),
        next_(proof.settled_),
        last_(proof.tasks_.size()) {
    settle();
  }

  void work() {
    Searcher searcher;
    for (std::size_t task = claim(); task < proof_.tasks_.size(); task = claim()) {
      // A clique in an earlier task makes this one moot.
      Watch watch([&] { return task > last_ || stopped_ || (stopped_ = effort_.stopped()); });
      std::vector<Vertex> clique;
      const std::size_t v = proof_.tasks_[task].vertex;
      const bool found =
          searcher.run(proof_.graph_, candidates_of(proof_.graph_, proof_.coloured_, v),
                       proof_.size_ - 1, watch, clique);
      if (found) {
        clique.push_back(static_cast<Vertex>(v));
      }
      if (!watch.gave_up()) {
        report(task, watch.nodes(), std::move(clique));
      }
    }
  }

  // For a thread, which must not throw: the first failure stops all, and is for rethrow().
  void work_or_fail() {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = failure_ ? failure_ : std::current_exception();
      stopped_ = true;
    }
  }
  void rethrow() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

  bool found() const { return found_; }

 private:
  std::size_t claim() {
    const std::scoped_lock lock(mutex_);
    while (next_ < proof_.tasks_.size() && proof_.tasks_[next_].done) {
      ++next_;
    }
    if (next_ >= last_ || stopped_ || found_ || proof_.nodes_ >= limit_) {
      return proof_.tasks_.size();
    }
    return next_++;
  }

  void report(std::size_t task, std::uint64_t nodes, std::vector<Vertex> clique) {
    const std::scoped_lock lock(mutex_);
    if (!clique.empty()) {
      last_ = std::min<std::size_t>(last_, task);
    }
    proof_.tasks_[task].done = true;
    proof_.tasks_[task].nodes = nodes;
    proof_.tasks_[task].clique = std::move(clique);
    settle();
  }

  // Accounts for finished tasks in order, until the portion is used up.
  void settle() {
    std::vector<Task>& tasks = proof_.tasks_;
    std::size_t& settled = proof_.settled_;
    while (settled < tasks.size() && tasks[settled].done && !found_ && proof_.nodes_ < limit_) {
      proof_.nodes_ += tasks[settled].nodes;
      if (tasks[settled].clique.empty()) {
        ++settled;
      } else {
        found_ = true;
      }
    }
  }

  CliqueProof& proof_;
  std::uint64_t limit_;
  const Effort& effort_;
  std::mutex mutex_;
  std::size_t next_;
  std::atomic<std::size_t> last_;  // no task after this one is of use
  std::atomic<bool> stopped_ = false;
  bool found_ = false;
  std::exception_ptr failure_;  // the first
};

CliqueProof::Verdict CliqueProof::advance(std::uint64_t nodes, const Effort& effort) {
  Crew crew(*this, nodes_ + nodes, effort);
  {
    std::vector<std::jthread> others;
    const std::size_t useful = std::min<std::size_t>(effort.threads, tasks_.size() - settled_);
    for (std::size_t i = 1; i < useful; ++i) {
      others.emplace_back([&] { crew.work_or_fail(); });
    }
    crew.work_or_fail();
  }
  crew.rethrow();
  if (crew.found()) {
    clique_.clear();
    for (const Vertex v : tasks_[settled_].clique) {
      clique_.push_back(order_[v]);
    }
    return Verdict::found;
  }
  return settled_ == tasks_.size() ? Verdict::none : Verdict::open;
}

}  // namespace hearsay
