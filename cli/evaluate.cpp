#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/messages.h"
#include "cli/output_files.h"
#include "cli/shared_options.h"
#include "cli/stop_signals.h"
#include "cli/text_table.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/text.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/problem/evaluate_log.h"
#include "hearsay/report/evaluation_report.h"
#include "hearsay/report/html.h"

namespace hearsay::cli {
namespace {

std::string method_name(Method method) {
  return std::string(kMethods[static_cast<std::size_t>(method)]);
}

// Prints an evaluation, all outcomes with the same number of decimals.
class EvaluationPrinter {
 public:
  explicit EvaluationPrinter(const LogEvaluation& evaluation)
      : evaluation_(evaluation), decimals_(outcome_decimals(evaluation)) {}

  void print() const {
    const Evaluation& losses = evaluation_.losses;
    const Outcome& outcome = evaluation_.problem.outcome;
    std::cout << fmt::format(
        "mean {} of each arm over {}, with {:g} % intervals, the best first by {}\n",
        kOutcomeKinds[static_cast<std::size_t>(outcome.kind)], counted(losses.rounds, "round"),
        100 * evaluation_.options.confidence, method_name(losses.first().method));
    print_table(arms_table());
    std::cout << fmt::format(
        "logged policy: {}\n",
        with_limits(evaluation_.value(losses.logged), evaluation_.values(losses.logged_interval)));
    for (const MethodEstimates& method : losses.methods) {
      if (method.regret) {
        const MeanEstimate& regret = method.regret->regret;
        std::cout << fmt::format("regret per round against {} by {}: {}\n",
                                 on_one_line(evaluation_.problem.names[method.regret->best]),
                                 method_name(method.method),
                                 with_limits(evaluation_.difference(*regret.estimate),
                                             {evaluation_.difference(regret.bernstein.low),
                                              evaluation_.difference(regret.bernstein.high)}));
      }
    }
    if (evaluation_.learner) {
      const PlayResult& result = evaluation_.learner->result;
      std::cout << fmt::format(
          "{} {} (an approximation): {}, {} of {} accepted\n", evaluation_.learner->spec.name,
          words_of(evaluation_.options.play),
          result.accepted == 0
              ? "no estimate"
              : with_limits(evaluation_.value(result.loss), evaluation_.values(result.interval)),
          grouped_digits(result.accepted), counted(result.rounds, "round"));
    }
  }

 private:
  std::string limits(const Interval& interval) const {
    return fmt::format("{} to {}", with_decimals(interval.low, decimals_),
                       with_decimals(interval.high, decimals_));
  }

  std::string with_limits(double value, const Interval& interval) const {
    return fmt::format("{} ({})", with_decimals(value, decimals_), limits(interval));
  }

  TextTable arms_table() const {
    TextTable table = {.columns = {{"arm", TextTable::Align::left},
                                   {"method", TextTable::Align::left},
                                   {"estimate"},
                                   {"Bernstein"},
                                   {"bootstrap"},
                                   {"rounds"},
                                   {"effective"},
                                   {"tiny"}},
                       .rows = {}};
    for (const Arm arm : evaluation_.best_first()) {
      for (const MethodEstimates& method : evaluation_.losses.methods) {
        const ArmEstimate& estimate = method.arms[arm];
        const MeanEstimate& loss = estimate.loss;
        const bool is_first = &method == evaluation_.losses.methods.data();
        table.rows.push_back(
            {is_first ? on_one_line(evaluation_.problem.names[arm]) : "",
             method_name(method.method),
             loss.estimate ? with_decimals(evaluation_.value(*loss.estimate), decimals_) : "",
             limits(evaluation_.values(loss.bernstein)),
             loss.bootstrap ? limits(evaluation_.values(*loss.bootstrap)) : "",
             grouped_digits(estimate.rounds), with_decimals(estimate.effective_rounds, 0),
             grouped_digits(estimate.tiny)});
      }
    }
    return table;
  }

  const LogEvaluation& evaluation_;
  int decimals_;
};

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
    with_options_named({"learner"}, [&] {
      options.use([&](const AnyOptions& given) {
        parameters.use([&](const AnyOptions& of_learner) {
          evaluate(given.as<EvaluateOptions>(), of_learner.as<LearnerSpec>());
        });
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
    const std::string name = name_of_input(log);
    const auto input = log == "-" ? std::make_unique<InputStream>(STDIN_FILENO, name)
                                  : std::make_unique<InputStream>(log);
    const LogEvaluation evaluation = evaluate_log(*input, name, given, played);
    if (!report.empty()) {
      Report made = evaluation_report(evaluation, again());
      made.input = name;
      const std::string page = report_html(made);
      const InterruptibleBySignals interruptible;
      write_file(report, page);
    }
    if (json) {
      std::cout << evaluation_json(evaluation) << '\n';
    } else {
      EvaluationPrinter(evaluation).print();
    }
    for (const std::string& warning : evaluation.warnings()) {
      print_warning(warning);
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
                       "also play this learner on the log (see `hearsay list`); its parameters are "
                       "the options below")
          ->type_name("LEARNER");
  command->get_option("--play")->needs(learner);
  // --noise-bound is that of the evaluation. A learner plays a log as it plays an experiment, so it
  // has the same parameters.
  std::vector<std::string_view> left_out = {"noise_bound"};
  for (const FieldInfo& info : LearnerSpec::fields().infos()) {
    if (!info.in_experiments) {
      left_out.push_back(info.name);
    }
  }
  for (CLI::Option* parameter : add_parameters(*command, call->parameters, left_out)) {
    parameter->needs(learner);
  }
  command->footer(
      "Example:\n"
      "  hearsay evaluate examples/data/log.jsonl --learner exp3-ivc\n"
      "  hearsay evaluate examples/data/log.jsonl --report evaluation.html");
  command->callback([call] { call->run(); });
}

}  // namespace hearsay::cli
