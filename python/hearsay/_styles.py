"""What a curve looks like: the colour, the mark and the dashes of its learner, the same as in the report."""

from __future__ import annotations

import functools
import importlib.resources
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

# Curves of one learner beyond the dashes differ in how their marks are filled.
_FILLS = ("none", "full", "left", "right", "top", "bottom")
# More curves of one learner than this are a sweep: along it the colour of the learner goes from dark to light.
_MOST_ALIKE = 3
_DARKEST, _LIGHTEST = 0.45, 0.5  # how far towards black at its beginning, and towards white at its end
_LINE_WIDTH = 1.75  # of a curve of the report; matplotlib's dashes are in widths of the line


@functools.cache
def _table() -> dict[str, Any]:
    """The file from which the page of the report has its styles."""
    text = importlib.resources.files("hearsay").joinpath("styles.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def _slot(learner: str) -> int:
    table = _table()
    if learner in table["learners"]:
        return int(table["learners"].index(learner))
    place = 0  # of a learner of the user's own
    for letter in learner:
        place = (place * 31 + ord(letter)) % 1_000_003
    return place % (len(table["shapes"]) * len(table["light"]))


def _shade(colour: str, place: float) -> str:
    """The colour, darker for a place from 0 to 1/2 and lighter for one from 1/2 to 1."""
    towards, share = (0, _DARKEST * (1 - 2 * place)) if place < 0.5 else (255, _LIGHTEST * (2 * place - 1))
    parts = [int(colour[first : first + 2], 16) for first in (1, 3, 5)]
    return "#" + "".join(f"{round(part + share * (towards - part)):02x}" for part in parts)


class Styles:
    """Gives each curve of a figure its style: curves of the same learner differ in their dashes, and if there are many, also
    in the lightness of their colour.

    ``learners``: that of each curve.
    """

    def __init__(self, learners: Iterable[str]) -> None:
        self._variants: dict[int, list[str]] = {}
        self._counts = Counter(_slot(learner) for learner in learners)

    def of(self, learner: str, name: str) -> dict[str, Any]:
        """Arguments of matplotlib's ``plot`` for the curve of this name."""
        table = _table()
        slot = _slot(learner)
        variants = self._variants.setdefault(slot, [])
        # "exp3-wix sharp" is a variant of exp3-wix, also where that is missing.
        for each in [learner, name] if name.startswith(f"{learner} ") else [name]:
            if each not in variants:
                variants.append(each)
        variant = variants.index(name)
        dashes = table["dashes"][variant % len(table["dashes"])]
        colour = table["light"][slot % len(table["light"])]
        if (count := max(self._counts[slot], len(variants))) > _MOST_ALIKE:
            colour = _shade(colour, variant / (count - 1))
        return {
            "color": colour,
            "marker": table["shapes"][slot % len(table["shapes"])]["matplotlib"],
            "linestyle": (0, [length / _LINE_WIDTH for length in dashes]) if dashes else "-",
            "linewidth": _LINE_WIDTH,
            "fillstyle": _FILLS[variant // len(table["dashes"]) % len(_FILLS)],
        }
