"""exp3-wix as one would write it in numpy, from docs/model.md alone.

What the tests hold the core to, and the benchmarks time it beside.
"""

from __future__ import annotations

import math
from typing import Any

import numpy


class Wix:
    """Adaptive rate, the paper's constants, delta = 1. ``weights``: row = played."""

    def __init__(self, weights: Any, noise_bound: float = 1.0) -> None:
        self.weights = numpy.ascontiguousarray(weights, dtype=float)
        self.squares = self.weights**2
        self.all_seen = bool(self.weights.all())
        self.noise_bound = noise_bound
        self.arms = len(self.weights)
        self.constant = 2 * (1 + noise_bound + noise_bound**2)
        self.sums = numpy.zeros(self.arms)
        self.q_sum = 0.0
        self.price = 0.0
        self._stand()

    def _stand(self) -> None:
        """Rate, exploration and probabilities of the next draw."""
        self.rate = math.sqrt(math.log(self.arms) / (self.constant * (self.arms + self.q_sum)))
        self.exploration = self.noise_bound * self.rate
        self.probabilities = numpy.exp(-self.rate * (self.sums - self.sums.min()))
        self.probabilities /= self.probabilities.sum()

    def choose(self, uniform: float) -> int:
        arm = int(self.probabilities.cumsum().searchsorted(uniform, "right"))
        return min(arm, self.arms - 1)

    def observe(self, arm: int, observations: Any) -> None:
        """``observations``: one for every arm, NaN where the weight is 0."""
        row = self.weights[arm]
        denominators = self.probabilities @ self.squares + self.exploration
        estimates = row * observations / denominators
        if not self.all_seen:
            estimates[row == 0] = 0
        self.sums += estimates
        q = float((self.probabilities / denominators).sum())
        self.price += (self.exploration + (1 + self.noise_bound**2) * self.rate) * q
        self.bound = math.log(self.arms) / self.rate + self.price
        self.q_sum += q
        self._stand()


def observations_of(weights: Any, arm: int, losses: Any, noise: Any) -> Any:
    """What playing ``arm`` shows: row = played; NaN where it shows nothing."""
    row = weights[arm]
    return numpy.where(row > 0, row * losses + (1 - row) * noise, numpy.nan)
