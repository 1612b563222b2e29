#pragma once

// Options as this program takes them: numbers read exactly and the same in every locale, and what
// is wrong refused in its own words, with what was expected.

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

namespace hearsay::cli {

template <class Number>
Number number_of(const std::string& option, const std::string& word) {
  Number number = 0;
  if (!read_number(word, number)) {
    throw Error(option,
                in_quotes(word) + (std::integral<Number> ? ", expected a whole number from 0 on"
                                                         : ", expected a number"));
  }
  return number;
}

// Sets `target`, a number or an optional one, where the option is given. Its value before is the
// default that --help shows.
template <class Target>
CLI::Option* add_number(CLI::App& app, const std::string& option, Target& target,
                        const std::string& help) {
  using Number = typename decltype(std::optional(target))::value_type;
  const std::optional<Number> fallback = target;
  const auto set = [=, &target](const std::string& word) {
    target = number_of<Number>(option, word);
  };
  return app.add_option_function<std::string>(option, set, help)
      ->type_name(std::integral<Number> ? "N" : "NUMBER")
      ->default_str(fallback ? fmt::format("{}", *fallback) : "");
}

// Help for an app that is called as "app WORD ...".
class SubcommandHelp : public CLI::Formatter {
 public:
  explicit SubcommandHelp(std::string word) : word_(std::move(word)) {}

  std::string make_usage(const CLI::App* /*app*/, std::string name) const override {
    return "Usage: " + name + " " + word_ + " ...\n";
  }

 private:
  std::string word_;
};

// `app` takes one of the subcommands it has by now, and names them where it is called with none of
// them. `place` and `word`: what messages and help call the app, and its subcommands.
inline void require_one_subcommand(CLI::App& app, const std::string& place,
                                   const std::string& word) {
  const auto refuse = [&app, place](const std::string& what) {
    std::string names;
    for (const CLI::App* subcommand : app.get_subcommands({})) {
      names += (names.empty() ? "" : ", ") + subcommand->get_name();
    }
    throw Error(place, what + ", expected one of " + names);
  };
  app.add_option_function<std::string>(word,
                                       [=](const std::string& given) { refuse(in_quotes(given)); })
      ->group("");
  app.callback([&app, refuse, word] {
    if (app.get_subcommands().empty()) {
      refuse("no " + word);
    }
  });
  app.formatter(std::make_shared<SubcommandHelp>(word));
}

}  // namespace hearsay::cli
