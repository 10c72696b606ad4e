"""Genuine OneScript: the oracle of M and of O's operation counts in category A.

``script`` writes what is run, ``charges`` prices built-ins that hide work, ``reading`` understands what came back, ``engine`` is
the instrument. The script that runs holds arguments only; expected values stay with the host, and the author's checks are
evaluated by a later run that the candidate is no part of.
"""

from scoring.instruments.onescript.engine import OneScript

__all__ = ["OneScript"]
