// The evaluation of logs. The package reads the JSON of the core (hearsay/evaluation.py).

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "hearsay/base/bytes.h"
#include "hearsay/problem/evaluate_log.h"
#include "hearsay/report/evaluation_report.h"
#include "hearsay/report/html.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

// The JSON of an evaluation and of its report. Without `text` the log is the file `name`.
std::pair<std::string, std::string> evaluate(const std::string& name,
                                             const std::optional<py::bytes>& text,
                                             const py::dict& given, const std::string& learner,
                                             const py::dict& parameters) {
  EvaluateOptions options;
  set_fields(options, given, "an option of evaluate()");
  std::optional<LearnerSpec> spec;
  if (!learner.empty()) {
    spec.emplace();
    spec->name = learner;
    set_fields(*spec, parameters, "a parameter of a learner");
  }
  const std::unique_ptr<std::istream> input =
      text ? std::unique_ptr<std::istream>(
                 std::make_unique<std::istringstream>(static_cast<std::string>(*text)))
           : std::make_unique<InputStream>(name);
  return until_signalled([&] {
    const LogEvaluation evaluation = evaluate_log(*input, name, options, spec);
    Report report = evaluation_report(evaluation, "");
    report.input = text ? "" : name;
    return std::pair(evaluation_json(evaluation), report_json(report));
  });
}

}  // namespace

void register_evaluate(py::module_& module) {
  module.def("evaluate", &evaluate, py::arg("name"), py::arg("text"), py::arg("options"),
             py::arg("learner"), py::arg("parameters"));
}

}  // namespace hearsay::python
