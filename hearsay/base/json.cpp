#include "hearsay/base/json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/error.h"
#include "hearsay/base/recording_iterator.h"
#include "hearsay/base/text.h"

namespace hearsay {

namespace {

// Describes what is wrong with a text, and after how many bytes.
struct Flaw {
  std::size_t bytes = 0;
  std::string what = {};  // empty if the text is not JSON
};

// Builds a value as Json::parse() does, but refuses an object that has a key twice, of which
// Json::parse() would take the last value, and values that are nested more deeply than any of ours,
// which could take a hundred times the memory of the text. Throws Flaw.
class JsonBuilder : public Json::json_sax_t {
 public:
  explicit JsonBuilder(std::string_view text) : text_(text) {}

  Json build() {
    Json::sax_parse(RecordingIterator(text_.data(), read_),
                    RecordingIterator(text_.data() + text_.size(), read_), this);
    return std::move(root_);
  }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& value) override { return add(std::move(value)); }

  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto& members = open_.back()->get_ref<Json::object_t&>();
    const auto [member, is_new] = members.try_emplace(name);
    if (!is_new) {
      fail(fmt::format("has the key {} twice, expected it once", in_quotes(name)));
    }
    member_ = &member->second;
    return true;
  }

  bool parse_error(std::size_t bytes, const std::string& /*token*/,
                   const Json::exception& error) override {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr) {
      throw Flaw{bytes, "has a number too large for a double, expected at most 1.8e308"};
    }
    throw Flaw{bytes};
  }

 private:
  static constexpr std::size_t kDeepest = 64;

  [[noreturn]] void fail(std::string what) const {
    throw Flaw{static_cast<std::size_t>(read_ - text_.data()), std::move(what)};
  }

  Json& place(Json value) {
    if (open_.empty()) {
      return root_ = std::move(value);
    }
    if (open_.back()->is_object()) {
      return *member_ = std::move(value);
    }
    auto& items = open_.back()->get_ref<Json::array_t&>();
    return items.emplace_back(std::move(value));
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json empty) {
    if (open_.size() == kDeepest) {
      fail(fmt::format("has arrays or objects within {} others, expected fewer", kDeepest));
    }
    open_.push_back(&place(std::move(empty)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  const char* read_ = text_.data();  // the end of what the parser has read
  Json root_;
  std::vector<Json*> open_;  // objects and arrays, from the outermost to the innermost
  Json* member_ = nullptr;   // the value of the last key read
};

Json parsed_object(std::string_view text) {
  Json object = JsonBuilder(text).build();
  if (!object.is_object()) {
    throw Error(fmt::format("is {}, expected an object", object.type_name()));
  }
  return object;
}

}  // namespace

Json parse_object(std::string_view line) {
  try {
    return parsed_object(line);
  } catch (const Flaw& flaw) {
    throw Error(
        flaw.what.empty()
            ? fmt::format("is not JSON at column {}, expected one object per line", flaw.bytes)
            : flaw.what);
  }
}

Json parse_object_of_file(std::string_view text, const std::string& path) {
  try {
    return parsed_object(text);
  } catch (const Flaw& flaw) {
    const std::string_view before = text.substr(0, flaw.bytes > 0 ? flaw.bytes - 1 : 0);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    throw Error(fmt::format("{}:{}", path, line),
                flaw.what.empty()
                    ? fmt::format("is not JSON at column {}, expected one object", column)
                    : flaw.what);
  } catch (const Error& error) {
    throw error.within(path);
  }
}

void check_keys(const Json& object, std::span<const std::string_view> known) {
  for (const auto& item : object.items()) {
    if (std::ranges::find(known, item.key()) == known.end()) {
      throw Error(fmt::format("has the key \"{}\", expected only {}", on_one_line(item.key()),
                              fmt::join(known, ", ")));
    }
  }
}

std::string json_brief(const Json& value) {
  return value.is_structured() || value.is_string()
             ? fmt::format("a value of type {}", value.type_name())
             : value.dump();
}

double json_number(const Json& value, const std::string& what) {
  if (!value.is_number()) {
    throw Error(fmt::format("{} is {}, expected a number", what, value.type_name()));
  }
  return value.get<double>();
}

std::uint64_t json_whole(const Json& value, const std::string& what, std::uint64_t low,
                         std::uint64_t high) {
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= low &&
                    value.get<std::uint64_t>() <= high;
  if (!fits) {
    throw Error(fmt::format("{} is {}, expected a whole number from {} to {}", what,
                            json_brief(value), low, high));
  }
  return value.get<std::uint64_t>();
}

const std::string& json_text(const Json& value, const std::string& what) {
  if (!value.is_string()) {
    throw Error(fmt::format("{} is {}, expected a text", what, value.type_name()));
  }
  return value.get_ref<const std::string&>();
}

const Json& json_array(const Json& value, const std::string& what) {
  if (!value.is_array()) {
    throw Error(fmt::format("{} is {}, expected an array", what, value.type_name()));
  }
  return value;
}

const Json& json_array(const Json& value, const std::string& what, std::size_t size) {
  if (!value.is_array() || value.size() != size) {
    throw Error(fmt::format("{} is {}, expected an array of {}", what,
                            value.is_array() ? fmt::format("an array of {}", value.size())
                                             : std::string(value.type_name()),
                            size));
  }
  return value;
}

}  // namespace hearsay
