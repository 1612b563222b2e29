#include "hearsay/certificate/clique_search.h"

#include <array>
#include <numeric>
#include <tuple>

namespace hearsay {
namespace {

using Word = std::uint64_t;
using Vertex = std::uint32_t;

bool contains(std::span<const Word> bits, std::size_t v) {
  return ((bits[v / 64] >> (v % 64)) & 1U) != 0;
}

// A graph of at most 64 * Words vertices, small enough to stay in the nearest cache, with loops
// over words that the compiler unrolls.
template <std::size_t Words>
class SmallCliqueSearch {
 public:
  using Bits = std::array<Word, Words>;

  const Bits& row(std::size_t v) const { return rows_[v]; }

  // Whether `need` vertices of `graph`, which has `Words` words a row, form a clique; if so, they
  // are appended to `clique`.
  bool find(const BitMatrix& graph, std::size_t need, SearchMeter& meter,
            std::vector<Vertex>& clique) {
    Bits all{};
    std::size_t entries = 0;
    for (std::size_t v = 0; v < graph.size(); ++v) {
      std::ranges::copy(graph.row(v), rows_[v].begin());
      all[v / 64] |= bit(v);
      entries += count_bits(graph.row(v));
    }
    // Below this density the reasoning costs more than the nodes that it saves.
    absorbs_ = 10 * entries >= 7 * graph.size() * graph.size();
    return expand(all, need, meter, clique);
  }

 private:
  static Word bit(std::size_t v) { return Word{1} << (v % 64); }

  static bool is_empty(const Bits& bits) {
    Word any = 0;
    for (const Word word : bits) {
      any |= word;
    }
    return any == 0;
  }

  static Bits both(const Bits& a, const Bits& b) {
    Bits result;
    for (std::size_t w = 0; w < Words; ++w) {
      result[w] = a[w] & b[w];
    }
    return result;
  }

  bool expand(const Bits& candidates, std::size_t need, SearchMeter& meter,
              std::vector<Vertex>& clique) {
    if (meter.node(1000)) {
      return false;
    }
    if (need <= 1) {
      return need == 0 || append_first(candidates, clique);
    }
    Bits left = candidates;
    if (absorbs_) {
      std::size_t begun = 0;  // classes
      colour(*this, need - 1, left, [&](std::size_t k, std::size_t v) {
        if (k == begun) {
          class_[begun++] = {};
        }
        add_to_class(k, v);
      });
      absorb(need - 1, left);  // all classes are filled, or nothing is left
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

  void add_to_class(std::size_t k, std::size_t v) { class_[k][v / 64] |= bit(v); }
  void move(std::size_t v, std::size_t from, std::size_t to) {
    class_[from][v / 64] &= ~bit(v);
    class_[to][v / 64] |= bit(v);
  }

  // Takes out of `left` what the first `classes` classes can absorb. Vertices of `left` that are
  // not joined to each other are one more class: together they may use the same classes, as at most
  // one of them is in a clique. Different such sets use different classes.
  void absorb(std::size_t classes, Bits& left) {
    std::fill_n(used_by_.begin(), classes, 0U);
    Bits waiting = left;
    for (std::uint32_t user = 1; !is_empty(waiting); ++user) {
      Bits open = waiting;
      for (std::size_t word = 0; word < Words; ++word) {
        while (open[word] != 0) {
          const std::size_t v = word * 64 + static_cast<std::size_t>(std::countr_zero(open[word]));
          waiting[word] &= ~bit(v);
          open[word] &= ~bit(v);
          for (std::size_t w = word; w < Words; ++w) {
            open[w] &= ~rows_[v][w];
          }
          if (leads_to_conflict(v, classes, user)) {
            left[word] &= ~bit(v);
          }
        }
      }
    }
  }

  // Chooses `v` and what follows from it: a class with one vertex that is joined to all chosen ones
  // must provide it. True if some class is left without any; the classes that show it are then used
  // by `user`, or the vertex is in a class.
  bool leads_to_conflict(std::size_t v, std::size_t classes, std::uint32_t user) {
    std::size_t open = 0;
    for (std::size_t k = 0; k < classes; ++k) {  // classes that cost nothing more come first
      if (used_by_[k] == user) {
        open_[open++] = static_cast<std::uint32_t>(k);
      }
    }
    for (std::size_t k = 0; k < classes; ++k) {
      if (used_by_[k] == 0) {
        open_[open++] = static_cast<std::uint32_t>(k);
      }
    }
    chosen_[0] = {v, classes};
    std::size_t chosen = 1;
    Bits alive = rows_[v];
    for (bool progress = true; progress;) {
      progress = false;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < open; ++i) {
        const std::size_t k = open_[i];
        std::size_t last = 0;
        switch (count_up_to_two(class_[k], alive, last)) {
          case 0:
            use_classes(chosen, k, user);
            return true;
          case 1:
            chosen_[chosen++] = {last, k};
            alive = both(alive, rows_[last]);
            progress = true;
            break;
          default:
            open_[kept++] = static_cast<std::uint32_t>(k);
        }
      }
      open = kept;
    }
    return false;
  }

  // How many bits `a` and `b` share, at most 2; if one, `which` it is.
  static int count_up_to_two(const Bits& a, const Bits& b, std::size_t& which) {
    Word found = 0;
    std::size_t at = 0;
    for (std::size_t w = 0; w < Words; ++w) {
      const Word shared = a[w] & b[w];
      if (shared != 0) {
        if (found != 0 || (shared & (shared - 1)) != 0) {
          return 2;
        }
        found = shared;
        at = w;
      }
    }
    which = at * 64 + static_cast<std::size_t>(found == 0 ? 0 : std::countr_zero(found));
    return found == 0 ? 0 : 1;
  }

  // The choices left class `empty` without a vertex. Finds the classes that show it.
  void use_classes(std::size_t chosen, std::size_t empty, std::uint32_t user) {
    std::fill_n(is_reason_.begin(), chosen, false);
    mark_reasons(class_[empty], chosen);
    if (recolours(chosen, empty)) {
      return;
    }
    used_by_[empty] = user;
    for (std::size_t i = chosen; i-- > 1;) {
      if (is_reason_[i]) {
        used_by_[chosen_[i].from] = user;
        Bits others = class_[chosen_[i].from];
        others[chosen_[i].vertex / 64] &= ~bit(chosen_[i].vertex);
        mark_reasons(others, i);
      }
    }
  }

  // Marks among the first `limit` choices some that exclude all of `vertices`.
  void mark_reasons(Bits vertices, std::size_t limit) {
    for (std::size_t i = 0; i < limit && !is_empty(vertices); ++i) {
      const Bits remaining = both(vertices, rows_[chosen_[i].vertex]);
      is_reason_[i] = is_reason_[i] || remaining != vertices;
      vertices = remaining;
    }
  }

  // The vertex itself, or one that it can replace, fits into a class that nobody uses: no class is
  // used up then.
  bool recolours(std::size_t chosen, std::size_t empty) {
    if (used_by_[empty] != 0) {
      return false;
    }
    std::size_t reasons = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < chosen; ++i) {
      if (is_reason_[i]) {
        ++reasons;
        last = i;
      }
    }
    if (reasons != 1) {
      return false;
    }
    const std::size_t v = chosen_[0].vertex;
    if (last == 0) {
      add_to_class(empty, v);
      return true;
    }
    const Choice& other = chosen_[last];
    std::size_t only = 0;
    if (used_by_[other.from] != 0 || count_up_to_two(class_[other.from], rows_[v], only) != 1) {
      return false;
    }
    move(other.vertex, other.from, empty);
    add_to_class(other.from, v);
    return true;
  }

  struct Choice {
    std::size_t vertex = 0;
    std::size_t from = 0;  // the class
  };
  static constexpr std::size_t kVertices = Words * 64;

  bool absorbs_ = false;
  std::array<Bits, kVertices> rows_ = {};
  // Scratch of absorb(), which is done with it before the next node:
  std::array<Bits, kVertices> class_ = {};
  std::array<std::uint32_t, kVertices> used_by_ = {};  // 0: nobody
  std::array<std::uint32_t, kVertices> open_ = {};
  std::array<Choice, kVertices + 1> chosen_ = {};
  std::array<bool, kVertices + 1> is_reason_ = {};
};

std::vector<Word> bits_of(std::span<const Vertex> vertices, std::size_t words) {
  std::vector<Word> bits(words);
  for (const Vertex v : vertices) {
    bits[v / 64] |= Word{1} << (v % 64);
  }
  return bits;
}

// Those of `vertices` that have at least need - 1 neighbours among them; a few sweeps find most.
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
  constexpr std::size_t kMostSquares = 2048;  // beyond, the order costs more than it gains
  if (vertices.size() > kMostSquares) {
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
    // A copy where it is much smaller, so that the copies of all levels take little memory.
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
  static constexpr std::size_t kSmall = 512;

  bool find_in_copy(const BitMatrix& graph, std::size_t need, SearchMeter& meter,
                    std::vector<Vertex>& clique) {
    switch (graph.words()) {
      case 1:
        return small<1>().find(graph, need, meter, clique);
      case 2:
        return small<2>().find(graph, need, meter, clique);
      case 3:
        return small<3>().find(graph, need, meter, clique);
      case 4:
        return small<4>().find(graph, need, meter, clique);
      case 5:
        return small<5>().find(graph, need, meter, clique);
      case 6:
        return small<6>().find(graph, need, meter, clique);
      case 7:
        return small<7>().find(graph, need, meter, clique);
      case 8:
        return small<8>().find(graph, need, meter, clique);
      default:
        return branch(graph, all_bits(graph.size()), need, meter, clique);
    }
  }

  template <std::size_t Words>
  SmallCliqueSearch<Words>& small() {
    auto& search = std::get<Words - 1>(small_);
    if (!search) {
      search = std::make_unique<SmallCliqueSearch<Words>>();
    }
    return *search;
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

  // Made when first used: the larger ones take 100 kB.
  std::tuple<std::unique_ptr<SmallCliqueSearch<1>>, std::unique_ptr<SmallCliqueSearch<2>>,
             std::unique_ptr<SmallCliqueSearch<3>>, std::unique_ptr<SmallCliqueSearch<4>>,
             std::unique_ptr<SmallCliqueSearch<5>>, std::unique_ptr<SmallCliqueSearch<6>>,
             std::unique_ptr<SmallCliqueSearch<7>>, std::unique_ptr<SmallCliqueSearch<8>>>
      small_;
};

CliqueSearcher::CliqueSearcher() : impl_(std::make_unique<Impl>()) {}
CliqueSearcher::~CliqueSearcher() = default;

bool CliqueSearcher::find(const BitMatrix& graph, std::span<const Word> vertices, std::size_t need,
                          SearchMeter& meter, std::vector<Vertex>& clique) {
  return impl_->find(graph, vertices, need, meter, clique);
}

}  // namespace hearsay
