"""What every arm would have earned in the rounds of a log, and how well the logged policy did (docs/evaluate.md)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hearsay import _calls, _core, _report
from hearsay._calls import explained, no_such, shown
from hearsay.graphs import existing


@dataclass(frozen=True)
class Estimate:
    """An estimate with its interval by empirical Bernstein (``low``, ``high``) and by the bootstrap, or None.

    ``estimate`` is None if no round has information about the arm.
    """

    estimate: float | None
    low: float
    high: float
    bootstrap: tuple[float, float] | None = None
    #: the rounds in which the arm had a chance to be observed; the mean is over them
    rounds: int | None = None
    #: in how many rounds the arm would have had to be played to be known as well
    effective_rounds: float | None = None
    #: the rounds in which the chance was below ``tiny``
    tiny: int | None = None


def _estimate(given: Mapping[str, Any]) -> Estimate:
    bootstrap = given.get("bootstrap")
    return Estimate(
        given["estimate"],
        given["low"],
        given["high"],
        (bootstrap["low"], bootstrap["high"]) if bootstrap else None,
        given.get("rounds"),
        given.get("effective_rounds"),
        given.get("tiny"),
    )


@explained
class Evaluation:
    """What evaluate() returns. All numbers are in the units of the log's outcomes.

    ``evaluation[arm]`` is the Estimate of an arm by the method ``evaluation.method``, and
    ``evaluation.by("snips")[arm]`` that of another of ``evaluation.methods``.
    """

    def __init__(self, result: dict[str, Any], report: str = "") -> None:
        #: The result as ``hearsay evaluate --json`` prints it.
        self.result = result
        self._report = report  # as JSON

    @property
    def rounds(self) -> int:
        """The rounds with feedback."""
        return int(self.result["rounds"])

    @property
    def outcome(self) -> str:
        """``"reward"`` or ``"loss"``."""
        return str(self.result["outcome"])

    @property
    def method(self) -> str:
        """The method whose estimates come first: ivx if the side observations could be used, else ips."""
        return str(self.result["method"])

    @property
    def methods(self) -> list[str]:
        return list(self.result["logged"]["regret"])

    @property
    def names(self) -> list[str]:
        """The names of the arms, in the order of the problem."""
        return [arm["name"] for arm in self.result["arms"]]

    @property
    def logged(self) -> Estimate:
        """The mean outcome of the logged policy. The interval is for the mean of its expected outcomes."""
        return _estimate(self.result["logged"])

    @property
    def without_side_observations(self) -> str | None:
        """Why the side observations could not be used; None if they were, or were ignored."""
        return self.result.get("without_side_observations")

    def by(self, method: str) -> dict[str, Estimate]:
        """The estimates by a method, for each arm."""
        self._check(method)
        return {arm["name"]: _estimate(arm["methods"][method]) for arm in self.result["arms"]}

    def regret(self, method: str | None = None) -> Estimate | None:
        """How much worse the logged policy did on average in a round than the best arm.

        None if no arm could be observed in every round.
        """
        self._check(method or self.method)
        given = self.result["logged"]["regret"][method or self.method]
        return None if given is None else _estimate(given)

    @property
    def learner(self) -> Estimate | None:
        """The mean outcome of the learner that was played on the log, an approximation; ``rounds``: those it played."""
        given = self.result.get("learner")
        return None if given is None else _estimate({**given, "rounds": given["accepted"]})

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each arm and method."""
        import pandas

        rows = []
        for arm in self.result["arms"]:
            for method, given in arm["methods"].items():
                bootstrap = given["bootstrap"] or {"low": None, "high": None}
                rows.append(
                    {
                        "arm": arm["name"],
                        "method": method,
                        "estimate": given["estimate"],
                        "low": given["low"],
                        "high": given["high"],
                        "bootstrap_low": bootstrap["low"],
                        "bootstrap_high": bootstrap["high"],
                        "rounds": given["rounds"],
                        "effective_rounds": given["effective_rounds"],
                        "tiny": given["tiny"],
                    }
                )
        frame = pandas.DataFrame(rows)
        numbers = ["estimate", "low", "high", "bootstrap_low", "bootstrap_high"]
        return frame.astype({name: "float64" for name in numbers})

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the report: one page with the arms, their intervals and the data, which opens without a network.

        A file of that name is replaced.
        """
        _report.write(path, _core.report_html(self._report))

    def _repr_html_(self) -> str:
        """The arms by their estimates, as notebooks show it."""
        best_first = self._best_first()
        text = self._format(best_first)
        rows = [(arm["name"], *(text(arm[key]) for key in ("estimate", "low", "high"))) for arm in best_first]
        logged = text(self.logged.estimate)
        caption = f"Mean {self.outcome} over {_core.counted(self.rounds, 'round')} by {self.method}; logged policy: {logged}"
        return _report.html_table(caption, ("Arm", "Estimate", "Low", "High"), rows)

    def _format(self, arms: list[dict[str, Any]]) -> Callable[[Any], str]:
        """Writes outcomes with the decimals that the widths of the intervals of these arms suggest."""
        halves = [(arm["high"] - arm["low"]) / 2 for arm in arms]
        decimals = _core.column_decimals([arm["estimate"] for arm in arms], halves)
        return lambda value: _core.with_decimals(value, decimals)

    def _best_first(self) -> list[dict[str, Any]]:
        """The arms that have an estimate, as the report orders them."""
        known = [arm for arm in self.result["arms"] if arm["estimate"] is not None]
        return sorted(known, key=lambda arm: int(arm["rank"]))

    def _check(self, method: str) -> None:
        if method not in self.methods:
            raise ValueError(f"method: is {shown(method)}, expected one of {', '.join(self.methods)}")

    def __getitem__(self, arm: str) -> Estimate:
        if arm not in self.names:
            raise KeyError(no_such("arm", arm, self.names))
        return self.by(self.method)[arm]

    def __repr__(self) -> str:
        best_first = self._best_first()
        text = self._format(best_first)
        lines = [f"Evaluation({_core.counted(self.rounds, 'round')}, mean {self.outcome} by {self.method})"]
        lines += [
            f"  {arm['name']}: {text(arm['estimate'])} ({text(arm['low'])} to {text(arm['high'])})"
            for arm in best_first[:10]
        ]
        if len(best_first) > 10:
            lines.append(f"  ... {len(best_first) - 10:,} more")
        lines.append(f"  logged policy: {text(self.logged.estimate)}")
        return "\n".join(lines)


@explained
def evaluate(
    log: str | os.PathLike[str] | Iterable[Mapping[str, Any]],
    *,
    confidence: float = 0.95,
    bootstrap: int = 1000,
    noise_bound: float | None = None,
    side_observations: str = "auto",
    nulls: str = "incomplete",
    tiny: float = 0.01,
    seed: int = 1,
    learner: str | Mapping[str, Any] | None = None,
    play: str = "rejection",
) -> Evaluation:
    """Estimates what every arm would have earned in the rounds of a log, with confidence intervals.

    ``log`` is the path of a problem's log, or its records as dicts, beginning with the header. Without ``noise_bound``,
    that of the problem is used if it has one; otherwise the level of the noise is learned. ``side_observations``:
    ``"auto"``, ``"required"`` (a log that lacks a probability or a reading is refused) or ``"ignored"``.
    ``nulls="complete"`` says that every arm without a reading has a null in every round, also if it was played or is not
    shown; without it, a log with nulls is evaluated by its outcomes alone. ``learner``, a name or a dict of a name and
    parameters, is played on the log, in the rounds whose arm could be its draw (``play="rejection"``), or in all rounds
    on estimated losses (``play="estimates"``). Both are approximations.

    >>> log = [
    ...     {"hearsay_log": 1, "problem": {"names": ["tea", "coffee"]}},
    ...     {"decision": 1, "arm": "tea", "probability": 0.5, "probabilities": [0.5, 0.5]},
    ...     {"feedback": 1, "outcome": 1},
    ...     {"decision": 2, "arm": "coffee", "probability": 0.5, "probabilities": [0.5, 0.5]},
    ...     {"feedback": 2, "outcome": 0.25},
    ... ]
    >>> evaluate(log).by("snips")["coffee"].estimate
    0.25
    """
    given: dict[str, Any] = {
        "confidence": confidence,
        "bootstrap": bootstrap,
        "side_observations": side_observations,
        "nulls": nulls,
        "tiny": tiny,
        "play": play,
        "seed": seed,
    }
    if noise_bound is not None:
        given["noise_bound"] = noise_bound
    parameters = {"name": learner} if isinstance(learner, str) else dict(learner or {})
    name = parameters.pop("name", "")
    if learner is None and play != "rejection":
        raise ValueError(f"play: is {shown(play)}, but there is no learner to play")
    if learner is not None and not name:
        raise ValueError("learner: has no 'name', expected the name of a learner")
    if isinstance(log, (str, os.PathLike)):
        path, text = existing(log), None
    else:
        path = "records"
        text = "".join(json.dumps(record, default=_calls.plain) + "\n" for record in log).encode()
    result, report = _core.evaluate(path, text, given, name, parameters)
    return Evaluation(json.loads(result), report)
