#pragma once

// The reasoning by which a search for cliques in a dense graph (clique_search.h) avoids branching
// on vertices that its colour classes have left over. It is that of MaxSAT solvers: each class is a
// soft clause, which a clique satisfies by one vertex of the class. A vertex is absorbed if unit
// propagation from it leads to a conflict: choosing it would force choices in one class after the
// other until some class had no choice left. The classes involved are then relaxed: at most one of
// them may stay without a vertex. So the classes and all absorbed vertices together contain no
// larger clique than there are classes.
//
// For graphs of at most 64 * Words vertices; the compiler unrolls the loops over words.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "hearsay/certificate/bit_matrix.h"

namespace hearsay {

template <std::size_t Words>
using WordBits = std::array<std::uint64_t, Words>;

template <std::size_t Words>
bool is_empty(const WordBits<Words>& bits) {
  std::uint64_t any = 0;
  for (const std::uint64_t word : bits) {
    any |= word;
  }
  return any == 0;
}

template <std::size_t Words>
class CliqueAbsorber {
 public:
  static constexpr std::size_t kVertices = Words * 64;
  using Bits = WordBits<Words>;
  using Rows = std::array<Bits, kVertices>;  // of the graph: the vertices joined to each vertex

  // `rows` must outlive this object, and may change between calls of begin().
  explicit CliqueAbsorber(const Rows& rows) : rows_(rows) {}

  // Starts with no classes.
  void begin() {
    begun_ = 0;
    members_ = {};
  }

  // Adds a vertex to class k. Classes begin in the order of their numbers.
  void add(std::size_t k, std::size_t v) {
    if (k == begun_) {
      class_[begun_] = {};
      groups_[begun_] = 0;
      possible_[begun_++] = 0;
    }
    add_to_class(k, v);
  }

  // Removes from `left` the vertices that the first `classes` classes can absorb: a clique among
  // the classes and the absorbed vertices has at most as many vertices as there are classes.
  //
  // Vertices of `left` that are not joined to each other form a group, of which a clique has at
  // most one. For every absorbed vertex it is shown that, if it is in the clique, then one of the
  // classes of its group has no vertex in the clique (the group relaxes that class), and that no
  // earlier group relaxes the same class. So different groups with a vertex in the clique relax
  // different classes.
  //
  // Returns the approximate work in nanoseconds.
  std::uint64_t absorb(std::size_t classes, Bits& left) {
    work_ = 0;
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
    return work_;
  }

 private:
  using Word = std::uint64_t;

  static Word bit(std::size_t v) { return Word{1} << (v % 64); }

  static bool contains(const Bits& bits, std::size_t v) {
    return ((bits[v / 64] >> (v % 64)) & 1U) != 0;
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

  // Unit propagation: chooses `v`, of `group`, and everything that follows from it. For each class,
  // either it provides a vertex that is joined to all chosen ones, or an earlier group that it
  // belongs to relaxes it; a group relaxes at most one class. If a class has a single possibility
  // left, that one is chosen. Returns true if some class has none left; the classes involved then
  // belong to `group`, or the vertex has become a member of a class.
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
    used_groups_ = bit(group);
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
      const Word unused = groups_[k] & ~used_groups_;
      empty = unused != 0
                  ? choose_relaxation(static_cast<std::size_t>(std::countr_zero(unused)), k, group)
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

  std::size_t choose_relaxation(std::size_t relaxing, std::size_t from, std::size_t group) {
    relaxed_by_[relaxing] = static_cast<Small>(chosen_count_);
    chosen_[chosen_count_++] = {kNone, from, relaxing};
    used_groups_ |= bit(relaxing);
    for (std::size_t w = 0; w < Words; ++w) {
      for (Word rest = group_classes_[relaxing][w]; rest != 0; rest &= rest - 1) {
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
        mark_reasons(choice.from, choice.vertex, choice.relaxing, group);
        add_to_group(choice.from, group);
      }
    }
  }

  // Marks the choices that excluded all possibilities of class k except the given vertex or group.
  void mark_reasons(std::size_t k, std::size_t vertex, std::size_t relaxing, std::size_t group) {
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
      if (other != relaxing) {
        is_reason_[relaxed_by_[other]] = true;
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
  // Either the vertex that class `from` provides, or the group that relaxes that class.
  struct Choice {
    std::size_t vertex = 0;
    std::size_t from = 0;
    std::size_t relaxing = 0;
  };
  struct Queue {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::array<Small, kVertices> classes = {};
  };
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kLastGroup = 63;
  static constexpr Small kSettled = 0x8000;  // has too many possibilities to force anything

  const Rows& rows_;
  std::uint64_t work_ = 0;  // of absorb() so far
  std::size_t begun_ = 0;   // number of classes that have a vertex
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
  std::array<Small, kVertices> excluded_by_ = {};      // which choice, by vertex
  std::array<Small, kLastGroup + 1> relaxed_by_ = {};  // which choice, by group
  Bits alive_ = {};                                    // members joined to all chosen vertices
  Word used_groups_ = 0;  // the groups that have relaxed a class, and the group of the first vertex
};

}  // namespace hearsay
