"""Take the docs' pictures of Dagster's UI: `python -m tests.pictures docs/pictures`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser import open_chromium
from tests.dagster_ui import asset_page, check_page, lineage_page, running_ui, state_with_a_ghost


def take_pictures(page: Page, into: Path) -> None:
    """Write lineage.png, check.png and asset.png."""
    page.set_viewport_size({"width": 1440, "height": 640})
    lineage_page(page)
    page.screenshot(path=into / "lineage.png")
    page.set_viewport_size({"width": 1440, "height": 900})
    check_page(page)
    page.screenshot(path=into / "check.png")
    asset_page(page, "answers")
    page.wait_for_load_state("networkidle")  # the last icons
    page.screenshot(path=into / "asset.png")


def main(into: Path) -> None:
    """Make a state, look at it, and leave nothing but the pictures."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        variables = state_with_a_ghost(Path(folder))
        with running_ui(Path(folder), variables) as url, sync_playwright() as playwright:
            browser = open_chromium(playwright)
            assert browser is not None, "there is no chromium on this machine"
            expect.set_options(timeout=60_000)
            page = browser.new_page(base_url=url, viewport={"width": 1440, "height": 900})
            take_pictures(page, into)
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
