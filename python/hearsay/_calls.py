"""Explains calls whose arguments have wrong types: those of the core's functions, and those of the package's own."""

from __future__ import annotations

import datetime
import difflib
import functools
import inspect
import operator
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import numpy

Check = Callable[[Any], bool]
Target = TypeVar("Target")

#: What a wrong argument can lead to. (KeyError is not among them: ``in`` and ``get()`` of a Mapping rely on it.)
_ERRORS = (TypeError, ValueError, AttributeError, IndexError, OverflowError)


def _is_count(value: Any) -> bool:
    try:
        return 0 <= operator.index(value) < 2**64  # as the core has them
    except TypeError:
        return False


def _is_real(value: Any) -> bool:
    if isinstance(value, (str, bytes, bytearray)):
        return False
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _is_decision(value: Any) -> bool:
    from hearsay._core import Decision

    return isinstance(value, Decision)


def _is_choice(value: Any) -> bool:
    from hearsay.problem import Choice

    return isinstance(value, Choice) or _is_count(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, (bool, numpy.bool_))


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, bytes, os.PathLike))


def _is_list(value: Any) -> bool:
    is_one = isinstance(value, (str, bytes, Mapping)) or getattr(value, "ndim", 1) == 0
    return isinstance(value, Iterable) and not is_one


def _list_of(check: Check) -> Check:
    return lambda value: _is_list(value) and all(check(each) for each in value)


def _is_any(value: Any) -> bool:
    return True


def _or(*checks: Check) -> Check:
    return lambda value: any(check(value) for check in checks)


def _is_none(value: Any) -> bool:
    return value is None


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or hasattr(value, "columns")


def _is_dict_of_numbers(value: Any) -> bool:
    return hasattr(value, "items") and all(each is None or _is_real(each) for _, each in value.items())


def _is_outcome(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, (tuple, list)) and len(value) == 3 and _is_text(value[0]) and all(map(_is_real, value[1:]))
    )


_COUNT = (_is_count, "a whole number, at least 0 and of at most 64 bits")
_COUNT_OR_NONE = (_or(_is_none, _is_count), "a whole number, at least 0 and of at most 64 bits, or None")
_THREADS_OR_NONE = (_or(_is_none, _is_count), "a whole number, at least 1, or None")
_FLAG = (_is_flag, "True or False")
_REAL = (_is_real, "a number")
_REAL_OR_NONE = (_or(_is_none, _is_real), "a number or None")
_TEXT = (_is_text, "a text")
_PATH = (_is_path, "a path")
_PATH_OR_NONE = (_or(_is_none, _is_path), "a path or None")
_CURVE = (_is_text, "the name of a curve, as curves() has it")
_READINGS = (_or(_is_none, _is_dict_of_numbers), "a dict {name: number}, with None where there is no reading")

#: What the arguments must be, by their names, or by "function.name" where a name means something else in that function.
_EXPECTED: dict[str, tuple[Check, str]] = {
    "append": _FLAG,
    "arm": (_is_count, "the number of an arm, from 0 on"),
    "arms": _COUNT,
    "at_least": _REAL,
    "available": (_or(_is_none, _list_of(lambda value: isinstance(value, Hashable))), "a list of names or None"),
    "ax": (_or(_is_none, lambda value: hasattr(value, "plot")), "axes of matplotlib or None"),
    "band": (_or(_is_none, _is_text), "'sd', 'se', 'ci' or None"),
    "bins": _COUNT,
    "bootstrap": _COUNT,
    "by": (_is_text, "'arc', 'group' or 'distance'"),
    "calibrate.noise_bound": (_or(_is_none, _is_real, _list_of(_is_real)), "a number, several or None"),
    "calibrate.outcome": (_is_text, "'loss' or 'reward'"),
    "Calibration.played": (lambda value: isinstance(value, Hashable), "the name of an arm, or its number"),
    "Calibration.readings": (_is_dict_of_numbers, "a dict {arm: number}"),
    "certificate": _FLAG,
    "choice": (_is_choice, "what choose() returned, or its id"),
    "column": (_is_text, "the name of a column"),
    "compare.column": (_is_text, "'regret' or 'loss'"),
    "compare.round": _COUNT_OR_NONE,
    "confidence": _REAL,
    "copy": _FLAG,
    "count": _COUNT,
    "decision": (_is_decision, "a Decision, as choose() and adopt() return it"),
    "deep": _FLAG,
    "delay": (_or(callable, _is_real, _list_of(_is_real)), "a number of rounds, one for each round, or a function"),
    "directory": _PATH,
    "effective_independence.noise_bound": _REAL_OR_NONE,
    "evaluate.learner": (
        _or(_is_none, _is_text, lambda value: isinstance(value, Mapping)),
        "the name of a learner, a dict of its name and parameters, or None",
    ),
    "evaluate.log": (
        _or(_is_path, _list_of(lambda value: isinstance(value, Mapping))),
        "the path of a log, or its records as dicts",
    ),
    "evaluate.noise_bound": _REAL_OR_NONE,
    "evaluate.seed": _COUNT,
    "Evaluation.arm": (_is_text, "the name of an arm"),
    "experiment": (_or(_is_path, lambda value: isinstance(value, Mapping)), "the path of an experiment file, or a dict"),
    "family": (_is_text, "the name of a graph family"),
    "first": _CURVE,
    "force": _FLAG,
    "kernel": (_is_text, "the name of a kernel"),
    "learner": (_is_text, "the name of a learner"),
    "learners": (_is_list, "a list of learners"),
    "log": _PATH_OR_NONE,
    "logged_probabilities": (_is_text, "'all' or 'played'"),
    "logs": _PATH_OR_NONE,
    "losses": (
        _or(_is_text, _is_list, lambda value: isinstance(value, Mapping)),
        "a kind of losses, a dict, or an array of rounds x arms",
    ),
    "make_graph.seed": _COUNT,
    "method": (_or(_is_none, _is_text), "the name of a method"),
    "missing_readings": (_is_text, "'refuse' or 'thin'"),
    "name": (_is_text, "the name of a learner"),
    "names": (_is_list, "a list of names, a networkx graph or a DataFrame"),
    "noise": (
        _or(_is_text, callable, lambda value: hasattr(value, "ppf")),
        "the name of a law, a distribution of scipy.stats, or a function",
    ),
    "noise_bound": _REAL,
    "nulls": (_is_text, "'incomplete' or 'complete'"),
    "out": _PATH_OR_NONE,
    "out_of_range": (_is_text, "'refuse' or 'clip'"),
    "outcome": (_is_outcome, '("reward", low, high) or ("loss", low, high)'),
    "overrides": (_or(_is_none, lambda value: isinstance(value, Mapping)), "a dict of values by dotted keys, or None"),
    "pairs": (_or(_is_path, _is_table), "a DataFrame, a dict of columns or the path of a CSV file"),
    "path": _PATH,
    "play": (_is_text, "'rejection' or 'estimates'"),
    "played": (_is_count, "the number of an arm, from 0 on"),
    "plays": _FLAG,
    "points": (_or(_is_count, _list_of(_is_count)), "a whole number, or a list of the rounds to record"),
    "probabilities": (_list_of(_is_real), "a number for each arm"),
    "probability": _REAL,
    "Problem.noise_bound": (_or(_is_none, _is_real, lambda value: isinstance(value, str) and value == "learned"), "a number, 'learned' or None"),
    "Problem.tell.observations": _READINGS,
    "Problem.tell.outcome": _REAL,
    "Problem.tell.readings": _READINGS,
    "progress": (_or(_is_none, _is_flag), "True, False or None"),
    "quantile": _REAL,
    "range": (_list_of(_is_real), "the smallest and the largest outcome"),
    "read_graph.arms": _COUNT_OR_NONE,
    "reading": _REAL,
    "repetitions": _COUNT,
    "resume": _FLAG,
    "round": _COUNT,
    "rounds": _COUNT,
    "rows": (_is_list, "an array that says True or False for each row"),
    "run.threads": _THREADS_OR_NONE,
    "second": _CURVE,
    "seed": _COUNT_OR_NONE,
    "seen": (_is_count, "the number of an arm, from 0 on"),
    "segment": (_is_text, "the name of a segment"),
    "sequences": _COUNT_OR_NONE,
    "side_observations": (_is_text, "'auto', 'required' or 'ignored'"),
    "simulate.threads": _THREADS_OR_NONE,
    "state": (lambda value: isinstance(value, bytes), "the bytes that save() returned"),
    "stream": _COUNT,
    "symmetry": (_is_text, "'max', 'min' or 'mean'"),
    "threads": (_is_count, "a whole number, at least 1"),
    "threshold": _REAL,
    "time": (_or(_is_none, _is_text, lambda value: isinstance(value, datetime.datetime)), "a text or a datetime"),
    "time_limit": (_or(_is_none, _is_real), "a number of seconds"),
    "tiny": _REAL,
    "title": (_or(_is_none, _is_text), "a text or None"),
}


def shown(value: Any) -> str:
    """A value as messages show it: on one line that is not too long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


def no_such(what: str, given: Any, known: Iterable[Any]) -> str:
    """A message about a name that is not known, with the nearest that is."""
    names = {str(each): each for each in known}
    near = difflib.get_close_matches(str(given), names, 1, 0.5)
    some = ", ".join(repr(each) for each in list(names.values())[:10]) + (", ..." if len(names) > 10 else "")
    expected = repr(names[near[0]]) if near else f"one of {some}" if names else "none"
    return f"there is no {what} {shown(given)}, expected {expected}"


def real(name: str, value: Any) -> float:
    """The value as a number. A text is refused, even if float() would accept it."""
    if not _is_real(value):
        raise TypeError(f"{name}: is {shown(value)}, expected a number")
    return float(value)


def text(name: str, value: Any) -> str:
    """The value as a text that the core can take: one with half of a surrogate pair has no UTF-8."""
    made = str(value)
    if made.isascii():
        return made
    try:
        made.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: is {shown(value)}, expected a text that UTF-8 can hold") from None
    return made


def name(what: str, value: Any) -> str:
    """The value as the name of something: a text, or what can be a node of a graph, as its text.

    Bytes, lists and arrays are refused, and so are missing values (None, NaN, pandas.NA), which a column of a DataFrame
    may have.
    """
    if isinstance(value, bytes) or not isinstance(value, Hashable):
        raise TypeError(f"{what}: is {shown(value)}, expected a name")
    differs = value != value  # True for NaN; for pandas.NA neither True nor False
    if value is None or not isinstance(differs, (bool, numpy.bool_)) or differs:
        raise ValueError(f"{what}: is {value}, expected a name")
    return text(what, value)


def plain(value: Any) -> Any:
    """A number of numpy as one of Python, for json.dumps()."""
    if isinstance(value, numpy.generic):
        return value.item()
    raise TypeError(f"{shown(value)} is of type {type(value).__name__}, expected a number, a text, True or False")


def unknown_argument(function: str, keyword: str, known: Iterable[str]) -> TypeError:
    """The error for a keyword that is not an argument, with the nearest that is."""
    names = list(known)
    near = difflib.get_close_matches(keyword, names, 1, 0.5)
    expected = f"expected {near[0]!r}" if near else f"expected one of {', '.join(names) or 'none'}"
    return TypeError(f"{function}: {keyword!r} is not an argument, {expected}")


def array(name: str, value: Any) -> numpy.ndarray[Any, Any]:
    """The value as an array of numpy."""
    try:
        return numpy.asarray(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: is {shown(value)}, expected an array, with rows of equal length") from None


def _wrong_argument(
    function: str, signature: inspect.Signature, arguments: Mapping[str, Any]
) -> str | None:
    """A message about the first argument that is not what the table says."""
    of_class, method = function.partition(".")[0], function.rpartition(".")[2]
    for name, value in arguments.items():
        keys = (f"{function}.{name}", f"{method}.{name}", f"{of_class}.{name}", name)
        fits, expected = next((_EXPECTED[key] for key in keys if key in _EXPECTED), (_is_any, ""))
        if value is not signature.parameters[name].default and not fits(value):
            return f"{name}: is {shown(value)}, expected {expected}"
    return None


def explain(function: str, text: str, given: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Raises TypeError if the arguments of a call of the core do not fit its signature, or are not what the table says.

    ``text`` is the ``__text_signature__`` of the function.
    """
    text = text.replace("$", "")
    names: dict[str, Any] = {}
    exec(f"def signature{text}: ...", names)
    signature = inspect.signature(names["signature"])
    for keyword in keywords:
        if keyword not in signature.parameters:
            raise unknown_argument(function, keyword, (name for name in signature.parameters if name != "self"))
    try:
        arguments = signature.bind(*given, **keywords).arguments
    except TypeError as error:
        raise TypeError(f"{function}: {error}, expected {function}{text}") from None
    if message := _wrong_argument(function, signature, arguments):
        raise TypeError(message)


def refuse(function: str, text: str, given: Sequence[Any], keywords: Mapping[str, Any]) -> NoReturn:
    """Raises TypeError for a call that fits no signature of the core."""
    explain(function, text, given, keywords)
    raise TypeError(f"{function}: the arguments do not have the types of {function}{text.replace('$', '')}")


def _explaining(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*given: Any, **keywords: Any) -> Any:
        try:
            return function(*given, **keywords)
        except _ERRORS as error:
            try:
                arguments = signature.bind(*given, **keywords).arguments
            except TypeError:
                raise error from None  # Python has said which argument is missing
            message = _wrong_argument(name, signature, arguments)
            if message is None:
                raise
            explanation = (ValueError if isinstance(error, ValueError) else TypeError)(message)
        raise explanation from None

    return call


def explained(target: Target) -> Target:
    """Makes a function, or the public methods of a class, say which argument has a wrong type.

    The arguments are checked only after a call has failed, so a correct call costs hardly more.
    """
    if inspect.isfunction(target):
        explaining: Any = _explaining(target.__name__, target)
        return explaining  # type: ignore[no-any-return]
    assert isinstance(target, type)
    for name, member in list(vars(target).items()):
        is_public = name in ("__init__", "__getitem__") or not name.startswith("_")
        title = target.__name__ if name.startswith("_") else f"{target.__name__}.{name}"
        if not is_public:
            continue
        if inspect.isfunction(member):
            setattr(target, name, _explaining(title, member))
        elif isinstance(member, classmethod):
            setattr(target, name, classmethod(_explaining(title, member.__func__)))
        elif isinstance(member, property) and member.fset is not None:
            setattr(target, name, member.setter(_explaining(title, member.fset)))
    return target  # type: ignore[return-value]
