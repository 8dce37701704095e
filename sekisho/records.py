"""The values that pass between the stages; each is one row of a table in the warehouse."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sekisho.text import is_blank


def _visible(text: str) -> str:
    if is_blank(text):
        raise ValueError("holds nothing that can be seen")
    return text


Visible = Annotated[str, AfterValidator(_visible)]
Stage = Literal["notes", "facts", "knowledge_base", "draft_answers", "answers"]


class Record(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Note(Record):
    """One file under `data/notes`; `text` is the whole decoded file and what every quote is compared with.

    `reader` names the program that extracted the text where the file is not text itself.
    """

    path: str
    source: str
    status: Literal["read", "empty", "unreadable"]
    title: str = ""
    text: str = ""
    sha256: str = ""
    normalised: str = ""
    problem: str = ""
    reader: str = ""

    @property
    def is_document(self) -> bool:
        """Whether a fact is expected of it."""
        return self.status != "empty"

    @property
    def shown(self) -> str:
        """What a model reads: the normalised text where there is one, else the original."""
        return self.normalised or self.text


class Provenance(Record):
    """Which agent made a value, from which prompt and reply, in which round of the loop; digests are SHA-256."""

    agent: str
    model: str = ""
    prompt_sha256: str
    reply_sha256: str
    round: int = 1


class Place(Record):
    """The quote gate's verdict on a model's words: its `reason`, and where they stand in the original text."""

    reason: str
    start: int
    end: int


class Fact(Record):
    """What one note says, typed, with a verbatim quote for each field that asks for evidence.

    `reply` is the model's, as it came. `places` (by field) and the seal `receipt` are there once it is published.
    """

    path: str
    source: str
    fields: dict[str, Any]
    evidence: dict[str, str]
    note_sha256: str
    provenance: Provenance
    reply: Any = None
    places: dict[str, Place] = Field(default_factory=dict)
    receipt: str = ""


class Gap(Record):
    """One item that did not pass, the gate that turned it back and why.

    `round` is the round of the loop in which it was asked about; `again` says whether asking once more could repair it,
    `feedback` what the model is told then, and `about` what that holds for: the digest of the note's text, or of the
    question and the generation.
    """

    stage: Stage
    item: str
    gate: str
    reason: str
    round: int = 1
    again: bool = True
    feedback: tuple[str, ...] = ()
    about: str = ""


class SourceText(Record):
    """The original text of one compiled source, as it was when the knowledge base was compiled."""

    source: str
    path: str
    text: str
    sha256: str
    reader: str = ""


class KnowledgeBase(Record):
    """The facts that passed every gate and the texts they rest on, in source order."""

    generation: str
    facts: tuple[Fact, ...]
    sources: tuple[SourceText, ...]

    @property
    def known(self) -> frozenset[str]:
        """The ids that an answer may cite."""
        return frozenset(fact.source for fact in self.facts)


class Chunk(Record):
    """A piece of a document that one vector stands for: `text[start:end]` of the original.

    `fingerprint` is that of the embedding model whose token limit it was cut for.
    """

    id: str
    kind: str
    source: str
    start: int
    end: int
    text_sha256: str
    document_sha256: str
    fingerprint: str


class Question(Record):
    """One question to be answered from the knowledge base."""

    id: Visible
    question: Visible


class Quote(Record):
    """Words that are said to stand in a source."""

    source: str
    text: str


class Draft(Record):
    """A model's unverified answer to one question, or the reason why there is none.

    `citations` is kept as it came, whatever it is: the gates judge it. `again` and `feedback` are those of its
    gap where the call failed.
    """

    id: str
    question: str
    status: Literal["answered", "unanswerable", "failed"]
    answer: str = ""
    citations: Any = None
    quotes: tuple[Quote, ...] = ()
    shown: tuple[str, ...] = ()
    generation: str
    problem: str = ""
    provenance: Provenance | None = None
    again: bool = True
    feedback: tuple[str, ...] = ()
    reply: Any = None


class PublishedQuote(Record):
    """A verified quote, where it stands in the original text of its source, and the quote gate's `reason`.

    With a `reader`, that text is what the reader extracted from the file.
    """

    source: str
    text: str
    start: int
    end: int
    source_sha256: str
    reader: str = ""
    reason: str = ""


class Answer(Record):
    """A published answer: every citation exists, every quote stands in the source it names.

    `reply` is the model's, as it came; `receipt` seals all the rest.
    """

    id: str
    question: str
    status: Literal["answered", "unanswerable"]
    answer: str
    citations: tuple[str, ...]
    quotes: tuple[PublishedQuote, ...]
    generation: str
    kept: bool = False
    provenance: Provenance
    reply: Any = None
    receipt: str = ""

    @property
    def silence(self) -> str:
        """What is told where there is no answer: `local` compares words, and cannot speak for the sources."""
        by_words = self.provenance.agent == "local"
        return "local found no sentence that answers it." if by_words else "The sources do not say."

    @property
    def said(self) -> tuple[str, ...]:
        """The model's own words for each quote; the published ones where no reply on record has them."""
        quotes = self.reply.get("quotes") if isinstance(self.reply, dict) else None
        words = [quote.get("text") for quote in quotes or () if isinstance(quote, dict)]
        texts = tuple(text for text in words if isinstance(text, str))
        return texts if len(texts) == len(words) == len(self.quotes) else tuple(quote.text for quote in self.quotes)


class Manifest(Record):
    """What was published together: the digest of each item by its id, sealed as a whole by `receipt`."""

    part: Literal["facts", "sources", "answers"]
    items: dict[str, str]
    receipt: str = ""


class PortalView(Record):
    """One view of a data portal: what was written, the text that is embedded, and what stripping did to it."""

    path: str
    view_id: str
    title: str
    description: str
    ai_purpose: str
    doc_text: str
    sha256: str
    decikg_stripped: bool
    decikg_strip_method: str
    decikg_strip_error: str
    decikg_bytes_before: int
    decikg_bytes_after: int

    def diagnostics(self) -> dict[str, bool | int | str]:
        """What stripping did, as scalars."""
        return {name: value for name, value in self.model_dump().items() if name.startswith("decikg_")}


class ViewProblem(Record):
    """A file or row of the portal views that cannot be used; `item` is empty where it is the whole file."""

    path: str
    item: str
    message: str
