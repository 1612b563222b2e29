#include "cli/help.h"

#include <algorithm>
#include <cassert>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "cli/wrapped_text.h"

namespace hearsay::cli {
namespace {

// "  NAME     TEXT", with the text in lines of its own column.
std::string two_columns(const std::string& name, std::string_view text) {
  constexpr std::size_t kWidestColumn = 30;
  return with_hanging_indent("  " + name, text, std::min(kWidestColumn, 3 * text_width() / 8));
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

Footer footer_of(const CLI::App& app) {
  constexpr std::string_view kParagraphEnd = "\n\n";
  constexpr std::string_view kExample = "Example:\n";
  const std::string text = app.get_footer();
  std::string_view rest = text;
  Footer footer;
  while (!rest.empty() && !rest.starts_with(kExample)) {
    const std::string_view paragraph = rest.substr(0, rest.find(kParagraphEnd));
    assert(paragraph.find('\n') == std::string_view::npos);
    footer.paragraphs.emplace_back(paragraph);
    rest.remove_prefix(std::min(paragraph.size() + kParagraphEnd.size(), rest.size()));
  }
  footer.example = rest.substr(std::min(kExample.size(), rest.size()));
  return footer;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode /*mode*/) const {
  const std::vector<const CLI::App*> commands = shown_commands(*app);
  const auto heading = [](std::string_view text) {
    return styled(text, Style::heading, STDOUT_FILENO);
  };
  constexpr std::string_view kUsage = "Usage:";
  std::string usage = commands.empty() ? make_usage(app, name)
                                       : fmt::format("{} {} {} ...\n", kUsage, name, command_);
  assert(usage.starts_with(kUsage));
  if (!instead_.empty()) {
    usage += fmt::format("{:{}} {} {}\n", "", kUsage.size(), name, instead_);
  }
  std::string help = fmt::format("{}\n{}{}", with_hanging_indent("", app->get_description(), 0),
                                 heading(kUsage), usage.substr(kUsage.size()));
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
  const Footer footer = footer_of(*app);
  for (const std::string& paragraph : footer.paragraphs) {
    help += "\n" + with_hanging_indent("", paragraph, 0);
  }
  if (!footer.example.empty()) {
    help += fmt::format("\n{}\n{}\n", heading("Example:"), footer.example);
  }
  return help;
}

}  // namespace hearsay::cli
