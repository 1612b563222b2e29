#pragma once

// Options described once. A struct of options has a table of its fields: the name, the member, the
// range and one line of documentation for each. Everything that reads, writes, checks, shows or
// documents options goes through that table: TOML, the command line, CSV and JSON columns, saved
// state, Python, `hearsay list` and the reference pages.
//
//   struct Cliques {
//     std::size_t count = 5;                       // the defaults are those of the members
//     std::size_t size = 5;
//     static const FieldTable<Cliques>& fields();  // {field("count", &Cliques::count, ...), ...}
//   };

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

// The value of a field as readers and writers exchange it. monostate: the field has no value.
using FieldValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

enum class FieldType : std::uint8_t { real, whole, flag, word, text };

// Both ends are allowed.
struct RealRange {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
};
struct WholeRange {
  std::uint64_t low = 0;
  std::uint64_t high = std::uint64_t{1} << 63U;
};

// All there is to know of a field but the member it stands for.
struct FieldInfo {
  std::string_view name;
  std::string_view summary;  // one line
  FieldType type = FieldType::text;
  RealRange real = {};                       // of a real number
  WholeRange whole = {};                     // of a whole number
  std::vector<std::string_view> words = {};  // of a word: those allowed
  bool optional = false;                     // may have no value
  std::string_view none = {};     // how files write "no value" ("adaptive"); empty: not at all
  std::string_view alias = {};    // a second name on the command line
  bool in_experiments = true;     // of a learner's parameter: experiment files have it
  std::string_view pattern = {};  // of a text: what --help calls its value
};

// What the field takes, for messages and documentation: "a number in [0, 1]".
std::string expected(const FieldInfo& info);

// `value` as the field stores it: a whole number for a real one becomes real, a real one without a
// fraction becomes whole, the word for "no value" becomes no value. Throws Error at the field's
// name if the field does not take it.
FieldValue checked(const FieldInfo& info, const FieldValue& value);

// The same from text, as a command line has it.
FieldValue parse_field(const FieldInfo& info, std::string_view text);

// The value as files write it (the shortest number that reads back exactly); empty: no value.
std::string field_text(const FieldInfo& info, const FieldValue& value);

template <class Options>
struct Field {
  FieldInfo info;
  std::function<FieldValue(const Options&)> get;
  std::function<void(Options&, const FieldValue&)> set;  // given what `checked` returned
};

// Conversions between a member and a FieldValue. An enum is stored as its word.
namespace field_member {

template <class Member>
struct IsOptional : std::false_type {};
template <class Inner>
struct IsOptional<std::optional<Inner>> : std::true_type {};

template <class Member>
FieldValue get(const FieldInfo& info, const Member& member) {
  if constexpr (IsOptional<Member>::value) {
    return member ? get(info, *member) : FieldValue();
  } else if constexpr (std::is_enum_v<Member>) {
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
  if constexpr (IsOptional<Member>::value) {
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
  info.optional = IsOptional<Member>::value;
  return {info, [info, member](const Options& options) { return get(info, options.*member); },
          [info, member](Options& options, const FieldValue& value) {
            set(info, options.*member, value);
          }};
}

}  // namespace field_member

// A number. `none`: how files write that an optional one has no value.
template <class Options, class Member>
Field<Options> field(std::string_view name, Member Options::*member, RealRange range,
                     std::string_view summary, std::string_view none = {}) {
  return field_member::make(
      {.name = name, .summary = summary, .type = FieldType::real, .real = range, .none = none},
      member);
}

template <class Options, class Member>
Field<Options> field(std::string_view name, Member Options::*member, WholeRange range,
                     std::string_view summary) {
  return field_member::make(
      {.name = name, .summary = summary, .type = FieldType::whole, .whole = range}, member);
}

// An enum whose enumerators, in order, are called `words`.
template <class Options, class Member>
Field<Options> field(std::string_view name, Member Options::*member,
                     std::span<const std::string_view> words, std::string_view summary) {
  return field_member::make({.name = name,
                             .summary = summary,
                             .type = FieldType::word,
                             .words = {words.begin(), words.end()}},
                            member);
}

// A parameter of a learner that experiment files do not have.
template <class Options>
Field<Options> outside_experiments(Field<Options> field) {
  field.info.in_experiments = false;
  return field;
}

template <class Options>
class FieldTable {
 public:
  FieldTable(std::initializer_list<Field<Options>> fields) : fields_(fields) {
    for (const Field<Options>& each : fields_) {
      infos_.push_back(each.info);
    }
  }

  std::span<const FieldInfo> infos() const { return infos_; }

  FieldValue get(const Options& options, std::size_t index) const {
    return fields_[index].get(options);
  }

  // Throws Error at the field's name if it does not take the value.
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

// Throws Error at the name of an option that is out of its range, or that does not fit the others
// if the struct has a check() of its own for that.
template <class Options>
void check_options(const Options& options) {
  Options::fields().check(options);
  if constexpr (requires { options.check(); }) {
    options.check();
  }
}

// Options of any described struct, as a value whose fields are read and set by their place in the
// table.
class AnyOptions {
 public:
  template <class Options>
  requires requires { Options::fields(); }
  AnyOptions(Options options)  // NOLINT(google-explicit-constructor): a wider type, as std::any
      : model_(std::make_shared<const Model<Options>>(std::move(options))) {}

  std::span<const FieldInfo> fields() const { return model_->fields(); }
  FieldValue get(std::size_t index) const { return model_->get(index); }

  // Throws Error at the field's name if it does not take the value.
  void set(std::size_t index, const FieldValue& value) { model_ = model_->with(index, value); }

  void check() const { model_->check(); }  // check_options() of the struct

  // The struct itself, whose type the caller knows.
  template <class Options>
  const Options& as() const {
    const auto* model = dynamic_cast<const Model<Options>*>(model_.get());
    assert(model != nullptr);
    return model->options;
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

// A value in saved state.
void write_field(StateWriter& writer, const FieldValue& value);
FieldValue read_field(StateReader& reader);

}  // namespace hearsay
