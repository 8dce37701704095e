"""The texts of a new data folder; they are commented for whoever changes them next."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

SCHEMA = """\
# What a fact about one note is: a field for each thing that you want to know of every note.
# Types: str, int, float, bool, date, enum (with `values`), list (with `items`). A number may have a `unit`.
# `required: false`: a note may leave it out, and the value is then null. A note that lacks a required field stops the
# knowledge base. `evidence: true` (the default): each value must be backed by words that stand in the note.
# All keys: docs/schema.md
title: Note
fields:
  subject:
    type: str
    description: The name of what the note is about.
    required: false
  date:
    type: date
    description: The day on which it took place or was written.
    required: false
  agreed:
    type: str
    description: What was agreed or decided.
    required: false
  # Examples of others; take the # away and describe what is in your own notes:
  # price:
  #   type: float
  #   unit: EUR
  #   description: What it costs.
  #   required: false
  # open:
  #   type: bool
  #   description: True if the note says that it is still to be done, false if it is done.
  #   required: false
"""
_QUESTIONS = """\
# What is asked of all notes together in every run. Each has an id, unique in this file.
# A question on the side: sekisho ask "..."
"""
_NO_QUESTIONS = """\
# - id: who-decides
#   question: Who decides about the budget?
"""
GOLDEN = """\
# What you expect to be published for a question; `sekisho eval answers` and each run measure it (docs/evaluation.md).
# - question: who-decides           # an id of questions.yaml
#   citations: [minutes-2026-05]    # every note that the answer should cite: its path without suffix
#   values: [the board]             # what the answer must contain; may be left out
# - question: what-colour
#   unanswerable: true              # the notes do not say
"""
GOLDEN_RECALL = """\
# What should be named for a draft; `sekisho eval recall` and each run measure it (docs/evaluation.md).
# - draft: your-draft               # its path below drafts, without suffix
#   expected:
#     - {adr_id: ADR-0001, relation: contradiction}   # or duplicate, prerequisite, complement
"""
DRAFT_PATH = "drafts/your-draft.md"
DRAFT = """\
---
title: ""
needs_adr: true
---

<!-- Write the title above. Describe here the decision that is to be made, then: sekisho recall drafts/your-draft.md -->
"""
EXAMPLE_QUESTIONS = (
    ("beans", "Where are the beans planted?"),
    ("shelves", "Who looks after the shelves?"),
    ("frost", "Which of these plants survives frost?"),
)
EXAMPLE_NOTES = {
    "book-exchange.md": """\
# Book exchange

The book exchange opened on 3 March 2026 in the hall of the library. Ana Silva looks after the shelves.

It was decided that a book may stay away for four weeks.
""",
    "garden-group.md": """\
# Garden group

On 12 April 2026 the garden group met for the first time. Maria Lopez and Ken Sato brought seeds.

We agreed to plant the beans by the south wall.
""",
    "水やり当番.md": """\
# 水やり当番

2026年5月1日に水やり当番を決めた。当番は佐藤さん。朝の涼しいうちに水をやることにした。
""",
}


def settings_text(encodings: Sequence[str], exclude: Sequence[tuple[str, str]]) -> str:
    """`sekisho.yaml`; `exclude` are patterns, each with the reason for it."""
    lines = ["# Files that are no documents, as patterns like those of .gitignore, seen from this folder."]
    lines += ["exclude:"] if exclude else ["exclude: []"]
    for pattern, reason in exclude:
        lines += [f"  # {' '.join(reason.split())}", f"  - {_quoted(pattern)}"]
    lines += ["# Encodings tried in this order after UTF-8; cp932 and euc_jp are common in Japan."]
    lines += [f"encodings: [{', '.join(map(_quoted, encodings))}]"]
    lines += ["# Time zone of the schedules, such as Europe/Paris or Asia/Tokyo.", "timezone: UTC"]
    return "\n".join(lines) + "\n"


def questions_text(questions: Sequence[tuple[str, str]]) -> str:
    """`questions.yaml` with these ids and questions; without any, an example that is commented out."""
    if not questions:
        return _QUESTIONS + _NO_QUESTIONS
    return _QUESTIONS + "".join(f"- id: {_quoted(id)}\n  question: {_quoted(text)}\n" for id, text in questions)


def environment_text(folder: Path) -> str:
    """`env.sh`: the three variables that make a shell's commands use this folder."""
    return f"""\
# `. {_shell(folder / "env.sh")}` makes `sekisho` in this shell use this folder. All settings: docs/settings.md
export SEKISHO_DATA={_shell(folder)}
export SEKISHO_STATE={_shell(folder / "state")}
# Who answers. local: no key and no model call, it copies what it finds (docs/local.md). A model understands more:
# claude, or a provider string such as openai/gpt-4o-mini, with its key in OPENAI_API_KEY (docs/providers.md).
export IECQ_AGENT=local
"""


def _shell(path: Path) -> str:
    return shlex.quote(str(path))


def _quoted(text: str) -> str:
    """Text as a YAML scalar: a JSON string is one, whatever the text holds."""
    return (
        text
        if text.isascii() and text.replace("-", "").replace("_", "").isalnum() and text[0].isalpha()
        else (json.dumps(text, ensure_ascii=False))
    )
