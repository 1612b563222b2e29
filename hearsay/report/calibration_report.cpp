#include "hearsay/report/calibration_report.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/number_text.h"
#include "hearsay/report/csv.h"
#include "hearsay/version.h"

namespace hearsay {
namespace {

constexpr std::size_t kMostDrawn = 8;  // more lines could not be distinguished

constexpr std::size_t kMostGroupsListed = 200;  // more rows would hide the figures below them

constexpr std::size_t kMostNamed = 20;  // more names would not fit below an axis

constexpr const char* kRanges = "ranges.csv";
constexpr const char* kGroups = "groups.csv";
constexpr const char* kNoiseBounds = "noise-bounds.csv";

constexpr const char* kHeldOut = "Held out";

// The groups with the most pairs, in the order of the calibration.
std::vector<std::size_t> drawn_groups(const Calibration& calibration) {
  std::vector<std::size_t> groups(calibration.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  std::ranges::stable_sort(groups, std::greater<>(),
                           [&](std::size_t i) { return calibration.groups[i].pairs; });
  groups.resize(std::min(groups.size(), kMostDrawn));
  std::ranges::sort(groups);
  return groups;
}

std::string ranges_csv(const Calibration& calibration, const std::vector<std::size_t>& groups) {
  std::string csv = "group,pairs,loss,reading,line,residual,spread,bound,minus_bound\n";
  for (const std::size_t i : groups) {
    const CalibratedGroup& group = calibration.groups[i];
    for (const LossRange& range : group.ranges) {
      const double line = group.offset + group.slope * range.mean_loss;
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{}\n", csv_field(group.name),
                     range.pairs, range.mean_loss, line + range.mean_residual, line,
                     range.mean_residual, range.spread, group.residual_bound,
                     -group.residual_bound);
    }
  }
  return csv;
}

std::string groups_csv(const Calibration& calibration) {
  std::string csv = "group,arcs,pairs";
  for (const GroupColumn& column : kGroupColumns) {
    csv += fmt::format(",{}", column.name);
  }
  csv += ",number,no_weight\n";
  for (std::size_t i = 0; i < calibration.groups.size(); ++i) {
    const CalibratedGroup& group = calibration.groups[i];
    csv += fmt::format("{},{},{}", csv_field(group.name), group.arcs, group.pairs);
    for (const GroupColumn& column : kGroupColumns) {
      csv += fmt::format(",{}", group.*column.value);
    }
    csv += fmt::format(",{},{}\n", i + 1, csv_field(group.no_weight));
  }
  return csv;
}

// If so, the name of a group is a distance, or a range of distances.
bool is_by_distance(const Calibration& calibration) {
  return calibration.options.by == PooledBy::distance;
}

Figure range_figure(const Calibration& calibration, const std::vector<std::size_t>& groups) {
  Figure figure;
  figure.table = kRanges;
  figure.mark = Figure::Mark::points;
  figure.x = {.column = "loss", .title = "loss", .scale = Figure::Scale::linear_only};
  figure.bands = {
      {.name = "sd", .column = "spread", .title = "one standard deviation of the residuals"}};
  figure.series_columns = {"group"};
  for (const std::size_t i : groups) {
    const std::string& name = calibration.groups[i].name;
    figure.series.push_back(
        {.values = {name}, .label = is_by_distance(calibration) ? "distance " + name : name});
  }
  return figure;
}

Report::Listing groups_listing(const Calibration& calibration) {
  const GroupDecimals decimals = group_decimals(calibration);
  Report::Listing listing = {
      .table = kGroups,
      .title = "Groups",
      .caption =
          "Pairs with one line, reading = offset + slope x loss. The weight is the lower limit of "
          "the confidence interval of the estimate. Beyond: the share of pairs with a residual "
          "beyond the bound.",
      .columns = {{"group", is_by_distance(calibration) ? "Distance" : "Group"},
                  {"arcs", "Arcs"},
                  {"pairs", "Pairs"},
                  {"weight", "Weight", decimals.weight},
                  {"weight_estimate", "Estimate", decimals.weight},
                  {"offset", "Offset", decimals.reading},
                  {"slope", "Slope", decimals.slope},
                  {"spread", "Spread", decimals.reading},
                  {"residual_bound", "Bound", decimals.reading},
                  {"beyond", "Beyond", 1, true}}};
  if (std::ranges::any_of(calibration.groups,
                          [](const CalibratedGroup& group) { return !group.no_weight.empty(); })) {
    listing.columns.push_back({"no_weight", "Why there is no weight"});
  }
  return listing;
}

std::size_t pair_count(const Calibration& calibration) {
  std::size_t pairs = 0;
  for (const CalibratedGroup& group : calibration.groups) {
    pairs += group.pairs;
  }
  return pairs;
}

std::string noise_bounds_csv(std::span<const NoiseBoundNumbers> choices) {
  std::string csv = "noise_bound,alpha_star_lower,alpha_star,alpha_r_lower,alpha_r,wix_cost\n";
  for (const NoiseBoundNumbers& choice : choices) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{}\n", choice.noise_bound,
                   choice.alpha_star.lower, choice.alpha_star.upper, choice.alpha_r.lower,
                   choice.alpha_r.upper, choice.wix_cost);
  }
  return csv;
}

// The largest number of decimals with which a noise bound was given, at most 6.
int given_decimals(std::span<const NoiseBoundNumbers> choices) {
  std::size_t most = 0;
  for (const NoiseBoundNumbers& choice : choices) {
    const std::string digits = exact_digits(choice.noise_bound);
    const std::size_t point = digits.find('.');
    most = std::max(most, point == std::string::npos ? 0 : digits.size() - point - 1);
  }
  constexpr std::size_t kMost = 6;
  return static_cast<int>(std::min(most, kMost));
}

Report::Listing noise_bounds_listing(std::span<const NoiseBoundNumbers> choices,
                                     std::size_t chosen) {
  const NoiseBoundDecimals decimals = noise_bound_decimals(choices);
  const bool is_exact = std::ranges::all_of(choices, [](const NoiseBoundNumbers& choice) {
    return choice.alpha_star.exact && choice.alpha_r.exact;
  });
  Report::Listing listing = {
      .table = kNoiseBounds,
      .title = "Noise bounds",
      .caption = fmt::format(
          "Recommended for exp3-wix: R = {}, for which its bound on the regret, which grows with "
          "(1 + R + R^2) alpha*, is the least.",
          exact_digits(choices[chosen].noise_bound)),
      .columns = {{"noise_bound", "Noise bound R", given_decimals(choices)}}};
  const auto add = [&](const std::string& column, const std::string& title) {
    if (!is_exact) {
      listing.columns.push_back({column + "_lower", title + ", at least", decimals.alpha});
    }
    listing.columns.push_back({column, is_exact ? title : title + ", at most", decimals.alpha});
  };
  add("alpha_star", "alpha*");
  add("alpha_r", "alpha^R");
  listing.columns.push_back({"wix_cost", "(1 + R + R^2) alpha*", decimals.cost});
  return listing;
}

std::string held_out_text(const Calibration& calibration) {
  const HeldOut& held = calibration.held_out;
  return calibration.options.noise_bound
             ? fmt::format("{} of {} beyond the noise bound, at most about {} expected",
                           grouped_digits(held.beyond), counted(held.pairs, "pair"),
                           four_digits(held.allowed))
             : fmt::format("{}, mean square of the noise {}, at most 1 expected",
                           counted(held.pairs, "pair"), four_digits(held.mean_square));
}

// Says which groups a figure shows, if it does not show all.
std::string shown_groups_text(const Calibration& calibration, std::span<const std::size_t> groups) {
  return groups.size() < calibration.groups.size()
             ? fmt::format(" The {} groups with the most pairs.", groups.size())
             : "";
}

Figure fit_figure(const Calibration& calibration, const std::vector<std::size_t>& groups) {
  Figure fit = range_figure(calibration, groups);
  fit.id = "fit";
  fit.title = "Readings and fitted lines";
  fit.caption =
      "Mean reading in up to eight ranges of losses, with one standard deviation of the "
      "residuals. Dashed: the line that was fitted." +
      shown_groups_text(calibration, groups);
  fit.y = {.column = "reading", .title = "reading", .scale = Figure::Scale::linear_only};
  fit.references = {
      {.column = "line", .title = "line", .kind = Figure::Reference::Kind::of_series}};
  return fit;
}

Figure residual_figure(const Calibration& calibration, const std::vector<std::size_t>& groups) {
  Figure residuals = range_figure(calibration, groups);
  residuals.id = "residuals";
  residuals.title = "Residuals";
  residuals.caption =
      "Mean residual in the same ranges: near 0 everywhere if a line fits. Dashed: the bound on "
      "the residuals, above and below." +
      shown_groups_text(calibration, groups);
  residuals.y = {.column = "residual", .title = "residual", .scale = Figure::Scale::linear_only};
  residuals.references = {
      {.column = "bound", .title = "bound", .kind = Figure::Reference::Kind::of_series},
      {.column = "minus_bound", .title = "bound", .kind = Figure::Reference::Kind::of_series}};
  return residuals;
}

Figure weight_figure(const Calibration& calibration) {
  Figure weights;
  weights.id = "weights";
  weights.title = "Weights";
  weights.caption =
      "The weight of every group as estimated, with its interval. The graph has the lower end.";
  weights.table = kGroups;
  weights.mark = Figure::Mark::bars;
  weights.x = {.column = "number",
               .title = is_by_distance(calibration) ? "distance" : "group",
               .scale = Figure::Scale::linear_only};
  if (calibration.groups.size() <= kMostNamed) {
    for (const CalibratedGroup& group : calibration.groups) {
      weights.x.labels.push_back(group.name);
    }
  }
  weights.y = {.column = "weight_estimate", .title = "weight", .scale = Figure::Scale::linear_only};
  weights.bands = {{.name = "95 %",
                    .column = {},
                    .title = "range from the lower to the upper confidence limit, 95 % each",
                    .low = "weight",
                    .high = "weight_high"}};
  weights.series = {{.values = {}, .label = "weight"}};
  return weights;
}

}  // namespace

NoiseBoundNumbers numbers_of(const NoiseBoundChoice& choice) {
  return {.noise_bound = choice.noise_bound,
          .alpha_star = choice.alpha_star,
          .alpha_r = choice.alpha_r,
          .wix_cost = choice.wix_cost};
}

NoiseBoundDecimals noise_bound_decimals(std::span<const NoiseBoundNumbers> choices) {
  std::vector<double> alphas;
  std::vector<double> costs;
  for (const NoiseBoundNumbers& choice : choices) {
    alphas.push_back(choice.alpha_star.upper);
    costs.push_back(choice.wix_cost);
  }
  return {.alpha = column_decimals(alphas, {}), .cost = column_decimals(costs, {})};
}

std::string interval_text(const EffectiveIndependence& alpha, int decimals) {
  return alpha.exact ? with_decimals(alpha.upper, decimals)
                     : fmt::format("from {} to {}", with_decimals(alpha.lower, decimals),
                                   with_decimals(alpha.upper, decimals));
}

void add_noise_bounds(Report& report, std::span<const NoiseBoundNumbers> choices,
                      std::size_t chosen) {
  const NoiseBoundNumbers& choice = choices[chosen];
  const int decimals = noise_bound_decimals(choices.subspan(chosen, 1)).alpha;
  const auto arms = std::ranges::find(report.facts, "Arms", &Report::Fact::name);
  assert(arms != report.facts.end());
  std::vector<Report::Fact> facts = {
      {"alpha* without side observations", arms->value},
      {"alpha* with them", interval_text(choice.alpha_star, decimals)},
      {"alpha^R", interval_text(choice.alpha_r, decimals)}};
  if (choices.size() > 1) {
    facts.push_back({"Recommended for exp3-wix",
                     fmt::format("R = {}, of {} noise bounds", exact_digits(choice.noise_bound),
                                 choices.size())});
    report.listings.push_back(noise_bounds_listing(choices, chosen));
    report.tables.push_back({kNoiseBounds, noise_bounds_csv(choices)});
  }
  report.facts.insert(std::ranges::find(report.facts, kHeldOut, &Report::Fact::name),
                      std::make_move_iterator(facts.begin()), std::make_move_iterator(facts.end()));
}

GroupDecimals group_decimals(const Calibration& calibration) {
  const auto all = [&](const auto& number) {
    std::vector<double> numbers;
    std::ranges::transform(calibration.groups, std::back_inserter(numbers), number);
    return numbers;
  };
  return {.weight = column_decimals(all([](const CalibratedGroup& group) { return group.weight; }),
                                    all([](const CalibratedGroup& group) {
                                      return (group.weight_high - group.weight) / 2;
                                    })),
          .reading = column_decimals(all(std::mem_fn(&CalibratedGroup::offset)),
                                     all(std::mem_fn(&CalibratedGroup::spread))),
          .slope = column_decimals(all(std::mem_fn(&CalibratedGroup::slope)),
                                   all(std::mem_fn(&CalibratedGroup::slope_error)))};
}

Report calibration_report(const Calibration& calibration, const std::string& command) {
  const std::vector<std::size_t> groups = drawn_groups(calibration);
  Report report;
  report.title = "Calibration";
  report.subtitle =
      calibration.options.noise_bound
          ? fmt::format("Weights by bound: noise in [-{0}, {0}].", *calibration.options.noise_bound)
          : "Weights by spread: noise of standard deviation 1.";
  report.command = command;
  report.version = kVersion;
  report.facts = {
      {"Arms", grouped_digits(calibration.graph.arms())},
      {"Pairs", grouped_digits(pair_count(calibration))},
      {"Arcs with a weight", grouped_digits(calibration.graph.arc_count())},
      {"Arcs without", grouped_digits(calibration.arcs.size() - calibration.graph.arc_count())},
      {kHeldOut, held_out_text(calibration)}};
  for (const std::string& warning : calibration.warnings) {
    report.facts.push_back({"Warning", warning});
  }
  if (calibration.groups.size() <= kMostGroupsListed) {
    report.listings = {groups_listing(calibration)};
  }
  report.figures = {fit_figure(calibration, groups), residual_figure(calibration, groups),
                    weight_figure(calibration)};
  report.tables = {{kGroups, groups_csv(calibration)}, {kRanges, ranges_csv(calibration, groups)}};
  return report;
}

}  // namespace hearsay
