#pragma once

// The points of a graph study that are solved, in a file, so that they need not be solved again:
// one line for each, with its index among the points.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/text.h"
#include "hearsay/certificate/independence.h"
#include "hearsay/runner/output_directory.h"

namespace hearsay::reproduce {

template <class Point>
void save_solved(const std::string& path, std::span<const Point> points) {
  std::string lines;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const EffectiveIndependence& result = points[i].result;
    if (result.exact) {
      lines += fmt::format("{},{},{},{},{}\n", i, result.upper, result.threshold,
                           result.independence_number, result.solves);
    }
  }
  write_file(path, lines);
}

// Fills in the results of a file that exists. Throws Error if the file is damaged.
template <class Point>
void load_solved(const std::string& path, std::span<Point> points) {
  if (!std::filesystem::exists(path)) {
    return;
  }
  const std::string text = read_file(path);
  LineReader lines(text, path);
  while (lines.next()) {
    std::string_view rest = lines.line();
    std::size_t index = 0;
    EffectiveIndependence result{.exact = true};
    if (!read_number(take_field(rest, ','), index) || index >= points.size() ||
        !read_number(take_field(rest, ','), result.upper) ||
        !read_number(take_field(rest, ','), result.threshold) ||
        !read_number(take_field(rest, ','), result.independence_number) ||
        !read_number(rest, result.solves)) {
      lines.fail("is damaged, expected a solved graph: begin again with the option force");
    }
    result.lower = result.upper;
    points[index].result = std::move(result);
  }
}

}  // namespace hearsay::reproduce
