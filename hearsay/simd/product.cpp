#include "hearsay/simd/product.h"

#include <algorithm>
#include <array>
#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hearsay/simd/product.cpp"
#include <hwy/foreach_target.h>
// This include must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hearsay::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Reals = hn::CappedTag<double, 8>;

// Adds eight rows to the columns [begin, end) of `out`. Compared with single rows, `out` is loaded
// and stored an eighth as often.
void add_eight_rows(const double* rows, std::size_t size, const double* vector, std::size_t begin,
                    std::size_t end, double* out) {
  const Reals d;
  const std::size_t width = hn::Lanes(d);
  const double* row0 = rows;
  const double* row1 = row0 + size;
  const double* row2 = row1 + size;
  const double* row3 = row2 + size;
  const double* row4 = row3 + size;
  const double* row5 = row4 + size;
  const double* row6 = row5 + size;
  const double* row7 = row6 + size;
  const auto v0 = hn::Set(d, vector[0]);
  const auto v1 = hn::Set(d, vector[1]);
  const auto v2 = hn::Set(d, vector[2]);
  const auto v3 = hn::Set(d, vector[3]);
  const auto v4 = hn::Set(d, vector[4]);
  const auto v5 = hn::Set(d, vector[5]);
  const auto v6 = hn::Set(d, vector[6]);
  const auto v7 = hn::Set(d, vector[7]);
  std::size_t j = begin;
  for (; j + width <= end; j += width) {
    auto sum = hn::LoadU(d, out + j);
    sum = hn::Add(sum, hn::Mul(v0, hn::LoadU(d, row0 + j)));
    sum = hn::Add(sum, hn::Mul(v1, hn::LoadU(d, row1 + j)));
    sum = hn::Add(sum, hn::Mul(v2, hn::LoadU(d, row2 + j)));
    sum = hn::Add(sum, hn::Mul(v3, hn::LoadU(d, row3 + j)));
    sum = hn::Add(sum, hn::Mul(v4, hn::LoadU(d, row4 + j)));
    sum = hn::Add(sum, hn::Mul(v5, hn::LoadU(d, row5 + j)));
    sum = hn::Add(sum, hn::Mul(v6, hn::LoadU(d, row6 + j)));
    sum = hn::Add(sum, hn::Mul(v7, hn::LoadU(d, row7 + j)));
    hn::StoreU(sum, d, out + j);
  }
  for (; j < end; ++j) {
    double sum = out[j];
    for (std::size_t k = 0; k < 8; ++k) {
      sum += vector[k] * rows[k * size + j];
    }
    out[j] = sum;
  }
}

void add_row(const double* row, double factor, std::size_t begin, std::size_t end, double* out) {
  const Reals d;
  const std::size_t width = hn::Lanes(d);
  const auto v = hn::Set(d, factor);
  std::size_t j = begin;
  for (; j + width <= end; j += width) {
    hn::StoreU(hn::Add(hn::LoadU(d, out + j), hn::Mul(v, hn::LoadU(d, row + j))), d, out + j);
  }
  for (; j < end; ++j) {
    out[j] += factor * row[j];
  }
}

// Stores the first `count` elements of the vector, or all if it has fewer.
HWY_INLINE void store_first(hn::Vec<Reals> sums, std::size_t count, double* out) {
  const Reals d;
  if (count >= hn::Lanes(d)) {
    hn::StoreU(sums, d, out);
    return;
  }
  HWY_ALIGN std::array<double, 8> all{};
  hn::Store(sums, d, all.data());
  for (std::size_t k = 0; k < count; ++k) {
    out[k] = all[k];
  }
}

// Computes `Vectors` vectors of sums, which stay in registers over all rows. The last of them may
// extend beyond `out`, which has `count` elements.
template <std::size_t Vectors>
HWY_INLINE void multiply_columns(const double* columns, std::size_t size, std::size_t stride,
                                 const double* vector, std::size_t count, double* out) {
  const Reals d;
  const std::size_t width = hn::Lanes(d);
  hn::Vec<Reals> sums[Vectors];
  for (auto& sum : sums) {
    sum = hn::Zero(d);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const auto v = hn::Set(d, vector[i]);
    const double* row = columns + i * stride;
    for (std::size_t k = 0; k < Vectors; ++k) {
      sums[k] = hn::Add(sums[k], hn::Mul(v, hn::Load(d, row + k * width)));
    }
  }
  for (std::size_t k = 0; k < Vectors; ++k) {
    store_first(sums[k], count - k * width, out + k * width);
  }
}

// Each addition waits for the one before it in the same sum, so four vectors of sums are computed
// at a time.
void multiply_small(const double* matrix, std::size_t size, std::size_t stride,
                    const double* vector, double* out) {
  const std::size_t width = hn::Lanes(Reals());
  for (std::size_t j = 0; j < size; j += 4 * width) {
    switch ((size - j + width - 1) / width) {
      case 1:
        multiply_columns<1>(matrix + j, size, stride, vector, size - j, out + j);
        break;
      case 2:
        multiply_columns<2>(matrix + j, size, stride, vector, size - j, out + j);
        break;
      case 3:
        multiply_columns<3>(matrix + j, size, stride, vector, size - j, out + j);
        break;
      default:
        multiply_columns<4>(matrix + j, size, stride, vector, size - j, out + j);
    }
  }
}

void multiply(const double* matrix, std::size_t size, const double* vector, double* out) {
  constexpr std::size_t kColumns = 2048;  // this part of `out` stays in the cache
  std::fill_n(out, size, 0.0);
  for (std::size_t begin = 0; begin < size; begin += kColumns) {
    const std::size_t end = std::min(size, begin + kColumns);
    std::size_t i = 0;
    for (; i + 8 <= size; i += 8) {
      add_eight_rows(matrix + i * size, size, vector + i, begin, end, out);
    }
    for (; i < size; ++i) {
      add_row(matrix + i * size, vector[i], begin, end, out);
    }
  }
}

// Multiplies one vector of lanes by `Columns` columns. The sums stay in registers.
template <std::size_t Columns>
void multiply_panel(const double* panel, std::size_t size, const Lanes* vector, std::size_t lane,
                    Lanes* out) {
  const Reals d;
  auto sum0 = hn::Zero(d);
  auto sum1 = sum0;
  auto sum2 = sum0;
  auto sum3 = sum0;
  auto sum4 = sum0;
  auto sum5 = sum0;
  auto sum6 = sum0;
  auto sum7 = sum0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto v = hn::Load(d, vector[i].data() + lane);
    const double* row = panel + i * Columns;
    const auto add = [&](auto& sum, std::size_t column) {
      sum = hn::Add(sum, hn::Mul(v, hn::Set(d, row[column])));
    };
    // clang-format off
    add(sum0, 0);
    if constexpr (Columns > 1) { add(sum1, 1); }
    if constexpr (Columns > 2) { add(sum2, 2); }
    if constexpr (Columns > 3) { add(sum3, 3); }
    if constexpr (Columns > 4) { add(sum4, 4); }
    if constexpr (Columns > 5) { add(sum5, 5); }
    if constexpr (Columns > 6) { add(sum6, 6); }
    if constexpr (Columns > 7) { add(sum7, 7); }
    // clang-format on
  }
  const auto store = [&](auto sum, std::size_t column) {
    hn::Store(sum, d, out[column].data() + lane);
  };
  // clang-format off
  store(sum0, 0);
  if constexpr (Columns > 1) { store(sum1, 1); }
  if constexpr (Columns > 2) { store(sum2, 2); }
  if constexpr (Columns > 3) { store(sum3, 3); }
  if constexpr (Columns > 4) { store(sum4, 4); }
  if constexpr (Columns > 5) { store(sum5, 5); }
  if constexpr (Columns > 6) { store(sum6, 6); }
  if constexpr (Columns > 7) { store(sum7, 7); }
  // clang-format on
}

void multiply_panel_of_width(const double* values, std::size_t size, std::size_t width,
                             const Lanes* vector, Lanes* out, std::size_t lanes) {
  using Multiply = void (*)(const double*, std::size_t, const Lanes*, std::size_t, Lanes*);
  constexpr Multiply kByWidth[] = {multiply_panel<1>, multiply_panel<2>, multiply_panel<3>,
                                   multiply_panel<4>, multiply_panel<5>, multiply_panel<6>,
                                   multiply_panel<7>, multiply_panel<8>};
  for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(Reals())) {
    kByWidth[width - 1](values, size, vector, lane, out);
  }
}

}  // namespace hearsay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hearsay {

HWY_EXPORT(multiply);
HWY_EXPORT(multiply_small);
HWY_EXPORT(multiply_panel_of_width);

void multiply_dense(std::span<const double> matrix, std::span<const double> vector,
                    std::span<double> out) {
  assert(vector.size() == out.size() && matrix.size() == out.size() * out.size());
  HWY_DYNAMIC_DISPATCH(multiply)(matrix.data(), out.size(), vector.data(), out.data());
}

SmallMatrix::SmallMatrix(std::size_t size, std::span<const double> row_major) : size_(size) {
  assert(size <= kLargest && row_major.size() == size * size);
  constexpr std::size_t kLine = 8;  // numbers in a cache line of 64 bytes
  stride_ = (size + kLine - 1) / kLine * kLine;
  values_ = hwy::AllocateAligned<double>(size * stride_);
  for (std::size_t i = 0; i < size; ++i) {
    double* const row = values_.get() + i * stride_;
    std::ranges::copy(row_major.subspan(i * size, size), row);
    std::fill(row + size, row + stride_, 0.0);
  }
}

void SmallMatrix::left_multiply(std::span<const double> vector, std::span<double> out) const {
  assert(vector.size() == size_ && out.size() == size_);
  HWY_DYNAMIC_DISPATCH(multiply_small)
  (values_.get(), size_, stride_, vector.data(), out.data());
}

PanelMatrix::PanelMatrix(std::size_t size, std::span<const double> row_major, const Copied& copied)
    : size_(size) {
  assert(row_major.size() == size * size);
  constexpr std::size_t kWidest = 8;
  const std::size_t count = (size + kWidest - 1) / kWidest;
  values_.reserve(size * size);
  std::size_t column = 0;
  for (std::size_t k = 0; k < count; ++k) {
    // Panels have nearly equal widths, because a narrow panel has too few independent sums to hide
    // the latency of the additions.
    const std::size_t width = (size - column + (count - k) - 1) / (count - k);
    panels_.push_back({column, width, values_.size()});
    for (std::size_t i = 0; i < size; ++i) {
      const auto row = row_major.subspan(i * size + column, width);
      values_.insert(values_.end(), row.begin(), row.end());
    }
    column += width;
    if (copied) {
      copied(size * width);
    }
  }
}

void PanelMatrix::left_multiply(std::span<const Product> products, std::size_t lanes,
                                const ColumnsReady& columns_ready) const {
  for (const Panel& panel : panels_) {
    for (std::size_t k = 0; k < products.size(); ++k) {
      HWY_DYNAMIC_DISPATCH(multiply_panel_of_width)
      (values_.data() + panel.begin, size_, panel.width, products[k].vector,
       products[k].out + panel.first_column, lanes);
      columns_ready(k, panel.first_column, panel.width);
    }
  }
}

}  // namespace hearsay
#endif
