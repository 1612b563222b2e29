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


def probability_beyond(t: float, degrees: int) -> float:
    """The probability that |T| > t, without the rounding of 1 - probability_within(): also if it is tiny.

    It is I_x(degrees / 2, 1/2), x = degrees / (degrees + t^2), by the continued fraction 26.5.8 of Abramowitz and
    Stegun, which converges fast for t^2 > 3.

    >>> round(probability_beyond(12.706, 1), 4), f"{probability_beyond(100, 20):.4g}"
    (0.05, '1.77e-28')
    """
    t = abs(t)
    if math.isinf(t):
        return 0.0
    if not t * t > 3:
        return 1 - probability_within(t, degrees)
    a = degrees / 2
    scaled = t / math.sqrt(degrees)
    log_x = -math.log1p(scaled * scaled) if scaled < 1e100 else -2 * math.log(scaled)
    x = math.exp(log_x)
    # x^a (1 - x)^(1/2) / (a B(a, 1/2))
    front = math.exp(a * log_x) * scaled / math.hypot(1, scaled) * _gamma_ratio(a) / (a * math.sqrt(math.pi))
    # Lentz's method. No denominator is near 0 at these x.
    c, d = 1.0, 1 / (1 - (a + 0.5) * x / (a + 1))
    fraction = d
    for k in range(1, 100_000):
        even = k * (0.5 - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
        odd = -(a + k) * (a + 0.5 + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        for term in (even, odd):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            fraction *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return front * fraction


def _gamma_ratio(a: float) -> float:
    """Gamma(a + 1/2) / Gamma(a); for large a by its series, as the difference of logarithms would lose digits."""
    if a < 50:
        return math.exp(math.lgamma(a + 0.5) - math.lgamma(a))
    return math.sqrt(a) * (1 - 1 / (8 * a) + 1 / (128 * a**2) + 5 / (1024 * a**3) - 21 / (32768 * a**4))


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
