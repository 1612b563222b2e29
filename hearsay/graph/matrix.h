#pragma once

// A square matrix of non-negative numbers, dense or sparse (compressed sparse rows), with the one
// operation hearsay needs: the product of a row vector and the matrix. A graph stores its weights
// in a Matrix; a learner stores the weights as its estimator transforms them in another.
//
// Entries are stored row by row in increasing column. A dense matrix stores all entries, a sparse
// one those it was given. Both add in the same order, so the product has the same bits in either
// storage. A matrix is immutable, and copies share the values.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hearsay {

class Matrix {
 public:
  // Dense. `values` has size * size entries in row-major order.
  Matrix(std::size_t size, std::vector<double> values);

  // The same without a copy. The values must never change.
  Matrix(std::size_t size, std::shared_ptr<const double> values);

  // Sparse. Row i has the entries row_begin[i] to row_begin[i + 1] - 1; `columns` increases within
  // a row.
  Matrix(std::size_t size, std::vector<std::size_t> row_begin, std::vector<std::uint32_t> columns,
         std::vector<double> values);

  std::size_t size() const { return size_; }
  bool is_dense() const { return row_begin_.empty(); }

  // A matrix that stores the same places with other values.
  Matrix with_values(std::vector<double> values) const;

  // All stored entries, row after row.
  std::span<const double> values() const { return {values_.get(), count_}; }

  // The index in values() at which row i begins; row_begin(size()) is values().size().
  std::size_t row_begin(std::size_t i) const { return is_dense() ? i * size_ : row_begin_[i]; }

  // The stored entries of row i, and their columns.
  std::span<const double> row(std::size_t i) const {
    return values().subspan(row_begin(i), row_begin(i + 1) - row_begin(i));
  }
  std::span<const std::uint32_t> row_columns(std::size_t i) const {  // sparse only
    assert(!is_dense());
    return std::span(columns_).subspan(row_begin_[i], row_begin_[i + 1] - row_begin_[i]);
  }

  // The index of entry (i, j) in values(), or values().size() if it is not stored.
  std::size_t find(std::size_t i, std::size_t j) const;

  double at(std::size_t i, std::size_t j) const {
    const std::size_t place = find(i, j);
    return place < count_ ? values_.get()[place] : 0;
  }

  // out[j] = sum over i of vector[i] * at(i, j), added in increasing i.
  void left_multiply(std::span<const double> vector, std::span<double> out) const;

 private:
  std::size_t size_;
  std::vector<std::size_t> row_begin_;  // empty if dense
  std::vector<std::uint32_t> columns_;
  std::shared_ptr<const double> values_;
  std::size_t count_;
};

}  // namespace hearsay
