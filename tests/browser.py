"""A real Chromium for the tests that look at pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

# Nothing but this machine can be reached.
_FLAGS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def open_chromium(playwright: Playwright) -> Browser | None:
    """The machine's own Chromium, without a window; None where it has none."""
    program = shutil.which("chromium")
    return playwright.chromium.launch(executable_path=program, args=_FLAGS, chromium_sandbox=False) if program else None


# Of a module, not of the session: Playwright leaves this thread an event loop that runs until the browser is closed.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; a test is skipped where the machine has none, and fails where that is CI."""
    with sync_playwright() as playwright:
        chromium = open_chromium(playwright)
        if chromium is None:
            told = "there is no chromium on this machine (Debian: apt-get install chromium)"
            if os.environ.get("CI") == "true":
                pytest.fail(told)
            pytest.skip(told)
        yield chromium
        chromium.close()
