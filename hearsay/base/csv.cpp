#include "hearsay/base/csv.h"

#include <algorithm>
#include <streambuf>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/text.h"

namespace hearsay {

std::string csv_field(std::string_view text) {
  // Blanks around a field without quotes are not part of it.
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool is_plain = text.find_first_of(",\"\r\n") == std::string_view::npos;
  if (text.empty() || (is_plain && !is_blank(text.front()) && !is_blank(text.back()))) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') {
      quoted += c;
    }
  }
  return quoted + '"';
}

CsvReader::CsvReader(std::istream& stream, std::string name, std::size_t longest_line)
    : stream_(stream), name_(std::move(name)), longest_line_(longest_line) {}

bool CsvReader::next() {
  while (true) {
    ++line_;
    if (!read_line()) {
      size_ = 0;
      return false;
    }
    note_work(text_.size() + 1);
    if (line_ == 1) {
      text_.erase(0, text_.size() - without_byte_order_mark(text_).size());
    }
    if (text_.ends_with('\r')) {
      text_.pop_back();
    }
    if (text_.find_first_not_of(kBlanks) != std::string::npos) {
      split();
      return true;
    }
  }
}

// Like hearsay::read_line(), but with the limit longest_line_, which is much smaller.
bool CsvReader::read_line() {
  text_.clear();
  std::streambuf& bytes = *stream_.rdbuf();
  constexpr int kEnd = std::streambuf::traits_type::eof();
  int byte = bytes.sbumpc();
  const bool is_end = byte == kEnd;
  for (; byte != kEnd && byte != '\n'; byte = bytes.sbumpc()) {
    if (text_.size() == longest_line_) {
      throw Error(fmt::format("{}:{}", name_, line_),
                  fmt::format("is longer than {} bytes, expected a shorter line", longest_line_));
    }
    text_ += std::streambuf::traits_type::to_char_type(byte);
  }
  return !is_end;
}

void CsvReader::fail(std::size_t field, const std::string& message) const {
  if (field >= size_) {
    throw Error(fmt::format("{}:{}", name_, line_), message);
  }
  fail_at(fields_[field].column, message);
}

void CsvReader::fail_at(std::size_t column, const std::string& message) const {
  throw Error(fmt::format("{}:{}:{}", name_, line_, column), message);
}

void CsvReader::split() {
  size_ = 0;
  std::size_t at = 0;
  while (true) {
    if (size_ == fields_.size()) {
      fields_.emplace_back();
    }
    Field& field = fields_[size_++];
    field.text.clear();
    const std::size_t begin = std::min(text_.find_first_not_of(kBlanks, at), text_.size());
    field.column = begin + 1;
    if (begin < text_.size() && text_[begin] == '"') {
      at = take_quoted(begin, field.text);
    } else {
      const std::size_t end = std::min(text_.find(',', begin), text_.size());
      const std::string_view raw = std::string_view(text_).substr(begin, end - begin);
      field.text = raw.substr(0, raw.find_last_not_of(kBlanks) + 1);
      at = end;
    }
    if (at == text_.size()) {
      return;
    }
    ++at;  // the comma
  }
}

// Returns the position of the comma after the field, or of the end of the line.
std::size_t CsvReader::take_quoted(std::size_t begin, std::string& text) const {
  std::size_t at = begin + 1;
  while (true) {
    const std::size_t quote = text_.find('"', at);
    if (quote == std::string::npos) {
      fail_at(begin + 1, "the quote is not closed, expected \" on the same line");
    }
    text.append(text_, at, quote - at);
    at = quote + 1;
    if (at == text_.size() || text_[at] != '"') {
      break;
    }
    text += '"';
    ++at;
  }
  const std::size_t end = std::min(text_.find_first_not_of(kBlanks, at), text_.size());
  if (end < text_.size() && text_[end] != ',') {
    fail_at(end + 1, "text after the quote, expected a comma or the end of the line");
  }
  return end;
}

}  // namespace hearsay
