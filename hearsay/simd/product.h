#pragma once

// A row vector times a dense matrix. Every output is added up in increasing row, one rounded
// product after the other: vectors run along the outputs or along the runs, so all targets have the
// same bits, and so have one run and many.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "hearsay/simd/lanes.h"

namespace hearsay {

// out[j] = sum over i of vector[i] * matrix[i * size + j], size = out.size() = vector.size().
void multiply_dense(std::span<const double> matrix, std::span<const double> vector,
                    std::span<double> out);

// A dense matrix for many vectors at once: its columns in panels narrow enough that the sums of one
// stay in registers.
class PanelMatrix {
 public:
  PanelMatrix(std::size_t size, std::span<const double> row_major);

  std::size_t size() const { return size_; }

  // What a group of sixteen runs multiplies and gets, each of size() elements.
  struct Group {
    const Lanes* vector;
    Lanes* out;
  };
  // out[j][lane] = sum over i of vector[i][lane] * (i, j), for all groups; of each the first
  // `lanes` lanes at least. For every group done(group, first, count) is called for some columns
  // after the others, in order, as soon as they are there; it may change them. What it does with
  // them besides adding and multiplying, dividing say, the processor does along with the next
  // product.
  using Done = std::function<void(std::size_t group, std::size_t first, std::size_t count)>;
  void left_multiply(std::span<const Group> groups, std::size_t lanes, const Done& done) const;

 private:
  struct Panel {
    std::size_t first_column;
    std::size_t width;
    std::size_t begin;  // in values
  };

  std::size_t size_;
  std::vector<Panel> panels_;
  std::vector<double> values_;  // panel by panel, row by row
};

}  // namespace hearsay
