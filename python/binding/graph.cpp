// The class Graph, and its conversion from and to numpy, scipy.sparse, networkx, arcs, files and
// families.

#include "hearsay/graph/graph.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/similarity.h"
#include "hearsay/graph/storage.h"
#include "hearsay/graph/thin.h"
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

// What a matrix-like object of Python has: a number for each pair of arms (row = played), or for
// some.
struct PairNumbers {
  std::size_t arms = 0;
  std::variant<py::array_t<double>, std::vector<Arc>> numbers;  // Arc::weight is the number
  py::object names = py::none();                                // a tuple, if the arms have names
};

std::vector<double> row_major(const py::array_t<double>& matrix) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(matrix.size()));
  if ((matrix.flags() & py::array::c_style) != 0) {
    values.assign(matrix.data(), matrix.data() + matrix.size());
  } else {
    const auto entries = matrix.unchecked<2>();
    for (py::ssize_t i = 0; i < matrix.shape(0); ++i) {
      for (py::ssize_t j = 0; j < matrix.shape(1); ++j) {
        values.push_back(entries(i, j));
      }
    }
  }
  return values;
}

[[noreturn]] void refuse_shape(const char* place, std::size_t rows, std::size_t columns) {
  throw py::value_error(
      fmt::format("{}: is {} x {}, expected a square matrix whose rows are the arms played", place,
                  rows, columns));
}

PairNumbers of_array(py::handle given, const char* place) {
  const py::array_t<double> matrix = real_array(given, place, 2);
  const auto rows = static_cast<std::size_t>(matrix.shape(0));
  const auto columns = static_cast<std::size_t>(matrix.shape(1));
  if (rows != columns) {
    refuse_shape(place, rows, columns);
  }
  return {.arms = rows, .numbers = matrix};
}

// The entries of a diagonal that was computed may differ from 1 by rounding.
double without_rounding(double self_weight) {
  return std::abs(self_weight - 1) <= kRounding ? 1 : self_weight;
}

bool has_rounded_diagonal(const py::array_t<double>& weights) {
  const auto entries = weights.unchecked<2>();
  for (py::ssize_t arm = 0; arm < weights.shape(0); ++arm) {
    const double self_weight = entries(arm, arm);
    if (self_weight != 1 && without_rounding(self_weight) == 1) {
      return true;
    }
  }
  return false;
}

Graph from_dense(const py::array_t<double>& weights, Sharing sharing) {
  const auto arms = static_cast<std::size_t>(weights.shape(0));
  if (sharing == Sharing::promised && (weights.flags() & py::array::c_style) != 0 && arms > 0 &&
      !has_rounded_diagonal(weights)) {
    return Graph::dense(arms, share_numbers(weights));
  }
  std::vector<double> values = row_major(weights);
  for (std::size_t arm = 0; arm < arms; ++arm) {
    double& self_weight = values[arm * arms + arm];
    self_weight = without_rounding(self_weight);
  }
  return Graph::dense(arms, std::move(values));
}

Arm to_arm(double index) {
  if (!(index >= 0 && index < GraphReadOptions::kMostArms) || index != std::floor(index)) {
    throw py::value_error(fmt::format("arcs: the arm is {}, expected a whole number from 0 to {}",
                                      index, GraphReadOptions::kMostArms - 1));
  }
  return static_cast<Arm>(index);
}

Graph from_arc_list(std::vector<Arc> arcs, std::optional<std::size_t> arms) {
  if (!arms) {
    arms = 0;
    for (const Arc& arc : arcs) {
      arms = std::max<std::size_t>({*arms, arc.played + std::size_t{1}, arc.seen + std::size_t{1}});
    }
  } else if (*arms > GraphReadOptions::kMostArms) {
    throw py::value_error(
        fmt::format("arms: is {}, expected at most {}", *arms, GraphReadOptions::kMostArms));
  }
  for (Arc& arc : arcs) {
    if (arc.played == arc.seen) {
      arc.weight = without_rounding(arc.weight);
    }
  }
  return graph_of_arcs(*arms, std::move(arcs));
}

Graph from_arcs(const py::object& given, std::optional<std::size_t> arms) {
  const py::object array = any_array(given, "arcs");
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

PairNumbers of_scipy(const py::handle given, const char* place) {
  const py::object coordinates = given.attr("tocoo")();
  const auto shape = coordinates.attr("shape").cast<std::pair<std::size_t, std::size_t>>();
  if (shape.first != shape.second) {
    refuse_shape(place, shape.first, shape.second);
  }
  const py::array_t<double> played = real_array(coordinates.attr("row"), place, 1);
  const py::array_t<double> seen = real_array(coordinates.attr("col"), place, 1);
  const py::array_t<double> numbers = real_array(coordinates.attr("data"), place, 1);
  std::vector<Arc> arcs;
  for (py::ssize_t k = 0; k < numbers.size(); ++k) {
    arcs.push_back({to_arm(played.at(k)), to_arm(seen.at(k)), numbers.at(k)});
  }
  return {.arms = shape.first, .numbers = std::move(arcs)};
}

// The arms are the nodes, in the order in which networkx iterates over them.
PairNumbers of_networkx(const py::handle given) {
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
  return {.arms = py::len(arm_of), .numbers = std::move(arcs), .names = py::tuple(arm_of)};
}

// The names of the arms are those of the rows. The columns may have another order.
PairNumbers of_frame(const py::handle given, const char* place) {
  const py::list rows = given.attr("index").attr("tolist")();
  const py::list columns = given.attr("columns").attr("tolist")();
  const auto refuse = [&](const std::string& what) {
    throw py::value_error(fmt::format(
        "{}: {}, expected the same names for rows and columns, each once", place, what));
  };
  if (rows.size() != columns.size()) {
    refuse_shape(place, rows.size(), columns.size());
  }
  const py::set known(rows);
  if (known.size() != rows.size()) {
    refuse("two rows have the same name");
  }
  for (const py::handle column : columns) {
    if (!known.contains(column)) {
      refuse(fmt::format("the column {} is no row", std::string(py::repr(column))));
    }
  }
  auto ordered = py::reinterpret_borrow<py::object>(given);
  if (!rows.equal(columns)) {
    if (py::set(columns).size() != columns.size()) {
      refuse("two columns have the same name");
    }
    ordered = ordered.attr("__getitem__")(rows);
  }
  PairNumbers numbers = of_array(ordered.attr("to_numpy")(), place);
  numbers.names = py::tuple(rows);
  return numbers;
}

// `place` is the name of the argument in messages.
PairNumbers pair_numbers(py::handle given, const char* place) {
  if (py::hasattr(given, "tocoo")) {
    return of_scipy(given, place);
  }
  if (py::hasattr(given, "is_directed") && py::hasattr(given, "edges")) {
    return of_networkx(given);
  }
  if (py::hasattr(given, "index") && py::hasattr(given, "columns")) {
    return of_frame(given, place);
  }
  return of_array(given, place);
}

// Returns make(); an error about two arms has their names, if they have some.
template <class Make>
Graph with_names_in_errors(const py::object& names, Make make) {
  try {
    return make();
  } catch (const ArcError& error) {
    const std::size_t known = names.is_none() ? 0 : py::len(names);
    if (error.played() >= known || error.seen() >= known) {
      throw;
    }
    const auto name_of = [&](Arm arm) { return std::string(py::repr(names[py::int_(arm)])); };
    throw Error(error.message_with(name_of(error.played()), name_of(error.seen())));
  }
}

Graph graph_of(PairNumbers pairs, Sharing sharing) {
  const py::object names = pairs.names;
  return with_names_in_errors(names, [&] {
    if (const auto* matrix = std::get_if<py::array_t<double>>(&pairs.numbers)) {
      return from_dense(*matrix, sharing);
    }
    return from_arc_list(std::get<std::vector<Arc>>(std::move(pairs.numbers)), pairs.arms);
  });
}

// Python's Graph keeps names of the arms besides the Graph of the core, which knows indices alone.
constexpr const char* kNames = "_names";

py::object names_of(const py::handle graph) {
  return graph.attr("__dict__").attr("get")(kNames);
}

py::object with_names(py::object graph, const py::object& names) {
  if (!names.is_none()) {
    graph.attr("__dict__")[kNames] = names;
  }
  return graph;
}

py::tuple tuple_of_names(const py::handle given) {
  try {
    py::tuple names(py::reinterpret_borrow<py::object>(given));
    static_cast<void>(py::set(names));  // refuses what cannot be a name
    return names;
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_TypeError)) {
      throw;
    }
    throw py::type_error(
        fmt::format("names: is of type {}, expected a list of names, one for each arm",
                    std::string(py::str(py::type::of(given).attr("__name__")))));
  }
}

py::object renamed(const py::object& self, const py::handle given) {
  const py::tuple names = tuple_of_names(given);
  const std::size_t arms = self.cast<const Graph&>().arms();
  if (names.size() != arms || py::set(names).size() != arms) {
    throw py::value_error(
        fmt::format("names: are {}, {} of them different, expected {} different ones", names.size(),
                    py::set(names).size(), arms));
  }
  return with_names(py::cast(self.cast<const Graph&>()), names);
}

// Calls make(arms, numbers) with the matrix row by row, or with the list of pairs.
template <class Make>
py::object make_named(py::handle given, const char* place, Make make) {
  PairNumbers pairs = pair_numbers(given, place);
  const py::object names = pairs.names;
  const Graph graph = with_names_in_errors(names, [&] {
    if (const auto* matrix = std::get_if<py::array_t<double>>(&pairs.numbers)) {
      return make(pairs.arms, row_major(*matrix));
    }
    return make(pairs.arms, std::get<std::vector<Arc>>(std::move(pairs.numbers)));
  });
  return with_names(py::cast(graph), names);
}

py::object similarity_graph(py::handle similarity) {
  return make_named(similarity, "similarity", [](std::size_t arms, auto numbers) {
    return from_similarity(arms, std::move(numbers));
  });
}

py::object distance_graph(py::handle distances, const std::string& kernel) {
  DistanceWeight weight;
  try {
    weight = parse_distance_weight(kernel);
    weight.check();
  } catch (const Error& error) {
    throw Error("kernel", error.what());
  }
  return make_named(distances, "distances", [&](std::size_t arms, auto numbers) {
    return from_distances(arms, std::move(numbers), weight);
  });
}

py::object nearest_of(const py::object& self, std::size_t count) {
  const auto& graph = self.cast<const Graph&>();
  return with_names(py::cast(until_signalled([&] { return nearest(graph, count); })),
                    names_of(self));
}

py::object thinned(const py::object& self, double at_least) {
  if (!(at_least >= 0 && at_least <= 1)) {
    throw py::value_error(fmt::format("at_least: is {}, expected a number in [0, 1]", at_least));
  }
  const auto& graph = self.cast<const Graph&>();
  return with_names(py::cast(until_signalled([&] { return thin(graph, at_least); })),
                    names_of(self));
}

py::object symmetrized(const py::object& self, const std::string& symmetry) {
  Symmetry parsed = Symmetry::max;
  try {
    parsed = parse_symmetry(symmetry);
  } catch (const Error& error) {
    throw Error("symmetry", error.what());
  }
  const auto& graph = self.cast<const Graph&>();
  return with_names(py::cast(until_signalled([&] { return symmetrize(graph, parsed); })),
                    names_of(self));
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

py::object to_networkx(const py::object& self) {
  const auto& graph = self.cast<const Graph&>();
  const py::object names = names_of(self);
  py::object out = py::module_::import("networkx").attr("DiGraph")();
  const py::object nodes =
      names.is_none() ? py::module_::import("builtins").attr("range")(graph.arms()) : names;
  out.attr("add_nodes_from")(nodes);
  const ArcColumns columns = columns_of(graph, Diagonal::with);
  for (std::size_t k = 0; k < columns.weight.size(); ++k) {
    out.attr("add_edge")(nodes[py::int_(columns.played[k])], nodes[py::int_(columns.seen[k])],
                         py::arg("weight") = columns.weight[k]);
  }
  return out;
}

py::object to_pandas(const py::object& self) {
  const py::object names = names_of(self);
  const py::object labels = names.is_none() ? names : py::object(py::list(names));
  return py::module_::import("pandas").attr("DataFrame")(to_numpy(self), py::arg("index") = labels,
                                                         py::arg("columns") = labels);
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

bool have_equal_weights(const Graph& one, const Graph& other) {
  if (one.same_as(other)) {
    return true;
  }
  if (one.arms() != other.arms() || one.arc_count() != other.arc_count()) {
    return false;
  }
  const ArcColumns first = columns_of(one, Diagonal::with);
  const ArcColumns second = columns_of(other, Diagonal::with);
  return first.played == second.played && first.seen == second.seen &&
         first.weight == second.weight;
}

// The state: the matrix, or arms and columns of arcs; then the names.
std::pair<Graph, py::dict> restore(const py::tuple& state) {
  py::dict attributes;
  if (const py::object names = state[state.size() - 1]; !names.is_none()) {
    attributes[kNames] = names;
  }
  if (state.size() == 2) {
    return {from_dense(real_array(state[0], "weights", 2), Sharing::none), attributes};
  }
  const auto arms = state[0].cast<std::size_t>();
  const auto played = state[1].cast<py::array_t<Arm>>();
  const auto seen = state[2].cast<py::array_t<Arm>>();
  const auto weight = state[3].cast<py::array_t<double>>();
  std::vector<Arc> arcs;
  for (py::ssize_t k = 0; k < weight.size(); ++k) {
    arcs.push_back({played.at(k), seen.at(k), weight.at(k)});
  }
  return {Graph::sparse(arms, std::move(arcs)), attributes};
}

py::tuple state_of(const py::object& self) {
  const auto& graph = self.cast<const Graph&>();
  if (graph.is_dense()) {
    return py::make_tuple(to_numpy(self).attr("copy")(), names_of(self));
  }
  const ArcColumns columns = columns_of(graph, Diagonal::with);
  return py::make_tuple(graph.arms(), as_array(columns.played), as_array(columns.seen),
                        as_array(columns.weight), names_of(self));
}

void make_graph_object(py::detail::value_and_holder& self, py::handle weights, bool copy) {
  const py::handle object(reinterpret_cast<PyObject*>(self.inst));  // as pybind11 does
  py::object names = py::none();
  if (py::isinstance<Graph>(weights)) {
    self.value_ptr() = new Graph(weights.cast<Graph>());
    names = names_of(weights);
  } else {
    PairNumbers pairs = pair_numbers(weights, "weights");
    names = pairs.names;
    self.value_ptr() =
        new Graph(graph_of(std::move(pairs), copy ? Sharing::none : Sharing::promised));
  }
  with_names(py::reinterpret_borrow<py::object>(object), names);
}

// The names are in a dictionary that other attributes must not get into; those of a class derived
// in Python may. Unpickling sets the dictionary itself.
void set_attribute(const py::object& self, const py::str& name, const py::object& value) {
  if (py::type::of(self).is(py::type::of<Graph>()) && std::string(name) != "__dict__") {
    throw py::attribute_error(
        fmt::format("{}: cannot be set, a Graph never changes", std::string(name)));
  }
  if (PyObject_GenericSetAttr(self.ptr(), name.ptr(), value.ptr()) != 0) {
    throw py::error_already_set();
  }
}

}  // namespace

Graph as_graph(py::handle given, Sharing sharing) {
  if (py::isinstance<Graph>(given)) {
    return given.cast<Graph>();
  }
  return graph_of(pair_numbers(given, "graph"), sharing);
}

const Graph& GraphMemory::of(py::handle given) {
  if (py::isinstance<Graph>(given)) {
    return given.cast<const Graph&>();
  }
  const auto is_last = [&](const double* weights) {
    return std::memcmp(weights, last_->weights().values().data(),
                       last_->weights().values().size_bytes()) == 0;
  };
  const auto can_be_last = [&](std::size_t rows, std::size_t columns) {
    return last_ && last_->is_dense() && rows == last_->arms() && columns == last_->arms();
  };
  using Rows = py::array_t<double, py::array::c_style>;
  if (py::isinstance<Rows>(given)) {
    const auto array = py::reinterpret_borrow<Rows>(given);
    if (array.ndim() == 2 &&
        can_be_last(static_cast<std::size_t>(array.shape(0)),
                    static_cast<std::size_t>(array.shape(1))) &&
        is_last(array.data())) {
      return *last_;
    }
  }
  Graph graph = as_graph(given);
  if (!graph.is_dense() || !can_be_last(graph.arms(), graph.arms()) ||
      !is_last(graph.weights().values().data())) {
    last_ = std::move(graph);
  } else if (!py::isinstance<py::array>(given) && ++converted_again_ == kManyConversions) {
    const std::string text = fmt::format(
        "graph: the same {} was converted in {} rounds, which takes much longer than the rounds; "
        "make a Graph of it once, before the first round: graph = hearsay.Graph(graph)",
        py::str(py::type::of(given).attr("__name__")).cast<std::string>(), kManyConversions);
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) < 0) {
      throw py::error_already_set();
    }
  }
  return *last_;
}

void register_graph(py::module_& module) {
  py::class_<Graph>(module, "Graph", py::dynamic_attr(),
                    R"(The weighted directed observation graph: weight(played, seen) in [0, 1].

``weights[i, j]`` says how well playing ``i`` shows the loss of ``j`` (row = played): 1 shows it exactly, 0
shows nothing. The diagonal, the weight of an arm's own loss, is one constant in (0, 1]; an entry that differs
from 1 by no more than 1e-6, as computed ones do, is taken as 1. A graph never
changes, so an array is copied. With ``copy=False`` a float64 array in C order is not copied (unless its
diagonal is to be set to 1): it must then not change as long as the graph, or a learner that observed it, exists.

A graph is made from a square array (numpy or lists), a scipy.sparse matrix (an absent diagonal is 1), a
networkx graph (edge attribute ``weight``, by default 1; the arms are the nodes in its order) or a pandas.DataFrame (the
arms are its rows in their order; the columns have the same names). An edge from
``i`` to ``j`` means that playing ``i`` shows ``j``; an undirected edge counts in both directions. ``names`` has the names
of the arms, if nodes or rows gave some. from_similarity() and from_distances() make weights from similarities or distances of arms.

>>> graph = Graph([[1, 0.5], [0, 1]])     # playing 0 shows 1 with weight 0.5; playing 1 does not show 0
>>> graph.weight(0, 1), graph.weight(1, 0)
(0.5, 0.0)
>>> graph
Graph(arms=2, arcs=1)
)")
      .def("__init__", &make_graph_object, py::detail::is_new_style_constructor(),
           py::arg("weights"), py::kw_only(), py::arg("copy") = true,
           "__init__(self, weights, *, copy=True)\n--\n\nThe docstring of the class says what "
           "``weights`` may be.")
      .def_static("from_arcs", &from_arcs, py::arg("arcs"), py::arg("arms") = py::none(),
                  R"(from_arcs(arcs, arms=None)
--

A graph from rows (played, seen) or (played, seen, weight): playing the first arm shows the second.

A row without a weight has weight 1, pairs that are not listed have weight 0, and the diagonal is 1. ``arms``
is by default 1 + the largest index.

>>> Graph.from_arcs([(0, 1, 0.5), (2, 0, 1)]).to_numpy()
array([[1. , 0.5, 0. ],
       [0. , 1. , 0. ],
       [1. , 0. , 1. ]])
)")
      .def_static("from_similarity", &similarity_graph, py::arg("similarity"),
                  R"(from_similarity(similarity)
--

A graph whose weights are similarities of arms, numbers in [0, 1] (row = played).

``similarity``: whatever Graph(...) takes; pairs that a scipy.sparse matrix or a networkx graph does not have get weight 0. An
arm is like itself: the diagonal must be 1. A value that leaves [0, 1] by no more than 1e-6, as computed similarities do, is
taken as 0 or 1. Names of a DataFrame or of nodes are kept. docs/calibrate.md says what a weight means, and how to find
weights from data.

>>> graph = Graph.from_similarity([[0.99999999, 0.5], [0.5, 1.0000001]])
>>> graph.to_numpy()
array([[1. , 0.5],
       [0.5, 1. ]])
)")
      .def_static("from_distances", &distance_graph, py::arg("distances"),
                  py::arg("kernel") = "inverse-one-plus-square",
                  R"(from_distances(distances, kernel='inverse-one-plus-square')
--

A graph whose weights decrease with the distances of arms, finite numbers from 0 on (row = played).

``distances``: whatever Graph(...) takes; the ``weight`` of a networkx edge is the distance, and pairs that are absent from it or
from a scipy.sparse matrix get weight 0. ``kernel`` says which weight a distance d gives:

=============================  =====================================================================
``inverse-square-cap:C``       min(C/d^2, 1): readings have no error up to d = sqrt(C)
``inverse-one-plus-square``    1/(1+d^2): an error of d^2
``inverse-square-one-plus``    1/(1+d)^2: an error of 2d+d^2
``gaussian:S``                 exp(-(d/S)^2/2)
``exponential:S``              exp(-d/S)
=============================  =====================================================================

The error is the largest error of a reading of the other arm's loss, if the noise bound is 1.

>>> Graph.from_distances([[0, 1], [3, 0]]).to_numpy()
array([[1. , 0.5],
       [0.1, 1. ]])
)")
      .def_property_readonly(
          "names", [](const py::object& self) { return names_of(self); },
          "A tuple with the name of every arm, as networkx nodes or the rows of a DataFrame gave "
          "them, or None.")
      .def("with_names", &renamed, py::arg("names"),
           R"(with_names(self, names)
--

The same graph with these names of the arms, one for each (row = played).

>>> Graph([[1, 0.5], [0, 1]]).with_names(["home", "shop"]).names
('home', 'shop')
)")
      .def("nearest", &nearest_of, py::arg("count"),
           R"(nearest(self, count)
--

The graph that keeps for each arm played the ``count`` other arms of the largest weights.

Of equal weights, those of the smaller indices are kept. Names are kept.

>>> Graph([[1, 0.5, 0.2], [0.3, 1, 0.3], [0, 0.1, 1]]).nearest(1).to_numpy()
array([[1. , 0.5, 0. ],
       [0.3, 1. , 0. ],
       [0. , 0.1, 1. ]])
)")
      .def("thin", &thinned, py::arg("at_least"),
           R"(thin(self, at_least)
--

The graph without the arcs of less weight than ``at_least``, a number in [0, 1]. Playing an arm still shows its own loss.

Names are kept.

>>> Graph([[1, 0.5], [0.2, 1]]).thin(0.5).arcs
1
)")
      .def("symmetrize", &symmetrized, py::arg("symmetry") = "max",
           R"(symmetrize(self, symmetry='max')
--

The graph in which both directions of a pair have the larger ("max"), the smaller ("min") or the mean weight ("mean").

Names are kept.

>>> Graph([[1, 0.5], [0, 1]]).symmetrize().to_numpy()
array([[1. , 0.5],
       [0.5, 1. ]])
)")
      .def_property_readonly("arms", &Graph::arms, "The number of arms.")
      .def_property_readonly(
          "arcs", &Graph::arc_count,
          "The number of pairs (played, seen) of different arms with a positive weight.")
      .def_property_readonly("self_weight", &Graph::self_weight,
                             "How well playing an arm shows its own loss: the diagonal.")
      .def_property_readonly(
          "is_dense", &Graph::is_dense,
          "Whether all weights are stored (row = played), or only the positive ones.")
      .def("weight", &weight_of, py::arg("played"), py::arg("seen"),
           R"(weight(self, played, seen)
--

How well playing the first arm shows the second.

>>> Graph([[1, 0.5], [0, 1]]).weight(played=0, seen=1)
0.5
)")
      .def("to_numpy", &to_numpy, R"(to_numpy(self)
--

The weights as an array, row = played.

A dense graph returns a read-only view of its storage, without a copy.

>>> Graph([[1, 0.5], [0, 1]]).to_numpy()
array([[1. , 0.5],
       [0. , 1. ]])
)")
      .def("to_scipy", &to_scipy,
           R"(to_scipy(self)
--

The positive weights as a scipy.sparse.csr_matrix, row = played.

>>> Graph([[1, 0.5], [0, 1]]).to_scipy().nnz
3
)")
      .def("to_networkx", &to_networkx,
           R"(to_networkx(self)
--

A networkx.DiGraph with an edge from played to seen for every positive weight. Its nodes are the names, if there are some.

>>> sorted(Graph([[1, 0.5], [0, 1]]).to_networkx().edges(data="weight"))
[(0, 0, 1.0), (0, 1, 0.5), (1, 1, 1.0)]
)")
      .def("to_pandas", &to_pandas,
           R"(to_pandas(self)
--

The weights as a pandas.DataFrame, row = played. Rows and columns have the names of the arms, if there are some.

>>> Graph([[1, 0.5], [0, 1]]).to_pandas().loc[0, 1]
0.5
)")
      .def("to_arcs", &to_arcs,
           R"(to_arcs(self)
--

Three arrays (played, seen, weight): the positive weights between different arms, row by row.

>>> played, seen, weight = Graph([[1, 0.5], [0, 1]]).to_arcs()
>>> played.tolist(), seen.tolist(), weight.tolist()
([0], [1], [0.5])
)")
      .def("__repr__",
           [](const Graph& graph) {
             return fmt::format("Graph(arms={}, arcs={})", graph.arms(), graph.arc_count());
           })
      .def(
          "__eq__",
          [](const Graph& one, const Graph& other) { return have_equal_weights(one, other); },
          py::is_operator(),
          "Whether both have the same weights, dense or sparse. Names are not compared.")
      .def("__hash__",
           [](const Graph& graph) {
             return py::hash(py::make_tuple(graph.arms(), graph.arc_count(), graph.self_weight()));
           })
      .def(
          "__array__",
          [](const py::object& self, const py::object& dtype, const py::object& copy) {
            const py::object weights = to_numpy(self);
            const bool must_copy = !copy.is_none() && copy.cast<bool>();
            const py::object wanted = dtype.is_none() ? weights.attr("dtype") : dtype;
            return weights.attr("astype")(wanted, py::arg("copy") = must_copy);
          },
          py::arg("dtype") = py::none(), py::arg("copy") = py::none(),
          "The weights, row = played, for numpy.asarray(graph).")
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::dict& /*memo*/) { return self; })
      .def("__setattr__", &set_attribute)
      .def(py::pickle(&state_of, &restore));

  // What Graph(weights) makes, for an argument of another name. Errors have the names of the arms.
  module.def(
      "graph_of",
      [](const py::object& weights, const std::string& place, const py::object& names) {
        if (py::isinstance<Graph>(weights)) {
          return weights.cast<Graph>();
        }
        PairNumbers pairs = pair_numbers(weights, place.c_str());
        if (!names.is_none() && py::len(names) == pairs.arms) {
          pairs.names = names;
        }
        return graph_of(std::move(pairs), Sharing::none);
      },
      py::arg("weights"), py::arg("place"), py::arg("names") = py::none());
  module.def(
      "read_graph",
      [](const std::string& path, std::optional<std::size_t> arms,
         const std::vector<std::string>& names) {
        const NamedGraph read =
            until_signalled([&] { return read_named_graph(path, {.arms = arms, .names = names}); });
        return with_names(py::cast(read.graph), read.names.empty()
                                                    ? py::object(py::none())
                                                    : py::object(py::tuple(py::cast(read.names))));
      },
      py::arg("path"), py::arg("arms"), py::arg("names"));
  module.def(
      "write_graph",
      [](const Graph& graph, const std::string& path, const std::vector<std::string>& names) {
        until_signalled([&] { write_graph(graph, path, names); });
      },
      py::arg("graph"), py::arg("path"), py::arg("names"));
  // The bytes of a .npy file if the graph is dense, else of an .arcs.npy file.
  module.def(
      "graph_bytes",
      [](const Graph& graph) {
        std::string bytes;
        print_graph(graph.is_dense() ? GraphFormat::npy : GraphFormat::arc_npy, graph, "graph",
                    [&](std::string_view piece) { bytes += piece; });
        return py::bytes(bytes);
      },
      py::arg("graph"));
  module.def(
      "graph_from_toml",
      [](const std::string& text, const std::string& name, std::uint64_t seed) {
        return until_signalled([&] {
          return make_graph(parse_graph_source(text, name), Stream(seed, Purpose::graph), 0);
        });
      },
      py::arg("text"), py::arg("name"), py::arg("seed"));
  refuse_unmade<Graph>();
}

}  // namespace hearsay::python
