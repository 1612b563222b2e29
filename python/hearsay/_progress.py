"""A progress bar in a terminal and in Jupyter, if tqdm is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Show = Callable[[int, int], None]


@contextmanager
def progress_bar(name: str, wanted: bool | None) -> Iterator[Show | None]:
    """Yields a function of (done, total), or None for no bar. ``wanted``: None shows the bar on a terminal alone."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        wanted = False
    if wanted is False:
        yield None
        return
    # Unless it is asked for: not for short work, nor (disable=None) if standard error is not a terminal.
    options = {"delay": 0.5, "disable": None} if wanted is None else {}
    with tqdm(desc=name, unit=" rounds", unit_scale=True, **options) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show
