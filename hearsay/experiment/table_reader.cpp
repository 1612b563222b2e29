#include "hearsay/experiment/table_reader.h"

#include <algorithm>
#include <set>
#include <type_traits>

#include <fmt/format.h>

#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

const toml::table& as_table(const toml::node& node, std::string_view key) {
  if (!node.is_table()) {
    TableReader::fail(node, key, fmt::format("is {}, expected a table", shown(node)));
  }
  return *node.as_table();
}

}  // namespace

std::string shown(const toml::node& node) {
  return node.visit([](const auto& concrete) -> std::string {
    using Type = std::decay_t<decltype(concrete)>;
    if constexpr (std::is_same_v<Type, toml::table>) {
      return "a table";
    } else if constexpr (std::is_same_v<Type, toml::array>) {
      return concrete.empty() ? "an empty list" : "a list";
    } else if constexpr (std::is_same_v<Type, toml::value<std::string>>) {
      return in_quotes(concrete.get());
    } else if constexpr (toml::is_chronological<Type>) {
      return "a date or a time";
    } else {
      return fmt::format("{}", concrete.get());
    }
  });
}

void TableReader::fail(const toml::node& node, std::string_view key, const std::string& message) {
  throw Error(std::string(key), message).within(place_of(node));
}

TableReader::TableReader(const toml::node& node, const TableKey& key)
    : TableReader(as_table(node, key.name), key.header) {}

const toml::node* TableReader::find(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) {
    known_.push_back(key);
  }
  return table_.get(key);
}

const toml::node& TableReader::require(std::string_view key, const std::string& expected) {
  const toml::node* node = find(key);
  if (node == nullptr) {
    // Most probably it is there, misspelt.
    for (const auto& [given, value] : table_) {
      if (!closest_name(given.str(), std::span(&key, 1)).empty()) {
        refuse_key(given, value, std::span(&key, 1));
      }
    }
    throw Error(place_of(table_),
                fmt::format("{} has no '{}', expected {}", header_, key, expected));
  }
  return *node;
}

TableReader TableReader::require_table(const TableKey& key, const std::string& expected) {
  return {require(key.name, expected), key};
}

FieldValue TableReader::value_of(const FieldInfo& info, const toml::node& node) {
  FieldValue value;
  if (node.is_string()) {
    value = node.as_string()->get();
  } else if (node.is_boolean()) {
    value = node.as_boolean()->get();
  } else if (node.is_floating_point()) {
    value = node.as_floating_point()->get();
  } else if (node.is_integer() && node.as_integer()->get() >= 0) {
    value = static_cast<std::uint64_t>(node.as_integer()->get());
  } else if (node.is_integer()) {
    value = static_cast<double>(node.as_integer()->get());
  } else {
    fail(node, info.name, fmt::format("is {}, expected {}", shown(node), expected(info)));
  }
  try {
    return checked(info, value);
  } catch (const Error& error) {
    throw error.within(place_of(node));
  }
}

void TableReader::read(AnyOptions& options) {
  const std::span<const FieldInfo> fields = options.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (const toml::node* node = find(fields[i].name)) {
      const FieldValue value = value_of(fields[i], *node);
      with_places([&] { options.set(i, value); });
    }
  }
}

void TableReader::read_list(const FieldInfo& info, std::size_t most,
                            std::vector<FieldValue>& values) {
  const toml::node* node = find(info.name);
  if (node == nullptr) {
    return;
  }
  values.clear();
  if (!node->is_array()) {
    values.push_back(value_of(info, *node));
    return;
  }
  const toml::array& elements = *node->as_array();
  if (elements.empty() || elements.size() > most) {
    fail(*node, info.name,
         fmt::format("is a list of {} values, expected 1 to {}", elements.size(), most));
  }
  std::set<FieldValue> seen;
  for (const toml::node& element : elements) {
    values.push_back(value_of(info, element));
    if (!seen.insert(values.back()).second) {
      fail(element, info.name,
           fmt::format("has {} twice, expected each value once", shown(element)));
    }
  }
}

std::string TableReader::place_for(const Error& error) const {
  if (!error.place().empty()) {
    if (const toml::node* named = table_.get(error.place())) {
      return place_of(*named);
    }
  }
  return place_of(table_.contains(kFileKey) ? *table_.get(kFileKey) : table_);
}

void TableReader::finish() const {
  const toml::node* first = nullptr;
  const toml::key* unknown = nullptr;
  for (const auto& [key, value] : table_) {
    const bool earlier = first == nullptr || value.source().begin.line < first->source().begin.line;
    if (std::ranges::find(known_, key.str()) == known_.end() && earlier) {
      first = &value;
      unknown = &key;
    }
  }
  if (unknown != nullptr && first != nullptr) {
    refuse_key(*unknown, *first, known_);
  }
}

void TableReader::refuse_key(const toml::key& key, const toml::node& value,
                             std::span<const std::string_view> candidates) const {
  throw Error(place_of(value), fmt::format("{} is not a key of {}, {}", in_quotes(key.str()),
                                           header_, expected_one_of(key.str(), candidates)));
}

}  // namespace hearsay
