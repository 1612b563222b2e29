"""Graphs from families and files. Row = played, always."""

from __future__ import annotations

import os
from typing import Any

from hearsay import _core
from hearsay._toml import to_toml


def make_graph(family: str, *, seed: int = 1, **options: Any) -> _core.Graph:
    """A graph of a family, with its options by the words that TOML uses (row = played).

    Families and options are those of ``hearsay graph make`` and of an experiment's ``[environment.graph]``.
    Where one is random, it follows from ``seed``.

    >>> make_graph("grid", side=5)
    Graph(arms=25, arcs=600)
    >>> make_graph("uniform", arms=4, low=0.5, high=1, seed=7).to_numpy().min() >= 0.5
    True
    >>> make_graph("grid", sied=5)
    Traceback (most recent call last):
    ValueError: 'sied' is not a key of the graph, expected 'side'
    """
    return _core.graph_from_toml(to_toml({"family": family, **options}), "", seed)


def read_graph(path: str | os.PathLike[str], arms: int | None = None) -> _core.Graph:
    """The graph in a file, by its ending. Row = played.

    .npy holds all weights, .arcs.npy records (played, seen, weight); .mtx, .csv (played,seen,weight) and DIMACS are text.

    ``arms``: how many, where a .csv or .arcs.npy file does not say.
    """
    return _core.read_graph(os.fspath(path), arms)


def write_graph(graph: Any, path: str | os.PathLike[str]) -> None:
    """Writes a graph (or what makes one, row = played) to a file, by its ending; it reads back to the same bits.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     write_graph([[1, 0.5], [0, 1]], directory + "/two.csv")
    ...     read_graph(directory + "/two.csv").weight(played=0, seen=1)
    0.5
    """
    _core.write_graph(_core.Graph(graph), os.fspath(path))
