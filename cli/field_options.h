#pragma once

// Options of a command that come from a table of fields: `--noise-bound` for `noise_bound`.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "hearsay/base/fields.h"

namespace hearsay::cli {

class FieldOptions {
 public:
  explicit FieldOptions(AnyOptions defaults)
      : defaults_(std::move(defaults)), given_(defaults_.fields().size()) {}

  // Adds an option for every field that experiment files have. *this must outlive the parse.
  void add_to(CLI::App& command);

  // Calls `use` with the defaults and what was given instead of them. An Error at a field, whether
  // the value was not taken or `use` found that it does not fit, names the option.
  void use(const std::function<void(const AnyOptions&)>& use) const;

 private:
  AnyOptions defaults_;
  std::vector<std::optional<std::string>> given_;  // for each field
};

}  // namespace hearsay::cli
