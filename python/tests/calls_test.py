"""Every public call explains an argument of a wrong type: in one line, with the name of the argument and what was expected."""

import functools
import inspect
import json

import hearsay
import numpy
import pytest

GRAPH = [[1, 0.5], [0.5, 1]]
LOG = [
    {"hearsay_log": 1, "problem": {"names": ["tea", "coffee"]}},
    {"decision": 1, "arm": "tea", "probability": 0.5, "probabilities": [0.5, 0.5]},
    {"feedback": 1, "outcome": 1},
]
PAIRS = {
    "played": ["a", "b"] * 20,
    "seen": ["b", "a"] * 20,
    "reading": [0.1, 0.5, 0.3, 0.95] * 10,
    "outcome": [0.1, 0.4, 0.35, 0.9] * 10,
    "distance": [1.0, 2.0] * 20,
}
EXPERIMENT = {
    "repetitions": 1,
    "environment": {"horizon": 5, "graph": {"family": "empty", "arms": 2}},
    "learners": [{"learner": "exp3"}],
}


def calls(tmp_path):
    """For every public call: the function, and arguments that are right."""
    problem = hearsay.Problem(["a", "b"], graph=[("a", "b", 0.5), ("b", "a", 0.5)], missing_readings="thin")
    waiting = [problem.choose() for _ in range(100)]
    (tmp_path / "problem.toml").write_text(problem.to_toml())
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(record) + "\n" for record in [{"hearsay_log": 1, "problem": json.loads(problem.to_json())}]))
    graph_file = tmp_path / "graph.csv"
    hearsay.write_graph(GRAPH, graph_file)
    learner = hearsay.Learner("exp3-wix", arms=2)
    informed = hearsay.Learner("exp3-dom", arms=2)
    bound = hearsay.HighProbabilityBound(2)
    graph = hearsay.Graph(GRAPH)
    result = hearsay.simulate(GRAPH, ["exp3", "exp3-wix"], rounds=5, repetitions=2)
    evaluation = hearsay.evaluate(LOG)
    calibration = hearsay.calibrate(PAIRS)
    alpha = hearsay.effective_independence(GRAPH)
    observe = dict(decision=None, graph=GRAPH, observations=[0.25, 0.25])
    all_rows = numpy.full(len(result["round"]), True)
    return {
        "Calibration.observations": (calibration.observations, dict(played="a", readings={"b": 1.0})),
        "Calibration.to_html": (calibration.to_html, dict(path=tmp_path / "c.html")),
        "Calibration.to_pandas": (calibration.to_pandas, {}),
        "Correction.loss": (hearsay.Correction(1, 0, 1).loss, dict(reading=1.0)),
        "Correction.observation": (hearsay.Correction(1, 0, 1).observation, dict(reading=1.0)),
        "Decision.__init__": (hearsay.Decision, dict(arm=0, probability=0.5, round=1)),
        "Evaluation.__getitem__": (evaluation.__getitem__, dict(arm="tea")),
        "Evaluation.by": (evaluation.by, dict(method="ips")),
        "Evaluation.regret": (evaluation.regret, dict(method="ips")),
        "Evaluation.to_html": (evaluation.to_html, dict(path=tmp_path / "e.html")),
        "Evaluation.to_pandas": (evaluation.to_pandas, {}),
        "EffectiveIndependence.to_html": (alpha.to_html, dict(path=tmp_path / "a.html", graph=GRAPH)),
        "Experiment.save": (result.experiment.save, dict(directory=tmp_path / "saved")),
        "Graph.__init__": (hearsay.Graph, dict(weights=GRAPH, copy=True)),
        "Graph.from_arcs": (hearsay.Graph.from_arcs, dict(arcs=[(0, 1, 0.5)], arms=2)),
        "Graph.from_distances": (hearsay.Graph.from_distances, dict(distances=[[0, 1], [1, 0]], kernel="gaussian:2")),
        "Graph.from_similarity": (hearsay.Graph.from_similarity, dict(similarity=GRAPH)),
        "Graph.nearest": (graph.nearest, dict(count=1)),
        "Graph.symmetrize": (graph.symmetrize, dict(symmetry="max")),
        "Graph.thin": (graph.thin, dict(at_least=0.5)),
        "Graph.to_arcs": (graph.to_arcs, {}),
        "Graph.to_networkx": (graph.to_networkx, {}),
        "Graph.to_numpy": (graph.to_numpy, {}),
        "Graph.to_pandas": (graph.to_pandas, {}),
        "Graph.to_scipy": (graph.to_scipy, {}),
        "Graph.weight": (graph.weight, dict(played=0, seen=1)),
        "Graph.with_names": (graph.with_names, dict(names=["a", "b"])),
        "HighProbabilityBound.__init__": (hearsay.HighProbabilityBound, dict(arms=2, noise_bound=1.0, confidence=0.95)),
        "HighProbabilityBound.add": (
            bound.add,
            dict(probabilities=[0.5, 0.5], arm=0, graph=GRAPH, observations=[0.25, 0.25]),
        ),
        "Learner.__init__": (
            hearsay.Learner,
            {"name": "exp3-wix", "arms": 2, "rate": 0.5, "exploration": 0.5, "tuning": "paper", "engine": "exact"}
            | {"noise_bound": 1.0, "out_of_range": "count", "bounds": "all", "max_outstanding": 9, "seed": 1, "stream": 1},
        ),
        "Learner.adopt": (learner.adopt, dict(arm=0)),
        "Learner.ask": (learner.ask, {}),
        "Learner.choose": (learner.choose, {}),
        "Learner.clone": (learner.clone, {}),
        "Learner.forget": (lambda decision: learner.forget(learner.choose() if decision is None else decision), dict(decision=None)),
        "Learner.get_params": (learner.get_params, dict(deep=True)),
        "Learner.observe": (
            lambda decision, **others: learner.observe(learner.choose() if decision is None else decision, **others),
            observe,
        ),
        "Learner.reset": (hearsay.Learner("exp3", arms=2).reset, {}),
        "Learner.restore": (hearsay.Learner.restore, dict(state=learner.save(), seed=1, stream=1)),
        "Learner.save": (learner.save, {}),
        "Learner.see_graph": (informed.see_graph, dict(graph=GRAPH)),
        "Learner.tell": (
            lambda decision, **others: learner.tell(learner.choose() if decision is None else decision, **others),
            observe,
        ),
        "Problem.__init__": (
            hearsay.Problem,
            {"names": ["a", "b"], "outcome": ("loss", 0, 1), "graph": GRAPH, "learner": "exp3-wix", "noise_bound": 1.0}
            | {"out_of_range": "clip", "missing_readings": "thin", "log": None, "logged_probabilities": "all", "seed": 1}
            | {"rate": 0.5},
        ),
        "Problem.choose": (problem.choose, dict(available=["a"], time="now")),
        "Problem.forget": (lambda choice: problem.forget(problem.choose() if choice is None else choice), dict(choice=None)),
        "Problem.from_file": (hearsay.Problem.from_file, dict(path=tmp_path / "problem.toml", log=None)),
        "Problem.from_log": (hearsay.Problem.from_log, dict(path=log, append=False)),
        "Problem.graph": (lambda graph: setattr(problem, "graph", graph), dict(graph=GRAPH)),
        "Problem.restore": (hearsay.Problem.restore, dict(state=problem.save())),
        "Problem.save": (problem.save, {}),
        "Problem.tell": (
            lambda choice, **others: problem.tell(waiting.pop() if choice is None else choice, **others),
            dict(choice=None, outcome=0.5, readings=None, observations=None),
        ),
        "Problem.to_json": (problem.to_json, {}),
        "Problem.to_toml": (problem.to_toml, {}),
        "Result.__getitem__": (result.__getitem__, dict(column="round")),
        "Result.at_horizon": (result.at_horizon, {}),
        "Result.compare": (result.compare, dict(first="exp3", second="exp3-wix", column="loss", round=5)),
        "Result.curves": (result.curves, {}),
        "Result.plays": (hearsay.simulate(GRAPH, ["exp3"], 5, 1, plays=True).plays, {}),
        "Result.plot": (result.plot, dict(ax=None, certificate=True, band="sd")),
        "Result.runs": (result.runs, {}),
        "Result.to_html": (result.to_html, dict(path=tmp_path / "r.html", title="t")),
        "Result.to_pandas": (result.to_pandas, {}),
        "Result.where": (result.where, dict(rows=all_rows)),
        "Segments.__getitem__": (hearsay.Segments(["a", "b"]).__getitem__, dict(segment="de")),
        "Segments.__init__": (hearsay.Segments, dict(names=["a", "b"], outcome=("loss", 0, 1), graph=GRAPH, logs=None)),
        "Segments.items": (hearsay.Segments(["a", "b"]).items, {}),
        "calibrate": (
            hearsay.calibrate,
            {"pairs": PAIRS, "noise_bound": 1.0, "by": "distance", "bins": 5, "quantile": 1.0, "outcome": "loss"}
            | {"range": (0, 1), "time_limit": 1.0},
        ),
        "effective_independence": (
            hearsay.effective_independence,
            dict(graph=GRAPH, time_limit=1.0, noise_bound=1.0, threads=1),
        ),
        "evaluate": (
            hearsay.evaluate,
            {"log": LOG, "confidence": 0.9, "bootstrap": 10, "noise_bound": 1.0, "side_observations": "auto"}
            | {"nulls": "incomplete", "tiny": 0.1, "seed": 1, "learner": "exp3", "play": "rejection"},
        ),
        "graph_families": (hearsay.graph_families, {}),
        "independence_number": (
            hearsay.independence_number,
            dict(graph=GRAPH, threshold=0.5, time_limit=1.0, threads=1),
        ),
        "learner_parameters": (hearsay.learner_parameters, {}),
        "loss_kinds": (hearsay.loss_kinds, {}),
        "make_graph": (hearsay.make_graph, dict(family="grid", seed=1, side=2)),
        "noise_laws": (hearsay.noise_laws, {}),
        "read_graph": (hearsay.read_graph, dict(path=graph_file, arms=2)),
        "run": (
            hearsay.run,
            {"experiment": EXPERIMENT, "seed": 1, "threads": 1, "progress": False, "out": None, "resume": False}
            | {"force": False, "overrides": None},
        ),
        "simulate": (
            hearsay.simulate,
            {"environment": GRAPH, "learners": ["exp3"], "rounds": 5, "repetitions": 1, "seed": 1, "threads": 1}
            | {"sequences": 1, "points": 5, "noise": "uniform", "noise_bound": 1.0, "losses": "walks", "delay": 0}
            | {"plays": False, "progress": False},
        ),
        "write_graph": (hearsay.write_graph, dict(graph=GRAPH, path=tmp_path / "w.csv")),
    }


#: Classes whose objects the package makes, and not the user.
NOT_MADE_BY_USERS = {"Calibration", "Certificate", "Choice", "Comparison", "Correction", "EffectiveIndependence"} | {
    *("Estimate", "Evaluation", "Experiment", "IndependenceNumber", "RegretBound", "Result")
}


def public_calls():
    for name in hearsay.__all__:
        member = getattr(hearsay, name)
        if inspect.isclass(member) and name not in hearsay.learners.__all__ and not name.startswith("Own"):
            for method, value in vars(member).items():
                is_call = inspect.isroutine(value) or isinstance(value, property) and value.fset is not None
                is_call = is_call and not isinstance(value, functools.cached_property)
                is_public = not method.startswith("_") or method == "__getitem__"
                if is_call and is_public or method == "__init__" and name not in NOT_MADE_BY_USERS:
                    yield f"{name}.{method}"
        elif callable(member) and not inspect.isclass(member):
            yield name


class Strange:
    """An object that is wrong for every argument."""

    def __repr__(self):
        return "<strange>\n<thing>"


#: Arguments that may be any object, because every object is true or false in Python.
FLAGS = {"append", "certificate", "deep", "force", "plays", "progress", "resume"}

#: Values that are wrong for most arguments. A call takes them, or refuses them and says what was expected.
OTHERS = ["no such", "77", b"x", 1.5, 1.0, -1, 10**30, float("nan"), float("inf"), None, [1, 2], [Strange()], {"a": 1}]
OTHERS += [{"a": Strange()}, {3: "x"}, (), [[1, "x"], [2]], Strange, numpy.zeros(3), numpy.array("x"), True, "", {1: 2}]


def error_with(function, arguments, name, value):
    try:
        function(**{**arguments, name: value})
    except Exception as error:
        return error
    return None


def is_clear(message):
    internal_phrases = ("incompatible", "Invoked with", "do not have the types", "object is not", "operand", " at 0x", "could not convert")
    return "\n" not in message and len(message) < 400 and not any(each in message for each in internal_phrases)


def says_why(message):
    """Whether the message says what was expected, or, for a value of the right type, what is wrong with it."""
    return any(each in message for each in ("expected", "is not outstanding", "has no such parameter", "takes no arguments"))


def test_the_table_has_every_public_call(tmp_path):
    assert sorted(set(public_calls()) - set(calls(tmp_path))) == []


@pytest.fixture(autouse=True)
def in_an_empty_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of the values are names of files that are then written


@pytest.mark.filterwarnings("ignore")
def test_the_arguments_are_right(tmp_path):
    for name, (function, arguments) in calls(tmp_path).items():
        function(**arguments)


@pytest.mark.filterwarnings("ignore")
def test_an_argument_of_a_strange_type_is_named(tmp_path):
    wrong = []
    for name, (function, arguments) in calls(tmp_path).items():
        for argument in arguments.keys() - FLAGS:
            error = error_with(function, arguments, argument, Strange())
            message = "was taken" if error is None else str(error)
            if not (isinstance(error, (TypeError, ValueError, KeyError)) and argument in message and "expected" in message):
                wrong.append(f"{name}({argument}): {type(error).__name__} {message}")
            elif not is_clear(message):
                wrong.append(f"{name}({argument}): {message}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.filterwarnings("ignore")
def test_other_values_are_taken_or_refused_with_what_was_expected(tmp_path):
    wrong = []
    for name, (function, arguments) in calls(tmp_path).items():
        for argument in arguments:
            for value in OTHERS:
                error = error_with(function, arguments, argument, value)
                if error is None or isinstance(error, OSError):
                    continue
                is_refusal = isinstance(error, (TypeError, ValueError, LookupError))
                if not (is_refusal and says_why(str(error)) and is_clear(str(error))):
                    wrong.append(f"{name}({argument}={value!r:.40}): {type(error).__name__} {error}")
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong)
