"""The text of ``run.json``, which says when and where a run was made and how long it took."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable
from datetime import datetime, timezone

from hearsay import _core


def start_record(threads: int) -> Callable[[], str]:
    """Returns a function that, when the run has ended, returns the text. The run starts now.

    >>> sorted(json.loads(start_record(2)()))[:3]
    ['cores', 'finished', 'host']
    """
    started, start = _now(), time.monotonic()

    def record() -> str:
        values = {
            "version": _core.version,
            "started": started,
            "finished": _now(),
            "seconds": round(time.monotonic() - start, 3),
            "threads": threads,
            "host": platform.node(),
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "processor": _processor(),
            "cores": os.cpu_count(),
        }
        return json.dumps(values, indent=2) + "\n"

    return record


def _processor() -> str:
    """The name of the processor: on Linux the one that ``hearsay run`` writes, elsewhere the one that Python knows."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                key, colon, name = line.rstrip("\n").partition(": ")
                if key.startswith("model name") and colon:
                    return name
    except OSError:
        pass
    return platform.processor()


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
