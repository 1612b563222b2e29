"""Results as a table: one row for each learner, choice of parameters and round; every column is a numpy array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy

from hearsay import _core

_IS_NUMBER = _core.parameter_columns()
#: The columns with parameters, by their names in experiment files; the others are figures.
PARAMETERS = tuple(_IS_NUMBER)


class Result(Mapping[str, "numpy.ndarray[Any, Any]"]):
    """The columns of ``results.csv`` as numpy arrays, by name.

    A row is a point of a learner's curve: its ``label``, ``learner`` and parameters, the ``round``, the number
    of ``runs``, and the figures: ``regret`` (mean), ``regret_sd`` ..., ``loss``, ``best_arm_loss``, and
    ``bound``, the bound on the regret by the certificates of the runs. NaN: there is no such figure.

    >>> import hearsay
    >>> result = hearsay.simulate(hearsay.make_graph("grid", side=3), ["exp3", "exp3-wix"], rounds=100, repetitions=2)
    >>> result["regret"].shape
    (100,)
    >>> result.at_horizon()["label"].tolist()
    ['exp3', 'exp3-wix']
    """

    def __init__(self, columns: Mapping[str, numpy.ndarray[Any, Any]], experiment: str = "") -> None:
        self._columns = dict(columns)
        #: The experiment as TOML, which run() takes again to the same bits; empty if parts of it are in Python.
        self.experiment = experiment

    @classmethod
    def _of(
        cls,
        cells: Sequence[Mapping[str, Any]],
        parts: Sequence[Mapping[str, numpy.ndarray[Any, Any]]],
        points: int,
        experiment: str = "",
    ) -> Result:
        """``parts``: the figures of all cells as columns, in the order of the cells, ``points`` rows for each."""
        columns: dict[str, numpy.ndarray[Any, Any]] = {}
        for key in ("label", "learner", *PARAMETERS):
            values = [cell.get(key) for cell in cells]
            kind: Any = float if _IS_NUMBER.get(key) else object
            columns[key] = numpy.repeat(numpy.array(values, dtype=kind), points)
        for key in parts[0]:
            columns[key] = numpy.concatenate([part[key] for part in parts])
        return cls(columns, experiment)

    def __getitem__(self, column: str) -> numpy.ndarray[Any, Any]:
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        labels = ", ".join(dict.fromkeys(self["label"]))
        return f"Result({len(self['round'])} rows of {len(self)} columns: {labels})"

    def where(self, rows: numpy.ndarray[Any, Any]) -> Result:
        """Those rows for which the array says True.

        >>> import hearsay
        >>> result = hearsay.simulate([[1, 0.5], [0, 1]], ["exp3", "exp3-wix"], rounds=9, repetitions=1)
        >>> result.where(result["label"] == "exp3")["round"].tolist()
        [1, 2, 3, 4, 5, 6, 7, 8, 9]
        """
        return Result({key: column[rows] for key, column in self._columns.items()}, self.experiment)

    def at_horizon(self) -> Result:
        """The last round of every curve alone."""
        return self.where(self["round"] == self["round"].max())

    def to_pandas(self) -> Any:
        """The columns as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns)

    def curves(self) -> Iterator[tuple[str, Result]]:
        """Each curve with its name: the label, and the parameters in which curves of that label differ."""
        first = self.where(self["round"] == self["round"].min())
        for row in range(len(first["round"])):
            mine = numpy.full(len(self["round"]), True)
            same = numpy.full(len(first["round"]), True)
            for key in ("label", "learner", *PARAMETERS):
                mine &= _equal(self[key], first[key][row])
                if key == "label":
                    same &= first[key] == first[key][row]
            told = [
                f"{key} {first[key][row]}"
                for key in PARAMETERS
                if len(set(map(str, first[key][same]))) > 1
            ]
            yield ", ".join([str(first["label"][row]), *told]), self.where(mine)

    def plot(self, ax: Any = None, *, certificate: bool = True) -> Any:
        """Draws the mean regret by round with a band of one standard deviation; dashed, what the certificates promise.

        Returns the matplotlib axes. Without ``certificate`` the scale is that of the regret.
        """
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.figure(figsize=(7, 4.5), layout="constrained").subplots()
        for name, curve in self.curves():
            rounds, regret = curve["round"], curve["regret"]
            (line,) = ax.plot(rounds, regret, label=name)
            band = curve["regret_sd"]
            ax.fill_between(rounds, regret - band, regret + band, color=line.get_color(), alpha=0.15, lw=0)
            if certificate and not numpy.isnan(curve["bound"]).all():
                ax.plot(rounds, curve["bound"], "--", color=line.get_color(), lw=1, label=f"{name}, promised")
        ax.set_xlabel("round")
        ax.set_ylabel("regret")
        ax.set_xlim(0, self["round"].max())
        ax.set_ylim(bottom=min(0.0, self["regret"].min()))
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(frameon=False)
        return ax


def _equal(column: numpy.ndarray[Any, Any], value: Any) -> numpy.ndarray[Any, Any]:
    if isinstance(value, float) and numpy.isnan(value):
        return numpy.array([isinstance(each, float) and numpy.isnan(each) for each in column])
    equal: numpy.ndarray[Any, Any] = column == value
    return equal
