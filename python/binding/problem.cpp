// Problem, as hearsay/problem.py uses it: names and texts in, numbers and texts out.

#include "hearsay/problem/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/base/error.h"
#include "hearsay/problem/problem_file.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

// The error with the name of the argument in place of a key that files have in the table of the
// argument. No two tables share one of these keys.
Error at_argument(const Error& error) {
  const std::string& key = error.place();
  if (key == "name") {
    return {"learner", error.message()};
  }
  if (key == "arcs") {
    return {"graph", error.message()};
  }
  const bool is_of_outcome = key == "kind" || key == "low" || key == "high";
  return is_of_outcome ? Error("outcome", fmt::format("{} {}", key, error.message())) : error;
}

ProblemDescription parse_arguments(const std::string& json) {
  try {
    return parse_problem_json(json, "");
  } catch (const Error& error) {
    throw at_argument(error);
  }
}

ProblemDescription description_of(const std::string& json, const std::optional<Graph>& graph) {
  ProblemDescription description = parse_arguments(json);
  if (graph) {
    description.graph = *graph;
  }
  return description;
}

py::tuple as_tuple(const Choice& choice) {
  return py::make_tuple(choice.id, choice.name, choice.arm, choice.probability);
}

// Returns how many readings so far were beyond the noise bound. The caller looks at this count
// after every round; to ask for the dict of all counts would take it half a microsecond longer.
std::uint64_t tell(Problem& self, std::uint64_t id, double outcome, const py::dict& readings,
                   bool are_observations) {
  UserFeedback feedback{.outcome = outcome,
                        .form = are_observations ? ReadingForm::observation : ReadingForm::reading};
  for (const auto& [name, value] : readings) {
    feedback.readings.push_back(
        {self.names().find(name.cast<std::string>()),
         value.is_none() ? std::nullopt : std::optional(value.cast<double>())});
  }
  self.tell(id, feedback);
  return self.counts().beyond_noise_bound;
}

py::dict counts_of(const Problem& self) {
  const ProblemCounts& counts = self.counts();
  py::dict out;
  out["decisions"] = counts.decisions;
  out["rounds"] = counts.rounds;
  out["clipped"] = counts.clipped;
  out["thinned"] = counts.thinned;
  out["restricted"] = counts.restricted;
  out["beyond_noise_bound"] = counts.beyond_noise_bound;
  return out;
}

}  // namespace

void register_problem(py::module_& module) {
  py::class_<Problem>(module, "ProblemCore")
      .def(py::init(
          [](const std::string& json, const std::optional<Graph>& graph, const std::string& log) {
            return Problem(description_of(json, graph), log);
          }))
      .def_static(
          "restore",
          [](const py::bytes& state) { return Problem::restore(static_cast<std::string>(state)); })
      .def_static("restore_from_log",
                  [](const std::string& path, bool append) {
                    return until_signalled([&] {
                      return Problem::restore_from_log(
                          path, append ? AfterRestoring::append : AfterRestoring::close);
                    });
                  })
      .def_static("continue_log",
                  [](const std::string& json, const std::string& path) {
                    return until_signalled(
                        [&] { return Problem::continue_log(parse_problem_json(json, ""), path); });
                  })
      .def("choose", [](Problem& self, const std::optional<std::vector<std::string>>& available,
                        const std::string& time) { return as_tuple(self.choose(available, time)); })
      .def("tell", &tell)
      .def("forget", &Problem::forget)
      .def("set_graph", [](Problem& self, const Graph& graph) { self.set_graph(graph); })
      .def("graph", &Problem::graph)
      .def("names", [](const Problem& self) { return self.names().list(); })
      .def("learner", [](const Problem& self) { return learner_of(self.description()).name; })
      .def("noise_bound", [](const Problem& self) { return noise_bound_of(self.description()); })
      .def("certificate", &Problem::certificate)
      .def("probabilities",
           [](const Problem& self) {
             const std::span<const double> values = self.probabilities();
             return std::vector<double>(values.begin(), values.end());
           })
      .def("outstanding", &Problem::outstanding)
      .def("counts", &counts_of)
      .def("noise_warning", &noise_warning)
      .def("to_json", [](const Problem& self) { return to_json(self.description()); })
      .def("to_toml", [](const Problem& self) { return to_toml(self.description()); })
      .def("save", [](const Problem& self) { return py::bytes(self.save()); });
  refuse_unmade<Problem>();
  module.def("read_problem", [](const std::string& path) { return to_json(read_problem(path)); });
  module.def("problem_of_segment", [](const std::string& json, const std::string& segment) {
    return to_json(problem_of_segment(parse_problem_json(json, ""), segment));
  });
  module.def("log_name_of_segment", &log_name_of_segment);
}

}  // namespace hearsay::python
