#include "reproduce/solved_graphs.h"

#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reproduce/graph_studies.h"
#include "reproduce/tables.h"
#include "tests/program.h"

namespace hearsay::reproduce {
namespace {

using hearsay::testing::ScratchDirectory;

constexpr const char* kSettings = "sides 2 to 4";

std::vector<GridPoint> unsolved() {
  return grid_points({.first_side = 2, .last_side = 4});
}

TEST(SolvedGraphs, ReadBackToTheSameTable) {
  const ScratchDirectory scratch;
  std::vector<GridPoint> points = unsolved();
  solve(points, {});
  save_solved(scratch.file("grid"), kSettings, std::span<const GridPoint>(points));
  std::vector<GridPoint> read = unsolved();
  load_solved(scratch.file("grid"), kSettings, std::span(read));
  EXPECT_EQ(grid_csv(read), grid_csv(points));
  // Solved graphs of other settings are not used.
  read = unsolved();
  load_solved(scratch.file("grid"), "sides 2 to 5", std::span(read));
  for (const GridPoint& point : read) {
    EXPECT_FALSE(point.result.exact);
  }
}

TEST(SolvedGraphs, NeverGiveAWrongTableIfOneBitIsDamagedOrTheFileIsCutShort) {
  const ScratchDirectory scratch;
  std::vector<GridPoint> points = unsolved();
  solve(points, {});
  const std::string expected = grid_csv(points);
  save_solved(scratch.file("grid"), kSettings, std::span<const GridPoint>(points));
  const std::string bytes = scratch.read("grid");
  const auto expect_right_table = [&](const std::string& damaged) {
    scratch.write("grid", damaged);
    std::vector<GridPoint> read = unsolved();
    load_solved(scratch.file("grid"), kSettings, std::span(read));
    solve(read, {});
    EXPECT_EQ(grid_csv(read), expected);
  };
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    expect_right_table(damaged);
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    expect_right_table(bytes.substr(0, size));
  }
}

}  // namespace
}  // namespace hearsay::reproduce
