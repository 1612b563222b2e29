"""The report of a result: the page that ``hearsay run`` writes, and a small table for notebooks."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from hearsay import _core

if TYPE_CHECKING:
    from hearsay.result import Result

_INTERVALS = ("regret", "regret_low", "regret_high", "difference", "difference_low", "difference_high")
_RANKING = ("rank", "name", "learner", *_INTERVALS, "bound")


# The name of an experiment that was given none.
_UNNAMED = "experiment"

_AGAIN = """# In Python: result.experiment.save("experiment")
hearsay run experiment/experiment.toml"""


def page(result: Result, title: str | None) -> str:
    """The whole page."""
    plan = _plan(result)
    is_whole = plan is not None and _has_all_rows(result, plan)
    if plan is None:
        report = _report_without_experiment(result)
    else:
        report = json.loads(_core.experiment_report(plan, result._runs if is_whole else None))
        report["command"] = _AGAIN
    if not is_whole:
        report |= _own_parts(result)
        report["facts"] = [
            {**fact, "value": _learners(result)} if fact["name"] == "Learners" else fact for fact in report["facts"]
        ]
    name = "" if report["title"] == _UNNAMED else report["title"]
    report["title"] = title or name or "Comparison of learners"
    return _core.report_html(json.dumps(report))


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


def _report_without_experiment(result: Result) -> dict[str, Any]:
    runs = _runs(result)
    facts = [
        ("Rounds", f"{int(result['round'].max()):,}"),
        ("Learners", _learners(result)),
        *([("Loss sequences", f"{runs[0]:,}"), ("Runs on each", f"{runs[1]:,}")] if runs else []),
    ]
    return {
        "title": "",
        "subtitle": "",
        "input": "",
        "command": "",
        "version": _core.version,
        "seed": "",
        "settings": str(result.experiment),
        "facts": [{"name": name, "value": value} for name, value in facts],
        "claims": [],
        "highlight": "",
        "listings": [],
        "heat_maps": [],
        "graphs": [],
    }


def _own_parts(result: Result) -> dict[str, Any]:
    """The parts of a report that are of the rows of the result, which are not those of an experiment."""
    oracles = [name for name, curve in result.curves() if _is_oracle(str(curve["learner"][0]))]
    return {
        "ranking": {"table": "ranking.csv", "caption": _caption(result), "oracles": oracles},
        "figures": [_figure(result)],
        "tables": [
            {"name": "ranking.csv", "text": _csv(_RANKING, ranking(result))},
            {"name": "results.csv", "text": _results(result)},
        ],
    }


def _learners(result: Result) -> str:
    labels, curves = len(set(result["label"])), sum(1 for _ in result.curves())
    return f"{labels:,}" if labels == curves else f"{labels:,}, in {curves:,} settings"


def _is_of_core(learner: str) -> bool:
    return any(learner == entry[0] for entry in _core.learner_catalogue())


def _is_oracle(learner: str) -> bool:
    """Whether the learner is shown every true loss."""
    return _is_of_core(learner) and _core.is_oracle(learner)


def is_ours(curve: Result) -> bool:
    """Whether the learner of a curve, or the value of one of its parameters, is our own and not from the literature."""
    learner = str(curve["learner"][0])
    words = {key: curve[key][0] for key in curve if isinstance(curve[key][0], str)}
    return _is_of_core(learner) and _core.is_ours(learner, words)


def write(path: str | os.PathLike[str], page: str) -> None:
    """Writes a page; a file of that name is replaced."""
    with open(os.fspath(path), "w", encoding="utf-8", newline="\n") as file:
        file.write(page)


def table(result: Result) -> str:
    """The ranking as an HTML table."""
    names = ("Rank", "Learner", "Regret", "More than the best", "Bound")
    ranked = ranking(result)
    decimals = _core.column_decimals(
        [row["regret"] for row in ranked], [row["regret_high"] - row["regret"] for row in ranked]
    )
    rows = []
    for row in ranked:
        first = row["rank"] == 1
        rows.append(
            (
                str(row["rank"]),
                f"{row['name']} (oracle)" if _is_oracle(row["learner"]) else row["name"],
                _interval(row, "regret", decimals),
                "" if first else _interval(row, "difference", decimals),
                _text(row["bound"], decimals),
            )
        )
    return html_table(_caption(result), names, rows)


def html_table(caption: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts as notebooks show it."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{html.escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def ranking(result: Result) -> list[dict[str, Any]]:
    """One row for each curve at the horizon, by increasing regret, with the columns of ``ranking.csv``."""
    last = sorted(dict(result.at_horizon().curves()).items(), key=lambda curve: float(curve[1]["regret"][0]))
    rows: list[dict[str, Any]] = []
    for place, (name, curve) in enumerate(last, start=1):
        regret = float(curve["regret"][0])
        rank = rows[-1]["rank"] if rows and rows[-1]["regret"] == regret else place
        row = {"rank": rank, "name": name, "learner": curve["learner"][0], "regret": regret}
        row["difference"] = regret - float(last[0][1]["regret"][0])
        row["bound"] = float(curve["bound"][0])
        half = difference_half = math.nan
        if _independent(result) > 1:
            half = float(curve["regret_standard_error"][0]) * _core.student_quantile_95(_independent(result) - 1)
            comparison = result.compare(name, last[0][0])
            row["difference"] = comparison.difference
            difference_half = (comparison.high - comparison.low) / 2
        for key, width in (("regret", half), ("difference", difference_half)):
            row[f"{key}_low"], row[f"{key}_high"] = row[key] - width, row[key] + width
        rows.append(row)
    return rows


def _runs(result: Result) -> tuple[int, int] | None:
    """The number of sequences, and of repetitions on each; None if they are not known."""
    return None if result._runs is None else (result._runs.shape[1], result._runs.shape[2])


def _independent(result: Result) -> int:
    """The number of independent values in a mean; 0 if it is not known."""
    runs = _runs(result)
    return 0 if runs is None else runs[0] if runs[0] > 1 else runs[1]


def _over(result: Result) -> str:
    several = (_runs(result) or (1, 1))[0] > 1
    return f"{_independent(result)} loss sequences" if several else f"{_independent(result)} runs on one loss sequence"


def _caption(result: Result) -> str:
    sentences = [f"Mean regret after {int(result['round'].max()):,} rounds."]
    if _independent(result) > 1:
        sentences.append(
            f"Intervals are 95 % confidence intervals by Student's t over the {_over(result)}; those of"
            " differences are paired, as all learners meet the same losses and draws."
        )
    learners = dict.fromkeys(zip(map(str, result["label"]), map(str, result["learner"])))
    sentences.append(_core.informed_learners_text([each for each in learners if _is_of_core(each[1])]))
    return " ".join(filter(None, sentences))


def _figure(result: Result) -> dict[str, Any]:
    bands = []
    if (independent := _independent(result)) > 1:
        of_mean = f"of the mean over {_over(result)}"
        error = "regret_standard_error"
        factor = _core.student_quantile_95(independent - 1)
        bands = [("95 %", error, factor, f"95 % confidence interval {of_mean}"), ("se", error, 1, f"standard error {of_mean}")]
    if not numpy.isnan(result["regret_sd"]).all():
        bands.append(("sd", "regret_sd", 1, "standard deviation of the runs"))
    return {
        "id": "regret-over-time",
        "title": "Regret over time",
        "caption": "Loss suffered minus the loss of the best fixed arm so far, mean of the runs.",
        "table": "results.csv",
        "filter": {},
        "mark": "curve",
        "x": {"column": "round", "title": "round", "scale": "linear", "from_zero": False, "labels": []},
        "y": {"column": "regret", "title": "regret", "scale": "linear", "from_zero": True, "labels": []},
        "bands": [{**dict(zip(("name", "column", "factor", "title"), band)), "low": "", "high": ""} for band in bands],
        "references": [
            {
                "column": "bound",
                "title": "bound",
                "kind": "bound",
                "shown": False,
                "note": "The bound is what the theory guarantees in expectation, given what each learner saw.",
            }
        ],
        "series_columns": ["curve"],
        "series": [
            {"values": [name], "label": name, "ours": is_ours(curve), "learner": str(curve["learner"][0])}
            for name, curve in result.curves()
        ],
        "panel": "",
        "panel_title": "",
    }


def _results(result: Result) -> str:
    rows = []
    for name, curve in result.curves():
        for index in range(len(curve["round"])):
            rows.append({"curve": name, **{key: curve[key][index] for key in curve}})
    return _csv(("curve", *result), rows)


def _csv(columns: tuple[str, ...], rows: list[dict[str, Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(["" if _is_missing(row[column]) else row[column] for column in columns])
    return file.getvalue()


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _text(value: float, decimals: int) -> str:
    return "" if math.isnan(value) else _core.with_decimals(value, decimals)


def _interval(row: dict[str, Any], key: str, decimals: int) -> str:
    value, half = row[key], row[f"{key}_high"] - row[key]
    return _text(value, decimals) if math.isnan(half) else f"{_text(value, decimals)} ± {_text(half, decimals)}"
