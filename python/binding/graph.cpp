// Graph: from numpy, scipy.sparse, networkx, arcs, files and families, and back.

#include "hearsay/graph/graph.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/storage.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

template <class Value>
py::array_t<Value> as_array(const std::vector<Value>& values) {
  return py::array_t<Value>(static_cast<py::ssize_t>(values.size()), values.data());
}

// The array's numbers, which live as long as they are held.
std::shared_ptr<const double> lent_by(const py::array_t<double>& array) {
  auto* held = new py::array_t<double>(array);
  return {array.data(), [held](const double*) {
            if (Py_IsInitialized() != 0) {
              const py::gil_scoped_acquire lock;
              delete held;
            }  // else there is nobody left to give it back to
          }};
}

Graph from_dense(py::handle given, Sharing sharing) {
  const py::array_t<double> weights = real_array(given, "weights", 2);
  const py::ssize_t arms = weights.shape(0);
  if (weights.shape(1) != arms) {
    throw py::value_error(fmt::format("weights: {} x {}, expected a square matrix, row = played",
                                      arms, weights.shape(1)));
  }
  if (sharing == Sharing::promised && (weights.flags() & py::array::c_style) != 0 && arms > 0) {
    return Graph::dense(static_cast<std::size_t>(arms), lent_by(weights));
  }
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(weights.size()));
  if ((weights.flags() & py::array::c_style) != 0) {
    values.assign(weights.data(), weights.data() + weights.size());
  } else {
    const auto entries = weights.unchecked<2>();
    for (py::ssize_t i = 0; i < arms; ++i) {
      for (py::ssize_t j = 0; j < arms; ++j) {
        values.push_back(entries(i, j));
      }
    }
  }
  return Graph::dense(static_cast<std::size_t>(arms), std::move(values));
}

Arm to_arm(double index) {
  if (!(index >= 0 && index < GraphReading::kMostArms) || index != std::floor(index)) {
    throw py::value_error(fmt::format("arcs: arm {}, expected a whole number from 0, less than {}",
                                      index, GraphReading::kMostArms));
  }
  return static_cast<Arm>(index);
}

Graph from_arc_list(std::vector<Arc> arcs, std::optional<std::size_t> arms) {
  if (!arms) {
    arms = 0;
    for (const Arc& arc : arcs) {
      arms = std::max<std::size_t>({*arms, arc.played + std::size_t{1}, arc.seen + std::size_t{1}});
    }
  } else if (*arms > GraphReading::kMostArms) {
    throw py::value_error(
        fmt::format("arms: {}, expected at most {}", *arms, GraphReading::kMostArms));
  }
  return graph_of_arcs(*arms, std::move(arcs));
}

Graph from_arcs(const py::object& given, std::optional<std::size_t> arms) {
  const py::object array = py::module_::import("numpy").attr("asarray")(given);
  std::vector<Arc> arcs;
  if (array.attr("size").cast<py::ssize_t>() != 0) {
    const py::array_t<double> table = real_array(array, "arcs", 2);
    if (table.shape(1) != 2 && table.shape(1) != 3) {
      throw py::value_error(fmt::format(
          "arcs: rows of {}, expected (played, seen) or (played, seen, weight)", table.shape(1)));
    }
    const auto entries = table.unchecked<2>();
    for (py::ssize_t row = 0; row < table.shape(0); ++row) {
      arcs.push_back({to_arm(entries(row, 0)), to_arm(entries(row, 1)),
                      table.shape(1) == 3 ? entries(row, 2) : 1.0});
    }
  }
  return from_arc_list(std::move(arcs), arms);
}

Graph from_scipy(const py::handle given) {
  const py::object coordinates = given.attr("tocoo")();
  const auto shape = coordinates.attr("shape").cast<std::pair<std::size_t, std::size_t>>();
  if (shape.first != shape.second) {
    throw py::value_error(fmt::format("weights: {} x {}, expected a square matrix, row = played",
                                      shape.first, shape.second));
  }
  const py::array_t<double> played = real_array(coordinates.attr("row"), "weights", 1);
  const py::array_t<double> seen = real_array(coordinates.attr("col"), "weights", 1);
  const py::array_t<double> weights = real_array(coordinates.attr("data"), "weights", 1);
  std::vector<Arc> arcs;
  for (py::ssize_t k = 0; k < weights.size(); ++k) {
    arcs.push_back({to_arm(played.at(k)), to_arm(seen.at(k)), weights.at(k)});
  }
  return from_arc_list(std::move(arcs), shape.first);
}

// Arms are the nodes, in the graph's own order.
Graph from_networkx(const py::handle given) {
  py::dict arm_of;
  for (const py::handle node : given.attr("nodes")) {
    arm_of[node] = py::int_(py::len(arm_of));
  }
  const bool directed = given.attr("is_directed")().cast<bool>();
  std::vector<Arc> arcs;
  for (const py::handle edge :
       given.attr("edges")(py::arg("data") = "weight", py::arg("default") = 1.0)) {
    const auto [from, to, weight] = edge.cast<std::tuple<py::object, py::object, double>>();
    const Arc arc{arm_of[from].cast<Arm>(), arm_of[to].cast<Arm>(), weight};
    arcs.push_back(arc);
    if (!directed && arc.played != arc.seen) {
      arcs.push_back({arc.seen, arc.played, arc.weight});
    }
  }
  return from_arc_list(std::move(arcs), py::len(arm_of));
}

// Of positive weight, the diagonal included or not, as columns.
struct ArcColumns {
  std::vector<Arm> played;
  std::vector<Arm> seen;
  std::vector<double> weight;
};

enum class Diagonal { with, without };

ArcColumns columns_of(const Graph& graph, Diagonal diagonal) {
  ArcColumns columns;
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (diagonal == Diagonal::with || seen != played) {
        columns.played.push_back(played);
        columns.seen.push_back(seen);
        columns.weight.push_back(weight);
      }
    });
  }
  return columns;
}

// A view that cannot be written to where the weights are stored so; else a new array.
py::array to_numpy(const py::object& self) {
  const auto& graph = self.cast<const Graph&>();
  const auto arms = static_cast<py::ssize_t>(graph.arms());
  if (graph.is_dense()) {
    py::array_t<double> view({arms, arms}, graph.weights().values().data(), self);
    view.attr("setflags")(py::arg("write") = false);
    return view;
  }
  const py::object zeros = py::module_::import("numpy").attr("zeros")(
      py::make_tuple(arms, arms));  // MemoryError if huge
  auto dense = zeros.cast<py::array_t<double>>();
  auto entries = dense.mutable_unchecked<2>();
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      entries(static_cast<py::ssize_t>(played), static_cast<py::ssize_t>(seen)) = weight;
    });
  }
  return dense;
}

py::object to_scipy(const Graph& graph) {
  const ArcColumns columns = columns_of(graph, Diagonal::with);
  return py::module_::import("scipy.sparse")
      .attr("csr_matrix")(
          py::make_tuple(as_array(columns.weight),
                         py::make_tuple(as_array(columns.played), as_array(columns.seen))),
          py::make_tuple(graph.arms(), graph.arms()));
}

py::object to_networkx(const Graph& graph) {
  py::object out = py::module_::import("networkx").attr("DiGraph")();
  out.attr("add_nodes_from")(py::module_::import("builtins").attr("range")(graph.arms()));
  const ArcColumns columns = columns_of(graph, Diagonal::with);
  for (std::size_t k = 0; k < columns.weight.size(); ++k) {
    out.attr("add_edge")(columns.played[k], columns.seen[k], py::arg("weight") = columns.weight[k]);
  }
  return out;
}

py::tuple to_arcs(const Graph& graph) {
  const ArcColumns columns = columns_of(graph, Diagonal::without);
  return py::make_tuple(as_array(columns.played), as_array(columns.seen), as_array(columns.weight));
}

double weight_of(const Graph& graph, std::size_t played, std::size_t seen) {
  if (played >= graph.arms() || seen >= graph.arms()) {
    throw py::index_error(
        fmt::format("arms {} and {}, expected less than {}", played, seen, graph.arms()));
  }
  return graph.weight(static_cast<Arm>(played), static_cast<Arm>(seen));
}

Graph restore(const py::tuple& state) {
  if (state.size() == 1) {
    return from_dense(state[0], Sharing::none);
  }
  const auto arms = state[0].cast<std::size_t>();
  const auto played = state[1].cast<py::array_t<Arm>>();
  const auto seen = state[2].cast<py::array_t<Arm>>();
  const auto weight = state[3].cast<py::array_t<double>>();
  std::vector<Arc> arcs;
  for (py::ssize_t k = 0; k < weight.size(); ++k) {
    arcs.push_back({played.at(k), seen.at(k), weight.at(k)});
  }
  return Graph::sparse(arms, std::move(arcs));
}

py::tuple state_of(const py::object& self) {
  const auto& graph = self.cast<const Graph&>();
  if (graph.is_dense()) {
    return py::make_tuple(to_numpy(self).attr("copy")());
  }
  const ArcColumns columns = columns_of(graph, Diagonal::with);
  return py::make_tuple(graph.arms(), as_array(columns.played), as_array(columns.seen),
                        as_array(columns.weight));
}

}  // namespace

Graph as_graph(py::handle given, Sharing sharing) {
  if (py::isinstance<Graph>(given)) {
    return given.cast<Graph>();
  }
  if (py::hasattr(given, "tocoo")) {
    return from_scipy(given);
  }
  if (py::hasattr(given, "is_directed") && py::hasattr(given, "edges")) {
    return from_networkx(given);
  }
  return from_dense(given, sharing);
}

void register_graph(py::module_& module) {
  py::class_<Graph>(module, "Graph",
                    R"(Who tells about whom, and how well: weight(played, seen) in [0, 1].

Row = played, always: ``weights[i, j]`` is how well playing ``i`` shows the loss of ``j``. 1 shows it
exactly, 0 shows nothing. The diagonal, an arm's own loss, is one constant in (0, 1]. A graph never
changes, so an array is copied. With ``copy=False`` one of float64 in C order is not: you promise that
nobody writes to it as long as the graph, or anything that was told it, is there.

Made from a square array (numpy, or lists), a scipy.sparse matrix (an absent diagonal is 1), or a
networkx graph (edge attribute ``weight``, 1 where there is none; arms are the nodes in its order; an
edge from ``i`` to ``j`` is "playing i shows j"; without directions it goes both ways).

>>> graph = Graph([[1, 0.5], [0, 1]])     # playing 0 tells something about 1, not the other way
>>> graph.weight(0, 1), graph.weight(1, 0)
(0.5, 0.0)
>>> graph
Graph(arms=2, arcs=1)
)")
      .def(py::init([](py::handle weights, bool copy) {
             return as_graph(weights, copy ? Sharing::none : Sharing::promised);
           }),
           py::arg("weights"), py::kw_only(), py::arg("copy") = true)
      .def_static(
          "from_arcs", &from_arcs, py::arg("arcs"), py::arg("arms") = py::none(),
          R"(From rows (played, seen) or (played, seen, weight): playing the first shows the second.

Weight 1 where none is given, 0 between arms that are not listed, 1 on the diagonal. ``arms``: 1 + the
largest where it is not given.

>>> Graph.from_arcs([(0, 1, 0.5), (2, 0, 1)]).to_numpy()
array([[1. , 0.5, 0. ],
       [0. , 1. , 0. ],
       [1. , 0. , 1. ]])
)")
      .def_property_readonly("arms", &Graph::arms, "How many arms there are.")
      .def_property_readonly(
          "arcs", &Graph::arc_count,
          "How many pairs (played, seen) of different arms have a positive weight.")
      .def_property_readonly("self_weight", &Graph::self_weight,
                             "How well playing an arm shows its own loss: the diagonal.")
      .def_property_readonly(
          "is_dense", &Graph::is_dense,
          "Whether every weight is stored (row = played), or the positive ones alone.")
      .def("weight", &weight_of, py::arg("played"), py::arg("seen"),
           R"(How well playing the first arm shows the second.

>>> Graph([[1, 0.5], [0, 1]]).weight(played=0, seen=1)
0.5
)")
      .def("to_numpy", &to_numpy, R"(The weights as an array, row = played.

A dense graph gives a view of its own storage, without a copy, that cannot be written to.

>>> Graph([[1, 0.5], [0, 1]]).to_numpy()
array([[1. , 0.5],
       [0. , 1. ]])
)")
      .def("to_scipy", &to_scipy,
           R"(The positive weights as a scipy.sparse.csr_matrix, row = played.

>>> Graph([[1, 0.5], [0, 1]]).to_scipy().nnz
3
)")
      .def("to_networkx", &to_networkx,
           R"(As a networkx.DiGraph: an edge from played to seen for every positive weight.

>>> sorted(Graph([[1, 0.5], [0, 1]]).to_networkx().edges(data="weight"))
[(0, 0, 1.0), (0, 1, 0.5), (1, 1, 1.0)]
)")
      .def(
          "to_arcs", &to_arcs,
          R"(Three arrays (played, seen, weight): the positive weights between different arms, by row.

>>> played, seen, weight = Graph([[1, 0.5], [0, 1]]).to_arcs()
>>> played.tolist(), seen.tolist(), weight.tolist()
([0], [1], [0.5])
)")
      .def("__repr__",
           [](const Graph& graph) {
             return fmt::format("Graph(arms={}, arcs={})", graph.arms(), graph.arc_count());
           })
      .def("__copy__", [](const Graph& graph) { return graph; })
      .def("__deepcopy__", [](const Graph& graph, const py::dict& /*memo*/) { return graph; })
      .def(py::pickle(&state_of, &restore));

  module.def(
      "read_graph",
      [](const std::string& path, std::optional<std::size_t> arms) {
        return read_graph(path, {.arms = arms});
      },
      py::arg("path"), py::arg("arms"));
  module.def("write_graph", &write_graph, py::arg("graph"), py::arg("path"));
  module.def(
      "graph_from_toml",
      [](const std::string& text, const std::string& name, std::uint64_t seed) {
        return make_graph(parse_graph_source(text, name), Stream(seed, Purpose::graph), 0);
      },
      py::arg("text"), py::arg("name"), py::arg("seed"));
  refuse_unmade<Graph>();
}

}  // namespace hearsay::python
