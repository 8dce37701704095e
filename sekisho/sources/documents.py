"""Other formats than text, through markitdown: what it extracts is the text that every quote is compared with."""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from sekisho.text import is_blank, printable

# Each format by its own converter: MarkItDown.convert takes the bytes of a broken PDF for plain text.
_CONVERTERS = {".pdf": "PdfConverter", ".docx": "DocxConverter", ".html": "HtmlConverter", ".htm": "HtmlConverter"}
SUFFIXES = frozenset(_CONVERTERS)
REMEDY = "pip install -e '.[documents]', or exclude it in sekisho.yaml"


class NoReader(Exception):
    """The extra that reads this format is not installed."""


class BadDocument(Exception):
    """The file is not what its suffix says, or holds no text; its message is the reason."""


def extract_text(path: Path) -> tuple[str, str]:
    """The text of a document as Markdown, and the reader's name and version; `NoReader` or `BadDocument` else."""
    if find_spec("markitdown") is None:
        raise NoReader
    from markitdown import StreamInfo, converters  # late: it loads parsers of every kind

    suffix = path.suffix.lower()
    try:
        with path.open("rb") as file:
            converter = getattr(converters, _CONVERTERS[suffix])()
            text = str(converter.convert(file, StreamInfo(extension=suffix, charset="utf-8")).markdown)
    except OSError:
        raise
    except Exception as error:  # a converter raises whatever the parser beneath it does
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise BadDocument(f"markitdown cannot read it: {printable(reason)[:200]}") from None
    if is_blank(text):
        raise BadDocument("markitdown finds no text in it (a scan, or damaged)")
    return text.replace("\0", ""), f"markitdown {metadata.version('markitdown')}"
