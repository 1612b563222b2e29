#include "hearsay/report/evaluation_report.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/number_text.h"
#include "hearsay/report/csv.h"
#include "hearsay/version.h"

namespace hearsay {
namespace {

constexpr std::size_t kMostListed = 1000;  // so that the page stays small
constexpr std::size_t kMostBars = 20;      // more names would not fit below the axis
constexpr const char* kArmsTable = "arms.csv";
constexpr const char* kRegretTable = "regret.csv";

std::string_view method_word(Method method) {
  return kMethods[static_cast<std::size_t>(method)];
}

std::vector<Arm> listed_arms(const LogEvaluation& evaluation) {
  std::vector<Arm> arms = evaluation.best_first();
  arms.resize(std::min(arms.size(), kMostListed));
  return arms;
}

// One row for each arm and method, the best arm first. `place` is where its bar is drawn, those of
// an arm side by side.
std::string arms_csv(const LogEvaluation& evaluation, const std::vector<Arm>& arms) {
  std::string csv =
      "rank,arm,method,estimate,low,high,bootstrap_low,bootstrap_high,rounds,effective_rounds,"
      "tiny,place,logged\n";
  const std::vector<MethodEstimates>& methods = evaluation.losses.methods;
  constexpr double kWidth = 0.6;  // of the bars of an arm together
  for (std::size_t rank = 0; rank < arms.size(); ++rank) {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      const ArmEstimate& arm = methods[i].arms[arms[rank]];
      const Interval bernstein = evaluation.values(arm.loss.bernstein);
      const auto value = [&](const std::optional<double>& loss) {
        return csv_field(loss ? std::optional(evaluation.value(*loss)) : std::nullopt);
      };
      std::optional<Interval> bootstrap;
      if (arm.loss.bootstrap) {
        bootstrap = evaluation.values(*arm.loss.bootstrap);
      }
      const double beside =
          (static_cast<double>(i) + 0.5) / static_cast<double>(methods.size()) - 0.5;
      fmt::format_to(
          std::back_inserter(csv), "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", rank + 1,
          csv_field(evaluation.problem.names[arms[rank]]), method_word(methods[i].method),
          value(arm.loss.estimate), bernstein.low, bernstein.high,
          csv_field(bootstrap ? std::optional(bootstrap->low) : std::nullopt),
          csv_field(bootstrap ? std::optional(bootstrap->high) : std::nullopt), arm.rounds,
          arm.effective_rounds, arm.tiny, static_cast<double>(rank + 1) + kWidth * beside,
          evaluation.value(evaluation.losses.logged));
    }
  }
  return csv;
}

std::string outcome_word(const LogEvaluation& evaluation) {
  return std::string(kOutcomeKinds[static_cast<std::size_t>(evaluation.problem.outcome.kind)]);
}

std::string percent_text(const LogEvaluation& evaluation) {
  return fmt::format("{:g} %", 100 * evaluation.options.confidence);
}

Figure intervals_figure(const LogEvaluation& evaluation, const std::vector<Arm>& arms) {
  const std::size_t drawn = std::min(arms.size(), kMostBars);
  Figure figure;
  figure.id = "arms";
  figure.title = fmt::format("Mean {} of each arm", outcome_word(evaluation));
  figure.caption = fmt::format(
      "What each arm would have had on average in a round{}, the best first by {}. Dashed: the "
      "logged policy.",
      drawn < evaluation.problem.names.size() ? fmt::format(", of the best {} arms", drawn) : "",
      method_word(evaluation.losses.first().method));
  figure.table = kArmsTable;
  for (std::size_t rank = 1; rank <= drawn; ++rank) {
    figure.filter["rank"].push_back(fmt::format("{}", rank));
    figure.x.labels.push_back(evaluation.problem.names[arms[rank - 1]]);
  }
  figure.mark = Figure::Mark::bars;
  figure.x.column = "place";
  figure.x.title = "arm";
  figure.x.scale = Figure::Scale::linear_only;
  figure.y = {.column = "estimate",
              .title = "mean " + outcome_word(evaluation),
              .scale = Figure::Scale::linear_only};
  figure.bands = {{.name = "Bernstein",
                   .column = {},
                   .title = percent_text(evaluation) + " interval by empirical Bernstein",
                   .low = "low",
                   .high = "high"}};
  if (evaluation.options.bootstrap > 0) {
    figure.bands.push_back({.name = "bootstrap",
                            .column = {},
                            .title = percent_text(evaluation) +
                                     " interval by the bootstrap, where there are enough rounds",
                            .low = "bootstrap_low",
                            .high = "bootstrap_high"});
  }
  figure.references = {{.column = "logged", .title = "logged policy"}};
  figure.series_columns = {"method"};
  for (const MethodEstimates& method : evaluation.losses.methods) {
    const std::string name(method_word(method.method));
    figure.series.push_back({.values = {name}, .label = name});
  }
  return figure;
}

std::string with_interval(double value, const Interval& interval, int decimals) {
  return fmt::format("{} ({} to {})", with_decimals(value, decimals),
                     with_decimals(interval.low, decimals), with_decimals(interval.high, decimals));
}

Interval difference_of(const LogEvaluation& evaluation, const Interval& of_losses) {
  return {evaluation.difference(of_losses.low), evaluation.difference(of_losses.high)};
}

// One row for each method that has an estimate of the regret.
std::string regret_csv(const LogEvaluation& evaluation) {
  std::string csv = "method,best,regret,low,high,bootstrap_low,bootstrap_high\n";
  for (const MethodEstimates& method : evaluation.losses.methods) {
    if (method.regret) {
      const MeanEstimate& regret = method.regret->regret;
      const Interval bernstein = difference_of(evaluation, regret.bernstein);
      std::optional<Interval> bootstrap;
      if (regret.bootstrap) {
        bootstrap = difference_of(evaluation, *regret.bootstrap);
      }
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{}\n", method_word(method.method),
                     csv_field(evaluation.problem.names[method.regret->best]),
                     evaluation.difference(*regret.estimate), bernstein.low, bernstein.high,
                     csv_field(bootstrap ? std::optional(bootstrap->low) : std::nullopt),
                     csv_field(bootstrap ? std::optional(bootstrap->high) : std::nullopt));
    }
  }
  return csv;
}

Report::Listing regret_listing(const LogEvaluation& evaluation) {
  const int decimals = outcome_decimals(evaluation);
  return {
      .table = kRegretTable,
      .title = "Regret of the logged policy",
      .caption =
          "How much worse the arms that were played did on average in a round than the best arm, "
          "among those that could be observed in every round.",
      .columns = {{"method", "Method"},
                  {"best", "Best arm"},
                  {"regret", "Regret", decimals},
                  {"low", "Low", decimals},
                  {"high", "High", decimals},
                  {"bootstrap_low", "Bootstrap low", decimals},
                  {"bootstrap_high", "Bootstrap high", decimals}}};
}

std::vector<Report::Fact> evaluation_facts(const LogEvaluation& evaluation) {
  const Evaluation& losses = evaluation.losses;
  const int decimals = outcome_decimals(evaluation);
  std::vector<Report::Fact> facts = {
      {"Rounds", grouped_digits(losses.rounds)},
      {"Arms", grouped_digits(evaluation.problem.names.size())},
      {"Logged policy", with_interval(evaluation.value(losses.logged),
                                      evaluation.values(losses.logged_interval), decimals)}};
  if (const std::optional<RegretEstimate>& best = losses.first().regret) {
    facts.push_back(
        {"Its regret in a round, by " + std::string(method_word(losses.first().method)),
         fmt::format("{} against {}",
                     with_interval(evaluation.difference(*best->regret.estimate),
                                   difference_of(evaluation, best->regret.bernstein), decimals),
                     evaluation.problem.names[best->best])});
  }
  if (evaluation.learner) {
    const PlayResult& result = evaluation.learner->result;
    facts.push_back(
        {fmt::format("{} {}", evaluation.learner->spec.name, words_of(evaluation.options.play)),
         result.accepted == 0
             ? "no estimate: no round was accepted"
             : fmt::format("{}, an approximation from {} of {} rounds",
                           with_interval(evaluation.value(result.loss),
                                         evaluation.values(result.interval), decimals),
                           grouped_digits(result.accepted), grouped_digits(result.rounds))});
  }
  for (const std::string& warning : evaluation.warnings()) {
    facts.push_back({"Warning", warning});
  }
  return facts;
}

Report::Listing arms_listing(const LogEvaluation& evaluation, const std::vector<Arm>& arms) {
  const int decimals = outcome_decimals(evaluation);
  return {.table = kArmsTable,
          .title = "Arms",
          .caption = fmt::format(
              "{}Mean {} with {} intervals: low and high by empirical Bernstein, and by the "
              "bootstrap where there are enough rounds. Effective rounds: the number of rounds in "
              "which the arm would have had to be played to be known equally well. Tiny: rounds in "
              "which the chance to observe it was below {}.",
              arms.size() < evaluation.problem.names.size()
                  ? fmt::format("The best {} of {} arms. ", grouped_digits(arms.size()),
                                grouped_digits(evaluation.problem.names.size()))
                  : "",
              outcome_word(evaluation), percent_text(evaluation), evaluation.options.tiny),
          .columns = {{"rank", "Rank"},
                      {"arm", "Arm"},
                      {"method", "Method"},
                      {"estimate", "Estimate", decimals},
                      {"low", "Low", decimals},
                      {"high", "High", decimals},
                      {"bootstrap_low", "Bootstrap low", decimals},
                      {"bootstrap_high", "Bootstrap high", decimals},
                      {"rounds", "Rounds"},
                      {"effective_rounds", "Effective rounds", 0},
                      {"tiny", "Tiny"}}};
}

}  // namespace

int outcome_decimals(const LogEvaluation& evaluation) {
  std::vector<double> values = {evaluation.value(evaluation.losses.logged)};
  std::vector<double> halves;
  for (const MethodEstimates& method : evaluation.losses.methods) {
    for (const ArmEstimate& arm : method.arms) {
      if (arm.loss.estimate) {
        const Interval limits = evaluation.values(arm.loss.bernstein);
        values.push_back(evaluation.value(*arm.loss.estimate));
        halves.push_back((limits.high - limits.low) / 2);
      }
    }
  }
  return column_decimals(values, halves);
}

Report evaluation_report(const LogEvaluation& evaluation, const std::string& command) {
  const std::vector<Arm> arms = listed_arms(evaluation);
  Report report;
  report.title = "Evaluation of a log";
  report.subtitle =
      fmt::format("What every arm would have {} in the rounds of the log.",
                  evaluation.problem.outcome.kind == OutcomeKind::reward ? "earned" : "cost");
  report.command = command;
  report.version = kVersion;
  report.seed = std::to_string(evaluation.options.seed);
  report.facts = evaluation_facts(evaluation);
  report.listings = {arms_listing(evaluation, arms)};
  report.figures = {intervals_figure(evaluation, arms)};
  report.tables = {{kArmsTable, arms_csv(evaluation, arms)}};
  if (std::ranges::any_of(evaluation.losses.methods, [](const MethodEstimates& method) {
        return method.regret.has_value();
      })) {
    report.listings.push_back(regret_listing(evaluation));
    report.tables.push_back({kRegretTable, regret_csv(evaluation)});
  }
  return report;
}

}  // namespace hearsay
