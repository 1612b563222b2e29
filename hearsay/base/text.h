#pragma once

// Reads text line by line and word by word, and numbers independently of the locale.

#include <charconv>
#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <system_error>

namespace hearsay {

// Blanks within a line.
inline constexpr std::string_view kBlanks = " \t";

// The text without a byte order mark at its beginning, which spreadsheets write into UTF-8 files.
std::string_view without_byte_order_mark(std::string_view text);

// Iterates over the lines of a text that are not blank. Lines end in LF or CRLF.
class LineReader {
 public:
  // `name` is the name of the text in messages. Both must outlive the reader.
  LineReader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  // Moves to the next line that is not blank. Returns false if there is none.
  bool next();

  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }  // the number of line(), counted from 1

  // Throws Error at "name:number".
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::string_view rest_;
  std::string_view name_;
  std::string_view line_;
  std::size_t number_ = 0;
};

// The largest size of a line that read_line() accepts: 256 MiB.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 28U;

// Reads the next line of a stream without its LF. Returns false at the end of the stream. Throws
// Error without a place if the line is longer than kLongestLine, and std::system_error if the
// stream cannot be read.
bool read_line(std::istream& stream, std::string& line);

// Whether a line that read_line() has read is blank. It has its CR, if it ended in CRLF.
bool is_blank(std::string_view line);

// Removes the first word, which ends at a blank, from `text` and returns it; empty if there is
// none.
std::string_view take_word(std::string_view& text);

// Removes the first field, which ends at `separator`, from `text` and returns it without the blanks
// around it.
std::string_view take_field(std::string_view& text, char separator);

// Parses the whole of `text` as a number. Returns false if it is not a number or does not fit the
// type.
template <class Number>
bool read_number(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  return code == std::errc() && stop == end;
}

// Whether the text has a character that a terminal may take for a command: a control character of
// ASCII (below 32, or 127) or of Latin-1 (128 to 159 as UTF-8, or a byte that is not UTF-8).
bool has_control_characters(std::string_view text);

// The text with a question mark for every byte of such a character, for a message or a table.
std::string on_one_line(std::string_view text);

// `text` in quotes for a message: on one line, at most 40 characters.
std::string in_quotes(std::string_view text);

// Whether `text` is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace hearsay
