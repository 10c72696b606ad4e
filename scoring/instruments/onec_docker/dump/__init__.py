"""A configuration dump (XML of format 2.20, as ``/LoadConfigFromFiles`` reads it) out of ``config_spec.yaml``."""

from scoring.instruments.onec_docker.dump.configuration import assemble, write_dump

__all__ = ["assemble", "write_dump"]
