// Learners from the literature, to compare with. docs/learners.md has their rules and guarantees.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "hearsay/base/interruption.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/built_in.h"
#include "hearsay/learner/covering_program.h"
#include "hearsay/learner/exp3_dom.h"
#include "hearsay/learner/exp3_res.h"
#include "hearsay/learner/gaussian_lp.h"
#include "hearsay/learner/rows.h"

namespace hearsay {
namespace {

double arms_of(const LearnerSpec& spec) {
  return static_cast<double>(spec.arms);
}

double horizon_of(const LearnerSpec& spec) {
  return static_cast<double>(*spec.horizon);
}

// At most the number of arms, which no independent set exceeds.
double alpha_of(const LearnerSpec& spec) {
  return std::min(*spec.alpha, arms_of(spec));
}

// --- Estimates from exact losses -----------------------------------------------------------------

// The Tsallis entropy of order 1/2, with the loss of the arm played only.
FtrlRule tsallis_inf(const LearnerSpec& spec) {
  constexpr double kOrder = 0.5;
  const bool reduced = spec.tuning == Tuning::rv;
  const Baseline baseline =
      reduced ? Baseline{.value = 0.5, .least_per_squared_rate = 4} : Baseline{};
  return {.baseline = baseline,
          .order = kOrder,
          .schedule = schedules::by_square_root(spec.arms, reduced ? 2 : 1),
          .theorems = {.designated = theorems::entropic({.second_moment = reduced ? 4.0 / 3 : 1.0,
                                                         .needs_exact_own_loss = true,
                                                         .needs_feedback_in_order = true}),
                       .others = {theorems::estimated()}}};
}

// Exp3-IX without implicit exploration.
FtrlRule exp3_set(const LearnerSpec& spec) {
  return {
      .weighting = weightings::taken_as_loss(1),
      .schedule = schedules::by_cost(spec.arms, 0.5, 0),
      .theorems = {
          .designated = theorems::entropic({.second_moment = 0.5, .needs_exact_own_loss = true}),
          .others = {theorems::realised(CoveredSelfWeight::one), theorems::estimated()}}};
}

// The order and the rate follow from alpha and the horizon.
FtrlRule q_ftrl(const LearnerSpec& spec) {
  const double n = arms_of(spec);
  const double alpha = alpha_of(spec);
  const double log_ratio = std::log(n / alpha);
  const double order = 0.5 * (1 + log_ratio / (std::sqrt(log_ratio * log_ratio + 4) + 2));
  const double rate = std::sqrt(2 * order * std::pow(n, 1 - order) /
                                (horizon_of(spec) * (1 - order) * std::pow(alpha, order)));
  return {.weighting = weightings::taken_as_loss(1),
          .floor = Floor{.per_rate = 0, .order = order},
          .order = order,
          .schedule = schedules::fixed(spec.arms > 1 ? rate : 0),
          .theorems = {.designated = theorems::entropic({.second_moment = 1 / (2 * order),
                                                         .needs_exact_own_loss = true,
                                                         .needs_feedback_in_order = true}),
                       .others = {theorems::estimated()}}};
}

// The rate is twice the share of the uniform distribution.
FtrlRule exp3_g(const LearnerSpec& spec) {
  const double share = std::min(0.5, 1 / std::sqrt(alpha_of(spec) * horizon_of(spec)));
  return {.weighting = weightings::taken_as_loss(1),
          .uniform_mixing = share,
          .schedule = schedules::fixed(2 * share),
          .theorems = {.designated = nullptr, .others = {theorems::estimated()}}};
}

// The mixing distribution u that maximises the least probability z with which an arm is seen
// exactly. It is proportional to the cheapest cover with all costs and demands 1.
struct BestMixing {
  std::vector<double> distribution;  // u
  double least = 0;                  // z
};

BestMixing best_mixing(const Graph& graph) {
  const std::size_t n = graph.arms();
  std::vector<CoveringEntry> entries;
  for (Arm played = 0; played < n; ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      note_work(1);
      if (weight == 1 || seen == played) {
        entries.push_back({played, seen, 1});
      }
    });
  }
  const std::vector<double> ones(n, 1.0);
  std::vector<double> cover = cheapest_cover(ones, ones, entries);
  const double total = scale_to_one(cover);
  return {std::move(cover), 1 / total};
}

// Exp3-SET, mixed with the best distribution for the graph, which it must be shown before the draw.
FtrlParts elp(const LearnerSpec& spec) {
  FtrlParts parts = ftrl_parts(spec, exp3_set(spec));
  parts.mixing = [known = ForLastGraph<BestMixing>()](const MixingInput& input,
                                                      std::span<double> distribution) mutable {
    const BestMixing& best = known.get(*input.graph, [&] { return best_mixing(*input.graph); });
    std::ranges::copy(best.distribution, distribution.begin());
    return std::min(0.5, input.rate / best.least);
  };
  parts.theorems = {.designated = nullptr, .others = {theorems::estimated()}};
  return parts;
}

// The paper uses rewards 1 - loss and estimates them by (1 - loss) / probability; 1 minus that is
// an estimate of the loss with baseline 1. With losses, all weights after a round are smaller by
// the same factor, exp(-rate), and so is what is added to them.
FtrlRule exp3_s(const LearnerSpec& spec) {
  const double n = arms_of(spec);
  const double t = horizon_of(spec);
  const double parts = static_cast<double>(*spec.switches) + 1;
  constexpr double kE = std::numbers::e;
  const double share =
      std::min(1.0, std::sqrt(n * (parts * std::log(n * t) + kE) / ((kE - 1) * t)));
  const double rate = share / n;
  return {.baseline = Baseline{.value = 1},
          .share = added_share(kE / t * std::exp(-rate)),
          .uniform_mixing = share,
          .schedule = schedules::fixed(rate),
          .theorems = {.designated = nullptr, .others = {theorems::estimated()}}};
}

// --- Rates for stochastic and adversarial losses alike -------------------------------------------

// Uses the estimates of exp3-ivx-clip.
FtrlRule ito(const LearnerSpec& spec) {
  const double n = arms_of(spec);
  return {
      .weighting = weightings::inverse_variance(spec.noise_bound),
      .floor = Floor{.per_rate = 0.5},
      .schedule = schedules::by_entropy_sum({.arms = spec.arms,
                                             .constant = kSecondMoment,
                                             .least_inverse_rate = schedules::first_inverse_rate(
                                                 2 * kSecondMoment * n, std::log(n))}),
      .theorems = {.designated = theorems::entropic({.second_moment = kSecondMoment}),
                   .others = {theorems::realised(CoveredSelfWeight::any), theorems::estimated()}}};
}

// Uses the estimates of exp3-ivc.
FtrlRule spa(const LearnerSpec& spec) {
  const double n = arms_of(spec);
  const double least_inverse_rate =
      std::max(1.0, schedules::first_inverse_rate(2 * kSecondMoment * n / 4, std::log(n)));
  return {
      .floor = Floor{.per_rate = 1},
      .schedule = schedules::by_matching(
          {.arms = spec.arms, .constant = kSecondMoment, .least_inverse_rate = least_inverse_rate}),
      .theorems = {
          .designated = theorems::entropic({.second_moment = kSecondMoment, .largest_rate = 1}),
          .others = {theorems::realised(CoveredSelfWeight::any), theorems::estimated()}}};
}

// --- Policies for losses that are drawn independently --------------------------------------------

// Plays the arm of the least mean among those that show the arm of ucb-n at least half as precisely
// as that arm shows itself. With exact observations this is the rule of the paper.
Policy ucb_maxn(const LearnerSpec& spec) {
  const Policy ucb_n = least_index(lower_confidence_bound);
  return [ucb_n, r = spec.noise_bound](const PolicyInput& input) -> PolicyChoice {
    const Graph& graph = *input.graph;
    const Arm wanted = ucb_n(input).arm;
    const double enough = observation_precision(graph.self_weight(), r) / 2;
    Arm best = wanted;
    for (Arm arm = 0; arm < input.means.size(); ++arm) {
      const double precision = observation_precision(graph.weight(arm, wanted), r);
      if (precision > 0 && precision >= enough && input.means[arm] < input.means[best]) {
        best = arm;
      }
    }
    return {.arm = best};
  };
}

}  // namespace

std::vector<LearnerRow> learners_of_the_literature() {
  const LearnerParameter rate{.name = "rate"};
  const LearnerParameter alpha{.name = "alpha", .required = true};
  const LearnerParameter horizon{.name = "horizon", .required = true};
  const char* lacking = has_covering_solver() ? "" : kCoveringSolver;
  return {
      ftrl_rule_row(
          {.name = "tsallis-inf",
           .summary = "the own loss alone, with the Tsallis entropy of order 1/2; for "
                      "stochastic and adversarial losses",
           .reference = "Zimmert, Seldin, JMLR 2021",
           .parameters = {rate, {.name = "tuning", .fallback = "rv", .words = {"iw", "rv"}}}},
          tsallis_inf),
      ftrl_rule_row(
          {.name = "exp3-set",
           .summary =
               "uses perfect side observations (weight 1) alone, without implicit exploration",
           .reference = "Alon, Cesa-Bianchi, Gentile, Mansour, NIPS 2013",
           .parameters = {rate}},
          exp3_set),
      {.name = "exp3-dom",
       .summary = "perfect side observations (weight 1), mixed with draws from a dominating set; "
                  "informed: sees the graph before the draw",
       .reference = "Alon, Cesa-Bianchi, Gentile, Mansour, NIPS 2013",
       .information = Information::graph_before_draw,
       .exact = learner_factory(make_exp3_dom)},
      {.name = "exp3-res",
       .summary = "never reads the graph: for random arcs that are exact and all have the same "
                  "probability",
       .reference = "Kocak, Neu, Valko, UAI 2016",
       .parameters = {rate},
       .exact = learner_factory(make_exp3_res)},
      ftrl_rule_row(
          {.name = "q-ftrl",
           .summary = "perfect side observations (weight 1), with a Tsallis entropy whose "
                      "order follows from alpha",
           .reference = "Eldowa, Esposito, Cesari, Cesa-Bianchi, NeurIPS 2023",
           .parameters = {alpha, horizon}},
          q_ftrl),
      ftrl_rule_row(
          {.name = "exp3.g",
           .summary = "perfect side observations (weight 1), mixed with uniform draws; for a "
                      "fixed graph",
           .reference = "Alon, Cesa-Bianchi, Dekel, Koren, COLT 2015",
           .parameters = {alpha, horizon}},
          exp3_g),
      ftrl_row({.name = "elp",
                .summary = "exp3-set, mixed with draws that show every arm often; informed: sees "
                           "the graph before the draw",
                .reference = "Mannor, Shamir, NIPS 2011",
                .parameters = {rate},
                .information = Information::graph_before_draw,
                .unavailable = lacking},
               elp),
      ftrl_rule_row(
          {.name = "exp3.s",
           .summary = "the own loss alone, with shared weights, for a best arm that changes",
           .reference = "Auer, Cesa-Bianchi, Freund, Schapire, SIAM J. Comput. 2002",
           .parameters = {{.name = "switches", .fallback = std::uint64_t{1}}, horizon}},
          exp3_s),
      ftrl_rule_row(
          {.name = "ito",
           .summary = "exp3-ivx-clip with rates for stochastic and adversarial losses, by the "
                      "sum of the entropies",
           .reference = "Ito, Tsuchiya, Honda, NeurIPS 2022",
           .parameters = {rate}},
          ito),
      ftrl_rule_row(
          {.name = "spa",
           .summary = "exp3-ivc with rates for stochastic and adversarial losses, by matching "
                      "the penalty of each round with its cost",
           .reference = "Ito, Tsuchiya, Honda, COLT 2024",
           .parameters = {rate}},
          spa),
      policy_row({.name = "ucb-maxn",
                  .summary = "plays the arm of the least mean that shows the arm of ucb-n well; "
                             "informed: sees the graph before the draw; no guarantee against an "
                             "adversary",
                  .reference = "Caron, Kveton, Lelarge, Bhagat, UAI 2012",
                  .information = Information::graph_before_draw},
                 ucb_maxn),
      policy_row({.name = "gaussian-lp",
                  .summary = "plays each arm as often as a linear program requires to identify the "
                             "best; informed: sees the graph before the draw; no guarantee against "
                             "an adversary",
                  .reference = "Wu, Gyorgy, Szepesvari, NIPS 2015",
                  .information = Information::graph_before_draw,
                  .unavailable = lacking},
                 [](const LearnerSpec& spec) { return gaussian_lp(spec.noise_bound); }),
  };
}

}  // namespace hearsay
