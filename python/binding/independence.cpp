// The effective independence number of a graph, and its independence number at a threshold.

#include "hearsay/certificate/independence.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/threads.h"
#include "hearsay/certificate/claims_file.h"
#include "hearsay/certificate/deadline.h"
#include "hearsay/report/html.h"
#include "hearsay/report/independence_report.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

// How long to search, and on how many threads.
struct SearchLimits {
  std::optional<double> seconds;
  unsigned threads = 1;
};

// What effective_independence() returns: the result, and the arguments that it was found with.
struct FoundIndependence : EffectiveIndependence {
  std::optional<double> noise_bound;  // none: it is alpha*
  SearchLimits limits;
};

// Runs `solve` until the time limit or Ctrl-C. It takes the effort and a function to call when the
// first bounds are known.
template <class Solve>
void limited(const SearchLimits& limits, const Solve& solve) {
  if (limits.seconds && !(*limits.seconds >= 0)) {
    throw py::value_error(
        fmt::format("time_limit: is {}, expected seconds, at least 0", *limits.seconds));
  }
  if (limits.threads < 1 || limits.threads > kMostThreads) {
    throw py::value_error(
        fmt::format("threads: is {}, expected 1 to {}", limits.threads, kMostThreads));
  }
  Deadline deadline(seconds_now, limits.seconds);
  std::atomic<bool> interrupted = false;
  Effort effort;
  effort.threads = limits.threads;
  effort.stop = [&] { return interrupted || deadline.is_over(); };
  run_interruptibly([&] { solve(effort, [&] { deadline.note_bounds(); }); },
                    [&] { interrupted = true; });
}

EffectiveIndependence solve_cost(const Graph& graph, const Cost& cost, const SearchLimits& limits) {
  EffectiveIndependence found;
  limited(limits, [&](const Effort& effort, const auto& note_bounds) {
    found = effective_independence(
        graph,
        {.effort = effort, .cost = cost, .progress = [&](double, double) { note_bounds(); }});
  });
  return found;
}

FoundIndependence solve_effective(const py::object& given, std::optional<double> time_limit,
                                  std::optional<double> noise_bound, unsigned threads) {
  const Graph graph = as_graph(given);
  if (noise_bound && !(*noise_bound >= 0 && std::isfinite(*noise_bound))) {
    throw py::value_error(
        fmt::format("noise_bound: is {}, expected a number, at least 0", *noise_bound));
  }
  FoundIndependence found;
  found.noise_bound = noise_bound;
  found.limits = {time_limit, threads};
  static_cast<EffectiveIndependence&>(found) = solve_cost(
      graph, noise_bound ? noise_cost(*noise_bound) : Cost(inverse_square_cost), found.limits);
  return found;
}

IndependenceNumber solve_number(const py::object& given, double threshold,
                                std::optional<double> time_limit, unsigned threads) {
  const Graph graph = as_graph(given);
  if (!(threshold > 0 && threshold <= 1)) {
    throw py::value_error(fmt::format("threshold: is {}, expected a number in (0, 1]", threshold));
  }
  IndependenceNumber result;
  limited({time_limit, threads}, [&](const Effort& effort, const auto& note_bounds) {
    result = independence_number(graph, threshold, effort,
                                 [&](std::size_t, std::size_t) { note_bounds(); });
  });
  return result;
}

// Refuses what cannot have been found in this graph.
void check_found_in(const FoundIndependence& found, const Graph& graph) {
  for (const Arm arm : found.witness) {
    for (const Arm other : found.witness) {
      if (std::max(arm, other) >= graph.arms() ||
          (arm != other && graph.weight(arm, other) >= found.threshold)) {
        throw py::value_error("graph: is not that in which this was found");
      }
    }
  }
}

void write_report(const FoundIndependence& found, const std::filesystem::path& path,
                  const py::object& given) {
  const Graph graph = as_graph(given);
  check_found_in(found, graph);
  IndependenceClaims claims{.arms = graph.arms(), .alpha_star = found};
  if (found.noise_bound) {  // a report of alpha^R has alpha*, too
    claims.alpha_star = solve_cost(graph, Cost(inverse_square_cost), found.limits);
    const EffectiveIndependence& alpha_r = found;
    claims.noise = {.noise_bound = *found.noise_bound, .alpha_r = alpha_r};
  }
  write_file(path.string(), report_html(independence_report(graph, std::span(&claims, 1), "")));
}

template <class Value>
std::optional<Value> value_if(bool known, Value value) {
  return known ? std::optional(value) : std::nullopt;
}

// For pickle: plain numbers, lists and tuples.
py::list cover_state(const Cover& cover) {
  py::list state;
  for (const auto& [arms, bound] : cover) {
    state.append(py::make_tuple(arms, bound));
  }
  return state;
}

Cover restore_cover(const py::handle& state) {
  Cover cover;
  for (const auto& group : state.cast<std::vector<std::pair<std::vector<Arm>, std::size_t>>>()) {
    cover.push_back({group.first, group.second});
  }
  return cover;
}

py::tuple effective_state(const EffectiveIndependence& found) {
  py::list chain;
  for (const auto& [weight, removed, added] : found.chain) {
    chain.append(py::make_tuple(weight, removed, added));
  }
  return py::make_tuple(found.lower, found.upper, found.exact, found.threshold,
                        found.independence_number, found.independence_upper, found.witness, chain,
                        cover_state(found.cover), found.solves);
}

EffectiveIndependence restore_effective(const py::tuple& state) {
  EffectiveIndependence found{.lower = state[0].cast<double>(),
                              .upper = state[1].cast<double>(),
                              .exact = state[2].cast<bool>(),
                              .threshold = state[3].cast<double>(),
                              .independence_number = state[4].cast<std::size_t>(),
                              .independence_upper = state[5].cast<std::size_t>(),
                              .witness = state[6].cast<std::vector<Arm>>(),
                              .cover = restore_cover(state[8]),
                              .solves = state[9].cast<std::uint64_t>()};
  using Link = std::tuple<double, std::vector<Arm>, std::vector<Arm>>;
  for (auto& [weight, removed, added] : state[7].cast<std::vector<Link>>()) {
    found.chain.push_back({weight, std::move(removed), std::move(added)});
  }
  return found;
}

py::array_t<Arm> witness_of(const std::vector<Arm>& witness) {
  return py::array_t<Arm>(static_cast<py::ssize_t>(witness.size()), witness.data());
}

}  // namespace

void register_independence(py::module_& module) {
  py::class_<EffectiveIndependence>(
      module, "EffectiveIndependence",
      R"(An effective independence number, or an interval that is proved to contain it: lower <= value <= upper.

``value`` is None unless ``exact``. ``witness``: arms that are independent at ``threshold``, ``independence_lower`` of
them; no independent set there has more than ``independence_upper`` arms, and ``upper`` follows from that.
``independence_number`` is None unless these two numbers are equal. ``solves``: the number of searches for a larger
independent set.
)")
      .def_readonly("lower", &EffectiveIndependence::lower)
      .def_readonly("upper", &EffectiveIndependence::upper)
      .def_property_readonly(
          "value",
          [](const EffectiveIndependence& self) { return value_if(self.exact, self.upper); })
      .def_readonly("exact", &EffectiveIndependence::exact)
      .def_readonly("threshold", &EffectiveIndependence::threshold)
      .def_property_readonly("independence_number",
                             [](const EffectiveIndependence& self) {
                               return value_if(self.independence_number == self.independence_upper,
                                               self.independence_number);
                             })
      .def_readonly("independence_lower", &EffectiveIndependence::independence_number)
      .def_readonly("independence_upper", &EffectiveIndependence::independence_upper)
      .def_property_readonly(
          "witness", [](const EffectiveIndependence& self) { return witness_of(self.witness); })
      .def_readonly("solves", &EffectiveIndependence::solves)
      .def("__repr__",
           [](const EffectiveIndependence& self) {
             return self.exact
                        ? fmt::format("EffectiveIndependence(value={}, threshold={})", self.upper,
                                      self.threshold)
                        : fmt::format("EffectiveIndependence(lower={}, upper={}, threshold={})",
                                      self.lower, self.upper, self.threshold);
           })
      .def(py::pickle([](const EffectiveIndependence& self) { return effective_state(self); },
                      &restore_effective));
  py::class_<FoundIndependence, EffectiveIndependence>(module, "FoundIndependence")
      .def("to_html", &write_report, py::arg("path"), py::arg("graph"),
           R"(to_html(path, graph)
--

Writes the report: one page with the bounds, the cost of each threshold and the graph, which can be read without a
network. ``graph`` is the one in which it was found. The report of alpha^R has alpha*, too, which is searched for within the
same time limit. A file of that name is replaced.
)")
      .def(py::pickle(
          [](const FoundIndependence& self) {
            return py::make_tuple(effective_state(self), self.noise_bound, self.limits.seconds,
                                  self.limits.threads);
          },
          [](const py::tuple& state) {
            FoundIndependence found;
            static_cast<EffectiveIndependence&>(found) = restore_effective(state[0]);
            found.noise_bound = state[1].cast<std::optional<double>>();
            found.limits = {state[2].cast<std::optional<double>>(), state[3].cast<unsigned>()};
            return found;
          }));
  py::class_<IndependenceNumber>(
      module, "IndependenceNumber",
      R"(The independence number at a threshold, or an interval that is proved to contain it: lower <= value <= upper.

``value`` is None unless ``exact``. ``witness``: ``lower`` arms that are independent at the threshold.
)")
      .def_readonly("threshold", &IndependenceNumber::threshold)
      .def_readonly("lower", &IndependenceNumber::lower)
      .def_readonly("upper", &IndependenceNumber::upper)
      .def_property_readonly(
          "value",
          [](const IndependenceNumber& self) { return value_if(self.exact(), self.upper); })
      .def_property_readonly("exact", &IndependenceNumber::exact)
      .def_property_readonly(
          "witness", [](const IndependenceNumber& self) { return witness_of(self.witness); })
      .def("__repr__",
           [](const IndependenceNumber& self) {
             return self.exact()
                        ? fmt::format("IndependenceNumber(value={}, threshold={})", self.upper,
                                      self.threshold)
                        : fmt::format("IndependenceNumber(lower={}, upper={}, threshold={})",
                                      self.lower, self.upper, self.threshold);
           })
      .def(py::pickle(
          [](const IndependenceNumber& self) {
            return py::make_tuple(self.threshold, self.lower, self.upper, self.witness,
                                  cover_state(self.cover));
          },
          [](const py::tuple& state) {
            return IndependenceNumber{.threshold = state[0].cast<double>(),
                                      .lower = state[1].cast<std::size_t>(),
                                      .upper = state[2].cast<std::size_t>(),
                                      .witness = state[3].cast<std::vector<Arm>>(),
                                      .cover = restore_cover(state[4])};
          }));

  module.def("effective_independence", &solve_effective, py::arg("graph"),
             py::arg("time_limit") = py::none(), py::arg("noise_bound") = py::none(), py::kw_only(),
             py::arg("threads") = 1,
             R"(effective_independence(graph, time_limit=None, noise_bound=None, *, threads=1)
--

The effective independence number alpha* of a graph (row = played), exact or as a proved interval.

alpha* is the least of alpha(eps) / eps^2 over the thresholds eps. With ``noise_bound`` R the result is alpha^R, on which the
regret bound of exp3-ivx depends: the least of alpha(eps) (1 + R^2 ((1 - eps) / eps)^2). If ``time_limit``, in seconds, ends the search
early, the result is an interval. Only a limit below one second may be exceeded, up to that second, until the first bounds are
known, so that 0 gives these.

>>> effective_independence([[1, 0.5], [0, 1]])       # 2 / 1^2 at eps = 1; 1 / 0.5^2 = 4 at eps = 0.5
EffectiveIndependence(value=2, threshold=1)
>>> effective_independence(make_graph("grid", side=5)).witness
array([ 0,  2,  4, 10, 12, 14, 20, 22, 24], dtype=uint32)
)");
  module.def("independence_number", &solve_number, py::arg("graph"), py::arg("threshold"),
             py::arg("time_limit") = py::none(), py::kw_only(), py::arg("threads") = 1,
             R"(independence_number(graph, threshold, time_limit=None, *, threads=1)
--

The size of the largest set of arms with no weight of this threshold or more between them, in either direction.

``time_limit`` is that of effective_independence().

>>> independence_number([[1, 0.5], [0, 1]], 0.5)
IndependenceNumber(value=1, threshold=0.5)
)");
  refuse_unmade<EffectiveIndependence>();
  refuse_unmade<FoundIndependence>();
  refuse_unmade<IndependenceNumber>();
}

}  // namespace hearsay::python
