#include "hearsay/base/npy.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/little_endian.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void wrong_type(const std::string& name, std::string_view type,
                             std::string_view expected) {
  throw Error(
      name + ": descr",
      fmt::format("is {}, expected {}",
                  in_quotes(type.starts_with('\'') ? type.substr(1, type.size() - 2) : type),
                  expected));
}

// The contents of a header, for any type of array.
struct Description {
  std::string type;  // the value of descr with its quotes, without blanks between words
  NpyHeader::Order order = NpyHeader::Order::rows_first;
  std::vector<std::size_t> shape;
  std::size_t begin = 0;  // the byte at which the values begin
};

// Parses the header, a Python dict literal with the keys descr, fortran_order and shape.
class DictParser {
 public:
  DictParser(std::string_view file, std::size_t begin, std::size_t end, const std::string& name)
      : text_(file.substr(0, end)), at_(begin), name_(name) {}

  Description parse() {
    expect('{');
    while (!take('}')) {
      parse_entry();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size()) {
      fail("more text after the header's }, expected only blanks");
    }
    for (const char* key : {"descr", "fortran_order", "shape"}) {
      if (!seen_.contains(key)) {
        throw Error(fmt::format("{}: {}", name_, key),
                    "is missing, expected it among the keys of the header");
      }
    }
    return description_;
  }

 private:
  void parse_entry() {
    const std::string key(parse_string());
    expect(':');
    if (!seen_.insert(key).second) {
      fail(fmt::format("header key {} is given twice, expected it once", in_quotes(key)));
    }
    if (key == "descr") {
      parse_type();
    } else if (key == "fortran_order") {
      parse_order();
    } else if (key == "shape") {
      parse_shape();
    } else {
      fail(fmt::format("unknown header key {}, expected descr, fortran_order or shape",
                       in_quotes(key)));
    }
  }

  void parse_type() {
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    const bool list = rest.starts_with('[');
    if (!list && !rest.starts_with('\'') && !rest.starts_with('"')) {
      description_.type = rest.substr(0, rest.find(','));
      at_ += description_.type.size();
      return;
    }
    do {
      skip_blanks();
      if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
        description_.type += fmt::format("'{}'", parse_string());
      } else if (at_ < text_.size()) {
        description_.type += text_[at_++];
      } else {
        fail("descr is a list without an end, expected ]");
      }
    } while (list && !description_.type.ends_with(']'));
  }

  void parse_order() {
    skip_blanks();
    if (text_.substr(at_).starts_with("True")) {
      description_.order = NpyHeader::Order::columns_first;
      at_ += 4;
    } else if (text_.substr(at_).starts_with("False")) {
      description_.order = NpyHeader::Order::rows_first;
      at_ += 5;
    } else {
      throw Error(name_ + ": fortran_order", "is neither True nor False, expected True or False");
    }
  }

  void parse_shape() {
    expect('(');
    while (!take(')')) {
      description_.shape.push_back(parse_size());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  std::size_t parse_size() {
    skip_blanks();
    const std::string_view digits =
        text_.substr(at_, text_.find_first_not_of("0123456789", at_) - at_);
    std::size_t size = 0;
    if (!read_number(digits, size)) {
      throw Error(name_ + ": shape", "contains something other than sizes, expected whole numbers");
    }
    at_ += digits.size();
    return size;
  }

  std::string_view parse_string() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t end = text_.find(quote, at_ + 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos) {
      fail("not a string, expected one in quotes");
    }
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inside;
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\n", at_), text_.size()); }

  bool take(char c) {
    skip_blanks();
    const bool found = at_ < text_.size() && text_[at_] == c;
    at_ += found ? 1 : 0;
    return found;
  }

  void expect(char c) {
    if (!take(c)) {
      fail(fmt::format("not the header of an array, expected {}", c));
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw Error(fmt::format("{}: byte {}", name_, at_), message);
  }

  std::string_view text_;
  std::size_t at_;
  const std::string& name_;
  std::set<std::string> seen_;
  Description description_;
};

// Throws Error unless a file of `size` bytes ends exactly after the values that the header
// announces. `values` describes them in messages.
void check_size(std::size_t size, const std::string& name, const NpyHeader& header,
                const std::string& values) {
  const std::size_t available = size - header.begin;
  // Divides instead of multiplying, because rows * columns may overflow.
  const bool too_few = header.columns > 0 && header.rows > 0 &&
                       header.rows > available / header.value_size / header.columns;
  if (too_few) {
    throw Error(fmt::format("{}: byte {}", name, size),
                fmt::format("the file ends, expected {} from byte {} on", values, header.begin));
  }
  const std::size_t end = header.byte_of(0, 0) + header.rows * header.columns * header.value_size;
  if (end != size) {
    throw Error(
        fmt::format("{}: byte {}", name, end),
        fmt::format("{} more bytes, expected the end of the file after {}", size - end, values));
  }
}

// `bytes` has the beginning of a file of `size` bytes, or all of it.
Description read_description(std::string_view bytes, const std::string& name, std::size_t size) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 12) {
    throw Error(name + ": byte 0", "not a NumPy file, expected \\x93NUMPY, a version and a header");
  }
  const auto version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3 || bytes[7] != 0) {
    throw Error(name + ": byte 6", fmt::format("format version {}.{}, expected 1.0, 2.0 or 3.0",
                                               version, static_cast<unsigned char>(bytes[7])));
  }
  const std::size_t begin = version == 1 ? 10 : 12;
  const std::size_t length = version == 1 ? little_endian<std::uint16_t>(bytes.data() + 8)
                                          : little_endian<std::uint32_t>(bytes.data() + 8);
  if (length > size - begin) {
    throw Error(name + ": byte 8",
                fmt::format("the header has {} bytes but the file only {} more, expected a "
                            "complete file",
                            length, size - begin));
  }
  if (length > kNpyBeginning - begin) {
    throw Error(name + ": byte 8", fmt::format("the header has {} bytes, expected at most {}",
                                               length, kNpyBeginning - begin));
  }
  Description description = DictParser(bytes, begin, begin + length, name).parse();
  description.begin = begin + length;
  return description;
}

std::string preamble(std::string_view type, std::string_view shape) {
  constexpr std::size_t kAlignment = 64;
  std::string dict =
      fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", type, shape);
  const std::size_t unpadded = kMagic.size() + 4 + dict.size() + 1;
  dict.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dict += '\n';
  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(dict.size() % 256);
  bytes += static_cast<char>(dict.size() / 256);
  return bytes + dict;
}

}  // namespace

NpyHeader read_npy_header(std::string_view bytes, const std::string& name) {
  return read_npy_header(bytes, name, bytes.size());
}

NpyHeader read_npy_header(std::string_view beginning, const std::string& name, std::size_t size) {
  const Description array = read_description(beginning, name, size);
  if (array.type != "'<f8'" && array.type != "'<f4'") {
    wrong_type(name, array.type, "'<f8' or '<f4' (little-endian floats)");
  }
  if (array.shape.size() != 2) {
    throw Error(name + ": shape",
                fmt::format("has {} dimensions, expected 2 (rows, columns)", array.shape.size()));
  }
  const NpyHeader header{array.shape[0], array.shape[1],
                         array.type == "'<f8'" ? std::size_t{8} : std::size_t{4}, array.begin,
                         array.order};
  check_size(
      size, name, header,
      fmt::format("{} x {} values of {} bytes", header.rows, header.columns, header.value_size));
  return header;
}

std::string_view read_npy_records(std::string_view bytes, const std::string& name,
                                  const NpyRecords& records) {
  const Description array = read_description(bytes, name, bytes.size());
  if (array.type != records.type) {
    wrong_type(name, array.type, records.type);
  }
  if (array.shape.size() != 1) {
    throw Error(name + ": shape", fmt::format("has {} dimensions, expected 1", array.shape.size()));
  }
  check_size(bytes.size(), name,
             {.rows = array.shape[0],
              .columns = 1,
              .value_size = records.record_size,
              .begin = array.begin},
             fmt::format("{} records of {} bytes", array.shape[0], records.record_size));
  return bytes.substr(array.begin);
}

std::vector<double> read_npy_values(std::string_view bytes, const NpyHeader& header) {
  std::string_view rest = bytes.substr(header.begin);
  return read_npy_values(header, [&](std::span<char> to) {
    std::ranges::copy(rest.substr(0, to.size()), to.begin());
    rest.remove_prefix(to.size());
  });
}

std::vector<double> read_npy_values(const NpyHeader& header, const NextBytes& next) {
  auto values = filled<double>(header.rows * header.columns);
  if (values.empty()) {  // the other size may be so large that a loop over it would not end
    return values;
  }
  std::vector<char> bytes;
  const auto read = [&](std::size_t count) {
    bytes.resize(count * header.value_size);
    next(bytes);
    note_work(count);
  };
  const auto value = [&](std::size_t k) -> double {
    const char* from = bytes.data() + k * header.value_size;
    if (header.value_size == 4) {
      return static_cast<double>(std::bit_cast<float>(little_endian<std::uint32_t>(from)));
    }
    return std::bit_cast<double>(little_endian<std::uint64_t>(from));
  };
  if (header.order == NpyHeader::Order::rows_first) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 16U;
    for (std::size_t first = 0; first < values.size(); first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, values.size() - first);
      read(count);
      for (std::size_t k = 0; k < count; ++k) {
        values[first + k] = value(k);
      }
    }
    return values;
  }
  // Transposes in strips of columns, so that both the source and the destination stay in the cache.
  constexpr std::size_t kStrip = 16;
  for (std::size_t first = 0; first < header.columns; first += kStrip) {
    const std::size_t width = std::min(kStrip, header.columns - first);
    read(width * header.rows);
    for (std::size_t row = 0; row < header.rows; ++row) {
      for (std::size_t k = 0; k < width; ++k) {
        values[row * header.columns + first + k] = value(k * header.rows + row);
      }
    }
  }
  return values;
}

std::string npy_preamble(std::size_t rows, std::size_t columns) {
  return preamble("'<f8'", fmt::format("({}, {})", rows, columns));
}

std::string npy_preamble(const NpyRecords& records, std::size_t count) {
  return preamble(records.type, fmt::format("({},)", count));
}

}  // namespace hearsay
