#pragma once

// Options of a command that come from a table of fields: `--noise-bound` for `noise_bound`.

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "hearsay/base/error.h"
#include "hearsay/base/fields.h"

namespace hearsay::cli {

// "--noise-bound" for "noise_bound".
std::string option_name(std::string_view field);

// Returns call(). If it throws an Error about one of these arguments of the library, the Error
// names the option instead.
template <class Call>
auto with_options_named(std::initializer_list<std::string_view> arguments, const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (std::ranges::find(arguments, error.place()) == arguments.end()) {
      throw;
    }
    throw Error(option_name(error.place()), error.message());
  }
}

class FieldOptions {
 public:
  explicit FieldOptions(AnyOptions defaults)
      : defaults_(std::move(defaults)), given_(defaults_.fields().size()) {}

  // Adds an option for every field, except those named, and returns the options. *this must outlive
  // the parse.
  std::vector<CLI::Option*> add_to(CLI::App& command,
                                   std::span<const std::string_view> except = {});

  // The options that were given, as words of a shell: " --noise-bound 2".
  std::string words_given() const;

  // Calls `use` with the defaults, replaced by the values that were given. If a value is refused,
  // by its field or by `use`, the Error names the option.
  void use(const std::function<void(const AnyOptions&)>& use) const { use_over(defaults_, use); }

  // The same, with `options` in place of the defaults.
  void use_over(AnyOptions options, const std::function<void(const AnyOptions&)>& use) const;

 private:
  // The text with the names of options in place of the fields in backquotes: "--noise-bound" for
  // "`noise_bound`".
  std::string with_option_names(std::string_view text) const;

  AnyOptions defaults_;
  std::vector<std::optional<std::string>> given_;  // for each field
};

}  // namespace hearsay::cli
