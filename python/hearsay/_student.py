"""Student's t distribution with a whole number of degrees of freedom, without scipy."""

from __future__ import annotations

import math
from statistics import NormalDist

#: With more degrees of freedom the normal distribution is used: the difference is below 1e-7.
_MOST = 1_000_000


def probability_within(t: float, degrees: int) -> float:
    """The probability that |T| < t, by the finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4.

    >>> round(probability_within(12.706, 1), 4), round(probability_within(2.228, 10), 4)
    (0.95, 0.95)
    """
    t = abs(t)
    if math.isinf(t):
        return 1.0
    if degrees > _MOST:
        return 1 - 2 * NormalDist().cdf(-t)
    angle = math.atan2(t, math.sqrt(degrees))
    squared = math.cos(angle) ** 2
    odd = degrees % 2
    if degrees == 1:
        return 2 * angle / math.pi
    # The terms are products of (k - 1) / k or k / (k + 1) with cos^2, k = 2, 4, ... or 3, 5, ...
    term = math.cos(angle) if odd else 1.0
    total = term
    for k in range(3 if odd else 2, degrees - 1, 2):
        term *= squared * (k - 1) / k
        total += term
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total


def quantile(level: float, degrees: int) -> float:
    """The t with probability_within(t, degrees) = level, by bisection.

    >>> round(quantile(0.95, 1), 3), round(quantile(0.95, 10), 3)
    (12.706, 2.228)
    """
    low, high = 0.0, 1.0
    while probability_within(high, degrees) < level:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        if probability_within(middle, degrees) < level:
            low = middle
        else:
            high = middle
    return (low + high) / 2
