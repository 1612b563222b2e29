#pragma once

// Options of a command that come from a table of fields: `--noise-bound` for `noise_bound`.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "hearsay/base/fields.h"

namespace hearsay::cli {

// "--noise-bound" for "noise_bound".
std::string option_name(std::string_view field);

class FieldOptions {
 public:
  explicit FieldOptions(AnyOptions defaults)
      : defaults_(std::move(defaults)), given_(defaults_.fields().size()) {}

  // Adds an option for every field but those of these names, and returns them. *this must outlive
  // the parse.
  std::vector<CLI::Option*> add_to(CLI::App& command,
                                   std::span<const std::string_view> except = {});

  // What was given, as words of a shell: " --noise-bound 2".
  std::string words_given() const;

  // Calls `use` with the defaults and what was given instead of them. An Error at a field, whether
  // the value was not taken or `use` found that it does not fit, names the option.
  void use(const std::function<void(const AnyOptions&)>& use) const { use_over(defaults_, use); }

  // The same with other values than the defaults for what was not given.
  void use_over(AnyOptions options, const std::function<void(const AnyOptions&)>& use) const;

 private:
  AnyOptions defaults_;
  std::vector<std::optional<std::string>> given_;  // for each field
};

}  // namespace hearsay::cli
