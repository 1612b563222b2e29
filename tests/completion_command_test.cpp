#include <regex>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;

// What bash offers for the last of `words`, each on a line.
std::string offered(const std::string& words) {
  const std::string script = fmt::format(
      "source <({} completion bash)\n"
      "COMP_WORDS=(hearsay {})\n"
      "COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
      "_hearsay\n"
      "printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
      HEARSAY_PROGRAM, words);
  return testing::StartedProgram({"/bin/bash", "-c", script}).wait().out;
}

TEST(CompletionCommand, OffersCommandsOptionsAndWordsInBash) {
  EXPECT_EQ(offered("re"), "reproduce\nreplay\n");
  EXPECT_EQ(offered("graph ''"), "make\ninfo\nconvert\n");
  EXPECT_EQ(offered("graph make gr"), "grid\n");
  EXPECT_EQ(offered("run file.toml --s"), "--set\n--seed\n--shard\n");
  EXPECT_EQ(offered("replay --engine ''"), "exact\nlazy\nauto\n");
  EXPECT_EQ(offered("reproduce --quick g"), "grid\n");
  EXPECT_EQ(offered("list exp3-iv"),
            "exp3-ivx\nexp3-ivx-clip\nexp3-ivc\nexp3-ivx-share\nexp3-ivc-share\n");
  EXPECT_EQ(offered("list unif"), "uniform\n")
      << "the name of a learner, a noise law and a graph family is offered once";
  EXPECT_EQ(offered("run ''"), "\n") << "nothing: bash then offers files";
}

// Every option that `hearsay replay --help` shows is in the scripts of all shells and in the manual
// page, and every name that `hearsay list` shows is in the scripts.
TEST(CompletionCommand, KnowsEveryOptionOfReplayAndEveryNameOfTheCatalogues) {
  const std::string help = run_program({"replay", "--help"}).out;
  const std::string bash = run_program({"completion", "bash"}).out;
  const std::string zsh = run_program({"completion", "zsh"}).out;
  const std::string fish = run_program({"completion", "fish"}).out;
  const std::string man = run_program({"man"}).out;
  std::size_t options = 0;
  for (std::size_t position = help.find("  --"); position != std::string::npos;
       position = help.find("  --", position + 1)) {
    const std::string name = help.substr(position + 4, help.find(' ', position + 4) - position - 4);
    EXPECT_NE(bash.find("--" + name), std::string::npos) << name;
    EXPECT_NE(zsh.find("--" + name), std::string::npos) << name;
    EXPECT_NE(fish.find("-l " + name), std::string::npos) << name;
    std::string escaped;
    for (const char c : name) {
      escaped += c == '-' ? std::string("\\-") : std::string(1, c);
    }
    EXPECT_NE(man.find(".B \\-\\-" + escaped), std::string::npos) << name;
    ++options;
  }
  EXPECT_GE(options, 8U);
  const auto listed = nlohmann::json::parse(run_program({"list", "--json"}).out);
  for (const auto& learner : listed["learners"]) {
    EXPECT_NE(bash.find(learner["name"].get<std::string>()), std::string::npos) << learner;
  }
  for (const char* section : {"learners", "graph_sequences", "losses", "noise", "graphs"}) {
    for (const auto& item : listed[section]) {
      const std::string name = item["name"];
      EXPECT_TRUE(std::regex_search(
          zsh, std::regex("'hearsay list'\\) commands='([^']* )?" + name + "[ ']")))
          << name;
      EXPECT_NE(fish.find("__fish_seen_subcommand_from list' -f -a " + name + "\n"),
                std::string::npos)
          << name;
    }
  }
}

TEST(CompletionCommand, NamesTheShells) {
  const ProgramRun run = run_program({"completion", "tcsh"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "hearsay: completion: 'tcsh', expected one of bash, zsh, fish\n");
}

}  // namespace
}  // namespace hearsay
