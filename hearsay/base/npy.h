#pragma once

// Reads and writes arrays in NumPy's file format, versions 1.0 to 3.0: two-dimensional arrays of
// little-endian float64 or float32, row-major (C) or column-major (Fortran), and one-dimensional
// arrays of records.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay {

struct NpyHeader {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t value_size = 8;  // bytes
  std::size_t begin = 0;       // the byte of the file at which the values begin
  enum class Order { rows_first, columns_first } order = Order::rows_first;

  std::size_t byte_of(std::size_t row, std::size_t column) const {
    return begin +
           value_size * (order == Order::rows_first ? row * columns + column : column * rows + row);
  }
};

// Throws Error at "name: byte N" or "name: key" if the header is malformed or the file does not
// have exactly the bytes that the header announces. It is therefore safe to allocate that size.
NpyHeader read_npy_header(std::string_view bytes, const std::string& name);

// The same from the first kNpyBeginning bytes of a file of `size` bytes.
NpyHeader read_npy_header(std::string_view beginning, const std::string& name, std::size_t size);
inline constexpr std::size_t kNpyBeginning = std::size_t{1} << 16U;

// Returns the values row by row. `header` must be what read_npy_header returned for `bytes`.
std::vector<double> read_npy_values(std::string_view bytes, const NpyHeader& header);

// The same for a file that is not in memory: each call of `next` fills its argument with the next
// bytes of the file; the first call starts at header.begin.
using NextBytes = std::function<void(std::span<char>)>;
std::vector<double> read_npy_values(const NpyHeader& header, const NextBytes& next);

// The bytes before the values of a row-major float64 array.
std::string npy_preamble(std::size_t rows, std::size_t columns);

// The type of a one-dimensional array of records.
struct NpyRecords {
  std::string_view type;        // its descr as numpy prints it, without blanks
  std::size_t record_size = 0;  // bytes
};

// Returns the bytes of the records. Throws Error as read_npy_header does.
std::string_view read_npy_records(std::string_view bytes, const std::string& name,
                                  const NpyRecords& records);

// The bytes before an array of `count` records.
std::string npy_preamble(const NpyRecords& records, std::size_t count);

}  // namespace hearsay
