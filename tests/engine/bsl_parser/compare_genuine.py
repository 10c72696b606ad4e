"""Compares our parser with the genuine one on damaged programs, and writes the fixture of the tests.

The genuine parser comes by Maven: ``io.github.1c-syntax:bsl-parser:0.31.0`` (the one of BSL Language Server 0.29) with
its dependencies, copied into one folder; it needs Java 21 or newer.

    python tests/engine/bsl_parser/compare_genuine.py --jars DIR [--java BIN] [--count 20000] [--seed 1]
        [--programs FILE.json]   a list of texts to damage instead of our own
        [--plain]                compare those texts as they are
        [--write]                write genuine.jsonl, the fixture
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2]), str(HERE)]

import mutate  # noqa: E402

from scoring.engine.syntax.bsl_parser import SyntaxFindings, analyse  # noqa: E402

FIXTURE = HERE / "genuine.jsonl"
_KINDS = ("parse_error", "missing_token", "procedure_returns_value")


def genuine(texts: list[str], jars: Path, java: Path) -> list[str]:
    """One answer line a text, see ``GenuineParser.java``."""
    with tempfile.TemporaryDirectory() as folder:
        asked, told = Path(folder, "texts"), Path(folder, "answers")
        asked.write_bytes("\0".join(texts).encode())
        classpath = ":".join([*map(str, sorted(jars.glob("*.jar"))), folder])
        source = str(HERE / "GenuineParser.java")
        subprocess.run([str(java / "javac"), "-cp", classpath, "-d", folder, source], check=True)
        subprocess.run([str(java / "java"), "-cp", classpath, "GenuineParser", str(asked), str(told)], check=True)
        return told.read_text(encoding="utf-8").splitlines()


def ours(findings: SyntaxFindings) -> str:
    """Our findings in the notation of the genuine answers."""
    groups = []
    for kind in _KINDS:
        places = [(m.line, m.column - 1) for m in findings.messages if m.kind == kind]
        groups.append(",".join(f"{line}:{column}" for line, column in places))
    return "|".join(groups)


def normal(answer: str) -> str:
    """A genuine answer with its places in the order of the text."""
    groups = [sorted(tuple(map(int, p.split(":"))) for p in group.split(",") if p) for group in answer.split("|")]
    return "|".join(",".join(f"{line}:{column}" for line, column in group) for group in groups)


def _write(texts: list[str], answers: list[str]) -> None:
    short = [(t, normal(a)) for t, a in zip(texts, answers, strict=True) if len(t) < 700 and not a.startswith("X")]
    with FIXTURE.open("w", encoding="utf-8") as out:
        for text, answer in short:
            out.write(json.dumps({"text": text, "genuine": answer}, ensure_ascii=False) + "\n")
    print(f"{len(short)} records written")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jars", type=Path, required=True)
    parser.add_argument("--java", type=Path, default=Path("/usr/bin"))
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    programs = json.loads(options.programs.read_text(encoding="utf-8")) if options.programs else mutate.seed_programs()
    texts = programs if options.plain else mutate.many(options.count, options.seed, programs)
    answers = genuine(texts, options.jars, options.java)
    if options.write:
        _write(texts, answers)
    failed = sum(answer.startswith("X") for answer in answers)
    pairs = [(t, ours(analyse(t)), normal(a)) for t, a in zip(texts, answers, strict=True) if not a.startswith("X")]
    differing = [pair for pair in pairs if pair[1] != pair[2]]
    for text, mine, theirs in differing[:5]:
        print(f"--- ours    {mine}\n--- genuine {theirs}\n{text}\n")
    faulty = sum(theirs != "||" for _, _, theirs in pairs)
    print(f"{len(texts)} texts, {faulty} with findings, {failed} the genuine tool failed on, {len(differing)} differ")


if __name__ == "__main__":
    main()
