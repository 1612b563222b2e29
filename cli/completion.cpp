// `hearsay completion SHELL`: a script for a shell that completes commands, options and their
// values, made from the same descriptions as --help.

#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay::cli {
namespace {

// Calls `use` for an app and all its subcommands, with the words that lead to it.
void for_each_command(
    const CLI::App& app, const std::vector<std::string>& path,
    const std::function<void(const CLI::App& app, const std::vector<std::string>& path)>& use) {
  use(app, path);
  for (const CLI::App* command : shown_commands(app)) {
    std::vector<std::string> longer = path;
    longer.push_back(command->get_name());
    for_each_command(*command, longer, use);
  }
}

// The words that an option or an argument takes; none if it takes a number, a file or any text.
std::vector<std::string> words_of(const CLI::Option& option) {
  const std::string value = value_name(option);
  std::vector<std::string> words;
  if (value == "LEARNER") {
    for (const CatalogueEntry& entry : learner_catalogue()) {
      words.emplace_back(entry.name);
    }
  } else if (value == kListedName) {
    words = listed_names();
  } else if (value.find('|') != std::string::npos) {
    words = CLI::detail::split(value, '|');
  }
  return words;
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : shown_commands(app)) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> words_of_arguments(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* argument : shown_arguments(app)) {
    const std::vector<std::string> own = words_of(*argument);
    words.insert(words.end(), own.begin(), own.end());
  }
  return words;
}

// For bash and zsh: `case` branches that set `place`, the commands given so far, and then the
// candidates for the next word.
struct Branches {
  std::string paths;     // patterns of "place word" where the word is a command
  std::string options;   // of every place
  std::string commands;  // and the words of arguments
  std::string words;     // of every "place option"
};

Branches branches(const CLI::App& app) {
  Branches all;
  for_each_command(app, {"hearsay"}, [&](const CLI::App& command, const auto& path) {
    const std::string place = fmt::format("{}", fmt::join(path, " "));
    if (path.size() > 1) {
      all.paths += fmt::format("{}'{}'", all.paths.empty() ? "" : " | ", place);
    }
    std::vector<std::string> names;
    for (const CLI::Option* option : shown_options(command)) {
      const std::vector<std::string> own = option_names(*option);
      names.insert(names.end(), own.begin(), own.end());
      const std::vector<std::string> words = words_of(*option);
      if (!words.empty()) {
        all.words +=
            fmt::format("    '{} {}') values='{}' ;;\n", place, own.back(), fmt::join(words, " "));
      }
    }
    all.options += fmt::format("    '{}') options='{}' ;;\n", place, fmt::join(names, " "));
    std::vector<std::string> commands = names_of_commands(command);
    const std::vector<std::string> arguments = words_of_arguments(command);
    commands.insert(commands.end(), arguments.begin(), arguments.end());
    if (!commands.empty()) {
      all.commands += fmt::format("    '{}') commands='{}' ;;\n", place, fmt::join(commands, " "));
    }
  });
  return all;
}

// Sets `place`, `options`, `commands` and `values` from the words before the one to complete. zsh
// reads it too.
std::string find_candidates(const CLI::App& app) {
  const Branches all = branches(app);
  return fmt::format(
      "  for word in \"${{given[@]}}\"; do\n"
      "    case \"$place $word\" in\n"
      "    {}) place=\"$place $word\" ;;\n"
      "    esac\n"
      "    previous=$word\n"
      "  done\n"
      "  case $place in\n{}  esac\n"
      "  case $place in\n{}  esac\n"
      "  case \"$place $previous\" in\n{}  esac\n",
      all.paths, all.options, all.commands, all.words);
}

std::string bash(const CLI::App& app) {
  return fmt::format(
      "# Completion of hearsay for bash: source it, or save it as\n"
      "# ~/.local/share/bash-completion/completions/hearsay\n"
      "_hearsay() {{\n"
      "  local place=hearsay word previous='' options='' commands='' values=''\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}}\n"
      "  local given=(\"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\")\n"
      "{}"
      "  if [[ -n $values ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$current\")\n"
      "  elif [[ $current == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
      "  elif [[ -n $commands ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$current\")\n"
      "  else\n"
      "    COMPREPLY=()\n"
      "  fi\n"
      "}}\n"
      "complete -o default -F _hearsay hearsay\n",
      find_candidates(app));
}

std::string zsh(const CLI::App& app) {
  return fmt::format(
      "#compdef hearsay\n"
      "# Completion of hearsay for zsh: save it as _hearsay in a directory of $fpath.\n"
      "_hearsay() {{\n"
      "  local place=hearsay word previous='' options='' commands='' values=''\n"
      "  local current=${{words[CURRENT]}}\n"
      "  local -a given=(\"${{(@)words[2,CURRENT-1]}}\")\n"
      "{}"
      "  if [[ -n $values ]]; then\n"
      "    compadd -- ${{=values}}\n"
      "  elif [[ $current == -* ]]; then\n"
      "    compadd -- ${{=options}}\n"
      "  elif [[ -n $commands ]]; then\n"
      "    compadd -- ${{=commands}}\n"
      "  else\n"
      "    _files\n"
      "  fi\n"
      "}}\n"
      "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
      "  _hearsay \"$@\"\n"
      "else\n"
      "  compdef _hearsay hearsay\n"
      "fi\n",
      find_candidates(app));
}

std::string in_fish_quotes(std::string text) {
  text = CLI::detail::find_and_replace(text, "\\", "\\\\");
  return "'" + CLI::detail::find_and_replace(text, "'", "\\'") + "'";
}

std::string fish(const CLI::App& app) {
  std::string script =
      "# Completion of hearsay for fish: save it as ~/.config/fish/completions/hearsay.fish\n";
  for_each_command(app, {"hearsay"}, [&](const CLI::App& command, const auto& path) {
    std::string condition = "__fish_use_subcommand";
    if (path.size() > 1) {
      condition.clear();
      for (std::size_t i = 1; i < path.size(); ++i) {
        condition +=
            fmt::format("{}__fish_seen_subcommand_from {}", i == 1 ? "" : "; and ", path[i]);
      }
    }
    const std::vector<std::string> commands = names_of_commands(command);
    if (path.size() > 1 && !commands.empty()) {
      condition +=
          fmt::format("; and not __fish_seen_subcommand_from {}", fmt::join(commands, " "));
    }
    const std::string line = fmt::format("complete -c hearsay -n '{}'", condition);
    for (const CLI::App* next : shown_commands(command)) {
      script += fmt::format("{} -f -a {} -d {}\n", line, next->get_name(),
                            in_fish_quotes(next->get_description()));
    }
    for (const std::string& word : words_of_arguments(command)) {
      script += fmt::format("{} -f -a {}\n", line, word);
    }
    for (const CLI::Option* option : shown_options(command)) {
      script += line;
      for (const std::string& name : option->get_snames()) {
        script += " -s " + name;
      }
      for (const std::string& name : option->get_lnames()) {
        script += " -l " + name;
      }
      const std::vector<std::string> words = words_of(*option);
      if (!words.empty()) {
        script += fmt::format(" -x -a '{}'", fmt::join(words, " "));
      } else if (!value_name(*option).empty()) {
        script += " -r";
      }
      script += fmt::format(" -d {}\n", in_fish_quotes(option->get_description()));
    }
  });
  return script;
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "completion", "Print a script that lets a shell complete commands and options");
  command->footer("Example:\n  source <(hearsay completion bash)");
  const auto add_shell = [&](const char* name, const char* summary, const char* file,
                             std::string (*script)(const CLI::App&)) {
    CLI::App* shell = command->add_subcommand(name, summary);
    shell->footer(fmt::format("Example:\n  hearsay completion {} > {}", name, file));
    shell->callback([&app, script] { std::cout << script(app); });
  };
  add_shell("bash", "Print the script for bash", "hearsay.bash", bash);
  add_shell("zsh", "Print the script for zsh", "_hearsay", zsh);
  add_shell("fish", "Print the script for fish", "hearsay.fish", fish);
  require_one_subcommand(*command, "completion", "SHELL");
}

}  // namespace hearsay::cli
