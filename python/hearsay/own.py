"""What an environment or a learner of your own must have.

There is nothing to inherit from: these say it for type checkers.

An environment fixes losses and graph of the coming round, knowing what was played before:

>>> import numpy, hearsay
>>> class Grudge:
...     '''The arm that was played last is bad now.'''
...     graph = hearsay.make_graph("grid", side=2)
...     def next(self, history):
...         losses = numpy.full(4, 0.5)
...         losses[history[-1:]] = 1.0
...         return losses, self.graph

A learner draws an arm with the number it is given, the same for every learner in that round and repetition, and is
told what the arm showed:

>>> class Greedy:
...     '''Plays what has the least mean so far, and explores a tenth of the time.'''
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

Both are one line away from any comparison:

>>> result = hearsay.simulate(Grudge(), ["exp3-wix", Greedy], rounds=200, repetitions=3)
>>> sorted(set(result["label"]))
['Greedy', 'exp3-wix']
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy

from hearsay._core import Decision, Graph


class OwnEnvironment(Protocol):
    """An environment in Python. An instance is copied for every run, so every run meets it fresh."""

    def next(self, history: list[int]) -> tuple[Any, Any]:
        """The losses, one in [0, 1] for each arm, and the graph (row = played) of the coming round.

        ``history``: the arms played so far. A Graph that stays the same object is the fast way.
        """


class OwnLearner(Protocol):
    """A learner in Python. simulate() is given the class, or what makes one from the number of arms."""

    def choose(self, uniform: float) -> int:
        """The arm to play, drawn with ``uniform`` in [0, 1).

        From probabilities p, say, by ``numpy.searchsorted(p.cumsum(), uniform, "right")``.
        """

    def observe(
        self, decision: Decision, graph: Graph, observations: numpy.ndarray[Any, Any]
    ) -> None:
        """What playing showed: one number an arm, NaN where ``graph.weight(decision.arm, arm)`` is 0 (row = played)."""
