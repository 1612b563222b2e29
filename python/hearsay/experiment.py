"""Comparisons of learners: from an experiment file, from a dict with its keys, or from objects of Python."""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy

from hearsay import _core
from hearsay._progress import progress_bar
from hearsay._toml import to_assignments, to_toml
from hearsay.graphs import write_graph
from hearsay.learners import learner_classes
from hearsay.result import Result


def run(
    experiment: str | os.PathLike[str] | Mapping[str, Any],
    *,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    force: bool = False,
    overrides: Mapping[str, Any] | None = None,
) -> Result:
    """Runs an experiment: the path of a TOML file, or a dict with the keys of one.

    The results are those of ``hearsay run``, to the bit.

    ``seed``: instead of the experiment's. ``overrides``: values for further keys, by their dotted names
    (``{"environment.horizon": 1000}``), as ``--set`` of the command has them. ``threads``: all cores if it is not
    given; the results are the same for any number. ``progress``: a bar always (True), never (False), or on a terminal
    and in Jupyter. Files that a dict names are looked for in the working directory; their graphs are row = played.

    ``out``: a directory for the files that the command writes: ``results.csv``, ``summary.csv``, ``report.html``,
    ``experiment.toml``, and ``.hearsay`` with a checkpoint while it runs. With ``resume`` a run that was interrupted
    (Ctrl-C, a crash) continues there, and one that is finished returns its results; with ``force`` the results of
    another experiment are replaced. Files that hearsay did not write are never replaced.

    >>> result = run({
    ...     "repetitions": 2,
    ...     "environment": {"horizon": 100, "graph": {"family": "grid", "side": 3}},
    ...     "learners": [{"learner": "exp3-ixt", "threshold": [0.25, 1]}, {"learner": "exp3-wix"}],
    ... })
    >>> result.at_horizon()["threshold"].tolist()
    [0.25, 1.0, nan]
    >>> run({"environment": {"horizn": 100}})
    Traceback (most recent call last):
    ValueError: 'horizn' is not a key of [environment], expected 'horizon'
    """
    if resume and force:
        raise ValueError("resume and force: both are set, expected one of them at most")
    if out is None and (resume or force):
        raise ValueError(f"{'resume' if resume else 'force'}: there is no out, expected a directory")
    assignments = to_assignments(overrides or {})
    inputs = [] if isinstance(experiment, Mapping) else [os.fspath(experiment)]
    if isinstance(experiment, Mapping):
        description = _core.Experiment.parse(to_toml(experiment), assignments, seed)
    else:
        description = _core.Experiment.read(inputs[0], assignments, seed)
    directory = "" if out is None else os.fspath(out)
    with progress_bar(description.name, progress) as report:
        result = _core.run_experiment(description, _threads(threads), directory, resume, force, report, inputs)
    return Result._of(result.plan.cells, [result.columns], len(result.plan.points), description.toml)


def simulate(
    environment: Any,
    learners: Iterable[Any],
    rounds: int,
    repetitions: int = 10,
    seed: int = 1,
    threads: int | None = None,
    *,
    sequences: int = 1,
    points: int = 50,
    noise: str = "uniform",
    noise_bound: float = 1.0,
    losses: Any = "walks",
    progress: bool | None = None,
) -> Result:
    """Plays learners against an environment, ``repetitions`` times each, on all cores.

    ``environment``: a graph or what Graph(...) takes (row = played), a dict as ``[environment.graph]`` of an
    experiment file (``{"family": "grid", "side": 5}``), or an environment of your own (hearsay.own): an object
    with ``next(history)``, which is copied for every run, or a function that makes one from the number of the
    sequence.

    ``losses``: on a graph: a kind or a dict as in TOML, or an array, rounds x arms. ``noise`` lies in
    [-noise_bound, noise_bound]; learners assume that bound unless they are given another.

    ``learners``: names, dicts as in TOML (a list of values is a sweep), classes (``hearsay.Exp3Wix``),
    learners (a new one with the same parameters is made), or your own: a class, or a function that makes one
    from the number of arms. Learners of the core run without the interpreter. Those of your own are played
    after them, at the speed of Python, with the same losses, noise and draws.

    >>> graph = make_graph("grid", side=3)
    >>> result = simulate(graph, ["exp3", {"learner": "exp3-wix", "rate": [0.01, 0.1]}], rounds=1000, repetitions=4)
    >>> [name for name, _ in result.curves()]
    ['exp3', 'exp3-wix, rate 0.01', 'exp3-wix, rate 0.1']
    """
    tables, own = _sort(learners)
    if not tables and not own:
        raise ValueError("learners: is empty, expected at least one")
    table: dict[str, Any] = {"seed": seed, "repetitions": repetitions, "sequences": sequences, "points": points}
    table["learners"] = tables or [{"learner": "uniform"}]
    table["environment"] = {"horizon": rounds, "noise": noise, "noise_bound": noise_bound}
    make_own = _own_environment(environment, sequences)
    parts: list[Mapping[str, numpy.ndarray[Any, Any]]] = []  # columns of one cell or several, in order
    with tempfile.TemporaryDirectory() as directory, progress_bar("simulate", progress) as report:
        if make_own is None:
            table["environment"]["graph"] = _graph_table(environment, directory)
            table["environment"]["losses"] = _losses_table(losses, rounds, directory)
        else:  # the core checks the parameters and expands the sweeps, for which any graph of that size will do
            table["environment"]["graph"] = {"family": "empty", "arms": _arms_of(make_own(0))}
        experiment = _core.Experiment.parse(to_toml(table))
        if make_own is None and tables:
            result = _core.run_experiment(experiment, _threads(threads), progress=report)
            parts.append(result.columns)
            plan = result.plan
        else:
            plan = _core.Plan(experiment)

        cells = plan.cells if tables else []
        played_by_python = [make for _, make in own]
        if make_own is not None:
            played_by_python = [_maker(cell) for cell in cells] + played_by_python
        total = len(played_by_python) * sequences * repetitions
        done = 0
        for make in played_by_python:
            runs = numpy.empty((sequences, repetitions, len(plan.points), 3))
            for sequence in range(sequences):
                for repetition in range(repetitions):
                    world = plan.environment(sequence) if make_own is None else make_own(sequence)
                    runs[sequence, repetition] = _core.play(
                        world, make, noise, noise_bound, seed, sequence, repetition, plan.points
                    )
                    done += 1
                    if report is not None:
                        report(done * rounds, total * rounds)
            parts.append(_core.summarize(runs, plan.points))
    cells = cells + [{"label": label, "learner": label} for label, _ in own]
    return Result._of(cells, parts, len(plan.points), "" if own or make_own else experiment.toml)


def _threads(threads: int | None) -> int:
    if threads is None:
        # The cores that this process may use. Only Linux tells which; elsewhere all cores count.
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if not 1 <= threads <= 4096:
        raise ValueError(f"threads: is {threads}, expected 1 to 4096")
    return threads


def _sort(learners: Iterable[Any]) -> tuple[list[dict[str, Any]], list[tuple[str, Callable[[int], Any]]]]:
    """The learners of the core as tables of TOML; those in Python with their labels."""
    if isinstance(learners, (str, Mapping)):
        raise TypeError("learners: expected a list of them")
    tables: list[dict[str, Any]] = []
    own: list[tuple[str, Callable[[int], Any]]] = []
    for each in learners:
        if isinstance(each, str):
            tables.append({"learner": each})
        elif isinstance(each, Mapping) and callable(each.get("learner")):
            own.append((str(each.get("label", _name(each["learner"]))), each["learner"]))
        elif isinstance(each, Mapping):
            tables.append(dict(each))
        elif type(each) in (_core.Learner, *learner_classes.values()):
            tables.append(each.parameters)
        elif any(each is named for named in learner_classes.values()):
            tables.append({"learner": each.learner})
        elif callable(each) and not (isinstance(each, type) and issubclass(each, _core.Learner)):
            own.append((_name(each), each))
        else:
            raise TypeError(
                f"learners: {each!r}, expected a name, a dict, a learner, or a class of your own"
            )
    return tables, own


def _name(make: Any) -> str:
    return str(getattr(make, "__name__", type(make).__name__))


def _maker(cell: Mapping[str, Any]) -> Callable[[int], _core.Learner]:
    parameters = {key: value for key, value in cell.items() if key not in ("label", "learner")}
    return lambda arms: _core.Learner(cell["learner"], arms=arms, **parameters)


def _own_environment(environment: Any, sequences: int) -> Callable[[int], Any] | None:
    """A function that makes the environment of a sequence, if it is written in Python."""
    if hasattr(environment, "next"):
        if sequences != 1:
            raise ValueError(
                f"sequences: {sequences} of one environment, expected 1, or a function that makes it"
                " from the number of the sequence"
            )
        return lambda sequence: copy.deepcopy(environment)
    if callable(environment):
        make: Callable[[int], Any] = environment
        return make
    return None


def _arms_of(environment: Any) -> int:
    first = environment.next([])
    if not isinstance(first, (tuple, list)) or len(first) != 2:
        raise TypeError("next(history): expected the pair (losses, graph)")
    return _core.Graph(first[1]).arms


def _graph_table(graph: Any, directory: str) -> dict[str, Any]:
    """Writes data to a file, as experiments have data in files alone; it reads back to the same bits."""
    if isinstance(graph, Mapping):
        return dict(graph)
    if isinstance(graph, (str, os.PathLike)):
        return {"file": os.path.abspath(graph)}
    graph = _core.Graph(graph)
    path = os.path.join(directory, "graph.npy" if graph.is_dense else "graph.arcs.npy")
    write_graph(graph, path)
    return {"file": path}


def _losses_table(losses: Any, rounds: int, directory: str) -> dict[str, Any]:
    if isinstance(losses, Mapping):
        return dict(losses)
    if isinstance(losses, str):
        return {"kind": losses}
    path = os.path.join(directory, "losses.npy")
    table = numpy.asarray(losses)
    if table.ndim != 2 or table.dtype.kind not in "biuf":
        raise ValueError(
            f"losses: {table.ndim} dimensions of {table.dtype}, expected numbers, rounds x arms"
        )
    # In memory first: a broadcast array would fill the disk instead.
    numpy.save(path, numpy.array(table[: max(rounds, 0)], dtype=float, order="C"))
    return {"kind": "file", "file": path}
