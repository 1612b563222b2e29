// `hearsay man`: the manual page of all commands, made from the same descriptions as --help.

#include <iostream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "hearsay/version.h"

namespace hearsay::cli {
namespace {

// Text in which nothing is taken as a request or an escape of roff.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) {
      out += "\\&";
    }
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_begins = c == '\n';
  }
  return out;
}

void print_items(const CLI::App& app) {
  for (const CLI::Option* argument : shown_arguments(app)) {
    std::cout << fmt::format(".TP\n.I {}\n{}\n", roff(argument->get_name(true)),
                             roff(described(*argument)));
  }
  for (const CLI::Option* option : shown_options(app)) {
    std::cout << fmt::format(".TP\n.B {}\n{}\n", roff(signature(*option)),
                             roff(described(*option)));
  }
}

void print_command(const CLI::App& app, const std::string& name) {
  std::cout << fmt::format(".SS {}\n{}\n", roff(name), roff(app.get_description()));
  print_items(app);
  const Footer footer = footer_of(app);
  for (const std::string& paragraph : footer.paragraphs) {
    std::cout << fmt::format(".PP\n{}\n", roff(paragraph));
  }
  if (!footer.example.empty()) {
    std::cout << fmt::format(".PP\nExample:\n.PP\n.nf\n{}\n.fi\n", roff(footer.example));
  }
  for (const CLI::App* command : shown_commands(app)) {
    print_command(*command, fmt::format("{} {}", name, command->get_name()));
  }
}

void print_page(const CLI::App& app) {
  std::cout << fmt::format(".TH HEARSAY 1 \"\" \"hearsay {}\" \"User Commands\"\n", kVersion)
            << ".SH NAME\nhearsay \\- " << roff("online learning with noisy side observations")
            << "\n.SH SYNOPSIS\n.B hearsay\n.I COMMAND\n\\&...\n.SH OPTIONS\n";
  print_items(app);
  std::cout << ".SH COMMANDS\n";
  for (const CLI::App* command : shown_commands(app)) {
    print_command(*command, command->get_name());
  }
  std::cout
      << ".SH ENVIRONMENT\n"
         ".TP\n.B COLUMNS\nthe width of help and lists if standard output is not a terminal "
         "(default 80; from 60 to 120)\n"
         ".TP\n.B NO_COLOR\nif it is set and not empty, a terminal shows no colours\n"
         ".SH EXIT STATUS\n"
         "0: everything was done. 1: something could not be done, such as a file that could "
         "not be written. 2: the input or the command line is wrong; nothing was changed. 141: "
         "the program that reads the output through a pipe ended before it had read all; "
         "files are complete.\n";
}

}  // namespace

void add_man(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page of all commands");
  command->footer("`man ./hearsay.1` then shows it.\n\nExample:\n  hearsay man > hearsay.1");
  command->callback([&app] { print_page(app); });
}

}  // namespace hearsay::cli
