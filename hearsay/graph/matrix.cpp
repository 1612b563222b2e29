#include "hearsay/graph/matrix.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "hearsay/simd/product.h"

namespace hearsay {

Matrix::Matrix(std::size_t size, std::vector<double> values)
    : size_(size), values_(std::move(values)) {
  assert(values_.size() == size * size);
}

Matrix::Matrix(std::size_t size, std::vector<std::size_t> row_begin,
               std::vector<std::uint32_t> columns, std::vector<double> values)
    : size_(size),
      row_begin_(std::move(row_begin)),
      columns_(std::move(columns)),
      values_(std::move(values)) {
  assert(row_begin_.size() == size + 1 && row_begin_.back() == values_.size());
  assert(columns_.size() == values_.size());
}

std::span<const std::uint32_t> Matrix::row_columns(std::size_t i) const {
  assert(!is_dense());
  return std::span(columns_).subspan(row_begin_[i], row_begin_[i + 1] - row_begin_[i]);
}

std::size_t Matrix::find(std::size_t i, std::size_t j) const {
  assert(i < size_ && j < size_);
  if (is_dense()) {
    return i * size_ + j;
  }
  const std::span<const std::uint32_t> columns = row_columns(i);
  const auto found = std::lower_bound(columns.begin(), columns.end(), j);
  if (found == columns.end() || *found != j) {
    return values_.size();
  }
  return row_begin_[i] + static_cast<std::size_t>(found - columns.begin());
}

void Matrix::left_multiply(std::span<const double> vector, std::span<double> out) const {
  assert(vector.size() == size_ && out.size() == size_);
  if (is_dense()) {
    multiply_dense(values_, vector, out);
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < size_; ++i) {
    const double v = vector[i];
    for (std::size_t k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
      out[columns_[k]] += v * values_[k];
    }
  }
}

}  // namespace hearsay
