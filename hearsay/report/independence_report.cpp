#include "hearsay/report/independence_report.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/number_text.h"
#include "hearsay/report/graph_picture.h"
#include "hearsay/version.h"

namespace hearsay {
namespace {

constexpr std::size_t kMostArmsOfCurve = 2000;
constexpr std::size_t kMostThresholds = 32;
constexpr std::uint64_t kMostCallsAtThreshold = 40;  // of Effort::stop: below 0.1 seconds
constexpr const char* kThresholds = "thresholds.csv";
constexpr const char* kIndependence = "alpha(eps)";
constexpr const char* kAlphaStar = "alpha*";
constexpr const char* kAlphaR = "alpha^R";

// The thresholds at which alpha changes are the weights, the larger one of each pair of arms. Of
// these, as many as can be drawn, at equal ranks; and the self weight.
std::set<double> drawn_thresholds(const Graph& graph) {
  std::vector<double> weights;
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played && weight > 0 && weight >= graph.weight(seen, played)) {
        weights.push_back(weight);
      }
    });
  }
  std::ranges::sort(weights);
  // clang 14 cannot compile std::ranges::unique of this libstdc++.
  weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
  std::set<double> thresholds = {graph.self_weight()};
  const std::size_t count = std::min(weights.size(), kMostThresholds);
  for (std::size_t i = 0; i < count; ++i) {
    thresholds.insert(weights[(i + 1) * weights.size() / count - 1]);
  }
  return thresholds;
}

// alpha at a threshold, as an interval.
struct ThresholdPoint {
  double threshold = 1;
  std::size_t lower = 1;
  std::size_t upper = 1;
};

// At the thresholds of the claims it has what they say.
std::vector<ThresholdPoint> independence_curve(const Graph& graph,
                                               std::span<const IndependenceClaims> claims,
                                               const std::function<bool()>& stop) {
  std::vector<ThresholdPoint> points;
  std::set<double> known;
  const auto add = [&](double threshold, std::size_t lower, std::size_t upper) {
    if (known.insert(threshold).second) {
      points.push_back({threshold, lower, upper});
    }
  };
  const auto add_effective = [&](const EffectiveIndependence& found) {
    add(found.threshold, found.independence_number, found.independence_upper);
  };
  for (const IndependenceClaims& claim : claims) {
    if (claim.number) {
      add(claim.number->threshold, claim.number->lower, claim.number->upper);
    }
    if (claim.alpha_star) {
      add_effective(*claim.alpha_star);
    }
    if (claim.noise) {
      add_effective(claim.noise->alpha_r);
    }
  }
  if (graph.arms() <= kMostArmsOfCurve) {
    for (const double threshold : drawn_thresholds(graph)) {
      if (stop && stop()) {
        break;
      }
      if (!known.contains(threshold)) {
        const IndependenceNumber found =
            independence_number(graph, threshold, limited_effort(kMostCallsAtThreshold));
        add(threshold, found.lower, found.upper);
      }
    }
  }
  std::ranges::sort(points, {}, &ThresholdPoint::threshold);
  return points;
}

std::string thresholds_csv(const std::vector<ThresholdPoint>& curve,
                           const IndependenceClaims& claims) {
  std::string csv = "quantity,threshold,lower,upper,alpha_star,alpha_r\n";
  // `least` is the text of the last two fields: the least cost over all thresholds.
  const auto add = [&](std::string_view quantity, const Cost& cost, const std::string& least) {
    for (const ThresholdPoint& point : curve) {
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{}\n", quantity, point.threshold,
                     cost(point.lower, point.threshold), cost(point.upper, point.threshold), least);
    }
  };
  add(
      kIndependence, [](std::size_t number, double) { return static_cast<double>(number); }, ",");
  if (claims.alpha_star) {
    add(kAlphaStar, inverse_square_cost, fmt::format("{},", claims.alpha_star->upper));
  }
  if (claims.noise) {
    add(kAlphaR, noise_cost(claims.noise->noise_bound),
        fmt::format(",{}", claims.noise->alpha_r.upper));
  }
  return csv;
}

Figure threshold_figure(const std::vector<ThresholdPoint>& curve) {
  Figure figure;
  figure.table = kThresholds;
  figure.mark = Figure::Mark::points;
  figure.x = {.column = "threshold", .title = "threshold eps"};
  if (std::ranges::any_of(curve, [](const ThresholdPoint& p) { return p.lower < p.upper; })) {
    figure.bands = {{.name = "proved",
                     .column = {},
                     .title = "interval that is proved, where the search did not end",
                     .low = "lower",
                     .high = "upper"}};
  }
  figure.series_columns = {"quantity"};
  return figure;
}

Figure cost_figure(const std::vector<ThresholdPoint>& curve, const IndependenceClaims& claims) {
  Figure figure = threshold_figure(curve);
  figure.id = "cost";
  figure.title = "What each threshold costs";
  figure.caption =
      "alpha* is the least of alpha(eps) / eps^2 over the thresholds eps: at a low threshold, arms "
      "that say little about each other are counted as one; at a high threshold, more arms count.";
  figure.filter = {{"quantity", {kAlphaStar}}};
  figure.series = {{.values = {kAlphaStar}, .label = "alpha(eps) / eps^2"}};
  if (claims.noise) {
    figure.caption += fmt::format(
        " alpha^R, with R = {}, is the least of alpha(eps) (1 + R^2 ((1 - eps) / eps)^2).",
        claims.noise->noise_bound);
    figure.filter["quantity"].emplace_back(kAlphaR);
    figure.series.push_back(
        {.values = {kAlphaR}, .label = "alpha(eps) (1 + R^2 ((1 - eps) / eps)^2)"});
  }
  figure.y = {.column = "upper", .title = "cost", .scale = Figure::Scale::log};
  figure.references = {
      {.column = "alpha_star", .title = kAlphaStar, .kind = Figure::Reference::Kind::of_series}};
  if (claims.noise) {
    figure.references.push_back(
        {.column = "alpha_r", .title = kAlphaR, .kind = Figure::Reference::Kind::of_series});
  }
  return figure;
}

Figure independence_figure(const std::vector<ThresholdPoint>& curve) {
  Figure figure = threshold_figure(curve);
  figure.id = "independence";
  figure.mark = Figure::Mark::steps;
  figure.title = "The independence number at each threshold";
  figure.caption =
      "alpha(eps) is the size of the largest set of arms with no weight of eps or more between "
      "them in either direction. Between two thresholds that are drawn it is at most what it is at "
      "the right one.";
  figure.filter = {{"quantity", {kIndependence}}};
  figure.series = {{.values = {kIndependence}, .label = kIndependence}};
  figure.y = {.column = "upper", .title = kIndependence, .from_zero = true};
  return figure;
}

std::string witness_text(const std::vector<Arm>& witness) {
  constexpr std::size_t kMostShown = 30;
  const auto shown = std::span(witness).first(std::min(witness.size(), kMostShown));
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     shown.size() < witness.size()
                         ? fmt::format(", ... ({} arms)", grouped_digits(witness.size()))
                         : "");
}

std::string proved(bool exact, const auto& lower, const auto& upper) {
  const auto text = [](const auto& number) { return four_digits(static_cast<double>(number)); };
  return exact ? text(upper) + ", exact"
               : fmt::format("from {} to {}: the search ended early", text(lower), text(upper));
}

// `name` is the name of the number, alpha* or alpha^R, and `more` what follows it in the name of
// the fact.
void add_effective_facts(const std::string& name, const std::string& more,
                         const EffectiveIndependence& found, std::vector<Report::Fact>& facts) {
  facts.push_back({name + more, proved(found.exact, found.lower, found.upper)});
  facts.push_back({"Threshold of " + name,
                   fmt::format("eps = {}, where alpha(eps) is {}", four_digits(found.threshold),
                               proved(found.independence_number == found.independence_upper,
                                      found.independence_number, found.independence_upper))});
  facts.push_back({"Independent arms of " + name, witness_text(found.witness)});
}

std::vector<Report::Fact> independence_facts(const Graph& graph,
                                             std::span<const IndependenceClaims> claims) {
  std::vector<Report::Fact> facts = {{"Arms", grouped_digits(graph.arms())},
                                     {"Arcs", grouped_digits(graph.arc_count())}};
  for (const IndependenceClaims& claim : claims) {
    if (claim.number) {
      facts.push_back({fmt::format("alpha({})", claim.number->threshold),
                       proved(claim.number->exact(), claim.number->lower, claim.number->upper)});
      facts.push_back({fmt::format("Independent arms of alpha({})", claim.number->threshold),
                       witness_text(claim.number->witness)});
    }
    if (claim.alpha_star) {
      add_effective_facts(kAlphaStar, "", *claim.alpha_star, facts);
    }
    if (claim.noise) {
      add_effective_facts(kAlphaR, fmt::format(", R = {}", claim.noise->noise_bound),
                          claim.noise->alpha_r, facts);
    }
  }
  return facts;
}

}  // namespace

Report independence_report(const Graph& graph, std::span<const IndependenceClaims> claims,
                           const std::string& command, const std::function<bool()>& stop) {
  assert(!claims.empty());
  const IndependenceClaims& first = claims.front();
  const std::vector<ThresholdPoint> curve = independence_curve(graph, claims, stop);
  Report report;
  report.title = "Independence number";
  report.subtitle =
      "How many arms a learner has to learn about separately, because no other arm shows them "
      "well.";
  report.command = command;
  report.version = kVersion;
  report.facts = independence_facts(graph, claims);
  if (curve.size() > 1) {  // what is known of a single threshold is among the facts
    if (first.alpha_star) {
      report.figures.push_back(cost_figure(curve, first));
    }
    report.figures.push_back(independence_figure(curve));
  }
  if (std::optional<GraphPicture> picture = first.alpha_star
                                                ? graph_picture(graph, *first.alpha_star)
                                                : graph_picture(graph, *first.number)) {
    report.graphs.push_back(*std::move(picture));
  }
  report.tables = {{kThresholds, thresholds_csv(curve, first)}};
  return report;
}

}  // namespace hearsay
