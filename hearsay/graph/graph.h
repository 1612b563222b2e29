#pragma once

// The weighted directed observation graph. weight(played, seen) in [0, 1] says how well playing one
// arm shows the loss of another: 1 shows it exactly, 0 shows nothing. The arm played always comes
// first; in a matrix it is the row.
//
// Every Graph is valid and immutable, and a copy is a handle on the same storage, so it is cheap to
// pass by value.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/error.h"
#include "hearsay/graph/matrix.h"

namespace hearsay {

using Arm = std::uint32_t;

// The smallest self weight of a graph. A weight between different arms may be smaller, as many
// kernels give, but learners count it as 0. Squares and inverses of larger weights neither overflow
// nor underflow.
inline constexpr double kSmallestWeight = 1e-50;

// Playing `played` shows the loss of `seen` with this weight.
struct Arc {
  Arm played = 0;
  Arm seen = 0;
  double weight = 0;

  bool operator==(const Arc&) const = default;
};

// Names the entry that makes a graph invalid, so that the reader of a file can report its place.
class ArcError : public Error {
 public:
  // `what` is what messages call the entry ("weight", "arc "), `problem` what is wrong with it. The
  // message is "weight(0, 3) is 2, expected ...".
  ArcError(std::string what, Arm played, Arm seen, std::string problem);

  Arm played() const { return played_; }
  Arm seen() const { return seen_; }

  // The message with these names of the two arms instead of their numbers.
  std::string message_with(std::string_view played, std::string_view seen) const;

 private:
  std::string what_;
  Arm played_;
  Arm seen_;
  std::string problem_;
};

class Graph {
 public:
  // `weights` has arms * arms entries in row-major order; the row is the arm played. The diagonal,
  // which is the weight of an arm's own loss, must be one constant, the self weight, in
  // [kSmallestWeight, 1].
  // Throws Error, which is an ArcError if a single entry is wrong.
  static Graph dense(std::size_t arms, std::vector<double> weights);

  // The same without a copy. The arms * arms weights must never change.
  static Graph dense(std::size_t arms, std::shared_ptr<const double> weights);

  // `arcs` may be in any order; no pair may appear twice, and a pair that is absent has weight 0.
  // If the arcs contain the diagonal for every arm, it must be one constant, the self weight, in
  // [kSmallestWeight, 1]. Otherwise the self weight is 1, and so must be the diagonal entries
  // given. Throws Error, which is an ArcError if a single arc is wrong.
  static Graph sparse(std::size_t arms, std::vector<Arc> arcs);

  // Takes over arrays in compressed sparse row form, 12 bytes an arc, without temporary copies.
  // Row i has the entries row_begin[i] to row_begin[i + 1] - 1; `seen` increases within a row and
  // includes the diagonal, and all weights are positive.
  // Throws Error, which is an ArcError if a single entry is wrong.
  static Graph sparse_rows(std::size_t arms, std::vector<std::size_t> row_begin,
                           std::vector<Arm> seen, std::vector<double> weights);

  std::size_t arms() const { return weights_->size(); }
  bool is_dense() const { return weights_->is_dense(); }
  double self_weight() const { return self_weight_; }

  // The number of arcs of positive weight between different arms.
  std::size_t arc_count() const { return arc_count_; }

  double weight(Arm played, Arm seen) const { return weights_->at(played, seen); }

  // The stored weights, including the diagonal. A sparse graph stores no zeros.
  const Matrix& weights() const { return *weights_; }

  // Calls visit(seen, weight) for every arm that playing `played` shows (weight > 0), including
  // `played` itself, in increasing order.
  template <class Visit>
  void for_each_seen(Arm played, Visit&& visit) const;

  // Whether both are handles on the same storage. False for equal weights in different storage.
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
