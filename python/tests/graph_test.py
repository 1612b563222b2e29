"""Graph: conversions from and to arrays, scipy, networkx, arcs and files give the same bits."""

import copy
import gc
import pickle

import hearsay
import networkx
import numpy
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
    d = numpy.array([[abs(i // 2 - j // 2) ** 2 + abs(i % 2 - j % 2) ** 2 for j in range(4)] for i in range(4)])
    grid = hearsay.make_graph("grid", side=2, unit_square=True, weight="inverse-one-plus-square")
    assert has_weights(grid, 1 / (1 + d))
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
    with pytest.raises(ValueError, match="nothing.npy"):
        hearsay.read_graph(tmp_path / "nothing.npy")
