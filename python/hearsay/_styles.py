"""The styles of curves: the colour, the mark and the dashes of each learner, the same as in the report."""

from __future__ import annotations

import functools
import importlib.resources
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

# If a learner has more curves than there are dashes, their marks are filled differently.
_FILLS = ("none", "full", "left", "right", "top", "bottom")
_OUR_FILLS = ("full", "none", "left", "right", "top", "bottom")
# Line widths as in the report. matplotlib measures dashes in line widths.
_LINE_WIDTH, _OUR_LINE_WIDTH = 1.75, 2.75


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


def _mixed(colour: str, other: str, share: float) -> str:
    """The colour with a share of another one."""
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(own + share * (others - own)):02x}" for own, others in pairs)


def _in_sweep(colour: str, place: float, form: str) -> str:
    """The colour at a place in a sweep, from strong (-1) to faint (1)."""
    table = _table()
    if place < 0:
        return _mixed(colour, table["ink"][form], -place * table["sweep"]["strongest"])
    return _mixed(colour, table["ground"][form], place * table["sweep"]["faintest"])


class Styles:
    """Gives each curve of a figure its style: curves of the same learner differ in their dashes, and if there are many, also
    in the strength of their colour.

    ``learners``: that of each curve. ``ground``: the colour behind the curves, red, green, blue and opacity from 0 to 1; on a
    dark one they have the colours of the report's dark form.
    """

    def __init__(self, learners: Iterable[str], ground: Sequence[float] = (1, 1, 1, 1)) -> None:
        lightness = sum(ground[:3]) / 3 * ground[3] + (1 - ground[3])
        self._form = "light" if lightness > 0.5 else "dark"
        self._variants: dict[int, list[str]] = {}
        self._counts = Counter(_slot(learner) for learner in learners)

    def of(self, learner: str, name: str, is_ours: bool = False) -> dict[str, Any]:
        """Arguments of matplotlib's ``plot`` for the curve of this name. Those of our own learners are thick, with full marks."""
        table = _table()
        slot = _slot(learner)
        variants = self._variants.setdefault(slot, [])
        # "exp3-wix sharp" is a variant of exp3-wix, also where that is missing.
        for each in [learner, name] if name.startswith(f"{learner} ") else [name]:
            if each not in variants:
                variants.append(each)
        variant = variants.index(name)
        # Learners of the same colour have different dashes, too.
        dashes = table["dashes"][(variant + slot // len(table["light"])) % len(table["dashes"])]
        colour = table[self._form][slot % len(table["light"])]
        if (count := max(self._counts[slot], len(variants))) > table["sweep"]["above"]:
            colour = _in_sweep(colour, 2 * variant / (count - 1) - 1, self._form)
        width = _OUR_LINE_WIDTH if is_ours else _LINE_WIDTH
        return {
            "color": colour,
            "marker": table["shapes"][slot % len(table["shapes"])]["matplotlib"],
            "linestyle": (0, [length / width for length in dashes]) if dashes else "-",
            "linewidth": width,
            # Of two equal curves, the thin one is above the thick one.
            "zorder": 1.9 if is_ours else 2,
            "fillstyle": (_OUR_FILLS if is_ours else _FILLS)[variant // len(table["dashes"]) % len(_FILLS)],
        }
