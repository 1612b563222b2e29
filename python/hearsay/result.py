"""Results as a table: one row for each learner, choice of parameters and round; every column is a numpy array."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

import numpy

from hearsay import _core, _report
from hearsay._calls import array, explained, no_such, shown
from hearsay._styles import Styles

_IS_NUMBER = _core.parameter_columns()
#: The parameters of the core's learners that are columns, by their names in experiment files.
PARAMETERS = tuple(_IS_NUMBER)

#: How many entries of a legend fit into a plot, and into a column beside it.
_MOST_INSIDE, _MOST_IN_COLUMN = 10, 20
_MARGIN = 0.15  # around a legend beside a plot, in inches

#: What the core records of a run at a point.
_RECORDED = ("loss", "best_arm_loss", "bound")

#: The columns of results and of runs() that are not parameters.
RESULT_COLUMNS = frozenset(
    ("curve", "sequence", "repetition", *_core.summarize(numpy.zeros((1, 1, 1, len(_RECORDED))), [1]))
)


@explained
class Experiment(str):
    """An experiment as TOML. run() runs it again, with the same bits.

    It is empty if an experiment file cannot describe it: if the environment, the noise or a learner is in Python; with
    losses of several sequences (an array of three dimensions), late feedback (``delay``), or learners with parameters that
    ``Learner()`` takes and experiment files do not. If nothing of it is in Python, run() runs it again nevertheless, in the
    session in which it was made.

    ``files`` has the data that the experiment names and that Python had in memory, by the names of the files.
    """

    files: dict[str, bytes]
    _parts: tuple[str, ...]  # that an experiment file cannot have
    _again: Callable[..., Any] | None

    def __new__(
        cls,
        toml: str,
        files: Mapping[str, bytes] | None = None,
        parts: Iterable[str] = (),
        again: Callable[..., Any] | None = None,
    ) -> Experiment:
        made = super().__new__(cls, toml)
        made.files = dict(files or {})
        made._parts = tuple(parts)
        made._again = again
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Without what only this session has."""
        return {**vars(self), "_again": None}

    def __copy__(self) -> Experiment:
        return self

    def __deepcopy__(self, memo: Any) -> Experiment:
        return self

    def _why_not_saved(self) -> str:
        """What an experiment file cannot have, for messages."""
        parts = " and ".join(filter(None, [", ".join(self._parts[:-1]), *self._parts[-1:]]))
        return f"the experiment has {parts}, which no experiment file can have" if parts else "the experiment is empty"

    def _play_again(self, seed: int | None, threads: int | None, progress: bool | None) -> Any:
        """The Result of an experiment that is not described as TOML."""
        if self._again is None:
            raise ValueError(f"experiment: cannot run again, as {self._why_not_saved()}; call simulate() again")
        return self._again(seed, threads, progress)

    def save(self, directory: str | os.PathLike[str]) -> str:
        """Writes experiment.toml and the files that it names to a directory, for ``hearsay run``. Returns its path.

        >>> import hearsay, tempfile
        >>> result = hearsay.simulate([[1, 0.5], [0, 1]], ["exp3"], rounds=9, repetitions=1)
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     again = hearsay.run(result.experiment.save(directory))
        >>> bool((again["regret"] == result["regret"]).all())
        True
        """
        if not self:
            raise ValueError(f"experiment: cannot be saved, as {self._why_not_saved()}")
        os.makedirs(directory, exist_ok=True)
        for name, content in {**self.files, "experiment.toml": self.encode()}.items():
            with open(os.path.join(directory, name), "wb") as file:
                file.write(content)
        return os.path.join(directory, "experiment.toml")


@dataclass(frozen=True)
class Comparison:
    """The paired difference of two learners: the mean of ``first`` minus that of ``second``.

    ``column`` says which number is compared, ``"regret"`` or ``"loss"``.

    Learners meet the same losses, noise and draws in a run, so the runs are compared in pairs; on several sequences
    the pairs are the means of the sequences, as runs on one sequence are not independent. ``low`` to ``high`` is the
    95 % interval of Student's t, and ``p_value`` that of the two-sided t test of no difference. With a single pair,
    both are NaN.
    """

    first: str
    second: str
    column: str
    round: int
    pairs: int
    difference: float
    standard_error: float
    low: float
    high: float
    p_value: float


@explained
class Result(Mapping[str, "numpy.ndarray[Any, Any]"]):
    """The columns of ``results.csv`` as numpy arrays, by name.

    A row is a point of a learner's curve: its ``label``, ``learner`` and parameters, the ``round``, the number
    of ``runs``, and the results: ``regret`` (mean), ``regret_sd`` ..., ``loss``, ``best_arm_loss``, and
    ``bound``, the bound on the regret by the certificates of the runs. NaN: there is no such value.

    >>> import hearsay
    >>> result = hearsay.simulate(hearsay.make_graph("grid", side=3), ["exp3", "exp3-wix"], rounds=100, repetitions=2)
    >>> result["regret"].shape
    (100,)
    >>> result.at_horizon()["label"].tolist()
    ['exp3', 'exp3-wix']
    """

    __slots__ = ("_columns", "_plays", "_runs", "experiment")

    def __init__(
        self,
        columns: Mapping[str, numpy.ndarray[Any, Any]],
        experiment: str = "",
        runs: numpy.ndarray[Any, Any] | None = None,
        plays: numpy.ndarray[Any, Any] | None = None,
    ) -> None:
        self._columns = dict(columns)
        #: The experiment as TOML, which run() takes again to the same bits; empty if a file cannot describe it.
        self.experiment = experiment if isinstance(experiment, Experiment) else Experiment(experiment)
        self._runs = runs  # rows x sequences x repetitions x _RECORDED; None: not known
        self._plays = plays  # for each row an array, runs x arms, of its curve; None: not recorded

    @classmethod
    def _of(
        cls,
        cells: Sequence[Mapping[str, Any]],
        columns: Mapping[str, numpy.ndarray[Any, Any]],
        points: int,
        experiment: str = "",
        runs: numpy.ndarray[Any, Any] | None = None,
        plays: Sequence[numpy.ndarray[Any, Any]] = (),
    ) -> Result:
        """``columns``: the results of all cells in their order, ``points`` rows for each; so are the rows of ``runs``.

        ``plays``: for each cell runs x arms.
        """
        own = dict.fromkeys(key for cell in cells for key in cell if key not in PARAMETERS)
        keys = dict.fromkeys(("label", "learner", *PARAMETERS, *own))
        described: dict[str, numpy.ndarray[Any, Any]] = {}
        for key in keys:
            values = [cell.get(key) for cell in cells]
            # A learner of your own may have a text where those of the core have a number.
            is_number = _IS_NUMBER.get(key) and all(value is None or isinstance(value, Real) for value in values)
            kind: Any = float if is_number else object
            described[key] = numpy.repeat(numpy.array(values + [None], dtype=kind)[:-1], points)
        every = None
        if len(plays):
            every = numpy.empty(len(cells) * points, dtype=object)
            every[:] = [each for each in plays for _ in range(points)]
        return cls({**described, **columns}, experiment, runs, every)

    def __getitem__(self, column: str) -> numpy.ndarray[Any, Any]:
        if column not in self._columns:
            raise KeyError(no_such("column", column, self._columns))
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        labels = ", ".join(dict.fromkeys(self["label"]))
        return f"Result({len(self['round'])} rows of {len(self)} columns: {labels})"

    def _repr_html_(self) -> str:
        """The learners by regret, as notebooks show it."""
        return _report.table(self)

    def to_html(self, path: str | os.PathLike[str], *, title: str | None = None) -> None:
        """Writes the report: one page with the ranking, the curves and the data, which opens without a network.

        ``title``: by default the name of the experiment. A file of that name is replaced.

        >>> import hearsay, pathlib, tempfile
        >>> result = hearsay.simulate([[1, 0.5], [0, 1]], ["exp3", "exp3-wix"], rounds=100, repetitions=4)
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory) / "report.html"
        ...     result.to_html(path)
        ...     path.read_text().startswith("<!doctype html>")
        True
        """
        _report.write(path, _report.page(self, title))

    @property
    def _parameters(self) -> list[str]:
        """The columns between the learner and the round: the core's parameters and those of your own learners."""
        names = list(self._columns)
        return names[names.index("learner") + 1 : names.index("round")]

    def where(self, rows: numpy.ndarray[Any, Any]) -> Result:
        """The rows for which the array is True.

        >>> import hearsay
        >>> result = hearsay.simulate([[1, 0.5], [0, 1]], ["exp3", "exp3-wix"], rounds=9, repetitions=1)
        >>> result.where(result["label"] == "exp3")["round"].tolist()
        [1, 2, 3, 4, 5, 6, 7, 8, 9]
        """
        rows = array("rows", rows)
        if rows.dtype.kind != "b" or rows.shape != self["round"].shape:
            raise ValueError(
                f"rows: are {rows.dtype} of the shape {rows.shape}, expected True or False for each of {len(self['round'])} rows"
            )
        return Result(
            {key: column[rows] for key, column in self._columns.items()},
            self.experiment,
            None if self._runs is None else self._runs[rows],
            None if self._plays is None else self._plays[rows],
        )

    def at_horizon(self) -> Result:
        """Only the last round of every curve."""
        return self.where(self["round"] == self["round"].max())

    def to_pandas(self) -> Any:
        """The columns as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns)

    def curves(self) -> Iterator[tuple[str, Result]]:
        """Each curve with its name: the label, and the parameters in which curves of that label differ."""
        first = self.where(self["round"] == self["round"].min())
        columns = ("label", *self._parameters)
        rows = zip(*(first[key] for key in columns), strict=True)
        texts = [[_report.value_text(value) for value in row] for row in rows]
        for row, name in enumerate(_core.curve_names(columns, texts)):
            mine = numpy.full(len(self["round"]), True)
            for key in (*columns, "learner"):
                mine &= _equal(self[key], first[key][row])
            yield name, self.where(mine)

    def _known_runs(self) -> numpy.ndarray[Any, Any]:
        if self._runs is None:
            raise ValueError(
                "the runs are not known: these results were found in a directory, which has their summary alone;"
                " hearsay.run(result.experiment) computes them again, with the same bits"
            )
        return self._runs

    def runs(self) -> Any:
        """Every run as a pandas.DataFrame, one row for each run and round.

        The columns: ``curve`` (its name as curves() has it), ``label``, ``learner``, the parameters, ``sequence`` and
        ``repetition`` of the run, ``round``, ``regret``, ``loss``, ``best_arm_loss`` and ``bound``.

        >>> import hearsay
        >>> result = hearsay.simulate([[1, 0.5], [0, 1]], ["exp3", "exp3-wix"], rounds=100, repetitions=4, points=5)
        >>> frame = result.runs()
        >>> frame.groupby("curve").size().tolist()
        [20, 20]
        >>> mean = frame[frame["round"] == 100].groupby("label")["regret"].mean()
        >>> bool(abs(mean["exp3"] - result.at_horizon()["regret"][0]) < 1e-12)
        True
        """
        import pandas

        self._known_runs()
        frames = []
        for name, curve in self.curves():
            runs = curve._known_runs()
            points, sequences, repetitions, _ = runs.shape
            each = sequences * repetitions
            row = {"curve": name, "label": curve["label"][0], "learner": curve["learner"][0]}
            row.update({key: curve[key][0] for key in self._parameters})
            frame = pandas.DataFrame({key: [value] * (points * each) for key, value in row.items()})
            # Run after run, for each its rounds.
            values = runs.transpose(1, 2, 0, 3).reshape(-1, len(_RECORDED))
            frame["sequence"] = numpy.repeat(numpy.arange(sequences), repetitions * points)
            frame["repetition"] = numpy.tile(numpy.repeat(numpy.arange(repetitions), points), sequences)
            frame["round"] = numpy.tile(curve["round"], each)
            frame["regret"] = values[:, 0] - values[:, 1]
            for index, key in enumerate(_RECORDED):
                frame[key] = values[:, index]
            frames.append(frame)
        return pandas.concat(frames, ignore_index=True)

    def plays(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """How often each arm was played: for each curve an array, runs x arms. simulate(..., plays=True) records them.

        >>> import hearsay
        >>> result = hearsay.simulate([[1, 0.5], [0, 1]], ["exp3"], rounds=100, repetitions=3, plays=True)
        >>> result.plays()["exp3"].sum(axis=1).tolist()
        [100, 100, 100]
        """
        if self._plays is None:
            raise ValueError("plays were not recorded, expected the result of simulate(..., plays=True)")
        return {name: curve._plays[0] for name, curve in self.curves() if curve._plays is not None}

    def compare(
        self, first: str, second: str, *, column: Literal["regret", "loss"] = "regret", round: int | None = None
    ) -> Comparison:
        """The difference of two curves in pairs of runs, with a 95 % interval and the p-value of a t test.

        ``first`` and ``second`` are names as curves() has them. ``round`` is by default the last.

        >>> import hearsay
        >>> result = hearsay.simulate(hearsay.make_graph("grid", side=5), ["exp3-wix", "exp3"], 2000, 20)
        >>> comparison = result.compare("exp3", "exp3-wix")
        >>> comparison.pairs, comparison.low < comparison.difference < comparison.high
        (20, True)
        """
        self._known_runs()
        if column not in ("regret", "loss"):
            raise ValueError(f"column: is {shown(column)}, expected 'regret' or 'loss'")
        at = int(self["round"].max()) if round is None else round
        if at not in self["round"]:
            raise ValueError(f"round: is {shown(at)}, which was not recorded, expected one of the column 'round'")
        curves = dict(self.where(self["round"] == at).curves())
        for name in (first, second):
            if name not in curves:
                raise ValueError(no_such("curve", name, curves))
        values = []
        for name in (first, second):
            recorded = curves[name]._known_runs()[0]
            values.append(recorded[..., 0] - recorded[..., 1] if column == "regret" else recorded[..., 0])
        differences = values[0] - values[1]
        pairs = differences.mean(axis=1) if len(differences) > 1 else differences[0]
        mean = float(pairs.mean())
        error = half = p_value = math.nan
        if len(pairs) > 1:
            error = float(pairs.std(ddof=1)) / math.sqrt(len(pairs))
            half = error * _core.student_quantile_95(len(pairs) - 1)
            t = mean / error if error > 0 else math.copysign(math.inf, mean) if mean != 0 else 0.0
            p_value = _core.student_tail(t, len(pairs) - 1)
        return Comparison(
            first, second, column, at, len(pairs), mean, error, mean - half, mean + half, p_value
        )

    def _regrets(self) -> list[float]:
        """The regret of each run in the first row, sequence after sequence; empty if the runs are not known."""
        if self._runs is None:
            return []
        return [float(loss - best) for loss, best, _ in self._runs[0].reshape(-1, len(_RECORDED))]

    def _half_width(self, band: str | None) -> numpy.ndarray[Any, Any]:
        """Half the width of the band around the mean regret; 0 where there is no band."""
        if band is None:
            return numpy.zeros(len(self["round"]))
        if band == "sd":
            return numpy.nan_to_num(self["regret_sd"])
        error = numpy.nan_to_num(self["regret_standard_error"])
        if band == "se":
            return error
        if band != "ci":
            raise ValueError(f"band: is {shown(band)}, expected 'sd', 'se', 'ci' or None")
        # The standard error is that of the means of the sequences if there are several.
        runs = self._known_runs()
        independent = runs.shape[1] if runs.shape[1] > 1 else runs.shape[2]
        return error * (_core.student_quantile_95(independent - 1) if independent > 1 else 0.0)

    def plot(
        self,
        ax: Any = None,
        *,
        certificate: bool = True,
        band: Literal["sd", "se", "ci"] | None = "sd",
    ) -> Any:
        """Draws the mean regret by round with a band; dotted lines are the bounds of the certificates.

        ``band``: one standard deviation of the runs (``"sd"``), one standard error of the mean (``"se"``), the 95 %
        interval of the mean (``"ci"``), or none. Returns the matplotlib axes. Without ``certificate`` the scale is
        that of the regret. A learner has the same colour and mark as in the report, on a light and on a dark ground; along
        a sweep of many values its colour goes from strong to faint. A legend of more than ten entries is beside the axes, and the figure becomes wider.

        For a paper, draw into axes in the width of a column and save them as PDF:
        ``figure, ax = pyplot.subplots(figsize=(3.3, 2.5), layout="constrained")``, then ``result.plot(ax)`` and
        ``figure.savefig("regret.pdf")``.
        """
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.figure(figsize=(7, 4.5), layout="constrained").subplots()
        lowest = 0.0
        curves = list(self.curves())
        styles = Styles((str(curve["learner"][0]) for _, curve in curves), ax.get_facecolor())
        for name, curve in curves:
            rounds, regret = curve["round"], curve["regret"]
            style = styles.of(str(curve["learner"][0]), name, _report.is_ours(curve))
            ax.plot(rounds, regret, label=name, markevery=max(1, len(rounds) // 6), markersize=5, **style)
            half = curve._half_width(band)
            lowest = min(lowest, float((regret - half).min()))
            if band is not None:
                ax.fill_between(rounds, regret - half, regret + half, color=style["color"], alpha=0.15, lw=0)
            if certificate and not numpy.isnan(curve["bound"]).all():
                ax.plot(rounds, curve["bound"], ":", lw=1.5, color=style["color"], label="_bound")
        ax.set_xlabel("round")
        ax.set_ylabel("regret")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:,.10g}")
        ax.set_xlim(0, self["round"].max())
        ax.set_ylim(bottom=1.05 * lowest)
        ax.spines[["top", "right"]].set_visible(False)
        _add_legend(ax)
        return ax


def _add_legend(ax: Any) -> None:
    """Curves by name, and one entry for all bounds. A long legend stands beside the axes, which keep their size."""
    from matplotlib.lines import Line2D

    entries = [line for line in ax.get_lines() if not str(line.get_label()).startswith("_")]
    if any(line.get_label() == "_bound" for line in ax.get_lines()):
        entries.append(Line2D([], [], color="0.3", linestyle=":", lw=1.5, label="bound by the certificate"))
    if len(entries) <= _MOST_INSIDE:
        ax.legend(handles=entries, frameon=False)
        return
    columns = -(-len(entries) // _MOST_IN_COLUMN)
    place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "borderaxespad": 0}
    legend = ax.legend(handles=entries, frameon=False, fontsize="small", ncols=columns, **place)
    _widen(ax.figure, legend.get_window_extent().width / ax.figure.dpi + _MARGIN)


def _widen(figure: Any, more: float) -> None:
    """Makes a figure wider on the right by this many inches; the axes stay as they are."""
    if not hasattr(figure, "set_size_inches"):  # a part of a figure
        return
    width, height = figure.get_size_inches()
    figure.set_size_inches(width + more, height)
    if figure.get_layout_engine() is None:  # else it leaves the room to the legend
        for ax in figure.axes:
            left, bottom, across, up = ax.get_position().bounds
            share = width / (width + more)
            ax.set_position((share * left, bottom, share * across, up))


def same(one: Any, other: Any) -> bool:
    """Whether two values of a parameter are the same. NaN is the same as NaN; arrays are compared as a whole."""
    if one is other:
        return True
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other):
        return True
    try:
        if hasattr(one, "shape") or hasattr(other, "shape"):
            return numpy.array_equal(one, other)
        return bool(one == other)
    except (TypeError, ValueError):  # a list of arrays, which has no single answer
        return False


def _equal(column: numpy.ndarray[Any, Any], value: Any) -> numpy.ndarray[Any, Any]:
    if column.dtype == float:
        return numpy.array((column == value) | (numpy.isnan(column) & math.isnan(value)))
    return numpy.array([same(each, value) for each in column])
