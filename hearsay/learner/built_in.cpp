#include "hearsay/learner/built_in.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "hearsay/learner/rows.h"

namespace hearsay {
namespace {

// If R = 0, the paper's exploration R * rate is 0. On directed graphs the bound on Q needs a
// positive one, so an adaptive learner then uses the rate itself.
double noise_exploration(const LearnerSpec& spec, double per_rate) {
  return spec.noise_bound == 0 && !spec.rate ? 1.0 : per_rate;
}

double smallest_kept_weight(const Graph& graph, double at_least) {
  double smallest = 1;
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played && weight >= std::max(at_least, kSmallestWeight)) {
        smallest = std::min(smallest, weight);
      }
    });
  }
  return smallest;
}

// For estimates from exact losses, which are never negative. No theorem is designated, so that the
// column `bound` of results stays empty, as it was before this bound was proved.
RegretTheorems for_exact_losses() {
  const auto entropic = theorems::entropic({.second_moment = 0.5, .needs_exact_own_loss = true});
  return {.designated = nullptr,
          .others = {entropic, theorems::realised(CoveredSelfWeight::one), theorems::estimated()},
          .in_round_order = entropic};
}

// For unbiased estimates of any sign, at any exploration.
RegretTheorems for_noisy_losses() {
  const auto realised = theorems::realised(CoveredSelfWeight::any);
  return {.designated = nullptr,
          .others = {realised, theorems::estimated()},
          .in_round_order = realised};
}

// The bound of the paper is designated, although `entropic` is never larger: the reproduction needs
// it, and results stay comparable with earlier ones.
RegretTheorems for_implicit_exploration(const TheoremConstants& constants,
                                        const TheoremConstants& sharp) {
  const auto entropic = theorems::entropic(sharp);
  return {.designated = theorems::paper(constants),
          .others = {entropic, theorems::realised(CoveredSelfWeight::any), theorems::estimated()},
          .in_round_order = entropic};
}

ExponentialWeights exp3(const LearnerSpec& spec) {
  return {weightings::own_loss(), schedules::by_round(spec.arms, static_cast<double>(spec.arms)),
          for_exact_losses()};
}

// Exp3-IX uses exact side observations only.
ExponentialWeights ix(const LearnerSpec& spec) {
  return {weightings::taken_as_loss(1), schedules::by_cost(spec.arms, 0.5, 1), for_exact_losses()};
}

// The estimates of Exp3-IXb are biased in both directions, so it has no theorem.
ExponentialWeights ixb(const LearnerSpec& spec) {
  return {weightings::taken_as_loss(*spec.threshold), schedules::by_cost(spec.arms, 0.5, 1), {}};
}

// The price of Exp3-IXt depends on the smallest weight that it keeps. The paper does not state its
// rate; docs/model.md derives this one from the proof.
ExponentialWeights truncated(const LearnerSpec& spec, double at_least) {
  const double r = spec.noise_bound;
  const auto price = [r, at_least](const Graph& graph) {
    return r + (1 + r * r) / smallest_kept_weight(graph, at_least);
  };
  return {weightings::truncated(at_least),
          schedules::by_cost(spec.arms, price, 1 + r + r * r, noise_exploration(spec, r)),
          for_noisy_losses()};
}

ExponentialWeights wix(const LearnerSpec& spec) {
  const double r = spec.noise_bound;
  const auto weighting = weightings::by_power(*spec.delta);
  const double second_moment = kSecondMoment * std::max(1.0, r * r);
  const TheoremConstants sharp{.least_exploration_per_rate = r / 4, .second_moment = second_moment};
  if (spec.tuning == Tuning::paper) {
    return {weighting, schedules::by_cost(spec.arms, 1 + r + r * r, noise_exploration(spec, r)),
            for_implicit_exploration({.least_exploration_per_rate = r, .second_moment = 1 + r * r},
                                     sharp)};
  }
  return {weighting,
          schedules::by_cost(spec.arms, second_moment + r / 4, noise_exploration(spec, r / 4)),
          for_implicit_exploration(sharp, sharp)};
}

ExponentialWeights ivx(const LearnerSpec& spec) {
  const TheoremConstants constants{.least_exploration_per_rate = 0.5,
                                   .second_moment = kSecondMoment};
  return {
      weightings::inverse_variance(spec.noise_bound),
      schedules::by_cost(spec.arms, constants.second_moment + constants.least_exploration_per_rate,
                         constants.least_exploration_per_rate),
      for_implicit_exploration(constants, constants)};
}

// --- Clipped and centred estimates (docs/learners.md) --------------------------------------------

double log_arms(const LearnerSpec& spec) {
  return std::log(static_cast<double>(spec.arms));
}

// Exp3-IVX with clipped estimates instead of implicit exploration.
ExponentialWeights ivx_clip(const LearnerSpec& spec) {
  const auto entropic = theorems::entropic({.second_moment = kSecondMoment});
  return {
      .weighting = weightings::inverse_variance(spec.noise_bound),
      .schedule = schedules::by_second_moment({.entropy = log_arms(spec),
                                               .constant = kSecondMoment,
                                               .first = static_cast<double>(spec.arms),
                                               .delay_rate = *spec.delay_rate}),
      .theorems = {.designated = entropic,
                   .others = {theorems::realised(CoveredSelfWeight::any), theorems::estimated()},
                   .in_round_order = entropic},
      .floor_per_rate = 0.5};
}

// The second moments of the entropic bound need a noise bound; the gaps of the realised bound do
// not. So the realised bound is designated if the noise is learned or the rate is set by the gaps.
RegretTheorems for_centred(const LearnerSpec& spec) {
  const auto entropic = theorems::entropic({.second_moment = kSecondMoment, .largest_rate = 1});
  const auto realised = theorems::realised(CoveredSelfWeight::any);
  if (!spec.known_noise_bound()) {
    return {.designated = realised, .others = {theorems::estimated()}, .in_round_order = realised};
  }
  if (spec.tuning == Tuning::ada) {
    return {.designated = realised,
            .others = {entropic, theorems::estimated()},
            .in_round_order = realised};
  }
  return {.designated = entropic,
          .others = {realised, theorems::estimated()},
          .in_round_order = entropic};
}

FtrlRule ivc(const LearnerSpec& spec) {
  const double first = static_cast<double>(spec.arms) / 4;
  Schedule schedule =
      spec.tuning == Tuning::ada
          ? schedules::by_gaps(spec.arms,
                               std::max(1.0, schedules::first_inverse_rate(
                                                 2 * kSecondMoment * first, log_arms(spec))),
                               *spec.delay_rate)
          : schedules::by_second_moment({.entropy = log_arms(spec),
                                         .constant = kSecondMoment,
                                         .first = first,
                                         .largest_rate = 1,
                                         .delay_rate = *spec.delay_rate});
  return {.weighting = nullptr,
          .floor = Floor{.per_rate = 1},
          .schedule = std::move(schedule),
          .theorems = for_centred(spec)};
}

// --- Fixed share, for a best arm that changes (docs/learners.md) ---------------------------------

// `weighting` is null if the estimates are centred. `largest_rate` is the largest one that the
// theorem allows.
FtrlRule sharing(const LearnerSpec& spec, std::shared_ptr<const Weighting> weighting,
                 const Floor& floor, double first, double largest_rate) {
  const auto share = [](const RoundTotals& totals, double /*z*/) {
    return 1 / (static_cast<double>(totals.rounds) + 1);
  };
  return {.weighting = std::move(weighting),
          .floor = floor,
          .share = share,
          .schedule = schedules::by_switches(
              spec.arms, static_cast<double>(*spec.switches),
              {.constant = kSecondMoment, .first = first, .largest_rate = 1}),
          .theorems = {.designated = theorems::tracking(spec.arms, {.second_moment = kSecondMoment,
                                                                    .largest_rate = largest_rate}),
                       .others = {theorems::estimated()}}};
}

FtrlRule ivx_share(const LearnerSpec& spec) {
  return sharing(spec, weightings::inverse_variance(spec.noise_bound), {.per_rate = 0.5},
                 static_cast<double>(spec.arms), std::numeric_limits<double>::infinity());
}

FtrlRule ivc_share(const LearnerSpec& spec) {
  return sharing(spec, nullptr, {.per_rate = 1}, static_cast<double>(spec.arms) / 4, 1);
}

// --- The Tsallis entropy (docs/learners.md) ------------------------------------------------------

// The constants for an order q. Estimates times rate stay above -z0 * r / p^(1 - q), where r = q /
// (1 - q).
struct TsallisConstants {
  double order = 0;
  double ratio = 0;         // r
  double largest_rate = 0;  // r * z0
  double largest_entropy = 0;
  double stability = 0;  // a round costs at most stability * rate * its second moment

  explicit TsallisConstants(const LearnerSpec& spec) : order(*spec.order) {
    constexpr double kRange = 0.25;  // z0
    ratio = order / (1 - order);
    largest_rate = ratio * kRange;
    largest_entropy = (std::pow(static_cast<double>(spec.arms), 1 - order) - 1) / (1 - order);
    const double h = std::pow(1 - kRange, -ratio) - 1 - ratio * kRange;
    stability = h / (ratio * (ratio + 1) * kRange * kRange) / order;
  }
};

// `weighting` is null if the estimates are centred; `lowest` is then 1. Otherwise estimates times
// coverage are at least -lowest. `moment` is m of Theorem 4.
FtrlRule tsallis_rule(const LearnerSpec& spec, std::shared_ptr<const Weighting> weighting,
                      double lowest, double moment) {
  const TsallisConstants constants(spec);
  const double second_moment = moment * constants.stability;
  const double most = std::pow(static_cast<double>(spec.arms), constants.order);
  const double first = weighting ? most : most / 4;
  return {.weighting = std::move(weighting),
          .floor = Floor{.per_rate = lowest / constants.largest_rate, .order = constants.order},
          .order = constants.order,
          .schedule = schedules::by_second_moment({.entropy = constants.largest_entropy,
                                                   .constant = second_moment,
                                                   .first = first,
                                                   .largest_rate = constants.largest_rate}),
          .theorems = {.designated = theorems::entropic({.second_moment = second_moment,
                                                         .largest_rate = constants.largest_rate,
                                                         .needs_feedback_in_order = true}),
                       .others = {theorems::estimated()}}};
}

FtrlRule tsallis_ivx(const LearnerSpec& spec) {
  return tsallis_rule(spec, weightings::inverse_variance(spec.noise_bound), 0.5, 1);
}

FtrlRule tsallis_wix(const LearnerSpec& spec) {
  const double r = spec.noise_bound;
  return tsallis_rule(spec, weightings::by_power(1), r / 4, std::max(1.0, r * r));
}

FtrlRule tsallis_ivc(const LearnerSpec& spec) {
  return tsallis_rule(spec, nullptr, 1, 1);
}

// --- References ----------------------------------------------------------------------------------

ExponentialWeights uniform(const LearnerSpec& /*spec*/) {
  return {weightings::own_loss(),
          schedules::fixed(0),
          {.designated = nullptr, .others = {theorems::estimated()}}};
}

ExponentialWeights hedge(const LearnerSpec& spec) {
  return {weightings::taken_as_loss(0), schedules::by_round(spec.arms, 0.125), for_noisy_losses()};
}

// --- Index policies, for losses that are drawn independently -------------------------------------

double mean_of(const ArmStatistics& arm) {
  return arm.mean;
}

double drawn_mean(const ArmStatistics& arm) {
  return arm.mean + arm.randomness.normal(arm.decision, arm.arm) / std::sqrt(arm.precision);
}

// A row whose index does not depend on the spec.
LearnerRow policy(LearnerRow row, double (*index)(const ArmStatistics&)) {
  return index_policy_row(std::move(row), [index](const LearnerSpec&) { return Index(index); });
}

constexpr const char* kPaper = "Kocak, Neu, Valko, AISTATS 2016";

}  // namespace

std::vector<LearnerRow> built_in_learners() {
  const LearnerParameter rate{.name = "rate"};
  const LearnerParameter exploration{.name = "exploration"};
  const LearnerParameter switches{.name = "switches", .fallback = std::uint64_t{1}};
  const LearnerParameter order{.name = "order", .fallback = 0.5};
  const LearnerParameter delay_rate{.name = "delay_rate", .fallback = "none"};
  const LearnerParameter threshold{.name = "threshold", .required = true};
  return {
      exponential_weights_row(
          {.name = "exp3",
           .summary = "bandit feedback alone: ignores side observations",
           .reference = "Auer, Cesa-Bianchi, Freund, Schapire, SIAM J. Comput. 2002",
           .parameters = {rate, exploration}},
          Lazy::yes, exp3),
      exponential_weights_row(
          {.name = "exp3-ix",
           .summary = "implicit exploration; uses perfect side observations (weight 1) alone",
           .reference = "Kocak, Neu, Valko, Munos, NIPS 2014",
           .parameters = {rate, exploration}},
          Lazy::yes, ix),
      exponential_weights_row(
          {.name = "exp3-ixb",
           .summary = "takes observations of weight >= threshold as if they were exact (biased)",
           .reference = kPaper,
           .parameters = {rate, exploration, threshold}},
          Lazy::yes, ixb),
      exponential_weights_row(
          {.name = "exp3-basic",
           .summary = "unbiased estimates from all side observations, of high variance",
           .reference = kPaper,
           .parameters = {rate, exploration}},
          Lazy::no, [](const LearnerSpec& spec) { return truncated(spec, 0); }),
      exponential_weights_row(
          {.name = "exp3-ixt",
           .summary = "unbiased estimates from the side observations of weight >= threshold",
           .reference = kPaper,
           .parameters = {rate, exploration, threshold}},
          Lazy::yes, [](const LearnerSpec& spec) { return truncated(spec, *spec.threshold); }),
      exponential_weights_row(
          {.name = "exp3-wix",
           .summary = "weighs each observation by its quality; needs no threshold",
           .reference = kPaper,
           .parameters = {rate,
                          exploration,
                          {.name = "delta", .fallback = 1.0},
                          {.name = "tuning",
                           .fallback = "paper",
                           .words = {"paper", "sharp"},
                           .our_words = {"sharp"}}}},
          Lazy::yes, wix),
      exponential_weights_row({.name = "exp3-ivx",
                               .summary = "weighs each observation by its inverse variance (ours)",
                               .reference = "docs/model.md",
                               .ours = true,
                               .parameters = {rate, exploration}},
                              Lazy::yes, ivx),
      exponential_weights_row(
          {.name = "exp3-ivx-clip",
           .summary = "exp3-ivx with clipped estimates, which are biased only where an arm is "
                      "hardly covered (ours)",
           .reference = "docs/learners.md",
           .ours = true,
           .parameters = {rate, delay_rate}},
          Lazy::yes, ivx_clip),
      ftrl_rule_row(
          {.name = "exp3-ivc",
           .summary = "centres the estimates of exp3-ivx at 1/2 where that is safe; can learn "
                      "the noise level (ours)",
           .reference = "docs/learners.md",
           .ours = true,
           .parameters = {rate,
                          {.name = "tuning", .fallback = "cost", .words = {"cost", "ada"}},
                          {.name = "noise", .fallback = "known"},
                          delay_rate}},
          ivc),
      ftrl_rule_row(
          {.name = "exp3-ivx-share",
           .summary = "exp3-ivx-clip with fixed share, for a best arm that changes (ours)",
           .reference = "docs/learners.md",
           .ours = true,
           .parameters = {rate, switches}},
          ivx_share),
      ftrl_rule_row({.name = "exp3-ivc-share",
                     .summary = "exp3-ivc with fixed share, for a best arm that changes (ours)",
                     .reference = "docs/learners.md",
                     .ours = true,
                     .parameters = {rate, switches}},
                    ivc_share),
      ftrl_rule_row({.name = "tsallis-ivx",
                     .summary = "exp3-ivx-clip with the Tsallis entropy (ours)",
                     .reference = "docs/learners.md",
                     .ours = true,
                     .parameters = {rate, order}},
                    tsallis_ivx),
      ftrl_rule_row({.name = "tsallis-wix",
                     .summary = "clipped estimates of exp3-wix with the Tsallis entropy (ours)",
                     .reference = "docs/learners.md",
                     .ours = true,
                     .parameters = {rate, order}},
                    tsallis_wix),
      ftrl_rule_row({.name = "tsallis-ivc",
                     .summary = "exp3-ivc with the Tsallis entropy; better on sparse graphs (ours)",
                     .reference = "docs/learners.md",
                     .ours = true,
                     .parameters = {rate, order}},
                    tsallis_ivc),
      policy({.name = "ftl",
              .summary = "plays the arm of the least mean; for losses drawn independently, no "
                         "guarantee even there",
              .reference = "docs/learners.md"},
             mean_of),
      policy({.name = "ucb-n",
              .summary = "plays the arm of the least lower confidence bound; for losses drawn "
                         "independently, no guarantee against an adversary",
              .reference = "Caron, Kveton, Lelarge, Bhagat, UAI 2012"},
             lower_confidence_bound),
      policy(
          {.name = "ts-n",
           .summary = "Thompson sampling with Gaussian means; for losses drawn independently, no "
                      "guarantee against an adversary",
           .reference = "Tossou, Dimitrakakis, Dubhashi, AAAI 2017"},
          drawn_mean),
      exponential_weights_row({.name = "uniform",
                               .summary = "plays all arms with equal probability (a reference)",
                               .reference = "docs/model.md",
                               .parameters = {}},
                              Lazy::no, uniform),
      exponential_weights_row(
          {.name = "hedge",
           .summary = "full information: an oracle that is shown every true loss (a reference)",
           .reference = "Freund, Schapire, J. Comput. Syst. Sci. 1997",
           .parameters = {rate},
           .information = Information::true_losses},
          Lazy::no, hedge),
  };
}

}  // namespace hearsay
