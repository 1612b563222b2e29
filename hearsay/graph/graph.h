#pragma once

// Who tells about whom: weight(played, seen) in [0, 1] is how well playing one arm shows the loss
// of another. 1 shows it exactly, 0 shows nothing. Always *played* first: row = played.
//
// Every Graph that exists is valid. It never changes, and a copy is a handle on the same storage:
// pass it by value or by reference as you like.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearsay/base/error.h"
#include "hearsay/graph/matrix.h"

namespace hearsay {

using Arm = std::uint32_t;

// "Playing `played` shows `seen`, this well."
struct Arc {
  Arm played = 0;
  Arm seen = 0;
  double weight = 0;

  bool operator==(const Arc&) const = default;
};

// The entry that makes a graph invalid, so that who read it from somewhere can say where it stood.
class ArcError : public Error {
 public:
  ArcError(Arm played, Arm seen, const std::string& message)
      : Error(message), played_(played), seen_(seen) {}

  Arm played() const { return played_; }
  Arm seen() const { return seen_; }

 private:
  Arm played_;
  Arm seen_;
};

class Graph {
 public:
  // `weights` row-major, arms * arms of them, row = played. The diagonal, an arm's own loss, is one
  // constant in (0, 1], the self weight. Throws Error: an ArcError
  // where one entry is wrong.
  static Graph dense(std::size_t arms, std::vector<double> weights);

  // The same from arms * arms weights that someone else owns, and nobody changes: no copy.
  static Graph dense(std::size_t arms, std::shared_ptr<const double> weights);

  // Arcs in any order, each pair at most once; a pair that is absent has weight 0. The diagonal is
  // absent (self weight 1) or there for every arm, with one value. Where it is there for some arms
  // only, it must be 1. Throws Error: an ArcError where one arc is wrong.
  static Graph sparse(std::size_t arms, std::vector<Arc> arcs);

  // What a sparse graph stores, for who has it so: 12 bytes an arc, and no more while it is made.
  // Row i has the entries row_begin[i] .. row_begin[i + 1], `seen` increasing within a row, the
  // diagonal in every row, weights positive. Throws Error: an ArcError where one entry is wrong.
  static Graph sparse_rows(std::size_t arms, std::vector<std::size_t> row_begin,
                           std::vector<Arm> seen, std::vector<double> weights);

  std::size_t arms() const { return weights_->size(); }
  bool is_dense() const { return weights_->is_dense(); }
  double self_weight() const { return self_weight_; }

  // Arcs of positive weight between different arms.
  std::size_t arc_count() const { return arc_count_; }

  double weight(Arm played, Arm seen) const { return weights_->at(played, seen); }

  // The weights as they are stored, the diagonal included; a sparse one stores no zeros.
  const Matrix& weights() const { return *weights_; }

  // Calls visit(seen, weight) for every arm that playing `played` tells about (weight > 0), itself
  // included, in increasing order.
  template <class Visit>
  void for_each_seen(Arm played, Visit&& visit) const;

  // Whether the two are handles on one storage. (Equal weights in two storages are not "same".)
  bool same_as(const Graph& other) const { return weights_ == other.weights_; }

 private:
  Graph(Matrix weights, double self_weight);
  static Graph checked_dense(Matrix weights);

  std::shared_ptr<const Matrix> weights_;
  double self_weight_;
  std::size_t arc_count_;
};

template <class Visit>
void Graph::for_each_seen(Arm played, Visit&& visit) const {
  const std::span<const double> row = weights_->row(played);
  if (weights_->is_dense()) {
    for (std::size_t seen = 0; seen < row.size(); ++seen) {
      if (row[seen] > 0) {
        visit(static_cast<Arm>(seen), row[seen]);
      }
    }
  } else {
    const std::span<const Arm> columns = weights_->row_columns(played);
    for (std::size_t k = 0; k < row.size(); ++k) {
      visit(columns[k], row[k]);
    }
  }
}

}  // namespace hearsay
