"""Independence numbers: known values, brute force, a check of the witness, and time limits."""

import copy
import itertools
import json
import os
import pickle
import subprocess

import hearsay
import numpy
import pytest
from report_page import report_in


def check_witness(graph, result):
    weights = graph.to_numpy()
    for one, other in itertools.combinations(result.witness.tolist(), 2):
        assert max(weights[one, other], weights[other, one]) < result.threshold
    assert len(result.witness) == result.independence_lower <= result.independence_upper
    if result.exact:
        assert result.independence_number == result.independence_lower == result.independence_upper
        assert result.lower == result.upper == result.value


def test_known_values_and_their_witnesses():
    grid = hearsay.make_graph("grid", side=5)
    result = hearsay.effective_independence(grid)
    assert (result.value, result.threshold, result.independence_number) == (9, 1, 9)
    check_witness(grid, result)
    assert hearsay.effective_independence(grid, noise_bound=1).value == pytest.approx(20 / 3)
    assert hearsay.effective_independence(grid, noise_bound=0.5).value == pytest.approx(50 / 9)
    assert hearsay.independence_number(grid, 1).value == 9
    assert hearsay.effective_independence(hearsay.make_graph("cycle", arms=7)).value == 3


def test_equals_brute_force_on_small_graphs():
    for seed in range(8):
        weights = numpy.random.default_rng(seed).uniform(size=(7, 7))
        numpy.fill_diagonal(weights, 1)
        graph = hearsay.Graph(weights)
        joint = numpy.maximum(weights, weights.T)

        def alpha(threshold):
            return max(
                len(arms)
                for size in range(1, 8)
                for arms in itertools.combinations(range(7), size)
                if all(joint[a, b] < threshold for a, b in itertools.combinations(arms, 2))
            )

        thresholds = [*joint[numpy.triu_indices(7, 1)], 1.0]
        result = hearsay.effective_independence(graph)
        assert result.exact
        assert result.value == pytest.approx(min(alpha(eps) / eps**2 for eps in thresholds), rel=1e-12)
        check_witness(graph, result)


def test_a_time_limit_leaves_an_interval():
    """There is only time for the first bounds, which leave an interval and are better than none."""
    graph = hearsay.make_graph("uniform", arms=81, seed=1)
    result = hearsay.effective_independence(graph, time_limit=0)
    assert not result.exact
    assert result.value is None and result.independence_number is None
    assert 1 < result.lower <= hearsay.effective_independence(graph).value <= result.upper < 81  # arms, of self weight 1
    check_witness(graph, result)
    number = hearsay.independence_number(graph, 0.5, time_limit=0)
    assert not number.exact and number.value is None
    assert 1 < number.lower <= hearsay.independence_number(graph, 0.5).value <= number.upper < 81


def test_invalid_arguments_are_refused():
    with pytest.raises(ValueError, match="time_limit"):
        hearsay.effective_independence([[1.0]], time_limit=-1)
    with pytest.raises(ValueError, match="noise_bound"):
        hearsay.effective_independence([[1.0]], noise_bound=float("nan"))
    with pytest.raises(ValueError, match="threshold"):
        hearsay.independence_number([[1.0]], 0)
    with pytest.raises(ValueError, match="threads"):
        hearsay.effective_independence([[1.0]], threads=0)
    with pytest.raises(ValueError, match="threads: is 4097, expected 1 to 4096"):
        hearsay.effective_independence([[1.0]], threads=4097)
    with pytest.raises(TypeError):
        hearsay.effective_independence([[1.0]], time_limit="1 s")
    with pytest.raises(ValueError, match="not finite"):
        hearsay.effective_independence([[1e-40]], noise_bound=1e300)


def test_the_report_has_what_was_found(tmp_path):
    graph = hearsay.make_graph("grid", side=4)
    found = hearsay.effective_independence(graph)
    found.to_html(tmp_path / "alpha.html", graph)
    report = report_in(tmp_path / "alpha.html")
    assert {"name": "alpha*", "value": f"{found.value:g}, exact"} in report["facts"]
    assert report["graphs"][0]["witness"] == found.witness.tolist()
    with pytest.raises(ValueError, match="graph: is not that in which this was found"):
        found.to_html(tmp_path / "alpha.html", hearsay.make_graph("complete", arms=16))


def test_the_report_of_alpha_r_is_that_of_the_command(tmp_path):
    graph = hearsay.make_graph("grid", side=4)
    hearsay.write_graph(graph, tmp_path / "graph.npy")
    hearsay.effective_independence(graph, noise_bound=0.5).to_html(tmp_path / "python.html", graph)
    report = ["--noise-bound", "0.5", "--report", tmp_path / "command.html"]
    subprocess.run([os.environ["HEARSAY_PROGRAM"], "alpha", tmp_path / "graph.npy", *report], check=True, capture_output=True)
    pages = [report_in(tmp_path / name) for name in ("python.html", "command.html")]
    for page in pages:
        del page["command"], page["input"]  # Python has none
    assert pages[0] == pages[1]
    assert "alpha^R" in json.dumps(pages[0])


def test_results_are_pickled(tmp_path):
    graph = hearsay.make_graph("grid", side=4)
    for found in (
        hearsay.effective_independence(graph),
        hearsay.effective_independence(graph, 10, 0.5, threads=2),
        hearsay.independence_number(graph, 0.5),
    ):
        for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
            assert type(again) is type(found)
            for name in (each for each in dir(found) if not each.startswith("_") and each != "to_html"):
                assert numpy.array_equal(getattr(again, name), getattr(found, name)), name
            if hasattr(found, "to_html"):
                pages = []
                for each in (found, again):
                    each.to_html(tmp_path / "page.html", graph)
                    pages.append((tmp_path / "page.html").read_bytes())
                assert pages[0] == pages[1]
