#pragma once

// A square matrix of non-negative numbers, dense or sparse by rows, and the one operation hearsay
// needs of it: a row vector times the matrix. Graphs store their weights in one; a learner stores
// in another what its estimator makes of them.
//
// Entries are kept row by row in increasing column; a sparse matrix keeps the entries it was given,
// a dense one all of them. Both storages add up in the same order, so the product of the same
// matrix has the same bits in either. A matrix never changes, and copies share the values.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hearsay {

class Matrix {
 public:
  // `values` in row-major order, size * size of them.
  Matrix(std::size_t size, std::vector<double> values);

  // The same from values that someone else owns, and nobody changes.
  Matrix(std::size_t size, std::shared_ptr<const double> values);

  // Row i has the entries row_begin[i] .. row_begin[i + 1], `columns` increasing within a row.
  Matrix(std::size_t size, std::vector<std::size_t> row_begin, std::vector<std::uint32_t> columns,
         std::vector<double> values);

  std::size_t size() const { return size_; }
  bool is_dense() const { return row_begin_.empty(); }

  // The same entries with other values, as many of them.
  Matrix with_values(std::vector<double> values) const;

  // All stored entries, row after row.
  std::span<const double> values() const { return {values_.get(), count_}; }

  // Where row i begins in values(); row_begin(size()) is its end.
  std::size_t row_begin(std::size_t i) const { return is_dense() ? i * size_ : row_begin_[i]; }

  // The stored entries of row i, and the column of the k-th of them.
  std::span<const double> row(std::size_t i) const {
    return values().subspan(row_begin(i), row_begin(i + 1) - row_begin(i));
  }
  std::span<const std::uint32_t> row_columns(std::size_t i) const {  // sparse only
    assert(!is_dense());
    return std::span(columns_).subspan(row_begin_[i], row_begin_[i + 1] - row_begin_[i]);
  }

  // Where entry (i, j) is in values(); values().size() where it is not stored.
  std::size_t find(std::size_t i, std::size_t j) const;

  double at(std::size_t i, std::size_t j) const {
    const std::size_t place = find(i, j);
    return place < count_ ? values_.get()[place] : 0;
  }

  // out[j] = sum over i of vector[i] * at(i, j), added in increasing i.
  void left_multiply(std::span<const double> vector, std::span<double> out) const;

 private:
  std::size_t size_;
  std::vector<std::size_t> row_begin_;  // empty: dense
  std::vector<std::uint32_t> columns_;
  std::shared_ptr<const double> values_;
  std::size_t count_;
};

}  // namespace hearsay
