"""Learners: comparison with a reference in numpy, pickle, late feedback, errors."""

import ast
import copy
import inspect
import pickle
import pydoc
import re
from pathlib import Path

import hearsay
import numpy
import pytest
from wix_in_numpy import Wix, observations_of

ROUNDS = 400


def random_graph(rng, arms):
    """A directed graph in which a third of the pairs have weight 0."""
    weights = rng.uniform(size=(arms, arms)) * (rng.uniform(size=(arms, arms)) < 2 / 3)
    numpy.fill_diagonal(weights, 1.0)
    return weights


def play(learner, weights, rng, rounds=ROUNDS):
    """Plays and returns, for each round, the arm, its probability and the sum of Q if the learner has a certificate."""
    graph = hearsay.Graph(weights)
    history = []
    for _ in range(rounds):
        decision = learner.choose()
        losses, noise = rng.uniform(size=(2, len(weights)))
        learner.observe(decision, graph, observations_of(weights, decision.arm, losses, 2 * noise - 1))
        q_sum = learner.certificate.q_sum if hasattr(learner, "certificate") else None
        history.append((decision.arm, decision.probability, q_sum))
    return history


@pytest.mark.parametrize("noise_bound", [0.5, 1.0])
def test_equals_a_reference_in_numpy(noise_bound):
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
        figures = learner.last_round
        assert learner.certificate.regret_bound == pytest.approx(reference.bound, rel=1e-10)
        assert learner.certificate.q_sum == pytest.approx(reference.q_sum, rel=1e-10)
        assert figures["probabilities"][decision.arm] == decision.probability


def all_learners(weights):
    """Every learner, with the weights of a graph on which it can play."""
    parameters = {"exp3-ixb": {"threshold": 0.5}, "exp3-ixt": {"threshold": 0.5}}
    for name in hearsay.learner_classes:
        # hedge must observe every true loss
        playable = numpy.ones_like(weights) if name == "hedge" else weights
        yield hearsay.Learner(name, arms=len(weights), seed=5, stream=2, **parameters.get(name, {})), playable


@pytest.mark.parametrize("copied", [lambda it: pickle.loads(pickle.dumps(it)), copy.deepcopy])
def test_a_copy_continues_with_the_same_bits(copied):
    for learner, weights in all_learners(random_graph(numpy.random.default_rng(2), 7)):
        play(learner, weights, numpy.random.default_rng(3), 50)
        late = learner.choose()
        other = copied(learner)
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


def test_arrays_dicts_and_tell_give_the_same_state():
    weights = random_graph(numpy.random.default_rng(7), 5)
    dense, pairs, tell = (hearsay.Learner("exp3-ivx", arms=5, seed=2) for _ in range(3))
    for _ in range(20):
        decision = dense.choose()
        assert pairs.choose() == decision and tell.ask() == decision
        values = observations_of(weights, decision.arm, numpy.full(5, 0.3), 0.0)
        dense.observe(decision, hearsay.Graph(weights), values)
        # The keys of a dict may be in any order and of numpy's types.
        seen = numpy.flatnonzero(weights[decision.arm])[::-1]
        pairs.observe(decision, weights, {arm: values[arm] for arm in seen})
        tell.tell(decision, graph=weights, observations=list(values))
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
        needed = {"arms": 3} | ({"threshold": 0.5} if "threshold" in keywords_of(each) else {})
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
    learner = hearsay.Learner("exp3", arms=3)
    assert learner.certificate.rounds == 0 and learner.last_round["rate"] == 0
    with pytest.raises(ValueError, match="exp3 is not shown the graph before it draws"):
        learner.see_graph(numpy.eye(3))
