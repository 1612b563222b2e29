#pragma once

// The points of a graph study that are solved, in a file with a checksum (hearsay/base/state.h), so
// that they need not be solved again.

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hearsay/base/bytes.h"
#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/state.h"
#include "hearsay/certificate/independence.h"

namespace hearsay::reproduce {

inline constexpr const char* kSolvedSubject = "solved-graphs";

// `settings`: all that the results depend on.
template <class Point>
void save_solved(const std::string& path, const std::string& settings,
                 std::span<const Point> points) {
  StateWriter writer(kSolvedSubject);
  writer.add(checksum_text(settings));
  std::uint64_t solved = 0;
  for (const Point& point : points) {
    solved += point.result.exact ? 1 : 0;
  }
  writer.add(solved);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const EffectiveIndependence& result = points[i].result;
    if (result.exact) {
      writer.add(std::uint64_t{i});
      writer.add(result.upper);
      writer.add(result.threshold);
      writer.add(std::uint64_t{result.independence_number});
      writer.add(std::uint64_t{result.solves});
    }
  }
  write_file(path, writer.finish());
}

// Fills in the results of a file that save_solved() wrote. Nothing is filled in if there is no such
// file, or if it is damaged or has other settings: its graphs are then solved again.
template <class Point>
void load_solved(const std::string& path, const std::string& settings, std::span<Point> points) {
  if (!std::filesystem::exists(path)) {
    return;
  }
  constexpr std::size_t kBytesEach = 40;
  std::vector<std::pair<std::size_t, EffectiveIndependence>> solved;
  try {
    const std::string state = read_file(path);
    StateReader reader(state, kSolvedSubject);
    reader.require(reader.text() == checksum_text(settings), "has other settings");
    for (std::size_t left = reader.count(kBytesEach); left > 0; --left) {
      const std::size_t index = reader.number();
      reader.require(index < points.size(), "has an unknown graph");
      EffectiveIndependence result{.exact = true};
      result.upper = reader.real();
      result.lower = result.upper;
      result.threshold = reader.real();
      result.independence_number = reader.number();
      result.solves = reader.number();
      solved.emplace_back(index, std::move(result));
    }
    reader.finish();
  } catch (const Error&) {
    return;
  }
  for (auto& [index, result] : solved) {
    points[index].result = std::move(result);
  }
}

}  // namespace hearsay::reproduce
