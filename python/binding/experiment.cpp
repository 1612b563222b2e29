// Experiments, and what run_experiment() makes of them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "hearsay/base/distributions.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/student.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/report/comparison_report.h"
#include "hearsay/report/experiment_report.h"
#include "hearsay/report/html.h"
#include "hearsay/report/series.h"
#include "hearsay/runner/run_experiment.h"
#include "hearsay/version.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

// For every cell its label, its learner and the parameters that are columns of the results.
py::list cells_of(const Plan& plan) {
  const FieldTable<LearnerSpec>& fields = LearnerSpec::fields();
  py::list cells;
  for (const Cell& cell : plan.cells()) {
    py::dict columns;
    columns["label"] = cell.label;
    columns["learner"] = cell.learner.name;
    std::size_t column = 0;
    const std::vector<Parameter> texts = parameters(cell.learner);
    for (std::size_t i = 0; i < fields.infos().size(); ++i) {
      const FieldInfo& info = fields.infos()[i];
      if (info.in_experiments) {
        const bool is_empty = texts[column++].value.empty();
        columns[py::str(std::string(info.name))] =
            is_empty ? py::none() : to_python(info, fields.get(cell.learner, i));
      }
    }
    cells.append(columns);
  }
  return cells;
}

// The values of the rows as arrays, by the names of their columns. NaN: there is no such value.
py::dict columns_of(std::span<const ResultRow> rows) {
  const auto size = static_cast<py::ssize_t>(rows.size());
  // Signed, so that differences of rounds can be negative.
  py::array_t<std::int64_t> rounds(size);
  py::array_t<std::int64_t> runs(size);
  std::ranges::transform(rows, rounds.mutable_data(), &ResultRow::round);
  std::ranges::transform(rows, runs.mutable_data(), &ResultRow::runs);
  py::dict columns;
  columns["round"] = rounds;
  columns["runs"] = runs;
  for (const ResultColumn& column : kResultColumns) {
    py::array_t<double> values(size);
    std::ranges::transform(rows, values.mutable_data(), [&](const ResultRow& row) {
      return column.get(row).value_or(std::numeric_limits<double>::quiet_NaN());
    });
    columns[py::str(std::string(column.name))] = values;
  }
  return columns;
}

// The rows of one cell, from its runs: sequences x repetitions x points x values of a CurvePoint.
py::dict summarize_cell(const py::array_t<double, py::array::c_style>& runs,
                        const std::vector<std::uint64_t>& points) {
  constexpr auto kValues = static_cast<py::ssize_t>(kCurveValues.size());
  if (runs.ndim() != 4 || runs.shape(2) != static_cast<py::ssize_t>(points.size()) ||
      runs.shape(3) != kValues || runs.shape(1) == 0) {
    throw py::value_error("runs: expected sequences x repetitions x points x 3");
  }
  std::vector<CurvePoint> all(static_cast<std::size_t>(runs.size() / kValues));
  const double* next = runs.data();
  for (CurvePoint& point : all) {
    for (const auto value : kCurveValues) {
      point.*value = *next++;
    }
  }
  return columns_of(summarize_runs(all, static_cast<std::size_t>(runs.shape(1)), points));
}

// The values of every run, with a row for each row of columns_of(): rows x sequences x repetitions
// x values of a CurvePoint. None if the runs are not known, as those of results that were found in
// a directory.
py::object runs_of(const ExperimentResult& result) {
  if (result.status != RunStatus::finished) {
    return py::none();
  }
  const Plan& plan = result.plan;
  const std::size_t sequences = plan.experiment().sequences;
  const std::size_t repetitions = plan.experiment().repetitions;
  const std::size_t points = plan.points().size();
  const auto size = [](std::size_t number) { return static_cast<py::ssize_t>(number); };
  py::array_t<double> runs({size(plan.cells().size() * points), size(sequences), size(repetitions),
                            size(kCurveValues.size())});
  auto entries = runs.mutable_unchecked<4>();
  for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
    for (std::size_t sequence = 0; sequence < sequences; ++sequence) {
      for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
        const std::span<const CurvePoint> curve = result.curves.of(sequence, cell, repetition);
        for (std::size_t point = 0; point < points; ++point) {
          for (std::size_t value = 0; value < kCurveValues.size(); ++value) {
            entries(size(cell * points + point), size(sequence), size(repetition), size(value)) =
                curve[point].*kCurveValues[value];
          }
        }
      }
    }
  }
  return runs;
}

// What runs_of() gave, as the curves of the plan. Throws if it has another shape.
Curves curves_of(const Plan& plan, const py::array_t<double, py::array::c_style>& runs) {
  const std::size_t points = plan.points().size();
  const auto size = [](std::size_t number) { return static_cast<py::ssize_t>(number); };
  if (runs.ndim() != 4 || runs.shape(0) != size(plan.cells().size() * points) ||
      runs.shape(1) != size(plan.experiment().sequences) ||
      runs.shape(2) != size(plan.experiment().repetitions) ||
      runs.shape(3) != size(kCurveValues.size())) {
    throw py::value_error("runs: expected rows x sequences x repetitions x 3");
  }
  const auto entries = runs.unchecked<4>();
  Curves curves(plan);
  for (const Unit& unit : plan.units()) {
    const std::span<CurvePoint> all = curves.of(unit);
    for (std::size_t run = 0; run < unit.runs(); ++run) {
      for (std::size_t point = 0; point < points; ++point) {
        for (std::size_t value = 0; value < kCurveValues.size(); ++value) {
          all[run * points + point].*kCurveValues[value] =
              entries(size(unit.cell * points + point), size(unit.sequence), size(unit.begin + run),
                      size(value));
        }
      }
    }
  }
  return curves;
}

// A page whose reader is told how to run the experiment again.
std::string page_with(Report report, const std::optional<std::string>& title,
                      const std::string& command) {
  report.command = command;
  if (title) {
    report.title = *title;
  }
  return report_html(report);
}

// The page of `hearsay run`.
std::string experiment_page(const Plan& plan, const py::array_t<double, py::array::c_style>& runs,
                            const std::optional<std::string>& title, const std::string& command) {
  const Curves curves = curves_of(plan, runs);
  const ResultTables tables = result_tables(plan, curves, summarize(plan, curves));
  return page_with(experiment_report(plan, tables), title, command);
}

std::optional<double> known(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

// A curve with its values at the last round, if it reaches that: the mean regret, its standard
// error and the bound, NaN where there is none, and the regret of each run.
ComparedCurve compared_curve(std::string name, std::string label, std::string learner, bool ours,
                             const std::optional<std::array<double, 3>>& last,
                             std::vector<double> last_regrets) {
  ComparedCurve curve{.name = std::move(name),
                      .label = std::move(label),
                      .learner = std::move(learner),
                      .ours = ours,
                      .last = std::nullopt,
                      .last_regrets = std::move(last_regrets)};
  if (last) {
    curve.last.emplace();
    curve.last->regret = (*last)[0];
    curve.last->regret_standard_error = known((*last)[1]);
    curve.last->bound = known((*last)[2]);
  }
  return curve;
}

// The rows of ranking.csv. NaN: there is no such value.
py::list ranking_of(const CurveComparison& comparison) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  py::list rows;
  for (const RankedRow& each : rank_curves(comparison)) {
    const ComparedCurve& curve = comparison.curves[each.row.cell];
    const double half_width = each.regret_half_width.value_or(kNone);
    const double difference_half_width = each.difference_half_width.value_or(kNone);
    py::dict row;
    row["rank"] = each.rank;
    row["name"] = curve.name;
    row["learner"] = curve.learner;
    row["regret"] = each.row.regret;
    row["regret_low"] = each.row.regret - half_width;
    row["regret_high"] = each.row.regret + half_width;
    row["difference"] = each.difference;
    row["difference_low"] = each.difference - difference_half_width;
    row["difference_high"] = each.difference + difference_half_width;
    row["bound"] = each.row.bound.value_or(kNone);
    rows.append(row);
  }
  return rows;
}

// `plan`: the experiment of which these are some of the curves, or None if no experiment describes
// them. `settings` is then what is known of it. `results`: the table of the curves.
std::string comparison_page(const CurveComparison& comparison, const Plan* plan,
                            const std::string& results, const std::string& settings,
                            const std::optional<std::string>& title, const std::string& command) {
  Report report;
  if (plan != nullptr) {
    report = experiment_report(*plan, {});
  } else {
    report.version = kVersion;
    report.settings = settings;
  }
  set_curves(report, comparison, results);
  return page_with(std::move(report), title, command);
}

// `words`: parameters of the learner as text, of which those that take words count.
bool is_ours_with(const std::string& learner, const std::map<std::string, std::string>& words) {
  LearnerSpec spec{.name = learner};
  const FieldTable<LearnerSpec>& fields = LearnerSpec::fields();
  for (std::size_t i = 0; i < fields.infos().size(); ++i) {
    const FieldInfo& info = fields.infos()[i];
    if (const auto word = words.find(std::string(info.name));
        info.type == FieldType::word && word != words.end()) {
      fields.set(spec, i, word->second);
    }
  }
  return is_ours(spec);
}

std::vector<Override> to_overrides(const std::vector<std::string>& assignments,
                                   std::optional<std::uint64_t> seed) {
  std::vector<Override> overrides;  // with the names of run()'s arguments
  for (const std::string& each : assignments) {
    overrides.emplace_back(each, "overrides");
  }
  if (seed) {
    overrides.emplace_back("seed=" + std::to_string(*seed), "seed");
  }
  return overrides;
}

// `progress(done, total)`, in rounds of single runs, is called about ten times a second.
std::unique_ptr<ExperimentResult> run(const Experiment& experiment, std::size_t threads,
                                      const std::string& out, bool resume, bool force,
                                      const py::object& progress,
                                      const std::vector<std::string>& inputs,
                                      const py::object& record) {
  RunOptions options;
  options.threads = threads;
  options.out = out;
  options.inputs = inputs;
  options.existing = force ? Existing::replace : resume ? Existing::resume : Existing::refuse;
  if (!record.is_none()) {
    options.record = [&] {
      const py::gil_scoped_acquire locked;
      return record().cast<std::string>();
    };
  }
  // What this throws ends the run, and run_experiment() throws it again.
  options.progress = [&](const WorkDone& work) {
    raise_if_signalled();
    const py::gil_scoped_acquire locked;
    if (!progress.is_none()) {
      progress(work.done, work.total);
    }
    return true;
  };
  // Before units are computed, this thread makes the graphs.
  return until_signalled(
      [&] { return std::make_unique<ExperimentResult>(run_experiment(experiment, options)); });
}

}  // namespace

void register_experiment(py::module_& module) {
  const py::class_<EnvironmentHandle> environment(module, "Environment",
                                                  "An environment of the core, for play().");
  py::class_<Experiment>(module, "Experiment", "The description of an experiment.")
      .def_static(
          "parse",
          [](const std::string& text, const std::vector<std::string>& overrides,
             std::optional<std::uint64_t> seed, const FilesInMemory& files) {
            return parse_experiment(text, "", to_overrides(overrides, seed), files);
          },
          py::arg("text"), py::arg("overrides") = std::vector<std::string>(),
          py::arg("seed") = py::none(), py::arg("files") = FilesInMemory())
      .def_static(
          "read",
          [](const std::string& path, const std::vector<std::string>& overrides,
             std::optional<std::uint64_t> seed) {
            return read_experiment(path, to_overrides(overrides, seed));
          },
          py::arg("path"), py::arg("overrides") = std::vector<std::string>(),
          py::arg("seed") = py::none())
      .def_readonly("name", &Experiment::name)
      .def_property_readonly("toml", [](const Experiment& self) { return to_toml(self); });
  py::class_<Plan>(module, "Plan", "An experiment made ready to run.")
      .def(py::init<Experiment>(), py::arg("experiment"))
      .def_property_readonly("name", [](const Plan& plan) { return plan.experiment().name; })
      .def_property_readonly("arms", &Plan::arms)
      .def_property_readonly("points",
                             [](const Plan& plan) {
                               return std::vector<std::uint64_t>(plan.points().begin(),
                                                                 plan.points().end());
                             })
      .def_property_readonly("cells", &cells_of)
      .def_property_readonly("sequences",
                             [](const Plan& plan) { return plan.experiment().sequences; })
      .def_property_readonly("repetitions",
                             [](const Plan& plan) { return plan.experiment().repetitions; })
      .def(
          "environment",
          [](const Plan& plan, std::size_t sequence) {
            return EnvironmentHandle{plan.environment(sequence)};
          },
          py::arg("sequence"));
  py::class_<ExperimentResult>(module, "ExperimentResult", "An experiment that was run.")
      .def_readonly("plan", &ExperimentResult::plan)
      .def_property_readonly("columns",
                             [](const ExperimentResult& result) { return columns_of(result.rows); })
      .def_property_readonly("runs", &runs_of);
  module.def("run_experiment", &run, py::arg("experiment"), py::arg("threads"), py::arg("out") = "",
             py::arg("resume") = false, py::arg("force") = false, py::arg("progress") = py::none(),
             py::arg("inputs") = std::vector<std::string>(), py::arg("record") = py::none());
  module.def(
      "report_html", [](const std::string& json) { return report_html(parse_report(json)); },
      py::arg("json"));
  module.def("is_ours", &is_ours_with, py::arg("learner"), py::arg("words"));
  module.def("is_oracle", &is_oracle, py::arg("learner"));
  module.def("experiment_page", &experiment_page, py::arg("plan"), py::arg("runs"),
             py::arg("title"), py::arg("command"));
  py::class_<ComparedCurve>(module, "ComparedCurve", "A curve of a report.")
      .def(py::init(&compared_curve), py::arg("name"), py::arg("label"), py::arg("learner"),
           py::arg("ours"), py::arg("last"), py::arg("last_regrets"));
  py::class_<CurveComparison>(module, "CurveComparison", "Curves that a report compares.")
      .def(py::init([](std::vector<ComparedCurve> curves, std::uint64_t rounds,
                       std::size_t sequences, std::size_t repetitions) {
             return CurveComparison{std::move(curves), {rounds, sequences, repetitions}};
           }),
           py::arg("curves"), py::arg("rounds"), py::arg("sequences"), py::arg("repetitions"))
      .def("ranking", &ranking_of)
      .def_property_readonly("caption",
                             [](const CurveComparison& self) { return ranking_caption(self); })
      .def("page", &comparison_page, py::arg("plan"), py::arg("results"), py::arg("settings"),
           py::arg("title"), py::arg("command"));
  module.def(
      "curve_names",
      [](const std::vector<std::string>& columns,
         const std::vector<std::vector<std::string>>& curves) {
        return curve_names(columns, curves);
      },
      py::arg("columns"), py::arg("curves"));
  // Numbers are written as the program writes them: in files, in texts, and in tables.
  module.def(
      "number_text", [](double number) { return field_text({}, number); }, py::arg("number"));
  module.def("counted", &counted, py::arg("count"), py::arg("noun"));
  module.def("with_decimals", &with_decimals, py::arg("number"), py::arg("decimals"));
  module.def(
      "column_decimals",
      [](const std::vector<double>& values, const std::vector<double>& errors) {
        return column_decimals(values, errors);
      },
      py::arg("values"), py::arg("errors"));
  // Intervals and p-values have the bits of those that the program writes.
  module.def("student_quantile_95", &student_quantile_95, py::arg("degrees"));
  module.def("student_tail", &student_tail, py::arg("t"), py::arg("degrees"));
  module.def("summarize", &summarize_cell, py::arg("runs"), py::arg("points"));
  refuse_unmade<EnvironmentHandle>();
  refuse_unmade<Experiment>();
  refuse_unmade<Plan>();
  refuse_unmade<ExperimentResult>();
  refuse_unmade<ComparedCurve>();
  refuse_unmade<CurveComparison>();
}

}  // namespace hearsay::python
