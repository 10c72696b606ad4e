"""``python -m scoring.sandbox.worker FD``: a warmed parent that serves the control channel on descriptor FD."""

from __future__ import annotations

import os
import sys

from scoring.sandbox.limits import raise_stack


def main() -> None:
    if len(sys.argv) == 2 and raise_stack():
        # A stack limit only counts for programs started under it: start once more.
        os.execv(sys.executable, [sys.executable, "-E", "-m", "scoring.sandbox.worker", sys.argv[1], "deep"])
    from scoring.sandbox.worker.server import serve

    serve(int(sys.argv[1]))


main()
