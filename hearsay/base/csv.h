#pragma once

// Writes fields of CSV files, and reads CSV (RFC 4180) from a stream, one record at a time. A field
// in quotes may contain commas, and quotes if they are doubled. Unlike in RFC 4180, a record is
// always one line. Blanks around a field without quotes are dropped, blank lines are skipped, lines
// end in LF or CRLF, and a byte order mark at the beginning is ignored.

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay {

// Returns the text as a field, in quotes if they are needed.
std::string csv_field(std::string_view text);

class CsvReader {
 public:
  // `name` is the name of the text in messages. Lines of more than `longest_line` bytes are
  // refused. The stream must outlive the reader.
  CsvReader(std::istream& stream, std::string name, std::size_t longest_line);

  // Reads the next record. Returns false at the end. Throws Error at "name:line" or
  // "name:line:column" if it is malformed. If the stream cannot be read, the exception of its
  // buffer is passed on.
  bool next();

  std::size_t size() const { return size_; }  // the number of fields
  std::string_view field(std::size_t i) const { return fields_[i].text; }
  std::size_t line() const { return line_; }  // counted from 1

  // Throws Error at the place of the field, "name:line:column", or at "name:line" if the record has
  // fewer fields.
  [[noreturn]] void fail(std::size_t field, const std::string& message) const;

 private:
  struct Field {
    std::string text;
    std::size_t column = 1;  // in bytes, counted from 1
  };

  bool read_line();
  void split();
  std::size_t take_quoted(std::size_t begin, std::string& text) const;
  [[noreturn]] void fail_at(std::size_t column, const std::string& message) const;

  std::istream& stream_;
  std::string name_;
  std::size_t longest_line_;
  std::string text_;           // the current line
  std::vector<Field> fields_;  // the first size_ are those of the record
  std::size_t size_ = 0;
  std::size_t line_ = 0;
};

}  // namespace hearsay
