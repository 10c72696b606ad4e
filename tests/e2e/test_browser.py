"""The pages in a real browser: keyboard, themes, charts, phone width, contrast. Skipped with a reason where none is installed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "leaderboard"), str(Path(__file__).parent)]
from board_world import World, fill_small  # noqa: E402
from people_pages import people_and_round  # noqa: E402

from leaderboard.cache import forget  # noqa: E402
from prism_site.apps import compile_translations  # noqa: E402
from scoring.models import Answer  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium with its driver on this machine"),
    pytest.mark.django_db(transaction=True),
]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--lang=ru",
    # A container's /dev/shm may be too small for a page.
    "--disable-dev-shm-usage",
)  # fmt: skip
# Ratio of every visible text to what is behind it, by WCAG 2.2: [text, ratio] of those below AA.
CONTRAST = """
const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const solid = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
const light = ([r, g, b]) => { const f = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] / 255 + below[i] * (1 - top[3] / 255));
function behind(element) {
  const layers = [];
  for (let node = element; node; node = node.parentElement) layers.push(solid(getComputedStyle(node).backgroundColor));
  return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
}
const bad = [];
for (const element of document.querySelectorAll('body *')) {
  if (element.closest('svg, script, .sr, .skip, [hidden]') || !element.getClientRects().length) continue;
  const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join(' ').trim();
  if (!text) continue;
  const style = getComputedStyle(element), back = behind(element), front = over(solid(style.color), back);
  const [a, b] = [light(front), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
  const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
  if (ratio < (large ? 3 : 4.5) && !element.closest('[aria-hidden=true]')) bad.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
}
return [...new Set(bad)];
"""
# Targets of a pointer below 24 × 24 px (WCAG 2.2, 2.5.8): those in a line of text and lines of code are let off, a box counts with its label.
SMALL = """
const found = [];
for (const element of document.querySelectorAll('a, button, input, select, textarea, summary')) {
  if (element.type === 'hidden' || element.closest('svg, .skip, .code') || !element.getClientRects().length) continue;
  const inText = element.closest('p, li, td, dd, th, h1, h2, h3, caption, .stack, .crumbs, .legend');
  if (getComputedStyle(element).display === 'inline' && inText) continue;
  const box = ((element.matches('[type=radio], [type=checkbox]') && element.closest('label')) || element).getBoundingClientRect();
  if (box.width < 23.5 || box.height < 23.5) found.push(`${element.tagName} ${element.textContent.trim().slice(0, 20)} ${box.width} × ${box.height}`);
}
return found;
"""
# What scrolls within its own box and can't be reached by the keyboard.
OUT_OF_REACH = """
return [...document.querySelectorAll('.scroll, .code, pre:not([aria-hidden])')].filter((box) => box.scrollWidth > box.clientWidth + 1 && box.tabIndex < 0)
  .map((box) => box.className);
"""
WIDTH = "return document.documentElement.scrollWidth"
OPEN_ALL = "document.querySelectorAll('details').forEach((box) => box.open = true)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def site(live_server: Any, browser: Any) -> Iterator[str]:
    compile_translations()
    forget()
    fill_small(World())
    look(browser, 1400, "light")
    yield live_server.url
    browser.get(live_server.url + "/healthz")
    browser.delete_all_cookies()
    browser.execute_script("localStorage.clear()")
    forget()


def look(browser: Any, width: int, theme: str) -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", features)


def shown(browser: Any, tools: Any, address: str, whole: bool = False) -> None:
    """Waits until a page of that address (or with that part in it) is there to its end: a click does not always wait for it."""

    def is_there() -> bool:
        found = browser.current_url
        is_that = found == address if whole else address in found
        return is_that and browser.execute_script("return document.readyState") == "complete"

    tools.wait_until(is_there)


def addresses() -> list[str]:
    answers = Answer.objects.filter(network__slug__in=["strong", "weak"], task__key__in=["A0", "B1", "B2"])
    fixed = ["/", "/board/A/", "/board/B/", "/models/strong/", "/tasks/", "/tasks/A0/", "/compare/?a=strong&b=weak", "/method/", "/limits/"]
    return [*fixed, "/trust/", "/api/", "/nowhere/", *(f"/answers/{answer.pk}/" for answer in answers)]


def test_no_page_is_wider_than_a_phone(site, browser):
    look(browser, 390, "light")
    for address in addresses():
        browser.get(site + address)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390, address


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_has_contrast_enough(site, browser, theme):
    look(browser, 1400, theme)
    for address in addresses():
        browser.get(site + address)
        browser.execute_script("document.querySelectorAll('details').forEach((box) => box.open = true)")
        assert browser.execute_script(CONTRAST) == [], (theme, address)


@pytest.mark.parametrize("width", [390, 1280])
def test_every_target_is_large_enough_and_every_box_within_reach(site, browser, width):
    look(browser, width, "light")
    for address in addresses():
        browser.get(site + address)
        browser.execute_script(OPEN_ALL)
        assert browser.execute_script(SMALL) == [], (width, address)
        browser.get(site + address)
        assert browser.execute_script(OUT_OF_REACH) == [], (width, address)


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1280, "light"), (1280, "dark")])
def test_pages_of_people_keep_the_same_rules(site, browser, width, theme):
    look(browser, width, theme)
    browser.get(site + "/healthz")
    for session, pages in people_and_round():
        browser.delete_all_cookies()
        browser.add_cookie({"name": "sessionid", "value": session})
        for address in pages:
            browser.get(site + address)
            assert browser.execute_script(OUT_OF_REACH) == [], (width, address)
            browser.execute_script(OPEN_ALL)
            assert browser.execute_script(WIDTH) <= width, (width, address)
            assert browser.execute_script(SMALL) == [], (width, address)
            assert browser.execute_script(CONTRAST) == [], (theme, address)
        present = browser.execute_script("const here = document.querySelector('.subnav [aria-current]').getBoundingClientRect(); return [here.left, here.right]")
        assert present[0] >= 0 and present[1] <= width, address


def test_charts_are_drawn_from_our_own_files_and_nothing_is_refused(site, browser, tools):
    browser.get_log("browser")
    for address in ["/models/strong/", "/compare/?a=strong&b=weak", "/board/A/"]:
        browser.get(site + address)
        browser.execute_script("document.querySelectorAll('details').forEach((box) => box.open = true)")
        browser.execute_script("document.querySelectorAll('.chart').forEach((place) => place.scrollIntoView())")
        for place in browser.find_elements("css selector", ".chart"):
            browser.execute_script("arguments[0].scrollIntoView()", place)
            tools.wait_until(lambda place=place: "drawn" in place.get_attribute("class"))
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_the_theme_follows_the_system_and_a_choice_is_kept(site, browser):
    look(browser, 1400, "dark")
    browser.get(site + "/")
    dark = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    browser.find_element("css selector", "[data-theme-switch]").click()
    light = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert dark != light
    browser.get(site + "/board/A/")
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") == light


def test_the_board_is_used_by_keyboard_alone(site, browser, tools):
    from selenium.webdriver import ActionChains, Keys

    browser.get(site + "/board/A/")
    press = ActionChains(browser)
    press.send_keys(Keys.TAB, Keys.ENTER).perform()
    assert browser.execute_script("return document.activeElement.id") == "main"
    for _ in range(40):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        if browser.execute_script("return document.activeElement.closest('thead') !== null"):
            break
    focused = browser.switch_to.active_element
    outline = browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert focused.tag_name == "a" and outline != "none"
    focused.send_keys(Keys.ENTER)
    shown(browser, tools, "sort=name")
    heading = browser.find_element("css selector", "th[aria-sort]")
    assert heading.get_attribute("aria-sort") == "ascending"


def test_filters_leave_a_clean_address_and_the_back_button_works(site, browser, tools):
    from selenium.webdriver.support.ui import Select

    browser.get(site + "/board/A/")
    Select(browser.find_element("name", "vendor")).select_by_value("Beta")
    browser.find_element("css selector", ".filters button").click()
    shown(browser, tools, site + "/board/A/?vendor=Beta", whole=True)
    assert len(browser.find_elements("css selector", "tbody tr")) == 3
    browser.back()
    shown(browser, tools, site + "/board/A/", whole=True)
    assert len(browser.find_elements("css selector", "tbody tr")) == 4


def test_the_language_switch_stays_on_the_page(site, browser, tools):
    browser.get(site + "/board/A/?sort=O")
    former = browser.current_url
    browser.find_element("css selector", '.languages a[hreflang="en"]').click()
    language = "return document.documentElement.lang"
    tools.wait_until(lambda: browser.current_url != former or browser.execute_script(language) == "en")
    shown(browser, tools, "sort=O")
    assert browser.find_element("tag name", "h1").text == "A · Algorithms"
    browser.get(site + "/limits/")
    assert browser.find_element("tag name", "h1").text == "Honest limits"


def test_pages_work_without_scripts(site, browser, tools):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(site + "/board/A/")
        browser.find_element("link text", "O").click()
        shown(browser, tools, "sort=-O")
        assert len(browser.find_elements("css selector", "tbody tr")) == 4
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
