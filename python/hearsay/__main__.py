"""The command ``hearsay``, which comes with the package: ``python -m hearsay``."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Replaces this process by the program, so that signals, exit codes and pipes are the program's."""
    program = Path(__file__).parent / "bin" / "hearsay"
    if not program.exists():
        sys.exit(f"hearsay: {program}: is missing, expected the program beside an installed package")
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
