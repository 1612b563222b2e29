"""Graph: conversions from and to arrays, scipy, networkx, arcs and files give the same bits."""

import copy
import gc
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import time

import hearsay
import networkx
import numpy
import pandas
import pytest
import scipy.sparse

WEIGHTS = numpy.array([[1, 0.1, 0, 0.25], [0.5, 1, 1 / 3, 0], [0, 0.7, 1, 0], [0.9, 0, 0, 1]])


def has_weights(graph, weights=WEIGHTS):
    return numpy.array_equal(graph.to_numpy(), weights)


def sparse_graph(arms, arcs, seed):
    """A random graph with so few arcs that it is stored sparsely."""
    rng = numpy.random.default_rng(seed)
    pairs = {(a, b) for a, b in rng.integers(arms, size=(arcs, 2)).tolist() if a != b}
    return hearsay.Graph.from_arcs([(a, b, w) for (a, b), w in zip(pairs, rng.uniform(size=len(pairs)))], arms=arms)


@pytest.mark.parametrize(
    "weights",
    [
        WEIGHTS,
        numpy.asfortranarray(WEIGHTS),
        WEIGHTS.tolist(),
        numpy.repeat(numpy.repeat(WEIGHTS, 2, 0), 2, 1)[::2, ::2],
        numpy.ascontiguousarray(WEIGHTS[::-1, ::-1])[::-1, ::-1],
        WEIGHTS.astype(">f8"),
        numpy.array(WEIGHTS, order="C").view(),
        hearsay.Graph(WEIGHTS),
    ],
)
def test_any_memory_layout_is_read(weights):
    assert has_weights(hearsay.Graph(weights))


def test_any_type_of_real_numbers_is_read():
    ones = numpy.array([[1, 0], [1, 1]])
    for kind in (bool, int, numpy.uint8, numpy.float32, numpy.float16, numpy.longdouble):
        assert has_weights(hearsay.Graph(ones.astype(kind)), ones)


def test_unaligned_and_read_only_arrays_are_read():
    packed = numpy.zeros(4, dtype=[("x", "i1"), ("w", "f8", 4)])
    packed["w"] = WEIGHTS
    assert not packed["w"].flags.aligned
    assert has_weights(hearsay.Graph(packed["w"]))
    fixed = WEIGHTS.copy()
    fixed.setflags(write=False)
    assert has_weights(hearsay.Graph(fixed))


def test_an_array_is_shared_only_with_copy_false(tmp_path):
    weights = WEIGHTS.copy()
    graph = hearsay.Graph(weights, copy=False)
    assert numpy.shares_memory(graph.to_numpy(), weights)
    numpy.save(tmp_path / "weights.npy", WEIGHTS)
    mapped = numpy.load(tmp_path / "weights.npy", mmap_mode="r")
    from_file = hearsay.Graph(mapped, copy=False)
    assert numpy.shares_memory(from_file.to_numpy(), mapped)
    # An array in Fortran order is copied anyway.
    column_major = numpy.asfortranarray(WEIGHTS)
    assert not numpy.shares_memory(hearsay.Graph(column_major, copy=False).to_numpy(), column_major)
    frozen = WEIGHTS.copy()
    frozen.setflags(write=False)
    assert not numpy.shares_memory(hearsay.Graph(frozen).to_numpy(), frozen)
    with pytest.raises(ValueError, match="weight"):
        hearsay.Graph(WEIGHTS + 1, copy=False)

    learner = hearsay.Learner("exp3-wix", arms=len(WEIGHTS), seed=1)
    decision = learner.choose()
    learner.observe(decision, graph, numpy.where(weights[decision.arm] > 0, 0.3, numpy.nan))
    del weights, mapped, graph  # the learner and from_file keep the arrays alive
    gc.collect()
    learner.choose()
    assert numpy.array_equal(from_file.to_numpy(), WEIGHTS)


def test_to_numpy_is_a_read_only_view_of_a_dense_graph():
    graph = hearsay.Graph(WEIGHTS)
    view = graph.to_numpy()
    assert numpy.shares_memory(view, graph.to_numpy())
    with pytest.raises(ValueError):
        view[0, 1] = 1
    with pytest.raises(ValueError):
        view.setflags(write=True)
    del graph
    assert numpy.array_equal(view, WEIGHTS)  # the view keeps the storage alive


def test_a_graph_does_not_change_with_the_array_it_was_made_from():
    weights = WEIGHTS.copy()
    graph = hearsay.Graph(weights)
    weights[0, 1] = 1
    assert graph.weight(0, 1) == 0.1


@pytest.mark.parametrize("graph", [hearsay.Graph(WEIGHTS), sparse_graph(60, 80, 1)])
def test_conversions_there_and_back_keep_the_weights(graph, tmp_path):
    weights = graph.to_numpy()
    played, seen, weight = graph.to_arcs()
    assert graph.arcs == len(weight) == (weights > 0).sum() - graph.arms
    assert has_weights(hearsay.Graph(graph.to_scipy()), weights)
    assert has_weights(hearsay.Graph(graph.to_scipy().tocsc()), weights)
    assert has_weights(hearsay.Graph(scipy.sparse.coo_array(weights)), weights)
    assert has_weights(hearsay.Graph(graph.to_networkx()), weights)
    assert has_weights(hearsay.Graph.from_arcs(numpy.column_stack([played, seen, weight]), arms=graph.arms), weights)
    for other in (pickle.loads(pickle.dumps(graph)), copy.copy(graph), copy.deepcopy(graph)):
        assert has_weights(other, weights) and other.is_dense == graph.is_dense
    for ending in ("npy", "mtx", "csv"):
        hearsay.write_graph(graph, tmp_path / f"graph.{ending}")
        assert has_weights(hearsay.read_graph(tmp_path / f"graph.{ending}", arms=graph.arms), weights)


def test_rows_are_the_arms_played_in_every_form(tmp_path):
    """The only arc means that playing 0 shows 1."""
    directed = networkx.DiGraph()
    directed.add_nodes_from([0, 1])
    directed.add_edge(0, 1, weight=0.5)
    (tmp_path / "one.csv").write_text("played,seen,weight\n0,1,0.5\n")
    for graph in (
        hearsay.Graph([[1, 0.5], [0, 1]]),
        hearsay.Graph(scipy.sparse.csr_matrix(([0.5], ([0], [1])), (2, 2))),
        hearsay.Graph(directed),
        hearsay.Graph.from_arcs([(0, 1, 0.5)]),
        hearsay.read_graph(tmp_path / "one.csv"),
    ):
        assert graph.weight(played=0, seen=1) == 0.5
        assert graph.weight(played=1, seen=0) == 0
        assert graph.self_weight == 1


def test_an_undirected_networkx_graph_is_symmetric_in_the_order_of_its_nodes():
    undirected = networkx.Graph()
    undirected.add_nodes_from(["c", "a", "b"])
    undirected.add_edge("a", "b")
    undirected.add_edge("a", "c", weight=0.25)
    assert has_weights(hearsay.Graph(undirected), [[1, 0.25, 0], [0.25, 1, 1], [0, 1, 1]])


def test_make_graph_has_the_options_and_the_seed_of_the_core():
    squared_distances = numpy.array([[abs(i // 2 - j // 2) ** 2 + abs(i % 2 - j % 2) ** 2 for j in range(4)] for i in range(4)])
    grid = hearsay.make_graph("grid", side=2, unit_square=True, weight="inverse-one-plus-square")
    assert has_weights(grid, 1 / (1 + squared_distances))
    drawn = hearsay.make_graph("uniform", arms=6, low=0.25, high=0.5, seed=3).to_numpy()
    assert has_weights(hearsay.make_graph("uniform", arms=6, low=0.25, high=0.5, seed=3), drawn)
    assert not has_weights(hearsay.make_graph("uniform", arms=6, low=0.25, high=0.5, seed=4), drawn)


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        ([], ValueError),
        ([[]], ValueError),
        (1.0, ValueError),
        (numpy.ones((2, 3)), ValueError),
        (numpy.ones((2, 2, 2)), ValueError),
        ([[1, 2], [0, 1]], ValueError),
        ([[1, -0.5], [0, 1]], ValueError),
        ([[1, float("nan")], [0, 1]], ValueError),
        ([[1, 0], [0, 0.5]], ValueError),
        ([[1, 0], [0]], ValueError),
        ([[1j]], TypeError),
        (numpy.zeros((0, 0), dtype=complex), TypeError),
        ([["a"]], TypeError),
        (numpy.array([[None]]), TypeError),
        (numpy.array([["2020-01-01"]], dtype="datetime64[D]"), TypeError),
        ("grid", (TypeError, ValueError)),
        (None, (TypeError, ValueError)),
        (scipy.sparse.coo_matrix(([0.5, 0.5], ([0, 0], [1, 1])), (2, 2)), ValueError),
        (scipy.sparse.coo_matrix(([0.5], ([0], [1])), (2, 3)), ValueError),
    ],
)
def test_invalid_weights_are_refused(weights, error):
    with pytest.raises(error):
        hearsay.Graph(weights)


def test_invalid_arcs_are_refused():
    for arcs, arms in (
        ([(0, 1, 0.5), (0, 1, 0.5)], None),
        ([(0, -1)], None),
        ([(0, 0.5)], None),
        ([(0, 1, 2, 3)], None),
        ([(0, 5)], 3),
        ([], None),
        ([], 2**40),
        ([(0, 2**40)], None),
    ):
        with pytest.raises(ValueError):
            hearsay.Graph.from_arcs(arcs, arms)
    assert hearsay.Graph.from_arcs([], arms=3).arcs == 0


def test_weight_of_an_unknown_arm_is_an_index_error():
    with pytest.raises(IndexError):
        hearsay.Graph(WEIGHTS).weight(0, 4)
    with pytest.raises(TypeError):
        hearsay.Graph(WEIGHTS).weight(0, -1)


def test_errors_name_the_graph_file(tmp_path):
    (tmp_path / "bad.csv").write_text("played,seen,weight\n0,1,7\n")
    with pytest.raises(ValueError, match=r"bad\.csv:2"):
        hearsay.read_graph(tmp_path / "bad.csv")


def test_graphs_are_equal_if_their_weights_are():
    dense = hearsay.Graph([[1, 0.5, 0], [0, 1, 0], [0.25, 0, 1]])
    sparse = hearsay.Graph.from_arcs([(0, 1, 0.5), (2, 0, 0.25)], arms=3)
    assert dense == sparse and hash(dense) == hash(sparse) and len({dense, sparse}) == 1
    assert dense != hearsay.Graph.from_arcs([(0, 1, 0.5), (2, 1, 0.25)], arms=3)
    assert dense != hearsay.Graph.from_arcs([(0, 1, 0.5), (2, 0, 0.25)], arms=4)
    assert dense != hearsay.Graph(0.5 * dense.to_numpy())
    assert (dense == "graph") is False


def test_numpy_takes_a_graph_as_an_array():
    weights = numpy.array([[1, 0.5], [0, 1]])
    for graph in (hearsay.Graph(weights), hearsay.Graph.from_arcs([(0, 1, 0.5)])):
        assert numpy.array_equal(numpy.asarray(graph), weights)
        assert numpy.asarray(graph, dtype="float32").dtype == numpy.float32
        changed = numpy.array(graph)
        changed[0, 1] = 0
        assert graph.weight(0, 1) == 0.5


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        hearsay.read_graph(tmp_path / "nothing.csv")
    assert raised.value.filename == str(tmp_path / "nothing.csv")
    with pytest.raises(FileNotFoundError):
        hearsay.simulate(tmp_path / "nothing.csv", ["exp3"], rounds=5)


def test_catalogues_have_what_the_command_lists():
    listed = json.loads(subprocess.check_output([os.environ["HEARSAY_PROGRAM"], "list", "--json"]))
    for section, found in (
        ("graphs", hearsay.graph_families()),
        ("losses", hearsay.loss_kinds()),
        ("noise", hearsay.noise_laws()),
    ):
        rows = [row for row in listed[section] if row["name"] != "file"]
        assert [row["name"] for row in rows] == list(found)
        for row in rows:
            entry = found[row["name"]]
            assert (entry["summary"], entry["reference"]) == (row["summary"], row["reference"])
            assert {option["name"] for option in row.get("options", [])} == set(entry["options"])
            for option in row.get("options", []):
                default = entry["options"][option["name"]]["default"]
                assert (None if default is ... else default) == option["default"]


def test_ctrl_c_ends_the_making_of_a_graph():
    """Graphs are made until Ctrl-C comes. It ends the call of the core, which does not finish its graph first."""
    script = """
import sys
import hearsay
last = None
def note(frame, event, function):
    global last
    if getattr(function, "__name__", "") == "graph_from_toml":
        last = event  # c_call, then c_return or c_exception
sys.setprofile(note)
try:
    print("ready", flush=True)
    while True:
        hearsay.make_graph("erdos-renyi", arms=10**7, probability=1e-6)
except KeyboardInterrupt:
    print(last, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=60)
    assert printed == "c_exception\n"


SIMILARITY = numpy.array([[1, 0.5, 0.25], [0.5, 1, 0], [0.25, 0.75, 1]])
NAMES = ("home", "shop", "news")


def named_frame():
    return pandas.DataFrame(SIMILARITY, index=NAMES, columns=NAMES)


def named_networkx():
    graph = networkx.DiGraph()
    graph.add_nodes_from(NAMES)
    for i, j in zip(*numpy.nonzero(SIMILARITY)):
        graph.add_edge(NAMES[i], NAMES[j], weight=SIMILARITY[i, j])
    return graph


@pytest.mark.parametrize("make", [hearsay.Graph, hearsay.Graph.from_similarity])
def test_similarities_are_read_from_whatever_has_them_and_names_are_kept(make):
    for given in (SIMILARITY, SIMILARITY.tolist(), scipy.sparse.csr_matrix(SIMILARITY)):
        assert has_weights(make(given), SIMILARITY)
        assert make(given).names is None
    for given in (named_frame(), named_frame()[["news", "home", "shop"]], named_networkx()):
        graph = make(given)
        assert has_weights(graph, SIMILARITY)
        assert graph.names == NAMES


def test_distances_are_read_from_whatever_has_them():
    distances = 1 / SIMILARITY.clip(0.1) - 1
    expected = 1 / (1 + distances**2)
    for given in (distances, pandas.DataFrame(distances)):
        assert has_weights(hearsay.Graph.from_distances(given), expected)
    # A distance of 0 is stored in the matrix, and an absent pair has weight 0.
    sparse = scipy.sparse.coo_matrix(([0.0, 3.0], ([0, 1], [1, 2])), shape=(3, 3))
    weights = hearsay.Graph.from_distances(sparse).to_numpy()
    assert weights.tolist() == [[1, 1, 0], [0, 1, 0.1], [0, 0, 1]]
    edge = networkx.Graph()
    edge.add_edge("a", "b", weight=2)
    graph = hearsay.Graph.from_distances(edge, "exponential:2")
    assert graph.names == ("a", "b")
    assert graph.weight(0, 1) == graph.weight(1, 0) == math.exp(-1)


def test_names_survive_all_that_keeps_the_arms():
    graph = hearsay.Graph(named_frame())
    for other in (
        graph.nearest(1),
        graph.thin(0.5),
        graph.symmetrize("mean"),
        hearsay.Graph(graph),
        copy.copy(graph),
        copy.deepcopy(graph),
        pickle.loads(pickle.dumps(graph)),
        pickle.loads(pickle.dumps(graph.thin(0.6))),
        hearsay.Graph(graph.to_networkx()),
        hearsay.Graph(graph.to_pandas()),
    ):
        assert other.names == NAMES
    assert pickle.loads(pickle.dumps(hearsay.Graph(SIMILARITY))).names is None
    assert hearsay.Graph(graph.to_networkx()) == graph
    with pytest.raises(AttributeError, match="names: cannot be set"):
        graph.names = ("a", "b", "c")
    with pytest.raises(AttributeError, match="colour: cannot be set"):
        graph.colour = "red"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: hearsay.Graph.from_similarity([[1, 2], [0, 1]]), r"similarity\(0, 1\) is 2"),
        (lambda: hearsay.Graph.from_similarity([[1, 0], [0, 0.5]]), r"similarity\(1, 1\) is 0.5"),
        (lambda: hearsay.Graph.from_similarity([[1, 0]]), "similarity: is 1 x 2, expected a square matrix"),
        (lambda: hearsay.Graph.from_distances([[0, -1], [0, 0]]), r"distance\(0, 1\) is -1"),
        (lambda: hearsay.Graph.from_distances([[0]], "gauss"), "kernel: is 'gauss', expected"),
        (lambda: hearsay.Graph.from_distances([[0]], "gaussian:-1"), "kernel: is gaussian:-1, expected a positive"),
        (lambda: hearsay.Graph([[1]]).thin(2), "^at_least: is 2, expected a number in"),
        (lambda: hearsay.Graph([[1]]).symmetrize("most"), "symmetry: is 'most', expected max, min or mean"),
        (lambda: hearsay.Graph(pandas.DataFrame([[1]], index=["a"], columns=["b"])), "the column 'b' is no row"),
        (lambda: hearsay.Graph(pandas.DataFrame([[1, 0], [0, 1]], index=["a", "a"])), "two rows have the same name"),
    ],
)
def test_wrong_similarities_distances_and_names_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_errors_have_the_names_of_rows_and_nodes():
    frame = pandas.DataFrame([[1, 1.2], [0.5, 1]], index=["x", "y"], columns=["x", "y"])
    with pytest.raises(ValueError, match=r"similarity\('x', 'y'\) is 1.2, expected a number in \[0, 1\]"):
        hearsay.Graph.from_similarity(frame)
    with pytest.raises(ValueError, match=r"weight\('x', 'y'\) is 1.2, expected a number in \[0, 1\]"):
        hearsay.Graph(frame)
    with pytest.raises(ValueError, match=r"distance\('y', 'y'\) is 1, expected 0"):
        hearsay.Graph.from_distances(frame - numpy.array([[1, 0], [0, 0]]))
    nodes = networkx.DiGraph()
    nodes.add_edge("x", "y", weight=2)
    with pytest.raises(ValueError, match=r"weight\('x', 'y'\) is 2, expected"):
        hearsay.Graph(nodes)


def test_wrong_types_of_arguments_are_refused():
    with pytest.raises(TypeError, match="^count: is -1, expected a whole number"):
        hearsay.Graph([[1]]).nearest(-1)
    with pytest.raises(TypeError, match="similarity: has type"):
        hearsay.Graph.from_similarity([["a"]])


def test_a_diagonal_within_rounding_of_1_is_1_in_every_form(tmp_path):
    weights = numpy.array([[1.0000000000000002, 0.5], [0.25, 0.9999999999999999]])
    expected = [[1, 0.5], [0.25, 1]]
    nodes = networkx.DiGraph()
    nodes.add_weighted_edges_from((i, j, weights[i, j]) for i in range(2) for j in range(2))
    names = ["a", "b"]
    forms = [weights, weights.tolist(), numpy.asfortranarray(weights), scipy.sparse.csr_matrix(weights), nodes]
    forms.append(pandas.DataFrame(weights, index=names, columns=names))
    forms.append(numpy.array([[1 - 9e-7, 0.5], [0.25, 1 + 9e-7]]))
    for form in forms:
        assert hearsay.Graph(form).to_numpy().tolist() == expected, type(form)
        assert hearsay.Graph(form, copy=False).to_numpy().tolist() == expected, type(form)
        if form is not nodes:
            assert hearsay.Problem(names, graph=form).graph.to_numpy().tolist() == expected, type(form)
    assert hearsay.Graph.from_arcs([(i, j, weights[i, j]) for i in range(2) for j in range(2)]).to_numpy().tolist() == expected
    learner = hearsay.Learner("exp3-wix", arms=2)
    learner.observe(learner.choose(), weights, [0.25, 0.25])
    assert hearsay.simulate(weights, ["exp3"], 5, 1)["regret"].tolist() == hearsay.simulate(expected, ["exp3"], 5, 1)["regret"].tolist()
    with pytest.raises(ValueError, match="the diagonal must be constant"):
        hearsay.Graph([[1, 0.5], [0.25, 1 - 2e-6]])


def test_csv_files_keep_names(tmp_path):
    graph = hearsay.Graph([[1, 0.5, 0], [0, 1, 0], [0, 0.25, 1]]).with_names(["c", "b", "a"])
    hearsay.write_graph(graph, tmp_path / "named.csv")
    read = hearsay.read_graph(tmp_path / "named.csv")
    assert read.names == ("c", "b", "a")
    assert has_weights(read, graph.to_numpy())
    problem = hearsay.Problem(["a", "b", "c"], graph=tmp_path / "named.csv")
    assert problem.graph.weight(played=2, seen=1) == 0.5
    assert problem.graph.weight(played=0, seen=1) == 0.25
    with pytest.raises(ValueError, match=r"named.csv:2:1: there is no arm 'c'"):
        hearsay.Problem(["a", "b"], graph=tmp_path / "named.csv")
    hearsay.write_graph(graph, tmp_path / "numbered.npy")
    assert hearsay.read_graph(tmp_path / "numbered.npy").names is None
    hearsay.write_graph(graph.with_names([0, 1, 2]), tmp_path / "numbered.csv")
    assert (tmp_path / "numbered.csv").read_text().startswith("played,seen,weight\n0,0,1\n")
