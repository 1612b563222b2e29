"""Comparisons of learners: from an experiment file, from a dict with its keys, or from objects of Python."""

from __future__ import annotations

import copy
import inspect
import io
import itertools
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy

from hearsay import _core
from hearsay._calls import array, explained, shown
from hearsay._progress import ReportProgress, progress_bar
from hearsay._record import start_record
from hearsay._toml import to_assignments, to_toml
from hearsay.graphs import existing
from hearsay.learners import learner_classes
from hearsay.result import RESULT_COLUMNS, Experiment, Result, same

#: The files of an experiment that hold what simulate() was given as arrays.
_LOSSES_FILE, _DENSE_GRAPH_FILE, _SPARSE_GRAPH_FILE = "losses.npy", "graph.npy", "graph.arcs.npy"


@explained
def run(
    experiment: str | os.PathLike[str] | Mapping[str, Any] | Experiment,
    *,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    force: bool = False,
    overrides: Mapping[str, Any] | None = None,
) -> Result:
    """Runs an experiment: the path of a TOML file, a dict with the keys of one, or ``result.experiment``.

    The results are those of ``hearsay run``, to the bit.

    ``seed`` replaces that of the experiment. ``overrides``: values for further keys, by their dotted names
    (``{"environment.horizon": 1000}``), as with ``--set`` of the command. ``threads``: by default all cores; the results
    are the same for any number. ``progress``: a bar always (True), never (False), or by default on a terminal and in
    Jupyter. The paths of files in a dict are relative to the working directory; in their graphs, row = played.

    ``out``: a directory for the files that the command writes: ``results.csv``, ``summary.csv``, ``ranking.csv``,
    ``report.html``, ``experiment.toml``, ``run.json`` (when and where the run was made and how long it took), and
    ``.hearsay`` with a checkpoint while it runs; also the graph and the losses that Python had in memory (``graph.npy``,
    ``losses.npy``), which ``experiment.toml`` then names. With ``resume``, a run that was interrupted (Ctrl-C, a crash)
    continues there, and one that is finished returns its results. A directory has the summary of the runs, so that these
    results have no runs(), compare() and intervals: ``run(result.experiment)`` computes them again, with the same bits.
    With ``force``, the results of another experiment are replaced. Files that hearsay did not write are never replaced.

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
    inputs: list[str] = []
    files: dict[str, bytes] = {}
    if isinstance(experiment, Experiment):
        if not experiment:
            if out is not None or overrides:
                raise ValueError(f"{'overrides' if out is None else 'out'}: is given, but {experiment._why_not_saved()}")
            again: Result = experiment._play_again(seed, threads, progress)
            return again
        files = experiment.files
        description = _core.Experiment.parse(experiment, assignments, seed, files)
    elif isinstance(experiment, Mapping):
        description = _core.Experiment.parse(to_toml(experiment), assignments, seed)
    else:
        inputs = [existing(experiment)]
        description = _core.Experiment.read(inputs[0], assignments, seed)
    directory = "" if out is None else os.fspath(out)
    with progress_bar(description.name, progress) as report:
        result = _core.run_experiment(
            description, _threads(threads), directory, resume, force, report, inputs, start_record(_threads(threads))
        )
    return Result._of(
        result.plan.cells,
        result.columns,
        len(result.plan.points),
        Experiment(description.toml, files),
        result.runs,
    )


@explained
def simulate(
    environment: Any,
    learners: Iterable[Any],
    rounds: int,
    repetitions: int = 10,
    seed: int | None = 1,
    threads: int | None = None,
    *,
    sequences: int | None = None,
    points: int | Sequence[int] = 50,
    noise: Any = "uniform",
    noise_bound: float = 1.0,
    losses: Any = "walks",
    delay: Any = 0,
    plays: bool = False,
    progress: bool | None = None,
) -> Result:
    """Plays learners against an environment, ``repetitions`` times each, on all cores.

    ``environment``: a graph or what Graph(...) takes (row = played), a dict as ``[environment.graph]`` of an
    experiment file (``{"family": "grid", "side": 5}``), or an environment of your own (hearsay.own): an object
    with ``next(history)``, which is copied for every run, or a function that makes one from the number of the
    sequence.

    ``losses``: on a graph: a kind or a dict as in TOML, or an array, rounds x arms, or sequences x rounds x arms.

    ``noise``: a law of ``hearsay.noise_laws()``, of scale ``noise_bound``; a distribution of scipy.stats
    (``scipy.stats.t(3)``); or a function that makes the noise of all arms from an array of as many uniform numbers
    in (0, 1). All learners of a repetition meet the same noise. Learners assume that noise lies in
    [-noise_bound, noise_bound] unless they are given another bound.

    ``learners``: names, dicts as in TOML (a list of values is a sweep), classes (``hearsay.Exp3Wix``),
    learners (a new one with the same parameters is made), or your own: a class or function, or a dict
    ``{"learner": Mine, "label": "mine", "rate": [0.1, 0.2]}`` with its parameters. It is called with the number of arms,
    the parameters, and with ``noise_bound``, ``seed`` and ``stream`` if it takes them. Learners of the core run without
    the interpreter. Those of your own are played after them, at the speed of Python, with the same losses, noise and
    draws.

    ``delay``: by how many rounds the feedback of a round is late: a number, a list with one for each round, or a function
    of the round (from 1). ``points``: how many rounds are recorded, or which. ``plays`` records how often each arm is played
    (``result.plays()``). With ``plays``, ``delay``, noise of your own or losses of several sequences, the runs are
    played one by one rather than several at a time, which takes longer. ``seed`` = None: a new one every time.

    >>> graph = make_graph("grid", side=3)
    >>> result = simulate(graph, ["exp3", {"learner": "exp3-wix", "rate": [0.01, 0.1]}], rounds=1000, repetitions=4)
    >>> [name for name, _ in result.curves()]
    ['exp3', 'exp3-wix, rate 0.01', 'exp3-wix, rate 0.1']
    """
    return _Simulation(
        environment,
        *_sort(learners),
        rounds=rounds,
        repetitions=repetitions,
        sequences=sequences,
        points=points,
        noise=noise,
        noise_bound=noise_bound,
        losses=losses,
        delay=delay,
        plays=plays,
    ).play(secrets.randbits(48) if seed is None else seed, threads, progress)


@dataclass
class _CellToPlay:
    """A learner with one choice of its parameters, which is played run by run."""

    columns: dict[str, Any]  # label, learner and parameters
    make: Callable[..., Any]  # (arms, noise_bound, seed, stream) -> learner
    is_core: bool = False  # played without the interpreter


@dataclass
class _Sweep:
    """A learner of the core, as a table of TOML."""

    table: dict[str, Any]
    arms: int | None = None  # that it was made for

    @property
    def label(self) -> str:
        return str(self.table.get("label", self.table.get("learner")))

    def require_arms(self, arms: int) -> None:
        if self.arms is not None and self.arms != arms:
            raise ValueError(
                f"learners: {self.label} was made for {self.arms} arms, expected {arms}, the number of arms of the"
                " environment"
            )


@dataclass
class _OwnSweep(_Sweep):
    """A learner that is played run by run: one in Python, or one of the core with parameters that experiment files do not
    have. Its parameters may be lists of values."""

    table: dict[str, Any] = field(default_factory=dict)
    make: Callable[..., Any] = lambda arms: None
    is_core: bool = False  # a learner of the core, with parameters that experiment files do not have

    def cells(self) -> list[_CellToPlay]:
        parameters = {key: value for key, value in self.table.items() if key not in ("label", "learner")}
        for key in parameters:
            if key in RESULT_COLUMNS:
                raise ValueError(
                    f"learners: {self.label} has a parameter {key!r}, which is the name of a column of the results,"
                    " expected another name"
                )
        lists = [_values_to_try(value) for value in parameters.values()]
        for key, values in zip(parameters, lists, strict=True):
            for place, value in enumerate(values):
                if any(same(value, before) for before in values[:place]):
                    raise ValueError(
                        f"learners: {key} of {self.label} has {shown(value)} twice, expected each value once"
                    )
        cells = []
        for values in itertools.product(*lists):
            chosen = dict(zip(parameters, values, strict=True))
            learner = chosen.get("name", getattr(self.make, "learner", _name(self.make)))
            columns = {"label": self.label, "learner": learner, **chosen}
            columns.pop("name", None)
            cells.append(_CellToPlay(columns, _caller(self.make, chosen), self.is_core))
        if not cells:
            raise ValueError(f"learners: a parameter of {self.label} is an empty list, expected at least one value")
        return cells


def _values_to_try(value: Any) -> list[Any]:
    """The values of a parameter: those of a list, an array, a Series or a range, else the value itself."""
    if isinstance(value, (list, tuple, range)):
        return list(value)
    if getattr(value, "ndim", 0) >= 1 and hasattr(value, "tolist"):
        return list(value.tolist())
    return [value]


def _caller(make: Callable[..., Any], parameters: Mapping[str, Any]) -> Callable[..., Any]:
    """A function of arms and the keywords noise_bound, seed and stream, which passes on those that ``make`` takes."""
    try:
        taken = inspect.signature(make).parameters
    except ValueError:  # a builtin without a signature
        return lambda arms, **known: make(arms, **parameters)
    any_keyword = any(each.kind is each.VAR_KEYWORD for each in taken.values())
    is_core = isinstance(make, type) and issubclass(make, _core.Learner)
    by_name = is_core or ("arms" in taken and taken["arms"].kind is inspect.Parameter.KEYWORD_ONLY)

    def call(arms: int, **known: Any) -> Any:
        given = {key: value for key, value in known.items() if key in taken or any_keyword} | dict(parameters)
        return make(arms=arms, **given) if by_name else make(arms, **given)

    return call


def _cell_of_core(cell: Mapping[str, Any], least_outstanding: int) -> _CellToPlay:
    parameters = {key: value for key, value in cell.items() if key not in ("label", "learner")}
    outstanding = max(least_outstanding, 4096)

    def make(arms: int, **known: Any) -> _core.Learner:
        return _core.Learner(cell["learner"], arms=arms, max_outstanding=outstanding, **parameters)

    return _CellToPlay(dict(cell), make, is_core=True)


@dataclass
class _SeparateRuns:
    """Plays the runs of cells one by one."""

    environment_of: Callable[[int], Any]  # makes the environment of a sequence
    noise: Any
    noise_bound: float
    delays: list[int]
    seed: int
    points: list[int]
    sequences: int
    repetitions: int
    stop: threading.Event = field(default_factory=threading.Event)

    def play(
        self, cells: Sequence[_CellToPlay], threads: int, report: ReportProgress | None
    ) -> Iterator[tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]]:
        """For each cell its runs, sequences x repetitions x points x values, and the plays, runs x arms."""
        noise = self.noise.ppf if hasattr(self.noise, "ppf") else self.noise
        keys = list(itertools.product(range(self.sequences), range(self.repetitions)))
        total, done = len(cells) * len(keys) * self.points[-1], 0

        def one(cell: _CellToPlay, sequence: int, repetition: int) -> tuple[Any, Any]:
            known = {
                "noise_bound": self.noise_bound,
                "seed": self.seed,
                "stream": sequence << 32 | repetition,
            }
            return _core.play(
                self.environment_of(sequence),
                lambda arms: cell.make(arms, **known),
                noise,
                self.noise_bound,
                self.delays,
                self.seed,
                sequence,
                repetition,
                self.points,
                self.stop.is_set,
            )

        for cell in cells:
            curves, counts = [], []
            with self._map(threads if cell.is_core else 1) as mapped:
                for recorded, count in mapped(lambda key, cell=cell: one(cell, *key), keys):
                    curves.append(recorded)
                    counts.append(count)
                    done += self.points[-1]
                    if report is not None:
                        report(done, total)
            shape = (self.sequences, self.repetitions, *curves[0].shape)
            yield numpy.array(curves).reshape(shape), numpy.array(counts)

    @contextmanager
    def _map(self, threads: int) -> Iterator[Callable[..., Iterator[Any]]]:
        if threads == 1:
            yield map
            return
        with ThreadPoolExecutor(threads) as pool:
            try:
                yield pool.map
            except BaseException:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise


def _environments(
    plan: _core.Plan,
    table: Mapping[str, Any],
    files: Mapping[str, bytes],
    losses_of: Any,
    make_own: Callable[[int], Any] | None,
) -> Callable[[int], Any]:
    """The function that makes the environment of each sequence for runs that are played one by one."""
    if make_own is not None:
        return make_own

    def environment_of(sequence: int) -> Any:
        if not isinstance(losses_of, list) or sequence == 0:
            return plan.environment(sequence)
        of_sequence = dict(files)  # as several threads do this
        _losses_in_file(losses_of[sequence], of_sequence)
        return _core.Plan(_core.Experiment.parse(to_toml(table), files=of_sequence)).environment(sequence)

    return environment_of


@dataclass
class _Simulation:
    """The arguments of simulate() that determine its results, except the seed."""

    environment: Any
    tables: list[_Sweep]  # the learners that an experiment file can describe
    own: list[_OwnSweep]  # those that are played run by run
    rounds: int
    repetitions: int
    sequences: int | None
    points: int | Sequence[int]
    noise: Any
    noise_bound: float
    losses: Any
    delay: Any
    plays: bool

    def play(self, seed: int, threads: int | None, progress: bool | None) -> Result:
        losses_of = _loss_tables(self.losses, self.rounds)
        sequences = self._sequences_of(losses_of)
        make_own = _own_environment(self.environment, sequences)
        delays = _delays(self.delay, self.rounds)
        with _names_of_arguments(), progress_bar("simulate", progress) as report:
            environment = self.environment
            if make_own is None and not isinstance(environment, (Mapping, str, os.PathLike)):
                environment = _core.graph_of(environment, "environment")
            table, files = self._description(seed, sequences, environment, losses_of, make_own)
            experiment = _core.Experiment.parse(to_toml(table), files=files)
            is_described = (  # by the experiment, except for learners of your own
                make_own is None and isinstance(self.noise, str) and not delays and not isinstance(losses_of, list)
            )
            parts, runs, counts = [], [], []
            if self.tables and is_described and not self.plays:
                result = _core.run_experiment(experiment, _threads(threads), progress=report)
                plan, cells, played = result.plan, list(result.plan.cells), []
                parts.append(result.columns)
                runs.append(_present(result.runs))
            else:
                plan, cells = _core.Plan(experiment), []
                least_outstanding = max(delays, default=0) + 1
                played = [_cell_of_core(cell, least_outstanding) for cell in plan.cells] if self.tables else []
            for each in (*self.tables, *self.own):
                each.require_arms(plan.arms)
            played += [cell for each in self.own for cell in each.cells()]
            needs_python = make_own is not None or not isinstance(self.noise, str)
            separate = _SeparateRuns(
                _environments(plan, table, files, losses_of, make_own),
                self.noise,
                self.noise_bound,
                delays,
                seed,
                plan.points,
                sequences,
                self.repetitions,
            )
            for cell, (curves, count) in zip(
                played, separate.play(played, 1 if needs_python else _threads(threads), report), strict=True
            ):
                cells.append(cell.columns)
                parts.append(_core.summarize(curves, plan.points))
                runs.append(curves.transpose(2, 0, 1, 3))
                counts.append(count)
        return Result._of(
            cells,
            {key: numpy.concatenate([part[key] for part in parts]) for key in parts[0]},
            len(plan.points),
            Experiment(experiment.toml, files)
            if is_described and not self.own
            else self._experiment_again(seed, files, environment, losses_of, delays),
            numpy.concatenate(runs),
            counts if self.plays else (),
        )

    def _sequences_of(self, losses_of: Any) -> int:
        """The number of sequences: as it was given, or as there are losses."""
        if not isinstance(losses_of, list):
            return 1 if self.sequences is None else self.sequences
        if self.sequences not in (None, len(losses_of)):
            raise ValueError(
                f"sequences: is {self.sequences}, expected {len(losses_of)}, the number of sequences of the losses"
            )
        return len(losses_of)

    def _description(
        self, seed: int, sequences: int, environment: Any, losses_of: Any, make_own: Callable[[int], Any] | None
    ) -> tuple[dict[str, Any], dict[str, bytes]]:
        """The tables of an experiment file for what such a file can describe, and the files that it names."""
        files: dict[str, bytes] = {}
        described: dict[str, Any] = {
            "horizon": self.rounds,
            "noise": self.noise if isinstance(self.noise, str) else "none",
            "noise_bound": self.noise_bound,
        }
        if make_own is not None:
            # The core checks the parameters and expands the sweeps; any graph of that size will do for this.
            described["graph"] = {"family": "empty", "arms": _arms_of(make_own(0))}
        else:
            described["graph"] = _graph_table(environment, files)
            first = losses_of[0] if isinstance(losses_of, list) else losses_of
            described["losses"] = _losses_in_file(first, files)
        table = {
            "seed": seed,
            "repetitions": self.repetitions,
            "sequences": sequences,
            "points": self.points,
            # An experiment must have a learner. If all are played run by run, it has `uniform`, which is not played.
            "learners": [each.table for each in self.tables] or [{"learner": "uniform"}],
            "environment": described,
        }
        return table, files

    def _experiment_again(
        self, seed: int, files: Mapping[str, bytes], environment: Any, losses: Any, delays: list[int]
    ) -> Experiment:
        """An Experiment for what no file can describe. It has copies of the arguments, so that later changes by the caller
        have no effect."""
        in_python = []
        if callable(environment) or hasattr(environment, "next"):
            in_python.append("an environment in Python")
        if not isinstance(self.noise, str):
            in_python.append("noise in Python")
        in_python += [f"the learner {each.label!r} in Python" for each in self.own if not each.is_core]
        parts = in_python + (["losses of several sequences"] if isinstance(losses, list) else [])
        parts += ["late feedback"] if delays else []
        parts += [f"the learner {each.label!r} with parameters that only Learner() has" for each in self.own if each.is_core]
        if in_python:
            return Experiment("", files, parts)
        again = replace(
            self,
            environment=dict(environment) if isinstance(environment, Mapping) else environment,
            losses=losses if isinstance(losses, Mapping) else numpy.array(losses),
            delay=delays or 0,
            points=list(self.points) if isinstance(self.points, Iterable) else self.points,
        )

        def play(other_seed: int | None, threads: int | None, progress: bool | None) -> Result:
            return again.play(seed if other_seed is None else other_seed, threads, progress)

        return Experiment("", files, parts, play)


def _present(runs: numpy.ndarray[Any, Any] | None) -> numpy.ndarray[Any, Any]:
    assert runs is not None  # they are known unless results were found in a directory
    return runs


#: The places that the core names in the experiment of simulate(), as arguments of simulate().
_ARGUMENTS = {
    "horizon": "rounds",
    _LOSSES_FILE: "losses",
    _DENSE_GRAPH_FILE: "environment",
    _SPARSE_GRAPH_FILE: "environment",
}


@contextmanager
def _names_of_arguments() -> Iterator[None]:
    """Errors of the core at the arguments of simulate() rather than at the keys and files of the experiment."""
    try:
        yield
    except ValueError as error:
        argument = _ARGUMENTS.get(getattr(error, "place", ""))
        if argument is None:
            raise
        raise ValueError(f"{argument}: {error.message}") from None  # type: ignore[attr-defined]


def _threads(threads: int | None) -> int:
    if threads is None:
        # The cores that this process may use. Only Linux tells which; elsewhere all cores count.
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if not 1 <= threads <= _core.most_threads:
        raise ValueError(f"threads: is {threads}, expected 1 to {_core.most_threads}")
    return threads


def _sort(learners: Iterable[Any]) -> tuple[list[_Sweep], list[_OwnSweep]]:
    """The learners that an experiment file can describe, and those that are played run by run."""
    if isinstance(learners, (str, Mapping)):
        raise TypeError("learners: expected a list of them")
    core: list[_Sweep] = []
    own: list[_OwnSweep] = []
    for each in learners:
        if isinstance(each, str):
            core.append(_Sweep({"learner": each}))
        elif isinstance(each, Mapping) and _is_class_of_core(each.get("learner")):
            core.append(_Sweep({**each, "learner": each["learner"].learner}))
        elif isinstance(each, Mapping) and callable(each.get("learner")):
            own.append(_OwnSweep({"label": _name(each["learner"]), **each}, make=each["learner"]))
        elif isinstance(each, Mapping):
            core.append(_Sweep(dict(each)))
        elif _is_class_of_core(each):
            core.append(_Sweep({"learner": each.learner}))
        elif type(each) in (_core.Learner, *learner_classes.values()):
            if each.parameters == each.clone().parameters and _only_parameters_of_experiments(each):
                core.append(_Sweep(each.parameters, each.arms))
            else:
                own.append(_instance(each, type(each)))
        elif isinstance(each, _core.Learner):
            own.append(_instance(each, type(each)))
        elif callable(each) and each is not _core.Learner:
            own.append(_OwnSweep({"label": _name(each)}, make=each))
        else:
            raise TypeError(
                f"learners: {shown(each)}, expected a name, a dict, a learner, or a class of your own"
            )
    if not core and not own:
        raise ValueError("learners: is empty, expected at least one")
    seen: set[str] = set()
    for sweep in (*core, *own):
        if sweep.label in seen:
            raise ValueError(
                f"learners: {sweep.label!r} is the label of two learners, expected a label of its own for each:"
                " {'learner': ..., 'label': ...}"
            )
        seen.add(sweep.label)
    return core, own


def _is_class_of_core(given: Any) -> bool:
    return any(given is named for named in learner_classes.values())


def _only_parameters_of_experiments(learner: _core.Learner) -> bool:
    """Whether all other parameters are the defaults, so that an experiment can describe the learner."""
    defaults = next(arguments for name, _, _, arguments in _core.learner_catalogue() if name == learner.name)
    parameters = learner.get_params()
    others = (_core.learner_parameters().keys() - _core.parameter_columns().keys()) & parameters.keys()
    return all(parameters[key] == defaults[key] for key in others)


def _instance(learner: _core.Learner, make: type) -> _OwnSweep:
    """A sweep that makes learners like this one from its parameters; in each run the learner has the draws of the run."""
    parameters = learner.get_params()
    for key in ("arms", "seed", "stream"):
        parameters.pop(key, None)
    label = str(parameters.get("name", _name(make) if not _is_class_of_core(make) else learner.name))
    is_core = make is _core.Learner or _is_class_of_core(make)
    return _OwnSweep({"label": label, **parameters}, learner.arms, make, is_core)


def _name(make: Any) -> str:
    return str(getattr(make, "__name__", type(make).__name__))


def _own_environment(environment: Any, sequences: int) -> Callable[[int], Any] | None:
    """A function that makes the environment of a sequence, if it is written in Python."""
    if isinstance(environment, type) and hasattr(environment, "next"):
        raise TypeError(
            f"environment: is the class {environment.__name__}, expected an object of it, or a function that makes it"
            " from the number of the sequence"
        )
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


def _graph_table(graph: Any, files: dict[str, bytes]) -> dict[str, Any]:
    """The graph as a table of TOML. What is in memory becomes a file in memory, which has the same bits."""
    if isinstance(graph, Mapping):
        return dict(graph)
    if isinstance(graph, (str, os.PathLike)):
        return {"file": os.path.abspath(existing(graph))}
    graph = _core.graph_of(graph, "environment")
    name = _DENSE_GRAPH_FILE if graph.is_dense else _SPARSE_GRAPH_FILE
    files[name] = _core.graph_bytes(graph)
    return {"file": name}


def _loss_tables(losses: Any, rounds: int) -> Any:
    """A dict of TOML, an array of rounds x arms, or a list of those, one for each sequence."""
    if isinstance(losses, Mapping):
        return dict(losses)
    if isinstance(losses, str):
        return {"kind": losses}
    table = array("losses", losses)
    if table.ndim not in (2, 3) or table.dtype.kind not in "biuf":
        raise ValueError(
            f"losses: {table.ndim} dimensions of {table.dtype}, expected numbers, rounds x arms"
            " or sequences x rounds x arms"
        )
    if table.shape[-2] < rounds:
        raise ValueError(f"losses: are of {table.shape[-2]} rounds, expected at least {rounds} (rounds)")
    return list(table[:, : max(rounds, 0)]) if table.ndim == 3 else table[: max(rounds, 0)]


def _losses_in_file(losses: Any, files: dict[str, bytes]) -> dict[str, Any]:
    if isinstance(losses, Mapping):
        return dict(losses)
    buffer = io.BytesIO()
    numpy.save(buffer, numpy.array(losses, dtype=float, order="C"))
    files[_LOSSES_FILE] = buffer.getvalue()
    return {"kind": "file", "file": _LOSSES_FILE}


def _delays(delay: Any, rounds: int) -> list[int]:
    """The delay of the feedback of every round, in rounds; empty if no feedback is late."""
    if callable(delay):
        delay = [delay(round) for round in range(1, rounds + 1)]
    values = array("delay", delay)
    if values.dtype.kind not in "biuf" or not (numpy.abs(values) < 2**53).all():
        raise ValueError(f"delay: is {shown(delay)}, expected whole numbers of rounds, less than 2^53")
    if values.ndim == 0:
        values = numpy.full(rounds if values != 0 else 0, values)
    elif values.ndim != 1 or len(values) < rounds:
        raise ValueError(f"delay: has the shape {values.shape}, expected a number for each of {rounds} rounds")
    if values.dtype.kind not in "iu" and not (values == numpy.floor(values)).all():
        raise ValueError("delay: has a fraction, expected whole numbers of rounds")
    if len(values) and values.min() < 0:
        raise ValueError(f"delay: is {values.min()}, expected at least 0")
    return [int(each) for each in values[:rounds]] if values.any() else []
