#pragma once

// A weighted observation graph cut at a threshold. The strength of a pair of arms is the larger of
// its two weights: at threshold eps two arms conflict iff their strength is at least eps, and an
// independent set is one without conflicts, that is, one whose diameter (its largest strength) is
// below eps. Self weights play no part.

#include <cstddef>
#include <span>
#include <vector>

#include "hearsay/certificate/bit_matrix.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// Who conflicts with whom, as lists.
class ConflictGraph {
 public:
  // `begin` has size() + 1 entries; the conflicts of i are arms[begin[i]] .. arms[begin[i + 1]].
  ConflictGraph(std::vector<std::size_t> begin, std::vector<Arm> arms)
      : begin_(std::move(begin)), arms_(std::move(arms)) {}

  std::size_t size() const { return begin_.size() - 1; }
  std::span<const Arm> of(Arm arm) const {
    return std::span(arms_).subspan(begin_[arm], begin_[arm + 1] - begin_[arm]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Arm> arms_;
};

// The strengths of all pairs: a symmetric matrix, dense or sparse as the graph is, without diagonal
// (dense: zeros there).
class Strengths {
 public:
  explicit Strengths(const Graph& graph);

  std::size_t arms() const { return matrix_.size(); }
  bool is_dense() const { return matrix_.is_dense(); }
  double of(Arm a, Arm b) const { return matrix_.at(a, b); }

  // The least strength of any pair (0 where a pair has none); 1 where there is no pair.
  double least() const;

  // Where the distinct strengths are few, the least of them that is at least `threshold`: it cuts
  // the graph in the same way. Elsewhere, and above them all, `threshold` itself.
  double level(double threshold) const;

  double diameter(std::span<const Arm> set) const;

  ConflictGraph conflicts(double threshold) const;
  BitMatrix compatible(double threshold) const;  // the complement: pairs below the threshold

 private:
  Matrix matrix_;
  std::vector<double> levels_;  // the distinct strengths, increasing; empty where there are many
};

}  // namespace hearsay
