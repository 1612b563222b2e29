#pragma once

// Branch and bound, on one thread, for a clique of a given size. At every node as many candidates
// as possible are put into need - 1 colour classes, sets of vertices no two of which are joined.
// The classes alone cannot contain the clique, so the search branches only on the vertices left
// over (Tomita and Seki, 2003; with rows of bits, San Segundo et al., 2011).
//
// In dense graphs vertices left over are then absorbed by reasoning as in MaxSAT (Li and Quan,
// 2010): if choosing a vertex forces choices in one class after the other until a class has no
// choice left, then the vertex and the classes involved together contain no larger clique than
// there are such classes. The proof for a later vertex may use the same classes again, but must
// allow that one of them has no vertex in the clique (clique_absorber.h).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hearsay/certificate/bit_matrix.h"

namespace hearsay {

// Counts the nodes of a search tree and decides when to give up.
class SearchMeter {
 public:
  // Gives up after `most` nodes, or when should_stop() returns true.
  SearchMeter(std::uint64_t most, std::function<bool()> should_stop)
      : most_(most), should_stop_(std::move(should_stop)) {}

  // To be called at every node with its approximate work in nanoseconds, and with the number of
  // small nodes that it counts as. Returns true if the search must unwind.
  bool node(std::uint64_t work, std::uint64_t count = 1) {
    constexpr std::uint64_t kInterval = 1U << 21U;
    nodes_ += count;
    work_ += work;
    if (work_ >= kInterval) {
      work_ = 0;
      gave_up_ = gave_up_ || should_stop_();
    }
    gave_up_ = gave_up_ || nodes_ > most_;
    return gave_up_;
  }
  void give_up() { gave_up_ = true; }
  bool gave_up() const { return gave_up_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  std::uint64_t most_;
  std::function<bool()> should_stop_;
  std::uint64_t nodes_ = 0;
  std::uint64_t work_ = 0;
  bool gave_up_ = false;
};

// Fills `classes` colour classes one after the other with vertices of `left`, in their order, and
// removes these from `left`. Calls on_member(k, v) for every vertex v of class k.
template <class Rows, class Bits, class OnMember>
void colour(const Rows& rows, std::size_t classes, Bits& left, OnMember&& on_member) {
  const std::size_t words = left.size();
  std::size_t first = 0;
  Bits open = left;
  for (std::size_t k = 0; k < classes; ++k) {
    while (first < words && left[first] == 0) {
      ++first;
    }
    if (first == words) {
      return;
    }
    std::copy(left.begin() + static_cast<std::ptrdiff_t>(first), left.end(),
              open.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t word = first; word < words; ++word) {
      while (open[word] != 0) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(open[word]));
        const auto& row = rows.row(word * 64 + bit);
        const std::uint64_t mask = std::uint64_t{1} << bit;
        left[word] &= ~mask;
        open[word] &= ~mask;
        for (std::size_t w = word; w < words; ++w) {
          open[w] &= ~row[w];
        }
        on_member(k, word * 64 + bit);
      }
    }
  }
}

// Runs the searches of one thread, and keeps their memory.
class CliqueSearcher {
 public:
  CliqueSearcher();
  ~CliqueSearcher();
  CliqueSearcher(const CliqueSearcher&) = delete;
  CliqueSearcher& operator=(const CliqueSearcher&) = delete;

  // Whether `need` of `vertices` form a clique of `graph`; if so, they are appended to `clique`.
  // Also false if the meter gave up.
  bool find(const BitMatrix& graph, std::span<const std::uint64_t> vertices, std::size_t need,
            SearchMeter& meter, std::vector<std::uint32_t>& clique);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// All vertices, or the given ones, in degeneracy order: the last is one of least degree, the one
// before it has the least degree among the others, and so on. Colouring the first vertices and
// branching on the last ones keeps branches small. Very many vertices are only sorted by their
// degrees, because the exact order would take too long.
std::vector<std::uint32_t> core_first(const BitMatrix& graph);
std::vector<std::uint32_t> core_first(const BitMatrix& graph, std::vector<std::uint32_t> vertices);

// The subgraph of the vertices in `order`; its vertex i is order[i].
BitMatrix induced(const BitMatrix& graph, std::span<const std::uint32_t> order);

}  // namespace hearsay
