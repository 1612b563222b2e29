"""The methods that an environment or a learner of your own must have.

The protocols are for type checkers; there is no need to inherit from them.

An environment fixes the losses and the graph of the coming round, and may use the arms played so far:

>>> import numpy, hearsay
>>> class PenalizeLastArm:
...     '''The arm played last has loss 1 in the next round.'''
...     graph = hearsay.make_graph("grid", side=2)
...     def next(self, history):
...         losses = numpy.full(4, 0.5)
...         losses[history[-1:]] = 1.0
...         return losses, self.graph

A learner chooses an arm, using a uniform random number that is the same for every learner in that round and
repetition, and then receives the observations:

>>> class Greedy:
...     '''Plays the arm with the smallest mean loss so far, and explores in a tenth of the rounds.'''
...     def __init__(self, arms):
...         self.sums, self.counts = numpy.zeros(arms), numpy.ones(arms)
...     def choose(self, uniform):
...         if uniform < 0.1:
...             return int(10 * uniform * len(self.sums))
...         return (self.sums / self.counts).argmin()
...     def observe(self, decision, graph, observations):
...         exact = graph.to_numpy()[decision.arm] == 1
...         self.sums[exact] += observations[exact]
...         self.counts[exact] += 1

An environment that has a method ``observations(arm)`` gives the observations itself; the noise of simulate() is
then not used:

>>> class Readings(PenalizeLastArm):
...     '''Every observation that has noise is 0.1 too large.'''
...     def next(self, history):
...         self.losses, graph = super().next(history)
...         return self.losses, graph
...     def observations(self, arm):
...         weights = self.graph.to_numpy()[arm]
...         return numpy.where(weights > 0, weights * self.losses + 0.1 * (weights < 1), numpy.nan)

A learner may also have the interface of the core's learners: ``choose()`` without an argument, which returns a
Decision. So a learner of the core can be wrapped or subclassed. It takes ``seed`` and ``stream`` to have the draws of
the run:

>>> class Cautious(hearsay.Exp3Wix):
...     '''Does not learn from observations that are below 0.'''
...     def observe(self, decision, graph, observations):
...         super().observe(decision, graph, numpy.maximum(observations, 0))
>>> class Wrapped:
...     '''The same, as an object that has a learner of the core.'''
...     def __init__(self, arms, noise_bound, seed, stream):
...         self.inner = hearsay.Exp3Wix(arms=arms, noise_bound=noise_bound, seed=seed, stream=stream)
...     def choose(self):
...         return self.inner.choose()
...     def observe(self, decision, graph, observations):
...         self.inner.observe(decision, graph, numpy.maximum(observations, 0))
>>> result = hearsay.simulate(Readings(), [Cautious, Wrapped], rounds=50, repetitions=2).at_horizon()
>>> bool(result["loss"][0] == result["loss"][1])
True

simulate() compares both with those of the core:

>>> result = hearsay.simulate(PenalizeLastArm(), ["exp3-wix", Greedy], rounds=200, repetitions=3)
>>> sorted(set(result["label"]))
['Greedy', 'exp3-wix']
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy

from hearsay._core import Decision, Graph


class OwnEnvironment(Protocol):
    """An environment in Python. simulate() copies the instance for every run, so all runs begin in the same state."""

    def next(self, history: list[int]) -> tuple[Any, Any]:
        """Returns the losses of the coming round, one in [0, 1] for each arm, and its graph (row = played).

        ``history`` has the arms played so far. Returning the same Graph object in every round is fastest.

        A method ``observations(arm)``, if there is one, returns what playing the arm has shown in this round: an array
        with NaN for arms not seen, or a dict ``{arm: value}``.
        """


class OwnLearner(Protocol):
    """A learner in Python. simulate() takes the class, or a function that makes a learner for a number of arms.

    It is called with the number of arms, with the parameters that the dict of the learner has, and with
    ``noise_bound``, ``seed`` and ``stream`` if it takes them. A property ``certificate`` that is a Certificate gives
    the bound of the results.
    """

    def choose(self, uniform: float) -> int | Decision:
        """Returns the arm to play, drawn with the random number ``uniform`` in [0, 1), or a Decision for it.

        To draw from probabilities p, return ``numpy.searchsorted(p.cumsum(), uniform, "right")``. ``choose`` may also
        take no argument, as that of the core's learners.
        """

    def observe(
        self, decision: Decision, graph: Graph, observations: numpy.ndarray[Any, Any]
    ) -> None:
        """Receives the observations: one number for each arm, NaN if ``graph.weight(decision.arm, arm)`` is 0.

        ``decision`` is the one that choose() returned, or one with the arm that it returned. In the graph, row = played.
        """
