"""run() and simulate(): the results and files of the command, environments and learners in Python, Ctrl-C."""

import _thread
import csv
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import hearsay
import numpy
import pytest
from hearsay.experiment import _threads
from matplotlib import pyplot
from wix_in_numpy import Wix

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "small"
COLUMNS = (
    "round runs regret regret_sd regret_sd_within_sequence regret_standard_error loss loss_sd best_arm_loss bound"
).split()


def assert_equals_csv(result, path):
    """Every number of every row must be the same to the bit."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(result)
    assert len(rows) == len(result["round"])
    for index, row in enumerate(rows):
        assert (row["label"], row["learner"]) == (result["label"][index], result["learner"][index])
        for key in COLUMNS:
            expected = float(row[key]) if row[key] else numpy.nan
            assert numpy.array_equal(result[key][index], expected, equal_nan=True), (index, key)
        for key in row.keys() - {"label", "learner", *COLUMNS}:  # the parameters of the learner
            value = result[key][index]
            if row[key] == "":
                assert value is None or numpy.isnan(value)
            elif isinstance(value, str):
                assert row[key] == value
            else:
                assert float(row[key]) == value


def equal(one, other, columns=COLUMNS):
    return all(numpy.array_equal(one[key], other[key], equal_nan=True) for key in columns)


def test_golden_experiment_has_the_same_bits_as_the_command(tmp_path):
    assert_equals_csv(hearsay.run(GOLDEN.with_suffix(".toml")), GOLDEN.with_suffix(".csv"))
    subprocess.run(
        [os.environ["HEARSAY_PROGRAM"], "run", GOLDEN.with_suffix(".toml"), "--seed", "7", "--quiet"]
        + ["--out", tmp_path / "out"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    result = hearsay.run(GOLDEN.with_suffix(".toml"), seed=7, threads=1)
    assert_equals_csv(result, tmp_path / "out" / "results.csv")
    assert_equals_csv(result.at_horizon(), tmp_path / "out" / "summary.csv")
    assert result.experiment == (tmp_path / "out" / "experiment.toml").read_text()


FILES = ["experiment.toml", "ranking.csv", "report.html", "results.csv", "run.json", "summary.csv"]


def test_it_writes_the_files_of_the_command(tmp_path):
    subprocess.run(
        [os.environ["HEARSAY_PROGRAM"], "run", GOLDEN.with_suffix(".toml"), "--set", "repetitions=3", "--quiet"]
        + ["--out", tmp_path / "command"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    path = GOLDEN.with_suffix(".toml")
    result = hearsay.run(path, overrides={"repetitions": 3}, out=tmp_path / "python", progress=False)
    names = sorted(each.name for each in (tmp_path / "command").iterdir() if each.is_file())
    assert names == FILES
    assert sorted(each.name for each in (tmp_path / "python").iterdir() if each.is_file()) == names
    names.remove("run.json")  # has the time of the run
    record, of_command = (json.loads((tmp_path / each / "run.json").read_bytes()) for each in ("python", "command"))
    assert record.keys() == of_command.keys()
    assert (record["host"], record["system"]) == (of_command["host"], of_command["system"])
    assert of_command["processor"] in ("", record["processor"])  # Linux does not name every processor
    for name in names:
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes(), name
    assert_equals_csv(result, tmp_path / "python" / "results.csv")
    # A finished run is not computed again.
    resumed = hearsay.run(path, overrides={"repetitions": 3}, out=tmp_path / "python", resume=True)
    assert equal(result, resumed)


def test_a_directory_of_another_experiment_is_replaced_by_force_alone(tmp_path):
    path = GOLDEN.with_suffix(".toml")
    first = hearsay.run(path, out=tmp_path)
    before = (tmp_path / "results.csv").read_bytes()
    for options in ({}, {"resume": True}):
        with pytest.raises(ValueError, match="another experiment"):
            hearsay.run(path, seed=9, out=tmp_path, **options)
        assert (tmp_path / "results.csv").read_bytes() == before
    other = hearsay.run(path, seed=9, out=tmp_path, force=True)
    assert not equal(first, other)
    assert_equals_csv(other, tmp_path / "results.csv")


def test_an_interrupted_run_resumes_to_the_same_bits(tmp_path):
    script = f"""
import hearsay
try:
    hearsay.run({str(GOLDEN.with_suffix(".toml"))!r}, overrides={{"environment.horizon": 30_000}}, out={str(tmp_path)!r})
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    while not list(tmp_path.glob(".hearsay/run.*.checkpoint/units")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=60)
    assert printed == "stopped\n"
    assert not (tmp_path / "results.csv").exists()
    longer = {"overrides": {"environment.horizon": 30_000}}
    path = GOLDEN.with_suffix(".toml")
    with pytest.raises(ValueError, match="resume"):
        hearsay.run(path, out=tmp_path, **longer)
    assert equal(hearsay.run(path, out=tmp_path, resume=True, **longer), hearsay.run(path, **longer))
    assert not list(tmp_path.glob(".hearsay/*.checkpoint"))


def test_overrides_set_keys_of_files_and_of_dicts():
    table = {"environment": {"horizon": 50, "graph": {"family": "grid", "side": 3}}, "learners": [{"learner": "exp3"}]}
    changed = hearsay.run(table, overrides={"environment.horizon": 20, "learners.exp3.rate": [0.1, "adaptive"]})
    assert changed["round"].max() == 20
    assert changed.at_horizon()["rate"].tolist() == [0.1, "adaptive"]
    with pytest.raises(ValueError, match="'horizn' is not a key"):
        hearsay.run(table, overrides={"environment.horizn": 20})


@pytest.mark.parametrize("wrong", [{"resume": True}, {"force": True}, {"resume": True, "force": True, "out": "x"}])
def test_options_that_contradict_each_other_are_refused(wrong):
    with pytest.raises(ValueError, match="expected"):
        hearsay.run(GOLDEN.with_suffix(".toml"), **wrong)


def test_dict_file_and_simulate_give_the_same_results(tmp_path):
    grid = {"family": "grid", "side": 3}
    learners = [{"learner": "exp3-ixt", "threshold": [0.25, 1]}, {"learner": "exp3-wix", "tuning": "sharp"}]
    table = {
        "repetitions": 3,
        "sequences": 2,
        "environment": {"horizon": 300, "noise_bound": 0.5, "graph": grid},
        "learners": learners,
    }
    from_dict = hearsay.run(table, threads=1)
    (tmp_path / "again.toml").write_text(from_dict.experiment)
    assert equal(from_dict, hearsay.run(tmp_path / "again.toml"))
    graph = hearsay.make_graph("grid", side=3)
    hearsay.write_graph(graph, tmp_path / "graph.npy")
    options = dict(rounds=300, repetitions=3, sequences=2, noise_bound=0.5)
    for environment in (grid, graph, graph.to_numpy(), graph.to_scipy(), graph.to_networkx(), tmp_path / "graph.npy"):
        assert equal(from_dict, hearsay.simulate(environment, learners, threads=2, **options))
    as_objects = [
        hearsay.Exp3Ixt(arms=9, noise_bound=0.5, threshold=0.25),
        {"learner": "exp3-ixt", "threshold": 1, "label": "other"},
        hearsay.Learner("exp3-wix", arms=9, noise_bound=0.5, tuning="sharp"),
    ]
    assert equal(from_dict, hearsay.simulate(graph, as_objects, **options))
    assert equal(
        hearsay.simulate(graph, ["exp3"], rounds=50), hearsay.simulate(graph, [hearsay.Exp3], rounds=50)
    )


class Replayed:
    """An environment in Python with given losses and a fixed graph."""

    def __init__(self, losses, graph):
        self.losses, self.graph = losses, graph

    def next(self, history):
        return self.losses[len(history)], self.graph


LOSSES = numpy.random.default_rng(1).uniform(size=(200, 9))
GRID = hearsay.make_graph("grid", side=3)


def test_python_environment_has_the_same_bits_as_the_core():
    learners = ["exp3-wix", {"learner": "exp3-ixt", "threshold": [0.5, 1]}, "uniform", "hedge"]
    built_in = hearsay.simulate(GRID, learners, rounds=200, repetitions=3, losses=LOSSES)
    for graph in (GRID, GRID.to_numpy()):
        own = hearsay.simulate(Replayed(LOSSES, graph), learners, rounds=200, repetitions=3)
        assert equal(built_in, own)
        assert list(own["label"]) == list(built_in["label"])


def test_python_environment_has_one_instance_for_each_sequence():
    losses = numpy.random.default_rng(2).uniform(size=(2, 100, 9))
    own = hearsay.simulate(
        lambda sequence: Replayed(losses[sequence], GRID), ["exp3-wix"], 100, repetitions=2, sequences=2, points=1
    )
    means = [
        hearsay.simulate(Replayed(each, GRID), ["exp3-wix"], 100, repetitions=2, points=1)["best_arm_loss"][0]
        for each in losses
    ]
    assert own["best_arm_loss"][0] == pytest.approx(numpy.mean(means), rel=1e-12)
    with pytest.raises(ValueError, match="sequences"):
        hearsay.simulate(Replayed(LOSSES, GRID), ["exp3"], 100, sequences=2)


class WixInNumpy:
    def __init__(self, arms):
        self.wix = Wix(GRID.to_numpy())

    def choose(self, uniform):
        return self.wix.choose(uniform)

    def observe(self, decision, graph, observations):
        assert graph.arms == len(observations)
        self.wix.observe(decision.arm, observations)


@pytest.mark.parametrize("environment", [GRID, Replayed(LOSSES, GRID)])
def test_python_learner_gets_the_same_random_numbers_as_the_core(environment):
    """The same algorithm with the same draws and noise makes the same choices and suffers the same losses."""
    result = hearsay.simulate(
        environment, ["exp3-wix", WixInNumpy, {"learner": WixInNumpy, "label": "again"}], rounds=200, repetitions=3
    )
    core, own, again = (curve for _, curve in result.curves())
    for key in ("loss", "loss_sd", "regret", "best_arm_loss"):
        numpy.testing.assert_allclose(own[key], core[key], rtol=1e-12)
        assert numpy.array_equal(own[key], again[key], equal_nan=True)
    assert numpy.isnan(own["bound"]).all() and not numpy.isnan(core["bound"]).any()


def test_python_environment_receives_the_arms_played():
    class PenalizeLastArm:
        def next(self, history):
            losses = numpy.zeros(2)
            losses[history[-1:]] = 1.0
            return losses, [[1, 0], [0, 1]]

    class AlwaysArmOne:
        def __init__(self, arms):
            pass

        def choose(self, uniform):
            return 1

        def observe(self, decision, graph, observations):
            assert decision.arm == 1 and numpy.isnan(observations[0])

    result = hearsay.simulate(PenalizeLastArm(), [AlwaysArmOne], rounds=50, repetitions=2, points=1)
    assert result["loss"].tolist() == [49.0]
    assert result["best_arm_loss"].tolist() == [0.0]


class RaisesInChoose:
    def __init__(self, arms):
        pass

    def choose(self, uniform):
        raise RuntimeError("cannot choose")


def learner_that_plays(arm):
    return type("Own", (), {"__init__": lambda s, n: None, "choose": lambda s, u: arm, "observe": lambda s, *a: None})


@pytest.mark.parametrize(
    ("environment", "learners", "error", "message"),
    [
        (GRID, [RaisesInChoose], RuntimeError, "^cannot choose"),
        (GRID, [learner_that_plays(9)], ValueError, "^choose: returned arm 9, "),
        (GRID, [learner_that_plays(-1)], ValueError, "^choose: returned arm -1, "),
        (GRID, [learner_that_plays(2**80)], ValueError, "^choose: returned arm "),
        (GRID, [learner_that_plays("3")], TypeError, "^choose: returned '3', "),
        (GRID, [3], TypeError, "^learners: 3, "),
        (GRID, "exp3", TypeError, "^learners: is 'exp3', expected a list"),
        (GRID, [hearsay.Learner], TypeError, "^learners: <class .*, expected a name"),
        (GRID, [], ValueError, "^learners: is empty, "),
        (GRID, ["exp4"], ValueError, "^learner: is 'exp4', "),
        (GRID, [{"learner": "exp3", "speed": 2}], ValueError, "^'speed' is not a key of "),
        ({"family": "gird"}, ["exp3"], ValueError, "^family: is 'gird', expected 'grid'"),
        (Replayed(LOSSES[:, :3], GRID), ["exp3"], ValueError, "^losses: 3 of them, "),
        (Replayed(2 * LOSSES, GRID), ["exp3"], ValueError, r"^losses: 1\.\d+ of arm 0, "),
        (Replayed(numpy.full((99, 9), numpy.nan), GRID), ["exp3"], ValueError, "^losses: nan of arm 0, "),
        (Replayed(LOSSES[:5], GRID), ["exp3"], IndexError, "^index 5 is out of bounds"),
        (type("None_", (), {"next": lambda s, h: None})(), ["exp3"], TypeError, r"^next\(history\): expected the pair "),
    ],
)
def test_errors_say_what_is_wrong(environment, learners, error, message):
    with pytest.raises(error, match=message):
        hearsay.simulate(environment, learners, rounds=50, repetitions=2)


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"repetitions": 0}, {"threads": 0}, {"points": 0}, {"seed": -1}])
def test_wrong_numbers_are_refused(wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=f"^{name}: is {value}, expected "):
        hearsay.simulate(GRID, ["exp3"], **{"rounds": 10, **wrong})


def test_default_number_of_threads_is_the_cores_that_the_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {1, 4, 6}, raising=False)
    assert _threads(None) == 3
    assert _threads(2) == 2
    assert _threads(4096) == 4096
    with pytest.raises(ValueError, match="threads: is 4097, expected 1 to 4096"):
        _threads(4097)


def test_default_number_of_threads_is_all_cores_without_sched_getaffinity(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)  # exists on Linux only
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert _threads(None) == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)  # the number is unknown
    assert _threads(None) == 1


def test_errors_name_the_experiment_file(tmp_path):
    (tmp_path / "bad.toml").write_text("[environment]\nhorizon = 'long'\n")
    with pytest.raises(ValueError, match=r"bad\.toml:2: horizon") as raised:
        hearsay.run(tmp_path / "bad.toml")
    assert raised.value.place == f"{tmp_path / 'bad.toml'}:2"
    assert f"{raised.value.place}: {raised.value.message}" == str(raised.value)
    with pytest.raises(FileNotFoundError, match="nothing.toml"):
        hearsay.run(tmp_path / "nothing.toml")
    with pytest.raises(TypeError, match="^horizon: has type object, "):
        hearsay.run({"environment": {"horizon": object()}})
    with pytest.raises(TypeError, match="^experiment: is 3, "):
        hearsay.run(3)


def test_result_has_tidy_columns_a_data_frame_and_a_plot():
    result = hearsay.simulate(GRID, ["exp3", {"learner": "exp3-wix", "rate": ["adaptive", 0.1]}], 100, 2, points=4)
    frame = result.to_pandas()
    assert list(frame.columns) == list(result)
    assert frame.groupby(["label", "rate"]).size().tolist() == [4, 4, 4]
    names = [name for name, _ in result.curves()]
    assert names == ["exp3", "exp3-wix, rate adaptive", "exp3-wix, rate 0.1"]
    ax = result.plot()
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert set(lines) == {*names, "_bound"}
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [*names, "bound by the certificate"]
    curve = dict(result.curves())["exp3"]
    assert numpy.array_equal(lines["exp3"].get_ydata(), curve["regret"])
    assert len(ax.collections) == 3  # the bands of the standard deviation
    assert len(result.plot(pyplot.figure().subplots(), certificate=False).get_lines()) == 3
    pyplot.close("all")


def test_other_python_threads_run_during_simulate():
    """Another thread ends the simulation, which would take hours: it can do so only if the core releases the lock."""
    starts = threading.Event()

    def interrupt():
        starts.wait()
        for _ in range(100):
            time.sleep(0)  # gives the interpreter lock to the other thread, so that the core runs by now
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        starts.set()
        hearsay.simulate(GRID, ["exp3-wix"], rounds=10**9)
    thread.join()


WORK = {
    "simulate": "hearsay.simulate({'family': 'grid', 'side': 5}, ['exp3-wix'], rounds=10**9)",
    "alpha": "hearsay.effective_independence(hearsay.make_graph('uniform', arms=1500))",
    "own": "hearsay.simulate(Own(), ['exp3-wix'], rounds=10**9)",
}


@pytest.mark.parametrize("work", WORK)
def test_ctrl_c_raises_keyboard_interrupt(work):
    script = f"""
import hearsay
class Own:
    graph = hearsay.make_graph("grid", side=3)
    def next(self, history):
        return [0.5] * 9, self.graph
try:
    print("ready", flush=True)
    {WORK[work]}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=60)  # without Ctrl-C the work would take hours
    assert printed == "stopped\n"
    assert process.returncode == 0


def test_progress_bar_is_shown_on_request(capsys):
    hearsay.simulate(GRID, ["exp3-wix"], rounds=1000, progress=True)
    assert "rounds" in capsys.readouterr().err
    hearsay.simulate(GRID, ["exp3-wix"], rounds=1000)  # not requested, and standard error is not a terminal
    assert capsys.readouterr().err == ""
