"""Rules of the house that a machine can hold: dependencies, sizes, what the engine may touch, where numbers live."""

from __future__ import annotations

import ast
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("scoring", "accounts", "leaderboard", "review", "prism_site")
USUAL_MODULE, LONGEST_MODULE = 600, 900
BIG_MODULES_SHARE = 0.03
LONGEST_FUNCTION = 60
LONG_FUNCTIONS_SHARE = 0.03
MEDIAN_FUNCTION = 9

# Names that reach files, processes, the network, threads or the clock; the engine gets time and chance from outside.
FORBIDDEN_IN_ENGINE = {
    "asyncio", "builtins", "ctypes", "ftplib", "glob", "http", "importlib", "io", "mmap", "multiprocessing", "os", "pathlib",
    "pickle", "select", "shutil", "signal", "smtplib", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile",
    "threading", "time", "urllib.request", "webbrowser", "yaml", "django",
}  # fmt: skip
FORBIDDEN_CALLS = {"open", "input", "__import__", "breakpoint"}
# Allowed with their reason.
EXCEPTIONS = {
    ("scoring/engine", "io"): "in-memory streams",
    ("scoring/engine", "sys"): "interpreter limits",
}


def modules(package: str) -> Iterator[tuple[str, ast.Module, int]]:
    """(relative path, tree, lines) of every module of our own below a package."""
    for path in sorted((ROOT / package).rglob("*.py")):
        if "migrations" in path.parts:
            continue
        text = path.read_text("utf-8")
        yield path.relative_to(ROOT).as_posix(), ast.parse(text), text.count("\n")


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def functions() -> Iterator[tuple[str, int]]:
    for package in PACKAGES:
        for name, tree, _ in modules(package):
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{name}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1


def test_dependencies_run_one_way():
    ended = subprocess.run([str(Path(sys.executable).parent / "lint-imports")], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout[-3000:]


def test_the_engine_touches_no_files_processes_network_threads_or_clock():
    allowed = {module for (_, module) in EXCEPTIONS}
    found = [
        f"{name} imports {module}"
        for name, tree, _ in modules("scoring/engine")
        for module in imported(tree)
        for forbidden in FORBIDDEN_IN_ENGINE - allowed
        if module == forbidden or module.startswith(forbidden + ".")
    ]
    assert found == []


def test_the_engine_opens_nothing():
    found = [
        f"{name}:{node.lineno} {node.func.id}()"
        for name, tree, _ in modules("scoring/engine")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS
    ]
    assert found == []


def test_modules_keep_to_their_subject():
    lengths = {name: lines for package in PACKAGES for name, _, lines in modules(package)}
    big = {name: lines for name, lines in lengths.items() if lines > USUAL_MODULE}
    assert len(big) <= BIG_MODULES_SHARE * len(lengths), big
    assert max(lengths.values()) <= LONGEST_MODULE, big


def test_functions_are_small():
    lengths = dict(functions())
    long = {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION}
    assert len(long) <= LONG_FUNCTIONS_SHARE * len(lengths), long
    assert statistics.median(lengths.values()) <= MEDIAN_FUNCTION


def test_no_file_names_a_machine_or_a_registry():
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no checkout of git, or no git: which files are ours is not known")
    # A checkout that belongs to another user than the one of this run is read all the same.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    words = ["/work" + "/main", "pypi" + ".org", "/tmp" + "/team", "registry.npm" + "js", "repo1.maven" + ".org"]
    found = []
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path.is_file() and path.stat().st_size < 1_000_000:
            text = path.read_text("utf-8", "replace")
            found += [f"{name}: {word}" for word in words if word in text]
    assert found == []
