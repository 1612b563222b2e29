// `hearsay list`, run as a program, and the papers that it cites.

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/bytes.h"
#include "hearsay/environment/graph_sequence.h"
#include "hearsay/environment/noise.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/learner/bibliography.h"
#include "hearsay/learner/catalogue.h"
#include "tests/every_learner.h"
#include "tests/message_of.h"
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

TEST(ListCommand, NamesEverythingWithItsReference) {
  const ProgramRun run = run_program({"list", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  const auto all = nlohmann::json::parse(run.out);
  for (const char* section : {"learners", "graph_sequences", "losses", "noise", "graphs"}) {
    EXPECT_FALSE(all[section].empty()) << section;
    for (const auto& entry : all[section]) {
      EXPECT_FALSE(entry["name"].get<std::string>().empty());
      EXPECT_FALSE(entry["summary"].get<std::string>().empty());
      EXPECT_FALSE(entry["reference"].get<std::string>().empty()) << entry;
      EXPECT_NE(run_program({"list"}).out.find(entry["name"]), std::string::npos);
    }
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

// A value of the parameter as TOML: the first of the words, or one in its range.
std::string toml_value(const LearnerParameter& parameter, const FieldInfo& info) {
  if (!parameter.words.empty()) {
    return "\"" + std::string(parameter.words.front()) + "\"";
  }
  const std::string text = field_text(info, some_value(info));
  return info.type == FieldType::word ? "\"" + text + "\"" : text;
}

// Whether an experiment file may give this parameter to the learner.
bool experiment_accepts(const LearnerRow& row, const LearnerParameter& tested) {
  const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
  std::string text =
      "[environment]\nhorizon = 9\n[environment.graph]\nfamily = \"empty\"\n"
      "[[learners]]\nlearner = \"" +
      row.name + "\"\n";
  const auto add = [&](const LearnerParameter& parameter) {
    const FieldInfo& info = fields[*field_index(fields, parameter.name)];
    text += std::string(parameter.name) + " = " + toml_value(parameter, info) + "\n";
  };
  add(tested);
  for (const LearnerParameter& parameter : row.parameters) {
    if (parameter.required && parameter.name != tested.name) {
      add(parameter);
    }
  }
  const std::string message = message_of([&] { parse_experiment(text, "test.toml"); });
  EXPECT_TRUE(message.empty() || message.find("is not a key of") != std::string::npos) << message;
  return message.empty();
}

TEST(ListCommand, SaysWhichParametersOfLearnersExperimentFilesAccept) {
  const auto listed = nlohmann::json::parse(run_program({"list", "--json"}).out);
  const std::string reference = read_file(HEARSAY_SOURCE_DIR "/docs/reference.md");
  std::set<std::string> outside;
  for (const auto& item : listed["learners"]) {
    if (!item["available"].get<bool>()) {
      continue;
    }
    const LearnerRow& row = learner_row(item["name"].get<std::string>());
    const std::size_t begin = reference.find("\n| `" + row.name + "` |");
    ASSERT_NE(begin, std::string::npos) << row.name;
    const std::string line = reference.substr(begin, reference.find('\n', begin + 1) - begin);
    const std::string shown = run_program({"list", row.name}).out;
    std::size_t marked = 0;
    for (const auto& field : listed["parameters"]) {
      const std::string name = field["name"];
      const auto own = std::ranges::find(row.parameters, name, &LearnerParameter::name);
      if (own == row.parameters.end() && field["optional"].get<bool>()) {
        continue;  // not a parameter of this learner
      }
      const bool accepted = experiment_accepts(
          row, own == row.parameters.end() ? LearnerParameter{.name = name} : *own);
      EXPECT_EQ(field["in_experiments"].get<bool>(), accepted) << row.name << ' ' << name;
      if (!accepted) {
        outside.insert(name);
        marked += own == row.parameters.end() ? 0U : 1U;
      }
    }
    EXPECT_EQ(count_of(line, "(not in experiments)"), marked) << line;
    EXPECT_EQ(count_of(words_of(shown), "not in experiment files"), marked) << shown;
  }
  // The parameters that the reference lists as keys of experiments.
  const std::size_t keys = reference.find("\n## Parameters of learners in experiments");
  const std::size_t others = reference.find("\n## Further parameters of learners");
  ASSERT_NE(keys, std::string::npos);
  ASSERT_NE(others, std::string::npos);
  for (const auto& field : listed["parameters"]) {
    const std::string name = field["name"];
    const std::size_t found = reference.find("\n| `" + name + "` |", keys);
    EXPECT_EQ(found > others, outside.contains(name)) << name;
  }
}

// The tables of keys in docs/experiments.md, section by section.
TEST(ExperimentFilesPage, HasTheDefaultsOfTheProgram) {
  const auto listed = nlohmann::json::parse(run_program({"list", "--json"}).out);
  const std::string page = read_file(HEARSAY_SOURCE_DIR "/docs/experiments.md");
  const auto section = [&](const std::string& title) {
    const std::size_t begin = page.find("\n### " + title + "\n");
    EXPECT_NE(begin, std::string::npos) << title;
    return page.substr(begin, page.find("\n#", begin + 1) - begin);
  };
  const auto expect_row = [&](const std::string& title, const std::string& key,
                              const std::string& fallback) {
    EXPECT_EQ(count_of(section(title), "\n| `" + key + "` | " + fallback + " | "), 1U)
        << title << ": " << key << " = " << fallback;
  };
  const auto expect_rows = [&](const std::string& title, const auto& fields) {
    for (const auto& field : fields) {
      const auto& fallback = field["default"];
      // A word, and a number that would otherwise have commas, is marked as code.
      const bool is_code = fallback.is_string() || (fallback.is_number() && fallback >= 1000);
      const std::string text = fallback.is_number()
                                   ? fmt::format("{}", fallback.template get<double>())
                                   : fallback.dump();
      expect_row(title, field["name"],
                 fallback.is_null() ? "required" : (is_code ? "`" + text + "`" : text));
    }
  };
  expect_rows("At the top", listed["experiment"]);
  expect_row("At the top", "points", fmt::format("{}", RecordedRounds{}.count));
  expect_row("At the top", "spacing", "`\"linear\"`");
  expect_rows("`[environment]`", listed["environment"]);
  expect_row("`[environment.graph]`", "kind",
             fmt::format("`\"{}\"`", graph_kinds().front().entry.name));
  const std::string graph = section("`[environment.graph]`");
  const std::size_t row = graph.find("\n| `kind` |");
  const std::string kinds = graph.substr(row, graph.find('\n', row + 1) - row);
  for (const GraphKind& kind : graph_kinds()) {
    const std::string name(kind.entry.name);
    EXPECT_EQ(count_of(kinds, "`" + name + "`: "), 1U) << name;
  }
  for (const auto& kind : listed["graph_sequences"]) {
    expect_rows("`[environment.graph]`", kind["options"]);
  }
  for (const auto& field : listed["parameters"]) {
    if (field["name"] == "engine") {
      expect_row("`[[learners]]`", "engine", "`" + field["default"].dump() + "`");
    }
  }
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
