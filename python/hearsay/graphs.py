"""Graphs from families and files. In every matrix, row = played."""

from __future__ import annotations

import errno
import os
from typing import Any

from hearsay import _core
from hearsay._calls import explained
from hearsay._toml import to_toml


@explained
def make_graph(family: str, *, seed: int = 1, **options: Any) -> _core.Graph:
    """A graph of a family (row = played). The options have the names that experiment files use.

    Families and options are those of ``hearsay graph make`` and of ``[environment.graph]`` in an experiment file.
    A random graph depends on ``seed``.

    >>> make_graph("grid", side=5)
    Graph(arms=25, arcs=600)
    >>> make_graph("uniform", arms=4, low=0.5, high=1, seed=7).to_numpy().min() >= 0.5
    True
    >>> make_graph("grid", sied=5)
    Traceback (most recent call last):
    ValueError: 'sied' is not a key of the graph, expected 'side'
    """
    return _core.graph_from_toml(to_toml({"family": family, **options}), "", seed)


@explained
def read_graph(path: str | os.PathLike[str], arms: int | None = None) -> _core.Graph:
    """Reads a graph from a file (row = played). The ending of its name gives the format.

    .npy has all weights, .arcs.npy has records (played, seen, weight); .mtx, .csv (played,seen,weight) and DIMACS are
    text.

    A .csv file with the header played_name,seen_name,weight has names: they are the ``names`` of the graph, whose arms have
    the order in which they appear.

    ``arms`` is the number of arms, which .csv and .arcs.npy files do not state; by default 1 + the largest index. A file that
    is not there raises FileNotFoundError, one that is wrong ValueError with the line.
    """
    return _core.read_graph(existing(path), arms, [])


def existing(path: str | os.PathLike[str]) -> str:
    """The path as text. Raises FileNotFoundError if nothing is there."""
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    return os.fspath(path)


@explained
def write_graph(graph: Any, path: str | os.PathLike[str]) -> None:
    """Writes a graph, or anything that Graph() accepts (row = played), to a file. It reads back to the same bits.

    The ending of the name gives the format, as in read_graph(). A .csv file has the names of the arms, as texts, if the
    graph has names; the other formats have numbers alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     write_graph([[1, 0.5], [0, 1]], directory + "/two.csv")
    ...     read_graph(directory + "/two.csv").weight(played=0, seen=1)
    0.5
    """
    try:
        made = _core.Graph(graph)
    except (TypeError, ValueError):
        _core.graph_of(graph, "graph")  # which names the argument of this function
        raise
    names = [str(name) for name in made.names or ()]
    if names == [str(arm) for arm in range(made.arms)]:
        names = []  # the names are the numbers
    _core.write_graph(made, os.fspath(path), names)
