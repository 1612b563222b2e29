#include "hearsay/problem/json_as_toml.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/json.h"
#include "hearsay/base/recording_iterator.h"
#include "hearsay/experiment/toml_document.h"

namespace hearsay {
namespace {

constexpr std::string_view kRoot = "json";

// Only the parser of TOML can give a node its line. So it gets a text in which every value is on
// the line that it has in the JSON: `json = [OBJECT]`. TOML allows line ends in lists, but not
// between the members of an inline table; so the value of each member is in a list of its own.
class TomlText : public Json::json_sax_t {
 public:
  TomlText(std::string_view json, const std::string& path) : json_(json), path_(path) {}

  std::string write() {
    text_ = fmt::format("{} = [", kRoot);
    Json::sax_parse(RecordingIterator(json_.data(), read_),
                    RecordingIterator(json_.data() + json_.size(), read_), this);
    text_ += "]\n";
    return std::move(text_);
  }

  bool null() override {
    go_to_line();
    throw Error(path_.empty() ? "" : fmt::format("{}:{}", path_, line_),
                fmt::format("{}: is null, expected a value", key_));
  }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kLargestInToml = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    return value > kLargestInToml ? add(static_cast<double>(value)) : add(value);
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }  // not in a text

  bool key(string_t& name) override {
    text_ += toml_value(Json(name).dump());
    text_ += " = [";
    key_ = std::move(name);
    return true;
  }
  bool start_object(std::size_t /*size*/) override { return open('{'); }
  bool end_object() override { return close('}'); }
  bool start_array(std::size_t /*size*/) override { return open('['); }
  bool end_array() override { return close(']'); }

  bool parse_error(std::size_t /*bytes*/, const std::string& /*token*/,
                   const Json::exception& /*error*/) override {
    return false;  // parse_object_of_file() has refused such texts
  }

 private:
  // Adds line ends up to the line of the value that the parser has just read.
  void go_to_line() {
    const char* const end = read_ - 1;  // after a number, the parser may be on the next line
    const auto lines = std::count(counted_, std::max(counted_, end), '\n');
    text_.append(static_cast<std::size_t>(lines), '\n');
    line_ += lines;
    counted_ = std::max(counted_, end);
  }

  bool add(const Json& value) {
    go_to_line();
    text_ += toml_value(value.dump());
    return end_value();
  }
  bool open(char bracket) {
    go_to_line();
    text_ += bracket;
    open_ += bracket;
    return true;
  }
  bool close(char bracket) {
    if (text_.back() == ',') {  // TOML has no comma after the last member of a table
      text_.pop_back();
    }
    text_ += bracket;
    open_.pop_back();
    return end_value();
  }
  bool end_value() {
    if (!open_.empty()) {
      text_ += open_.back() == '{' ? "]," : ",";
    }
    return true;
  }

  std::string_view json_;
  const std::string& path_;
  const char* read_ = json_.data();     // up to where the parser has read
  const char* counted_ = json_.data();  // up to where line ends are in `text_`
  std::ptrdiff_t line_ = 1;
  std::string text_;
  std::string open_;  // the objects and lists that the parser is in, from the outermost
  std::string key_;   // the last one
};

// Calls use(value) with a node as its type. It is moved: a copy would forget its line.
template <class Use>
void move_out(toml::node& node, Use&& use) {
  std::move(node).visit([&](auto&& concrete) {
    std::decay_t<decltype(concrete)> moved = std::forward<decltype(concrete)>(concrete);
    use(std::move(moved));
  });
}

// Takes the values of all members in `node` out of their lists.
void unwrap(toml::node& node) {
  if (toml::table* table = node.as_table()) {
    for (auto&& [name, wrapped] : *table) {
      move_out(*wrapped.as_array()->get(0), [&, &key = name](auto&& value) {
        unwrap(table->insert_or_assign(key, std::forward<decltype(value)>(value)).first->second);
      });
    }
  } else if (toml::array* array = node.as_array()) {
    for (toml::node& element : *array) {
      unwrap(element);
    }
  }
}

}  // namespace

toml::table parse_json_as_toml(std::string_view text, const std::string& path) {
  parse_object_of_file(text, path);
  toml::table document = toml::parse(TomlText(text, path).write(), path);
  toml::table root = std::move(*document.get(kRoot)->as_array()->get(0)->as_table());
  unwrap(root);
  return root;
}

std::string toml_value(std::string_view json) {
  std::string text;
  for (const char c : json) {
    if (c == '\x7f') {  // the one character that JSON takes as it is, and TOML does not
      text += "\\u007f";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace hearsay
