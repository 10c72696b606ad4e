"""The genuine 1C platform in a container: the oracle of category B.

``dump`` assembles the configuration, ``fixtures`` and ``modules`` write its code, ``steps`` the command lines of one run, ``reading``
understands logs and journal, ``engine`` is the instrument. The image is built by the user from a distribution of their own.
"""

from scoring.instruments.onec_docker.engine import OnecDocker

__all__ = ["OnecDocker"]
