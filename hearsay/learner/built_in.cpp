#include "hearsay/learner/built_in.h"

#include <algorithm>
#include <numbers>

#include "hearsay/learner/rows.h"

namespace hearsay {
namespace {

constexpr double kE = std::numbers::e;

// If R = 0 the paper's exploration R * rate vanishes, but on directed graphs the bound on Q needs
// some: an adaptive learner then takes the rate itself.
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

ExponentialWeights exp3(const LearnerSpec& spec) {
  return {weightings::own_loss(), schedules::by_round(spec.arms, static_cast<double>(spec.arms)),
          nullptr};
}

ExponentialWeights taken_as_loss(const LearnerSpec& spec, double at_least) {
  return {weightings::taken_as_loss(at_least), schedules::by_cost(spec.arms, 0.5, 1), nullptr};
}

// Exp3-IXt pays for the smallest weight it keeps. (The paper leaves its rate open; docs/model.md
// derives this one from its proof.)
ExponentialWeights truncated(const LearnerSpec& spec, double at_least) {
  const double r = spec.noise_bound;
  const auto price = [r, at_least](const Graph& graph) {
    return r + (1 + r * r) / smallest_kept_weight(graph, at_least);
  };
  return {weightings::truncated(at_least),
          schedules::by_cost(spec.arms, price, 1 + r + r * r, noise_exploration(spec, r)), nullptr};
}

ExponentialWeights wix(const LearnerSpec& spec) {
  const double r = spec.noise_bound;
  const auto weighting = weightings::by_power(*spec.delta);
  if (spec.tuning == Tuning::paper) {
    return {weighting, schedules::by_cost(spec.arms, 1 + r + r * r, noise_exploration(spec, r)),
            regret_theorem({.least_exploration_per_rate = r, .second_moment = 1 + r * r})};
  }
  const double second_moment = (kE - 2) * std::max(1.0, r * r);
  return {weighting,
          schedules::by_cost(spec.arms, second_moment + r / 4, noise_exploration(spec, r / 4)),
          regret_theorem({.least_exploration_per_rate = r / 4, .second_moment = second_moment})};
}

ExponentialWeights ivx(const LearnerSpec& spec) {
  return {weightings::inverse_variance(spec.noise_bound),
          schedules::by_cost(spec.arms, kE - 1.5, 0.5),
          regret_theorem({.least_exploration_per_rate = 0.5, .second_moment = kE - 2})};
}

ExponentialWeights uniform(const LearnerSpec& /*spec*/) {
  return {weightings::own_loss(), schedules::fixed(0), nullptr};
}

ExponentialWeights hedge(const LearnerSpec& spec) {
  return {weightings::taken_as_loss(0), schedules::by_round(spec.arms, 0.125), nullptr};
}

constexpr const char* kPaper = "Kocak, Neu, Valko, AISTATS 2016";

}  // namespace

std::vector<LearnerRow> built_in_learners() {
  const LearnerParameter rate{.name = "rate"};
  const LearnerParameter exploration{.name = "exploration"};
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
          Lazy::yes, [](const LearnerSpec& spec) { return taken_as_loss(spec, 1); }),
      exponential_weights_row(
          {.name = "exp3-ixb",
           .summary = "takes observations of weight >= threshold as if they were exact (biased)",
           .reference = kPaper,
           .parameters = {rate, exploration, threshold}},
          Lazy::yes, [](const LearnerSpec& spec) { return taken_as_loss(spec, *spec.threshold); }),
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
      exponential_weights_row({.name = "uniform",
                               .summary = "plays every arm alike, whatever it sees (a reference)",
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
