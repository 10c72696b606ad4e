"""Finds every text of the interface: what templates and modules ask the translation for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TAG = re.compile(r"""{%-?\s*(?:translate|trans)\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""")
BLOCK = re.compile(r"{%\s*blocktranslate\b[^%]*%}(.*?){%\s*endblocktranslate\s*%}", re.DOTALL)
# What of the models public pages show.
SHOWN_MODELS = {"Category", "Difficulty", "ControlKind", "Network", "AnswerStatus", "StackKind", "AxisState", "CrossCheckReason"}
NAMES = {"_", "gettext", "gettext_lazy"}


def texts() -> dict[str, str]:
    """Text → where it was seen first. Pages of people and reviews have catalogues and tests of their own."""
    found: dict[str, str] = {}
    templates = [*(ROOT / "templates").glob("*.html"), *(ROOT / "templates/components").glob("*.html"), *(ROOT / "templates/leaderboard").glob("*.html"), *(ROOT / "templates/maintenance").glob("*.html")]
    for path in sorted(templates):
        for text in of_template(path.read_text("utf-8")):
            found.setdefault(text, path.relative_to(ROOT).as_posix())
    for path in [*sorted((ROOT / "leaderboard").rglob("*.py")), ROOT / "prism_site/settings.py", ROOT / "prism_site/engines.py"]:
        for text in of_module(path.read_text("utf-8")):
            found.setdefault(text, path.relative_to(ROOT).as_posix())
    for text in of_classes((ROOT / "scoring/models.py").read_text("utf-8"), SHOWN_MODELS):
        found.setdefault(text, "scoring/models.py")
    return found


def of_classes(source: str, names: set[str]) -> Iterator[str]:
    """The texts inside these classes of a module."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name in names:
            yield from of_module(ast.unparse(node))


def of_template(source: str) -> Iterator[str]:
    for first, second in TAG.findall(source):
        yield (first or second).replace("%", "%%")  # as Django looks it up
    for body in BLOCK.findall(source):
        yield re.sub(r"{{\s*(\w+)\s*}}", r"%(\1)s", body.replace("%", "%%"))


def of_module(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES and node.args:
            if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                yield node.args[0].value
