"""PDF, Word and HTML through the real markitdown; quotes are compared with what it extracts."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from sekisho.sources import documents
from sekisho.sources.notes import load_notes
from tests.conftest import House
from tests.graph import materialise

WORDS = "Calathea is non-toxic to cats and dogs. It is content with low to medium light."


def write_docx(path: Path, text: str) -> None:
    """The least that Word calls a document."""
    types = "application/vnd.openxmlformats-"
    main = f"{types}officedocument.wordprocessingml.document.main+xml"
    spaces = "http://schemas.openxmlformats.org"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{spaces}/package/2006/content-types"><Default Extension="rels" '
            f'ContentType="{types}package.relationships+xml"/><Override PartName="/word/document.xml" '
            f'ContentType="{main}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{spaces}/package/2006/relationships"><Relationship Id="r1" '
            f'Type="{spaces}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
            "</Relationships>",
        )
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{spaces}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p>'
            "</w:body></w:document>",
        )


def write_pdf(path: Path, text: str) -> None:
    """One page, one line."""
    stream = f"BT /F1 10 Tf 20 100 Td ({text}) Tj ET"
    bodies = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(bodies, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    out += f"xref\n0 6\n0000000000 65535 f \n{table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    path.write_text(out, encoding="latin-1")


@pytest.mark.parametrize("suffix", ["pdf", "docx", "html"])
def test_a_document_is_read_and_its_reader_is_named_on_each_published_quote(suffix: str, house: House) -> None:
    reply = house.fixture("extract:04-calathea")
    # Without the degree sign, which a PDF's plain font lacks.
    numbers = {name: reply["evidence"][name].partition(" °")[0] for name in ("watering_interval", "min_temperature")}
    words = " ".join([WORDS, *(f"{quote}." for quote in numbers.values())])
    reply["evidence"] = dict.fromkeys(reply["evidence"], "Calathea is non-toxic to cats and dogs") | numbers
    path = house.data / "notes" / "04-calathea.md"
    path.unlink()
    path = path.with_suffix(f".{suffix}")
    if suffix == "pdf":
        write_pdf(path, words)
    elif suffix == "docx":
        write_docx(path, words)
    else:
        path.write_text(f"<html><body><script>alert(1)</script><p>{words}</p></body></html>", encoding="utf-8")
    house.overlay({"extract:04-calathea": reply})
    assert materialise().success
    answer = house.warehouse.answers()[0]
    assert {quote.reader.split()[0] for quote in answer.quotes} == {"markitdown"}
    text = next(note.text for note in house.warehouse.notes() if note.source == "04-calathea")
    assert "alert" not in text
    assert [text[quote.start : quote.end] for quote in answer.quotes] == [quote.text for quote in answer.quotes]


@pytest.mark.parametrize("name", ["a.pdf", "a.docx"])
def test_a_document_that_is_none_is_named_and_its_neighbours_are_read(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"%PDF-1.4 broken" if name.endswith("pdf") else b"PK\x03\x04 broken")
    (tmp_path / "b.md").write_text("fine", encoding="utf-8")
    bad, good = load_notes(tmp_path)
    assert (bad.status, good.status) == ("unreadable", "read")
    assert bad.problem.startswith("markitdown ") and "exclude it in sekisho.yaml" in bad.problem


def test_without_the_extra_the_message_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "find_spec", lambda name: None)
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4")
    (note,) = load_notes(tmp_path)
    assert note.problem == f"no reader for .pdf is installed: {documents.REMEDY}"
    assert "pip install -e '.[documents]'" in note.problem
