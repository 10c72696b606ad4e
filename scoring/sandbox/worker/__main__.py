"""``python -m scoring.sandbox.worker FD``: a warmed parent that serves the control channel on descriptor FD.

Instead of a descriptor it takes the path of a socket to call: the way out of a container."""

from __future__ import annotations

import os
import socket
import sys

from scoring.sandbox.limits import raise_stack


def main() -> None:
    if len(sys.argv) == 2 and raise_stack():
        # A stack limit only counts for programs started under it: start once more.
        os.execv(sys.executable, [sys.executable, "-E", "-m", "scoring.sandbox.worker", sys.argv[1], "deep"])
    from scoring.sandbox.worker.server import serve

    serve(int(sys.argv[1]) if sys.argv[1].isdigit() else _called(sys.argv[1]))


def _called(path: str) -> int:
    channel = socket.socket(socket.AF_UNIX)
    channel.connect(path)
    return channel.detach()


main()
