"""``python -m scoring.fidelity --tasks DIR --answers FILE --verdicts FILE [--quirks FILE] [--json FILE]``."""

from __future__ import annotations

import argparse
import sys

from scoring.fidelity.command import add_options, run
from scoring.findings import FaultyData


def main() -> int:
    parser = argparse.ArgumentParser(prog="fidelity", description="compare our verdicts with recorded ones")
    add_options(parser)
    try:
        run(vars(parser.parse_args()))
    except FaultyData as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
