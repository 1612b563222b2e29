// Experiments: made ready, run on threads, and their runs summarized.

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/experiment/experiment_file.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/result.h"
#include "hearsay/work/runner.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

constexpr std::size_t kFigures = 3;  // of a CurvePoint: loss, best_arm_loss, bound

py::object or_none(const std::optional<double>& value) {
  return value ? py::object(py::float_(*value)) : py::none();
}

py::list cells_of(const Plan& plan) {
  py::list cells;
  for (const Cell& cell : plan.cells()) {
    const LearnerSpec& learner = cell.learner;
    py::dict parameters;
    parameters["label"] = cell.label;
    parameters["learner"] = learner.name;
    parameters["noise_bound"] = learner.noise_bound;
    parameters["rate"] = learner.rate ? py::object(py::float_(*learner.rate)) : py::str("adaptive");
    parameters["exploration"] =
        learner.exploration ? py::object(py::float_(*learner.exploration)) : py::str("theory");
    parameters["threshold"] = or_none(learner.threshold);
    parameters["delta"] = or_none(learner.delta);
    parameters["tuning"] =
        learner.tuning ? py::object(py::str(*learner.tuning == Tuning::paper ? "paper" : "sharp"))
                       : py::none();
    parameters["engine"] = kEngines[static_cast<std::size_t>(learner.engine)];
    cells.append(parameters);
  }
  return cells;
}

// By cell, sequence, repetition and point: loss, best_arm_loss, bound.
py::array_t<double> array_of(const Plan& plan, const Records& records) {
  const Experiment& experiment = plan.experiment();
  py::array_t<double> out(std::vector<py::ssize_t>{
      static_cast<py::ssize_t>(plan.cells().size()), static_cast<py::ssize_t>(experiment.sequences),
      static_cast<py::ssize_t>(experiment.repetitions),
      static_cast<py::ssize_t>(plan.points().size()), static_cast<py::ssize_t>(kFigures)});
  double* next = out.mutable_data();
  for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
    for (std::size_t sequence = 0; sequence < experiment.sequences; ++sequence) {
      for (std::size_t repetition = 0; repetition < experiment.repetitions; ++repetition) {
        for (const CurvePoint& record : records.of(sequence, cell, repetition)) {
          next =
              std::ranges::copy(std::array{record.loss, record.best_arm_loss, record.bound}, next)
                  .out;
        }
      }
    }
  }
  return out;
}

// `look(done, total)`, in rounds of single runs, is called about ten times a second.
py::array_t<double> run_plan(const Plan& plan, std::size_t threads, const py::object& look) {
  std::vector<std::size_t> units(plan.units().size());
  std::iota(units.begin(), units.end(), std::size_t{0});
  Records records(plan);
  Ledger ledger(plan, units, records, nullptr);
  {
    const py::gil_scoped_release unlocked;
    // What it throws (Ctrl-C, say) stops the ledger and is thrown again by run().
    run(plan, ledger, threads, [&](const WorkDone& work) {
      const py::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() != 0) {
        throw py::error_already_set();
      }
      if (!look.is_none()) {
        look(work.done, work.total);
      }
    });
  }
  return array_of(plan, records);
}

template <class Figure>
py::array_t<double> column(const std::vector<ResultRow>& rows, Figure figure) {
  py::array_t<double> out(static_cast<py::ssize_t>(rows.size()));
  std::ranges::transform(rows, out.mutable_data(), figure);
  return out;
}

py::array_t<double> column(const std::vector<ResultRow>& rows,
                           std::optional<double> ResultRow::*figure) {
  return column(rows, [figure](const ResultRow& row) {
    return (row.*figure).value_or(std::numeric_limits<double>::quiet_NaN());
  });
}

// `records`: of one cell, by sequence, repetition and point.
py::dict summarize_array(const py::array_t<double>& records,
                         const std::vector<std::uint64_t>& points) {
  if (records.ndim() != 4 || records.shape(2) != static_cast<py::ssize_t>(points.size()) ||
      records.shape(3) != static_cast<py::ssize_t>(kFigures) || records.shape(1) == 0) {
    throw py::value_error("records: expected sequences x repetitions x points x 3");
  }
  std::vector<CurvePoint> all;
  const auto entries = records.unchecked<4>();
  for (py::ssize_t sequence = 0; sequence < records.shape(0); ++sequence) {
    for (py::ssize_t repetition = 0; repetition < records.shape(1); ++repetition) {
      for (py::ssize_t point = 0; point < records.shape(2); ++point) {
        all.push_back({entries(sequence, repetition, point, 0),
                       entries(sequence, repetition, point, 1),
                       entries(sequence, repetition, point, 2)});
      }
    }
  }
  const std::vector<ResultRow> rows =
      summarize_runs(all, static_cast<std::size_t>(records.shape(1)), points);
  py::array_t<std::uint64_t> rounds(static_cast<py::ssize_t>(rows.size()));
  py::array_t<std::uint64_t> runs(static_cast<py::ssize_t>(rows.size()));
  std::ranges::transform(rows, rounds.mutable_data(), &ResultRow::round);
  std::ranges::transform(rows, runs.mutable_data(), &ResultRow::runs);
  py::dict columns;
  columns["round"] = rounds;
  columns["runs"] = runs;
  columns["regret"] = column(rows, &ResultRow::regret);
  columns["regret_sd"] = column(rows, &ResultRow::regret_sd);
  columns["regret_sd_within_sequence"] = column(rows, &ResultRow::regret_sd_within_sequence);
  columns["regret_standard_error"] = column(rows, &ResultRow::regret_standard_error);
  columns["loss"] = column(rows, &ResultRow::loss);
  columns["loss_sd"] = column(rows, &ResultRow::loss_sd);
  columns["best_arm_loss"] = column(rows, &ResultRow::best_arm_loss);
  columns["bound"] = column(rows, &ResultRow::bound);
  return columns;
}

}  // namespace

void register_experiment(py::module_& module) {
  const py::class_<EnvironmentHandle> environment(module, "Environment",
                                                  "An environment of the core, for play().");
  py::class_<Plan>(module, "Plan", "An experiment made ready to run.")
      .def(py::init([](const std::string& text, const std::string& name) {
             return Plan(parse_experiment(text, name));
           }),
           py::arg("text"), py::arg("name"))
      .def_static(
          "read",
          [](const std::string& path, const std::vector<std::string>& overrides) {
            return Plan(
                read_experiment(path, std::vector<Override>(overrides.begin(), overrides.end())));
          },
          py::arg("path"), py::arg("overrides"))
      .def_property_readonly("arms", &Plan::arms)
      .def_property_readonly("name", [](const Plan& plan) { return plan.experiment().name; })
      .def_property_readonly("points",
                             [](const Plan& plan) {
                               return std::vector<std::uint64_t>(plan.points().begin(),
                                                                 plan.points().end());
                             })
      .def_property_readonly("cells", &cells_of)
      .def_property_readonly("toml", [](const Plan& plan) { return to_toml(plan.experiment()); })
      .def(
          "environment",
          [](const Plan& plan, std::size_t sequence) {
            return EnvironmentHandle{plan.environment(sequence)};
          },
          py::arg("sequence"))
      .def("run", &run_plan, py::arg("threads"), py::arg("look") = py::none());
  module.def("summarize", &summarize_array, py::arg("records"), py::arg("points"));
  refuse_unmade<EnvironmentHandle>();
  refuse_unmade<Plan>();
}

}  // namespace hearsay::python
