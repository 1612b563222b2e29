#pragma once

// Options and subcommands. Numbers are read exactly, and in the same way in every locale. A wrong
// value throws Error with what was expected.

#include <algorithm>
#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/help.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

namespace hearsay::cli {

template <class Number>
Number number_of(const std::string& option, const std::string& word) {
  Number number = 0;
  if (!read_number(word, number)) {
    throw Error(option,
                in_quotes(word) +
                    (std::integral<Number> ? fmt::format(", expected a whole number from 0 to {}",
                                                         std::numeric_limits<Number>::max())
                                           : ", expected a number"));
  }
  return number;
}

// Adds an option that sets `target`, a number or an optional number. Its present value is the
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

// Adds an option that replaces `numbers` by those that are given, separated by commas or by the
// option given again.
inline CLI::Option* add_numbers(CLI::App& app, const std::string& option,
                                std::vector<double>& numbers, const std::string& help) {
  const auto set = [option, &numbers](const std::vector<std::string>& words) {
    numbers.clear();
    // CLI11 would leave out what is empty between two commas.
    for (const std::string& word : words) {
      for (std::size_t begin = 0; begin <= word.size();) {
        const std::size_t end = std::min(word.find(',', begin), word.size());
        numbers.push_back(number_of<double>(option, word.substr(begin, end - begin)));
        begin = end + 1;
      }
    }
  };
  return app.add_option_function<std::vector<std::string>>(option, set, help)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// Options that may be given in place of a subcommand.
struct InsteadOfSubcommand {
  std::string usage;          // for the help: "--from FILE [OPTIONS]"
  std::function<bool()> run;  // returns false if they were not given
};

// Makes `app` require one of the subcommands that were added so far: without one, or with another
// word, it throws Error that lists them. `place` is the place of that Error; messages and help call
// a subcommand `word`.
inline void require_one_subcommand(CLI::App& app, const std::string& place, const std::string& word,
                                   const InsteadOfSubcommand& instead = {}) {
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
  app.callback([&app, refuse, word, run = instead.run] {
    if (app.get_subcommands().empty() && !(run && run())) {
      refuse("no " + word);
    }
  });
  app.formatter(std::make_shared<HelpFormatter>(word, instead.usage));
}

}  // namespace hearsay::cli
