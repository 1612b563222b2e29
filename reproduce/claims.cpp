#include "reproduce/claims.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/number_text.h"

namespace hearsay::reproduce {
namespace {

using Verdict = Report::Verdict;

Verdict verdict(bool holds, bool in_part) {
  return holds ? Verdict::holds : (in_part ? Verdict::in_part : Verdict::does_not_hold);
}

constexpr WeightLaw kWhole = {0, 1};
constexpr WeightLaw kUpperHalf = {0.5, 1};
constexpr WeightLaw kLowerHalf = {0, 0.5};

constexpr std::size_t kTrendFrom = 20;     // smaller sizes are not judged
constexpr std::size_t kCriticalSize = 50;  // about that of U(0, 1/2), as the paper says

// How much the mean grows when the size doubles.
struct Doubling {
  std::size_t from = 0;
  double growth = 0;
};

std::vector<Doubling> doublings(const std::vector<SizeMean>& means, std::size_t from) {
  std::vector<Doubling> found;
  for (const SizeMean& mean : means) {
    const auto twice = std::ranges::find(means, 2 * mean.arms, &SizeMean::arms);
    if (mean.arms >= from && twice != means.end()) {
      found.push_back({mean.arms, twice->alpha_star - mean.alpha_star});
    }
  }
  return found;
}

// The p for which the increases grow as N^p, from the first doubling and the last. It is 0 for a
// logarithm.
double growth_exponent(const std::vector<Doubling>& doublings) {
  assert(doublings.size() >= 2);
  const Doubling& first = doublings.front();
  const Doubling& last = doublings.back();
  return std::log(last.growth / first.growth) /
         std::log(static_cast<double>(last.from) / static_cast<double>(first.from));
}

constexpr double kLogarithmic = 0.2;
constexpr double kLogarithmicInPart = 0.5;

std::string doubling_text(const std::vector<Doubling>& doublings) {
  const auto text = [](const Doubling& each) {
    return fmt::format("{:.3g} from N = {} to {}", each.growth, each.from, 2 * each.from);
  };
  return fmt::format("a doubling adds {}, {}", text(doublings.front()), text(doublings.back()));
}

Report::Claim logarithmic_claim(const std::vector<SizeMean>& means) {
  const std::vector<Doubling> each = doublings(means, kTrendFrom);
  const double exponent = growth_exponent(each);
  return {.claim = "Random graphs, U(0, 1): alpha* grows as the logarithm of N",
          .paper = "a logarithmic trend",
          .measured = fmt::format("mean {:.3g} at N = {}; {}: the increase grows as N^{:.2f}",
                                  means.back().alpha_star, means.back().arms, doubling_text(each),
                                  exponent),
          .verdict = verdict(exponent <= kLogarithmic, exponent <= kLogarithmicInPart)};
}

Report::Claim bounded_claim(std::span<const RandomGraphPoint> points) {
  double most = 0;
  std::size_t graphs = 0;
  for (const RandomGraphPoint& point : points) {
    if (point.law == kUpperHalf) {
      most = std::max(most, point.result.upper);
      ++graphs;
    }
  }
  constexpr double kBound = 4;  // 1 / (1/2)^2
  return {
      .claim = "Random graphs, U(1/2, 1): alpha* stays below a constant",
      .paper = "at most 4, as all weights are at least 1/2",
      .measured = fmt::format("at most {} in {} graphs", four_digits(most), grouped_digits(graphs)),
      .verdict = verdict(most <= kBound, false)};
}

// The largest size up to which the mean of alpha* is N within 2 %.
std::size_t linear_up_to(const std::vector<SizeMean>& means) {
  std::size_t last = 0;
  for (const SizeMean& mean : means) {
    if (mean.alpha_star < 0.98 * static_cast<double>(mean.arms)) {
      break;
    }
    last = mean.arms;
  }
  return last;
}

Report::Claim linear_then_logarithmic_claim(const std::vector<SizeMean>& means) {
  const std::size_t last = linear_up_to(means);
  const bool linear = last >= 40 && last <= 60;
  const std::vector<Doubling> each = doublings(means, kCriticalSize + 1);
  const double exponent = growth_exponent(each);
  const bool logarithmic = exponent <= kLogarithmic;
  return {.claim = "Random graphs, U(0, 1/2): alpha* = N up to a critical size, then logarithmic",
          .paper = "linear, from about N = 50 on logarithmic",
          .measured = fmt::format(
              "alpha* = N (within 2 %) up to N = {}; then {}: the increase grows as N^{:.2f}", last,
              doubling_text(each), exponent),
          .verdict = verdict(linear && logarithmic, linear || logarithmic)};
}

// Names the figure of those claims that name none.
Claims shown_in(const std::string& figure, Claims claims) {
  for (Report::Claim& claim : claims) {
    if (claim.figure.empty()) {
      claim.figure = figure;
    }
  }
  return claims;
}

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

}  // namespace

std::vector<SizeMean> means_of(std::span<const RandomGraphPoint> points, const WeightLaw& law) {
  std::vector<SizeMean> means;
  std::vector<std::size_t> counts;
  for (const RandomGraphPoint& point : points) {
    if (point.law == law) {
      if (means.empty() || means.back().arms != point.arms) {
        means.push_back({point.arms, 0});
        counts.push_back(0);
      }
      means.back().alpha_star += point.result.upper;
      ++counts.back();
    }
  }
  for (std::size_t i = 0; i < means.size(); ++i) {
    means[i].alpha_star /= static_cast<double>(counts[i]);
  }
  return means;
}

PaperTrend::PaperTrend(std::span<const RandomGraphPoint> points)
    : whole_(fit(means_of(points, kWhole), kTrendFrom)),
      lower_half_(fit(means_of(points, kLowerHalf), kCriticalSize + 1)) {}

// Least squares.
std::optional<PaperTrend::Logarithm> PaperTrend::fit(const std::vector<SizeMean>& means,
                                                     std::size_t from) {
  double count = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const SizeMean& mean : means) {
    if (mean.arms >= from) {
      const double logarithm = std::log(static_cast<double>(mean.arms));
      ++count;
      x += logarithm;
      y += mean.alpha_star;
      xx += logarithm * logarithm;
      xy += logarithm * mean.alpha_star;
    }
  }
  if (count < 2) {
    return std::nullopt;
  }
  const double slope = (count * xy - x * y) / (count * xx - x * x);
  return Logarithm{(y - slope * x) / count, slope};
}

std::optional<double> PaperTrend::operator()(const WeightLaw& law, std::size_t arms) const {
  const auto size = static_cast<double>(arms);
  const auto along = [&](const std::optional<Logarithm>& logarithm) {
    return logarithm ? std::optional(logarithm->at_one + logarithm->slope * std::log(size))
                     : std::nullopt;
  };
  if (law == kWhole && arms >= kTrendFrom) {
    return along(whole_);
  }
  if (law == kUpperHalf) {
    return 4;
  }
  if (law == kLowerHalf) {
    return arms <= kCriticalSize ? std::optional(size) : along(lower_half_);
  }
  return std::nullopt;
}

Claims random_graph_claims(std::span<const RandomGraphPoint> points) {
  return shown_in("random-graphs",
                  {logarithmic_claim(means_of(points, kWhole)), bounded_claim(points),
                   linear_then_logarithmic_claim(means_of(points, kLowerHalf))});
}

std::optional<double> refined_grid_limit(const DistanceWeight& weight) {
  switch (weight.law) {
    case DistanceWeight::Law::inverse_one_plus_square:
      return 2 * std::pow(9 - 4 * std::sqrt(3), 2);  // 3 points: d^2 = 8 - 4 sqrt(3)
    case DistanceWeight::Law::inverse_square_one_plus:
      return 5 * std::pow(1 + std::sqrt(13) / 6, 4);  // 6 points: d = sqrt(13) / 6
    default:
      return std::nullopt;
  }
}

Claims grid_claims(std::span<const GridPoint> points) {
  constexpr std::size_t kFine = 10;  // smaller sides say little about the limit
  Claims claims;
  for (const auto& [law, claim, note] :
       {std::tuple{DistanceWeight::Law::inverse_one_plus_square,
                   "Grid on [0, 1]^2, weights 1/(1+d^2) as printed: alpha* stays bounded",
                   "; bounded, but not near 30: as no weight is below 1/3, alpha* is at most 9"},
        std::tuple{DistanceWeight::Law::inverse_square_one_plus,
                   "Grid on [0, 1]^2, weights 1/(1+d)^2, which the paper may have meant: alpha* "
                   "stays bounded",
                   ""}}) {
    Range all;
    Range fine;
    std::size_t last = 0;
    for (const GridPoint& point : points) {
      if (point.weight.law == law) {
        all.add(point.result.upper);
        last = point.side;
        if (point.side >= kFine) {
          fine.add(point.result.upper);
        }
      }
    }
    const double limit = *refined_grid_limit({.law = law});
    const bool bounded = all.most <= limit * (1 + 1e-12);  // some grids attain it up to rounding
    const bool thirty = fine.least >= 25 && fine.most <= 35;
    claims.push_back(
        {.claim = claim,
         .paper = "bounded by a constant, roughly 30",
         .measured = fmt::format("{} to {} for k = {} to {}, limit {}{}", four_digits(fine.least),
                                 four_digits(fine.most), kFine, last, four_digits(limit), note),
         .verdict = verdict(bounded && thirty, bounded)});
  }
  return shown_in("grid", std::move(claims));
}

namespace {

// The regrets of a comparison, looked up by learner and rate.
class Regrets {
 public:
  explicit Regrets(std::span<const FinalRegret> rows) : rows_(rows) {}

  std::vector<FinalRegret> of(const std::string& label, std::optional<double> rate) const {
    std::vector<FinalRegret> found;
    std::ranges::copy_if(rows_, std::back_inserter(found), [&](const FinalRegret& row) {
      return row.label == label && row.rate == rate;
    });
    assert(!found.empty());
    return found;
  }

  // Of a learner without a threshold.
  double one(const std::string& label, std::optional<double> rate) const {
    return of(label, rate).front().regret;
  }

  // At the threshold with the least regret.
  FinalRegret best(const std::string& label, std::optional<double> rate) const {
    return std::ranges::min(of(label, rate), {}, &FinalRegret::regret);
  }

  double median(const std::string& label, std::optional<double> rate) const {
    std::vector<FinalRegret> all = of(label, rate);
    std::ranges::sort(all, {}, &FinalRegret::regret);
    return all[all.size() / 2].regret;
  }

 private:
  std::span<const FinalRegret> rows_;
};

// A regret of these claims: its error is of the order of 1.
std::string whole(double regret) {
  return with_decimals(regret, 0);
}

constexpr double kAboutTheSame = 1.1;  // a regret counts as about the same up to 10 % more
constexpr const char* kNotInPaper = "not in the paper: ours";
constexpr std::optional<double> kAdaptive = std::nullopt;
constexpr double kSlowRate = 0.01;
constexpr double kFastRate = 0.1;

// Holds: about the same regret as the others at their best thresholds, or less. In part: less
// regret than the median of each over its thresholds.
Report::Claim consistent_claim(const Regrets& regrets, std::optional<double> rate) {
  const double wix = regrets.one("exp3-wix", rate);
  const FinalRegret ixb = regrets.best("exp3-ixb", rate);
  const FinalRegret ixt = regrets.best("exp3-ixt", rate);
  const bool holds = wix <= kAboutTheSame * std::min(ixb.regret, ixt.regret);
  const bool in_part =
      wix < regrets.median("exp3-ixb", rate) && wix < regrets.median("exp3-ixt", rate);
  return {.claim = fmt::format("exp3-wix is as good as the others at their best threshold: {}",
                               rate ? fmt::format("static rate {}", *rate) : "adaptive rates"),
          .paper = "performs consistently well",
          .measured = fmt::format(
              "wix {}; ixb {} at eps {}, median {}; ixt {} at eps {}, median {}{}", whole(wix),
              whole(ixb.regret), *ixb.threshold, whole(regrets.median("exp3-ixb", rate)),
              whole(ixt.regret), *ixt.threshold, whole(regrets.median("exp3-ixt", rate)),
              rate || holds ? "" : "; the paper's constant 2 (1 + R + R^2) is loose"),
          .verdict = verdict(holds, in_part)};
}

// The regret at the smallest and the largest threshold, beside the least regret.
struct Ends {
  double left = 0;
  FinalRegret best;
  double right = 0;

  bool left_rises() const { return left > kAboutTheSame * best.regret; }
  bool right_rises() const { return right > kAboutTheSame * best.regret; }
  std::string text() const {
    return fmt::format("{} at eps 0, {} at eps 1, best {} at eps {}", whole(left), whole(right),
                       whole(best.regret), *best.threshold);
  }
};

Ends ends_of(const Regrets& regrets, const std::string& label, double rate) {
  const std::vector<FinalRegret> all = regrets.of(label, rate);
  const auto [first, last] = std::ranges::minmax_element(all, {}, &FinalRegret::threshold);
  return {first->regret, regrets.best(label, rate), last->regret};
}

// Holds: for both learners, both ends are worse than the best by more than 10 %.
Report::Claim moderate_claim(const Regrets& regrets, const std::string& noise) {
  const Ends ixb = ends_of(regrets, "exp3-ixb", kFastRate);
  const Ends ixt = ends_of(regrets, "exp3-ixt", kFastRate);
  const int rising = static_cast<int>(ixb.left_rises()) + static_cast<int>(ixb.right_rises()) +
                     static_cast<int>(ixt.left_rises()) + static_cast<int>(ixt.right_rises());
  return {
      .claim = fmt::format("exp3-ixb and exp3-ixt are good only at moderate thresholds: {}", noise),
      .paper = "reasonably well for moderate eps only",
      .measured = fmt::format("static rate 0.1: ixb {}; ixt {}", ixb.text(), ixt.text()),
      .verdict = verdict(rising == 4, rising > 0)};
}

double best_of(const Regrets& regrets, const std::string& label) {
  return std::min(regrets.best(label, kSlowRate).regret, regrets.best(label, kFastRate).regret);
}

// Each at the better of the two static rates. Holds: less than `part` of exp3.
Report::Claim better_than_exp3_claim(const Regrets& regrets, const std::string& label, double part,
                                     std::string claim, std::string paper) {
  const double exp3 = best_of(regrets, "exp3");
  const double other = best_of(regrets, label);
  return {.claim = std::move(claim),
          .paper = std::move(paper),
          .measured = fmt::format("{} {}, exp3 {}, each at its better static rate", label,
                                  whole(other), whole(exp3)),
          .verdict = verdict(other < part * exp3, other < exp3)};
}

Report::Claim designed_claim(const EffectiveIndependence& graph) {
  return {.claim = "The comparison's graph: the threshold that attains alpha* is 1",
          .paper = "eps = 1 minimizes alpha(eps) / eps^2",
          .measured = fmt::format("alpha* = {} at eps = {}", four_digits(graph.upper),
                                  four_digits(graph.threshold)),
          .verdict = verdict(graph.exact && graph.threshold == 1, false)};
}

Report::Claim sharp_claim(const Regrets& regrets) {
  const double wix = regrets.one("exp3-wix", kAdaptive);
  const double sharp = regrets.one("exp3-wix sharp", kAdaptive);
  const double ivx = regrets.one("exp3-ivx", kAdaptive);
  const double worse = std::max(sharp, ivx);
  return {
      .claim =
          "Adaptive rates: sharp constants and exp3-ivx have at most 0.7 of exp3-wix's "
          "regret",
      .paper = kNotInPaper,
      .measured = fmt::format("wix {}, wix sharp {}, ivx {}", whole(wix), whole(sharp), whole(ivx)),
      .verdict = verdict(worse <= 0.7 * wix, worse < wix)};
}

Report::Claim centred_claim(const Regrets& regrets) {
  const double wix = regrets.one("exp3-wix", kAdaptive);
  const double ivc = regrets.one("exp3-ivc", kAdaptive);
  const double tsallis = regrets.one("tsallis-ivc", kAdaptive);
  return {.claim = "Adaptive rates: exp3-ivc has at most 0.35 of exp3-wix's regret",
          .paper = kNotInPaper,
          .measured =
              fmt::format("wix {}, ivc {}, tsallis-ivc {}", whole(wix), whole(ivc), whole(tsallis)),
          .verdict = verdict(ivc <= 0.35 * wix, ivc <= 0.5 * wix)};
}

// `best` is exp3-wix at the static rate with its least regret.
Report::Claim untuned_claim(const Regrets& regrets, const FinalRegret& best) {
  const double ivc = regrets.one("exp3-ivc", kAdaptive);
  return {.claim =
              "exp3-ivc, untuned, has at most 1.2 times the regret of exp3-wix at the best "
              "static rate",
          .paper = kNotInPaper,
          .measured =
              fmt::format("ivc {}, wix {} at rate {}", whole(ivc), whole(best.regret), *best.rate),
          .verdict = verdict(ivc <= 1.2 * best.regret, ivc <= 1.5 * best.regret)};
}

Report::Claim ivx_claim(const Regrets& regrets) {
  const double wix = regrets.one("exp3-wix", kFastRate);
  const double ivx = regrets.one("exp3-ivx", kFastRate);
  return {.claim = "Static rate 0.1: exp3-ivx is as good as exp3-wix, or at most 10 % worse",
          .paper = kNotInPaper,
          .measured = fmt::format("ivx {}, wix {}", whole(ivx), whole(wix)),
          .verdict = verdict(ivx <= kAboutTheSame * wix, ivx <= 1.25 * wix)};
}

}  // namespace

Claims comparison_claims(std::span<const FinalRegret> usual, std::span<const FinalRegret> noisy,
                         const EffectiveIndependence& graph) {
  const Regrets regrets(usual);
  Report::Claim noisy_claim = moderate_claim(Regrets(noisy), "noise R = 2");
  noisy_claim.figure = "comparison-noisy-average";
  return shown_in(
      "comparison-average",
      {designed_claim(graph), consistent_claim(regrets, kFastRate),
       consistent_claim(regrets, kSlowRate), consistent_claim(regrets, kAdaptive),
       moderate_claim(regrets, "noise R = 1"), noisy_claim,
       better_than_exp3_claim(regrets, "exp3-ixb", 0.75,
                              "exp3-ixb does well despite its biased estimates",
                              "performs well, perhaps surprisingly"),
       better_than_exp3_claim(regrets, "exp3-wix", 0.5, "exp3 is much worse than exp3-wix",
                              "significantly worse"),
       sharp_claim(regrets), centred_claim(regrets)});
}

Claims rate_claims(std::span<const FinalRegret> rates) {
  // Around: within half an order of magnitude, and the rounding of the rates of a sweep.
  constexpr double kAround = 3.2;
  std::vector<FinalRegret> best;  // of each learner
  for (const FinalRegret& row : rates) {
    if (!row.rate) {
      continue;
    }
    const auto known = std::ranges::find(best, row.label, &FinalRegret::label);
    if (known == best.end()) {
      best.push_back(row);
    } else if (row.regret < known->regret) {
      *known = row;
    }
  }
  std::string measured = "best:";
  std::size_t around = 0;
  for (const FinalRegret& row : best) {
    const double claimed = row.label == "exp3" ? kSlowRate : kFastRate;
    const double factor = std::max(*row.rate / claimed, claimed / *row.rate);
    around += factor <= kAround ? 1 : 0;
    measured += fmt::format(
        "{} {} {}{} ({})", measured.back() == ':' ? "" : ",", row.label, *row.rate,
        row.threshold ? fmt::format(" at eps {}", *row.threshold) : "", whole(row.regret));
  }
  return shown_in(
      "rates",
      {{.claim = "The best static rates: about 0.01 for exp3, about 0.1 for the others",
        .paper = "around 0.01, around 0.1",
        .measured = measured,
        .verdict = verdict(around == best.size(), around > 0)},
       ivx_claim(Regrets(rates)),
       untuned_claim(Regrets(rates), *std::ranges::find(best, "exp3-wix", &FinalRegret::label))});
}

Claims certificate_claims(std::span<const BoundedRegret> points) {
  Claims claims;
  for (std::size_t begin = 0; begin < points.size();) {
    const std::string& label = points[begin].label;
    std::size_t end = begin;
    std::size_t kept = 0;
    for (; end < points.size() && points[end].label == label; ++end) {
      kept += points[end].bound && points[end].regret <= *points[end].bound ? 1U : 0U;
    }
    const BoundedRegret& last = points[end - 1];
    claims.push_back(
        {.claim = fmt::format(
             "{} with the parameters of its theorem: the regret stays below its bound", label),
         .paper = last.ours ? kNotInPaper : "the bound of its theorem, evaluated for each run",
         .measured = last.bound
                         ? fmt::format("below at {} of {} points; regret {}, bound {} at the end",
                                       kept, end - begin, whole(last.regret), whole(*last.bound))
                         : "no bound",
         .verdict = verdict(kept == end - begin, false)});
    begin = end;
  }
  return shown_in("certificates", std::move(claims));
}

}  // namespace hearsay::reproduce
