#include "reproduce/paper.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/experiment/experiment_file.h"
#include "hearsay/work/plan.h"
#include "reproduce/built_in.h"
#include "reproduce/paper_report.h"

namespace hearsay::reproduce {
namespace {

TEST(BuiltInExperiments, AreTheFilesOfTheDirectory) {
  ASSERT_GE(built_in_experiments().size(), kPaperComparisons.size());
  for (const BuiltInExperiment& experiment : built_in_experiments()) {
    std::ostringstream file;
    file << std::ifstream(
                fmt::format("{}/experiments/{}.toml", HEARSAY_SOURCE_DIR, experiment.name))
                .rdbuf();
    EXPECT_EQ(experiment.text, file.str()) << experiment.name;
  }
}

TEST(PaperExperiments, AreThoseOfThePaperAtEveryScale) {
  for (const PaperScale scale : {PaperScale::quick, PaperScale::full, PaperScale::large}) {
    const PaperExperiments paper = paper_experiments(scale, 7);
    ASSERT_EQ(paper.comparison.size(), kPaperComparisons.size());
    for (std::size_t i = 0; i < kPaperComparisons.size(); ++i) {
      const Experiment& experiment = paper.comparison[i];
      EXPECT_EQ(experiment.name, kPaperComparisons.at(i).name);
      EXPECT_EQ(experiment.seed, 7U);
      EXPECT_GT(experiment.sequences, 1U);
      EXPECT_EQ(experiment.environment.horizon, 5000U);
      EXPECT_EQ(experiment.environment.noise.bound, i == 1 ? 2 : 1);
      EXPECT_EQ(Plan(experiment).arms(), 25U);
    }
    EXPECT_EQ(paper.random_graphs.seed, 7U);
    EXPECT_EQ(paper.random_graphs.sizes.back(), scale == PaperScale::large ? 500U : 200U);
    EXPECT_EQ(paper.random_graphs.graphs, scale == PaperScale::quick ? 20U : 100U);
  }
}

TEST(PaperReport, SaysForHowManyRoundsEachWorldIsPlayed) {
  const auto caption = [](PaperScale scale) {
    PaperTables tables;
    tables.worlds = "";
    return paper_report(paper_experiments(scale, 1), tables, {}, "", "").heat_maps.at(0).caption;
  };
  EXPECT_EQ(caption(PaperScale::full).find("Regret after 5,000 rounds, mean of 40 loss"), 0U);
  EXPECT_EQ(caption(PaperScale::large)
                .find("Regret after 5,000 rounds (large-grid: 100,000, large-cliques: 100,000, "
                      "large-king: 100,000), mean of 40 loss"),
            0U);
}

TEST(PaperExperiments, DescriptionContainsEverythingTheyDependOn) {
  const std::vector<std::string> all = ordered_parts({});
  const auto text = [&](PaperScale scale, std::uint64_t seed) {
    return to_toml(paper_experiments(scale, seed), all);
  };
  EXPECT_EQ(text(PaperScale::full, 1), text(PaperScale::full, 1));
  EXPECT_NE(text(PaperScale::full, 1), text(PaperScale::full, 2));
  EXPECT_NE(text(PaperScale::full, 1), text(PaperScale::quick, 1));
  EXPECT_NE(text(PaperScale::full, 1), text(PaperScale::large, 1));
  EXPECT_NE(text(PaperScale::full, 1), to_toml(paper_experiments(PaperScale::full, 1), {"grid"}));
}

}  // namespace
}  // namespace hearsay::reproduce
