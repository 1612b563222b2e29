#include "hearsay/certificate/clique_search.h"

#include <numeric>
#include <tuple>
#include <utility>

#include "hearsay/certificate/clique_absorber.h"

namespace hearsay {
namespace {

using Word = std::uint64_t;
using Vertex = std::uint32_t;

bool contains(std::span<const Word> bits, std::size_t v) {
  return ((bits[v / 64] >> (v % 64)) & 1U) != 0;
}

// Searches graphs of at most 64 * Words vertices, whose rows stay in the cache. The compiler
// unrolls the loops over words.
template <std::size_t Words>
class SmallCliqueSearch {
 public:
  using Bits = WordBits<Words>;

  SmallCliqueSearch() = default;
  SmallCliqueSearch(const SmallCliqueSearch&) = delete;
  SmallCliqueSearch& operator=(const SmallCliqueSearch&) = delete;

  const Bits& row(std::size_t v) const { return rows_[v]; }

  // Whether `need` vertices of `graph`, which has at most `Words` words per row, form a clique; if
  // so, they are appended to `clique`. `absorbs` says whether to use the absorber, which is faster
  // for dense graphs.
  bool find(const BitMatrix& graph, bool absorbs, std::size_t need, SearchMeter& meter,
            std::vector<Vertex>& clique) {
    work_ = kNodeWork;
    absorbs_ = absorbs;
    Bits all{};
    for (std::size_t v = 0; v < graph.size(); ++v) {
      std::fill(std::ranges::copy(graph.row(v), rows_[v].begin()).out, rows_[v].end(), Word{0});
      all[v / 64] |= bit(v);
    }
    return expand(all, need, meter, clique);
  }

 private:
  static Word bit(std::size_t v) { return Word{1} << (v % 64); }

  static Bits both(const Bits& a, const Bits& b) {
    Bits result;
    for (std::size_t w = 0; w < Words; ++w) {
      result[w] = a[w] & b[w];
    }
    return result;
  }

  bool expand(const Bits& candidates, std::size_t need, SearchMeter& meter,
              std::vector<Vertex>& clique) {
    const std::uint64_t work = std::exchange(work_, kNodeWork);
    if (meter.node(work, 1 + work / (8 * kNodeWork))) {
      return false;
    }
    if (need <= 1) {
      return need == 0 || append_first(candidates, clique);
    }
    Bits left = candidates;
    if (absorbs_) {
      absorber_.begin();
      colour(*this, need - 1, left, [&](std::size_t k, std::size_t v) { absorber_.add(k, v); });
      // Either all classes are filled or no vertex is left.
      work_ += absorber_.absorb(need - 1, left);
    } else {
      colour(*this, need - 1, left, [](std::size_t, std::size_t) {});
    }
    if (is_empty(left)) {
      return false;
    }
    Bits allowed;
    for (std::size_t w = 0; w < Words; ++w) {
      allowed[w] = candidates[w] & ~left[w];
    }
    for (std::size_t word = 0; word < Words; ++word) {
      for (Word rest = left[word]; rest != 0; rest &= rest - 1) {
        const std::size_t v = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        if (expand(both(allowed, rows_[v]), need - 1, meter, clique)) {
          clique.push_back(static_cast<Vertex>(v));
          return true;
        }
        if (meter.gave_up()) {
          return false;
        }
        allowed[word] |= bit(v);
      }
    }
    return false;
  }

  static bool append_first(const Bits& candidates, std::vector<Vertex>& clique) {
    for (std::size_t word = 0; word < Words; ++word) {
      if (candidates[word] != 0) {
        clique.push_back(static_cast<std::uint32_t>(
            word * 64 + static_cast<std::size_t>(std::countr_zero(candidates[word]))));
        return true;
      }
    }
    return false;
  }

  // The approximate work of a node in nanoseconds, without the absorber.
  static constexpr std::uint64_t kNodeWork = 200 * (4 + Words);

  std::uint64_t work_ = 0;  // since the last node
  bool absorbs_ = false;
  typename CliqueAbsorber<Words>::Rows rows_ = {};
  CliqueAbsorber<Words> absorber_{rows_};
};

std::vector<Word> bits_of(std::span<const Vertex> vertices, std::size_t words) {
  std::vector<Word> bits(words);
  for (const Vertex v : vertices) {
    bits[v / 64] |= Word{1} << (v % 64);
  }
  return bits;
}

// Removes from `vertices` those with fewer than need - 1 neighbours among them. A few sweeps find
// most of these.
std::vector<Vertex> with_enough_neighbours(const BitMatrix& graph, std::span<const Word> vertices,
                                           std::size_t need) {
  std::vector<Word> alive(vertices.begin(), vertices.end());
  bool changed = true;
  for (int sweep = 0; sweep < 4 && changed; ++sweep) {
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

}  // namespace

std::vector<Vertex> core_first(const BitMatrix& graph) {
  std::vector<Vertex> all(graph.size());
  std::iota(all.begin(), all.end(), Vertex{0});
  return core_first(graph, std::move(all));
}

std::vector<Vertex> core_first(const BitMatrix& graph, std::vector<Vertex> vertices) {
  const std::vector<Word> members = bits_of(vertices, graph.words());
  std::vector<std::size_t> degree(graph.size());
  for (const Vertex v : vertices) {
    for (std::size_t w = 0; w < members.size(); ++w) {
      degree[v] += static_cast<std::size_t>(std::popcount(graph.row(v)[w] & members[w]));
    }
  }
  constexpr std::size_t kMostVertices = 2048;  // the exact order takes quadratic time
  if (vertices.size() > kMostVertices) {
    std::ranges::stable_sort(vertices, [&](Vertex a, Vertex b) { return degree[a] > degree[b]; });
    return vertices;
  }
  for (auto last = vertices.end(); last - vertices.begin() > 1; --last) {
    const auto least = std::min_element(vertices.begin(), last,
                                        [&](Vertex a, Vertex b) { return degree[a] < degree[b]; });
    const std::span<const Word> row = graph.row(*least);
    std::iter_swap(least, last - 1);
    for (auto rest = vertices.begin(); rest != last - 1; ++rest) {
      degree[*rest] -= (row[*rest / 64] >> (*rest % 64)) & 1U;
    }
  }
  return vertices;
}

BitMatrix induced(const BitMatrix& graph, std::span<const Vertex> order) {
  BitMatrix part(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::span<const Word> from = graph.row(order[i]);
    const std::span<Word> to = part.row(i);
    for (std::size_t w = 0; w < to.size(); ++w) {
      const std::size_t end = std::min<std::size_t>(64, order.size() - 64 * w);
      Word word = 0;
      for (std::size_t k = 0; k < end; ++k) {
        const Vertex v = order[64 * w + k];
        word |= ((from[v / 64] >> (v % 64)) & 1U) << k;
      }
      to[w] = word;
    }
  }
  return part;
}

class CliqueSearcher::Impl {
 public:
  bool find(const BitMatrix& graph, std::span<const Word> vertices, std::size_t need,
            SearchMeter& meter, std::vector<Vertex>& clique) {
    const std::uint64_t sweep = count_bits(vertices) * graph.words();
    if (meter.node(4 * sweep, 1 + sweep / 500)) {
      return false;
    }
    if (need == 0) {
      return true;
    }
    const std::vector<Vertex> members = with_enough_neighbours(graph, vertices, need);
    if (members.size() < need) {
      return false;
    }
    if (need == 1) {
      clique.push_back(members.front());
      return true;
    }
    // The subgraph is copied only if it is much smaller, so that the copies of all levels need
    // little memory.
    if (members.size() > kSmall && 4 * members.size() > 3 * graph.size()) {
      return branch(graph, bits_of(members, graph.words()), need, meter, clique);
    }
    const std::uint64_t square = members.size() * members.size();
    if (meter.node(2 * square, square / 500)) {
      return false;
    }
    const std::vector<Vertex> order = core_first(graph, members);
    const std::size_t before = clique.size();
    if (!find_in_copy(induced(graph, order), need, meter, clique)) {
      return false;
    }
    for (std::size_t i = before; i < clique.size(); ++i) {
      clique[i] = order[clique[i]];
    }
    return true;
  }

 private:
  using Sizes = std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24>;  // in words
  static constexpr std::size_t kSmall = std::size_t{24} * 64;
  static constexpr std::size_t kSmallIfNotDense = 512;

  bool find_in_copy(const BitMatrix& graph, std::size_t need, SearchMeter& meter,
                    std::vector<Vertex>& clique) {
    std::size_t entries = 0;
    for (std::size_t v = 0; v < graph.size(); ++v) {
      entries += count_bits(graph.row(v));
    }
    // Below this density the absorber costs more than the nodes that it saves. The number of
    // candidates then falls so fast that large graphs are better copied once more.
    const bool is_dense = 10 * entries >= 7 * graph.size() * graph.size();
    if (!is_dense && graph.size() > kSmallIfNotDense) {
      return branch(graph, all_bits(graph.size()), need, meter, clique);
    }
    return find_in_copy(graph, is_dense, need, meter, clique, Sizes{});
  }

  // Uses the smallest search that the graph fits into.
  template <std::size_t Words, std::size_t... Larger>
  bool find_in_copy(const BitMatrix& graph, bool is_dense, std::size_t need, SearchMeter& meter,
                    std::vector<Vertex>& clique, std::index_sequence<Words, Larger...>) {
    if (graph.words() <= Words) {
      auto& search = std::get<std::unique_ptr<SmallCliqueSearch<Words>>>(small_);
      if (!search) {
        search = std::make_unique<SmallCliqueSearch<Words>>();
      }
      return search->find(graph, is_dense, need, meter, clique);
    }
    if constexpr (sizeof...(Larger) > 0) {
      return find_in_copy(graph, is_dense, need, meter, clique, std::index_sequence<Larger...>{});
    }
    return branch(graph, all_bits(graph.size()), need, meter, clique);
  }

  // One node of a graph that is not small.
  bool branch(const BitMatrix& graph, std::span<const Word> vertices, std::size_t need,
              SearchMeter& meter, std::vector<Vertex>& clique) {
    std::vector<Word> left(vertices.begin(), vertices.end());
    colour(graph, need - 1, left, [](std::size_t, std::size_t) {});
    std::vector<Word> allowed(vertices.begin(), vertices.end());
    for (std::size_t w = 0; w < left.size(); ++w) {
      allowed[w] &= ~left[w];
    }
    std::vector<Word> candidates(left.size());
    for (std::size_t word = 0; word < left.size(); ++word) {
      for (; left[word] != 0; left[word] &= left[word] - 1) {
        const std::size_t v = word * 64 + static_cast<std::size_t>(std::countr_zero(left[word]));
        const std::span<const Word> row = graph.row(v);
        for (std::size_t w = 0; w < candidates.size(); ++w) {
          candidates[w] = allowed[w] & row[w];
        }
        if (find(graph, candidates, need - 1, meter, clique)) {
          clique.push_back(static_cast<Vertex>(v));
          return true;
        }
        if (meter.gave_up()) {
          return false;
        }
        allowed[word] |= Word{1} << (v % 64);
      }
    }
    return false;
  }

  template <std::size_t... Words>
  static std::tuple<std::unique_ptr<SmallCliqueSearch<Words>>...> searches(
      std::index_sequence<Words...>);

  // Created when first used, because the larger ones take up to 1 MB.
  decltype(searches(Sizes{})) small_;
};

CliqueSearcher::CliqueSearcher() : impl_(std::make_unique<Impl>()) {}
CliqueSearcher::~CliqueSearcher() = default;

bool CliqueSearcher::find(const BitMatrix& graph, std::span<const Word> vertices, std::size_t need,
                          SearchMeter& meter, std::vector<Vertex>& clique) {
  return impl_->find(graph, vertices, need, meter, clique);
}

}  // namespace hearsay
