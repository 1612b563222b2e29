"""exp3-wix in numpy, written from docs/model.md alone. The tests and the benchmarks compare the core with it."""

from __future__ import annotations

import math
from typing import Any

import numpy


class Wix:
    """exp3-wix with the adaptive rate, the paper's constants and delta = 1. In ``weights``, row = played."""

    def __init__(self, weights: Any, noise_bound: float = 1.0) -> None:
        self.weights = numpy.ascontiguousarray(weights, dtype=float)
        self.squares = self.weights**2
        self.all_seen = bool(self.weights.all())
        self.noise_bound = noise_bound
        self.arms = len(self.weights)
        self.constant = 2 * (1 + noise_bound + noise_bound**2)
        self.sums = numpy.zeros(self.arms)
        self.q_sum = 0.0
        self.cost_sum = 0.0
        self._prepare_next_draw()

    def _prepare_next_draw(self) -> None:
        """Sets the rate, the exploration and the probabilities of the next draw."""
        self.rate = math.sqrt(math.log(self.arms) / (self.constant * (self.arms + self.q_sum)))
        self.exploration = self.noise_bound * self.rate
        self.probabilities = numpy.exp(-self.rate * (self.sums - self.sums.min()))
        self.probabilities /= self.probabilities.sum()

    def choose(self, uniform: float) -> int:
        arm = int(self.probabilities.cumsum().searchsorted(uniform, "right"))
        return min(arm, self.arms - 1)

    def observe(self, arm: int, observations: Any) -> None:
        """``observations`` has a number for every arm, NaN if the weight is 0."""
        row = self.weights[arm]
        denominators = self.probabilities @ self.squares + self.exploration
        estimates = row * observations / denominators
        if not self.all_seen:
            estimates[row == 0] = 0
        self.sums += estimates
        q = float((self.probabilities / denominators).sum())
        self.cost_sum += (self.exploration + (1 + self.noise_bound**2) * self.rate) * q
        self.bound = math.log(self.arms) / self.rate + self.cost_sum
        self.q_sum += q
        self._prepare_next_draw()


def observations_of(weights: Any, arm: int, losses: Any, noise: Any) -> Any:
    """The observations after playing ``arm`` (row = played); NaN for arms of weight 0."""
    row = weights[arm]
    return numpy.where(row > 0, row * losses + (1 - row) * noise, numpy.nan)
