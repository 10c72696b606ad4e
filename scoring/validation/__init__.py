"""Validation of task bundles: how good are the hidden tests? See :mod:`scoring.validation.whole`."""
