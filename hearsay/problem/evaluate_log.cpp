#include "hearsay/problem/evaluate_log.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/error.h"
#include "hearsay/base/number_text.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/problem/estimates_play.h"
#include "hearsay/problem/log_reader.h"
#include "hearsay/problem/logged_rounds.h"
#include "hearsay/problem/rejection.h"

namespace hearsay {
namespace {

// Keeps the keys in the order in which they are written.
using OrderedJson = nlohmann::ordered_json;

OrderedJson interval_json(const Interval& interval) {
  return {{"low", interval.low}, {"high", interval.high}};
}

OrderedJson estimate_json(const std::optional<double>& estimate, const Interval& interval) {
  return {{"estimate", estimate ? OrderedJson(*estimate) : OrderedJson(nullptr)},
          {"low", interval.low},
          {"high", interval.high}};
}

OrderedJson mean_json(const LogEvaluation& evaluation, const MeanEstimate& loss) {
  OrderedJson out =
      estimate_json(loss.estimate ? std::optional(evaluation.value(*loss.estimate)) : std::nullopt,
                    evaluation.values(loss.bernstein));
  out["bootstrap"] =
      loss.bootstrap ? interval_json(evaluation.values(*loss.bootstrap)) : OrderedJson(nullptr);
  return out;
}

OrderedJson arm_json(const LogEvaluation& evaluation, Arm arm, std::size_t rank) {
  const MeanEstimate& first = evaluation.losses.first().arms[arm].loss;
  OrderedJson out = {{"name", evaluation.problem.names[arm]}, {"rank", rank}};
  out.update(mean_json(evaluation, first));
  OrderedJson& methods = out["methods"] = OrderedJson::object();
  for (const MethodEstimates& method : evaluation.losses.methods) {
    const ArmEstimate& estimate = method.arms[arm];
    OrderedJson& entry = methods[std::string(kMethods[static_cast<std::size_t>(method.method)])];
    entry = mean_json(evaluation, estimate.loss);
    entry["rounds"] = estimate.rounds;
    entry["effective_rounds"] = estimate.effective_rounds;
    entry["tiny"] = estimate.tiny;
  }
  return out;
}

// Against the best arm, by each method.
OrderedJson regret_json(const LogEvaluation& evaluation) {
  OrderedJson out = OrderedJson::object();
  for (const MethodEstimates& method : evaluation.losses.methods) {
    OrderedJson& entry = out[std::string(kMethods[static_cast<std::size_t>(method.method)])];
    if (!method.regret) {
      entry = nullptr;
      continue;
    }
    const MeanEstimate& regret = method.regret->regret;
    const auto scaled = [&](const Interval& interval) -> Interval {
      return {evaluation.difference(interval.low), evaluation.difference(interval.high)};
    };
    entry = {{"best", evaluation.problem.names[method.regret->best]}};
    entry.update(estimate_json(evaluation.difference(*regret.estimate), scaled(regret.bernstein)));
    entry["bootstrap"] =
        regret.bootstrap ? interval_json(scaled(*regret.bootstrap)) : OrderedJson(nullptr);
  }
  return out;
}

OrderedJson learner_json(const LogEvaluation& evaluation, const PlayedLearner& learner) {
  const PlayResult& result = learner.result;
  OrderedJson out = {
      {"name", learner.spec.name},
      {"approximation", kPlayMethods[static_cast<std::size_t>(evaluation.options.play)]}};
  if (result.accepted > 0) {
    out.update(estimate_json(evaluation.value(result.loss), evaluation.values(result.interval)));
  } else {
    out.update(estimate_json(std::nullopt, evaluation.values({})));
  }
  out["accepted"] = result.accepted;
  out["impossible"] = result.impossible;
  return out;
}

}  // namespace

Interval LogEvaluation::values(const Interval& of_losses) const {
  const double of_low = value(of_losses.low);
  const double of_high = value(of_losses.high);
  return {std::min(of_low, of_high), std::max(of_low, of_high)};
}

std::vector<Arm> LogEvaluation::best_first() const {
  std::vector<Arm> order(problem.names.size());
  std::iota(order.begin(), order.end(), Arm{0});
  const std::vector<ArmEstimate>& arms = losses.first().arms;
  std::ranges::stable_sort(order, ranks_before,
                           [&](Arm arm) -> const ArmEstimate& { return arms[arm]; });
  return order;
}

std::vector<std::string> LogEvaluation::warnings() const {
  std::vector<std::string> all;
  if (!losses.without_side_observations.empty()) {
    all.push_back(
        fmt::format("side observations are not used: {}", losses.without_side_observations));
  }
  if (without_feedback > 0) {
    all.push_back(fmt::format(
        "{} left out for lack of feedback: estimates are biased if that depends on the arm or the "
        "outcome",
        counted(without_feedback, "decision")));
  }
  if (losses.out_of_range > 0) {
    all.push_back(fmt::format(
        "{} out of range: the noise bound or a weight is wrong, and the intervals of ivx and snivx "
        "need not hold; `hearsay calibrate` finds them from pairs of readings and outcomes",
        counted(losses.out_of_range, "observation")));
  }
  if (ignored_bytes > 0) {
    all.push_back(
        fmt::format("the last line is not complete, {} ignored", counted(ignored_bytes, "byte")));
  }
  const auto partly = std::ranges::count_if(
      losses.first().arms, [&](const ArmEstimate& arm) { return arm.rounds < losses.rounds; });
  if (partly > 0) {
    all.push_back(fmt::format("{} not observable in some rounds: the mean is over the other rounds",
                              counted(static_cast<std::uint64_t>(partly), "arm")));
  }
  return all;
}

namespace {

// A learner that is played treats missing readings as the problem of the log does. The estimates
// alone can do with the outcomes, so that a missing reading is no reason to refuse the log.
LoggedReadings readings_for(const EvaluateOptions& options, bool plays_learner) {
  if (plays_learner) {
    return LoggedReadings::as_the_problem_says;
  }
  return options.side_observations == SideObservations::ignored ? LoggedReadings::ignored
                                                                : LoggedReadings::thinned;
}

// The noise of what a learner observes on estimated losses: within the noise bound, or of the level
// that was learned from the log.
Noise simulated_noise(const EvaluateOptions& options, const Evaluator& evaluator) {
  return options.noise_bound ? Noise{NoiseLaw::uniform, *options.noise_bound}
                             : Noise{NoiseLaw::gaussian, evaluator.noise_level()};
}

}  // namespace

LogEvaluation evaluate_log(std::istream& log, const std::string& name, EvaluateOptions options,
                           std::optional<LearnerSpec> learner) {
  // Wrong options are refused before the log is read.
  check_options(options);
  if (learner) {
    learner->arms = 1;
    check_learner(*learner);
  }
  LogReader reader(log, name);
  const std::size_t arms = reader.problem().names.size();
  if (!options.noise_bound) {
    options.noise_bound = reader.problem().noise_bound;
  }
  Evaluator evaluator(arms, options);
  std::optional<RejectionPlay> by_rejection;
  std::optional<EstimatesPlay> on_estimates;
  if (learner) {
    learner->arms = arms;
    learner->noise_bound = options.noise_bound.value_or(learner->noise_bound);
    if (options.play == PlayMethod::rejection) {
      by_rejection.emplace(*learner, options.seed);
    } else {
      on_estimates.emplace(*learner, options.seed);
    }
  }
  LoggedRounds rounds(reader, readings_for(options, learner.has_value()));
  while (const auto round = rounds.next()) {
    try {
      evaluator.add(*round);
      if (by_rejection) {
        by_rejection->add(*round);
      }
      if (on_estimates) {
        on_estimates->add(*round, evaluator.last_round(), simulated_noise(options, evaluator));
      }
    } catch (const Error& error) {
      throw Error(reader.place(), error.what());
    }
  }
  LogEvaluation out{.problem = reader.problem(), .options = options, .losses = {}};
  try {
    out.losses = evaluator.result();
  } catch (const Error& error) {
    throw Error(name, error.what());
  }
  out.without_feedback = rounds.without_feedback();
  out.ignored_bytes = reader.ignored_bytes();
  if (learner) {
    out.learner = PlayedLearner{*learner, by_rejection ? by_rejection->result(options.confidence)
                                                       : on_estimates->result(options.confidence)};
  }
  return out;
}

std::string evaluation_json(const LogEvaluation& evaluation) {
  const Evaluation& losses = evaluation.losses;
  const Outcome& outcome = evaluation.problem.outcome;
  OrderedJson out = {
      {"rounds", losses.rounds},
      {"without_feedback", evaluation.without_feedback},
      {"confidence", evaluation.options.confidence},
      {"outcome", kOutcomeKinds[static_cast<std::size_t>(outcome.kind)]},
      {"method", kMethods[static_cast<std::size_t>(losses.first().method)]},
      {"tiny", evaluation.options.tiny},
      {"logged",
       estimate_json(evaluation.value(losses.logged), evaluation.values(losses.logged_interval))},
  };
  out["logged"]["regret"] = regret_json(evaluation);
  OrderedJson& arms = out["arms"] = OrderedJson::array();
  const std::vector<Arm> best_first = evaluation.best_first();
  std::vector<std::size_t> ranks(best_first.size());
  for (std::size_t i = 0; i < best_first.size(); ++i) {
    ranks[best_first[i]] = i + 1;
  }
  for (Arm arm = 0; arm < ranks.size(); ++arm) {
    arms.push_back(arm_json(evaluation, arm, ranks[arm]));
  }
  if (losses.find(Method::ivx) != nullptr) {
    out["noise"] = {{"level", losses.noise_level},
                    {"largest", losses.largest_noise},
                    {"learned", !evaluation.options.noise_bound},
                    {"out_of_range", losses.out_of_range}};
  }
  if (!losses.without_side_observations.empty()) {
    out["without_side_observations"] = losses.without_side_observations;
  }
  if (evaluation.learner) {
    out["learner"] = learner_json(evaluation, *evaluation.learner);
  }
  return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace hearsay
