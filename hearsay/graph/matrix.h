#pragma once

// A square matrix of non-negative numbers, dense or sparse by rows, and the one operation hearsay
// needs of it: a row vector times the matrix. Graphs store their weights in one; a learner stores
// in another what its estimator makes of them.
//
// Entries are kept row by row in increasing column; a sparse matrix keeps the entries it was given,
// a dense one all of them. Both storages add up in the same order, so the product of the same
// matrix has the same bits in either.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hearsay {

class Matrix {
 public:
  // `values` in row-major order, size * size of them.
  Matrix(std::size_t size, std::vector<double> values);

  // Row i has the entries row_begin[i] .. row_begin[i + 1], `columns` increasing within a row.
  Matrix(std::size_t size, std::vector<std::size_t> row_begin, std::vector<std::uint32_t> columns,
         std::vector<double> values);

  std::size_t size() const { return size_; }
  bool is_dense() const { return row_begin_.empty(); }

  // All stored entries, row after row.
  std::span<const double> values() const { return values_; }

  // Where row i begins in values(); row_begin(size()) is its end.
  std::size_t row_begin(std::size_t i) const { return is_dense() ? i * size_ : row_begin_[i]; }

  // The stored entries of row i, and the column of the k-th of them.
  std::span<const double> row(std::size_t i) const {
    return values().subspan(row_begin(i), row_begin(i + 1) - row_begin(i));
  }
  std::span<const std::uint32_t> row_columns(std::size_t i) const;  // sparse only

  double at(std::size_t i, std::size_t j) const;

  // out[j] = sum over i of vector[i] * at(i, j), added in increasing i.
  void left_multiply(std::span<const double> vector, std::span<double> out) const;

 private:
  std::size_t size_;
  std::vector<std::size_t> row_begin_;  // empty: dense
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
};

}  // namespace hearsay
