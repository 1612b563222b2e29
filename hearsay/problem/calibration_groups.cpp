#include "hearsay/problem/calibration_groups.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

std::string arc_name(const Pairs& pairs, const CalibratedArc& arc) {
  return fmt::format("{} -> {}", pairs.names[arc.played], pairs.names[arc.seen]);
}

// Throws Error if two pairs of an arc differ in `column`.
template <class Value>
void check_one_for_each_arc(const Pairs& pairs, const ArcsOfPairs& arcs, const char* column,
                            const std::vector<Value>& values,
                            const std::function<std::string(const Value&)>& text) {
  if (values.size() != pairs.size()) {
    throw Error("by", fmt::format("is {}, but the pairs have no column {}", column, column));
  }
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const std::uint32_t arc = arcs.of_pair[pair];
    const Value& first = values[arcs.first_of_list[arc]];
    if (values[pair] != first) {
      throw Error(column,
                  fmt::format("is {} and {} for the pairs of {}, expected one for each arc",
                              text(first), text(values[pair]), arc_name(pairs, arcs.list[arc])));
    }
  }
}

std::vector<std::string> pool_by_arc(const Pairs& pairs, ArcsOfPairs& arcs) {
  std::vector<std::string> names;
  for (CalibratedArc& arc : arcs.list) {
    arc.group = names.size();
    names.push_back(arc_name(pairs, arc));
  }
  return names;
}

std::vector<std::string> pool_by_group(const Pairs& pairs, ArcsOfPairs& arcs) {
  check_one_for_each_arc<std::uint32_t>(
      pairs, arcs, "group", pairs.group,
      [&](std::uint32_t group) { return in_quotes(pairs.group_names[group]); });
  for (std::size_t arc = 0; arc < arcs.list.size(); ++arc) {
    arcs.list[arc].group = pairs.group[arcs.first_of_list[arc]];
  }
  return pairs.group_names;
}

std::vector<std::string> pool_by_distance(const Pairs& pairs, std::size_t bins, ArcsOfPairs& arcs) {
  check_one_for_each_arc<double>(pairs, arcs, "distance", pairs.distance,
                                 [](double distance) { return fmt::format("{}", distance); });
  std::vector<double> sorted = pairs.distance;
  std::ranges::sort(sorted, InterruptibleLess());
  std::vector<double> begins;  // of the bins; equal distances are in the same bin
  for (std::size_t begin = 0; begin < sorted.size();) {
    const std::size_t share = (sorted.size() - begin) / (bins - begins.size());
    begins.push_back(sorted[begin]);
    begin += std::max<std::size_t>(1, share);
    while (begin < sorted.size() && sorted[begin] == sorted[begin - 1]) {
      ++begin;
    }
  }
  const auto bin_of = [&](double distance) {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins, distance) - begins.begin()) -
           1;
  };
  for (std::size_t arc = 0; arc < arcs.list.size(); ++arc) {
    arcs.list[arc].group = bin_of(pairs.distance[arcs.first_of_list[arc]]);
  }
  std::vector<std::string> names;
  for (std::size_t bin = 0; bin < begins.size(); ++bin) {
    const auto end =
        bin + 1 < begins.size() ? std::ranges::lower_bound(sorted, begins[bin + 1]) : sorted.end();
    const double last = *std::prev(end);
    names.push_back(last == begins[bin] ? fmt::format("{}", last)
                                        : fmt::format("{} to {}", begins[bin], last));
  }
  return names;
}

}  // namespace

ArcsOfPairs arcs_of(const Pairs& pairs) {
  const auto key = [&](std::size_t pair) {
    return (std::uint64_t{pairs.played[pair]} << 32U) + pairs.seen[pair];
  };
  std::vector<std::uint64_t> keys(pairs.size());
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    keys[pair] = key(pair);
  }
  std::ranges::sort(keys, InterruptibleLess());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  ArcsOfPairs arcs;
  for (const std::uint64_t each : keys) {
    arcs.list.push_back({.played = static_cast<Arm>(each >> 32U), .seen = static_cast<Arm>(each)});
  }
  arcs.first_of_list.resize(keys.size());
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto arc =
        static_cast<std::uint32_t>(std::ranges::lower_bound(keys, key(pair)) - keys.begin());
    note_work(1);
    arcs.of_pair.push_back(arc);
    if (arcs.list[arc].pairs++ == 0) {
      arcs.first_of_list[arc] = pair;
    }
  }
  return arcs;
}

std::vector<std::string> pool_arcs(const Pairs& pairs, const CalibrationOptions& options,
                                   ArcsOfPairs& arcs) {
  switch (options.by) {
    case PooledBy::arc:
      return pool_by_arc(pairs, arcs);
    case PooledBy::group:
      return pool_by_group(pairs, arcs);
    case PooledBy::distance:
      break;
  }
  return pool_by_distance(pairs, options.bins, arcs);
}

void for_each_group(const Pairs& pairs, const ArcsOfPairs& arcs, std::size_t groups,
                    const VisitGroup& visit) {
  const auto group_of = [&](std::size_t pair) { return arcs.list[arcs.of_pair[pair]].group; };
  std::vector<std::size_t> begins(groups + 1);
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    ++begins[group_of(pair) + 1];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::size_t> order(pairs.size());
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    note_work(1);
    order[next[group_of(pair)]++] = pair;
  }
  for (std::size_t group = 0; group < groups; ++group) {
    LinePoints points;
    std::vector<std::uint32_t> arcs_of_points;
    for (std::size_t k = begins[group]; k < begins[group + 1]; ++k) {
      note_work(1);
      points.add(pairs.loss[order[k]], pairs.reading[order[k]]);
      arcs_of_points.push_back(arcs.of_pair[order[k]]);
    }
    visit(group, points, std::span<const std::uint32_t>(arcs_of_points));
  }
}

}  // namespace hearsay
