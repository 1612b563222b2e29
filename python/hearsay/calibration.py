"""Weights from data: pairs of a reading and the true outcome."""

from __future__ import annotations

import functools
import math
import numbers
import os
import warnings
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy

from hearsay import _calls, _core, _report
from hearsay._calls import explained, no_such, real, shown
from hearsay.graphs import existing

_MOST_ROWS = 40  # that a notebook shows
_REQUIRED = ("played", "seen", "reading", "outcome")


@explained
@dataclass(frozen=True)
class Correction:
    """How a reading becomes an observation: weight x (reading - offset) / slope."""

    weight: float
    offset: float
    slope: float

    def loss(self, reading: float) -> float:
        """The loss that the reading estimates."""
        return (reading - self.offset) / self.slope

    def observation(self, reading: float) -> float:
        """The observation for a learner: the weight times the estimated loss."""
        return self.weight * self.loss(reading)


@explained
class Calibration:
    """The result of calibrate(). docs/calibrate.md explains all numbers.

    ``graph`` has the weights (row = played), with the names of the arms. ``noise_bound`` is the noise bound for which the
    weights were made, None if they are by spread. ``corrections`` has the Correction of every arc that has a weight, by
    (played, seen).

    ``table`` has columns with one entry for each group of pairs that share a line: ``group``, ``arcs``, ``pairs``,
    ``weight`` (the lower confidence limit, which is the weight in the graph), ``weight_estimate``, ``weight_high``,
    ``offset``, ``slope``, ``slope_error``, ``spread`` and ``residual_bound`` of the residuals, ``beyond`` (the share of
    larger residuals), ``kurtosis``, ``trend`` and ``trend_p`` (whether the mean of the residuals changes with the loss),
    ``ends_p`` (whether few residuals are near the largest), ``lines_apart`` and ``lines_p`` (whether the arcs have
    different lines), and ``no_weight``, the reason if there is no weight.

    ``arcs`` has columns with one entry for each arc. ``held_out`` compares the weights with pairs that were held out.
    ``choices`` compares the noise bounds, if several were given. ``alpha_star`` and ``alpha_r`` are the effective
    independence numbers of the graph, ``alpha_star_without`` is the one without side observations.
    """

    def __init__(
        self,
        core: _core.CalibrationResult,
        names: Sequence[Hashable] | None,
        choices: Sequence[_core.NoiseBoundChoice] = (),
        time_limit: float = 10.0,
        file: str = "",
    ) -> None:
        self._report = core.report  # as JSON
        self._file = file  # of the pairs; empty: they were in memory
        self._time_limit = time_limit
        self.noise_bound: float | None = core.noise_bound
        self.graph = core.graph if names is None else core.graph.with_names(names)
        self.table: dict[str, numpy.ndarray[Any, Any]] = {
            name: numpy.array(values, dtype=object) if isinstance(values, list) else values
            for name, values in core.groups.items()
        }
        arcs = core.arcs
        group = arcs["group"]

        def named(arms: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
            if names is None:
                return arms.astype(numpy.int64)
            column = numpy.empty(len(arms), dtype=object)
            column[:] = [names[arm] for arm in arms.tolist()]
            return column

        self.arcs: dict[str, numpy.ndarray[Any, Any]] = {
            "played": named(arcs["played"]),
            "seen": named(arcs["seen"]),
            **{key: self.table[key][group] for key in ("weight", "offset", "slope", "residual_bound")},
            "pairs": arcs["pairs"],
            "group": self.table["group"][group],
        }
        self.held_out: dict[str, float] = core.held_out
        self.warnings: tuple[str, ...] = tuple(core.warnings)
        self.choices: list[dict[str, Any]] = [
            {
                "noise_bound": choice.noise_bound,
                "alpha_star": choice.alpha_star,
                "alpha_r": choice.alpha_r,
                "wix_cost": choice.wix_cost,
            }
            for choice in choices
        ]

    @property
    def alpha_star_without(self) -> int:
        """alpha* without side observations: the number of arms."""
        return self.graph.arms

    @functools.cached_property
    def alpha_star(self) -> _core.EffectiveIndependence:
        """alpha* of the graph, on which the bound of exp3-wix depends.

        It is computed at the first use, within the ``time_limit`` of calibrate(); if the time is too short, it is an interval.
        """
        return self._chosen("alpha_star") or _core.effective_independence(self.graph, self._time_limit)

    @functools.cached_property
    def alpha_r(self) -> _core.EffectiveIndependence:
        """alpha^R of the graph, on which the bound of exp3-ivx depends, for its noise bound, or 1 if weights are by spread."""
        bound = 1.0 if self.noise_bound is None else self.noise_bound
        return self._chosen("alpha_r") or _core.effective_independence(self.graph, self._time_limit, bound)

    def _chosen(self, key: str) -> Any:
        """The number if it is known already, because several noise bounds were compared."""
        return next((choice[key] for choice in self.choices if choice["noise_bound"] == self.noise_bound), None)

    @functools.cached_property
    def corrections(self) -> dict[tuple[Any, Any], Correction]:
        """The Correction of every arc that has a weight, by (played, seen)."""
        columns = [self.arcs[key].tolist() for key in ("played", "seen", "weight", "offset", "slope")]
        return {
            (played, seen): Correction(weight, offset, slope)
            for played, seen, weight, offset, slope in zip(*columns)
            if weight > 0
        }

    @functools.cached_property
    def _arms(self) -> dict[Any, int]:
        """The arms of the graph, by name or number, in their order."""
        names = range(self.graph.arms) if self.graph.names is None else self.graph.names
        return {name: arm for arm, name in enumerate(names)}

    def observations(self, played: Any, readings: Mapping[Any, float]) -> dict[Any, float]:
        """The observations for a learner, by the arm seen, from the readings after ``played`` was played.

        ``readings``: the reading of each arm seen. Arms that ``played`` does not show have no observation. ValueError for an
        arm that was in no pair.
        """
        arms = self._arms
        for argument, arm in (("played", played), *(("readings", seen) for seen in readings)):
            if arm not in arms:
                raise ValueError(f"{argument}: {no_such('arm', arm, arms)}")
        corrections = self.corrections
        return {
            seen: corrections[played, seen].observation(reading)
            for seen, reading in readings.items()
            if (played, seen) in corrections
        }

    def to_pandas(self) -> Any:
        """The table of the groups as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self.table)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the report of ``hearsay calibrate --report``: one page with the fits, the residuals and the weights.

        It opens without a network. A file of that name is replaced.
        """
        _report.write(path, _core.report_html(self._report_with_noise_bounds()))

    def _report_with_noise_bounds(self) -> str:
        """The report as JSON, with the independence numbers, which are computed if they are not known yet."""
        bound = 1.0 if self.noise_bound is None else self.noise_bound
        own = {"noise_bound": bound, "alpha_star": self.alpha_star, "alpha_r": self.alpha_r, "wix_cost": math.nan}
        choices = self.choices or [own]
        chosen = next(index for index, choice in enumerate(choices) if choice["noise_bound"] == bound)

        def interval(alpha: _core.EffectiveIndependence) -> tuple[float, float, bool]:
            return alpha.lower, alpha.upper, alpha.exact

        rows = [(c["noise_bound"], interval(c["alpha_star"]), interval(c["alpha_r"]), c["wix_cost"]) for c in choices]
        return _core.report_with_noise_bounds(self._report, rows, chosen, self._file)

    def _repr_html_(self) -> str:
        """The groups with their weights, as notebooks show it."""
        keys = ("group", "arcs", "pairs", "offset", "slope", "spread", "weight")
        table = self.table
        reading = _core.column_decimals(table["offset"], table["spread"])
        slope = _core.column_decimals(table["slope"], table["slope_error"])
        weight = _core.column_decimals(table["weight"], (table["weight_high"] - table["weight"]) / 2)
        decimals = (reading, slope, reading, weight)
        rows = [
            [*map(str, row[:1]), *(f"{value:,}" for value in row[1:3]), *map(_core.with_decimals, row[3:], decimals)]
            for row in zip(*(self.table[key].tolist()[:_MOST_ROWS] for key in keys))
        ]
        more = len(self.table["group"]) - len(rows)
        caption = self._caption() + (f" {more:,} more groups are in to_pandas()." if more else "")
        return _report.html_table(caption, [key.capitalize() for key in keys], rows)

    def _caption(self) -> str:
        bound = self.noise_bound
        by = "spread: noise of standard deviation 1" if bound is None else f"bound: noise in [-{bound:g}, {bound:g}]"
        arcs, weighted = len(self.arcs["weight"]), int((self.arcs["weight"] > 0).sum())
        groups = _core.counted(len(self.table["group"]), "group")
        warned = f" {_core.counted(len(self.warnings), 'warning')}: see its warnings." if self.warnings else ""
        return f"Weights by {by}. {weighted:,} of {_core.counted(arcs, 'arc')} in {groups} have a weight.{warned}"

    def __repr__(self) -> str:
        by = "spread" if self.noise_bound is None else f"noise_bound={self.noise_bound:g}"
        weights = self.arcs["weight"]
        return (
            f"Calibration({by}, {_core.counted(len(self.table['group']), 'group')}, {_core.counted(len(weights), 'arc')}, "
            f"{int((weights > 0).sum()):,} with a weight from {min(weights[weights > 0], default=0):.3f} "
            f"to {weights.max():.3f}, {_core.counted(len(self.warnings), 'warning')})"
        )


@explained
def calibrate(
    pairs: Any,
    *,
    noise_bound: float | Sequence[float] | None = None,
    by: Literal["arc", "group", "distance"] = "arc",
    bins: int | None = None,
    quantile: float = 1.0,
    outcome: Literal["loss", "reward"] = "loss",
    range: tuple[float, float] = (0.0, 1.0),
    time_limit: float = 10.0,
) -> Calibration:
    """Finds weights from pairs of a reading and the true outcome: how well does playing one arm show another?

    ``pairs``: a DataFrame, a dict of columns or the path of a CSV file, with the columns ``played``, ``seen``, ``reading`` and
    ``outcome``: after ``played`` was played, ``reading`` was an estimate for the arm ``seen``, and ``outcome`` is its true
    outcome.
    Arms are names, or numbers from 0 on. Readings may have any unit; outcomes lie in ``range``.

    For each arc, or for arcs pooled by the column ``group`` or by ``bins`` (10) of the column ``distance``, a line
    reading = offset + slope x loss is fitted. Without ``noise_bound`` the weights make the standard deviation of the noise 1,
    for learners that learn the level of the noise, as the default learner does. With ``noise_bound`` they are the largest
    weights for which the noise lies in [-noise_bound, noise_bound]; ``quantile`` below 1 leaves out the largest residuals. If
    several noise bounds are given, the one is used for which ``exp3-wix`` has the smallest bound on the regret;
    ``time_limit`` is in seconds, for the independence numbers that this needs, each within an equal part of it, but the
    first bounds of each are found in any case if a second is enough. Weights are lower confidence limits, so few
    pairs give small weights. There are warnings if the data contradict the model (``Calibration.warnings``).

    >>> import numpy
    >>> rng = numpy.random.default_rng(1)
    >>> loss = rng.uniform(size=500)
    >>> reading = 20 + 50 * loss + rng.uniform(-10, 10, size=500)      # off by 0.2 of the range of losses
    >>> found = calibrate({"played": ["home"] * 500, "seen": ["shop"] * 500, "reading": reading, "outcome": loss},
    ...                   noise_bound=1)
    >>> found.graph.names, bool(0.8 < found.graph.weight(0, 1) < 1 / 1.2)
    (('home', 'shop'), True)
    >>> correction = found.corrections["home", "shop"]
    >>> bool(abs(correction.loss(45) - 0.5) < 0.02)
    True
    """
    low, high = _two_numbers(range)
    time_limit = real("time_limit", time_limit)
    names: Sequence[Hashable] | None
    if isinstance(pairs, (str, os.PathLike)):
        file = existing(pairs)
        core = _core.read_pairs(file, outcome, low, high)
        names = None if core.numbered else core.names
    else:
        file = ""
        core, names = _from_columns(pairs, outcome, low, high)
    if bins is not None and by != "distance":
        raise ValueError("bins: is given without by='distance', expected both or neither")
    options = {"by": by, "quantile": quantile} | ({} if bins is None else {"bins": bins})
    given: Any = noise_bound
    if given is None or isinstance(given, numbers.Real) or getattr(given, "ndim", None) == 0:
        bound = None if given is None else float(given)
        found = Calibration(_core.calibrate(core, options, bound), names, (), time_limit, file)
    else:
        if isinstance(given, (str, bytes, Mapping)):
            raise TypeError(f"noise_bound: is {shown(given)}, expected a number, several or None")
        bounds = [real("noise_bound", each) for each in given]
        if not bounds:
            raise ValueError("noise_bound: is empty, expected a number, several or None")
        choices = [
            _core.choice_of(_core.calibrate(core, options, bound), time_limit / len(bounds)) for bound in bounds
        ]
        found = Calibration(choices[_core.recommended(choices)].calibration, names, choices, time_limit, file)
    for message in found.warnings:
        warnings.warn(message, stacklevel=3)  # beyond the function that explains calls
    return found


def _two_numbers(given: Any) -> tuple[float, float]:
    try:
        low, high = (float(each) for each in given)
    except (TypeError, ValueError):
        raise ValueError(f"range: is {shown(given)}, expected the smallest and the largest outcome") from None
    return low, high


def _column(pairs: Any, name: str) -> Any:
    """A column as an array, or None if there is no such column."""
    try:
        values = pairs[name] if name in pairs else None
    except TypeError:
        return None
    if values is None or hasattr(values, "dtype") or name in ("reading", "outcome", "distance"):
        return None if values is None else numpy.asarray(values)
    labels = numpy.empty(len(values), dtype=object)  # numpy would make texts of numbers beside texts
    labels[:] = list(values)
    return labels


def _codes(
    columns: Mapping[str, numpy.ndarray[Any, Any]],
) -> tuple[dict[Any, str], list[numpy.ndarray[Any, Any]]]:
    """The labels with their texts, in the order in which they first appear, and for each column the indices of its
    labels."""
    index: dict[Any, int] = {}
    texts: dict[Any, str] = {}
    codes = [numpy.empty(len(each), dtype=numpy.uint32) for each in columns.values()]
    for row, labels in enumerate(zip(*(column.tolist() for column in columns.values()))):
        for name, code, label in zip(columns, codes, labels):
            if label not in index:
                texts[label] = _calls.name(f"pairs: row {row}: {name}", label)
                index[label] = len(index)
            code[row] = index[label]
    if len(set(texts.values())) < len(texts):
        raise ValueError(
            f"pairs: two names in {' and '.join(columns)} are written alike, expected names that differ as texts"
        )
    return texts, codes


def _from_columns(
    pairs: Any, outcome: str, low: float, high: float
) -> tuple[_core.Pairs, Sequence[Hashable] | None]:
    columns = {name: _column(pairs, name) for name in (*_REQUIRED, "group", "distance")}
    for name in _REQUIRED:
        if columns[name] is None:
            raise ValueError(f"pairs: there is no column {name!r}, expected {', '.join(_REQUIRED)}")
    size = len(columns["played"])
    for name, values in columns.items():
        if values is not None and values.shape != (size,):
            raise ValueError(f"pairs: {name} has the shape {values.shape}, expected ({size},) as played")
    arms, (played, seen) = _codes({name: columns[name] for name in ("played", "seen")})
    groups: dict[Any, str] = {}
    group = None
    if columns["group"] is not None:
        groups, (group,) = _codes({"group": columns["group"]})
    core = _core.make_pairs(
        list(arms.values()),
        played,
        seen,
        columns["reading"],
        columns["outcome"],
        list(groups.values()),
        group,
        columns["distance"],
        outcome,
        low,
        high,
    )
    return core, None if core.numbered else list(arms)
