"""The report of a result: the page that ``hearsay run`` writes, and a small table for notebooks."""

from __future__ import annotations

import csv
import html
import io
import math
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hearsay import _core

if TYPE_CHECKING:
    from hearsay.result import Result

# The name of an experiment that was given none.
_UNNAMED = "experiment"

_TITLE = "Comparison of learners"

# What the core is given of a curve at the last round.
_OF_LAST = ("regret", "regret_standard_error", "bound")

_AGAIN = """# In Python: result.experiment.save("experiment")
hearsay run experiment/experiment.toml"""


def page(result: Result, title: str | None) -> str:
    """The whole page."""
    plan = _plan(result)
    if plan is None:
        return comparison(result).page(None, _results(result), str(result.experiment), title or _TITLE, "")
    if title is None and plan.name == _UNNAMED:
        title = _TITLE
    if _has_all_rows(result, plan):
        return _core.experiment_page(plan, result._known_runs(), title, _AGAIN)
    return comparison(result).page(plan, _results(result), "", title, _AGAIN)


def _plan(result: Result) -> _core.Plan | None:
    """The experiment made ready; None if parts of it are in Python, or if a file that it names is not there any more."""
    if not result.experiment:
        return None
    try:
        return _core.Plan(_core.Experiment.parse(result.experiment, files=result.experiment.files))
    except (OSError, ValueError):
        return None


def _has_all_rows(result: Result, plan: _core.Plan) -> bool:
    """Whether nothing was left out by ``where``, and the runs are known, from which the core computes the tables."""
    return result._runs is not None and len(result._runs) == len(plan.cells) * len(plan.points)


def comparison(result: Result) -> _core.CurveComparison:
    """The curves of the result, for the core to rank and to show."""
    last_round = int(result["round"].max())
    curves = []
    for name, curve in result.curves():
        last = curve.where(curve["round"] == last_round)
        has_last = len(last["round"]) > 0
        regret, error, bound = (float(last[key][0]) if has_last else math.nan for key in _OF_LAST)
        curves.append(
            _core.ComparedCurve(
                name,
                str(curve["label"][0]),
                str(curve["learner"][0]),
                is_ours(curve),
                (regret, error, bound) if has_last else None,
                last._regrets() if has_last else [],
            )
        )
    return _core.CurveComparison(curves, last_round, *_run_counts(result))


def _run_counts(result: Result) -> tuple[int, int]:
    """The numbers of sequences and of repetitions on each; 0 if they are not known."""
    if result._runs is not None:
        return result._runs.shape[1], result._runs.shape[2]
    plan = _plan(result)
    return (0, 0) if plan is None else (plan.sequences, plan.repetitions)


def is_ours(curve: Result) -> bool:
    """Whether the learner of a curve, or the value of one of its parameters, is our own and not from the literature."""
    learner = str(curve["learner"][0])
    words = {key: curve[key][0] for key in curve if isinstance(curve[key][0], str)}
    return any(learner == entry[0] for entry in _core.learner_catalogue()) and _core.is_ours(learner, words)


def write(path: str | os.PathLike[str], page: str) -> None:
    """Writes a page; a file of that name is replaced."""
    with open(os.fspath(path), "w", encoding="utf-8", newline="\n") as file:
        file.write(page)


def table(result: Result) -> str:
    """The ranking as an HTML table."""
    names = ("Rank", "Learner", "Regret", "More than the best", "Bound")
    compared = comparison(result)
    ranked = compared.ranking()
    decimals = _core.column_decimals(
        [row["regret"] for row in ranked], [row["regret_high"] - row["regret"] for row in ranked]
    )
    rows = []
    for row in ranked:
        first = row["rank"] == 1
        rows.append(
            (
                str(row["rank"]),
                f"{row['name']} (oracle)" if _core.is_oracle(row["learner"]) else row["name"],
                _interval(row, "regret", decimals),
                "" if first else _interval(row, "difference", decimals),
                _text(row["bound"], decimals),
            )
        )
    return html_table(compared.caption, names, rows)


def html_table(caption: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts as notebooks show it."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{html.escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _results(result: Result) -> str:
    """The rows as CSV, with the name of their curve. A missing value is empty, as in results.csv."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("curve", *result))
    for name, curve in result.curves():
        for row in range(len(curve["round"])):
            writer.writerow((name, *(value_text(curve[key][row]) for key in curve)))
    return file.getvalue()


def value_text(value: Any) -> str:
    """A value of a column as results.csv has it; empty if it is missing."""
    if value is None:
        return ""
    if isinstance(value, float):
        return "" if math.isnan(value) else _core.number_text(value)
    return str(value)


def _text(value: float, decimals: int) -> str:
    return "" if math.isnan(value) else _core.with_decimals(value, decimals)


def _interval(row: dict[str, Any], key: str, decimals: int) -> str:
    value, half = row[key], row[f"{key}_high"] - row[key]
    return _text(value, decimals) if math.isnan(half) else f"{_text(value, decimals)} ± {_text(half, decimals)}"
