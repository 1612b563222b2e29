#pragma once

// Reads one table of a TOML file, such as an experiment file, key by key. finish() refuses every
// key that was never looked up. Wrong values throw Error at the key's line.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/error.h"
#include "hearsay/base/fields.h"
#include "hearsay/experiment/toml_document.h"
#include "hearsay/experiment/toml_library.h"

namespace hearsay {

// The key of a table that names the file with its data.
inline constexpr std::string_view kFileKey = "file";

// A table inside another one.
struct TableKey {
  std::string_view name;    // its key in the outer table, such as "graph"
  std::string_view header;  // as files and messages write it, such as "[environment.graph]"
};

class TableReader {
 public:
  // `header`: the name of the table in messages. The table must outlive the reader.
  TableReader(const toml::table& table, std::string_view header) : table_(table), header_(header) {}

  // Throws Error if the node, which has this key, is not a table.
  TableReader(const toml::node& node, const TableKey& key);

  // Null if the key is absent.
  const toml::node* find(std::string_view key);

  // Throw Error if the key is absent. `expected`: what the message says is expected.
  const toml::node& require(std::string_view key, const std::string& expected);
  TableReader require_table(const TableKey& key, const std::string& expected);

  // The value of a node as the field takes it.
  static FieldValue value_of(const FieldInfo& info, const toml::node& node);

  // Sets `member` if the field's key is there. Returns the node of the key, null if it is absent.
  template <class Member>
  const toml::node* read_field(const FieldInfo& info, Member& member) {
    const toml::node* node = find(info.name);
    if (node != nullptr) {
      field_member::set(info, member, value_of(info, *node));
    }
    return node;
  }

  template <class Member>
  void require_field(const FieldInfo& info, const std::string& expected, Member& member) {
    require(info.name, expected);
    read_field(info, member);
  }

  // Sets the fields whose keys are there.
  template <class Options>
  void read(Options& options) {
    const FieldTable<Options>& fields = Options::fields();
    for (std::size_t i = 0; i < fields.infos().size(); ++i) {
      if (const toml::node* node = find(fields.infos()[i].name)) {
        const FieldValue value = value_of(fields.infos()[i], *node);
        with_places([&] { fields.set(options, i, value); });
      }
    }
  }
  void read(AnyOptions& options);

  // A value or a list of at most `most` values, each different; `values` stays as it is if the key
  // is absent.
  void read_list(const FieldInfo& info, std::size_t most, std::vector<FieldValue>& values);

  // Returns the result of `action`. An Error at a key of this table gets the place of that key; any
  // other Error gets the place of kFileKey, if the table has it, or of the table.
  template <class Action>
  auto with_places(Action action) const {
    try {
      return action();
    } catch (const Error& error) {
      throw error.within(place_for(error));
    }
  }

  // Throws Error at `node`: "key: message".
  [[noreturn]] static void fail(const toml::node& node, std::string_view key,
                                const std::string& message);

  // Throws Error at the first key that was never looked up.
  void finish() const;

 private:
  std::string place_for(const Error& error) const;
  [[noreturn]] void refuse_key(const toml::key& key, const toml::node& value,
                               std::span<const std::string_view> candidates) const;

  const toml::table& table_;
  std::string_view header_;
  std::vector<std::string_view> known_;
};

// A value as messages show it.
std::string shown(const toml::node& node);

}  // namespace hearsay
