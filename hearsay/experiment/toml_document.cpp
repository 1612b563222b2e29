// The parser of toml++ 3.3 asserts that some malformed texts cannot occur ("[,") and, in release
// builds, lets the compiler assume it. Here its assertions are exceptions in every build.
#pragma push_macro("NDEBUG")
#undef NDEBUG
namespace hearsay {
[[noreturn]] void fail_toml_assertion();
}
#define TOML_ASSERT(condition) ((condition) ? void() : hearsay::fail_toml_assertion())
#define TOML_IMPLEMENTATION
#include "hearsay/experiment/toml_library.h"
#pragma pop_macro("NDEBUG")

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/experiment/experiment_keys.h"
#include "hearsay/experiment/toml_document.h"

namespace hearsay {
namespace {

// Thrown where an assertion of the parser of toml++ fails.
class MalformedToml : public std::exception {};

}  // namespace

void fail_toml_assertion() {
  throw MalformedToml();
}

namespace {

// The name of an option begins like this and that of a file does not, so line_place() can
// distinguish them.
constexpr std::string_view kOption = "--";

// Keys of experiments have up to four parts. A small stack suffices even for the deepest text that
// the parser accepts: 256 nested tables, with a key of this many parts in each.
constexpr std::size_t kDeepestKey = 20;

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '"' || c == '\'';
}

// "path:line"; an option and a text without a file have no lines.
std::string line_place(const std::string& path, std::size_t line) {
  return path.empty() || path.starts_with(kOption) ? path : fmt::format("{}:{}", path, line);
}

// How many characters of `text`, which begins with a quote, are a string with its quotes. A string
// in single quotes has no escapes; one in three quotes may have line ends, and up to two quotes
// more before those that end it. An end of line ends any other string: the parser refuses it there.
std::size_t string_length(std::string_view text) {
  const char quote = text.front();
  const std::string triple(3, quote);
  const bool is_long = text.starts_with(triple);
  const std::string_view end = is_long ? std::string_view(triple) : text.substr(0, 1);
  std::size_t i = end.size();
  while (i < text.size() && !text.substr(i).starts_with(end)) {
    if (text[i] == '\n' && !is_long) {
      return i;
    }
    i += quote == '"' && text[i] == '\\' ? 2U : 1U;
  }
  i += end.size();
  for (int more = 0; is_long && more < 2 && i < text.size() && text[i] == quote; ++more) {
    ++i;
  }
  return std::min(i, text.size());
}

// Refuses dotted keys with too many parts: their tables are nested, and deleting them takes one
// stack frame for each. A dotted key consists of words, strings and dots on one line; outside of
// strings and comments, everything else ends it. If the text is not TOML, this function and the
// parser may disagree about what a key is, but only after the error at which the parser stops.
void check_depth_of_keys(std::string_view text, const std::string& path) {
  std::size_t dots = 0;
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    std::size_t length = 1;
    if (c == '#') {
      length = std::min(text.find('\n', i), text.size()) - i;
    } else if (c == '"' || c == '\'') {
      length = string_length(text.substr(i));
    } else if (c == '.') {
      ++dots;
    } else if (!is_key_character(c) && c != ' ' && c != '\t') {
      dots = 0;
    }
    if (dots >= kDeepestKey) {
      throw Error(
          line_place(path, line),
          fmt::format("has a key of more than {} parts, expected at most that many", kDeepestKey));
    }
    line += static_cast<std::size_t>(std::ranges::count(text.substr(i, length), '\n'));
    i += length;
  }
}

// "path:line" of the first table header that does not begin with a key.
std::string place_of_malformed_header(std::string_view text, const std::string& path) {
  LineReader lines(text, path);
  while (lines.next()) {
    std::string_view line = lines.line();
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with('[')) {
      line.remove_prefix(std::min(line.find_first_not_of("[ \t"), line.size()));
      if (line.empty() || !is_key_character(line.front())) {
        return line_place(path, lines.number());
      }
    }
  }
  return path;
}

// The first node that has a source: `node` itself or one below it. Null if there is none.
const toml::node* with_source(const toml::node& node) {
  if (node.source().path) {
    return &node;
  }
  const toml::node* found = nullptr;
  const auto look_at = [&](const toml::node& child) {
    if (found == nullptr) {
      found = with_source(child);
    }
  };
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, child] : *table) {
      look_at(child);
    }
  } else if (const toml::array* array = node.as_array()) {
    for (const toml::node& child : *array) {
      look_at(child);
    }
  }
  return found;
}

// Where the first part of a dotted key leads.
struct Step {
  toml::node* node = nullptr;  // null if nowhere
  std::size_t length = 0;      // of the part
};

// In a list the part is the label of a learner or, if no label fits, an index. Labels may have
// dots, so that of several that fit the longest is taken.
Step first_step(toml::node& from, std::string_view key) {
  const std::string_view part = key.substr(0, key.find('.'));
  Step step = {.length = part.size()};
  if (toml::table* table = from.as_table()) {
    step.node = table->get(part);
  } else if (toml::array* array = from.as_array()) {
    for (toml::node& element : *array) {
      const toml::node_view<toml::node> view(element);
      const toml::node_view<toml::node> given = view[keys::kLabelField.name];
      const auto label =
          (given ? given : view[keys::learner_field().name]).value<std::string_view>();
      if (label && key.starts_with(*label) &&
          (key.size() == label->size() || key[label->size()] == '.') &&
          (step.node == nullptr || label->size() > step.length)) {
        step = {&element, label->size()};
      }
    }
    std::size_t index = 0;
    if (step.node == nullptr && read_number(part, index)) {
      step.node = array->get(index);
    }
  }
  return step;
}

// A table with one key, "value". A text need not be in quotes.
toml::table parse_value(const std::string& value, const std::string& place) {
  try {
    toml::table parsed = parse_toml(fmt::format("value = {}", value), place);
    if (parsed.size() == 1) {
      return parsed;
    }
  } catch (const Error&) {  // a text without quotes
  }
  std::string quoted;
  for (const char c : value) {
    quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return parse_toml(fmt::format("value = \"{}\"", quoted), place);
}

}  // namespace

std::string place_of(const toml::node& node) {
  const toml::node* found = with_source(node);
  if (found == nullptr) {
    return "";
  }
  return line_place(*found->source().path, found->source().begin.line);
}

toml::table parse_toml(std::string_view text, const std::string& path) {
  if (text.size() > kLargestToml) {
    throw Error(path, fmt::format("has {} bytes, expected at most {}", text.size(), kLargestToml));
  }
  check_depth_of_keys(text, path);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw Error(line_place(path, error.source().begin.line),
                fmt::format("is not TOML: {}", on_one_line(error.description())));
  } catch (const MalformedToml&) {
    throw Error(place_of_malformed_header(text, path),
                "is not TOML: the name of a table is malformed");
  }
}

void apply_override(toml::table& root, const Override& given) {
  const std::size_t equals = given.assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(given.option,
                fmt::format("is {}, expected KEY=VALUE", in_quotes(given.assignment)));
  }
  const std::string key = given.assignment.substr(0, equals);
  const std::string place = given.option == "--set" ? fmt::format("--set {}", key) : given.option;
  toml::table parsed = parse_value(given.assignment.substr(equals + 1), place);

  toml::node* node = &root;
  std::string_view rest = key;
  if (std::ranges::count(rest, '.') >= static_cast<std::ptrdiff_t>(kDeepestKey)) {
    throw Error(place,
                fmt::format("has more than {} parts, expected at most that many", kDeepestKey));
  }
  for (Step step = first_step(*node, rest); step.length < rest.size();
       step = first_step(*node, rest)) {
    const std::string_view part = rest.substr(0, step.length);
    if (step.node == nullptr && node->is_table()) {
      step.node = &node->as_table()->insert(part, toml::table{}).first->second;
    }
    if (step.node == nullptr || !(step.node->is_table() || step.node->is_array())) {
      throw Error(place, fmt::format("there is no {} to set something in, expected a table or a "
                                     "learner's label",
                                     in_quotes(part)));
    }
    node = step.node;
    rest.remove_prefix(step.length + 1);
  }
  if (!node->is_table()) {
    throw Error(place, "is a list, expected a key of one of its tables");
  }
  // Moved, not copied: a copy would have no source location.
  std::move(*parsed.get("value")).visit([&](auto&& concrete) {
    node->as_table()->insert_or_assign(rest, std::forward<decltype(concrete)>(concrete));
  });
}

}  // namespace hearsay
