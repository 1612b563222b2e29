"""simulate(): noise of your own, delays, chosen points, losses of sequences, observations of the environment, plays,
and learners of your own with parameters."""

import concurrent.futures
import math
import sys

import hearsay
import numpy
import pandas
import pytest
import scipy.stats

GRID = hearsay.make_graph("grid", side=3)
LOSSES = numpy.random.default_rng(1).uniform(size=(200, 9))
COLUMNS = ["loss", "best_arm_loss", "regret"]


def equal(one, other, keys=(*COLUMNS, "bound")):
    return all(numpy.array_equal(one[key], other[key], equal_nan=True) for key in keys)


def play(learners, **more):
    return hearsay.simulate(GRID, learners, **{"rounds": 200, "repetitions": 3, "losses": LOSSES, **more})


class Fixed:
    """Plays one arm, which is a parameter."""

    def __init__(self, arms, arm=0):
        self.arm = arm

    def choose(self, uniform):
        return self.arm

    def observe(self, decision, graph, observations):
        pass


def test_runs_one_by_one_have_the_bits_of_the_core():
    """plays=True plays every run by itself, on threads; without it the core plays several in lockstep."""
    learners = ["exp3-wix", {"learner": "exp3-ixt", "threshold": [0.5, 1]}, "hedge", "ucb-n"]
    in_lockstep = play(learners)
    for threads in (1, 3):
        one_by_one = play(learners, plays=True, threads=threads)
        assert equal(in_lockstep, one_by_one)
        assert list(one_by_one["label"]) == list(in_lockstep["label"])
    assert numpy.array_equal(in_lockstep.runs()["loss"], one_by_one.runs()["loss"])


def test_learners_of_the_core_run_on_all_threads_and_learners_in_python_on_one(monkeypatch):
    """With parameters that experiment files do not have, a learner of the core is played run by run, but needs no Python."""
    pools = []

    class Pool(concurrent.futures.ThreadPoolExecutor):
        def __init__(self, workers):
            pools.append(workers)
            super().__init__(workers)

    monkeypatch.setattr(hearsay.experiment, "ThreadPoolExecutor", Pool)
    learner = hearsay.Exp3Wix(arms=9, bounds="all")
    on_threads = play([learner], threads=3)
    assert pools == [3]
    assert equal(on_threads, play([learner], threads=1))
    assert equal(on_threads, play(["exp3-wix"]), COLUMNS)
    play([Fixed, {"learner": Fixed, "label": "other", "arm": 1}], threads=3)
    assert pools == [3]


def test_plays_are_counted_for_every_run():
    result = play(["exp3-wix", "uniform", {"learner": Fixed, "arm": 4}], plays=True)
    plays = result.plays()
    assert list(plays) == ["exp3-wix", "uniform", "Fixed"]
    assert all(each.shape == (3, 9) and (each.sum(axis=1) == 200).all() for each in plays.values())
    assert (plays["Fixed"] == 200 * (numpy.arange(9) == 4)).all()
    # The number of plays of an arm by uniform is binomial: within 6 standard deviations of 200 / 9.
    assert (abs(plays["uniform"] - 200 / 9) < 6 * numpy.sqrt(200 / 9 * 8 / 9)).all()
    with pytest.raises(ValueError, match="plays=True"):
        play(["exp3"]).plays()


def test_an_experiment_whose_plays_were_counted_runs_again():
    result = play(["exp3-wix", "exp3-ivx"], plays=True)
    assert equal(result, hearsay.run(result.experiment))


class ConstantLosses:
    def next(self, history):
        return numpy.full(9, 0.5), GRID


def test_what_is_not_an_arm_or_an_environment_is_named():
    with pytest.raises(TypeError, match="choose: returned 'red', expected the number of an arm, or a Decision"):
        play([{"learner": Fixed, "arm": "red"}])
    with pytest.raises(TypeError, match="environment: is the class ConstantLosses, expected an object of it"):
        hearsay.simulate(ConstantLosses, ["exp3"], rounds=5)
    with pytest.raises(ValueError, match="^losses: round 1, arm 0: is 2, expected a number in"):
        play(["exp3"], losses=numpy.full((200, 9), 2.0))


@pytest.mark.parametrize(
    ("law", "own"),
    [
        ("uniform", lambda uniform: 0.5 * (2 * uniform - 1)),
        ("uniform", scipy.stats.uniform(-0.5, 1)),
        ("rademacher", lambda uniform: numpy.where(uniform < 0.5, -0.5, 0.5)),
        ("none", lambda uniform: 0 * uniform),
    ],
)
def test_noise_of_your_own_has_the_draws_of_the_core(law, own):
    """The same law as a function of the same uniform numbers: the same arms, so the same losses."""
    learners = ["exp3-wix", "exp3-ivx"]
    core = play(learners, noise=law, noise_bound=0.5)
    own_noise = play(learners, noise=own, noise_bound=0.5)
    assert equal(core, own_noise, COLUMNS)
    numpy.testing.assert_allclose(core["bound"], own_noise["bound"], rtol=1e-9)
    assert own_noise["noise_bound"].tolist() == core["noise_bound"].tolist()


class Observed:
    """Plays arm 0, which is in a corner of the grid, and keeps its observations."""

    seen = []

    def __init__(self, arms):
        pass

    def choose(self, uniform):
        return 0

    def observe(self, decision, graph, observations):
        Observed.seen.append(observations)


def test_noise_has_the_law_that_is_given():
    """The noise of heavy tails, recovered from the observations, passes a test of Kolmogorov and Smirnov."""
    Observed.seen = []
    play([Observed], noise=scipy.stats.t(3), repetitions=5)
    weights = GRID.to_numpy()[0]
    noisy = weights < 1
    losses = numpy.tile(LOSSES, (5, 1))
    noise = ((numpy.array(Observed.seen) - weights * losses)[:, noisy] / (1 - weights[noisy])).ravel()
    assert len(noise) == 5 * 200 * noisy.sum() > 0
    assert scipy.stats.kstest(noise, scipy.stats.t(3).cdf).pvalue > 1e-3
    exact = numpy.array(Observed.seen)[:, ~noisy]
    assert numpy.array_equal(exact, losses[:, ~noisy])


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        (lambda uniform: uniform[:3], "noise: returned 3 numbers, expected one for each of 9 arms"),
        (lambda uniform: uniform / 0, "noise: returned inf, expected finite numbers"),
    ],
)
def test_wrong_noise_is_refused(noise, message):
    with numpy.errstate(divide="ignore"), pytest.raises(ValueError, match=message):
        play(["exp3-wix"], noise=noise)


def late_by_hand(delays, rounds=200):
    """The total loss of exp3-wix without noise, if the feedback comes late, computed by a loop in Python."""
    learner = hearsay.Exp3Wix(arms=9, noise_bound=1.0, seed=1, stream=0)
    weights = GRID.to_numpy()
    waiting, suffered = [], []
    for round in range(1, rounds + 1):
        decision = learner.choose()
        suffered.append(LOSSES[round - 1, decision.arm])
        waiting.append((round + delays[round - 1], round, decision))
        for arrived in sorted((each for each in waiting if each[0] <= round), key=lambda each: each[:2]):
            _, drawn_in, decision = arrived
            learner.observe(decision, GRID, weights[decision.arm] * LOSSES[drawn_in - 1])
            waiting.remove(arrived)
    return sum(suffered)


@pytest.mark.parametrize("delay", [3, lambda round: round % 7, [0, 10] * 100])
def test_feedback_that_is_late_comes_in_the_order_of_its_arrival(delay):
    delays = [delay] * 200 if isinstance(delay, int) else delay if isinstance(delay, list) else [*map(delay, range(1, 201))]
    late = play(["exp3-wix"], noise="none", repetitions=1, delay=delay).at_horizon()
    assert late["loss"][0] == pytest.approx(late_by_hand(delays), rel=1e-12)


def test_no_delay_and_a_delay_of_zero_are_the_same():
    assert equal(play(["exp3-wix", Fixed]), play(["exp3-wix", Fixed], delay=[0] * 200))


def test_feedback_later_than_the_horizon_never_comes():
    """A learner without any feedback plays as uniform does."""
    assert equal(play(["exp3-wix"], delay=200), play(["uniform"]), COLUMNS)


def test_long_delays_do_not_drop_decisions():
    """Feedback of a decision that was dropped would be refused."""
    result = hearsay.simulate([[1]], ["exp3"], rounds=6000, repetitions=1, delay=5000, points=1)
    assert result["round"].tolist() == [6000]


@pytest.mark.parametrize("delay", [-1, [1, 2], 0.5, [-1] * 200])
def test_wrong_delays_are_refused(delay):
    with pytest.raises(ValueError, match="delay: "):
        play(["exp3"], delay=delay)


def test_points_can_be_chosen():
    chosen = play(["exp3-wix"], points=[10, 25, 200])
    assert chosen["round"].tolist() == [10, 25, 200]
    every = play(["exp3-wix"], points=200)
    assert equal(chosen, every.where(numpy.isin(every["round"], [10, 25, 200])))
    assert play(["exp3-wix", Fixed], points=[10])["round"].tolist() == [10, 200, 10, 200]
    with pytest.raises(ValueError, match="points: is 300"):
        play(["exp3"], points=[300])


def test_losses_may_differ_between_sequences():
    losses = numpy.random.default_rng(2).uniform(size=(3, 200, 9))
    learners = ["exp3-wix", "uniform", Fixed]
    result = play(learners, losses=losses)
    assert result["runs"].tolist() == [9] * len(result["runs"])
    runs = result.runs()
    for sequence in range(3):
        of_sequence = runs[(runs["sequence"] == sequence) & (runs["round"] == 200)]
        totals = losses[sequence].sum(axis=0)
        assert of_sequence["best_arm_loss"].to_numpy() == pytest.approx(totals.min(), rel=1e-12)
        assert of_sequence[of_sequence["label"] == "Fixed"]["loss"].to_numpy() == pytest.approx(totals[0], rel=1e-12)
    # The first sequence has the draws and the noise of an experiment with one.
    first = play(learners, losses=losses[0]).runs()
    assert numpy.array_equal(first["loss"], runs[runs["sequence"] == 0]["loss"])
    assert result.experiment == ""
    with pytest.raises(ValueError, match="sequences: is 2, expected 3, the number of sequences of the losses"):
        play(learners, losses=losses, sequences=2)


def test_the_losses_of_a_sequence_are_the_same_on_any_number_of_threads():
    losses = numpy.random.default_rng(2).uniform(size=(300, 20, 9))
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        one, many = (hearsay.simulate(GRID, ["uniform"], 20, 2, 1, threads, losses=losses) for threads in (1, 16))
    finally:
        sys.setswitchinterval(switch)
    assert equal(one, many)


class GivesObservations:
    """An environment that gives the observations itself, without noise: as an array or as a dict."""

    def __init__(self, as_dict):
        self.as_dict = as_dict

    def next(self, history):
        self.losses = LOSSES[len(history)]
        return self.losses, GRID

    def observations(self, arm):
        weights = GRID.to_numpy()[arm]
        values = numpy.where(weights > 0, weights * self.losses, numpy.nan)
        return dict(enumerate(values)) if self.as_dict else values


def test_an_environment_may_give_the_observations():
    core = play(["exp3-wix", "exp3-ivx", "hedge"], noise="none")
    for as_dict in (False, True):
        own = hearsay.simulate(GivesObservations(as_dict), ["exp3-wix", "exp3-ivx", "hedge"], rounds=200, repetitions=3)
        assert equal(core, own)


class Rated:
    """A wrapper of a learner of the core with two parameters."""

    def __init__(self, arms, *, rate, tuning="paper", noise_bound, seed, stream):
        assert isinstance(rate, float)
        self.inner = hearsay.Exp3Wix(
            arms=arms, rate=rate, exploration=0.1, tuning=tuning, noise_bound=noise_bound, seed=seed, stream=stream
        )

    @property
    def certificate(self):
        return self.inner.certificate

    def choose(self):
        return self.inner.choose()

    def observe(self, decision, graph, observations):
        self.inner.observe(decision, graph, observations)


class Subclass(hearsay.Exp3Wix):
    """A subclass that only counts the calls of observe."""

    observed = 0

    def observe(self, decision, graph, observations):
        Subclass.observed += 1
        super().observe(decision, graph, observations)


@pytest.mark.parametrize("name", ["exp3-wix", "exp3-dom", "ucb-n", "ucb-maxn"])
@pytest.mark.parametrize("delay", [0, 3])
def test_a_subclass_is_shown_the_graph_and_has_the_certificate_of_its_learner(name, delay):
    """exp3-dom and ucb-maxn see the graph before they draw; exp3-wix and exp3-dom have a certificate."""
    base = hearsay.learners.learner_classes[name]
    core = play([name], delay=delay, plays=True)
    own = play([type("Own", (base,), {"observe": lambda self, *given: base.observe(self, *given)})], delay=delay)
    assert equal(core, own)


class CertifiedLater(Rated):
    """A learner that has a certificate from its hundredth round on."""

    certificate = None
    observed = 0

    def observe(self, decision, graph, observations):
        super().observe(decision, graph, observations)
        self.observed += 1
        if self.observed >= 100:
            self.certificate = self.inner.certificate


def test_a_learner_may_get_its_certificate_later():
    points = [99, 100, 200]
    core = play([{"learner": "exp3-wix", "rate": 0.1, "exploration": 0.1}], points=points)
    own = play([{"learner": CertifiedLater, "rate": 0.1}], points=points)
    assert equal(core, own, COLUMNS)
    assert numpy.array_equal(own["bound"], [math.nan, *core["bound"][1:]], equal_nan=True)


def test_parameters_and_sweeps_of_own_learners_are_honoured():
    core = play([{"learner": "exp3-wix", "rate": [0.05, 0.2], "exploration": 0.1}], noise_bound=0.5)
    own = play([{"learner": Rated, "rate": [0.05, 0.2], "label": "mine"}], noise_bound=0.5)
    assert equal(core, own)  # the wrapper has the draws of the core, and the certificate too
    assert [name for name, _ in own.curves()] == ["mine, rate 0.05", "mine, rate 0.2"]
    assert own.at_horizon()["rate"].tolist() == [0.05, 0.2]
    swept = play([{"learner": Fixed, "arm": [3, 5]}])
    assert [name for name, _ in swept.curves()] == ["Fixed, arm 3", "Fixed, arm 5"]
    assert swept.at_horizon()["loss"] == pytest.approx(LOSSES[:, [3, 5]].sum(axis=0), rel=1e-12)
    assert set(swept.runs()["arm"]) == {3, 5}
    with pytest.raises(TypeError, match="speed"):
        play([{"learner": Fixed, "speed": 3}])
    with pytest.raises(ValueError, match="empty list"):
        play([{"learner": Fixed, "arm": []}])


@pytest.mark.parametrize(
    "values", [numpy.array([3, 5]), pandas.Series([3, 5], index=[7, 8]), range(3, 6, 2), (3, 5)], ids=repr
)
def test_a_sweep_may_be_an_array_a_series_or_a_range(values):
    listed = play([{"learner": Fixed, "arm": [3, 5]}])
    swept = play([{"learner": Fixed, "arm": values}])
    assert equal(listed, swept)
    assert [name for name, _ in swept.curves()] == ["Fixed, arm 3", "Fixed, arm 5"]
    assert equal(play([{"learner": "exp3-wix", "rate": values}]), play([{"learner": "exp3-wix", "rate": [3, 5]}]))


def test_values_of_a_parameter_may_be_arrays():
    class Sequence(Fixed):
        def __init__(self, arms, order):
            super().__init__(arms, order[0])

    orders = [numpy.array([3, 4]), numpy.array([5, 4]), [3, 4, 5]]
    result = play([{"learner": Sequence, "order": orders}, "uniform"])
    assert [len(curve["round"]) for _, curve in result.curves()] == [50] * 4
    assert result.plot() is not None
    at_end = result.runs().query("round == 200").groupby("curve", sort=False)["loss"].mean()
    assert at_end.to_numpy()[1:] == pytest.approx(LOSSES[:, [3, 5, 3]].sum(axis=0), rel=1e-12)


@pytest.mark.parametrize("values", [[1, 2, 1], [1, 1.0], numpy.array([2, 1, 1]), [math.nan, math.nan]], ids=repr)
def test_a_value_that_appears_twice_in_a_sweep_is_refused(values):
    with pytest.raises(ValueError, match="learners: arm of mine has (1|1.0|nan) twice, expected each value once"):
        play([{"learner": Fixed, "arm": values, "label": "mine"}])


@pytest.mark.parametrize("name", ["round", "regret", "loss", "bound", "runs", "curve", "repetition", "sequence"])
def test_a_parameter_with_the_name_of_a_column_is_refused(name):
    def make(arms, **parameters):
        return Fixed(arms)

    with pytest.raises(ValueError, match=f"learners: make has a parameter '{name}', which is the name of a column"):
        play([{"learner": make, name: 1}])


def test_a_parameter_that_the_core_has_as_a_number_may_be_a_text():
    def make(arms, order):
        return Fixed(arms)

    result = play([{"learner": make, "order": ["up", "down"]}, {"learner": "tsallis-ivx", "order": 0.5}])
    assert result.at_horizon()["order"].tolist() == [0.5, "up", "down"]
    assert [name for name, _ in result.curves()] == ["tsallis-ivx", "make, order up", "make, order down"]


def test_a_subclass_of_a_core_learner_is_played():
    Subclass.observed = 0
    core = play(["exp3-wix"], noise_bound=0.5)
    assert equal(core, play([Subclass], noise_bound=0.5))
    assert Subclass.observed == 3 * 200
    with_rate = play([{"learner": "exp3-wix", "rate": 0.1, "exploration": 0.05}])
    assert equal(with_rate, play([{"learner": Subclass, "rate": 0.1, "exploration": 0.05}]))
    assert equal(with_rate, play([Subclass(arms=9, rate=0.1, exploration=0.05, seed=77)]))
    assert equal(with_rate, play([{"learner": hearsay.Exp3Wix, "rate": 0.1, "exploration": 0.05}]))


def test_learners_with_parameters_that_experiments_do_not_have_keep_them():
    learner = hearsay.Exp3(arms=9, out_of_range="refuse")
    with pytest.raises(ValueError, match="the observation of arm . is .*, expected one in"):
        play([learner], noise=scipy.stats.norm(scale=50), noise_bound=0.01)


def test_a_learner_keeps_its_delay_rate():
    def made(arms):
        return hearsay.Exp3Ivc(arms=arms, delay_rate="count")

    late = play([hearsay.Exp3Ivc(arms=9, delay_rate="count")], delay=10)
    assert equal(late, play([made], delay=10))
    assert not equal(late, play(["exp3-ivc"], delay=10))


def test_duplicate_labels_are_refused():
    for learners in (["exp3", "exp3"], [Fixed, Fixed], ["exp3", {"learner": Fixed, "label": "exp3"}]):
        with pytest.raises(ValueError, match="is the label of two learners"):
            play(learners)
    assert len(play(["exp3", {"learner": "exp3", "label": "again"}, Fixed, {"learner": Fixed, "label": "x"}])["round"])


def test_a_learner_of_another_number_of_arms_is_refused():
    for learner in (hearsay.Exp3(arms=4), Subclass(arms=4), hearsay.Exp3(arms=4, max_outstanding=7)):
        with pytest.raises(ValueError, match="was made for 4 arms, expected 9, the number of arms of the environment"):
            play([learner])
    for make in (lambda arms: hearsay.Exp3(arms=4), lambda arms: Subclass(arms=4)):
        with pytest.raises(ValueError, match="4 arms"):
            play([make])


def test_without_a_seed_results_differ():
    one, other = (play(["uniform"], seed=None) for _ in range(2))
    assert not equal(one, other)
    assert equal(one, hearsay.run(one.experiment))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rounds": 0, "losses": "walks"}, "rounds: is 0, expected a whole number from 1"),
        ({"rounds": 300}, "losses: are of 200 rounds, expected at least 300"),
        ({"losses": LOSSES[:, :3]}, "losses: has losses of 3 arms, expected 9"),
        ({"losses": 2 * LOSSES}, "losses: "),
        ({"losses": LOSSES[0]}, "losses: 1 dimensions"),
        ({"noise": "gausian"}, "expected 'gaussian'"),
        ({"rounds": 2**62, "losses": "walks"}, "rounds"),
    ],
)
def test_messages_have_the_names_of_the_arguments(arguments, message):
    with pytest.raises(ValueError, match=message) as raised:
        play(["exp3"], **arguments)
    assert "horizon" not in str(raised.value) and "/tmp" not in str(raised.value) and ".npy" not in str(raised.value)
