#pragma once

// --help in one style for every command:
//
//   --threads N        how many threads (default 2)
//   --out DIR          directory of the results (required)

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace hearsay::cli {

// The placeholder of an option's value; empty for a flag. Words that an option takes are separated
// by '|': "exact|lazy".
std::string value_name(const CLI::Option& option);

// "-o", "--output"
std::vector<std::string> option_names(const CLI::Option& option);

// "-o, --output FILE"
std::string signature(const CLI::Option& option);

// The description of an option, with its default, whether it is required and what excludes it.
std::string described(const CLI::Option& option);

// The options that --help shows, without arguments that have no name.
std::vector<const CLI::Option*> shown_options(const CLI::App& app);

// The arguments that have no name.
std::vector<const CLI::Option*> shown_arguments(const CLI::App& app);

// The subcommands that --help shows.
std::vector<const CLI::App*> shown_commands(const CLI::App& app);

// What stands below the options. The footer of an app has paragraphs, each one line of any length
// that an empty line ends, and then "Example:" and commands to copy, which are not wrapped.
struct Footer {
  std::vector<std::string> paragraphs;
  std::string example;  // lines that begin with two blanks; empty if there is none
};
Footer footer_of(const CLI::App& app);

class HelpFormatter : public CLI::Formatter {
 public:
  // `command` is the placeholder of a subcommand in the usage line of an app that has some.
  // `instead` says what may be given in place of one, in a second line; it may be empty.
  explicit HelpFormatter(std::string command = "COMMAND", std::string instead = "")
      : command_(std::move(command)), instead_(std::move(instead)) {}

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  std::string command_;
  std::string instead_;
};

}  // namespace hearsay::cli
