#include "cli/field_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/messages.h"

namespace hearsay::cli {
namespace {

std::string placeholder(const FieldInfo& info) {
  if (!info.pattern.empty()) {
    return std::string(info.pattern);
  }
  switch (info.type) {
    case FieldType::whole:
      return "N";
    case FieldType::real:
      return "NUMBER";
    case FieldType::word:
      return fmt::format("{}", fmt::join(info.words, "|"));
    default:
      return "TEXT";
  }
}

}  // namespace

std::string option_name(std::string_view field) {
  std::string name = fmt::format("--{}", field);
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string FieldOptions::with_option_names(std::string_view text) const {
  std::string named(text);
  for (const FieldInfo& info : defaults_.fields()) {
    const std::string field = fmt::format("`{}`", info.name);
    for (std::size_t at = named.find(field); at != std::string::npos; at = named.find(field)) {
      named.replace(at, field.size(), option_name(info.name));
    }
  }
  return named;
}

std::vector<CLI::Option*> FieldOptions::add_to(CLI::App& command,
                                               std::span<const std::string_view> except) {
  std::vector<CLI::Option*> added;
  const std::span<const FieldInfo> fields = defaults_.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldInfo& info = fields[i];
    if (std::ranges::find(except, info.name) != except.end()) {
      continue;
    }
    const std::string names =
        option_name(info.name) + (info.alias.empty() ? "" : "," + option_name(info.alias));
    std::optional<std::string>& given = given_[i];
    if (info.type == FieldType::flag) {
      added.push_back(command.add_flag_callback(
          names, [&given] { given = "true"; }, with_option_names(info.summary)));
    } else {
      added.push_back(command
                          .add_option_function<std::string>(
                              names, [&given](const std::string& text) { given = text; },
                              with_option_names(info.summary))
                          ->type_name(placeholder(info))
                          ->default_str(field_text(info, defaults_.get(i))));
    }
  }
  return added;
}

std::string FieldOptions::words_given() const {
  std::string words;
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const FieldInfo& info = defaults_.fields()[i];
    if (given_[i]) {
      words += " " + option_name(info.name) +
               (info.type == FieldType::flag ? "" : " " + shell_word(*given_[i]));
    }
  }
  return words;
}

void FieldOptions::use_over(AnyOptions options,
                            const std::function<void(const AnyOptions&)>& use) const {
  const std::span<const FieldInfo> fields = defaults_.fields();
  try {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (given_[i]) {
        options.set(i, parse_field(fields[i], *given_[i]));
      }
    }
    use(options);
  } catch (const Error& error) {
    if (!field_index(fields, error.place())) {
      throw;
    }
    throw Error(option_name(error.place()), with_option_names(error.message()));
  }
}

}  // namespace hearsay::cli
