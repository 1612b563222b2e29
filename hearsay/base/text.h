#pragma once

// Text read line by line, and numbers read the same way in every locale.

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

namespace hearsay {

// The lines of a text that are not blank, one after the other. Lines end in LF or CRLF.
class LineReader {
 public:
  // `name`: what messages call the text; both must outlive the reader.
  LineReader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  // On to the next line that is not blank. False: there is none.
  bool next();

  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }  // of line(), from 1

  // Throws Error at "name:number".
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::string_view rest_;
  std::string_view name_;
  std::string_view line_;
  std::size_t number_ = 0;
};

// Takes the first word, up to a blank, off `text`; empty where there is none.
std::string_view take_word(std::string_view& text);

// Takes the first field, up to `separator`, off `text`, without the blanks around it.
std::string_view take_field(std::string_view& text, char separator);

// Reads `text`, all of it, as a number. False: it is not one, or one that does not fit.
template <class Number>
bool read_number(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  return code == std::errc() && stop == end;
}

// `text` as a message may show it: in quotes, in one line, not too long.
std::string in_quotes(std::string_view text);

}  // namespace hearsay
