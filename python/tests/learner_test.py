"""Learners: comparison with a reference in numpy, pickle, late feedback, errors."""

import ast
import copy
import inspect
import json
import os
import pickle
import pydoc
import re
import subprocess
import warnings
from pathlib import Path

import hearsay
import numpy
import pandas
import pytest
from wix_in_numpy import Wix, observations_of

ROUNDS = 400

# Parameters without a default, and the learners that see the graph before they draw.
REQUIRED = {"threshold": 0.5, "alpha": 2, "horizon": 1000}
INFORMED = {"exp3-dom", "elp", "ucb-maxn", "gaussian-lp"}


def required_by(name):
    parameters = inspect.signature(hearsay.learner_classes[name]).parameters
    return {key: value for key, value in REQUIRED.items() if key in parameters}


def random_graph(rng, arms):
    """A directed graph in which a third of the pairs have weight 0."""
    weights = rng.uniform(size=(arms, arms)) * (rng.uniform(size=(arms, arms)) < 2 / 3)
    numpy.fill_diagonal(weights, 1.0)
    return weights


def choose(learner, graph):
    if learner.name in INFORMED:
        learner.see_graph(graph)
    return learner.choose()


def play(learner, weights, rng, rounds=ROUNDS):
    """Plays and returns, for each round, the arm, its probability and the sum of Q if the learner has a certificate."""
    graph = hearsay.Graph(weights)
    history = []
    for _ in range(rounds):
        decision = choose(learner, graph)
        losses, noise = rng.uniform(size=(2, len(weights)))
        learner.observe(decision, graph, observations_of(weights, decision.arm, losses, 2 * noise - 1))
        q_sum = learner.certificate.q_sum if hasattr(learner, "certificate") else None
        history.append((decision.arm, decision.probability, q_sum))
    return history


@pytest.mark.parametrize("noise_bound", [0.5, 1.0])
def test_exp3_wix_equals_a_reference_in_numpy(noise_bound):
    rng = numpy.random.default_rng(1)
    weights = random_graph(rng, 12)
    graph = hearsay.Graph(weights)
    learner = hearsay.Learner("exp3-wix", arms=12, noise_bound=noise_bound, seed=3)
    reference = Wix(weights, noise_bound)
    for _ in range(ROUNDS):
        numpy.testing.assert_allclose(learner.probabilities, reference.probabilities, rtol=1e-10, atol=0)
        decision = learner.choose()
        assert decision.probability == learner.probabilities[decision.arm]
        losses, noise = rng.uniform(size=(2, 12))
        observations = observations_of(weights, decision.arm, losses, noise_bound * (2 * noise - 1))
        learner.observe(decision, graph, observations)
        reference.observe(decision.arm, observations)
        details = learner.last_round
        assert learner.certificate.regret_bound == pytest.approx(reference.bound, rel=1e-10)
        assert learner.certificate.q_sum == pytest.approx(reference.q_sum, rel=1e-10)
        assert details["probabilities"][decision.arm] == decision.probability


def all_learners(weights):
    """Every learner, with the weights of a graph on which it can play."""
    for name in hearsay.learner_classes:
        # hedge must observe every true loss
        playable = numpy.ones_like(weights) if name == "hedge" else weights
        yield hearsay.Learner(name, arms=len(weights), seed=5, stream=2, **required_by(name)), playable


@pytest.mark.parametrize("make_copy", [lambda learner: pickle.loads(pickle.dumps(learner)), copy.deepcopy])
def test_a_copy_continues_with_the_same_bits(make_copy):
    for learner, weights in all_learners(random_graph(numpy.random.default_rng(2), 7)):
        play(learner, weights, numpy.random.default_rng(3), 50)
        late = choose(learner, weights)
        other = make_copy(learner)
        assert other.parameters == learner.parameters
        for each in (learner, other):
            each.observe(late, weights, numpy.where(weights[late.arm] > 0, 0.5, numpy.nan))
        assert play(other, weights, numpy.random.default_rng(4)) == play(
            learner, weights, numpy.random.default_rng(4)
        )
        assert other.save() == learner.save()


def test_pickle_keeps_the_named_class():
    learner = pickle.loads(pickle.dumps(hearsay.Exp3Wix(arms=3, tuning="sharp", seed=9)))
    assert type(learner) is hearsay.Exp3Wix
    assert learner.choose() == hearsay.Learner("exp3-wix", arms=3, tuning="sharp", seed=9).choose()


def test_decisions_compare_hash_and_pickle_by_value():
    decision = hearsay.Learner("exp3", arms=4, seed=1).choose()
    assert pickle.loads(pickle.dumps(decision)) == decision
    assert decision == hearsay.Decision(decision.arm, decision.probability, decision.round)
    assert decision.id == decision.round == 1
    assert len({decision, copy.copy(decision)}) == 1


def test_feedback_in_any_order_gives_the_same_probabilities():
    """Feedback uses the probabilities of its own decision, so the sums of the estimates do not depend on the order."""
    weights = random_graph(numpy.random.default_rng(5), 6)
    graph = hearsay.Graph(weights)
    rng = numpy.random.default_rng(6)

    def learner_after(order):
        learner = hearsay.Learner("exp3-wix", arms=6, rate=0.1, exploration=0.05, seed=1)
        decisions = [learner.choose() for _ in range(10)]
        assert learner.outstanding == 10
        for index in order:
            arm = decisions[index].arm
            losses = numpy.random.default_rng(index).uniform(size=6)
            learner.observe(decisions[index], graph, observations_of(weights, arm, losses, 0.0))
        assert learner.outstanding == 0
        return learner

    in_order, shuffled = learner_after(range(10)), learner_after(rng.permutation(10))
    numpy.testing.assert_allclose(in_order.probabilities, shuffled.probabilities, rtol=1e-12)
    assert shuffled.certificate.rounds == 10


def test_a_certificate_has_its_bounds_by_name():
    learner = hearsay.Learner("exp3-ivc", arms=2, bounds="all", seed=1)
    for observation in (0.5, 7.0, 0.5):  # at weight 0.5 and noise bound 1, an observation is at most 1
        decision = learner.choose()
        learner.observe(decision, [[1, 0.5], [0.5, 1]], {decision.arm: 0.5, 1 - decision.arm: observation})
    certificate = learner.certificate
    assert certificate.theorem == "entropic" and certificate.regret_bound is None
    assert set(certificate.bounds) == {"entropic", "realised", "estimated", "round_order"}
    failed = certificate.bounds["entropic"]
    assert (failed.name, failed.value, failed.holds) == ("entropic", None, False)
    assert (failed.failed_in_round, failed.failure) == (2, "an observation was out of range")
    assert "the rate never rises" in failed.conditions and "expected regret" in failed.statement
    kept = certificate.bounds["realised"]
    assert kept.holds and kept.value > 0 and kept.failed_in_round is None and kept.failure is None
    assert kept.per_switch is None
    sharing = hearsay.Learner("exp3-ivc-share", arms=2, seed=1).certificate.bounds["tracking"]
    assert sharing.per_switch is not None


def test_a_certificate_without_a_theorem_says_so():
    certificate = hearsay.Learner("exp3", arms=2).certificate
    assert certificate.theorem is None and certificate.regret_bound is None and certificate.bounds == {}


def test_a_bound_with_high_probability_is_that_of_a_replay(tmp_path):
    weights = [[1, 0.5], [0.25, 1]]
    learner = hearsay.Learner("exp3-ivx", arms=2, seed=1)
    high_probability = hearsay.HighProbabilityBound(arms=2, noise_bound=1, confidence=0.9)
    assert high_probability.bound.value == 0
    lines = [json.dumps({"arms": 2})]
    for observation in numpy.linspace(0, 0.5, 50):
        probabilities = learner.probabilities
        decision = learner.choose()
        learner.observe(decision, weights, [observation, observation])
        high_probability.add(probabilities, decision.arm, weights, [observation, observation])
        lines.append(
            json.dumps({"arm": decision.arm, "observations": [observation, observation], "weights": weights})
        )
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(lines) + "\n")
    command = [os.environ["HEARSAY_PROGRAM"], "replay", log, "--learner", "exp3-ivx", "--confidence", "0.9"]
    replayed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert json.loads(replayed[-1])["bounds"]["high_probability"] == high_probability.bound.value
    assert high_probability.bound.name == "high_probability" and high_probability.bound.holds


def test_a_bound_with_high_probability_refuses_wrong_input():
    with pytest.raises(ValueError, match="confidence"):
        hearsay.HighProbabilityBound(arms=2, confidence=1)
    with pytest.raises(ValueError, match="noise_bound"):
        hearsay.HighProbabilityBound(arms=2, noise_bound=-1)
    with pytest.raises(ValueError, match="arms"):
        hearsay.HighProbabilityBound(arms=0)
    high_probability = hearsay.HighProbabilityBound(arms=2)
    graph = [[1, 0.5], [0, 1]]
    for probabilities, arm, observations in (
        ([0.5, 0.25], 0, [0.5, 0.5]),
        ([0.5, 0.5], 2, [0.5, 0.5]),
        ([1, 0], 1, {1: 0.5}),
        ([0.5, 0.5], 0, {0: 0.5}),
        ([0.5, 0.5, 0], 0, [0.5, 0.5]),
    ):
        with pytest.raises(ValueError):
            high_probability.add(probabilities, arm, graph, observations)
    assert high_probability.bound.value == 0


def test_without_a_name_a_learner_is_the_default():
    learner = hearsay.Learner(arms=4, seed=1)
    assert learner.name == "exp3-ivc"
    assert (learner.parameters["tuning"], learner.parameters["noise"]) == ("ada", "learned")
    assert hearsay.Learner(arms=4, noise="known").parameters["noise"] == "known"


def test_late_feedback_keeps_the_bound():
    learner = hearsay.Learner("exp3-ivc", arms=2, delay_rate="drift", seed=1)
    graph = hearsay.Graph([[1, 0.5], [0.5, 1]])
    decisions = [learner.choose() for _ in range(5)]
    for decision in reversed(decisions):
        learner.observe(decision, graph, {0: 0.4, 1: 0.4})
    assert learner.certificate.regret_bound > 0


def test_arrays_dicts_and_tell_give_the_same_state():
    weights = random_graph(numpy.random.default_rng(7), 5)
    dense, pairs, tell = (hearsay.Learner("exp3-ivx", arms=5, seed=2) for _ in range(3))
    for _ in range(20):
        decision = dense.choose()
        of_pairs, of_tell = pairs.choose(), tell.ask()
        assert of_pairs == decision and of_tell == decision
        values = observations_of(weights, decision.arm, numpy.full(5, 0.3), 0.0)
        dense.observe(decision, hearsay.Graph(weights), values)
        # The keys of a dict may be in any order and of numpy's types.
        seen = numpy.flatnonzero(weights[decision.arm])[::-1]
        pairs.observe(of_pairs, weights, {arm: values[arm] for arm in seen})
        tell.tell(of_tell, graph=weights, observations=list(values))
    assert dense.save() == pairs.save() == tell.save()


def test_refused_observations_change_nothing():
    learner = hearsay.Learner("exp3-wix", arms=3, seed=1, out_of_range="refuse")
    graph = hearsay.Graph([[1, 0.5, 0], [0.5, 1, 0], [0.5, 0, 1]])
    decision = learner.choose()
    before = learner.save()
    nan = float("nan")
    for observations in (
        [0.5, nan, nan, nan],
        [nan, nan, nan],
        [[0.5, 0.5, 0.5]],
        [float("inf")] * 3,
        [50.0] * 3,
        {7: 0.5},
        {-1: 0.5},
        {2**70: 0.5},
    ):
        with pytest.raises(ValueError):
            learner.observe(decision, graph, observations)
    for observations in ("abc", ["a", "b", "c"], [1j] * 3, {"0": 0.5}, {0: "x"}, None, {0.5: 1}):
        with pytest.raises(TypeError):
            learner.observe(decision, graph, observations)
    with pytest.raises(ValueError):
        learner.observe(decision, [[1.0]], [0.5] * 3)
    with pytest.raises(ValueError):
        learner.observe(hearsay.Decision(0, 0.1, 99), graph, [0.5] * 3)
    assert learner.save() == before
    learner.observe(decision, graph, numpy.where(graph.to_numpy()[decision.arm] > 0, 0.5, nan))
    with pytest.raises(ValueError, match="outstanding"):
        learner.observe(decision, graph, [0.5] * 3)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"name": "exp4", "arms": 3}, ValueError, "exp4"),
        ({"name": "exp3", "arms": 0}, ValueError, "arms"),
        ({"name": "exp3"}, TypeError, "arms: is missing, expected a whole number from 1"),
        ({"name": "exp3", "arms": -1}, ValueError, "arms: is -1, expected a whole number from 1"),
        ({"name": "exp3", "arms": 2.5}, ValueError, "arms: is 2.5, expected a whole number from 1"),
        ({"name": "exp3", "arms": 2**62}, ValueError, "arms"),
        ({"name": "exp3", "arms": 3, "seed": -1}, ValueError, "seed: is -1"),
        ({"name": "exp3-wix", "arms": 3, "noise_bound": -1}, ValueError, "noise_bound"),
        ({"name": "exp3-wix", "arms": 3, "rate": "fast"}, ValueError, "rate: is 'fast', expected 'adaptive'"),
        ({"name": "exp3-wix", "arms": 3, "rate": []}, TypeError, "rate: is of type list, expected 'adaptive'"),
        ({"name": "exp3-wix", "arms": 3, "rate": float("nan")}, ValueError, "rate"),
        ({"name": "exp3-wix", "arms": 3, "tuning": "best"}, ValueError, "expected one of paper, sharp"),
        ({"name": "exp3-wix", "arms": 3, "delta": 0.5}, ValueError, "delta"),
        ({"name": "exp3-ixt", "arms": 3}, ValueError, "threshold"),
        ({"name": "exp3", "arm": 3}, TypeError, "'arm' is not a parameter of a learner, expected 'arms'"),
        ({"name": "exp3", "arms": 3, "noises": 1}, TypeError, "'noises' is not a parameter of a learner"),
        ({"name": "exp3", "arms": 3, "treshold": 1}, TypeError, "expected 'threshold'"),
    ],
)
def test_errors_name_the_wrong_parameter(parameters, error, message):
    with pytest.raises(error, match=re.escape(message)):
        hearsay.Learner(**parameters)


def test_damaged_states_are_refused():
    state = hearsay.Learner("exp3", arms=3).save()
    for wrong in (b"", b"abc", state[:-1], state + b"x", state[:20] + b"\xff" + state[21:]):
        with pytest.raises(ValueError):
            hearsay.Learner.restore(wrong)


def test_a_class_refuses_the_state_of_another_learner():
    state = hearsay.Exp3Wix(arms=3).save()
    assert hearsay.Exp3Wix.restore(state, seed=5).get_params()["seed"] == 5
    with pytest.raises(ValueError, match="state: is of exp3-wix, expected one of exp3-ivx"):
        hearsay.Exp3Ivx.restore(state)


def test_decisions_can_be_forgotten_and_adopted():
    learner = hearsay.Learner("exp3", arms=3, seed=1)
    learner.forget(learner.choose())
    assert learner.outstanding == 0
    assert learner.adopt(2).arm == 2
    with pytest.raises(ValueError, match="less than 3"):
        learner.adopt(3)


def test_every_learner_of_the_catalogue_is_a_class_of_the_package():
    for name, each in hearsay.learner_classes.items():
        assert getattr(hearsay, each.__name__) is each
        assert each.__name__ in hearsay.__all__
        assert each.learner == name
        assert "row = played" in each.__doc__


def stub_signatures(module):
    """The parameters of __init__ of every class of a stub, with their defaults."""
    stub = (Path(hearsay.__file__).parent / f"{module}.pyi").read_text()
    for each in ast.parse(stub).body:
        for function in getattr(each, "body", []):
            if isinstance(function, ast.FunctionDef) and function.name == "__init__":
                names = [argument.arg for argument in function.args.kwonlyargs]
                defaults = [
                    ... if default is None else ast.literal_eval(default) for default in function.args.kw_defaults
                ]
                yield each.name, dict(zip(names, defaults, strict=True))


def keywords_of(cls):
    """The keyword arguments that inspect, and so help(), finds."""
    return {
        name: ... if each.default is each.empty else each.default
        for name, each in inspect.signature(cls).parameters.items()
        if each.kind is each.KEYWORD_ONLY
    }


def test_signatures_are_those_of_the_stubs():
    stubs = dict(stub_signatures("learners"))
    assert set(stubs) == {each.__name__ for each in hearsay.learner_classes.values()}
    stubs["Learner"] = dict(stub_signatures("_core"))["Learner"]
    for name, keywords in stubs.items():
        assert keywords_of(getattr(hearsay, name)) == keywords, name
    assert stubs["Exp3Ixt"]["threshold"] is ... and stubs["Exp3Wix"]["tuning"] == "paper"
    assert "threshold" not in stubs["Exp3Wix"]
    assert set(stubs["Learner"]) == {"arms", "seed", "stream", *hearsay.learner_parameters()}


def test_learners_take_the_defaults_of_their_signatures():
    for name, each in hearsay.learner_classes.items():
        given = {key: value for key, value in keywords_of(each).items() if value is not ...}
        needed = {"arms": 3} | required_by(name)
        assert each(**needed, **given).save() == hearsay.Learner(name, **needed).save()


def test_help_describes_every_parameter():
    for each in (hearsay.Learner, *hearsay.learner_classes.values()):
        text = pydoc.render_doc(each, renderer=pydoc.plaintext)
        for name in keywords_of(each).keys() & hearsay.learner_parameters().keys():
            assert f"{name}: {hearsay.learner_parameters()[name].split(': ')[0]}" in text
        assert "arms, noise_bound=1.0" in text


def test_parameters_come_back_as_an_experiment_has_them():
    learner = hearsay.Learner("exp3-wix", arms=3, rate=0.5, engine="lazy", max_outstanding=7)
    assert learner.parameters == {
        "learner": "exp3-wix",
        "noise_bound": 1.0,
        "rate": 0.5,
        "delta": 1.0,
        "tuning": "paper",
        "engine": "lazy",
    }


def test_what_a_learner_does_not_have_is_no_attribute_of_it():
    policy = hearsay.Learner("ucb-n", arms=3)
    assert not hasattr(policy, "certificate") and not hasattr(policy, "last_round")
    learner = hearsay.Learner("exp3", arms=3)
    assert learner.certificate.rounds == 0 and learner.last_round["rate"] == 0
    with pytest.raises(ValueError, match="exp3 is not shown the graph before it draws"):
        learner.see_graph(numpy.eye(3))


def test_unknown_attributes_are_refused():
    for learner in (hearsay.Learner("exp3", arms=3), hearsay.Exp3(arms=3)):
        with pytest.raises(AttributeError):
            learner.rate = 0.5
        with pytest.raises(AttributeError):
            learner.rates  # noqa: B018


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda learner: learner.observe(graf=3), "observe: 'graf' is not an argument, expected 'graph'"),
        (lambda learner: learner.observe(1), "observe: missing a required argument: 'graph'"),
        (lambda learner: learner.observe(1, [[1]], [0]), "decision: is 1, expected a Decision"),
        (lambda learner: learner.choose(1), "choose: too many positional arguments"),
        (lambda learner: learner.adopt(-1), "arm: is -1, expected the number of an arm, from 0 on"),
        (lambda learner: learner.adopt("a"), "arm: is 'a', expected the number of an arm"),
        (lambda learner: hearsay.Learner(), "arms: is missing, expected a whole number"),
        (lambda learner: hearsay.Learner(3, arms=3), "name: is 3, expected the name of a learner"),
        (lambda learner: hearsay.Learner.restore("abc"), "state: is 'abc', expected the bytes"),
        (lambda learner: hearsay.Graph(wieghts=[[1]]), "Graph: 'wieghts' is not an argument, expected 'weights'"),
        (lambda learner: hearsay.Graph([[1]]).weight(0, seen=-1), "seen: is -1, expected the number of an arm"),
        (lambda learner: hearsay.Graph.from_arcs([], arm=3), "from_arcs: 'arm' is not an argument, expected 'arms'"),
        (lambda learner: hearsay.Graph([[1]], cpy=True), "Graph: 'cpy' is not an argument, expected 'copy'"),
        (lambda learner: hearsay.HighProbabilityBound("3"), "arms: is '3', expected a whole number"),
        (lambda learner: hearsay.Decision(0, "x", 1), "probability: is 'x', expected a number"),
        (lambda learner: hearsay.effective_independence([[1]], time=3), "is not an argument, expected 'time_limit'"),
        (lambda learner: hearsay.independence_number([[1]], "x"), "threshold: is 'x', expected a number"),
    ],
)
def test_calls_that_do_not_fit_are_explained_in_one_line(call, message):
    with pytest.raises(TypeError, match=re.escape(message)) as raised:
        call(hearsay.Learner("exp3", arms=3))
    assert "\n" not in str(raised.value)


def test_public_functions_have_signatures():
    """inspect, and so help() and editors, find the arguments of everything in the stub of the core."""
    for node in ast.parse((Path(hearsay.__file__).parent / "_core.pyi").read_text()).body:
        owner = hearsay._core
        if getattr(hearsay, getattr(node, "name", ""), None) is not getattr(owner, getattr(node, "name", ""), ...):
            continue  # read_graph of the package is not that of the core
        for function in node.body if isinstance(node, ast.ClassDef) else [node]:
            if not isinstance(function, ast.FunctionDef):
                continue
            if any(getattr(each, "id", "") == "property" for each in function.decorator_list):
                continue
            if function.name.startswith("__") and function.name != "__init__":
                continue
            found = getattr(getattr(owner, node.name), function.name) if function is not node else getattr(owner, node.name)
            arguments = function.args.args + function.args.kwonlyargs
            assert list(inspect.signature(found).parameters) == [each.arg for each in arguments], function.name


def test_parameters_make_the_same_learner_again():
    for learner, weights in all_learners(random_graph(numpy.random.default_rng(8), 5)):
        fresh = learner.save()
        again = type(learner)(**learner.get_params())
        assert again.save() == fresh
        named = hearsay.learner_classes[learner.name]
        parameters = {key: value for key, value in learner.get_params().items() if key != "name"}
        assert named(**parameters).get_params() == parameters
        history = play(learner, weights, numpy.random.default_rng(9), 20)
        assert learner.save() != fresh or learner.name == "uniform"
        assert play(learner.clone(), weights, numpy.random.default_rng(9), 20) == history
        learner.reset()
        assert learner.save() == fresh
        assert play(learner, weights, numpy.random.default_rng(9), 20) == history


def test_restored_learners_keep_their_seed():
    learner = hearsay.Learner("exp3", arms=50, seed=7, stream=3)
    restored = hearsay.Learner.restore(learner.save())
    assert restored.get_params()["seed"] == 7 and restored.get_params()["stream"] == 3
    other = hearsay.Learner.restore(learner.save(), seed=8)
    assert other.get_params()["seed"] == 8 and other.get_params()["stream"] == 3
    draws = [[each.choose().arm for _ in range(20)] for each in (learner, restored, other)]
    assert draws[0] == draws[1] != draws[2]


def test_without_a_seed_the_draws_differ():
    """Two learners draw the same 40 arms of 50 with probability 50^-40."""
    draws = []
    for _ in range(2):
        learner = hearsay.Exp3(arms=50, seed=None)
        draws.append([learner.choose().arm for _ in range(40)])
        again = learner.clone()
        assert [again.choose().arm for _ in range(40)] == draws[-1]
    assert draws[0] != draws[1]


def test_a_decision_of_another_learner_is_refused():
    one, other = (hearsay.Learner("uniform", arms=1, seed=1) for _ in range(2))
    decision = one.choose()
    assert other.choose() == decision
    for call in (lambda: other.observe(decision, [[1]], [0.5]), lambda: other.forget(decision)):
        with pytest.raises(ValueError, match="decision 1 was made by another learner"):
            call()
    # A copy, a restored learner and the learner of another process are the same learner.
    for other_object in (copy.deepcopy(one), pickle.loads(pickle.dumps(one)), hearsay.Learner.restore(one.save())):
        other_object.observe(pickle.loads(pickle.dumps(decision)), [[1]], [0.5])
    restored = hearsay.Learner.restore(one.save())
    restored.choose()
    with pytest.raises(ValueError, match="another learner"):
        restored.observe([other.choose(), other.choose()][-1], [[1]], [0.5])
    # A decision that was made by hand is accepted by any learner.
    other.observe(hearsay.Decision(0, 1.0, 1), [[1]], [0.5])
    one.reset()
    one.choose()
    with pytest.raises(ValueError, match=r"before reset\(\)"):
        one.observe(decision, [[1]], [0.5])


def test_a_dropped_decision_says_that_it_was_dropped():
    learner = hearsay.Learner("exp3", arms=2, max_outstanding=2)
    first = learner.choose()
    learner.choose()
    learner.choose()
    with pytest.raises(ValueError, match="decision 1 was dropped: it was the oldest when more than 2 decisions"):
        learner.observe(first, numpy.eye(2), [0.5, 0.5])


def test_the_nearest_name_is_suggested():
    with pytest.raises(ValueError, match="expected 'exp3-wix'"):
        hearsay.Learner("exp3wix", arms=3)


def test_an_array_that_changes_in_place_is_seen():
    """Arrays may change between rounds; a learner must not take the graph of the round before."""
    weights = random_graph(numpy.random.default_rng(10), 5)
    changing, reference = (hearsay.Learner("exp3-ivx", arms=5, seed=4) for _ in range(2))
    for step in range(30):
        if step % 3 == 0:
            weights[step % 5, (step + 1) % 5] = 1 - weights[step % 5, (step + 1) % 5] / 2
        given = weights if step % 2 else numpy.asfortranarray(weights)
        decision = changing.choose()
        assert reference.choose() == decision
        values = observations_of(weights, decision.arm, numpy.full(5, 0.3), 0.0)
        changing.observe(decision, given, values)
        reference.observe(reference_decision(decision), hearsay.Graph(weights), values)
    assert changing.save() == reference.save()


def reference_decision(decision):
    """The same decision without the learner that made it, so that any learner accepts it."""
    return hearsay.Decision(decision.arm, decision.probability, decision.round)


def test_a_class_has_its_name_in_messages_about_its_arguments():
    with pytest.raises(TypeError, match=r"^Exp3Wix\.__init__\(\) takes 1 positional argument"):
        hearsay.Exp3Wix(9)


def test_certificates_and_their_bounds_are_pickled():
    learner = hearsay.Exp3Ivc(arms=3, bounds="all", seed=1)
    for _ in range(3):
        learner.observe(learner.choose(), numpy.ones((3, 3)), [0.5, 0.25, 0.5])
    one = learner.certificate
    other = pickle.loads(pickle.dumps(one))
    assert repr(one) == repr(other) and one.theorem == other.theorem
    for name in ("rounds", "q", "q_sum", "out_of_range", "regret_bound"):
        assert getattr(one, name) == getattr(other, name)
    assert list(one.bounds) == list(other.bounds)
    for name, bound in one.bounds.items():
        for again in (other.bounds[name], copy.deepcopy(bound)):
            for key in ("name", "value", "statement", "conditions", "per_switch", "holds", "failed_in_round", "failure"):
                assert getattr(bound, key) == getattr(again, key)


@pytest.mark.parametrize("given", [[[1, 0.5], [0.5, 1]], pandas.DataFrame([[1, 0.5], [0.5, 1]])], ids=["list", "DataFrame"])
def test_a_graph_that_is_converted_in_every_round_gives_one_warning(given):
    learner, reference = (hearsay.Exp3Wix(arms=2, seed=1) for _ in range(2))
    graph = hearsay.Graph(given)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(300):
            learner.observe(learner.choose(), given, numpy.full(2, 0.1))
            reference.observe(reference.choose(), graph, numpy.full(2, 0.1))
    assert [str(each.message).split(",")[0] for each in caught] == [
        f"graph: the same {type(given).__name__} was converted in 100 rounds"
    ]
    assert learner.save() == reference.save()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for weights in (numpy.array(given), graph):
            for _ in range(300):
                learner.observe(learner.choose(), weights, numpy.full(2, 0.1))
