"""Certificates: everything that a mark was decided from, so that anybody can decide again.

    python -m review.certificate FILE

reads a certificate, recomputes every figure and condition from the grades in it and compares. No database and no network is
used; the exit code is 1 where anything differs.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from review.reporting import GradeRow, axis_report, axis_value
from review.verified import TaskEvidence, bootstrap_of, decide, decide_task, decision_value

FORMAT = "prism-verified/1"
TOLERANCE = 1e-6


def axis_certificate(facts: Mapping[str, Any], rows: Sequence[GradeRow], rule: Mapping[str, Any], reachable: Sequence[int], seed: int) -> dict[str, Any]:
    """The certificate of one axis. `facts`: what was verified (round, protocol, stack, bundles, answers), plain values."""
    certificate = {
        "format": FORMAT,
        "kind": "axis",
        **facts,
        "rule": plain(rule),
        "seed": seed,
        "reachable": list(reachable),
        "columns": ["answer", "task", "expert", "grade", "machine", "probability"],
        "grades": [
            [row.answer, row.task, row.expert, row.grade, row.machine, row.probability]
            for row in rows
            if not row.is_repeat and row.gold is None
        ],
    }
    certificate["result"] = result_of(certificate)
    certificate["digest"] = digest_of(certificate)
    return certificate


def task_certificate(facts: Mapping[str, Any], evidence: TaskEvidence, rule: Mapping[str, Any]) -> dict[str, Any]:
    certificate = {
        "format": FORMAT,
        "kind": "task",
        **facts,
        "rule": plain(rule),
        "answers_graded": evidence.answers,
        "disputed": evidence.disputed,
        "grades": [list(pair) for pair in evidence.pairs],
    }
    certificate["result"] = result_of(certificate)
    certificate["digest"] = digest_of(certificate)
    return certificate


def plain(value: Any) -> Any:
    """Frozen mappings, tuples and exact decimals as JSON knows them."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    return [plain(entry) for entry in value] if isinstance(value, list | tuple) else value


def result_of(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """Decides from what the certificate holds, and from nothing else. Raises KeyError or ValueError for a broken one."""
    rule = certificate["rule"]
    if certificate["kind"] == "task":
        pairs = [(int(grade), int(step)) for grade, step in certificate["grades"]]
        evidence = TaskEvidence(int(certificate["answers_graded"]), pairs, int(certificate["disputed"]))
        return decision_value(decide_task(evidence, rule))
    axis = certificate["subject"].rpartition(":")[2]
    rows = [
        GradeRow(answer, task, expert, axis, grade, machine, probability)
        for answer, task, expert, grade, machine, probability in certificate["grades"]
    ]
    report = axis_report(axis, rows, certificate["reachable"], bootstrap_of(rule, certificate["seed"]))
    return {**decision_value(decide(report, rule)), "figures": axis_value(report)}


def digest_of(certificate: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical JSON of everything but the digest itself."""
    content = {key: value for key, value in certificate.items() if key != "digest"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def differences(certificate: Mapping[str, Any]) -> list[str]:
    """What does not follow from the certificate's own grades; empty for a sound one."""
    found = [] if digest_of(certificate) == certificate.get("digest") else ["digest: the content was changed"]
    return found + _unequal("result", certificate["result"], result_of(certificate))


def _unequal(place: str, told: Any, computed: Any) -> list[str]:
    if isinstance(told, Mapping) and isinstance(computed, Mapping):
        keys = sorted({*told, *computed}, key=str)
        return [entry for key in keys for entry in _unequal(f"{place}.{key}", told.get(key), computed.get(key))]
    if isinstance(told, list) and isinstance(computed, list) and len(told) == len(computed):
        return [entry for place_, pair in enumerate(zip(told, computed, strict=True)) for entry in _unequal(f"{place}[{place_}]", *pair)]
    numbers = [value for value in (told, computed) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2 and abs(told - computed) <= TOLERANCE:
        return []
    return [] if told == computed else [f"{place}: told {told!r}, computed {computed!r}"]


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print(__doc__)
        return 2
    certificate = json.loads(Path(arguments[0]).read_text("utf-8"))
    faults = differences(certificate)
    result = result_of(certificate)
    print(f"{certificate['subject']}: {result['status']}")
    for condition in result["conditions"]:
        at = "" if condition["at"] is None else f" at step {condition['at']}"
        value = "undefined" if condition["value"] is None else f"{condition['value']:.4f}"
        print(f"  {'met    ' if condition['met'] else 'NOT MET'} {condition['key'] + at:<32} {value} {condition['sign']} {condition['threshold']:g}")
    for fault in faults:
        print(f"  DIFFERS {fault}")
    print("the certificate does not hold" if faults else "the certificate holds: everything follows from its grades")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
