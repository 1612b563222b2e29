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
        """


class OwnLearner(Protocol):
    """A learner in Python. simulate() takes the class, or a function that makes a learner for a number of arms."""

    def choose(self, uniform: float) -> int:
        """Returns the arm to play, drawn with the random number ``uniform`` in [0, 1).

        To draw from probabilities p, return ``numpy.searchsorted(p.cumsum(), uniform, "right")``.
        """

    def observe(
        self, decision: Decision, graph: Graph, observations: numpy.ndarray[Any, Any]
    ) -> None:
        """Receives the observations: one number for each arm, NaN if ``graph.weight(decision.arm, arm)`` is 0.

        In the graph, row = played.
        """
