"""How far our verdicts agree with recorded ones of genuine engines. ``python -m scoring.fidelity --help``.

``compare`` is pure; ``run`` scores the answers; the command only reads options and prints.
"""
