"""Explains calls of the core's functions that do not fit their signatures."""

from __future__ import annotations

import difflib
import inspect
import numbers
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn


def _is_count(value: Any) -> bool:
    try:
        return operator.index(value) >= 0
    except TypeError:
        return False


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real)


def _is_decision(value: Any) -> bool:
    from hearsay._core import Decision

    return isinstance(value, Decision)


#: What the arguments of each name must be. A name means the same in every function.
_EXPECTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "arm": (_is_count, "the number of an arm, from 0 on"),
    "arms": (_is_count, "a whole number, at least 0"),
    "at_least": (_is_real, "a number"),
    "copy": (lambda value: isinstance(value, bool), "True or False"),
    "count": (_is_count, "a whole number, at least 0"),
    "decision": (_is_decision, "a Decision, as choose() and adopt() return it"),
    "kernel": (lambda value: isinstance(value, str), "the name of a kernel"),
    "name": (lambda value: isinstance(value, str), "the name of a learner"),
    "noise_bound": (_is_real, "a number"),
    "played": (_is_count, "the number of an arm, from 0 on"),
    "probability": (_is_real, "a number"),
    "round": (_is_count, "a whole number, at least 0"),
    "seed": (_is_count, "a whole number, at least 0"),
    "seen": (_is_count, "the number of an arm, from 0 on"),
    "state": (lambda value: isinstance(value, bytes), "the bytes that save() returned"),
    "stream": (_is_count, "a whole number, at least 0"),
    "symmetry": (lambda value: isinstance(value, str), "'max', 'min' or 'mean'"),
    "threads": (_is_count, "a whole number, at least 1"),
    "threshold": (_is_real, "a number"),
    "time_limit": (_is_real, "a number of seconds"),
}


def refuse(function: str, text: str, given: Sequence[Any], keywords: Mapping[str, Any]) -> NoReturn:
    """Raises TypeError for a call that the core has not taken.

    ``text`` is the ``__text_signature__`` of the function.
    """
    text = text.replace("$", "")
    names: dict[str, Any] = {}
    exec(f"def signature{text}: ...", names)
    signature = inspect.signature(names["signature"])
    for keyword in keywords:
        if keyword not in signature.parameters:
            near = difflib.get_close_matches(keyword, signature.parameters, 1, 0.5)
            known = [name for name in signature.parameters if name != "self"]
            expected = f"expected {near[0]!r}" if near else f"expected one of {', '.join(known) or 'none'}"
            raise TypeError(f"{function}: {keyword!r} is not an argument, {expected}")
    try:
        arguments = signature.bind(*given, **keywords).arguments
    except TypeError as error:
        raise TypeError(f"{function}: {error}, expected {function}{text}") from None
    for name, value in arguments.items():
        fits, expected = _EXPECTED.get(name, (lambda value: True, ""))
        if value is not signature.parameters[name].default and not fits(value):
            raise TypeError(f"{function}: {name} is {value!r}, expected {expected}")
    raise TypeError(f"{function}: the arguments do not have the types of {function}{text}")
