// Calibration: pairs from columns or a file, and the weights that follow from them.

#include "hearsay/problem/calibrate.h"

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/certificate/deadline.h"
#include "hearsay/problem/pairs.h"
#include "hearsay/report/calibration_report.h"
#include "hearsay/report/html.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

template <class Value, class Get>
py::array_t<Value> column(std::size_t size, Get get) {
  py::array_t<Value> values(static_cast<py::ssize_t>(size));
  auto entries = values.template mutable_unchecked<1>();
  for (std::size_t i = 0; i < size; ++i) {
    entries(static_cast<py::ssize_t>(i)) = get(i);
  }
  return values;
}

Pairs pairs_in_file(const std::string& path, const Outcome& outcome) {
  return until_signalled([&] {
    InputStream input(path);
    return read_pairs(input, path, outcome);
  });
}

// `played` and `seen` are indices of `names`, and `group` of `group_names`.
Pairs pairs_in_columns(const std::vector<std::string>& names, const py::array_t<Arm>& played,
                       const py::array_t<Arm>& seen, const py::object& readings,
                       const py::object& outcomes, const std::vector<std::string>& group_names,
                       const std::optional<py::array_t<std::uint32_t>>& group,
                       const py::object& distances, const Outcome& outcome) {
  const py::array_t<double> reading = real_array(readings, "reading", 1);
  const py::array_t<double> value = real_array(outcomes, "outcome", 1);
  std::optional<py::array_t<double>> distance;
  if (!distances.is_none()) {
    distance = real_array(distances, "distance", 1);
  }
  const auto check_length = [&](const char* name, py::ssize_t size) {
    if (size != played.size()) {
      throw Error(name, fmt::format("has {} rows, expected {} as played", size, played.size()));
    }
  };
  check_length("seen", seen.size());
  check_length("reading", reading.size());
  check_length("outcome", value.size());
  if (group) {
    check_length("group", group->size());
  }
  if (distance) {
    check_length("distance", distance->size());
  }
  PairsBuilder builder(outcome);
  for (py::ssize_t row = 0; row < played.size(); ++row) {
    try {
      PairsBuilder::Row each{.played = names[played.at(row)],
                             .seen = names[seen.at(row)],
                             .reading = reading.at(row),
                             .outcome = value.at(row)};
      if (group) {
        each.group = group_names[group->at(row)];
      }
      if (distance) {
        each.distance = distance->at(row);
      }
      builder.add(each);
    } catch (const Error& error) {
      throw Error(fmt::format("pairs: row {}", row), error.what());
    }
  }
  try {
    return builder.finish();
  } catch (const Error& error) {
    throw Error("pairs", error.what());
  }
}

py::dict groups_of(const Calibration& self) {
  const std::size_t size = self.groups.size();
  const auto whole = [&](std::size_t CalibratedGroup::*member) {
    return column<std::int64_t>(
        size, [&](std::size_t i) { return static_cast<std::int64_t>(self.groups[i].*member); });
  };
  py::list names;
  py::list reasons;
  for (const CalibratedGroup& group : self.groups) {
    names.append(group.name);
    reasons.append(group.no_weight);
  }
  py::dict columns;
  columns["group"] = names;
  columns["arcs"] = whole(&CalibratedGroup::arcs);
  columns["pairs"] = whole(&CalibratedGroup::pairs);
  for (const auto& [name, value] : kGroupColumns) {
    columns[name] =
        column<double>(size, [&, value = value](std::size_t i) { return self.groups[i].*value; });
  }
  columns["no_weight"] = reasons;
  return columns;
}

py::dict arcs_of(const Calibration& self) {
  const std::size_t size = self.arcs.size();
  py::dict columns;
  columns["played"] = column<Arm>(size, [&](std::size_t i) { return self.arcs[i].played; });
  columns["seen"] = column<Arm>(size, [&](std::size_t i) { return self.arcs[i].seen; });
  columns["group"] = column<std::int64_t>(
      size, [&](std::size_t i) { return static_cast<std::int64_t>(self.arcs[i].group); });
  columns["pairs"] = column<std::int64_t>(
      size, [&](std::size_t i) { return static_cast<std::int64_t>(self.arcs[i].pairs); });
  return columns;
}

py::dict held_out_of(const Calibration& self) {
  py::dict held;
  held["pairs"] = self.held_out.pairs;
  held["beyond"] = self.held_out.beyond;
  held["allowed"] = self.held_out.allowed;
  held["mean_square"] = self.held_out.mean_square;
  return held;
}

using IntervalOfAlpha = std::tuple<double, double, bool>;  // lower, upper, exact

EffectiveIndependence from_interval(const IntervalOfAlpha& interval) {
  EffectiveIndependence alpha;
  std::tie(alpha.lower, alpha.upper, alpha.exact) = interval;
  return alpha;
}

// `seconds` are for the independence numbers.
NoiseBoundChoice choice_within(const Calibration& calibration, double seconds) {
  return until_signalled([&] {
    Deadline deadline(seconds_now, seconds);
    return choice_of(calibration, {.stop = [&] { return deadline.is_over(); }},
                     [&](std::size_t, double, double) { deadline.note_bounds(); });
  });
}

}  // namespace

void register_calibration(py::module_& module) {
  py::class_<Pairs>(module, "Pairs")
      .def("__len__", &Pairs::size)
      .def_readonly("names", &Pairs::names)
      .def_readonly("numbered", &Pairs::numbered)
      .def_readonly("own", &Pairs::own);
  py::class_<Calibration>(module, "CalibrationResult")
      .def_property_readonly("noise_bound",
                             [](const Calibration& self) { return self.options.noise_bound; })
      .def_property_readonly("graph", [](const Calibration& self) { return self.graph; })
      .def_property_readonly("groups", &groups_of)
      .def_property_readonly("arcs", &arcs_of)
      .def_property_readonly("held_out", &held_out_of)
      .def_readonly("warnings", &Calibration::warnings)
      // As JSON, for report_with_noise_bounds().
      .def_property_readonly("report", [](const Calibration& self) {
        return report_json(calibration_report(self, ""));
      });
  py::class_<NoiseBoundChoice>(module, "NoiseBoundChoice")
      .def_readonly("noise_bound", &NoiseBoundChoice::noise_bound)
      .def_readonly("calibration", &NoiseBoundChoice::calibration)
      .def_readonly("alpha_star", &NoiseBoundChoice::alpha_star)
      .def_readonly("alpha_r", &NoiseBoundChoice::alpha_r)
      .def_readonly("wix_cost", &NoiseBoundChoice::wix_cost);
  module.def(
      "read_pairs",
      [](const std::string& path, const std::string& outcome, double low, double high) {
        return pairs_in_file(path, outcome_of_pairs(outcome, low, high));
      },
      py::arg("path"), py::arg("outcome"), py::arg("low"), py::arg("high"));
  module.def(
      "make_pairs",
      [](const std::vector<std::string>& names, const py::array_t<Arm>& played,
         const py::array_t<Arm>& seen, const py::object& reading, const py::object& outcomes,
         const std::vector<std::string>& group_names,
         const std::optional<py::array_t<std::uint32_t>>& group, const py::object& distance,
         const std::string& outcome, double low, double high) {
        return pairs_in_columns(names, played, seen, reading, outcomes, group_names, group,
                                distance, outcome_of_pairs(outcome, low, high));
      },
      py::arg("names"), py::arg("played"), py::arg("seen"), py::arg("reading"), py::arg("outcomes"),
      py::arg("group_names"), py::arg("group"), py::arg("distance"), py::arg("outcome"),
      py::arg("low"), py::arg("high"));
  module.def(
      "calibrate",
      [](const Pairs& pairs, const py::dict& options, std::optional<double> noise_bound) {
        CalibrationOptions parsed;
        set_fields(parsed, options, "an option of calibrate()");
        parsed.noise_bound = noise_bound;
        return until_signalled([&] { return calibrate(pairs, parsed); });
      },
      py::arg("pairs"), py::arg("options"), py::arg("noise_bound"));
  module.def("choice_of", &choice_within, py::arg("calibration"), py::arg("seconds"));
  // A report as JSON with the independence numbers: for each noise bound R, alpha* and alpha^R,
  // each as lower, upper and exact, and the cost. `chosen`: the index of that which the report is
  // of. `input`: the file of the pairs; empty: there is none.
  module.def(
      "report_with_noise_bounds",
      [](const std::string& report,
         const std::vector<std::tuple<double, IntervalOfAlpha, IntervalOfAlpha, double>>& choices,
         std::size_t chosen, const std::string& input) {
        std::vector<NoiseBoundNumbers> numbers;
        for (const auto& [noise_bound, alpha_star, alpha_r, cost] : choices) {
          numbers.push_back({.noise_bound = noise_bound,
                             .alpha_star = from_interval(alpha_star),
                             .alpha_r = from_interval(alpha_r),
                             .wix_cost = cost});
        }
        Report parsed = parse_report(report);
        parsed.input = input;
        add_noise_bounds(parsed, numbers, chosen);
        return report_json(parsed);
      },
      py::arg("report"), py::arg("choices"), py::arg("chosen"), py::arg("input"));
  module.def(
      "recommended",
      [](const std::vector<NoiseBoundChoice>& choices) { return recommended(choices); },
      py::arg("choices"));
  refuse_unmade<Pairs>();
  refuse_unmade<Calibration>();
  refuse_unmade<NoiseBoundChoice>();
}

}  // namespace hearsay::python
