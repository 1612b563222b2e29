// The catalogues of graph families, kinds of losses and noise laws, and the defaults of options.

#include <string>
#include <string_view>
#include <variant>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/error.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/losses.h"
#include "hearsay/environment/noise.h"
#include "hearsay/experiment/experiment.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/problem/calibrate.h"
#include "hearsay/problem/description.h"
#include "hearsay/problem/evaluate.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

// The options with their defaults; `...` for an option that must be given.
py::dict options_of(const AnyOptions& defaults) {
  py::dict options;
  for (std::size_t i = 0; i < defaults.fields().size(); ++i) {
    const FieldInfo& info = defaults.fields()[i];
    const FieldValue initial = defaults.get(i);
    py::dict option;
    option["default"] =
        has_default(info, initial) ? to_python(info, initial) : py::object(py::ellipsis());
    option["expected"] = expected(info);
    option["summary"] = std::string(info.summary);
    options[py::str(std::string(info.name))] = option;
  }
  return options;
}

py::dict entry_of(const CatalogueEntry& entry, const py::dict& options) {
  py::dict row;
  row["summary"] = std::string(entry.summary);
  row["reference"] = std::string(entry.reference);
  row["options"] = options;
  return row;
}

py::str name_of(const CatalogueEntry& entry) {
  return std::string(entry.name);
}

// The defaults of the options, by their names. An option without a value is left out.
template <class Options>
void add_defaults(py::dict& defaults, const Options& options) {
  const FieldTable<Options>& fields = Options::fields();
  for (std::size_t i = 0; i < fields.infos().size(); ++i) {
    const FieldValue value = fields.get(options, i);
    if (!std::holds_alternative<std::monostate>(value)) {
      defaults[py::str(std::string(fields.infos()[i].name))] = to_python(fields.infos()[i], value);
    }
  }
}

// The core's defaults of what the package's functions take as arguments.
py::dict argument_defaults() {
  py::dict simulate;
  add_defaults(simulate, Experiment{});
  add_defaults(simulate, Noise{});
  simulate["points"] = RecordedRounds{}.count;
  simulate["losses"] = name_of(loss_kinds().front().entry);
  py::dict evaluate;
  add_defaults(evaluate, EvaluateOptions{});
  py::dict calibrate;
  add_defaults(calibrate, CalibrationOptions{});
  calibrate["time_limit"] = kCalibrationTimeLimit;
  py::dict problem;
  add_defaults(problem, ProblemDescription{});
  add_defaults(problem, Outcome{});
  py::dict all;
  all["simulate"] = simulate;
  all["evaluate"] = evaluate;
  all["calibrate"] = calibrate;
  all["Problem"] = problem;
  return all;
}

}  // namespace

void register_catalogues(py::module_& module) {
  module.def("argument_defaults", &argument_defaults);
  module.def(
      "graph_families",
      [] {
        py::dict families;
        for (const GraphFamily& family : graph_families()) {
          py::dict row = entry_of(family.entry, options_of(family.defaults));
          row["random"] = family.is_random;
          families[name_of(family.entry)] = row;
        }
        return families;
      },
      R"(graph_families()
--

The graph families by name, each with its summary, its reference, its options and whether it is random.

``options`` has for each option its default (``...`` if it must be given), the values that it takes, and a summary.

>>> graph_families()["grid"]["options"]["side"]["default"]
5
)");
  module.def(
      "loss_kinds",
      [] {
        py::dict kinds;
        for (const LossKind& kind : loss_kinds()) {
          py::dict row = entry_of(kind.entry, options_of(kind.defaults));
          row["adaptive"] = kind.is_adaptive;
          kinds[name_of(kind.entry)] = row;
        }
        return kinds;
      },
      R"(loss_kinds()
--

The kinds of losses by name, each with its summary, its reference, its options and whether it is adaptive.

>>> loss_kinds()["walks"]["options"]["step"]["default"]
0.01
)");
  module.def(
      "noise_laws",
      [] {
        py::dict laws;
        for (const CatalogueEntry& entry : noise_catalogue()) {
          laws[name_of(entry)] = entry_of(entry, {});
        }
        return laws;
      },
      R"(noise_laws()
--

The noise laws by name, each with its summary and its reference. Their scale is ``noise_bound``.

>>> noise_laws()["gaussian"]["reference"]
'docs/model.md'
)");
}

}  // namespace hearsay::python
