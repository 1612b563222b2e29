#include "hearsay/certificate/clique_search.h"

#include <array>
#include <numeric>
#include <tuple>
#include <utility>

namespace hearsay {
namespace {

using Word = std::uint64_t;
using Vertex = std::uint32_t;

bool contains(std::span<const Word> bits, std::size_t v) {
  return ((bits[v / 64] >> (v % 64)) & 1U) != 0;
}

// Searches graphs of at most 64 * Words vertices, which stay in the first-level cache. The compiler
// unrolls the loops over words.
template <std::size_t Words>
class SmallCliqueSearch {
 public:
  using Bits = std::array<Word, Words>;

  const Bits& row(std::size_t v) const { return rows_[v]; }

  // Whether `need` vertices of `graph`, which has at most `Words` words per row, form a clique; if
  // so, they are appended to `clique`. `absorbs` says whether to use absorb(), which is faster for
  // dense graphs.
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
    const std::uint64_t work = std::exchange(work_, kNodeWork);
    if (meter.node(work, 1 + work / (8 * kNodeWork))) {
      return false;
    }
    if (need <= 1) {
      return need == 0 || append_first(candidates, clique);
    }
    Bits left = candidates;
    if (absorbs_) {
      std::size_t begun = 0;  // classes
      members_ = {};
      colour(*this, need - 1, left, [&](std::size_t k, std::size_t v) {
        if (k == begun) {
          class_[begun] = {};
          groups_[begun] = 0;
          possible_[begun++] = 0;
        }
        add_to_class(k, v);
      });
      absorb(need - 1, left);  // either all classes are filled or no vertex is left
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

  void add_to_class(std::size_t k, std::size_t v) {
    class_[k][v / 64] |= bit(v);
    members_[v / 64] |= bit(v);
    class_of_[v] = static_cast<Small>(k);
    ++possible_[k];
  }
  void take_from_class(std::size_t k, std::size_t v) {
    class_[k][v / 64] &= ~bit(v);
    members_[v / 64] &= ~bit(v);
    --possible_[k];
  }
  void add_to_group(std::size_t k, std::size_t group) {
    if (!contains(group_classes_[group], k)) {
      group_classes_[group][k / 64] |= bit(k);
      groups_[k] |= bit(group);
      ++possible_[k];
    }
  }

  // Removes from `left` the vertices that the first `classes` classes can absorb: a clique among
  // the classes and the absorbed vertices has at most as many vertices as there are classes.
  //
  // Vertices of `left` that are not joined to each other form a group, of which a clique has at
  // most one. For every absorbed vertex it is shown that, if it is in the clique, then one of the
  // classes of its group has no vertex in the clique (the group lacks that class), and that no
  // earlier group lacks the same class. So different groups with a vertex in the clique lack
  // different classes.
  void absorb(std::size_t classes, Bits& left) {
    Bits waiting = left;
    group_classes_[kLastGroup] = {};
    for (std::size_t group = 0; !is_empty(waiting); group = std::min(group + 1, kLastGroup)) {
      // The last number stands for all further groups, so their classes are not used by others.
      if (group == kLastGroup) {
        for_each_bit(group_classes_[group], [&](std::size_t k) { possible_[k] = kSettled; });
      }
      group_classes_[group] = {};
      Bits open = waiting;
      for (std::size_t word = 0; word < Words; ++word) {
        while (open[word] != 0) {
          const std::size_t v = word * 64 + static_cast<std::size_t>(std::countr_zero(open[word]));
          waiting[word] &= ~bit(v);
          open[word] &= ~bit(v);
          for (std::size_t w = word; w < Words; ++w) {
            open[w] &= ~rows_[v][w];
          }
          if (leads_to_conflict(v, classes, group)) {
            left[word] &= ~bit(v);
          }
        }
      }
    }
  }

  // Chooses `v`, of `group`, and everything that follows from it. For each class, either it
  // provides a vertex that is joined to all chosen ones, or an earlier group that it belongs to
  // lacks it; a group lacks at most one class. If a class has a single possibility left, that one
  // is chosen. Returns true if some class has none left; the classes involved then belong to
  // `group`, or the vertex has become a member of a class.
  bool leads_to_conflict(std::size_t v, std::size_t classes, std::size_t group) {
    work_ += classes;
    std::copy_n(possible_.begin(), classes, possible_now_.begin());
    for_each_bit(group_classes_[group], [&](std::size_t k) { --possible_now_[k]; });
    for (Queue& queue : forced_) {
      queue.begin = queue.end = 0;
    }
    for (std::size_t k = 0; k < classes; ++k) {
      if (possible_now_[k] == 1) {
        force(k, group);
      }
    }
    alive_ = members_;
    lacking_ = bit(group);
    chosen_count_ = 0;
    std::size_t empty = choose_vertex(v, classes, group);
    while (empty == kNone) {
      Queue& queue = forced_[forced_[0].begin < forced_[0].end ? 0 : 1];
      if (queue.begin == queue.end) {
        work_ += chosen_count_ * Words;
        return false;
      }
      const std::size_t k = queue.classes[queue.begin++];
      possible_now_[k] = kSettled;
      const Word lackable = groups_[k] & ~lacking_;
      empty = lackable != 0
                  ? choose_lacking(static_cast<std::size_t>(std::countr_zero(lackable)), k, group)
                  : choose_vertex(first_of_both(class_[k], alive_), k, group);
    }
    work_ += chosen_count_ * Words;
    use_classes(empty, group);
    return true;
  }

  // Class k has a single possibility left. Classes that belong to no other group come first,
  // because they cost less.
  void force(std::size_t k, std::size_t group) {
    Queue& queue = forced_[(groups_[k] & ~bit(group)) == 0 ? 0 : 1];
    queue.classes[queue.end++] = static_cast<Small>(k);
  }

  // The following two functions return a class that has no possibility left, if there is one.
  std::size_t choose_vertex(std::size_t v, std::size_t from, std::size_t group) {
    const auto number = static_cast<Small>(chosen_count_);
    chosen_[chosen_count_++] = {v, from, kNone};
    alive_[v / 64] &= ~bit(v);
    for (std::size_t w = 0; w < Words; ++w) {
      Word gone = alive_[w] & ~rows_[v][w];
      alive_[w] ^= gone;
      for (; gone != 0; gone &= gone - 1) {
        const std::size_t other = w * 64 + static_cast<std::size_t>(std::countr_zero(gone));
        excluded_by_[other] = number;
        if (const std::size_t k = class_of_[other]; loses_one(k, group)) {
          return k;
        }
      }
    }
    return kNone;
  }

  std::size_t choose_lacking(std::size_t lacking, std::size_t from, std::size_t group) {
    lacked_by_[lacking] = static_cast<Small>(chosen_count_);
    chosen_[chosen_count_++] = {kNone, from, lacking};
    lacking_ |= bit(lacking);
    for (std::size_t w = 0; w < Words; ++w) {
      for (Word rest = group_classes_[lacking][w]; rest != 0; rest &= rest - 1) {
        const std::size_t k = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        if (loses_one(k, group)) {
          return k;
        }
      }
    }
    return kNone;
  }

  // Class k loses one possibility. Returns true if none is left.
  bool loses_one(std::size_t k, std::size_t group) {
    const Small possible = --possible_now_[k];
    if (possible == 1) {
      force(k, group);
    }
    return possible == 0;
  }

  static std::size_t first_of_both(const Bits& a, const Bits& b) {
    std::size_t w = 0;
    while ((a[w] & b[w]) == 0) {
      ++w;
    }
    return w * 64 + static_cast<std::size_t>(std::countr_zero(a[w] & b[w]));
  }

  // The number of bits that `a` and `b` share, at most 2. If it is 1, `which` is set to that bit.
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

  // Class `empty` has no possibility left after the choices. Finds the classes that were involved.
  void use_classes(std::size_t empty, std::size_t group) {
    std::fill_n(is_reason_.begin(), chosen_count_, false);
    mark_reasons(empty, kNone, kNone, group);
    if (groups_[empty] == 0 && recolours(empty)) {
      return;
    }
    add_to_group(empty, group);
    for (std::size_t i = chosen_count_; i-- > 1;) {
      if (is_reason_[i]) {
        const Choice& choice = chosen_[i];
        mark_reasons(choice.from, choice.vertex, choice.lacking, group);
        add_to_group(choice.from, group);
      }
    }
  }

  // Marks the choices that excluded all possibilities of class k except the given vertex or group.
  void mark_reasons(std::size_t k, std::size_t vertex, std::size_t lacking, std::size_t group) {
    for (std::size_t w = 0; w < Words; ++w) {
      for (Word rest = class_[k][w]; rest != 0; rest &= rest - 1) {
        const std::size_t v = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        if (v != vertex) {
          is_reason_[excluded_by_[v]] = true;
        }
      }
    }
    for (Word rest = groups_[k] & ~bit(group); rest != 0; rest &= rest - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(rest));
      if (other != lacking) {
        is_reason_[lacked_by_[other]] = true;
      }
    }
  }

  // Whether the vertex itself, or one that it can replace, fits into a class that belongs to no
  // group. It is then put there, and the other classes stay as they are.
  bool recolours(std::size_t empty) {
    std::size_t reasons = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < chosen_count_; ++i) {
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
    if (groups_[other.from] != 0 || count_up_to_two(class_[other.from], rows_[v], only) != 1) {
      return false;
    }
    take_from_class(other.from, other.vertex);
    add_to_class(empty, other.vertex);
    add_to_class(other.from, v);
    return true;
  }

  using Small = std::uint16_t;
  // Either the vertex that class `from` provides, or the group that lacks that class.
  struct Choice {
    std::size_t vertex = 0;
    std::size_t from = 0;
    std::size_t lacking = 0;
  };
  struct Queue {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::array<Small, Words* 64> classes = {};
  };
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kLastGroup = 63;
  static constexpr Small kSettled = 0x8000;  // has too many possibilities to force anything
  static constexpr std::size_t kVertices = Words * 64;

  // The approximate work of a node in nanoseconds, without absorb().
  static constexpr std::uint64_t kNodeWork = 200 * (4 + Words);

  std::uint64_t work_ = 0;  // since the last node
  bool absorbs_ = false;
  std::array<Bits, kVertices> rows_ = {};
  // Temporary data of absorb():
  std::array<Bits, kVertices> class_ = {};
  Bits members_ = {};                           // of all classes
  std::array<Small, kVertices> class_of_ = {};  // of members
  std::array<Word, kVertices> groups_ = {};     // of each class, as bits
  std::array<Bits, kLastGroup + 1> group_classes_ = {};
  std::array<Small, kVertices> possible_ = {};  // members and groups of each class
  // Temporary data of leads_to_conflict():
  std::array<Small, kVertices> possible_now_ = {};
  std::array<Queue, 2> forced_ = {};
  std::size_t chosen_count_ = 0;
  std::array<Choice, kVertices + 1> chosen_ = {};
  std::array<bool, kVertices + 1> is_reason_ = {};
  std::array<Small, kVertices> excluded_by_ = {};     // which choice
  std::array<Small, kLastGroup + 1> lacked_by_ = {};  // which choice
  Bits alive_ = {};                                   // members joined to all chosen vertices
  Word lacking_ = 0;  // groups whose lacking class is chosen, and the one in question
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
  constexpr std::size_t kMostSquares = 2048;  // beyond, the order costs too much
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
    // Below this density absorb() costs more than the nodes that it saves. The number of candidates
    // then falls so fast that large graphs are better copied once more.
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
