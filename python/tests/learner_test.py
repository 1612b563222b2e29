"""Learners: comparison with a reference in numpy, pickle, late feedback, errors."""

import copy
import pickle
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
    """Plays and returns, for each round, the arm, its probability and the sum of Q."""
    graph = hearsay.Graph(weights)
    history = []
    for _ in range(rounds):
        decision = learner.choose()
        losses, noise = rng.uniform(size=(2, len(weights)))
        learner.observe(decision, graph, observations_of(weights, decision.arm, losses, 2 * noise - 1))
        history.append((decision.arm, decision.probability, learner.certificate.q_sum))
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
        ({"name": "exp3", "arms": -1}, TypeError, ""),
        ({"name": "exp3", "arms": 2.5}, TypeError, ""),
        ({"name": "exp3-wix", "arms": 3, "noise_bound": -1}, ValueError, "noise_bound"),
        ({"name": "exp3-wix", "arms": 3, "rate": "fast"}, ValueError, "rate: is 'fast', expected 'adaptive'"),
        ({"name": "exp3-wix", "arms": 3, "rate": []}, TypeError, "rate: is of list"),
        ({"name": "exp3-wix", "arms": 3, "rate": float("nan")}, ValueError, "rate"),
        ({"name": "exp3-wix", "arms": 3, "tuning": "best"}, ValueError, "expected one of paper, sharp"),
        ({"name": "exp3-wix", "arms": 3, "delta": 0.5}, ValueError, "delta"),
        ({"name": "exp3-ixt", "arms": 3}, ValueError, "threshold"),
        ({"name": "exp3", "arms": 3, "speed": 1}, TypeError, ""),
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


def test_the_stub_declares_a_class_for_every_learner_of_the_catalogue():
    stub = Path(hearsay.learners.__file__).with_suffix(".pyi").read_text()
    declared = set(re.findall(r"^class (\w+)\(_Named\)", stub, re.MULTILINE))
    assert declared == {each.__name__ for each in hearsay.learner_classes.values()}
    for name, each in hearsay.learner_classes.items():
        assert getattr(hearsay, each.__name__) is each
        assert each.learner == name
        assert "row = played" in each.__doc__


def test_the_stubs_have_every_parameter():
    expected = {"self", "arms", "seed", "stream", *hearsay.learner_parameters()}
    for name, beside in (("_core", {"name"}), ("learners", set())):
        stub = (Path(hearsay.__file__).parent / f"{name}.pyi").read_text()
        signature = re.search(r"def __init__\(\s+self,[^)]*arms: int[^)]*\)", stub)[0]
        assert set(re.findall(r"^ {8}(\w+)[:,]", signature, re.MULTILINE)) == expected | beside, name


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
