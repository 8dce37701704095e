"""Dagster's real UI in a real Chromium, after a run in which the model cited a source that does not exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import browser
from tests.conftest import ROOT
from tests.dagster_ui import (
    GHOST,
    LINE,
    OWNERS,
    asset_page,
    check_page,
    colour_of,
    drawn_edges,
    lineage_page,
    node,
    running_ui,
    state_with_a_ghost,
)
from tests.test_graph import GRAPH, LOOKS_BACK

__all__ = ["browser"]
_TABLES = (dg.TableMetadataValue, dg.MarkdownMetadataValue)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder whose state one run made, and the environment of programs that look at it."""
    folder = tmp_path_factory.mktemp("ui")
    return folder, state_with_a_ghost(folder)


@pytest.fixture(scope="module")
def shown(state: tuple[Path, dict[str, str]]) -> dict[str, Mapping[str, dg.MetadataValue]]:
    """The metadata that the run left of each asset."""
    with dg.DagsterInstance.from_config(state[1]["DAGSTER_HOME"]) as instance:
        events = {name: instance.get_latest_materialization_event(dg.AssetKey(name)) for name in GRAPH}
    return {name: event.asset_materialization.metadata for name, event in events.items() if event is not None}  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def page(state: tuple[Path, dict[str, str]], browser: Browser) -> Iterator[Page]:
    """A window on the UI; it asks nobody but the UI itself, and nothing in it fails."""
    with running_ui(*state) as url:
        context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900})
        asked: set[str] = set()
        errors: list[str] = []
        context.on("request", lambda request: asked.add(request.url.removeprefix("blob:")))
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.set_default_timeout(60_000)
        expect.set_options(timeout=60_000)
        yield context.new_page()
        context.close()
    assert [one for one in asked if not one.startswith((url, "data:"))] == []
    assert errors == []


def test_every_asset_shows_its_rows_and_how_many_they_are(shown: dict[str, Any]) -> None:
    assert shown.keys() == GRAPH.keys() - LOOKS_BACK
    for name, metadata in shown.items():
        assert isinstance(metadata["dagster/row_count"], dg.IntMetadataValue), name
        assert any(isinstance(value, _TABLES) for value in metadata.values()), name
        assert metadata["dagster/row_count"].value > 0, f"the sample has rows of {name}"


@pytest.mark.parametrize(
    ("asset", "figures"),
    [
        ("notes", {"read": 5, "empty": 0, "unreadable": 0}),
        ("facts", {"turned_back": 0}),
        ("answers", {"answered": 1, "unanswerable": 1, "withheld": 1}),
        ("recall_citations", {"citations": 12}),
        ("recall_scorecard", {"citation_recall": 0.917}),
        ("mapping_scorecard", {"hit_at_1": 0.969, "hit_at_10": 1.0}),
        ("llm_spend", {"usd": 1.5, "calls": 4, "rejected": 1, "unknown_cost": 0}),
    ],
)
def test_figures_are_numbers_so_that_the_ui_plots_them_over_time(
    asset: str, figures: dict[str, float], shown: dict[str, Any]
) -> None:
    found = {name: shown[asset][name] for name in figures}
    assert all(isinstance(one, dg.IntMetadataValue | dg.FloatMetadataValue) for one in found.values())
    assert {name: one.value for name, one in found.items()} == pytest.approx(figures, abs=1e-6)


def test_d05_the_lineage_leads_from_notes_to_answers_and_the_failed_check_makes_its_asset_red(page: Page) -> None:
    lineage_page(page)
    wanted = {(parent, name) for name in LINE for parent in GRAPH[name][1]}
    assert drawn_edges(page) == wanted and {("notes", "facts"), ("draft_answers", "answers")} < wanted
    colours = {name: colour_of(node(page, name), "background-color") for name in LINE}
    assert {name for name, (red, green, _) in colours.items() if red > green} == {"draft_answers"}


def test_d05_a_ghost_citation_is_a_red_check_that_names_the_item(page: Page) -> None:
    check_page(page)
    expect(page.get_by_text("Every cited id is a compiled source that the model was shown.")).to_be_visible()
    verdict = page.get_by_text("Evaluation result").locator("xpath=..").get_by_text("Failed", exact=True)
    expect(verdict).to_be_visible()
    red, green, blue = colour_of(verdict, "color")
    assert red > 2 * max(green, blue)
    row = page.locator("tr", has_text="pet-safe-low-light").last
    expect(row).to_contain_text(f"hallucinated citation: {GHOST}")


def test_an_assets_page_says_what_it_is_who_answers_for_it_and_what_it_holds(page: Page) -> None:
    asset_page(page, "answers")
    for text in (
        "Only answers whose every citation and quote was verified; verified again here, whoever launches it.",
        *OWNERS,
        "DuckDB",
        "The ZZ plant, which is watered only about every 28 days.",
    ):
        expect(page.get_by_text(text, exact=True).first).to_be_visible()
    expect(page.get_by_text("Row count").locator("xpath=..")).to_contain_text("2")
    expect(page.locator("tr", has_text="withheld").first).to_contain_text("1")


@pytest.mark.parametrize("asset", ["llm_spend", "mapping_scorecard"])
def test_a_plot_is_shown_as_a_picture(asset: str, page: Page) -> None:
    asset_page(page, asset)
    page.locator("tr", has=page.get_by_text("plot", exact=True)).get_by_text("[Show Markdown]").click()
    picture = page.locator("img[src^='data:image/png']")
    expect(picture).to_be_visible()
    assert picture.evaluate("e => e.decode().then(() => e.naturalWidth)") == 900


def test_the_docs_have_their_pictures_and_none_is_heavy() -> None:
    for name in ("lineage", "check", "asset"):
        size = (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size
        assert 10_000 < size < 200_000, name
