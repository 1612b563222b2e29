// The class Graph, and its conversion from and to numpy, scipy.sparse, networkx, arcs, files and
// families.

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

// Shares the array's numbers without a copy; the pointer keeps the array alive.
std::shared_ptr<const double> share_numbers(const py::array_t<double>& array) {
  auto* held = new py::array_t<double>(array);
  return {array.data(), [held](const double*) {
            if (Py_IsInitialized() != 0) {
              const py::gil_scoped_acquire lock;
              delete held;
            }  // after the interpreter has ended, a reference cannot be released
          }};
}

Graph from_dense(py::handle given, Sharing sharing) {
  const py::array_t<double> weights = real_array(given, "weights", 2);
  const py::ssize_t arms = weights.shape(0);
  if (weights.shape(1) != arms) {
    throw py::value_error(
        fmt::format("weights: is {} x {}, expected a square matrix whose rows are the arms played",
                    arms, weights.shape(1)));
  }
  if (sharing == Sharing::promised && (weights.flags() & py::array::c_style) != 0 && arms > 0) {
    return Graph::dense(static_cast<std::size_t>(arms), share_numbers(weights));
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
    throw py::value_error(fmt::format("arcs: the arm is {}, expected a whole number from 0 to {}",
                                      index, GraphReading::kMostArms - 1));
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
        fmt::format("arms: is {}, expected at most {}", *arms, GraphReading::kMostArms));
  }
  return graph_of_arcs(*arms, std::move(arcs));
}

Graph from_arcs(const py::object& given, std::optional<std::size_t> arms) {
  const py::object array = py::module_::import("numpy").attr("asarray")(given);
  std::vector<Arc> arcs;
  if (array.attr("size").cast<py::ssize_t>() != 0) {
    const py::array_t<double> table = real_array(array, "arcs", 2);
    if (table.shape(1) != 2 && table.shape(1) != 3) {
      throw py::value_error(
          fmt::format("arcs: have {} columns, expected (played, seen) or (played, seen, weight)",
                      table.shape(1)));
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
    throw py::value_error(
        fmt::format("weights: is {} x {}, expected a square matrix whose rows are the arms played",
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

// The arms are the nodes, in the order in which networkx iterates over them.
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

// The arcs of positive weight as columns, with or without the diagonal.
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

// Returns a read-only view of the weights of a dense graph, and a new array for a sparse one.
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
        fmt::format("the arms are {} and {}, expected 0 to {}", played, seen, graph.arms() - 1));
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
                    R"(The weighted directed observation graph: weight(played, seen) in [0, 1].

``weights[i, j]`` says how well playing ``i`` shows the loss of ``j`` (row = played): 1 shows it exactly, 0
shows nothing. The diagonal, the weight of an arm's own loss, is one constant in (0, 1]. A graph never
changes, so an array is copied. With ``copy=False`` a float64 array in C order is not copied: it must then
not change as long as the graph, or a learner that observed it, exists.

A graph is made from a square array (numpy or lists), a scipy.sparse matrix (an absent diagonal is 1) or a
networkx graph (edge attribute ``weight``, by default 1; the arms are the nodes in its order). An edge from
``i`` to ``j`` means that playing ``i`` shows ``j``; an undirected edge counts in both directions.

>>> graph = Graph([[1, 0.5], [0, 1]])     # playing 0 shows 1 with weight 0.5; playing 1 does not show 0
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
          R"(A graph from rows (played, seen) or (played, seen, weight): playing the first arm shows the second.

A row without a weight has weight 1, pairs that are not listed have weight 0, and the diagonal is 1. ``arms``
is by default 1 + the largest index.

>>> Graph.from_arcs([(0, 1, 0.5), (2, 0, 1)]).to_numpy()
array([[1. , 0.5, 0. ],
       [0. , 1. , 0. ],
       [1. , 0. , 1. ]])
)")
      .def_property_readonly("arms", &Graph::arms, "The number of arms.")
      .def_property_readonly(
          "arcs", &Graph::arc_count,
          "The number of pairs (played, seen) of different arms that have a positive weight.")
      .def_property_readonly("self_weight", &Graph::self_weight,
                             "How well playing an arm shows its own loss: the diagonal.")
      .def_property_readonly(
          "is_dense", &Graph::is_dense,
          "Whether all weights are stored (row = played), or only the positive ones.")
      .def("weight", &weight_of, py::arg("played"), py::arg("seen"),
           R"(How well playing the first arm shows the second.

>>> Graph([[1, 0.5], [0, 1]]).weight(played=0, seen=1)
0.5
)")
      .def("to_numpy", &to_numpy, R"(The weights as an array, row = played.

A dense graph returns a read-only view of its storage, without a copy.

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
           R"(A networkx.DiGraph with an edge from played to seen for every positive weight.

>>> sorted(Graph([[1, 0.5], [0, 1]]).to_networkx().edges(data="weight"))
[(0, 0, 1.0), (0, 1, 0.5), (1, 1, 1.0)]
)")
      .def(
          "to_arcs", &to_arcs,
          R"(Three arrays (played, seen, weight): the positive weights between different arms, row by row.

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
