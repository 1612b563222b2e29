#include "cli/help.h"

#include <algorithm>
#include <cassert>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/terminal.h"

namespace hearsay::cli {
namespace {

constexpr std::size_t kNameColumn = 2;
constexpr std::size_t kTextColumn = 30;
constexpr std::size_t kWidth = 100;

// "  NAME     TEXT", with the text in lines of its own column.
std::string two_columns(const std::string& name, std::string_view text) {
  std::string out(kNameColumn, ' ');
  out += name;
  std::size_t column = out.size();
  if (column + 2 > kTextColumn) {
    out += '\n';
    column = 0;
  }
  out += std::string(kTextColumn - column, ' ');
  column = kTextColumn;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (column > kTextColumn && column + 1 + word.size() > kWidth) {
      out += '\n' + std::string(kTextColumn, ' ');
      column = kTextColumn;
    }
    if (column > kTextColumn) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return out + '\n';
}

std::vector<const CLI::Option*> options(const CLI::App& app, bool positional) {
  std::vector<const CLI::Option*> shown;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty() && option->get_positional() == positional) {
      shown.push_back(option);
    }
  }
  return shown;
}

}  // namespace

std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) {
    return "";
  }
  const std::string name = option.get_type_name();  // followed by what its checks say
  return name.substr(0, name.find(':'));
}

std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  return names;
}

std::string signature(const CLI::Option& option) {
  const std::string value = value_name(option);
  return fmt::format("{}{}{}", fmt::join(option_names(option), ", "), value.empty() ? "" : " ",
                     value);
}

std::string described(const CLI::Option& option) {
  std::string text = option.get_description();
  if (option.get_required() && !option.get_positional()) {
    text += " (required)";
  } else if (!option.get_default_str().empty() && option.get_type_size() != 0) {
    text += fmt::format(" (default {})", option.get_default_str());
  }
  std::vector<std::string> excluded;
  for (const CLI::Option* other : option.get_excludes()) {
    excluded.push_back(other->get_name());
  }
  return excluded.empty() ? text : fmt::format("{} (not with {})", text, fmt::join(excluded, ", "));
}

std::vector<const CLI::Option*> shown_options(const CLI::App& app) {
  return options(app, false);
}

std::vector<const CLI::Option*> shown_arguments(const CLI::App& app) {
  return options(app, true);
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode /*mode*/) const {
  const std::vector<const CLI::App*> commands = shown_commands(*app);
  const auto heading = [](std::string_view text) {
    return styled(text, Style::heading, STDOUT_FILENO);
  };
  constexpr std::string_view kUsage = "Usage:";
  const std::string usage = commands.empty()
                                ? make_usage(app, name)
                                : fmt::format("{} {} {} ...\n", kUsage, name, command_);
  assert(usage.starts_with(kUsage));
  std::string help = fmt::format("{}\n\n{}{}", app->get_description(), heading(kUsage),
                                 usage.substr(kUsage.size()));
  const auto section = [&](const char* title, const auto& items, const auto& line) {
    if (!items.empty()) {
      help += fmt::format("\n{}\n", heading(title));
      for (const auto* item : items) {
        help += line(*item);
      }
    }
  };
  section("Arguments:", shown_arguments(*app), [](const CLI::Option& argument) {
    return two_columns(argument.get_name(true), described(argument));
  });
  section("Commands:", commands, [](const CLI::App& command) {
    return two_columns(command.get_name(), command.get_description());
  });
  section("Options:", shown_options(*app), [](const CLI::Option& option) {
    return two_columns(signature(option), described(option));
  });
  std::string footer = app->get_footer();
  constexpr std::string_view kExample = "Example:\n";
  if (const std::size_t at = footer.find(kExample); at != std::string::npos) {
    footer.replace(at, kExample.size() - 1, heading(kExample.substr(0, kExample.size() - 1)));
  }
  return help + (footer.empty() ? "" : "\n" + footer + "\n");
}

}  // namespace hearsay::cli
