"""The evidence report in a real browser: quotes marked in place, hostile text as text, no request, every width."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from sekisho.evidence.material import Material
from sekisho.evidence.page import build_page
from sekisho.evidence.report import write_report
from tests.browser import browser
from tests.report_material import FERRY, SOURCES, hostile_material, many

__all__ = ["browser"]
# What a reader sees of a source, the marks of hidden characters taken back: its text and, in characters, the quote.
READ = """id => {
  const text = document.querySelector(`#${id} [data-first]`), mark = text.querySelector("mark");
  const original = node => node.nodeType === Node.TEXT_NODE ? node.data
    : node.dataset.u ? String.fromCodePoint(parseInt(node.dataset.u, 16)).repeat(node.dataset.n || 1)
    : Array.from(node.childNodes, original).join("");
  const before = document.createElement("div");
  for (let node = text.firstChild; node !== mark; node = node.nextSibling) before.append(node.cloneNode(true));
  const first = Number(text.dataset.first), length = string => Array.from(string).length;
  const start = first + length(original(before)), quote = original(mark);
  return {first, text: original(text), plain: text.textContent, start, end: start + length(quote), quote};
}"""
WIDTHS = [(390, "dark"), (390, "light"), (1280, "light"), (1280, "dark")]


@dataclass
class Opened:
    """A page, and whatever it asked for or complained of."""

    page: Page
    told: list[str]
    requests: list[str]


@pytest.fixture(scope="module")
def hostile() -> Material:
    return hostile_material()


@pytest.fixture(scope="module")
def file(hostile: Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(hostile, path)
    return path


@pytest.fixture
def opened(browser: Browser, file: Path) -> Iterator[Opened]:
    yield from opening(browser, file)


def opening(chromium: Browser, file: Path, **context: Any) -> Iterator[Opened]:
    page = chromium.new_page(**context)
    told: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("dialog", lambda dialog: told.append(dialog.message))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    yield Opened(page, told, requests)
    page.close()


def test_every_quote_is_marked_at_its_true_place(opened: Opened, hostile: Material) -> None:
    texts = {source.source: source.text for source in hostile.published.base.sources}
    for place in build_page(hostile).places:
        seen = opened.page.evaluate(READ, f"q{place.number}")
        text = texts[place.source]
        assert seen["text"] == text[seen["first"] : seen["first"] + len(seen["text"])], place.source
        assert (seen["start"], seen["end"], seen["quote"]) == (place.start, place.end, SOURCES[place.source][2])
        assert text[seen["start"] : seen["end"]] == seen["quote"]
    plain = opened.page.evaluate(READ, f"q{next(p.number for p in build_page(hostile).places if p.source == 'plain')}")
    assert plain["plain"] == SOURCES["plain"][0]


def test_each_quote_opens_the_place_that_its_receipt_names(opened: Opened, hostile: Material) -> None:
    for number, answer in enumerate(hostile.published.answers, start=1):
        buttons = opened.page.locator(f"[data-answer='{number}'] button.quote")
        ids = [buttons.nth(index).get_attribute("popovertarget") for index in range(buttons.count())]
        assert len(ids) == len(answer.quotes)
        for id, quote in zip(ids, answer.quotes, strict=True):
            seen = opened.page.evaluate(READ, id)
            assert (seen["start"], seen["end"], seen["quote"]) == (quote.start, quote.end, quote.text)
            assert opened.page.locator(f"#{id} [data-part=source]").text_content() == quote.source


def test_a_click_shows_the_quote_in_its_source_and_esc_goes_back(opened: Opened) -> None:
    page = opened.page
    for button in (page.locator("button.quote", has_text="ferry").nth(index) for index in (0, 5, 6)):
        opens = button.get_attribute("popovertarget")
        button.focus()
        page.keyboard.press("Enter")
        assert page.locator(f"#{opens}").is_visible()
        mark = page.locator(f"#{opens} mark")
        assert mark.evaluate("mark => mark === document.activeElement")
        box = mark.bounding_box()
        assert box is not None and 0 <= box["y"] < 720, "the mark is on the screen"
        page.keyboard.press("Escape")
        assert page.locator(f"#{opens}").is_hidden()
        assert button.evaluate("button => button === document.activeElement")
    page.locator("button.quote").first.click()
    page.locator("[popover]:popover-open button").click()
    assert page.locator("[popover]:popover-open").count() == 0


def test_nothing_is_loaded_nothing_complains_and_hostile_text_is_text(opened: Opened, file: Path) -> None:
    page = opened.page
    assert opened.requests == [file.as_uri()] and opened.told == []
    assert page.locator("script, iframe, object, form, img[src^=http]").count() == 0
    assert "<script>alert('owned')</script>" in page.locator("[data-answer='1'] h3").inner_text()
    hidden = "['\\u202e', '\\u202c', '\\u200b', '\\u2066', '\\x1b', '\\x00', '\\ufeff']"
    assert page.evaluate(f"{hidden}.filter(char => document.documentElement.innerHTML.includes(char))") == []
    answer = page.locator("[data-part=answer]").last.inner_text()
    assert "[U+202E]evil[U+200B] [U+001B][2J" in answer and "<img src=https://example.org/beacon.png" in answer


def test_the_policy_would_stop_a_script_and_a_picture_from_elsewhere(
    browser: Browser, file: Path, tmp_path: Path
) -> None:
    """The escaping is one wall, this is the other: markup that got in all the same would do nothing."""
    spoilt = tmp_path / "spoilt.html"
    inside = "<script>document.title = 'owned'</script><img src='http://127.0.0.1:9/x.png'>"
    spoilt.write_text(file.read_text(encoding="utf-8").replace("<main>", f"<main>{inside}"), encoding="utf-8")
    for opened in opening(browser, spoilt):
        assert opened.page.title() != "owned"
        assert len(opened.told) >= 2 and all("Content Security Policy" in told for told in opened.told)


@pytest.mark.parametrize(("width", "scheme"), WIDTHS)
def test_no_width_makes_it_scroll_sideways(browser: Browser, file: Path, width: int, scheme: str) -> None:
    view = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    for opened in opening(browser, file, **view):
        page = opened.page
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#scorecards img").evaluate("img => img.clientWidth") >= 640, "its labels can be read"
        for button in page.locator("[data-fact] button.quote").all():
            button.click()
            box = page.locator("[popover]:popover-open").evaluate("e => [e.scrollWidth, e.clientWidth, e.offsetWidth]")
            assert box[0] <= box[1] and box[2] <= width
            page.keyboard.press("Escape")
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(20, 23, 26)") == (scheme == "dark")


def test_it_prints_without_what_a_screen_needs(opened: Opened) -> None:
    opened.page.locator("button.quote").first.click()
    opened.page.keyboard.press("Escape")
    opened.page.emulate_media(media="print", color_scheme="dark")
    assert opened.page.locator("nav").is_hidden() and opened.page.locator("[popover]").first.is_hidden()
    assert opened.page.locator("button.quote").first.is_visible()
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_thousand_answers_are_usable(browser: Browser, tmp_path: Path) -> None:
    """Two quotes each, and a fact for each source; the last answer opens as the first does."""
    material = many(1000)
    report = write_report(material, tmp_path / "report.html")
    assert len(report.page.places) == 1000 and report.size < 12_000_000
    for opened in opening(browser, tmp_path / "report.html"):
        button = opened.page.locator("[data-answer='1000'] button.quote").last
        button.click()
        seen = opened.page.evaluate(READ, button.get_attribute("popovertarget"))
        quote = material.published.answers[-1].quotes[-1]
        assert (seen["start"], seen["end"], seen["quote"]) == (quote.start, quote.end, FERRY)
        assert opened.told == []
