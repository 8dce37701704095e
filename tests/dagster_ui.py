"""Dagster's UI as a process of its own, over the state that one run of the pipeline left."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dagster_project.definitions import defs
from sekisho.retrieval import encoder
from tests.conftest import ROOT, RememberingEncoder, is_ours
from tests.dev import Dev, until
from tests.instances import real_instance
from tests.test_spend import ledger, line

OWNERS = ("botany", "ana@plants.example")
CHECK = "citations_exist"
GHOST = "99-ghost-orchid"
LINE = ("notes", "facts", "knowledge_base", "draft_answers", "answers")
_NODE = "svg foreignObject"


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """The environment of a program that knows a state below a folder, the sample data, and no other setting."""
    state = folder / "state"
    own = {"SEKISHO_STATE": str(state), "DAGSTER_HOME": str(state / "dagster"), **variables}
    return {name: value for name, value in os.environ.items() if not is_ours(name)} | own


@contextmanager
def running_ui(folder: Path, variables: Mapping[str, str]) -> Iterator[str]:
    """The address of the UI alone, without a daemon; its processes have ended afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    where = ["--workspace", str(ROOT / "workspace.yaml"), "--host", "127.0.0.1", "--port", str(port)]
    log = folder / "ui.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "dagster_webserver", *where],
            env=variables,
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    ui = Dev(process, port, log)
    try:
        until(lambda: process.poll() is not None or ui.loaded(), "the UI answers with the code location", seconds=60)
        assert process.poll() is None, ui.printed
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()  # it ends the process of the code location, too
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


def state_with_a_ghost(folder: Path) -> dict[str, str]:
    """Run the sample with a citation of a source that does not exist, and some paid calls in the ledger before it.

    What comes back is the environment of programs that look at this state.
    """
    variables = environment(folder, SEKISHO_OWNERS=f"team:{OWNERS[0]},{OWNERS[1]}")
    (folder / "state").mkdir()
    paid = [
        line("2026-09-04T10:00:00+00:00", model="openai/gpt-4o-mini", cost_usd=0.25),
        line("2026-10-05T10:00:00+00:00", model="openai/gpt-4o-mini", cost_usd=0.5),
        line("2026-10-06T10:00:00+00:00", model="anthropic/claude-opus", cost_usd=0.5, key="recall:a", prompt="recall"),
        line("2026-11-04T10:00:00+00:00", model="openai/gpt-4o-mini", cost_usd=0.25, outcome="invalid"),
    ]
    ledger(folder / "state", *paid)
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    with pytest.MonkeyPatch.context() as patch:
        for name in filter(is_ours, {**os.environ}):
            patch.delenv(name)
        for name in filter(is_ours, variables):
            patch.setenv(name, variables[name])
        patch.setenv("SEKISHO_FIXTURES", str(ROOT / "data" / "demonstrations" / "ghost.yaml"))
        patch.setattr(encoder, "SentenceEncoder", RememberingEncoder)
        with real_instance() as instance:
            job = defs.resolve_job_def("pipeline")
            assert job.execute_in_process(instance=instance, raise_on_error=False, run_config=quiet).success
    return variables


def lineage_page(page: Page) -> None:
    """Open what `answers` is made of, and wait until every node says how it stands."""
    page.goto("/assets/answers?view=lineage&lineageScope=upstream&lineageDepth=4")
    for name in LINE:
        expect(node(page, name)).to_have_attribute("style", re.compile("color-background-(green|red)"))


def node(page: Page, name: str) -> Locator:
    """The box of an asset in a graph."""
    return page.locator(f"{_NODE} div[class*=minimalAssetNodeBox]", has=page.get_by_text(name, exact=True))


def drawn_edges(page: Page) -> set[tuple[str, str]]:
    """The arrows of a graph as pairs of assets: each begins at the right of one box and ends at the left of another."""
    boxes: dict[tuple[float, float], str] = {}
    for name in LINE:
        frame = page.locator(_NODE, has=page.get_by_text(name, exact=True))
        x, y, width, height = (float(frame.get_attribute(side) or 0) for side in ("x", "y", "width", "height"))
        boxes |= {(x + width, y + height / 2): name, (x, y + height / 2): name}
    found = set()
    for path in page.locator("svg path[marker-end]").all():
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", path.get_attribute("d") or "")]
        found.add((_at(boxes, *numbers[:2]), _at(boxes, *numbers[-2:])))
    return found


def _at(boxes: Mapping[tuple[float, float], str], x: float, y: float) -> str:
    """The box whose side has its middle here; an arrow's head takes five units."""
    return next(name for (side, middle), name in boxes.items() if abs(side - x) <= 6 and abs(middle - y) <= 1)


def colour_of(element: Locator, name: str) -> list[int]:
    """Red, green and blue of a property, as they are shown."""
    value = element.evaluate("(e, name) => getComputedStyle(e).getPropertyValue(name)", name)
    return [int(number) for number in re.findall(r"\d+", value)[:3]]


def check_page(page: Page) -> None:
    """Open the check that the ghost fails, and wait for its table."""
    page.goto(f"/assets/draft_answers?view=checks&checkDetail={CHECK}")
    expect(page.get_by_text("offending_items")).to_be_visible()


def asset_page(page: Page, name: str) -> None:
    """Open an asset, and wait for its metadata and its definition."""
    page.goto(f"/assets/{name}")
    expect(page.get_by_placeholder("Filter metadata keys")).to_be_visible()
    expect(page.get_by_text("Owners", exact=True)).to_be_visible()
