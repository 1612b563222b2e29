"""Result: every run, paired comparisons, bands and styles of plots, experiments that run again."""

import copy
import csv
import io
import json
import math
import os
import pathlib
import pickle
import re
import shutil
import subprocess

import hearsay
import matplotlib.colors
import numpy
import pytest
import scipy.stats
from hearsay import _core, _report
from matplotlib import pyplot
from report_page import report_in

ROOT = pathlib.Path(__file__).parents[2]
GRID = hearsay.make_graph("grid", side=3)
LEARNERS = ["exp3", {"learner": "exp3-wix", "rate": ["adaptive", 0.1]}]


@pytest.fixture(scope="module")
def result():
    return hearsay.simulate(GRID, LEARNERS, rounds=200, repetitions=5, sequences=3, points=4)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 10, 31, 99, 100, 101, 1000, 100_001])
def test_students_t_is_that_of_scipy(degrees):
    for tail in (1.0, 0.3, 0.05, 1e-3, 1e-10, 1e-16, 1e-17, 1e-30):
        t = scipy.stats.t.isf(tail / 2, degrees)
        assert _core.student_tail(t, degrees) == pytest.approx(2 * scipy.stats.t.sf(t, degrees), rel=1e-9, abs=0)
    assert _core.student_tail(math.inf, degrees) == 0
    # rounded to six decimals
    assert _core.student_quantile_95(degrees) == pytest.approx(scipy.stats.t.ppf(0.975, degrees), rel=0, abs=6e-7)


def test_a_strong_difference_has_a_small_p_value_that_is_positive():
    losses = numpy.tile([0.0, 1.0], (400, 1))
    result = hearsay.simulate([[1, 0], [0, 1]], ["exp3", "uniform"], 400, 30, losses=losses)
    runs = result.runs()
    at_end = runs[runs["round"] == 400]
    regrets = [at_end[at_end["label"] == label]["regret"].to_numpy() for label in ("exp3", "uniform")]
    expected = scipy.stats.ttest_rel(*regrets).pvalue
    assert 0 < expected < 1e-16
    assert result.compare("exp3", "uniform").p_value == pytest.approx(expected, rel=1e-9, abs=0)


def test_runs_have_the_means_and_deviations_of_the_rows(result):
    frame = result.runs()
    assert len(frame) == 3 * 4 * 15
    assert list(frame.columns)[:3] == ["curve", "label", "learner"]
    assert frame["curve"].drop_duplicates().tolist() == [name for name, _ in result.curves()]
    for name, curve in result.curves():
        for row, round in enumerate(curve["round"]):
            runs = frame[(frame["curve"] == name) & (frame["round"] == round)]
            assert len(runs[["sequence", "repetition"]].drop_duplicates()) == 15
            assert runs["regret"].mean() == pytest.approx(curve["regret"][row], rel=1e-12)
            assert runs["regret"].std() == pytest.approx(curve["regret_sd"][row], rel=1e-12)
            means = runs.groupby("sequence")["regret"].mean()
            assert means.std() / math.sqrt(3) == pytest.approx(curve["regret_standard_error"][row], rel=1e-12)
            assert runs["best_arm_loss"].groupby(runs["sequence"]).nunique().tolist() == [1, 1, 1]
    assert len(result.at_horizon().runs()) == 3 * 15


def test_a_comparison_is_the_paired_t_test():
    result = hearsay.simulate(GRID, LEARNERS, rounds=200, repetitions=6)
    frame = result.runs()
    last = frame[frame["round"] == 200].pivot(index="repetition", columns="curve", values="loss")
    first, second = "exp3", "exp3-wix, rate 0.1"
    found = result.compare(first, second, column="loss")
    test = scipy.stats.ttest_rel(last[first], last[second])
    differences = last[first] - last[second]
    low, high = scipy.stats.t.interval(0.95, 5, differences.mean(), scipy.stats.sem(differences))
    assert (found.first, found.second, found.column, found.round, found.pairs) == (first, second, "loss", 200, 6)
    assert found.difference == pytest.approx(differences.mean(), rel=1e-12)
    assert found.p_value == pytest.approx(test.pvalue, abs=1e-12)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    # The losses of the best arm are the same, so the difference of the regrets is that of the losses.
    assert result.compare(first, second).difference == pytest.approx(found.difference, rel=1e-9)
    assert result.compare(second, first).p_value == pytest.approx(result.compare(first, second).p_value)
    early = int(result["round"].min())
    assert result.compare(first, second, round=early).round == early


def test_a_comparison_over_sequences_pairs_their_means(result):
    frame = result.runs()
    last = frame[frame["round"] == 200]
    means = last.groupby(["curve", "sequence"])["regret"].mean()
    differences = means["exp3"] - means["exp3-wix, rate adaptive"]
    found = result.compare("exp3", "exp3-wix, rate adaptive")
    assert found.pairs == 3
    assert found.standard_error == pytest.approx(differences.std() / math.sqrt(3), rel=1e-9)


def test_a_comparison_with_itself_has_no_difference_and_one_run_no_interval(result):
    same = result.compare("exp3", "exp3")
    assert (same.difference, same.low, same.high, same.p_value) == (0, 0, 0, 1)
    single = hearsay.simulate(GRID, ["exp3", "exp3-wix"], rounds=50, repetitions=1).compare("exp3", "exp3-wix")
    assert math.isnan(single.low) and math.isnan(single.p_value)


def test_wrong_comparisons_are_refused(result):
    with pytest.raises(ValueError, match="there is no curve 'exp4', expected 'exp3'"):
        result.compare("exp3", "exp4")
    with pytest.raises(ValueError, match="round: is 7, which was not recorded"):
        result.compare("exp3", "exp3", round=7)
    with pytest.raises(ValueError, match="column: is 'bound'"):
        result.compare("exp3", "exp3", column="bound")


def test_a_result_is_a_mapping_also_for_what_is_no_column(result):
    assert 3 not in result and "regrets" not in result and result.get("regrets", 1) == 1
    with pytest.raises(KeyError, match="there is no column 'regrets', expected 'regret'"):
        result["regrets"]


def test_rounds_and_runs_are_signed(result):
    assert result["round"].dtype == numpy.int64 and result["runs"].dtype == numpy.int64
    assert (numpy.diff(result["round"]) < 0).any()  # from one curve to the next


def test_bands_have_the_width_that_is_asked_for(result):
    factors = {"sd": ("regret_sd", 1.0), "se": ("regret_standard_error", 1.0)}
    factors["ci"] = ("regret_standard_error", scipy.stats.t.ppf(0.975, 2))  # three sequences
    for band, (column, factor) in factors.items():
        ax = result.plot(band=band, certificate=False)
        for (_, curve), drawn in zip(result.curves(), ax.collections, strict=True):
            points = drawn.get_paths()[0].vertices
            half_width = factor * curve[column]
            lowest, highest = (curve["regret"] - half_width).min(), (curve["regret"] + half_width).max()
            assert points[:, 1].min() == pytest.approx(lowest) and points[:, 1].max() == pytest.approx(highest)
            assert ax.get_ylim()[0] <= lowest and ax.get_ylim()[1] >= highest  # not clipped
    assert not result.plot(band=None).collections
    with pytest.raises(ValueError, match="band: is 'iqr', expected 'sd', 'se', 'ci' or None"):
        result.plot(band="iqr")
    pyplot.close("all")


def dashes(line):
    """The lengths of the dashes, for which matplotlib has no public name."""
    return tuple(line._unscaled_dash_pattern[1] or ())


def test_learners_have_the_colours_and_marks_of_the_report():
    table = json.loads((ROOT / "web" / "src" / "styles.json").read_text())
    names = ["uniform", "exp3-basic", "exp3"]
    learners = [*names, {"learner": "exp3-wix", "tuning": ["paper", "sharp"]}]
    lines = hearsay.simulate(GRID, learners, rounds=20, repetitions=1).plot(certificate=False).get_lines()
    for name, line in zip([*names, "exp3-wix", "exp3-wix"], lines, strict=True):
        slot = table["learners"].index(name)
        assert line.get_color() == table["light"][slot % 8], name
        assert line.get_marker() == table["shapes"][slot % 7]["matplotlib"], name
    # exp3-basic has the colour of another learner, exp3-ixb, so it is dashed.
    for line, index in zip(lines, [0, 1, 0, 0, 1], strict=True):
        assert dashes(line) == pytest.approx([length / line.get_linewidth() for length in table["dashes"][index]])
    # Ours is the last, exp3-wix with tuning sharp: as in the report its line is thick and its marks are full.
    assert [line.get_linewidth() for line in lines] == [1.75] * 4 + [2.75]
    assert [line.get_fillstyle() for line in lines] == ["none"] * 4 + ["full"]
    assert {name for name, *_ in _core.learner_catalogue()} <= set(table["learners"])  # each has a slot of its own
    pyplot.close("all")


def test_on_a_dark_background_curves_have_the_colours_of_the_dark_report():
    table = json.loads((ROOT / "web" / "src" / "styles.json").read_text())
    result = hearsay.simulate(GRID, ["exp3", "exp3-wix"], rounds=1200, repetitions=1)
    for background, theme in (("#14171a", "dark"), ("white", "light"), ("none", "light")):
        ax = pyplot.subplots()[1]
        ax.set_facecolor(background)
        result.plot(ax, certificate=False, band=None)
        slots = [table["learners"].index(name) for name in ("exp3", "exp3-wix")]
        assert [line.get_color() for line in ax.get_lines()] == [table[theme][slot % 8] for slot in slots], background
    assert ax.xaxis.get_major_formatter()(1000) == "1,000"
    pyplot.close("all")


def test_more_than_ten_curves_have_distinct_styles():
    rates = [round(0.01 * k, 2) for k in range(1, 26)]
    many = hearsay.simulate(GRID, [{"learner": "exp3", "rate": rates}], rounds=20, repetitions=1)
    lines = many.plot(certificate=False).get_lines()
    styles = {(line.get_color(), line.get_marker(), line.get_fillstyle(), dashes(line)) for line in lines}
    assert len(lines) == len(styles) == 25
    pyplot.close("all")


@pytest.mark.parametrize("layout", [None, "constrained", "own"])
def test_the_plot_of_a_sweep_is_legible(layout):
    rates = [round(0.01 * k, 2) for k in range(1, 15)]
    sweep = hearsay.simulate(GRID, [{"learner": "exp3-wix", "rate": rates}, "exp3"], rounds=50, repetitions=2)
    few = hearsay.simulate(GRID, ["exp3-wix", "exp3"], rounds=50, repetitions=2)

    def drawn(result):
        ax = result.plot() if layout == "own" else result.plot(pyplot.subplots(figsize=(7, 4.5), layout=layout)[1])
        ax.figure.canvas.draw()  # with a warning, which is an error here, if there is no room for the axes
        return ax, ax.get_window_extent().width / ax.figure.dpi

    ax, width = drawn(sweep)
    _, expected = drawn(few)
    assert width == pytest.approx(expected, rel=0.05)  # the labels of the axes may have another width
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == [*(f"exp3-wix, rate {rate}" for rate in rates), "exp3", "bound by the certificate"]
    assert ax.figure.bbox.x1 >= ax.get_legend().get_window_extent().x1
    assert ax.get_window_extent().x1 <= ax.get_legend().get_window_extent().x0
    curves = [line for line in ax.get_lines() if line.get_label().startswith("exp3-wix")]
    lightness = [sum(matplotlib.colors.to_rgb(line.get_color())) for line in curves]
    assert lightness == sorted(set(lightness)) and len(lightness) == 14
    bounds = [line for line in ax.get_lines() if line.get_linestyle() == ":"]
    assert {line.get_color() for line in bounds} >= {line.get_color() for line in curves}
    pyplot.close("all")


def test_unknown_attributes_of_a_result_are_refused(result):
    with pytest.raises(AttributeError):
        result.regrets = 3


def equal(one, other):
    return all(numpy.array_equal(one[key], other[key], equal_nan=one[key].dtype == float) for key in one)


@pytest.mark.parametrize("graph", [GRID, GRID.to_numpy(), hearsay.Graph.from_arcs([(0, 1, 0.5), (2, 3, 1)], arms=9)])
def test_the_experiment_of_arrays_runs_again(graph, tmp_path):
    losses = numpy.random.default_rng(1).uniform(size=(60, 9))
    first = hearsay.simulate(graph, LEARNERS, rounds=50, repetitions=2, losses=losses)
    for experiment in (first.experiment, copy.deepcopy(first.experiment), pickle.loads(pickle.dumps(first.experiment))):
        assert equal(hearsay.run(experiment), first)
    assert not equal(hearsay.run(first.experiment, seed=2), first)
    assert hearsay.run(first.experiment, overrides={"environment.horizon": 30})["round"].max() == 30
    assert "/tmp" not in first.experiment
    again = hearsay.run(first.experiment.save(tmp_path / "new"))
    assert equal(again, first)
    # The results may be written to another directory than that of the data, which is written there, too.
    out = tmp_path / "out"
    assert equal(hearsay.run(first.experiment, out=out), first)
    shutil.rmtree(tmp_path / "new")
    command = [os.environ["HEARSAY_PROGRAM"], "run", out / "experiment.toml", "--quiet", "--out", tmp_path / "again"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    again = {each.name: each.read_bytes() for each in (tmp_path / "again").iterdir() if each.is_file()}
    assert {"experiment.toml", "results.csv", "summary.csv", "ranking.csv"} <= again.keys()
    again.pop("run.json")  # has the time of the run
    assert again == {name: (out / name).read_bytes() for name in again}
    assert equal(hearsay.run(first.experiment, out=out, resume=True), first)
    assert {each.name for each in out.iterdir()} - again.keys() == {".hearsay", "run.json", *first.experiment.files}


def test_an_experiment_with_parts_in_python_does_not_run_again():
    class First:
        def __init__(self, arms):
            pass

        def choose(self, uniform):
            return 0

        def observe(self, decision, graph, observations):
            pass

    result = hearsay.simulate(GRID, [First], rounds=5, repetitions=1)
    assert result.experiment == ""
    with pytest.raises(ValueError, match="cannot run again, as the experiment has the learner 'First' in Python"):
        hearsay.run(result.experiment)
    with pytest.raises(ValueError, match="cannot be saved, as the experiment has the learner 'First' in Python"):
        result.experiment.save("nowhere")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"delay": 3}, "late feedback"),
        ({"delay": lambda round: round % 3, "losses": numpy.full((30, 9), 0.5)}, "late feedback"),
        ({"losses": numpy.random.default_rng(1).uniform(size=(2, 30, 9))}, "losses of several sequences"),
        ({"learners": [hearsay.Exp3Wix(arms=9, bounds="all")]}, "the learner 'exp3-wix' with parameters that only Learner"),
        ({"environment": {"family": "grid", "side": 3}, "delay": 1, "points": [3, 30]}, "late feedback"),
    ],
)
def test_an_experiment_that_no_file_describes_runs_again_in_the_same_session(arguments, part, tmp_path):
    arguments = {"environment": GRID.to_numpy().copy(), "learners": LEARNERS, "rounds": 30, "repetitions": 2, **arguments}
    first = hearsay.simulate(**arguments, seed=5)
    for value in arguments.values():
        if isinstance(value, numpy.ndarray):
            value[...] = 1  # which the experiment does not see
    experiment = first.experiment
    assert equal(hearsay.run(experiment), first)
    assert equal(hearsay.run(copy.deepcopy(first).experiment, threads=1), first)
    assert not equal(hearsay.run(experiment, seed=6), first)
    assert equal(hearsay.run(hearsay.run(experiment).experiment, seed=5), first)
    for call in (
        lambda: experiment.save(tmp_path),
        lambda: hearsay.run(experiment, out=tmp_path),
        lambda: hearsay.run(experiment, overrides={"seed": 1}),
        lambda: hearsay.run(pickle.loads(pickle.dumps(experiment))),
    ):
        with pytest.raises(ValueError, match=f"the experiment has {re.escape(part)}.*, which no experiment file can have"):
            call()
    assert not list(tmp_path.iterdir())


def test_results_that_were_found_in_a_directory_have_no_runs(tmp_path):
    table = {"environment": {"horizon": 20, "graph": {"family": "grid", "side": 3}}, "learners": [{"learner": "exp3"}]}
    first = hearsay.run(table, out=tmp_path)
    assert len(first.at_horizon().runs()) == 10
    found = hearsay.run(table, out=tmp_path, resume=True)
    assert equal(first, found)
    for call in (found.runs, lambda: found.plot(band="ci"), lambda: found.compare("exp3", "exp3")):
        with pytest.raises(ValueError, match=r"hearsay.run\(result.experiment\) computes them again, with the same bits"):
            call()
    assert hearsay.run(found.experiment).runs().equals(first.runs())


def report_of(result, directory, **arguments):
    result.to_html(directory / "python.html", **arguments)
    return report_in(directory / "python.html")


MANY = {
    "seed": 3,
    "sequences": 2,
    "repetitions": 3,
    "environment": {"horizon": 200, "graph": {"family": "grid", "side": 3}},
    "learners": [
        {"learner": "exp3-ixt", "threshold": [0.25, 0.5, 0.75]},
        {"learner": "exp3-wix", "tuning": ["paper", "sharp"]},
        {"learner": "exp3-ivc"},
        {"learner": "hedge"},
    ],
}


def test_the_report_of_python_is_that_of_the_command(tmp_path):
    result = hearsay.run({"name": "many", **MANY}, out=tmp_path / "out")
    report, expected = report_of(result, tmp_path), report_in(tmp_path / "out" / "report.html")
    # The command has written experiment.toml beside its report, Python has not.
    assert report.pop("command").splitlines() == [
        '# In Python: result.experiment.save("experiment")',
        "hearsay run experiment/experiment.toml",
    ]
    assert expected.pop("command") == "hearsay run experiment.toml"
    assert report == expected
    assert report_of(result, tmp_path, title="Mine")["title"] == "Mine"


def test_the_report_of_some_rows_says_what_is_known_of_their_learners(tmp_path):
    result = hearsay.run(MANY)
    whole = report_of(result, tmp_path)
    assert whole["title"] == "Comparison of learners"
    report = report_of(result.where(result["label"] != "exp3-ixt"), tmp_path)
    facts, of_all = ({each["name"]: each["value"] for each in page["facts"]} for page in (report, whole))
    assert facts.pop("Learners") == "3, in 4 settings" and of_all.pop("Learners") == "4, in 7 settings"
    assert facts == of_all and {"Arms", "Noise", "Fingerprint"} < set(facts)
    assert report["graphs"] == whole["graphs"] != []
    series = {each["label"]: each["ours"] for each in report["figures"][0]["series"]}
    assert series == {"exp3-wix, tuning paper": False, "exp3-wix, tuning sharp": True, "exp3-ivc": True, "hedge": False}
    assert report["ranking"]["caption"].endswith("Shown every true loss: hedge.")
    assert report["ranking"]["oracles"] == whole["ranking"]["oracles"] == ["hedge"]
    assert "<td>hedge (oracle)</td>" in result._repr_html_()
    rest = result.where(result["label"] != "hedge")
    assert "true loss" not in report_of(rest, tmp_path)["ranking"]["caption"]


def test_a_report_with_parts_in_python_has_the_figures_of_its_learners(tmp_path):
    def mine(arms):
        return hearsay.Exp3Ivx(arms=arms)

    result = hearsay.simulate(GRID, [mine, "exp3-ivc"], rounds=50, repetitions=2)
    report = report_of(result, tmp_path)
    assert report["command"] == "" and {"name": "Learners", "value": "2"} in report["facts"]
    assert [each["ours"] for each in report["figures"][0]["series"]] == [True, False]


def test_a_report_holds_the_ranking_and_the_curves(tmp_path):
    result = hearsay.simulate(hearsay.make_graph("grid", side=3), ["exp3", "exp3-wix"], 200, 5, points=4)
    report = report_of(result, tmp_path, title="Two <learners>")
    assert report["title"] == "Two <learners>"
    ranking = list(csv.DictReader(io.StringIO(report["tables"][0]["text"])))
    last = result.at_horizon()
    best, other = sorted(zip(last["regret"], last["label"]))
    assert [(float(row["regret"]), row["name"]) for row in ranking] == [best, other]
    comparison = result.compare(other[1], best[1])
    # The same formula; only sums of five numbers may be rounded in another order.
    assert float(ranking[1]["difference_low"]) == pytest.approx(comparison.low, rel=1e-12)
    assert float(ranking[1]["difference_high"]) == pytest.approx(comparison.high, rel=1e-12)
    curves = list(csv.DictReader(io.StringIO(report["tables"][1]["text"])))
    assert [float(row["regret"]) for row in curves] == result["regret"].tolist()
    shown = result._repr_html_()
    assert shown.index(best[1]) < shown.index(other[1] + "</td>")
    assert f"{best[0]:,.1f}" in shown


@pytest.mark.parametrize(
    ("learner", "parameter", "values"),
    [
        ("exp3-ixt", "threshold", [0.25, 0.5]),
        ("exp3-ixt", "threshold", [0.25, 1]),
        ("exp3-wix", "rate", ["adaptive", 1.0, 1e-7]),
        ("exp3-ivx-share", "switches", [1, 4]),
    ],
)
def test_a_report_of_the_command_and_of_python_rank_alike(learner, parameter, values, tmp_path):
    experiment = {
        "sequences": 3,
        "repetitions": 2,
        "environment": {"horizon": 100, "graph": {"family": "grid", "side": 3}},
        "learners": [{"learner": learner, parameter: values}, {"learner": "exp3"}],
    }
    result = hearsay.run(experiment, out=tmp_path)
    with open(tmp_path / "ranking.csv", newline="") as file:
        expected = list(csv.DictReader(file))
    for row, expected_row in zip(_report.comparison(result).ranking(), expected, strict=True):
        assert (str(row["rank"]), row["name"], row["learner"]) == (expected_row["rank"], expected_row["name"], expected_row["learner"])
        for key in ("regret", "regret_low", "regret_high", "difference", "difference_low", "difference_high"):
            assert row[key] == pytest.approx(float(expected_row[key]), rel=1e-12, abs=1e-12), key
    # A name of the file is a name of a curve, also after where().
    names = {row["name"] for row in expected}
    assert {name for name, _ in result.curves()} == {name for name, _ in result.at_horizon().curves()} == names
    assert result.compare(expected[0]["name"], expected[-1]["name"]).difference <= 0
