"""The page as HTML, and its publication: what it shows is read back and held against what is published before."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup

from sekisho.bill import shown_usd
from sekisho.errors import GateRefused
from sekisho.evidence.digest import with_digest
from sekisho.evidence.gate import MOST, report_shows_every_quote
from sekisho.evidence.material import GateSaid, Material, read_material
from sekisho.evidence.page import Page, build_page
from sekisho.evidence.shown import shown
from sekisho.moments import shown_moment
from sekisho.publish import write_atomically
from sekisho.recall.records import UNJUDGED
from sekisho.settings import Settings
from sekisho.warehouse import Warehouse

_HERE = Path(__file__).parent
# Every value goes through `shown`, so that no line of the template can forget it.
_JINJA = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_HERE),
    autoescape=True,
    finalize=shown,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_JINJA.filters["usd"] = shown_usd
_JINJA.filters["moment"] = shown_moment


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was written: where, what is on it, and its size in bytes."""

    path: Path
    page: Page
    size: int


def render_page(page: Page) -> str:
    """The page as one HTML text, whole in itself: no script, a policy that lets nothing be loaded, its digest."""
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    template = _JINJA.get_template("page.html.j2")
    policy = Markup(f"sha256-{digest}")
    html = template.render(page=page, most=MOST, unjudged=UNJUDGED, style=Markup(style), style_hash=policy)
    return with_digest(html)


def publish_report(
    settings: Settings, warehouse: Warehouse, gates: Sequence[GateSaid], run: str, *, path: Path | None = None
) -> Report:
    """Write the report of a state to `state/report.html`, or to a path.

    `GateRefused` where the page does not show what is published as it stands in the sources: the old one stays.
    """
    return write_report(read_material(settings, warehouse, gates, run), path or settings.report_path)


def write_report(material: Material, path: Path) -> Report:
    """Make the page, hold it against what is published, and write it; `GateRefused` where they differ."""
    page = build_page(material)
    text = render_page(page)
    findings = report_shows_every_quote(text, material.published)
    if findings:
        told = "; ".join(f"{found.item}: {found.message}" for found in findings[:5])
        raise GateRefused(f"the report was not written: {told}", findings)
    write_atomically(path, text)
    return Report(path, page, len(text.encode("utf-8")))
