#include "hearsay/base/text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// The number of bytes of the first character of `text` if it is one that a terminal shows, else 0.
// Overlong forms, surrogates and code points above U+10FFFF are not valid UTF-8, so they give 0.
std::size_t shown_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return first >= ' ' && first != 0x7f ? 1 : 0;
  }
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) {
    return 0;
  }
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      return 0;
    }
  }
  const bool is_overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xed && byte(1) >= 0xa0;
  const bool is_too_large = first == 0xf4 && byte(1) >= 0x90;
  const bool is_latin1_control = first == 0xc2 && byte(1) < 0xa0;
  return is_overlong || is_surrogate || is_too_large || is_latin1_control ? 0 : size;
}

// Removes up to `most` characters from the front of `text` and returns them, with "?" for those
// that a terminal does not show.
std::string take_shown(std::string_view& text, std::size_t most) {
  std::string shown;
  for (; !text.empty() && most > 0; --most) {
    const std::size_t size = shown_character(text);
    shown += size == 0 ? "?" : text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(1, size));
  }
  return shown;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(kMark) ? kMark.size() : 0);
}

bool LineReader::next() {
  while (!rest_.empty()) {
    const std::size_t length = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    note_work(length + 1);
    ++number_;
    if (line_.ends_with('\r')) {
      line_.remove_suffix(1);
    }
    if (line_.find_first_not_of(kBlanks) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

void LineReader::fail(const std::string& message) const {
  throw Error(fmt::format("{}:{}", name_, number_), message);
}

bool read_line(std::istream& stream, std::string& line) {
  line.clear();
  std::array<char, std::size_t{1} << 12U> piece = {};
  while (true) {
    stream.getline(piece.data(), piece.size());
    const auto got = static_cast<std::size_t>(stream.gcount());
    if (stream.bad()) {
      throw std::system_error(std::make_error_code(std::errc::io_error), "the input");
    }
    if (stream.eof()) {
      line.append(piece.data(), got);
      return !line.empty();
    }
    if (!stream.fail()) {
      line.append(piece.data(), got - 1);  // gcount() includes the LF
      return true;
    }
    // The piece is full, and the line goes on.
    stream.clear();
    line.append(piece.data(), got);
    if (line.size() > kLongestLine) {
      throw Error(fmt::format("is longer than {} bytes, expected a shorter line", kLongestLine));
    }
  }
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

std::string_view take_field(std::string_view& text, char separator) {
  const std::string_view field = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(field.size() + 1, text.size()));
  return trimmed(field);
}

bool has_control_characters(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = shown_character(text);
    if (size == 0) {
      return true;
    }
    text.remove_prefix(size);
  }
  return false;
}

std::string on_one_line(std::string_view text) {
  return take_shown(text, text.size());
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const std::string shown = take_shown(text, kLongest);
  return fmt::format("'{}'{}", shown, text.empty() ? "" : "...");
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xc0 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                                            : 4;
    if (size == 0 || first > 0xf4 || text.size() < size) {
      return false;
    }
    char32_t code = size == 1 ? first : first & (0x7fU >> size);
    for (const char c : text.substr(1, size - 1)) {
      const auto next = static_cast<unsigned char>(c);
      if ((next & 0xc0U) != 0x80U) {
        return false;
      }
      code = (code << 6U) | (next & 0x3fU);
    }
    // Overlong forms and surrogates are not valid.
    constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kSmallest.at(size) || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      return false;
    }
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace hearsay
