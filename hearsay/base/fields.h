#pragma once

// Tables that describe the options of a struct once: for each field its name, its member, its range
// and one line of documentation. Everything that reads, writes, checks, shows or documents options
// uses that table: TOML, the command line, CSV and JSON columns, saved state, Python,
// `hearsay list` and the reference pages.
//
//   struct Cliques {
//     std::size_t count = 5;                       // the initializers are the defaults
//     std::size_t size = 5;
//     static const FieldTable<Cliques>& fields();  // {field("count", &Cliques::count, ...), ...}
//   };

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hearsay {

class StateReader;
class StateWriter;

// The value of a field as readers and writers exchange it. monostate means that the field has no
// value.
using FieldValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

enum class FieldType : std::uint8_t { real, whole, flag, word, text };

// Both ends belong to the range.
struct RealRange {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
};
struct WholeRange {
  std::uint64_t low = 0;
  std::uint64_t high = std::uint64_t{1} << 63U;
};

// The description of a field, without access to its member.
struct FieldInfo {
  std::string_view name;
  std::string_view summary = {};  // one line; other fields are named in it as `noise_bound`
  FieldType type = FieldType::text;
  RealRange real = {};                       // for FieldType::real
  WholeRange whole = {};                     // for FieldType::whole
  std::vector<std::string_view> words = {};  // the allowed words, for FieldType::word
  bool optional = false;                     // whether the field may have no value
  std::string_view none = {};     // the word for "no value" in files ("adaptive"); may be empty
  std::string_view alias = {};    // a second name on the command line
  bool in_experiments = true;     // whether experiment files may set this parameter of a learner
  std::string_view pattern = {};  // the placeholder that --help shows for a text
};

// The values that the field accepts, for messages and documentation: "a number in [0, 1]".
std::string expected(const FieldInfo& info);

// Returns `value` converted to the type of the field: a whole number becomes real in a real field,
// a real number without a fraction becomes whole in a whole field, and the word `none` becomes
// monostate. Throws Error at the field's name if the field does not accept the value.
FieldValue checked(const FieldInfo& info, const FieldValue& value);

// Whether `initial`, the initial value of the member, is a default. An initial value that the field
// does not accept stands for one that must be given.
bool has_default(const FieldInfo& info, const FieldValue& initial);

// The index of the field of this name; nullopt if there is none.
std::optional<std::size_t> field_index(std::span<const FieldInfo> fields, std::string_view name);

// Throws Error unless a field of this name can be added to `fields`.
void check_field_name(std::span<const FieldInfo> fields, std::string_view name);

// Parses `text`, as given on the command line, and checks the value in the same way.
FieldValue parse_field(const FieldInfo& info, std::string_view text);

// The value as files write it; a number has the fewest digits that read back exactly. For a field
// without a value it is `info.none`, which may be empty.
std::string field_text(const FieldInfo& info, const FieldValue& value);

// Whether there is a word for each enumerator of an enum whose last one is `last`.
template <class Enum, std::size_t Count>
constexpr bool names_all(const std::array<std::string_view, Count>& /*words*/, Enum last) {
  return Count == static_cast<std::size_t>(last) + 1;
}

template <class Options>
struct Field {
  FieldInfo info;
  std::function<FieldValue(const Options&)> get;
  std::function<void(Options&, const FieldValue&)> set;  // expects a value from checked()
};

// Conversions between a member and a FieldValue. An enumerator becomes its word.
namespace field_member {

// The type of a member's value: T for std::optional<T>.
template <class Member>
struct ValueType {
  using Type = Member;
};
template <class Value>
struct ValueType<std::optional<Value>> {
  using Type = Value;
};
template <class Member>
using Value = typename ValueType<Member>::Type;

template <class Member>
inline constexpr bool kIsOptional = !std::is_same_v<Value<Member>, Member>;

template <class Member>
FieldValue get(const FieldInfo& info, const Member& member) {
  if constexpr (kIsOptional<Member>) {
    return member ? get(info, *member) : FieldValue();
  } else if constexpr (std::is_enum_v<Member>) {
    assert(static_cast<std::size_t>(member) < info.words.size());
    return std::string(info.words[static_cast<std::size_t>(member)]);
  } else if constexpr (std::is_same_v<Member, bool> || std::is_same_v<Member, double> ||
                       std::is_same_v<Member, std::string>) {
    return member;
  } else {
    return std::uint64_t{member};
  }
}

template <class Member>
void set(const FieldInfo& info, Member& member, const FieldValue& value) {
  if constexpr (kIsOptional<Member>) {
    if (std::holds_alternative<std::monostate>(value)) {
      member = std::nullopt;
    } else {
      set(info, member.emplace(), value);
    }
  } else if constexpr (std::is_enum_v<Member>) {
    const auto& word = std::get<std::string>(value);
    std::size_t index = 0;
    while (info.words[index] != word) {
      ++index;
    }
    member = static_cast<Member>(index);
  } else if constexpr (std::is_same_v<Member, bool> || std::is_same_v<Member, double> ||
                       std::is_same_v<Member, std::string>) {
    member = std::get<Member>(value);
  } else {
    member = static_cast<Member>(std::get<std::uint64_t>(value));
  }
}

template <class Options, class Member>
Field<Options> make(FieldInfo info, Member Options::*member) {
  info.optional = kIsOptional<Member>;
  return {info, [info, member](const Options& options) { return get(info, options.*member); },
          [info, member](Options& options, const FieldValue& value) {
            set(info, options.*member, value);
          }};
}

}  // namespace field_member

// A field for a number. `none` is the word in files for "no value", if the member is optional.
template <class Options, class Member>
Field<Options> field(std::string_view name, Member Options::*member, RealRange range,
                     std::string_view summary, std::string_view none = {}) {
  static_assert(std::is_same_v<field_member::Value<Member>, double>, "expected a double");
  return field_member::make(
      {.name = name, .summary = summary, .type = FieldType::real, .real = range, .none = none},
      member);
}

template <class Options, class Member>
Field<Options> field(std::string_view name, Member Options::*member, WholeRange range,
                     std::string_view summary) {
  using Value = field_member::Value<Member>;
  static_assert(std::is_unsigned_v<Value> && !std::is_same_v<Value, bool>,
                "expected an unsigned integer");
  // A larger number would not fit the member.
  range.high = std::min<std::uint64_t>(range.high, std::numeric_limits<Value>::max());
  return field_member::make(
      {.name = name, .summary = summary, .type = FieldType::whole, .whole = range}, member);
}

// A field for an enum whose enumerators, in order, have the names `words`.
template <class Options, class Member>
Field<Options> field(std::string_view name, Member Options::*member,
                     std::span<const std::string_view> words, std::string_view summary) {
  static_assert(std::is_enum_v<field_member::Value<Member>>, "expected an enum");
  return field_member::make({.name = name,
                             .summary = summary,
                             .type = FieldType::word,
                             .words = {words.begin(), words.end()}},
                            member);
}

// Marks a parameter of a learner that experiment files cannot set.
template <class Options>
Field<Options> outside_experiments(Field<Options> field) {
  field.info.in_experiments = false;
  return field;
}

template <class Options>
class FieldTable {
 public:
  // Throws Error at a name that is not new or not made of a-z, 0-9 and _, as keys of files are.
  FieldTable(std::initializer_list<Field<Options>> fields) : fields_(fields) {
    for (const Field<Options>& each : fields_) {
      check_field_name(infos_, each.info.name);
      infos_.push_back(each.info);
    }
  }

  std::span<const FieldInfo> infos() const { return infos_; }

  FieldValue get(const Options& options, std::size_t index) const {
    return fields_[index].get(options);
  }

  // Throws Error at the field's name if the field does not accept the value.
  void set(Options& options, std::size_t index, const FieldValue& value) const {
    fields_[index].set(options, checked(infos_[index], value));
  }

  // Throws Error at the name of the first field whose value is out of its range.
  void check(const Options& options) const {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const FieldValue value = get(options, i);
      if (!std::holds_alternative<std::monostate>(value)) {
        checked(infos_[i], value);
      }
    }
  }

 private:
  std::vector<Field<Options>> fields_;
  std::vector<FieldInfo> infos_;
};

// Throws Error at the name of an option that is out of its range. A struct may have a member
// function check() for conditions that involve several options; it is called too.
template <class Options>
void check_options(const Options& options) {
  Options::fields().check(options);
  if constexpr (requires { options.check(); }) {
    options.check();
  }
}

// The options of any struct that has a FieldTable, as one type. Fields are read and set by their
// index in the table.
class AnyOptions {
 public:
  template <class Options>
  requires requires { Options::fields(); }
  AnyOptions(Options options)  // NOLINT(google-explicit-constructor): a wider type, as std::any
      : model_(std::make_shared<const Model<Options>>(std::move(options))) {}

  std::span<const FieldInfo> fields() const { return model_->fields(); }
  FieldValue get(std::size_t index) const { return model_->get(index); }

  // Throws Error at the field's name if the field does not accept the value.
  void set(std::size_t index, const FieldValue& value) { model_ = model_->with(index, value); }

  void check() const { model_->check(); }  // calls check_options() for the struct

  // The struct itself; null if its type is not `Options`.
  template <class Options>
  const Options* find() const {
    const auto* model = dynamic_cast<const Model<Options>*>(model_.get());
    return model == nullptr ? nullptr : &model->options;
  }

  // The struct itself. `Options` must be its type.
  template <class Options>
  const Options& as() const {
    const auto* options = find<Options>();
    assert(options != nullptr);
    return *options;
  }

 private:
  struct Interface {
    Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
    virtual std::span<const FieldInfo> fields() const = 0;
    virtual FieldValue get(std::size_t index) const = 0;
    virtual void check() const = 0;
    virtual std::shared_ptr<const Interface> with(std::size_t index,
                                                  const FieldValue& value) const = 0;
  };

  template <class Options>
  struct Model final : Interface {
    explicit Model(Options given) : options(std::move(given)) {}
    std::span<const FieldInfo> fields() const override { return Options::fields().infos(); }
    FieldValue get(std::size_t index) const override {
      return Options::fields().get(options, index);
    }
    void check() const override { check_options(options); }
    std::shared_ptr<const Interface> with(std::size_t index,
                                          const FieldValue& value) const override {
      Options changed = options;
      Options::fields().set(changed, index, value);
      return std::make_shared<const Model>(std::move(changed));
    }
    Options options;
  };

  std::shared_ptr<const Interface> model_;
};

// Write a value to saved state, and read it back.
void write_field(StateWriter& writer, const FieldValue& value);
FieldValue read_field(StateReader& reader);

}  // namespace hearsay
