"""Problems in the user's terms: arms by name, outcomes in their own units, readings of other arms.

docs/your-data.md is the guide. Weights are always (played, seen): in a matrix or a DataFrame, row = played.
"""

from __future__ import annotations

import datetime
import inspect
import itertools
import json
import math
import operator
import os
import secrets
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy
from numpy.typing import NDArray

from hearsay import _calls, _core
from hearsay._calls import explained, shown
from hearsay.graphs import existing

_owners = itertools.count(secrets.randbits(32) << 16 | 1)


@dataclass(frozen=True)
class Choice:
    """An arm that a Problem drew: its ``name``, its ``probability`` at the draw, and the ``id`` of the decision.

    ``arm`` is the number of the arm: its place among the names.
    """

    id: int
    name: str
    arm: int
    probability: float
    _owner: int = field(default=0, repr=False, compare=False)


def _is_networkx(value: Any) -> bool:
    return hasattr(value, "nodes") and hasattr(value, "edges")


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and hasattr(value, "index") and hasattr(value, "loc")


def _names_of(names: Any) -> list[str]:
    if isinstance(names, (str, bytes)):
        raise TypeError(f"names: is {shown(names)}, expected a list of names, a networkx graph or a DataFrame")
    if _is_networkx(names):
        names = names.nodes
    elif _is_frame(names):
        names = names.index
    return [_calls.name(f"names: name {place}", name) for place, name in enumerate(names)]


def _arc(played: Any, seen: Any, weight: Any) -> list[Any]:
    try:
        number = math.nan if isinstance(weight, (str, bytes)) else float(weight)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= 1:
        raise ValueError(
            f"graph: the weight of the arc from {str(played)!r} to {str(seen)!r} is {shown(weight)},"
            " expected a number in [0, 1]"
        )
    return [_calls.name("graph: the arm played", played), _calls.name("graph: the arm seen", seen), number]


def _between_arms(arcs: Iterable[list[Any]]) -> list[list[Any]]:
    """The arcs without those of an arm to itself, which have weight 1: an arm always shows its own outcome."""
    between = []
    for played, seen, weight in arcs:
        if played != seen:
            between.append([played, seen, weight])
        elif abs(weight - 1) > 1e-6:  # as Graph() takes a diagonal
            raise ValueError(
                f"graph: the weight of {played!r} for itself is {weight}, expected 1: the outcome of the arm played is"
                " known exactly"
            )
    return between


def _arcs_of(graph: Any, names: list[str]) -> list[list[Any]] | None:
    """Arcs by name: of a networkx graph, a dict {played: {seen: weight}} or a list of (played, seen, weight)."""
    if _is_networkx(graph):
        arcs = _between_arms(_arc(*edge) for edge in graph.edges(data="weight", default=1.0))
        return arcs if graph.is_directed() else arcs + [[b, a, weight] for a, b, weight in arcs]
    if isinstance(graph, Mapping):
        known = set(names)
        for played, row in graph.items():
            if not hasattr(row, "items"):
                raise TypeError(f"graph: has {shown(row)} for {played!r}, expected a dict {{seen: weight}}")
            if str(played) not in known:  # also if it shows none
                raise ValueError(f"graph: {_calls.no_such('arm', str(played), names)}")
        return _between_arms(_arc(a, b, weight) for a, row in graph.items() for b, weight in row.items())
    if isinstance(graph, (list, tuple)) and _is_list_of_arcs(graph, names):
        for arc in graph:
            if len(arc) != 3:
                raise ValueError(f"graph: has the arc {shown(arc)}, expected (played, seen, weight)")
        return _between_arms(_arc(*arc) for arc in graph)
    return None


def _is_list_of_arcs(graph: Sequence[Any], names: list[str]) -> bool:
    """Whether a list has arcs by name, and not the rows of a matrix. Names may be numbers."""
    if not all(isinstance(arc, (list, tuple)) and arc for arc in graph):
        return False
    if all(isinstance(arc[0], str) for arc in graph):
        return True
    may_be_matrix = len(graph) == len(names) == 3 and all(
        isinstance(weight, (int, float, numpy.number)) and 0 <= weight <= 1 for row in graph for weight in row
    )
    known = set(names)
    return (
        not may_be_matrix
        and all(len(arc) == 3 for arc in graph)
        and any(isinstance(arc[0], Hashable) and str(arc[0]) in known for arc in graph)
    )


def _frame_weights(frame: Any, names: list[str]) -> NDArray[numpy.float64]:
    played = [str(name) for name in frame.index]
    seen = [str(name) for name in frame.columns]
    for axis, given in (("index", played), ("columns", seen)):
        if sorted(given) != sorted(names):
            raise ValueError(f"graph: the {axis} of the DataFrame is not the names of the arms, expected each once")
    rows = [played.index(name) for name in names]
    columns = [seen.index(name) for name in names]
    return numpy.asarray(frame.to_numpy(), dtype=numpy.float64)[numpy.ix_(rows, columns)]


def _graph_of(graph: Any, names: list[str]) -> _core.Graph:
    """A Graph from an array, a sparse matrix, a DataFrame, or the path of a file."""
    if isinstance(graph, (str, os.PathLike)):
        return _core.read_graph(existing(graph), None, names)
    if _is_frame(graph):
        graph = _frame_weights(graph, names)
    if not isinstance(graph, _core.Graph):
        return _core.graph_of(graph, "graph", names)
    return graph if graph.names is None else _in_order_of(names, graph)


def _in_order_of(names: list[str], graph: _core.Graph) -> _core.Graph:
    """A graph with names, which may be in another order than those of the problem."""
    given = [str(name) for name in graph.names or ()]
    if given == names:
        return graph
    if sorted(given) != sorted(names):
        unknown = next((name for name in given if name not in names), None)
        missing = next((name for name in names if name not in given), None)
        what = f"has the arm {unknown!r}" if unknown is not None else f"has no arm {missing!r}"
        raise ValueError(f"graph: {what}, expected the names of the arms, each once")
    arms = {name: arm for arm, name in enumerate(names)}
    arcs = [(arms[given[i]], arms[given[j]], weight) for i, j, weight in zip(*graph.to_arcs()) if i != j]
    return _core.Graph.from_arcs(arcs, arms=len(names))


def _outcome_of(outcome: Any, out_of_range: str) -> dict[str, Any]:
    if isinstance(outcome, Mapping):
        described = {"out_of_range": out_of_range, **outcome}
    elif isinstance(outcome, (tuple, list)) and len(outcome) == 3:
        described = {**dict(zip(("kind", "low", "high"), outcome)), "out_of_range": out_of_range}
    else:
        raise ValueError(f'outcome: is {shown(outcome)}, expected ("reward", low, high) or ("loss", low, high)')
    for end in ("low", "high"):
        value = _calls.real(f"outcome: {end}", described.get(end, 0))
        if not math.isfinite(value):
            raise ValueError(f"outcome: {end} is {value}, expected a finite number")
    return described


def _finite(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that have a value. JSON, in which the core gets them, has no words for NaN and infinity."""
    given = {}
    for key, value in parameters.items():
        value = value.item() if isinstance(value, numpy.generic) else value
        expected = _core.expected_parameters()[key]
        if not isinstance(value, (str, bool, int, float, type(None))):
            raise TypeError(f"{key}: is of type {type(value).__name__}, expected {expected}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{key}: is {value}, expected {expected}")
        if value is not None:
            given[key] = value
    return given


def _describe(
    names: Any,
    outcome: Any,
    graph: Any,
    learner: str,
    noise_bound: float | str | None,
    out_of_range: str,
    missing_readings: str,
    logged_probabilities: str,
    seed: int | None,
    parameters: Mapping[str, Any],
) -> tuple[str, _core.Graph | None]:
    """The problem as JSON, and its graph if it is not in there."""
    known = _core.learner_parameters()
    for key in parameters:
        if key not in known:
            arguments = [name for name in inspect.signature(Problem).parameters if name != "parameters"]
            raise _calls.unknown_argument("Problem", key, [*arguments, *known])
    if graph is None and (_is_networkx(names) or _is_frame(names)):
        graph = names
    listed = _names_of(names)
    problem: dict[str, Any] = {
        "names": listed,
        "outcome": _outcome_of(outcome, out_of_range),
        "missing_readings": missing_readings,
        "logged_probabilities": logged_probabilities,
        "seed": secrets.randbits(48) if seed is None else operator.index(seed),
        "learner": _finite(parameters),
    }
    if learner:
        problem["learner"]["name"] = learner if not isinstance(learner, str) else _calls.text("learner", learner)
    problem |= _finite({"noise_bound": noise_bound})
    arcs = None if graph is None else _arcs_of(graph, listed)
    if arcs is not None:
        problem["graph"] = {"arcs": arcs}
    made = _graph_of(graph, listed) if graph is not None and arcs is None else None
    return json.dumps(problem, default=_calls.plain), made


@explained
class Problem:
    """A recurring decision: arms by name, outcomes in their own units, and how well playing one arm shows another.

    names: of the arms: a list of texts, a networkx graph (its nodes) or a DataFrame (its index).
    outcome: ("reward", low, high) or ("loss", low, high): what an arm earns or costs, and its range.
    graph: how well playing one arm shows another, as weights in [0, 1]: a list of (played, seen, weight) by name, a dict
        {played: {seen: weight}}, a networkx graph, a DataFrame (index: played, columns: seen), anything that Graph()
        takes, or the path of a graph file, whose arms are names or have the order of ``names``. Without it, an arm shows
        only its own outcome.
    learner: as ``hearsay list`` shows it; without one: exp3-ivc with tuning "ada", which has nothing to set.
        ``parameters`` are the learner's, as in Learner().
    noise_bound: the noise of readings is at most this; None or "learned": the default learner learns its level.
    out_of_range: "refuse" outcomes that are out of range, or "clip" them.
    missing_readings: "refuse" feedback that lacks a reading of an arm that is shown, or "thin": leave the arcs into that
        arm out of the round's graph (docs/your-data.md says when the estimates stay unbiased).
    log: the path of a new log; every decision and all feedback is appended to it. Problem.from_log() continues one.
    logged_probabilities: those of "all" arms, or only that of the arm "played".
    seed: determines all draws; None: a new one every time.

    >>> problem = Problem(["red", "green"], ("reward", 0, 100), [("red", "green", 0.5), ("green", "red", 0.5)])
    >>> choice = problem.choose()
    >>> choice.name, choice.probability, choice.id
    ('red', 0.5, 1)
    >>> problem.tell(choice, 42, readings={"green": 37})      # "green" would have earned about 37
    >>> problem
    <hearsay Problem of 2 arms, reward from 0 to 100, exp3-ivc: 1 round with feedback>
    """

    __slots__ = ("_problem", "_owner", "_any_owner_through", "_warned", "_logs", "_outcome")

    def __init__(
        self,
        names: Any,
        outcome: Any = ("reward", 0, 1),
        graph: Any = None,
        *,
        learner: str = "",
        noise_bound: float | Literal["learned"] | None = None,
        out_of_range: str = "refuse",
        missing_readings: str = "refuse",
        log: str | os.PathLike[str] | None = None,
        logged_probabilities: str = "all",
        seed: int | None = 1,
        **parameters: Any,
    ) -> None:
        described, made = _describe(
            names,
            outcome,
            graph,
            learner,
            noise_bound,
            out_of_range,
            missing_readings,
            logged_probabilities,
            seed,
            parameters,
        )
        self._set(_core.ProblemCore(described, made, os.fspath(log) if log is not None else ""), log is not None)

    def _set(self, core: _core.ProblemCore, logs: bool) -> None:
        self._problem = core
        self._owner = next(_owners)
        # Decisions that were made before the problem was restored may have any owner.
        self._any_owner_through = core.counts()["decisions"]
        self._warned = core.counts()["beyond_noise_bound"] > 0
        self._logs = logs
        self._outcome = json.loads(core.to_json())["outcome"]

    @classmethod
    def _of(cls, core: _core.ProblemCore, logs: bool = False) -> Problem:
        problem = cls.__new__(cls)
        problem._set(core, logs)
        return problem

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, log: str | os.PathLike[str] | None = None) -> Problem:
        """Reads a problem from a .toml or .json file, as to_toml() and to_json() write it.

        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "problem.toml")
        ...     _ = path.write_text(Problem(["a", "b"]).to_toml())
        ...     Problem.from_file(path).names
        ['a', 'b']
        """
        described = _core.read_problem(existing(path))
        return cls._of(_core.ProblemCore(described, None, os.fspath(log) if log is not None else ""), log is not None)

    @classmethod
    def from_log(cls, path: str | os.PathLike[str], *, append: bool = True) -> Problem:
        """Restores a problem by repeating all decisions of its log. It continues with the same bits.

        With ``append``, further decisions and feedback are appended to the log. A last line that a crash cut short is
        ignored; any other wrong line raises ValueError with its number.
        """
        return cls._of(_core.ProblemCore.restore_from_log(existing(path), append), append)

    @classmethod
    def restore(cls, state: bytes) -> Problem:
        """A problem without a log that continues, with the same bits, from where save() returned ``state``."""
        return cls._of(_core.ProblemCore.restore(state))

    def save(self) -> bytes:
        """The whole state, for restore().

        >>> problem = Problem(["a", "b"])
        >>> first = problem.choose()
        >>> Problem.restore(problem.save()).tell(first, 1)
        """
        return self._problem.save()

    def __reduce__(self) -> Any:
        return Problem.restore, (self.save(),)

    @property
    def names(self) -> list[str]:
        """The names of the arms, in their order."""
        return self._problem.names()

    @property
    def graph(self) -> _core.Graph:
        """The present graph. It can be set to anything that the constructor takes; later decisions then use it.

        None: an arm shows only its own outcome.
        """
        return self._problem.graph()

    @graph.setter
    def graph(self, graph: Any) -> None:
        arcs = _arcs_of([] if graph is None else graph, self.names)
        if arcs is not None:
            described = json.dumps({"names": self.names, "graph": {"arcs": arcs}})
            graph = _core.ProblemCore(described, None, "").graph()
        self._problem.set_graph(_graph_of(graph, self.names))

    @property
    def probabilities(self) -> dict[str, float]:
        """The probabilities of the next draw, by name; empty if the learner does not randomize."""
        return dict(zip(self.names, self._problem.probabilities()))

    @property
    def certificate(self) -> _core.Certificate:
        """What theory guarantees for the rounds with feedback; the bounds are in the units of the outcome.

        The bounds end with the first round in which not all arms were available, or a reading of weight 1 was no
        outcome; those that need a noise bound also end with a reading beyond it. ``certificate.bounds`` says since when
        and why.
        """
        certificate = self._problem.certificate()
        if certificate is None:
            raise AttributeError(f"{self._problem.learner()} has no certificate")
        return certificate

    @property
    def counts(self) -> dict[str, int]:
        """Counts by name: decisions; rounds with feedback; outcomes clipped; rounds with missing readings (thinned); rounds
        in which not all arms were available (restricted); readings beyond the noise bound, which at weight 1 are those
        outside the range of outcomes.
        """
        return self._problem.counts()

    @property
    def outstanding(self) -> int:
        """The number of decisions whose feedback may still come."""
        return self._problem.outstanding()

    def choose(
        self, available: Iterable[str] | None = None, *, time: str | datetime.datetime | None = None
    ) -> Choice:
        """Draws an arm, among those that are ``available`` if they are given.

        ``time`` is written to the log, if there is one; by default it is the present time.

        >>> Problem(["a", "b", "c"], seed=1).choose(available=["a", "c"]).probability
        0.5
        """
        if isinstance(available, (str, bytes)):
            raise TypeError(f"available: is {shown(available)}, expected a list of names or None")
        some = None if available is None else [_calls.text("available", name) for name in available]
        if time is None and self._logs:
            time = datetime.datetime.now(datetime.timezone.utc)
        if isinstance(time, datetime.datetime):
            time = time.isoformat()
        if isinstance(time, str):
            time = _calls.text("time", time)
        return Choice(*self._problem.choose(some, time or ""), self._owner)

    def _id_of(self, choice: Choice | int) -> int:
        if not isinstance(choice, Choice):
            return operator.index(choice)
        if choice._owner not in (0, self._owner) and choice.id > self._any_owner_through:
            raise ValueError(f"decision {choice.id} was made by another problem, expected one that this problem made")
        return choice.id

    def tell(
        self,
        choice: Choice | int,
        outcome: float,
        readings: Mapping[str, float | None] | None = None,
        *,
        observations: Mapping[str, float | None] | None = None,
    ) -> None:
        """Gives the feedback of a decision: once, at any time, in any order.

        choice: what choose() returned, or its id.
        outcome: the outcome of the arm played.
        readings: {name: value}: noisy estimates of the outcomes of other arms, in the same units, one for every arm that
            the arm played shows. None or NaN: this arm could not be read in this round, whichever arm was played (with
            missing_readings="thin").
        observations: in place of readings, what the model calls observations: weight * loss + (1 - weight) * noise.

        What is refused (ValueError) changes nothing.
        """
        if readings is not None and observations is not None:
            raise TypeError("tell: readings and observations are both given, expected one of them at most")
        given = observations if observations is not None else readings
        values = {}
        for name, value in (given if given is not None else {}).items():
            number = None if value is None else _calls.real(f"the reading of {str(name)!r}", value)
            values[_calls.text("the name of a reading", name)] = None if number is None or math.isnan(number) else number
        beyond_noise_bound = self._problem.tell(
            self._id_of(choice), _calls.real("outcome", outcome), values, observations is not None
        )
        if beyond_noise_bound > 0 and not self._warned:
            self._warned = True
            warnings.warn(self._problem.noise_warning(), stacklevel=3)  # beyond the function that explains calls

    def forget(self, choice: Choice | int) -> None:
        """Says that a decision will have no feedback. It is no longer outstanding, and the learner learns nothing from it."""
        self._problem.forget(self._id_of(choice))

    def to_toml(self) -> str:
        """The description of the problem, for a file that from_file() reads; without what was learned."""
        return self._problem.to_toml()

    def to_json(self) -> str:
        """The same as JSON."""
        return self._problem.to_json()

    def __repr__(self) -> str:
        counts = self.counts
        outcome = self._outcome
        bound = self._problem.noise_bound()
        wrong = "of weight 1 out of range" if bound is None else f"beyond the noise bound {bound}"
        parts = [f"{_core.counted(counts['rounds'], 'round')} with feedback"]
        if self.outstanding:
            parts.append(f"{self.outstanding} outstanding")
        for key, what, how in (
            ("clipped", "outcome", "clipped"),
            ("thinned", "round", "with missing readings"),
            ("restricted", "round", "with some arms only"),
            ("beyond_noise_bound", "reading", wrong),
        ):
            if counts[key]:
                parts.append(f"{_core.counted(counts[key], what)} {how}")
        return (
            f"<hearsay Problem of {_core.counted(len(self.names), 'arm')}, "
            f"{outcome['kind']} from {outcome['low']:g} to {outcome['high']:g}, "
            f"{self._problem.learner()}: {', '.join(parts)}>"
        )


@explained
class Segments:
    """One Problem for each segment (a country, a kind of device), made when it is first used.

    The arguments are those of Problem, without ``log``. ``logs`` is a directory with a log for each segment. An existing
    log is continued; if it is of another problem, ValueError is raised. Every segment has its own draws, which depend on
    the seed and its name. Segments without logs can be pickled.

    >>> segments = Segments(["red", "green"], ("reward", 0, 100))
    >>> for country, revenue in [("de", 10), ("fr", 70), ("de", 20)]:
    ...     problem = segments[country]
    ...     problem.tell(problem.choose(), revenue)
    >>> [(name, problem.counts["rounds"]) for name, problem in segments.items()]
    [('de', 2), ('fr', 1)]
    """

    __slots__ = ("_described", "_logs", "_problems")

    def __init__(
        self,
        names: Any,
        outcome: Any = ("reward", 0, 1),
        graph: Any = None,
        *,
        logs: str | os.PathLike[str] | None = None,
        **keywords: Any,
    ) -> None:
        if "log" in keywords:
            raise TypeError("Segments: 'log' is not an argument, expected 'logs', the directory of a log for each segment")
        self._described = Problem(names, outcome, graph, **keywords).to_json()
        self._logs = os.fspath(logs) if logs is not None else None
        self._problems: dict[str, Problem] = {}
        if self._logs is not None:
            os.makedirs(self._logs, exist_ok=True)

    def __getitem__(self, segment: str) -> Problem:
        if not isinstance(segment, str):
            raise TypeError(f"segment: is {shown(segment)}, expected the name of a segment")
        if segment not in self._problems:
            described = _core.problem_of_segment(self._described, _calls.text("segment", segment))
            if self._logs is None:
                problem = Problem._of(_core.ProblemCore(described, None, ""))
            else:
                log = os.path.join(self._logs, _core.log_name_of_segment(segment))
                problem = Problem._of(_core.ProblemCore.continue_log(described, log), True)
            self._problems[segment] = problem
        return self._problems[segment]

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self._logs is not None:  # which two objects cannot both write
            raise TypeError(
                "Segments with logs cannot be copied or pickled, expected Segments() with the same arguments, which continue"
                " the logs"
            )
        return super().__reduce_ex__(max(protocol, 2))

    def __contains__(self, segment: object) -> bool:
        return segment in self._problems

    def __iter__(self) -> Iterator[str]:
        return iter(self._problems)

    def __len__(self) -> int:
        return len(self._problems)

    def items(self) -> list[tuple[str, Problem]]:
        """The segments used so far, with their problems."""
        return list(self._problems.items())

    def __repr__(self) -> str:
        return f"<hearsay Segments: {_core.counted(len(self), 'problem')}>"
