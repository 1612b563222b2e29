#pragma once

// The product of a row vector and a dense matrix. The terms of every output are added in the order
// of the rows, and each product and each sum is rounded separately. SIMD vectors extend over
// outputs or over runs, never over the terms of one sum, so all targets give the same bits, for one
// run and for many.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <hwy/aligned_allocator.h>

#include "hearsay/simd/lanes.h"

namespace hearsay {

// out[j] = sum over i of vector[i] * matrix[i * size + j], size = out.size() = vector.size().
void multiply_dense(std::span<const double> matrix, std::span<const double> vector,
                    std::span<double> out);

// A small dense matrix to be multiplied by one vector after another. Its rows are padded to whole
// cache lines, because a load that crosses the end of a line takes twice the time.
class SmallMatrix {
 public:
  static constexpr std::size_t kLargest = 48;  // 18 KiB, which stay in the cache

  // `size` is at most kLargest.
  SmallMatrix(std::size_t size, std::span<const double> row_major);

  // The same as multiply_dense().
  void left_multiply(std::span<const double> vector, std::span<double> out) const;

 private:
  std::size_t size_;
  std::size_t stride_;
  hwy::AlignedFreeUniquePtr<double[]> values_;
};

// A dense matrix to be multiplied by many vectors at once. It stores its columns in panels, narrow
// enough for the sums of one panel to stay in registers.
class PanelMatrix {
 public:
  // Called with how many values have been copied since the call before; it may throw.
  using Copied = std::function<void(std::size_t count)>;

  PanelMatrix(std::size_t size, std::span<const double> row_major, const Copied& copied = {});

  std::size_t size() const { return size_; }

  // The input and the output of the products of sixteen runs; both have size() elements.
  struct Product {
    const Lanes* vector;
    Lanes* out;
  };

  // Called as soon as the columns first .. first + count - 1 of products[product].out are complete;
  // it may change them. If it divides, the processor overlaps that with the next multiplications.
  using ColumnsReady =
      std::function<void(std::size_t product, std::size_t first, std::size_t count)>;

  // Computes out[j][lane] = sum over i of vector[i][lane] * entry (i, j) for all products and at
  // least the first `lanes` lanes. Calls columns_ready for consecutive blocks of columns of every
  // product.
  void left_multiply(std::span<const Product> products, std::size_t lanes,
                     const ColumnsReady& columns_ready) const;

 private:
  struct Panel {
    std::size_t first_column;
    std::size_t width;
    std::size_t begin;  // index in values_
  };

  std::size_t size_;
  std::vector<Panel> panels_;
  std::vector<double> values_;  // panel by panel, row by row
};

}  // namespace hearsay
