"""Compares our anti-patterns with those of the genuine BSL Language Server on changed programs, and writes the fixture of the tests.

    python tests/engine/antipatterns/compare_genuine.py [--jars DIR] [--count 2000] [--seed 1]
        [--programs FILE.json]   a list of texts to change instead of our own
        [--plain]                compare those texts as they are
        [--breaking]             break a query of each program, too
        [--write]                write genuine.jsonl, the fixture

Only programs that our parser takes are asked about: a module that does not parse has no findings by definition. Programs with a query that
the platform refuses are counted apart. Compared are diagnostic, line and number.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2]), str(HERE)]

import mutate  # noqa: E402

from scoring.engine.antipatterns import find_antipatterns  # noqa: E402
from scoring.engine.antipatterns.modules import ModuleWalker  # noqa: E402
from scoring.engine.antipatterns.queries import read_query  # noqa: E402
from scoring.engine.errors import CompileFailed  # noqa: E402
from scoring.engine.source import Source  # noqa: E402
from scoring.engine.syntax.parser import parse_module  # noqa: E402
from scoring.evidence import InstrumentFailed  # noqa: E402
from scoring.instruments.bsl_ls import BslLanguageServer  # noqa: E402
from scoring.instruments.settings import EngineSettings  # noqa: E402
from scoring.protocol import load_protocol  # noqa: E402

FIXTURE = HERE / "genuine.jsonl"
Found = list[list[object]]


def parses(text: str) -> bool:
    try:
        parse_module(Source(text), "onec")
    except CompileFailed:
        return False
    return True


def refused(text: str) -> bool:
    """Has it a query that the platform would refuse? Of such a one nothing is said here, and the server says what its recovery makes."""
    walker = ModuleWalker(text)
    walker.module(parse_module(Source(text), "onec"))
    return any(read_query(literal.value) is None for literal in walker.texts)


def genuine(texts: list[str], jars: Path) -> list[Found | None]:
    """[code, line] of every finding; None where the server told nothing of a text."""
    protocol = load_protocol()
    server = BslLanguageServer(protocol, EngineSettings(bsl_ls=jars.resolve()))
    server.codes = tuple(protocol.optimization.static_weights)
    for start in range(0, len(texts), 400):
        server.prepare(texts[start : start + 400])
    answers: list[Found | None] = []
    for text in texts:
        found = server.diagnostics(text)
        if isinstance(found, InstrumentFailed):
            print(found.detail)
        answers.append(None if isinstance(found, InstrumentFailed) else sorted([one.code, one.line] for one in found))
    return answers


def ours(text: str) -> Found:
    return sorted([one.code, one.line] for one in find_antipatterns(text))


def show(text: str, theirs: Found, mine: Found) -> None:
    lost, extra = Counter(map(tuple, theirs)), Counter(map(tuple, mine))
    lines = text.split("\n")
    for sign, entries in (("genuine only", lost - extra), ("ours only   ", extra - lost)):
        for code, line in sorted(entries.elements()):
            print(f"    {sign} {code} {line}  {lines[int(line) - 1].strip()[:120]}")  # type: ignore[call-overload]


def _write(records: list[tuple[str, Found]]) -> None:
    with FIXTURE.open("w", encoding="utf-8") as out:
        for text, answer in records:
            out.write(json.dumps({"text": text, "genuine": answer}, ensure_ascii=False) + "\n")
    print(f"{len(records)} records written")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jars", type=Path, default=Path("var/bsl_ls"))
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--breaking", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="write the differing texts there")
    options = parser.parse_args()
    programs = json.loads(options.programs.read_text(encoding="utf-8")) if options.programs else mutate.seed_programs()
    texts = programs if options.plain else mutate.many(options.count, options.seed, programs, options.breaking)
    taken = list(dict.fromkeys(filter(parses, texts)))
    answers = genuine(taken, options.jars)
    pairs = [(text, theirs, ours(text)) for text, theirs in zip(taken, answers, strict=True) if theirs is not None]
    odd = [pair for pair in pairs if refused(pair[0])]
    pairs = [pair for pair in pairs if not refused(pair[0])]
    differing = [pair for pair in pairs if pair[1] != pair[2]]
    for number, pair in enumerate(differing[: options.show]):
        print(f"--- {number}")
        show(*pair)
    if options.keep:
        options.keep.write_text(json.dumps(differing, ensure_ascii=False), encoding="utf-8")
    if options.write:
        _write([(text, theirs) for text, theirs, _ in pairs if len(text) < 1800][:320])
    kinds = Counter(str(entry[0]) for _, theirs, _ in pairs for entry in theirs)
    lost = len(taken) - len(pairs) - len(odd)
    print(f"{len(texts)} texts, {len(taken)} of them parse, {lost} without an answer; {len(differing)} of {len(pairs)} differ")
    different = sum(theirs != mine for _, theirs, mine in odd)
    print(f"{len(odd)} more with a query that the platform refuses: {different} differ")
    print(f"genuine findings: {dict(sorted(kinds.items()))}")


if __name__ == "__main__":
    main()
