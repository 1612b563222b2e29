// Experiments, and what run_experiment() makes of them.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "hearsay/base/interruption.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/runner/run_experiment.h"
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
    for (std::size_t i = 0; i < fields.infos().size(); ++i) {
      const FieldInfo& info = fields.infos()[i];
      if (info.in_experiments) {
        columns[py::str(std::string(info.name))] = to_python(info, fields.get(cell.learner, i));
      }
    }
    cells.append(columns);
  }
  return cells;
}

// The figures of the rows as arrays, by the names of their columns. NaN: there is no such figure.
py::dict columns_of(std::span<const ResultRow> rows) {
  const auto size = static_cast<py::ssize_t>(rows.size());
  py::array_t<std::uint64_t> rounds(size);
  py::array_t<std::uint64_t> runs(size);
  std::ranges::transform(rows, rounds.mutable_data(), &ResultRow::round);
  std::ranges::transform(rows, runs.mutable_data(), &ResultRow::runs);
  py::dict columns;
  columns["round"] = rounds;
  columns["runs"] = runs;
  for (const ResultFigure& figure : kResultFigures) {
    py::array_t<double> values(size);
    std::ranges::transform(rows, values.mutable_data(), [&](const ResultRow& row) {
      return figure.get(row).value_or(std::numeric_limits<double>::quiet_NaN());
    });
    columns[py::str(std::string(figure.name))] = values;
  }
  return columns;
}

// The rows of one cell, from its runs: sequences x repetitions x points x figures of a CurvePoint.
py::dict summarize_cell(const py::array_t<double, py::array::c_style>& runs,
                        const std::vector<std::uint64_t>& points) {
  constexpr auto kFigures = static_cast<py::ssize_t>(kCurveFigures.size());
  if (runs.ndim() != 4 || runs.shape(2) != static_cast<py::ssize_t>(points.size()) ||
      runs.shape(3) != kFigures || runs.shape(1) == 0) {
    throw py::value_error("runs: expected sequences x repetitions x points x 3");
  }
  std::vector<CurvePoint> all(static_cast<std::size_t>(runs.size() / kFigures));
  const double* next = runs.data();
  for (CurvePoint& point : all) {
    for (const auto figure : kCurveFigures) {
      point.*figure = *next++;
    }
  }
  return columns_of(summarize_runs(all, static_cast<std::size_t>(runs.shape(1)), points));
}

std::vector<Override> to_overrides(const std::vector<std::string>& assignments,
                                   std::optional<std::uint64_t> seed) {
  std::vector<Override> overrides(assignments.begin(), assignments.end());
  if (seed) {
    overrides.emplace_back("seed=" + std::to_string(*seed), "--seed");
  }
  return overrides;
}

// `progress(done, total)`, in rounds of single runs, is called about ten times a second.
std::unique_ptr<ExperimentResult> run(const Experiment& experiment, std::size_t threads,
                                      const std::string& out, bool resume, bool force,
                                      const py::object& progress,
                                      const std::vector<std::string>& inputs) {
  RunOptions options;
  options.threads = threads;
  options.out = out;
  options.inputs = inputs;
  options.existing = force ? Existing::replace : resume ? Existing::resume : Existing::refuse;
  const auto throw_if_signalled = [] {  // Ctrl-C
    if (PyErr_CheckSignals() != 0) {
      throw py::error_already_set();
    }
  };
  // What this throws ends the run, and run_experiment() throws it again.
  options.progress = [&](const WorkDone& work) {
    const py::gil_scoped_acquire locked;
    throw_if_signalled();
    if (!progress.is_none()) {
      progress(work.done, work.total);
    }
    return true;
  };
  // Before units are computed, this thread makes the graphs.
  const Interruption interruption([&] {
    const py::gil_scoped_acquire locked;
    throw_if_signalled();
    return false;
  });
  const py::gil_scoped_release unlocked;
  return std::make_unique<ExperimentResult>(run_experiment(experiment, options));
}

}  // namespace

void register_experiment(py::module_& module) {
  const py::class_<EnvironmentHandle> environment(module, "Environment",
                                                  "An environment of the core, for play().");
  py::class_<Experiment>(module, "Experiment", "The description of an experiment.")
      .def_static(
          "parse",
          [](const std::string& text, const std::vector<std::string>& overrides,
             std::optional<std::uint64_t> seed) {
            return parse_experiment(text, "", to_overrides(overrides, seed));
          },
          py::arg("text"), py::arg("overrides") = std::vector<std::string>(),
          py::arg("seed") = py::none())
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
      .def_property_readonly("arms", &Plan::arms)
      .def_property_readonly("points",
                             [](const Plan& plan) {
                               return std::vector<std::uint64_t>(plan.points().begin(),
                                                                 plan.points().end());
                             })
      .def_property_readonly("cells", &cells_of)
      .def(
          "environment",
          [](const Plan& plan, std::size_t sequence) {
            return EnvironmentHandle{plan.environment(sequence)};
          },
          py::arg("sequence"));
  py::class_<ExperimentResult>(module, "ExperimentResult", "An experiment that was run.")
      .def_readonly("plan", &ExperimentResult::plan)
      .def_property_readonly(
          "columns", [](const ExperimentResult& result) { return columns_of(result.rows); });
  module.def("run_experiment", &run, py::arg("experiment"), py::arg("threads"), py::arg("out") = "",
             py::arg("resume") = false, py::arg("force") = false, py::arg("progress") = py::none(),
             py::arg("inputs") = std::vector<std::string>());
  module.def("summarize", &summarize_cell, py::arg("runs"), py::arg("points"));
  refuse_unmade<EnvironmentHandle>();
  refuse_unmade<Experiment>();
  refuse_unmade<Plan>();
  refuse_unmade<ExperimentResult>();
}

}  // namespace hearsay::python
