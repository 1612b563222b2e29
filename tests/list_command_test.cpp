// `hearsay list`, run as a program, and the papers that it cites.

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/environment/noise.h"
#include "hearsay/learner/bibliography.h"
#include "hearsay/learner/catalogue.h"
#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t position = text.find(part); position != std::string::npos;
       position = text.find(part, position + 1)) {
    ++count;
  }
  return count;
}

// The words of a text, however it is wrapped, with a blank before each.
std::string words_of(const std::string& text) {
  std::istringstream stream(text);
  std::string words;
  for (std::string word; stream >> word;) {
    words += " " + word;
  }
  return words;
}

TEST(Papers, HaveAnEntryEachWithItsKeyAndBalancedBraces) {
  std::set<std::string_view> keys;
  for (const Paper& paper : papers()) {
    EXPECT_TRUE(keys.insert(paper.key).second) << paper.key;
    const std::string entry(paper.bibtex);
    EXPECT_EQ(entry.find("{" + std::string(paper.key) + ",\n"), entry.find('{')) << paper.key;
    EXPECT_EQ(std::ranges::count(entry, '{'), std::ranges::count(entry, '}')) << paper.key;
    for (const char* field : {"author", "title", "year"}) {
      EXPECT_EQ(count_of(entry, std::string("\n  ") + field + " "), 1U) << paper.key << field;
    }
    // The year of the entry is that of the reference.
    EXPECT_NE(entry.find("{" + std::string(paper.reference.substr(paper.reference.size() - 4))),
              std::string::npos)
        << paper.key;
  }
}

TEST(ListCommand, PrintsABibtexEntryForEachPaperOfALearner) {
  const ProgramRun run = run_program({"list", "--bibtex"});
  EXPECT_EQ(run.exit_code, 0);
  const std::string listed = run_program({"list"}).out;
  for (const CatalogueEntry& entry : learner_catalogue()) {
    const LearnerRow& row = learner_row(entry.name);
    if (listed.find(row.name) == std::string::npos) {
      continue;  // registered by another test of this process
    }
    const Paper* paper = paper_of(row.reference);
    EXPECT_TRUE(paper != nullptr || row.reference.starts_with("docs/"))
        << row.name << ": " << row.reference;
    EXPECT_FALSE(paper != nullptr && row.ours) << row.name;
    // The comment before the entry of its paper, or one of the two at the end, has its name.
    const std::string place =
        paper != nullptr ? std::string(paper->bibtex)
                         : (row.ours ? "% introduced by this library" : "% references without");
    const std::size_t position = run.out.find(place);
    ASSERT_NE(position, std::string::npos) << row.name;
    const std::size_t line = paper != nullptr ? run.out.rfind("% ", position) : position;
    const std::string names = run.out.substr(line, run.out.find('\n', line) - line) + ",";
    EXPECT_NE(names.find(" " + row.name + ","), std::string::npos) << row.name << ": " << names;
    if (paper != nullptr) {
      EXPECT_EQ(count_of(run.out, paper->bibtex), 1U) << paper->key;
    }
  }
  EXPECT_EQ(run_program({"list", "--bibtex", "--json"}).exit_code, 2);
}

TEST(ListCommand, SaysWhatEachLearnerIsShownAndWhereItComesFrom) {
  const auto listed = nlohmann::json::parse(run_program({"list", "--json"}).out);
  std::vector<std::string> informed;
  for (const auto& learner : listed["learners"]) {
    const LearnerRow& row = learner_row(learner["name"].get<std::string>());
    const Paper* paper = paper_of(row.reference);
    EXPECT_EQ(learner["bibtex"].is_null(), paper == nullptr);
    if (learner["shown"].get<std::string>().find("before the draw") != std::string::npos) {
      informed.push_back(row.name);
      EXPECT_NE(row.summary.find("informed"), std::string::npos) << row.name;
    }
  }
  EXPECT_NE(std::ranges::find(informed, "exp3-dom"), informed.end());
  EXPECT_NE(std::ranges::find(informed, "ucb-maxn"), informed.end());
}

// What --json says of the options of an entry is what `hearsay list NAME` shows.
TEST(ListCommand, ShowsAnEntryWithItsOptionsByName) {
  const auto listed = nlohmann::json::parse(run_program({"list", "--json"}).out);
  std::size_t options = 0;
  for (const char* section : {"learners", "graph_sequences", "losses", "noise", "graphs"}) {
    for (const auto& item : listed[section]) {
      const std::string name = item["name"];
      const ProgramRun run = run_program({"list", name});
      EXPECT_EQ(run.exit_code, 0) << name;
      EXPECT_NE(words_of(run.out).find(words_of(item["summary"])), std::string::npos) << name;
      EXPECT_NE(words_of(run.out).find(words_of(item["reference"])), std::string::npos) << name;
      for (const char* key : {"options", "parameters"}) {
        for (const auto& option : item.value(key, nlohmann::json::array())) {
          ++options;
          const std::string line = "\n  " + option["name"].get<std::string>() + " ";
          EXPECT_NE(run.out.find(line), std::string::npos) << name << line;
        }
      }
    }
  }
  EXPECT_GT(options, 80U);
  const std::string ixb = run_program({"list", "exp3-ixb"}).out;
  EXPECT_NE(ixb.find("\n  threshold    required"), std::string::npos) << ixb;
  EXPECT_NE(run_program({"list", "grid"}).out.find("\n  side         5 "), std::string::npos);
  // The name of a learner, a noise law and a graph family.
  EXPECT_EQ(count_of(run_program({"list", "uniform"}).out, "uniform ("), 3U);
  const ProgramRun unknown = run_program({"list", "bandit"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err, "hearsay: NAME: 'bandit', expected one that `hearsay list` shows\n");
  EXPECT_EQ(run_program({"list", "exp3wix"}).err,
            "hearsay: NAME: 'exp3wix', expected 'exp3-wix'\n");
  EXPECT_EQ(run_program({"list", "exp3", "--json"}).exit_code, 2);
}

TEST(ListCommand, SaysWhichNoiseLawsAreBounded) {
  const auto listed = nlohmann::json::parse(run_program({"list", "--json"}).out);
  for (const auto& law : listed["noise"]) {
    const std::string name = law["name"];
    EXPECT_EQ(law["bounded"].get<bool>(), name != "gaussian" && name != "student") << name;
    EXPECT_NE(law["bounded"].get<bool>(),
              law["summary"].get<std::string>().find("unbounded") != std::string::npos);
  }
}

}  // namespace
}  // namespace hearsay
