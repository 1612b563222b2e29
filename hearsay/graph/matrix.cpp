#include "hearsay/graph/matrix.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "hearsay/simd/product.h"

namespace hearsay {

namespace {

std::shared_ptr<const double> share(std::vector<double> values) {
  const auto shared = std::make_shared<const std::vector<double>>(std::move(values));
  return {shared, shared->data()};
}

}  // namespace

Matrix::Matrix(std::size_t size, std::vector<double> values) : size_(size), count_(values.size()) {
  assert(count_ == size * size);
  values_ = share(std::move(values));
}

Matrix::Matrix(std::size_t size, std::shared_ptr<const double> values)
    : size_(size), values_(std::move(values)), count_(size * size) {
  assert(values_);
}

Matrix::Matrix(std::size_t size, std::vector<std::size_t> row_begin,
               std::vector<std::uint32_t> columns, std::vector<double> values)
    : size_(size),
      row_begin_(std::move(row_begin)),
      columns_(std::move(columns)),
      count_(values.size()) {
  assert(row_begin_.size() == size + 1 && row_begin_.back() == count_);
  assert(columns_.size() == count_);
  values_ = share(std::move(values));
}

Matrix Matrix::with_values(std::vector<double> values) const {
  assert(values.size() == count_);
  Matrix other = *this;
  other.values_ = share(std::move(values));
  return other;
}

std::size_t Matrix::find(std::size_t i, std::size_t j) const {
  assert(i < size_ && j < size_);
  if (is_dense()) {
    return i * size_ + j;
  }
  const std::span<const std::uint32_t> columns = row_columns(i);
  const auto found = std::lower_bound(columns.begin(), columns.end(), j);
  if (found == columns.end() || *found != j) {
    return count_;
  }
  return row_begin_[i] + static_cast<std::size_t>(found - columns.begin());
}

void Matrix::left_multiply(std::span<const double> vector, std::span<double> out) const {
  assert(vector.size() == size_ && out.size() == size_);
  if (is_dense()) {
    multiply_dense(values(), vector, out);
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  const double* entries = values_.get();
  for (std::size_t i = 0; i < size_; ++i) {
    const double v = vector[i];
    for (std::size_t k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
      out[columns_[k]] += v * entries[k];
    }
  }
}

}  // namespace hearsay
