"""Converts Python dicts to the TOML of experiment files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from hearsay._calls import shown


def _value(value: Any, key: str) -> str:
    if hasattr(value, "tolist"):  # numpy arrays and numbers
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        # TOML has 64 bits. A larger number becomes a real one, which the core refuses by the name of its key.
        return repr(value) if -(2**63) <= value < 2**63 else "1e300"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {text}" for key, text in _items(value)) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_value(each, key) for each in value) + "]"
    raise TypeError(f"{key}: has type {type(value).__name__}, expected a number, text, list or dict")


def _items(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if not isinstance(key, str):
            raise TypeError(f"a key is {shown(key)}, expected text")
        if value is not None:
            yield json.dumps(key, ensure_ascii=False), _value(value, key)


def to_toml(table: Mapping[str, Any]) -> str:
    """The table as TOML, without the keys whose value is None.

    >>> print(to_toml({"repetitions": 3, "environment": {"horizon": 5, "noise": None}}), end="")
    "repetitions" = 3
    "environment" = {"horizon" = 5}
    """
    return "".join(f"{key} = {text}\n" for key, text in _items(table))


def to_assignments(values: Mapping[str, Any]) -> list[str]:
    """Values by dotted keys, as the command's ``--set`` takes them.

    >>> to_assignments({"environment.horizon": 5, "learners.exp3.rate": ["adaptive", 0.1]})
    ['environment.horizon=5', 'learners.exp3.rate=["adaptive", 0.1]']
    """
    return [f"{key}={_value(value, key)}" for key, value in values.items()]
