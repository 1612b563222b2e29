// The help of the program and of all its commands, which are found from the help itself.

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "hearsay/report/html.h"
#include "hearsay/version.h"
#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;

// The items listed under a title such as "Commands:" in a help text: their names, which stand on
// the left, and their descriptions, each on one line.
std::vector<std::pair<std::string, std::string>> items(const std::string& help,
                                                       const std::string& title) {
  std::vector<std::pair<std::string, std::string>> all;
  const std::size_t begin = help.find("\n" + title + "\n");
  if (begin == std::string::npos) {
    return all;
  }
  std::istringstream lines(help.substr(begin + title.size() + 2));
  std::string line;
  while (std::getline(lines, line) && line.starts_with("  ")) {
    const bool is_new = line[2] != ' ';  // not the rest of a description
    const std::size_t gap = line.find("  ", 2);
    const std::size_t text = line.find_first_not_of(' ', is_new ? gap : 0);
    if (is_new) {
      all.emplace_back(line.substr(2, gap == std::string::npos ? gap : gap - 2), "");
    }
    if (text != std::string::npos && (!is_new || gap != std::string::npos)) {
      all.back().second += (all.back().second.empty() ? "" : " ") + line.substr(text);
    }
  }
  return all;
}

// "--output" of "-o, --output FILE".
std::string long_name(const std::string& option) {
  const std::string name_and_value = option.substr(option.find("--"));
  return name_and_value.substr(0, name_and_value.find(' '));
}

struct Help {
  std::string command;  // "graph make grid"
  std::string text;
};

// The help of a command and of all its subcommands.
void add_helps(std::vector<std::string> command, std::vector<Help>& helps) {
  std::vector<std::string> call = command;
  call.emplace_back("--help");
  const ProgramRun run = run_program(call);
  EXPECT_EQ(run.exit_code, 0) << fmt::format("{}", fmt::join(command, " "));
  helps.push_back({fmt::format("{}", fmt::join(command, " ")), run.out});
  for (const auto& [name, description] : items(run.out, "Commands:")) {
    command.push_back(name);
    add_helps(command, helps);
    command.pop_back();
  }
}

std::vector<Help> all_helps() {
  std::vector<Help> helps;
  add_helps({}, helps);
  return helps;
}

TEST(Program, SaysItsNameAndVersion) {
  const ProgramRun run = run_program({"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, fmt::format("hearsay {}\n", kVersion));
}

TEST(Program, ExplainsEveryCommandWithAnExample) {
  const std::vector<Help> helps = all_helps();
  // The commands are reproduce, run, merge, alpha, replay, calibrate, evaluate, graph with three
  // commands and 13 families, list, completion with three shells, and man.
  EXPECT_GE(helps.size(), 1U + 11 + 3 + 13 + 3);
  for (const auto& [command, text] : helps) {
    for (const char* type : {" TEXT", " INT", " UINT", " FLOAT"}) {  // the names that CLI11 gives
      EXPECT_EQ(text.find(type), std::string::npos) << command;
    }
    const std::size_t example = text.find("\nExample:\n  ");
    ASSERT_NE(example, std::string::npos) << command;
    EXPECT_NE(text.find("hearsay " + command, example), std::string::npos) << command;
    EXPECT_FALSE(text[0] >= 'a' && text[0] <= 'z') << command;
  }
}

// Commands to copy are not wrapped, so they must fit an 80-column terminal, also in the manual
// page, which moves them to the right by seven columns. Nothing else there has lines of its own.
TEST(Program, HasExamplesThatFitATerminalAndAManualPage) {
  const std::string page = run_program({"man"}).out;
  std::size_t examples = 0;
  for (std::size_t begin = page.find(".nf\n"); begin != std::string::npos;
       begin = page.find(".nf\n", begin + 1)) {
    ++examples;
    std::istringstream lines(page.substr(begin + 4, page.find("\n.fi\n", begin) - begin - 4));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(line.starts_with("  ")) << line;
      std::string shown = std::regex_replace(line, std::regex(R"(\\-)"), "-");
      shown = std::regex_replace(shown, std::regex(R"(\\e)"), "\\");
      EXPECT_LE(shown.size(), 80U - 7) << line;
    }
  }
  EXPECT_EQ(examples, all_helps().size() - 1);  // the page has no example of the whole program
}

TEST(Program, ShowsBothUsesOfGraphMake) {
  const std::string help = run_program({"graph", "make", "--help"}).out;
  EXPECT_NE(help.find("\nUsage: hearsay graph make FAMILY ...\n"
                      "       hearsay graph make --from FILE.npy -o FILE [OPTIONS]\n\n"),
            std::string::npos)
      << help;
}

// An option of several commands has the same value and begins with the same words in each.
TEST(Program, DescribesAnOptionInTheSameWordsEverywhere) {
  const std::map<std::string, std::string> words = {
      {"--json", "print one JSON object instead of text"},
      {"--threads N", "how many threads; the results are the same for any number (default one"},
      {"--seed N", "determines "},
      {"--out DIR", "directory of the results ("},
      {"-o, --output FILE", "write the graph to this file; its ending selects the format"},
      {"--quiet", "print no progress and no notes, only results and errors"},
      {"--force", "replace the results that the directory holds"},
      {"--resume", "continue where it was stopped"},
      {"--report FILE.html", "write a report to open in a browser: "},
      {"--arms N", "number of arms (default "},
      {"--time-limit SECONDS", ""},
      {"--learner LEARNER", ""},
      {"--noise-bound R", ""},
      {"--thin NUMBER", ""},
  };
  std::set<std::string> found;
  for (const auto& [command, text] : all_helps()) {
    // A family has options of its own, among them its number of arms.
    if (command.starts_with("graph make ")) {
      continue;
    }
    for (const auto& [option, description] : items(text, "Options:")) {
      EXPECT_EQ(description.find("(default:"), std::string::npos) << command << ' ' << option;
      EXPECT_EQ(description.find("default: "), std::string::npos) << command << ' ' << option;
      for (const auto& [name, beginning] : words) {
        if (long_name(option) == long_name(name)) {
          EXPECT_EQ(option, name) << command;
          found.insert(name);
          EXPECT_TRUE(description.starts_with(beginning))
              << command << ' ' << option << ": " << description;
        }
      }
    }
  }
  EXPECT_EQ(found.size(), words.size());
}

// The lines below "Example:", without their indentation.
std::string example_of(const std::string& help) {
  std::istringstream lines(help.substr(help.find("\nExample:\n") + 10));
  std::string script;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("  ")) << line;
    script += line.substr(std::min<std::size_t>(2, line.size())) + '\n';
  }
  return script;
}

// Every example runs at the root of a clone, in the order of the commands: no example needs a file
// that does not exist, and no example leaves files with which a later one fails.
TEST(Program, HasExamplesThatRunInAClone) {
  const testing::ScratchDirectory scratch;
  std::filesystem::create_directory(scratch.file("bin"));
  std::filesystem::create_symlink(HEARSAY_PROGRAM, scratch.file("bin/hearsay"));
  for (const char* name : {"examples", "experiments"}) {
    std::filesystem::create_symlink(std::string(HEARSAY_SOURCE_DIR "/") + name, scratch.file(name));
  }
  for (const auto& [command, text] : all_helps()) {
    const std::string script = example_of(text);
    if (!report_available() && script.find("--report") != std::string::npos) {
      continue;
    }
    testing::StartedProgram program(
        {"bash", "-c",
         fmt::format("set -euo pipefail\ncd '{0}'\nPATH='{0}/bin':$PATH\n{1}", scratch.file(""),
                     script)});
    const ProgramRun run = program.wait();
    EXPECT_EQ(run.exit_code, 0) << command << '\n' << script << run.err;
  }
}

// Help names options as the command line has them, not as files do.
TEST(Program, NamesOptionsInItsHelpAsTheyAreTyped) {
  std::size_t options_named = 0;
  for (const auto& [command, text] : all_helps()) {
    std::set<std::string> options;
    for (const auto& [option, description] : items(text, "Options:")) {
      options.insert(long_name(option));
    }
    for (const auto& [option, description] : items(text, "Options:")) {
      EXPECT_EQ(description.find('_'), std::string::npos) << command << ' ' << option;
      for (std::size_t position = description.find("--"); position != std::string::npos;
           position = description.find("--", position + 1)) {
        const std::string option_named =
            description.substr(position, description.find_first_of(" ,;:)", position) - position);
        EXPECT_TRUE(options.contains(option_named) || option_named == "--shard")
            << command << ' ' << option_named;
        ++options_named;
      }
    }
  }
  EXPECT_GT(options_named, 20U);
}

// The defaults of parameters that not all learners take are those of the learners.
TEST(Program, ShowsTheDefaultsOfTheParametersOfLearners) {
  for (const char* command : {"replay", "evaluate"}) {
    std::map<std::string, std::string> options;
    for (const auto& [option, description] :
         items(run_program({command, "--help"}).out, "Options:")) {
      options[long_name(option)] = description;
    }
    EXPECT_TRUE(
        options.at("--tuning")
            .ends_with("(default paper for exp3-wix, cost for exp3-ivc, rv for tsallis-inf)"))
        << options.at("--tuning");
    EXPECT_NE(options.at("--noise").find("(default known)"), std::string::npos);
    EXPECT_NE(options.at("--threshold").find("required by exp3-ixb, exp3-ixt"), std::string::npos);
    EXPECT_NE(options.at("--switches").find("(default 1)"), std::string::npos);
    EXPECT_NE(options.at("--rate").find("(default adaptive)"), std::string::npos);
  }
}

}  // namespace
}  // namespace hearsay
