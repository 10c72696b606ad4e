"""Every text of these pages has an English twin, with the same places for values."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import polib
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from texts import ROOT, of_module, of_template, texts  # noqa: E402

CATALOGUE = polib.pofile(str(ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"))
# A link that another app puts into a shared template may have its text in that app's catalogue.
OTHERS = [polib.pofile(str(path)) for path in sorted(ROOT.glob("*/locale/en/LC_MESSAGES/django.po")) if ".venv" not in path.parts]
ENGLISH = {entry.msgid: entry.msgstr for catalogue in [*OTHERS, CATALOGUE] for entry in catalogue}
PLACES = re.compile(r"%\(\w+\)s|%%")
CYRILLIC = re.compile("[А-Яа-яЁё]")


def test_texts_are_found_where_they_stand():
    template = """{% translate "Раз" %} {% translate 'Два' %} {% blocktranslate with n=x %}Три {{ n }} и 5 %{% endblocktranslate %}"""
    assert list(of_template(template)) == ["Раз", "Два", "Три %(n)s и 5 %%"]
    assert list(of_module('from x import gettext as _\nA = _("Четыре")\nB = other("Пять")')) == ["Четыре"]


@pytest.mark.parametrize("text", sorted(text for text in texts() if CYRILLIC.search(text)))
def test_every_text_has_an_english_twin(text):
    english = ENGLISH.get(text, "")
    assert english, f"no translation: {text}"
    assert text == "Русский" or not CYRILLIC.search(english)
    assert sorted(PLACES.findall(text)) == sorted(PLACES.findall(english))


def test_no_text_is_translated_twice():
    assert len({entry.msgid for entry in CATALOGUE}) == len(CATALOGUE)
