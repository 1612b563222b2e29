#pragma once

// Arrays in NumPy's file format, versions 1.0 to 3.0. Two-dimensional ones of numbers:
// little-endian float64 or float32, rows first (C) or columns first (Fortran). One-dimensional ones
// of records.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay {

struct NpyHeader {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t value_size = 8;  // bytes
  std::size_t begin = 0;       // of the values: a byte of the file
  enum class Order { rows_first, columns_first } order = Order::rows_first;

  std::size_t byte_of(std::size_t row, std::size_t column) const {
    return begin +
           value_size * (order == Order::rows_first ? row * columns + column : column * rows + row);
  }
};

// Throws Error at "name: byte N" or "name: key", also where the bytes are not exactly as many as
// the header says: so what it says can be allocated.
NpyHeader read_npy_header(std::string_view bytes, const std::string& name);

// The values, row after row, of bytes whose header that is.
std::vector<double> read_npy_values(std::string_view bytes, const NpyHeader& header);

// What comes before the values of a float64 array whose rows come first.
std::string npy_preamble(std::size_t rows, std::size_t columns);

// A one-dimensional array of records. `type`: its descr as numpy prints it, less the blanks.
struct NpyRecords {
  std::string_view type;
  std::size_t record_size = 0;  // bytes
};

// The bytes of the records. Throws Error as read_npy_header does.
std::string_view read_npy_records(std::string_view bytes, const std::string& name,
                                  const NpyRecords& records);

// What comes before so many of them.
std::string npy_preamble(const NpyRecords& records, std::size_t count);

}  // namespace hearsay
