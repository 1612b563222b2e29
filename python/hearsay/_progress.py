"""A progress bar, in a terminal and in Jupyter, where tqdm is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Look = Callable[[int, int], None]


@contextmanager
def progress_bar(name: str, wanted: bool | None) -> Iterator[Look | None]:
    """Gives what takes (done, total). ``wanted``: None shows it on a terminal alone."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        wanted = False
    if wanted is False:
        yield None
        return
    # Unasked: not for what is done at once, nor (disable=None) where standard error is no terminal.
    unasked = {"delay": 0.5, "disable": None} if wanted is None else {}
    with tqdm(desc=name, unit=" rounds", unit_scale=True, **unasked) as bar:

        def look(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield look
