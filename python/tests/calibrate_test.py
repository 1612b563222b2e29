"""calibrate(): equal results from every form of pairs, planted weights, and what is refused."""

import json
import math
import os
import pickle
import subprocess
import warnings

import hearsay
import numpy
import pandas
import pytest
from report_page import report_in


def planted(count=600, seed=1, size=0.2):
    """Pairs of two arcs; in units of the loss, errors are uniform in [-size, size]."""
    rng = numpy.random.default_rng(seed)
    played = numpy.array(["home", "shop"] * (count // 2), dtype=object)
    seen = numpy.array(["shop", "home"] * (count // 2), dtype=object)
    loss = rng.uniform(size=count)
    reading = 3 - 2 * loss + 2 * size * rng.uniform(-1, 1, size=count)
    return pandas.DataFrame({"played": played, "seen": seen, "reading": reading, "outcome": loss})


def assert_same(one, other):
    assert one.graph == other.graph
    assert one.graph.names == other.graph.names
    for key in one.arcs:
        assert one.arcs[key].tolist() == other.arcs[key].tolist(), key


def test_frames_dicts_and_files_give_the_same(tmp_path):
    frame = planted()
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    from_frame = hearsay.calibrate(frame, noise_bound=1)
    assert_same(from_frame, hearsay.calibrate(frame.to_dict("list"), noise_bound=1))
    assert_same(from_frame, hearsay.calibrate(tmp_path / "pairs.csv", noise_bound=1))
    assert_same(from_frame, hearsay.calibrate(str(tmp_path / "pairs.csv"), noise_bound=1))


def test_the_command_finds_the_same(tmp_path):
    frame = planted()
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    run = subprocess.run(
        [os.environ["HEARSAY_PROGRAM"], "calibrate", tmp_path / "pairs.csv", "--json"],
        check=True,
        capture_output=True,
    )
    arcs = json.loads(run.stdout)["arcs"]
    found = hearsay.calibrate(frame)
    for key in ("played", "seen", "weight", "offset", "slope", "residual_bound", "pairs", "group"):
        assert [arc[key] for arc in arcs] == found.arcs[key].tolist(), key


def test_planted_weights_are_found():
    found = hearsay.calibrate(planted(100_000), noise_bound=1)
    assert found.noise_bound == 1 and found.warnings == ()
    assert found.graph.names == ("home", "shop")
    # Each arc has 50,000 pairs: five standard errors of the slope are 0.018, of the offset 0.01. The weights are lower
    # limits, about 0.002 below those that were planted.
    for correction in found.corrections.values():
        assert 1 / 1.2 - 0.01 < correction.weight < 1 / 1.2
        assert abs(correction.offset - 3) < 0.02 and abs(correction.slope + 2) < 0.02
    by_spread = hearsay.calibrate(planted(100_000))
    assert by_spread.noise_bound is None
    expected = 1 / (1 + 0.2 / 3**0.5)
    assert expected - 0.01 < by_spread.graph.weight(0, 1) < expected
    # Each weight is that of the largest spread and the smallest slope which the other 40,000 pairs of its arc allow:
    # limits at 1.96 standard errors, which are 0.35 and 0.2 percent. So the mean square is 0.978. Its standard error
    # is 0.007, as the square of uniform noise has the variance 0.8 in units of its mean.
    assert by_spread.held_out["pairs"] == 20_000
    assert abs(by_spread.held_out["mean_square"] - 0.978) < 4 * 0.007


def test_a_correction_makes_the_observation_of_the_model():
    correction = hearsay.Correction(weight=0.5, offset=3, slope=-2)
    assert correction.loss(2) == 0.5
    assert correction.observation(2) == 0.25


def test_readings_of_a_round_become_observations():
    found = hearsay.calibrate(planted())
    expected = found.corrections["home", "shop"].observation(2.5)
    assert found.observations("home", {"shop": 2.5, "home": 1}) == {"shop": expected}
    for played, readings in (("sohp", {"home": 2.5}), ("home", {"shop": 2.5, "sohp": 1})):
        with pytest.raises(ValueError, match="there is no arm 'sohp', expected 'shop'"):
            found.observations(played, readings)
    with pytest.raises(ValueError, match="there is no arm 'zz', expected one of 'home', 'shop'"):
        found.observations("zz", {"shop": 2.5})


def test_numbers_are_the_arms_themselves():
    frame = planted()
    frame["played"] = [2, 0] * (len(frame) // 2)
    frame["seen"] = [0, 2] * (len(frame) // 2)
    found = hearsay.calibrate(frame)
    assert found.graph.arms == 3 and found.graph.names is None
    assert found.graph.weight(2, 0) > 0 and found.graph.weight(0, 1) == 0
    assert set(found.corrections) == {(2, 0), (0, 2)}


def test_names_of_any_type_are_kept():
    frame = planted()
    frame["played"] = [(0, 1), 2.5] * (len(frame) // 2)
    frame["seen"] = [2.5, (0, 1)] * (len(frame) // 2)
    found = hearsay.calibrate(frame)
    assert found.graph.names == ((0, 1), 2.5)
    assert found.arcs["played"].tolist() == [(0, 1), 2.5]


def test_groups_distances_and_units():
    frame = planted()
    frame["group"] = "all"
    frame["distance"] = numpy.where(frame["played"] == "home", 1.0, 2.0)
    pooled = hearsay.calibrate(frame, by="group")
    assert pooled.table["group"].tolist() == ["all"] and pooled.table["arcs"].tolist() == [2]
    assert hearsay.calibrate(frame, by="distance", bins=2).table["group"].tolist() == ["1", "2"]
    assert pooled.to_pandas().loc[0, "weight"] == pooled.graph.weight(1, 0)
    in_units = frame.assign(outcome=95 - 90 * frame["outcome"])
    again = hearsay.calibrate(in_units, by="group", outcome="reward", range=(5, 95))
    assert again.graph.weight(0, 1) == pytest.approx(pooled.graph.weight(0, 1), rel=1e-12)


def test_a_time_limit_of_zero_leaves_the_first_bounds():
    found = hearsay.calibrate(planted(), noise_bound=[1, 2], time_limit=0)
    alphas = [choice[key] for choice in found.choices for key in ("alpha_star", "alpha_r")]
    without_search = hearsay.calibrate(planted(), noise_bound=1, time_limit=0)
    for alpha in [*alphas, without_search.alpha_star, without_search.alpha_r]:
        assert alpha.upper < 2  # the number of arms, which bounds it without a search


def test_of_several_noise_bounds_the_cheapest_for_wix_is_taken():
    found = hearsay.calibrate(planted(), noise_bound=[0.1, 0.5, 2])
    assert [choice["noise_bound"] for choice in found.choices] == [0.1, 0.5, 2]
    best = min(found.choices, key=lambda choice: choice["wix_cost"])
    assert found.noise_bound == best["noise_bound"]
    for choice in found.choices:
        assert choice["alpha_r"].value == pytest.approx(best["alpha_r"].value, rel=1e-9)
    assert_same(found, hearsay.calibrate(planted(), noise_bound=found.noise_bound))


def test_data_that_contradict_the_model_give_a_warning():
    frame = planted()
    frame["reading"] += frame["outcome"] ** 2 * 3
    with pytest.warns(UserWarning, match="mean changes with the loss"):
        found = hearsay.calibrate(frame)
    assert len(found.warnings) >= 1
    with pytest.warns(UserWarning, match="no weight: there are fewer than 5 pairs"):
        few = hearsay.calibrate(planted(8))
    assert few.graph.arcs == 0 and few.corrections == {}
    assert repr(few) == "Calibration(spread, 2 groups, 2 arcs, 0 with a weight from 0.000 to 0.000, 1 warning)"


@pytest.mark.parametrize("noise_bound", [None, 0.5, [0.5, 1, 2]])
def test_report_and_independence_numbers_are_those_of_the_command(tmp_path, noise_bound):
    frame = planted()
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    found = hearsay.calibrate(tmp_path / "pairs.csv", noise_bound=noise_bound)
    found.to_html(tmp_path / "python.html")
    options = ["--json", "--report", tmp_path / "command.html"]
    if noise_bound is not None:
        options += ["--noise-bound", ",".join(map(str, numpy.atleast_1d(noise_bound)))]
    command = [os.environ["HEARSAY_PROGRAM"], "calibrate", tmp_path / "pairs.csv", *options]
    printed = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    pages = [report_in(tmp_path / name) for name in ("python.html", "command.html")]
    for page in pages:
        del page["command"]  # the report of Python has no command
    assert pages[0] == pages[1]
    assert pages[0]["input"] == str(tmp_path / "pairs.csv")
    facts = {fact["name"]: fact["value"] for fact in pages[0]["facts"]}
    assert facts["alpha* without side observations"] == "2" and facts["Pairs"] == f"{len(frame):,}"
    assert ("Recommended for exp3-wix" in facts) == isinstance(noise_bound, list)
    hearsay.calibrate(frame, noise_bound=noise_bound).to_html(tmp_path / "frame.html")
    of_frame = report_in(tmp_path / "frame.html")
    assert of_frame["input"] == "" and of_frame["facts"] == pages[0]["facts"]
    assert found.alpha_star_without == printed["alpha_star_without"] == 2
    for key in ("alpha_star", "alpha_r"):
        alpha = getattr(found, key)
        assert {"lower": alpha.lower, "upper": alpha.upper, "exact": alpha.exact} == printed[key]
    again = pickle.loads(pickle.dumps(found))
    assert again.alpha_star.value == found.alpha_star.value


def test_a_notebook_shows_the_groups():
    shown = hearsay.calibrate(planted(), noise_bound=1)._repr_html_()
    assert shown.startswith("<table><caption>Weights by bound: noise in [-1, 1]. 2 of 2 arcs in 2 groups have a weight.</caption>")
    assert "<td>home -&gt; shop</td>" in shown


def test_repr_tells_what_was_found():
    found = hearsay.calibrate(planted(), noise_bound=2)
    assert repr(found).startswith("Calibration(noise_bound=2, 2 groups, 2 arcs, 2 with a weight from 0.8")


@pytest.mark.parametrize(
    "change, message",
    [
        ({"reading": numpy.nan}, "pairs: row 0: reading: is nan, expected a number"),
        ({"outcome": 1.5}, r"pairs: row 0: outcome: is 1.5, expected a number in \[0, 1\], the range of outcomes \(range\)"),
        ({"played": ""}, "pairs: row 0: played: is empty"),
    ],
)
def test_wrong_rows_are_refused_with_their_number(change, message):
    with pytest.raises(ValueError, match=message):
        hearsay.calibrate(planted().assign(**change))


@pytest.mark.parametrize(
    "options, message",
    [
        ({"by": "group"}, "by: is group, but the pairs have no column group"),
        ({"by": "colour"}, "by: is 'colour', expected"),
        ({"by": "distance", "bins": 0}, "bins: is 0"),
        ({"bins": 5}, "bins: is given without by=.distance., expected both or neither"),
        ({"quantile": 2}, "quantile: is 2"),
        ({"noise_bound": -1}, "noise_bound: is -1, expected a positive number"),
        ({"noise_bound": []}, "noise_bound: is empty"),
        ({"noise_bound": "25"}, "noise_bound.* is '25', expected a number, several or None"),
        ({"noise_bound": "0.5"}, "noise_bound.* is '0.5', expected a number, several or None"),
        ({"noise_bound": ["2", 5]}, "noise_bound.* is .*'2'.*, expected a number"),
        ({"outcome": "gain"}, "outcome: is 'gain', expected one of reward, loss"),
        ({"range": (1, 0)}, "range: high: is 0, expected more than low"),
        ({"range": 5}, "range: is 5, expected the smallest and the largest outcome"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        hearsay.calibrate(planted(), **options)


@pytest.mark.parametrize("field", [b"\xed\xa0\x80", b"\xf4\x90\x80\x80"], ids=["surrogate", "beyond Unicode"])
def test_bytes_that_only_look_like_utf8_are_refused_with_a_message(field, tmp_path):
    shown = "[?]" * len(field)
    (tmp_path / "pairs.csv").write_bytes(b"played,seen,reading,outcome\na,b," + field + b",0.5\n")
    with pytest.raises(ValueError, match=f"pairs.csv:2:5: the reading is '{shown}', expected a finite number"):
        hearsay.calibrate(tmp_path / "pairs.csv")
    (tmp_path / "graph.csv").write_bytes(b"played,seen,weight\n0,1," + field + b"\n")
    with pytest.raises(ValueError, match=f"graph.csv:2: the weight is '{shown}', expected a number"):
        hearsay.read_graph(tmp_path / "graph.csv")


def test_wrong_columns_and_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no column 'outcome', expected played, seen, reading, outcome"):
        hearsay.calibrate(planted().drop(columns="outcome"))
    with pytest.raises(ValueError, match=r"pairs: seen has the shape \(1,\), expected \(2,\) as played"):
        hearsay.calibrate({"played": ["a", "b"], "seen": ["b"], "reading": [0, 1], "outcome": [0, 1]})
    with pytest.raises(ValueError, match="pairs: is 5, expected a DataFrame"):
        hearsay.calibrate(5)
    with pytest.raises(FileNotFoundError):
        hearsay.calibrate(tmp_path / "none.csv")
    (tmp_path / "wrong.csv").write_text("played,seen,reading,outcome\na,b,x,1\n")
    with pytest.raises(ValueError, match=r"wrong.csv:2:5: the reading is 'x', expected a finite number"):
        hearsay.calibrate(tmp_path / "wrong.csv")
    with pytest.raises(ValueError, match="written alike"):
        hearsay.calibrate({"played": [1, "1"], "seen": [2, 2], "reading": [0, 1], "outcome": [0, 1]})


def test_good_pairs_give_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hearsay.calibrate(planted(), noise_bound=1)
        hearsay.calibrate(planted())


@pytest.mark.parametrize("column", ["played", "seen", "group"])
@pytest.mark.parametrize(
    ("label", "message"),
    [(None, "is None, expected a name"), (math.nan, "is nan, expected a name"), ("\ud800", "expected a text that UTF-8 can hold")],
)
def test_what_is_no_name_is_refused_with_its_row(column, label, message):
    pairs = {"played": ["a"] * 9, "seen": ["b"] * 9, "reading": [1.0] * 9, "outcome": [0.5] * 9, "group": ["x"] * 9}
    pairs[column] = [*pairs[column][:7], label, label]
    with pytest.raises(ValueError, match=f"pairs: row 7: {column}: .*{message}"):
        hearsay.calibrate(pairs, by="group")
