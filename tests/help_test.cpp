// The help of the program and of all its commands, which are found from the program itself.

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;

// The names that a program, or a command with commands of its own, lists when it is given none:
// "hearsay: command: no COMMAND, expected one of reproduce, run, ...".
std::vector<std::string> commands_of(const std::vector<std::string>& call) {
  const ProgramRun run = run_program(call);
  EXPECT_EQ(run.exit_code, 2) << run.err;
  const std::string listed = "expected one of ";
  const std::size_t begin = run.err.find(listed);
  if (begin == std::string::npos) {
    return {};
  }
  std::vector<std::string> names;
  std::istringstream words(run.err.substr(begin + listed.size()));
  for (std::string word; words >> word;) {
    names.push_back(word.substr(0, word.find(',')));
  }
  return names;
}

void expect_help_with_example(std::vector<std::string> call) {
  const std::string name = call.back();
  call.emplace_back("--help");
  const ProgramRun run = run_program(call);
  EXPECT_EQ(run.exit_code, 0) << name;
  EXPECT_EQ(run.err, "") << name;
  EXPECT_NE(run.out.find("Example"), std::string::npos) << name;
  EXPECT_NE(run.out.find("Usage: hearsay " + call.front()), std::string::npos) << run.out;
}

TEST(Program, ExplainsEveryCommand) {
  EXPECT_EQ(run_program({"--version"}).exit_code, 0);
  const std::vector<std::string> commands = commands_of({});
  const std::string help = run_program({"--help"}).out;
  EXPECT_GE(commands.size(), 7);
  for (const std::string& command : commands) {
    EXPECT_NE(help.find("\n  " + command + " "), std::string::npos) << help;
    expect_help_with_example({command});
  }
}

TEST(Program, ExplainsEveryCommandOfGraph) {
  const std::vector<std::string> commands = commands_of({"graph"});
  EXPECT_EQ(commands, (std::vector<std::string>{"make", "info", "convert"}));
  const std::string help = run_program({"graph", "--help"}).out;
  for (const std::string& command : commands) {
    EXPECT_NE(help.find("\n  " + command + " "), std::string::npos) << help;
    EXPECT_EQ(run_program({"graph", command, "--help"}).exit_code, 0) << command;
  }
}

}  // namespace
}  // namespace hearsay
