"""Problem and Segments: names and units from Python's types, warnings, logs, and wrong calls."""

import copy
import datetime
import errno
import gzip
import inspect
import json
import math
import pathlib
import pickle
import random
import re
import resource
import signal
import warnings

import hearsay
import networkx
import numpy
import pandas
import pytest

nan = math.nan
NAMES = ["red", "green", "blue"]
WEIGHTS = numpy.array([[1, 0.5, 0], [0, 1, 0.25], [0, 1, 1]], dtype=float)
ARCS = [("red", "green", 0.5), ("green", "blue", 0.25), ("blue", "green", 1)]


def weights_of(problem):
    return problem.graph.to_numpy()


def readings_for(problem, choice, value=0.5):
    row = weights_of(problem)[choice.arm]
    return {name: value for name, weight in zip(problem.names, row) if weight > 0 and name != choice.name}


def test_a_graph_by_names_is_the_same_from_every_type():
    directed = networkx.DiGraph()
    directed.add_nodes_from(NAMES)
    directed.add_weighted_edges_from(ARCS)
    shuffled = ["blue", "red", "green"]
    frame = pandas.DataFrame(WEIGHTS, index=NAMES, columns=NAMES)
    nested = {"red": {"green": 0.5}, "green": {"blue": 0.25}, "blue": {"green": 1}}
    other_order = frame.loc[shuffled, shuffled]
    for graph in (WEIGHTS, hearsay.Graph(WEIGHTS), ARCS, nested, directed, frame, other_order, hearsay.Graph(other_order)):
        assert (weights_of(hearsay.Problem(NAMES, graph=graph)) == WEIGHTS).all(), type(graph)
    with pytest.raises(ValueError, match="graph: has the arm 'pink', expected the names of the arms"):
        hearsay.Problem(NAMES, graph=hearsay.Graph(WEIGHTS).with_names(["red", "green", "pink"]))
    for names_and_graph in (directed, frame):
        problem = hearsay.Problem(names_and_graph)
        assert problem.names == NAMES
        assert (weights_of(problem) == WEIGHTS).all()
    undirected = networkx.Graph()
    undirected.add_edge(1, 2, weight=0.5)
    assert hearsay.Problem(undirected).names == ["1", "2"]
    assert (weights_of(hearsay.Problem(undirected)) == [[1, 0.5], [0.5, 1]]).all()
    assert (weights_of(hearsay.Problem(NAMES)) == numpy.eye(3)).all()


def test_a_graph_file_has_the_order_of_the_names(tmp_path):
    path = tmp_path / "graph.csv"
    hearsay.write_graph(WEIGHTS, path)
    assert (weights_of(hearsay.Problem(NAMES, graph=path)) == WEIGHTS).all()


@pytest.mark.parametrize("kind", ["reward", "loss"])
def test_it_plays_as_the_learner_on_translated_losses(kind):
    problem = hearsay.Problem(NAMES, (kind, -10, 30), WEIGHTS, learner="exp3-wix", noise_bound=1, seed=5)
    learner = hearsay.Learner("exp3-wix", arms=3, noise_bound=1, seed=5)
    numbers = random.Random(1)
    for _ in range(100):
        choice = problem.choose()
        decision = learner.choose()
        assert (choice.arm, choice.probability, choice.id) == (decision.arm, decision.probability, decision.id)
        outcome = numbers.uniform(-10, 30)
        readings = {name: numbers.uniform(-10, 30) for name in readings_for(problem, choice)}
        problem.tell(choice, outcome, readings)
        values = {**readings, choice.name: outcome}
        losses = {name: (30 - x if kind == "reward" else x + 10) / 40 for name, x in values.items()}
        observed = {NAMES.index(name): WEIGHTS[choice.arm, NAMES.index(name)] * x for name, x in losses.items()}
        learner.observe(decision, problem.graph, observed)
    assert list(problem.probabilities) == NAMES
    assert list(problem.probabilities.values()) == learner.probabilities.tolist()
    assert problem.certificate.regret_bound == 40 * learner.certificate.regret_bound


def test_raw_revenue_is_refused_with_the_range():
    problem = hearsay.Problem(NAMES)
    choice = problem.choose()
    with pytest.raises(ValueError, match=f"the outcome of '{choice.name}' is 35, expected a reward from 0 to 1"):
        problem.tell(choice, 35)
    clipped = hearsay.Problem(NAMES, out_of_range="clip")
    clipped.tell(clipped.choose(), 35)
    assert clipped.counts["clipped"] == 1
    assert "1 outcome clipped" in repr(clipped)


def test_missing_readings_are_refused_or_thinned():
    problem = hearsay.Problem(NAMES, graph=WEIGHTS)
    choice = problem.choose()
    with pytest.raises(ValueError, match="no reading of '.*', expected one of every arm that '.*' shows"):
        problem.tell(choice, 1)
    problem.tell(choice, 1, pandas.Series(readings_for(problem, choice)))
    thinned = hearsay.Problem(NAMES, graph=WEIGHTS, missing_readings="thin")
    thinned.tell(thinned.choose(), 1, {name: float("nan") for name in NAMES})
    thinned.tell(thinned.choose(), 1, dict.fromkeys(NAMES))
    assert thinned.counts["thinned"] == 2
    assert "2 rounds with missing readings" in repr(thinned)


def test_readings_beyond_the_noise_bound_are_warned_about_once():
    problem = hearsay.Problem(NAMES, ("loss", 0, 1), WEIGHTS, noise_bound=0.5)

    def tell(reading):
        choice = problem.choose()
        problem.tell(choice, 0.5, readings_for(problem, choice, reading))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tell(0.5)
    with pytest.warns(UserWarning, match="the noise bound, 0.5, allow") as caught:
        tell(7)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tell(7)
    assert problem.counts["beyond_noise_bound"] == 2
    assert "2 readings beyond the noise bound 0.5" in repr(problem)


def test_a_reading_of_weight_1_that_is_no_outcome_is_warned_about_where_the_noise_is_learned():
    problem = hearsay.Problem(["a", "b"], ("loss", 0, 1), {"a": {"b": 1}, "b": {"a": 1}})

    def tell(reading):
        choice = problem.choose()
        problem.tell(choice, 0.5, {"b" if choice.name == "a" else "a": reading})

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tell(0)
        tell(1)
    assert problem.certificate.out_of_range == 0
    with pytest.warns(UserWarning, match="1 reading of weight 1 is not a possible outcome"):
        tell(3)
    assert problem.counts["beyond_noise_bound"] == 1
    assert "1 reading of weight 1 out of range" in repr(problem)
    assert problem.certificate.out_of_range == 1
    below_one = hearsay.Problem(["a", "b"], ("loss", 0, 1), {"a": {"b": 0.9}, "b": {"a": 0.9}})
    choice = below_one.choose()
    below_one.tell(choice, 0.5, {"b" if choice.name == "a" else "a": 3})  # much noise is possible
    assert below_one.counts["beyond_noise_bound"] == 0


def test_available_arms_alone_are_drawn_and_end_the_bound():
    problem = hearsay.Problem(NAMES, seed=3)
    problem.tell(problem.choose(), 1)
    probabilities = problem.probabilities
    for _ in range(20):
        choice = problem.choose(available=(name for name in ("red", "blue")))
        assert choice.name != "green"
        assert choice.probability == pytest.approx(probabilities[choice.name] / (probabilities["red"] + probabilities["blue"]))
        problem.forget(choice)
    problem.tell(problem.choose(["red", "blue"]), 1)
    (bound,) = problem.certificate.bounds.values()
    assert not bound.holds and bound.failed_in_round == 2 and bound.failure == "some arms were not available"
    assert problem.certificate.regret_bound is None
    with pytest.raises(ValueError, match="available: is empty"):
        problem.choose(available=[])
    with pytest.raises(ValueError, match="there is no arm 'gren', expected 'green'"):
        problem.choose(available=["gren"])


def play(problem, numbers, rounds=30):
    waiting = []
    for _ in range(rounds):
        waiting.append(problem.choose())
        if len(waiting) > 2:
            choice = waiting.pop(numbers.randrange(3))
            problem.tell(choice, numbers.random(), readings_for(problem, choice, numbers.random()))


def test_log_state_copy_and_pickle_continue_with_the_same_bits(tmp_path):
    path = tmp_path / "log.jsonl"
    problem = hearsay.Problem(NAMES, graph=WEIGHTS, log=path, seed=9)
    play(problem, random.Random(2))
    problem.graph = [("red", "blue", 0.75)]
    play(problem, random.Random(3))
    state = problem.save()
    for other in (
        hearsay.Problem.restore(state),
        copy.deepcopy(problem),
        pickle.loads(pickle.dumps(problem)),
        hearsay.Problem.from_log(path, append=False),
    ):
        assert other.save() == state
        assert other.counts == problem.counts
    with pytest.raises(ValueError, match="is being written by another problem"):
        hearsay.Problem.from_log(path)
    del problem, other
    (tmp_path / "log.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert hearsay.Problem.from_log(tmp_path / "log.jsonl.gz", append=False).save() == state
    with path.open("a") as log:
        log.write('{"decision": 99, "ar')  # torn
    continued = hearsay.Problem.from_log(path)
    play(continued, random.Random(4))
    state = continued.save()
    del continued
    assert hearsay.Problem.from_log(path, append=False).save() == state


def test_the_log_has_times_and_probabilities(tmp_path):
    path = tmp_path / "log.jsonl"
    problem = hearsay.Problem(NAMES, log=path)
    noon = datetime.datetime(2026, 11, 17, 12, tzinfo=datetime.timezone.utc)
    problem.tell(problem.choose(time=noon), 1)
    problem.choose(time="yesterday")
    before = datetime.datetime.now(datetime.timezone.utc)
    problem.choose()
    after = datetime.datetime.now(datetime.timezone.utc)
    header, first, feedback, second, third = map(json.loads, path.read_text().splitlines())
    assert header["hearsay_log"] == 1 and header["problem"]["names"] == NAMES
    assert first["time"] == "2026-11-17T12:00:00+00:00" and second["time"] == "yesterday"
    assert before <= datetime.datetime.fromisoformat(third["time"]) <= after
    assert first["probabilities"] == pytest.approx([1 / 3] * 3)
    assert feedback == {"feedback": 1, "outcome": 1.0}
    with pytest.raises(ValueError, match="exists already, expected the path of a new log"):
        hearsay.Problem(NAMES, log=path)
    played = hearsay.Problem(NAMES, log=tmp_path / "played.jsonl", logged_probabilities="played")
    played.choose()
    assert "probabilities" not in json.loads((tmp_path / "played.jsonl").read_text().splitlines()[1])


def test_files_read_back(tmp_path):
    problem = hearsay.Problem(NAMES, ("loss", 1, 2), ARCS, learner="exp3-wix", rate=numpy.float32(0.5), seed=4)
    for name, text in (("p.toml", problem.to_toml()), ("p.json", problem.to_json())):
        (tmp_path / name).write_text(text)
        again = hearsay.Problem.from_file(tmp_path / name)
        assert again.to_json() == problem.to_json()
        assert again.choose() == hearsay.Problem.restore(problem.save()).choose()
    with pytest.raises(FileNotFoundError):
        hearsay.Problem.from_file(tmp_path / "none.toml")
    with pytest.raises(FileNotFoundError):
        hearsay.Problem.from_log(tmp_path / "none.jsonl")


def test_a_choice_belongs_to_its_problem():
    one, other = hearsay.Problem(NAMES), hearsay.Problem(NAMES)
    choice = one.choose()
    other.choose()
    with pytest.raises(ValueError, match="decision 1 was made by another problem"):
        other.tell(choice, 1)
    hearsay.Problem.restore(one.save()).tell(choice, 1)
    one.tell(choice.id, 1)
    with pytest.raises(ValueError, match="decision 1 is not outstanding"):
        one.tell(choice, 1)


def test_a_fresh_seed_differs_every_time():
    seeds = {json.loads(hearsay.Problem(NAMES, seed=None).to_json())["seed"] for _ in range(3)}
    assert len(seeds) == 3


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: hearsay.Problem("red"), TypeError, "names: is 'red', expected a list of names"),
        (lambda: hearsay.Problem(["a", "a"]), ValueError, "'a' appears twice"),
        (lambda: hearsay.Problem([]), ValueError, "names: is empty"),
        (lambda: hearsay.Problem(["a"], "reward"), ValueError, r"outcome: is 'reward', expected \(\"reward\", low, high\)"),
        (lambda: hearsay.Problem(["a"], ("gain", 0, 1)), ValueError, "^outcome: kind is 'gain', expected one of reward, loss"),
        (lambda: hearsay.Problem(["a"], ("loss", 1, 0)), ValueError, "^outcome: high is 0, expected more than low, 1"),
        (lambda: hearsay.Problem(["a"], {"kind": "loss", "low": -1e200, "high": 1}), ValueError, "^outcome: low is -1e\\+200"),
        (
            lambda: hearsay.Problem(["a", "b"], ("loss", 1.7e9, 1.7e9 + 1)),
            ValueError,
            "^outcome: high is 1700000001, only 1 more than low, 1700000000, expected a range wider than 1e-09 of its ends",
        ),
        (lambda: hearsay.Problem(["a"], learner="exp3wix"), ValueError, "'exp3wix' is not known, expected 'exp3-wix'"),
        (lambda: hearsay.Problem(["a"], tunning="ada"), TypeError, "'tunning' is not an argument, expected 'tuning'"),
        (lambda: hearsay.Problem(["a", "b"], graph=[("a", "c", 1)]), ValueError, "^graph: .*there is no arm 'c'"),
        (lambda: hearsay.Problem([1, 2], graph=[(1, 9, 0.5)]), ValueError, "^graph: .*there is no arm '9'"),
        (
            lambda: hearsay.Problem(["a", "b"], graph=[("a", "a", 0.5)]),
            ValueError,
            "^graph: the weight of 'a' for itself is 0.5, expected 1",
        ),
        (lambda: hearsay.Problem(["a", "b"], graph=[("a", "b", 2)]), ValueError, r"is 2, expected a number in \[0, 1\]"),
        (lambda: hearsay.Problem(["a", "b"], graph=[[1]]), ValueError, "has 1 arms, expected 2"),
        (
            lambda: hearsay.Problem(["a", "b"], graph=pandas.DataFrame([[1, 0], [0, 1]], index=["a", "b"])),
            ValueError,
            "the columns of the DataFrame",
        ),
        (lambda: hearsay.Problem(["a"], rate=[1]), TypeError, "rate: is of type list, expected 'adaptive' or a positive number"),
        (lambda: hearsay.Problem(["a"], rate=object()), TypeError, "is of type object"),
        (lambda: hearsay.Problem(["a"], rate=nan, learner="exp3-wix"), ValueError, "rate: is nan, expected 'adaptive' or a positive number"),
        (lambda: hearsay.Problem(["a"], noise_bound=nan), ValueError, "noise_bound: is nan, expected a number of at least 0"),
        (lambda: hearsay.Problem(["a"], ("loss", 0, math.inf)), ValueError, "outcome: high is inf, expected a finite number"),
        (lambda: hearsay.Problem(["a"], ("loss", "0", 1)), TypeError, r"outcome: is \('loss', '0', 1\), expected \(\"reward\", low, high\)"),
        (
            lambda: hearsay.Problem(["a", "b"], graph=[("a", "b", nan)]),
            ValueError,
            r"graph: the weight of the arc from 'a' to 'b' is nan, expected a number in \[0, 1\]",
        ),
        (
            lambda: hearsay.Problem(["a", "b"], graph={"a": {"b": "half"}}),
            ValueError,
            r"graph: the weight of the arc from 'a' to 'b' is 'half', expected a number in \[0, 1\]",
        ),
        (
            lambda: setattr(hearsay.Problem(["a", "b"]), "graph", [("a", "b", nan)]),
            ValueError,
            "graph: the weight of the arc from 'a' to 'b' is nan",
        ),
        (
            lambda: hearsay.Problem(["a", "b"], graph=[[1, nan], [0, 1]]),
            ValueError,
            r"weight\('a', 'b'\) is nan, expected a number in \[0, 1\]",
        ),
        (lambda: hearsay.Problem(["a"], seed=1.5), TypeError, "seed: is 1.5, expected a whole number"),
        (lambda: hearsay.Problem(["a"], learner="exp3wix"), ValueError, "^learner: 'exp3wix' is not known"),
        (lambda: hearsay.Problem(["a"]).tell("77", 1), TypeError, "choice: is '77', expected what choose"),
        (lambda: hearsay.Problem(["a"]).tell(1.0, 1), TypeError, "choice: is 1.0, expected what choose"),
        (lambda: hearsay.Problem(["a"]).tell(-1, 1), TypeError, "choice: is -1, expected what choose"),
        (lambda: hearsay.Problem(["a"]).tell(1, "1"), TypeError, "outcome: is '1', expected a number"),
        (lambda: hearsay.Problem(["a"]).tell(1, 1, [1, 2]), TypeError, r"readings: is \[1, 2\], expected a dict"),
        (lambda: hearsay.Problem(["a"]).choose(time=3), TypeError, "time: is 3, expected a text or a datetime"),
        (lambda: hearsay.Problem(["a"]).choose("a"), TypeError, "available: is 'a', expected a list of names"),
        (lambda: hearsay.Segments(["a"])[3], TypeError, "segment: is 3, expected the name of a segment"),
        (lambda: hearsay.Problem.restore(b"x"), ValueError, "problem state"),
        (lambda: hearsay.Problem(["a"]).choose(available=["b"]), ValueError, "there is no arm 'b'"),
        (lambda: hearsay.Problem(["a"]).tell(1, 1, {}, observations={}), TypeError, "both given"),
        (lambda: hearsay.Problem(["a"]).tell(7, 1), ValueError, "decision 7 was never made"),
        (lambda: hearsay.Segments(["a"], log="x"), TypeError, "expected 'logs'"),
        (lambda: setattr(hearsay.Segments(["a"]), "foo", 3), AttributeError, "foo"),
    ],
)
def test_wrong_calls_are_explained(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_learner_that_is_named_has_its_own_defaults_and_not_those_of_the_default_learner():
    def learner_of(**keywords):
        learner = json.loads(hearsay.Problem(["a", "b"], **keywords).to_json())["learner"]
        return learner["name"], learner["tuning"], learner["noise"]

    assert learner_of() == ("exp3-ivc", "ada", "learned")
    assert learner_of(learner="exp3-ivc") == ("exp3-ivc", "cost", "known")
    assert learner_of(learner="exp3-ivc", tuning="ada", noise="learned") == learner_of()


def test_segments_keep_a_problem_and_a_log_each(tmp_path):
    def make_segments():
        return hearsay.Segments(NAMES, ("reward", 0, 100), logs=tmp_path / "logs", seed=1)

    segments = make_segments()
    for country, revenue in [("de", 10), ("fr/paris", 70), ("de", 20)]:
        segments[country].tell(segments[country].choose(), revenue)
    assert list(segments) == ["de", "fr/paris"] and len(segments) == 2 and "de" in segments and "it" not in segments
    states = {name: problem.save() for name, problem in segments.items()}
    seeds = {json.loads(problem.to_json())["seed"] for _, problem in segments.items()}
    assert len(seeds) == 2
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["de.jsonl", "fr%2Fparis.jsonl"]
    del segments
    again = make_segments()
    assert {name: again[name].save() for name in states} == states
    with pytest.raises(ValueError, match="segment: is ''"):
        again[""]


def test_segments_refuse_a_log_of_another_problem(tmp_path):
    def choose(high=100, **keywords):
        return hearsay.Segments(NAMES, ("reward", 0, high), logs=tmp_path, **keywords)["de"].choose()

    choose(seed=None)
    with pytest.raises(ValueError, match=r"de.jsonl:1: outcome.high is 100.0, expected 50.0: a problem that has changed"):
        choose(high=50)
    with pytest.raises(ValueError, match='learner.name is "exp3-ivc", expected "exp3-wix"'):
        choose(learner="exp3-wix", noise_bound=1)
    assert choose(seed=None).id == 2  # with the seed of the log
    (tmp_path / "de.jsonl").write_bytes((tmp_path / "de.jsonl").read_bytes()[:50])  # torn in its first line
    with pytest.raises(ValueError, match="de.jsonl:1: ends within the first line"):
        hearsay.Problem.from_log(tmp_path / "de.jsonl")
    assert choose().id == 1


def test_what_is_wrong_with_a_problem_is_named_as_it_was_given():
    with pytest.raises(ValueError, match="^learner: 'exp3wix' is not known, expected 'exp3-wix'"):
        hearsay.Problem(["a", "b"], learner="exp3wix")
    with pytest.raises(ValueError, match="graph: the weight of the arc from 'a' to 'b' is 1.5, expected a number in"):
        hearsay.Problem(["a", "b"], graph=[("b", "a", 0.5), ("a", "b", 1.5)])
    problem = hearsay.Problem(["a", "b"])
    with pytest.raises(ValueError, match=r"decision 7 was never made, expected one that choose\(\) returned \(0 so far\)"):
        problem.tell(7, 0.5)


def test_a_full_disk_raises_oserror_with_its_errno_and_nothing_is_learned(tmp_path):
    path = tmp_path / "log.jsonl"
    problem = hearsay.Problem(NAMES, log=path)
    choice = problem.choose()
    state, size = problem.save(), path.stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 5, limits[1]))
    try:
        with pytest.raises(OSError, match="log.jsonl: could not be written") as caught:
            problem.tell(choice, 0.5)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.errno == errno.EFBIG
    assert problem.save() == state and path.stat().st_size == size
    problem.tell(choice, 0.5)
    assert hearsay.Problem.from_log(path, append=False).save() == problem.save()


@pytest.mark.parametrize(
    "graph, message",
    [
        ({"red": {"green": 0.5}, "gren": {}}, "graph: there is no arm 'gren', expected 'green'"),
        ({"red": {"red": 0.3}}, "graph: the weight of 'red' for itself is 0.3, expected 1"),
        ([("red", "green")], r"graph: has the arc \('red', 'green'\), expected \(played, seen, weight\)"),
        (networkx.Graph([("red", "red", {"weight": 0.5})]), "graph: the weight of 'red' for itself is 0.5, expected 1"),
    ],
)
def test_what_a_graph_has_and_cannot_mean_is_refused(graph, message):
    with pytest.raises(ValueError, match=message):
        hearsay.Problem(NAMES, graph=graph)


def test_own_weights_of_one_may_be_given():
    own = {name: {name: 1} for name in NAMES}
    assert hearsay.Problem(NAMES, graph=own).graph == hearsay.Problem(NAMES).graph


@pytest.mark.parametrize("name, shown", [(None, "None"), (nan, "nan"), (pandas.NA, "<NA>"), (pandas.NaT, "NaT")])
def test_a_missing_value_is_no_name(name, shown):
    with pytest.raises(ValueError, match=f"names: name 1: is {shown}, expected a name"):
        hearsay.Problem(["a", name])


@pytest.mark.parametrize("name", [b"b", ["b"], {"b"}, numpy.array(["b", "c"])])
def test_bytes_lists_and_arrays_are_no_names(name):
    with pytest.raises(TypeError, match=re.escape(f"names: name 1: is {name!r}, expected a name")):
        hearsay.Problem(["a", name])


def test_texts_that_utf8_cannot_hold_are_refused_by_name():
    half = "\ud800"  # of a surrogate pair
    with pytest.raises(ValueError, match=r"names: name 0: is '\\ud800', expected a text that UTF-8 can hold"):
        hearsay.Problem([half, "b"])
    problem = hearsay.Problem(["a", "b"])
    state = problem.save()
    for name, call in {
        "time": lambda: problem.choose(time=half),
        "available": lambda: problem.choose([half]),
        "the name of a reading": lambda: problem.tell(1, 0.5, {half: 0.5}),
        "segment": lambda: hearsay.Segments(["a", "b"])[half],
        "learner": lambda: hearsay.Problem(["a", "b"], learner=half),
    }.items():
        with pytest.raises(ValueError, match=rf"^{name}: is '\\ud800', expected a text that UTF-8 can hold"):
            call()
    assert problem.save() == state


@pytest.mark.parametrize("given, nearest", [("outcme", "outcome"), ("rat", "rate"), ("max_outstandin", "max_outstanding")])
def test_a_misspelt_argument_is_named_with_the_nearest(given, nearest):
    with pytest.raises(TypeError, match=f"Problem: '{given}' is not an argument, expected '{nearest}'"):
        hearsay.Problem(NAMES, **{given: ("reward", 0, 1)})


def test_a_list_of_arcs_may_have_the_diagonal_and_names_that_are_numbers():
    expected = numpy.array([[1, 0.5], [0, 1]])
    for names, graph in (
        (["a", "b"], [("a", "a", 1.0), ("a", "b", 0.5), ("b", "b", 1)]),
        ([1, 2], [(1, 2, 0.5)]),
        ([1, 2], [[1, 1, 1], [1, 2, 0.5]]),
        (numpy.array([1, 2]), [(numpy.int64(1), numpy.int64(2), 0.5)]),
        ([0, 1], [(0, 1, 0.5)]),
        ([0, 1], [[1, 0.5], [0, 1]]),
    ):
        assert numpy.array_equal(hearsay.Problem(names, graph=graph).graph.to_numpy(), expected)
    rows = [[1, 0, 0.5], [0, 1, 0.5], [1, 0, 1]]
    assert numpy.array_equal(hearsay.Problem([0, 1, 2], graph=rows).graph.to_numpy(), numpy.array(rows))
    arcs = [(1, 2, 0.5), (2, 3, 0.25), (3, 1, 1)]
    weights = numpy.array([[1, 0.5, 0], [0, 1, 0.25], [1, 0, 1]])
    assert numpy.array_equal(hearsay.Problem([1, 2, 3], graph=arcs).graph.to_numpy(), weights)


def test_the_graph_can_be_set_to_none():
    problem = hearsay.Problem(NAMES, graph=[(NAMES[0], NAMES[1], 0.5)])
    problem.graph = None
    assert problem.graph.arcs == 0
    problem.tell(problem.choose(), 0.5)


def test_a_reading_without_value_of_an_arm_that_is_not_shown_is_refused_for_that_reason():
    problem = hearsay.Problem(["a", "b", "c"], graph=[("a", "b", 0.5), ("b", "a", 0.5), ("c", "b", 0.5)])
    choice = problem.choose()
    while choice.name != "a":
        choice = problem.choose()
    for arm in ("c", "a"):
        with pytest.raises(ValueError, match=f"^'{arm}' could not be read, expected no entry for arms of which no reading is"):
            problem.tell(choice, 1, {"b": 1, arm: None})
    with pytest.raises(ValueError, match="^no reading of 'b', expected one of every arm that 'a' shows, or"):
        problem.tell(choice, 1, {"c": None})
    problem.tell(choice, 1, {"b": 1})


def test_a_missing_directory_is_an_os_error(tmp_path):
    missing = tmp_path / "none" / "x"
    table = {"environment": {"horizon": 5, "graph": {"family": "grid", "side": 2}}, "learners": [{"learner": "exp3"}]}
    calls = [
        lambda: hearsay.Problem(["a"], log=missing),
        lambda: hearsay.write_graph([[1]], missing.with_suffix(".npy")),
        lambda: hearsay.write_graph([[1]], missing.with_suffix(".csv")),
        lambda: hearsay.Problem.from_log(missing),
    ]
    if pathlib.Path("/proc").is_dir():
        calls.append(lambda: hearsay.run(table, out="/proc/none"))
    for call in calls:
        with pytest.raises(FileNotFoundError) as raised:
            call()
        assert raised.value.errno == errno.ENOENT
        assert "none" in raised.value.filename


def test_a_segment_whose_log_would_have_too_long_a_name_is_refused(tmp_path):
    segments = hearsay.Segments(["a"], logs=tmp_path)
    segments["x" * 249].choose()
    with pytest.raises(ValueError, match="^segment: is 'x+'..., the name of whose log has 256 bytes, expected at most 255"):
        segments["x" * 250]
    hearsay.Segments(["a"])["x" * 1000].choose()


def test_segments_are_pickled_unless_they_have_logs(tmp_path):
    segments = hearsay.Segments(["a", "b"], seed=3)
    segments["de"].tell(segments["de"].choose(), 1)
    assert repr(segments) == "<hearsay Segments: 1 problem>"
    for again in (pickle.loads(pickle.dumps(segments)), copy.deepcopy(segments)):
        assert again["de"].counts == segments["de"].counts
        assert again["fr"].choose() == hearsay.Segments(["a", "b"], seed=3)["fr"].choose()
    logged = hearsay.Segments(["a", "b"], logs=tmp_path)
    for attempt in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="Segments with logs cannot be copied or pickled"):
            attempt(logged)


def test_the_noise_bound_may_be_learned():
    """The signature says so, and it is the default."""
    assert "learned" in str(inspect.signature(hearsay.Problem).parameters["noise_bound"])
    assert 'None or "learned"' in hearsay.Problem.__doc__
    assert hearsay.Problem(["a"], noise_bound="learned").to_json() == hearsay.Problem(["a"]).to_json()
