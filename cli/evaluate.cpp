#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/messages.h"
#include "cli/output_files.h"
#include "cli/shared_options.h"
#include "cli/text_table.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/problem/evaluate_log.h"
#include "hearsay/report/evaluation_report.h"
#include "hearsay/report/html.h"

namespace hearsay::cli {
namespace {

std::string limits_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("[{}, {}]", four_digits(interval->low), four_digits(interval->high))
                  : "";
}

std::string method_name(Method method) {
  return std::string(kMethods[static_cast<std::size_t>(method)]);
}

TextTable arms_table(const LogEvaluation& evaluation) {
  TextTable table = {
      {"arm", "method", "estimate", "Bernstein", "bootstrap", "rounds", "effective", "tiny"}};
  for (const Arm arm : evaluation.best_first()) {
    for (const MethodEstimates& method : evaluation.losses.methods) {
      const ArmEstimate& estimate = method.arms[arm];
      const MeanEstimate& loss = estimate.loss;
      table.push_back(
          {&method == evaluation.losses.methods.data() ? on_one_line(evaluation.problem.names[arm])
                                                       : "",
           method_name(method.method),
           loss.estimate ? four_digits(evaluation.value(*loss.estimate)) : "",
           limits_text(evaluation.values(loss.bernstein)),
           loss.bootstrap ? limits_text(evaluation.values(*loss.bootstrap)) : "",
           fmt::format("{}", estimate.rounds), fmt::format("{:.0f}", estimate.effective_rounds),
           fmt::format("{}", estimate.tiny)});
    }
  }
  return table;
}

void print_evaluation(const LogEvaluation& evaluation) {
  const Evaluation& losses = evaluation.losses;
  const Outcome& outcome = evaluation.problem.outcome;
  std::cout << fmt::format(
      "mean {} of each arm over {} rounds, with {:g} % intervals, the best first by {}\n",
      kOutcomeKinds[static_cast<std::size_t>(outcome.kind)], losses.rounds,
      100 * evaluation.options.confidence, method_name(losses.first().method));
  print_table(arms_table(evaluation));
  std::cout << fmt::format("logged policy: {} {}\n", four_digits(evaluation.value(losses.logged)),
                           limits_text(evaluation.values(losses.logged_interval)));
  for (const MethodEstimates& method : losses.methods) {
    if (method.regret) {
      const MeanEstimate& regret = method.regret->regret;
      std::cout << fmt::format("regret per round to {} by {}: {} {}\n",
                               on_one_line(evaluation.problem.names[method.regret->best]),
                               method_name(method.method),
                               four_digits(evaluation.difference(*regret.estimate)),
                               limits_text(Interval{evaluation.difference(regret.bernstein.low),
                                                    evaluation.difference(regret.bernstein.high)}));
    }
  }
  if (evaluation.learner) {
    const RejectionResult& result = evaluation.learner->result;
    std::cout << fmt::format(
        "{} by rejection (an approximation): {} {}, {} of {} rounds accepted\n",
        evaluation.learner->spec.name,
        result.accepted == 0 ? "no estimate" : four_digits(evaluation.value(result.loss)),
        limits_text(evaluation.values(result.interval)), result.accepted, result.rounds);
  }
}

struct EvaluateCall {
  std::string log;
  FieldOptions options = FieldOptions(EvaluateOptions{});
  std::optional<std::string> learner;
  FieldOptions parameters = FieldOptions(LearnerSpec{});
  std::string report;
  bool json = false;

  void run() const {
    check_outputs(log, {{"--report", report}});
    check_report(report);
    options.use([&](const AnyOptions& given) {
      parameters.use([&](const AnyOptions& of_learner) {
        evaluate(given.as<EvaluateOptions>(), of_learner.as<LearnerSpec>());
      });
    });
  }

 private:
  // The command that repeats this call.
  std::string again() const {
    return fmt::format("hearsay evaluate {}{}{}{}", shell_path(log), options.words_given(),
                       learner ? " --learner " + shell_word(*learner) : "",
                       parameters.words_given());
  }

  void evaluate(const EvaluateOptions& given, LearnerSpec spec) const {
    std::optional<LearnerSpec> played;
    if (learner) {
      spec.name = *learner;
      played = std::move(spec);
    }
    const bool from_stdin = log == "-";
    const std::string name = from_stdin ? "standard input" : log;
    const auto input = from_stdin ? std::make_unique<InputStream>(STDIN_FILENO, name)
                                  : std::make_unique<InputStream>(log);
    const LogEvaluation evaluation = evaluate_log(*input, name, given, played);
    if (!report.empty()) {
      write_file(report, report_html(evaluation_report(evaluation, again())));
    }
    if (json) {
      std::cout << evaluation_json(evaluation) << '\n';
    } else {
      print_evaluation(evaluation);
    }
    for (const std::string& warning : evaluation.warnings()) {
      print_message(warning);
    }
  }
};

}  // namespace

void add_evaluate(CLI::App& app) {
  auto call = std::make_shared<EvaluateCall>();
  CLI::App* command = app.add_subcommand(
      "evaluate", "Estimate what every arm would have earned in the rounds of a log");
  command
      ->add_option(
          "LOG", call->log,
          "the log of a problem, JSON lines; may be compressed by gzip; - for standard input")
      ->required();
  call->options.add_to(*command);
  command->get_option("--noise-bound")->type_name("R");
  add_report(*command, call->report, "the estimates of all arms with their intervals");
  add_json(*command, call->json);
  CLI::Option* learner =
      command
          ->add_option("--learner", call->learner,
                       "also play this learner on the log, by rejection (see `hearsay list`); its "
                       "parameters are the options below")
          ->type_name("LEARNER");
  // --noise-bound is that of the evaluation; and no feedback is late if a learner plays the log.
  for (CLI::Option* parameter :
       add_parameters(*command, call->parameters, {"noise_bound", "delay_rate"})) {
    parameter->needs(learner);
  }
  command->footer(
      "Example:\n"
      "  printf '%s\\n' '{\"hearsay_log\": 1, \"problem\": {\"names\": [\"a\", \"b\"]}}' \\\n"
      "    '{\"decision\": 1, \"arm\": \"a\", \"probability\": 0.5, \"probabilities\": [0.5, "
      "0.5]}' "
      "\\\n"
      "    '{\"feedback\": 1, \"outcome\": 0.25}' | hearsay evaluate -");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
