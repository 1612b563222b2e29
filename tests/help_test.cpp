// The help of the program and of all its commands, which are found from the help itself.

#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;

// The names listed under "Commands:" in a help text.
std::vector<std::string> subcommands(const std::string& help) {
  std::vector<std::string> names;
  const std::size_t begin = help.find("Commands:\n");
  if (begin != std::string::npos) {
    std::istringstream lines(help.substr(begin));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && line.starts_with("  ")) {
      if (line[2] != ' ') {  // not the rest of a long description
        names.push_back(line.substr(2, line.find(' ', 2) - 2));
      }
    }
  }
  return names;
}

// Calls `command --help` and that of all its subcommands; returns how many there were.
std::size_t expect_explained(std::vector<std::string> command) {
  std::vector<std::string> call = command;
  call.emplace_back("--help");
  const ProgramRun run = run_program(call);
  EXPECT_EQ(run.exit_code, 0) << fmt::format("{}", fmt::join(command, " "));
  std::size_t count = 1;
  for (const char* type : {" TEXT", " INT", " UINT", " FLOAT"}) {  // the names that CLI11 gives
    EXPECT_EQ(run.out.find(type), std::string::npos) << fmt::format("{}", fmt::join(command, " "));
  }
  if (!command.empty()) {
    EXPECT_NE(run.out.find("Example"), std::string::npos)
        << fmt::format("{}", fmt::join(command, " "));
  }
  for (const std::string& name : subcommands(run.out)) {
    command.push_back(name);
    count += expect_explained(command);
    command.pop_back();
  }
  return count;
}

TEST(Program, ExplainsEveryCommandWithAnExample) {
  EXPECT_EQ(run_program({"--version"}).exit_code, 0);
  // reproduce, run, merge, alpha, replay, graph with three commands and 13 families, list,
  // completion with three shells, man
  EXPECT_GE(expect_explained({}), 1U + 9 + 3 + 13 + 3);
}

}  // namespace
}  // namespace hearsay
