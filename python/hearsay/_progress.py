"""A progress bar on a terminal and in Jupyter, if tqdm is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

ReportProgress = Callable[[int, int], None]


@contextmanager
def progress_bar(name: str, wanted: bool | None) -> Iterator[ReportProgress | None]:
    """Yields a function report(done, total), or None if no bar is shown.

    ``wanted`` = None shows the bar only if standard error is a terminal.
    """
    try:
        from tqdm.auto import tqdm
    except ImportError:
        wanted = False
    if wanted is False:
        yield None
        return
    # By default, no bar for work of less than half a second, nor (disable=None) if standard error is not a terminal.
    defaults = {"delay": 0.5, "disable": None} if wanted is None else {}
    with tqdm(desc=name, unit=" rounds", unit_scale=True, **defaults) as bar:

        def report(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield report
