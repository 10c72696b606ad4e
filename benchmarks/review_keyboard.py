"""A person grades 100 answers by keyboard in headless Chromium; afterwards the database must hold exactly what was typed.

    python benchmarks/review_keyboard.py [--answers 100] [--json FILE]

On the way: comments full of shortcut letters, reloads in mid-answer, undo, the back button after submitting, a second tab with the
same answer, notes at lines, an axis forgotten, a lost connection. "Submit and next" is taken from the browser's own timing: from the
press to the last byte of the next answer's page (POST, redirect, GET), one client, gunicorn with two workers.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]
from review_installation import PASSWORD  # noqa: E402
from review_load import P95_TO_REACH, free_port, serve  # noqa: E402

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--lang=ru",
)  # fmt: skip
AXES = "SMOP"
# Seconds until what should come is given up: beyond any load.
PATIENCE = 180
KEY_OF = {0: "0", 2: "2", 4: "4", 6: "6", 8: "8", 10: "1"}
TRICKY = "nk 0 8 f u s m 1"


@dataclass
class Person:
    """Someone at the keyboard, and what they believe to have entered: slot key → grades, comments, notes."""

    driver: Any
    site: str
    typed: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def press(self, keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(keys).perform()

    def js(self, code: str) -> Any:
        return self.driver.execute_script(code)

    def key(self) -> str:
        found = re.search(r"/work/([^/]+)/", self.driver.current_url)
        return found[1] if found else ""

    def until(self, code: str, what: str) -> None:
        """Waits for a condition in the page; a fault when it does not come."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if self.js("return Boolean(" + code + ")"):
                    return
            except Exception:
                pass
            time.sleep(0.02)
        self.faults.append(f"waited in vain for {what}")

    def chosen(self) -> dict[str, int]:
        found = self.js("return [...document.querySelectorAll('#sheet input:checked')].map((e) => [e.name.slice(6), Number(e.value)])")
        return dict(found)

    def saved(self) -> None:
        self.until("document.getElementById('saved').textContent === document.getElementById('sheet').dataset.saved", "a saved draft")

    def expect(self, what: str, condition: bool) -> None:
        if not condition:
            self.faults.append(what)

    def submit(self, grades: dict[str, int], comments: dict[str, str] | None = None, lines: dict[str, str] | None = None) -> None:
        """Enter; the next answer is there when its key differs."""
        key = self.key()
        self.typed[key] = {"grades": grades, "comments": comments or {}, "lines": lines or {}}
        self.press("\ue007")
        self.until(f"!location.href.includes({json.dumps(key)}) && document.readyState === 'complete'", "the next answer")
        took = self.js("const t = performance.getEntriesByType('navigation')[0]; return t ? t.responseEnd - t.startTime : 0")
        if "/work/" in self.driver.current_url:
            self.seconds.append(took / 1000)


def grades_for(number: int) -> dict[str, int]:
    return {axis: (0, 2, 4, 6, 8, 10)[(number * 7 + place * 5) % 6] for place, axis in enumerate(AXES)}


def type_grades(person: Person, grades: dict[str, int]) -> None:
    """Digits alone: each step leads on to the next axis."""
    person.press("s" + "".join(KEY_OF[grades[axis]] for axis in AXES))


# -- what happens on the way -------------------------------------------------------------------------------------------


def plainly(person: Person, grades: dict[str, int]) -> None:
    type_grades(person, grades)
    person.submit(grades)


def with_a_comment(person: Person, grades: dict[str, int]) -> None:
    type_grades(person, grades)
    person.press("mc" + TRICKY + "\ue00c")
    person.expect("typing a comment changed a grade", person.chosen() == grades)
    person.submit(grades, {"M": TRICKY})


def with_a_reload(person: Person, grades: dict[str, int]) -> None:
    person.press("s" + KEY_OF[grades["S"]] + KEY_OF[grades["M"]])
    person.saved()
    person.driver.refresh()
    person.expect("a reload lost a draft", person.chosen() == {axis: grades[axis] for axis in "SM"})
    person.press(KEY_OF[grades["O"]] + KEY_OF[grades["P"]])
    person.driver.refresh()
    person.expect("a reload before the save lost a draft", person.chosen() == grades)
    person.submit(grades)


def with_an_undo(person: Person, grades: dict[str, int]) -> None:
    type_grades(person, grades)
    person.press("p" + KEY_OF[(grades["P"] + 2) % 12])
    person.press("u")
    person.expect("undo did not bring the grade back", person.chosen() == grades)
    person.submit(grades)


def with_the_back_button(person: Person, grades: dict[str, int]) -> None:
    type_grades(person, grades)
    key = person.key()
    person.submit(grades)
    after = person.driver.current_url
    person.driver.back()
    person.until("document.readyState === 'complete'", "the page before")
    person.expect("the back button led to an open sheet", key not in person.driver.current_url or not person.js("return document.getElementById('sheet')"))
    person.driver.get(after)


def with_two_tabs(person: Person, grades: dict[str, int]) -> None:
    driver, address = person.driver, person.driver.current_url
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get(address)
    type_grades(person, grades)
    person.saved()
    driver.switch_to.window(first)
    person.press("s" + KEY_OF[(grades["S"] + 2) % 12])
    person.until("!document.getElementById('conflict').hidden", "the word of another tab")
    driver.find_element("css selector", "[data-take=theirs]").click()
    person.expect("the other tab's draft was not taken", person.chosen() == grades)
    key = person.key()
    person.submit(grades)
    after = driver.current_url
    other = next(handle for handle in driver.window_handles if handle != first)
    driver.switch_to.window(other)
    person.press("\ue007")
    person.until(f"!location.href.includes({json.dumps(key)})", "the second tab to go on")
    driver.close()
    driver.switch_to.window(first)
    driver.get(after)


def with_a_note(person: Person, grades: dict[str, int]) -> None:
    type_grades(person, grades)
    person.press("l\ue015\ue007" + TRICKY + "\ue00c")
    person.press("s" + KEY_OF[grades["S"]])
    person.submit(grades, lines={"2": TRICKY})


def with_an_axis_forgotten(person: Person, grades: dict[str, int]) -> None:
    person.press("s" + KEY_OF[grades["S"]] + KEY_OF[grades["M"]] + KEY_OF[grades["O"]] + "\ue007")
    person.until("!document.getElementById('problem').hidden", "the missing axis named")
    person.expect("the missing axis is not named", person.js("return document.getElementById('problem').textContent.trim().endsWith('P')"))
    person.expect("the missing axis has no focus", person.js("return document.activeElement.closest('fieldset')?.dataset.axis === 'P'"))
    person.press(KEY_OF[grades["P"]])
    person.submit(grades)


def with_a_lost_connection(person: Person, grades: dict[str, int]) -> None:
    driver = person.driver
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    type_grades(person, grades)
    person.until("document.getElementById('saved').textContent === document.getElementById('sheet').dataset.offline", "word of the lost connection")
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    person.saved()
    person.submit(grades)


WAYS = (
    plainly, with_a_comment, with_a_reload, with_an_undo, with_the_back_button, with_two_tabs, with_a_note, with_an_axis_forgotten,
    with_a_lost_connection, plainly,
)  # fmt: skip


def open_browser() -> Any:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser") or ""
    for flag in (*FLAGS, "--window-size=1400,900"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def log_in(driver: Any, site: str, name: str) -> None:
    driver.get(site + "/accounts/login/")
    driver.find_element("name", "username").send_keys(name)
    driver.find_element("name", "password").send_keys(PASSWORD)
    driver.find_element("css selector", "form.form button").click()


def run(answers: int, ways: tuple[Any, ...] = WAYS) -> dict[str, Any]:
    """The whole session; `faults` is empty where nothing was lost. `seconds`: of each "submit and next"."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "PRISM_VAR": folder}
        env.pop("DJANGO_SETTINGS_MODULE", None)
        setup = [sys.executable, "benchmarks/review_installation.py", "--answers", str(max(answers, 150)), "--graders", "1", "--experts", "1"]
        subprocess.run(setup, cwd=ROOT, env=env, check=True, capture_output=True)
        port = free_port()
        server = serve(port, 2, env)
        driver = open_browser()
        try:
            person = Person(driver, f"http://127.0.0.1:{port}")
            log_in(driver, person.site, "expert0")
            # A click that sends a form may return before the next page is there.
            person.until("document.querySelector('.card form button')", "the round's card")
            driver.find_element("css selector", ".card form button").click()
            for number in range(answers):
                # The keys are heard once the page's deferred script has run; a sheet alone may be there before it.
                person.until("document.getElementById('sheet') && document.readyState === 'complete'", "a sheet")
                ways[number % len(ways)](person, grades_for(number))
            return {"faults": person.faults + compare(env, person.typed), "seconds": sorted(person.seconds), "graded": len(person.typed)}
        finally:
            driver.quit()
            server.terminate()
            server.wait()


STORED = """
import json; from review.models import Submission
print("=>" + json.dumps({s.slot.key: {"grades": {g.axis: g.value for g in s.grades.all()}, "lines": s.line_comments,
 "comments": {g.axis: g.comment for g in s.grades.all() if g.comment}} for s in Submission.objects.select_related("slot").prefetch_related("grades")}))
"""


def compare(env: dict[str, str], typed: dict[str, dict[str, Any]]) -> list[str]:
    """What was typed and what is stored, difference by difference."""
    out = subprocess.run([sys.executable, "manage.py", "shell", "-v", "0", "-c", STORED], cwd=ROOT, env=env, capture_output=True, text=True)
    stored = json.loads(out.stdout.rpartition("=>")[2])
    lost = [f"{key}: typed {entry}, stored {stored.get(key)}" for key, entry in typed.items() if stored.get(key) != entry]
    return lost + [f"{key} was never typed" for key in stored if key not in typed]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = run(options.answers)
    seconds = found["seconds"]
    p95 = seconds[int(0.95 * len(seconds))]
    print(f"{found['graded']} answers graded, {len(found['faults'])} faults")
    for fault in found["faults"][:20]:
        print("  " + fault)
    print(f"submit and next: median {1000 * seconds[len(seconds) // 2]:.0f} ms, p95 {1000 * p95:.0f} ms; to reach: nothing lost, p95 {1000 * P95_TO_REACH:.0f} ms")
    if options.json:
        figures = {"graded": found["graded"], "faults": len(found["faults"]), "submit_and_next_p95_ms": 1000 * p95}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    return 1 if found["faults"] or p95 > P95_TO_REACH else 0


if __name__ == "__main__":
    sys.exit(main())
