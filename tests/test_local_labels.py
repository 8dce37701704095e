"""Yes or no behind a label, in a cell and in a task's box, and labelled lines as sentences; the real model."""

from __future__ import annotations

from typing import Any

import pytest

from sekisho.agents.local.agent import LocalAgent
from sekisho.agents.local.lines import cut_lines
from sekisho.sentences import kinded_sentences
from tests.local import local_agent, only

OPEN = {"type": "bool", "name": "open_to_visitors", "description": "Whether visitors may enter the lighthouse."}
AUTOMATIC = {"type": "bool", "name": "automatic", "description": "Whether the light works without a keeper."}
DOGS = {"type": "bool", "name": "dogs_allowed", "description": "Whether dogs are allowed."}
PETS = {"type": "bool", "name": "pet_safe", "description": "Whether it is safe for pets, false if toxic to them."}
KOUKAI = {"type": "bool", "name": "公開", "description": "灯台が一般に公開されているか"}
HEIGHT = {"type": "float", "name": "height", "unit": "m", "description": "Height of the tower in metres."}


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> LocalAgent:
    return local_agent(tmp_path_factory.mktemp("state"))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (": yes", True),
        (": Yes.", True),
        (": yes, in summer", True),
        (": **yes**", True),
        (": true", True),
        (": ✓", True),
        (": ✔", True),
        (" = yes", True),
        (" – yes", True),
        (": [x]", True),
        (": [x] yes [ ] no", True),
        (": welcome all year", True),
        (": no", False),
        (": no.", False),
        (": no (renovation)", False),
        (": no, since 2019", False),
        (": no; closed for repairs", False),
        (": not yet", False),
        (": not any more", False),
        (": no longer", False),
        (": none", False),
        (": false", False),
        (": ✗", False),
        (" = no", False),
        (" – no", False),
        (" - no", False),
        (" | no", False),
        (": [ ] yes [x] no", False),
        (": closed", False),
        (": unknown.", None),
        (": n/a", None),
        (": 0", None),
        (": tbd", None),
        (": ?", None),
        (": yes/no", None),
        (": yes?", None),
        (": maybe", None),
        (": not known", None),
        (": not yet decided", None),
        (": formerly yes", None),
        (": yes, until 1987", None),
        (": [ ]", None),
        (": no. 5", None),
        (": see the harbour office", None),
    ],
)
def test_behind_a_label_that_names_the_field_the_answer_alone_decides(
    agent: LocalAgent, answer: str, expected: bool | None
) -> None:
    assert only(agent, f"# Hazel Light\n\nOpen to visitors{answer}\n", **OPEN)[0] is expected
    assert only(agent, f"# Hazel Light\n\n- Height: 21 m\n- Open to visitors{answer}\n", **OPEN)[0] is expected


@pytest.mark.parametrize(
    ("text", "is_open", "is_automatic"),
    [
        ("| Open to visitors | no |\n", False, None),
        ("| Open to visitors | no |\n| Automatic | yes |\n| Height | 21 m |\n", False, True),
        ("| What | Answer |\n|---|---|\n| Open to visitors | no |\n| Automatic | yes |\n", False, True),
        ("| Open to visitors | no |\n|---|---|\n| Automatic | yes |\n", False, None),
        ("Open to visitors - no. Automatic - yes.", False, True),
        ("Open to visitors: no. Automatic: no. Height: unknown.", False, False),
        ("Open to visitors: no\nAutomatic: no\nHeight: 21 m\n", False, False),
        ("Open to visitors: yes\nAutomatic: no\nHeight: 21 m\n", True, False),
        ("Open to visitors: unknown. Automatic: yes. Height: 21 m.", None, True),
        ("Open to visitors: no; automatic: yes.", False, True),
        ("Open to visitors: no, automatic: yes.", False, True),
        ("Open to visitors = no\nAutomatic = yes\n", False, True),
        ("**Open to visitors:** no\n**Automatic:** yes\n**Height:** 21 m\n", False, True),
        ("---\nopen_to_visitors: no\nautomatic: yes\nheight: 21 m\n---\n", False, True),
        ("- [ ] Open to visitors\n- [x] Automatic\n- [x] Lamp changed to LED\n", None, True),
        ("[ ] Open to visitors\n[x] Automatic\n[x] Lamp changed to LED\n", None, True),
        ("The lighthouse is open to visitors.\n", True, None),
        ("Open to visitors: unknown.\n\nThe lighthouse is open to visitors on Sundays.\n", True, None),
        ("Open to visitors: yes.\n\nThe lighthouse is not open to visitors.\n", None, None),
    ],
)
def test_each_label_of_a_text_has_its_own_answer(
    agent: LocalAgent, text: str, is_open: bool | None, is_automatic: bool | None
) -> None:
    assert only(agent, text, **OPEN)[0] is is_open
    assert only(agent, text, **AUTOMATIC)[0] is is_automatic


def test_in_a_table_the_cell_under_the_head_that_names_the_field_decides(agent: LocalAgent) -> None:
    head = "| name | height | first lit | open | automatic |\n|---|---|---|---|---|\n"
    for first, second in ((False, True), (True, False)):
        row = f"| Hazel Light | 24 m | 3 May 1933 | {'yes' if first else 'no'} | {'yes' if second else 'no'} |\n"
        assert only(agent, head + row, **OPEN)[0] is first
        assert only(agent, head + row, **AUTOMATIC)[0] is second
    unknown = "| Hazel Light | 24 m | 3 May 1933 | ? | yes |\n"
    assert only(agent, head + unknown, **OPEN)[0] is None
    two = "| Hazel Light | 24 m | 3 May 1933 | no | yes |\n| Birch Light | 24 m | 3 May 1933 | yes | yes |\n"
    assert only(agent, head + two, **OPEN)[0] is None


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ("公開：なし\n自動：あり\n", KOUKAI, False),
        ("公開：はい\n自動：なし\n", KOUKAI, True),
        ("公開：なし。自動：あり。", KOUKAI, False),
        ("公開：不明。自動：あり。", KOUKAI, None),
        ("Dogs allowed: no. Parking: yes.", DOGS, False),
        ("Dogs: no. Parking: yes.", DOGS, False),
        ("Dogs forbidden: no. Parking: yes.", DOGS, True),
        ("Dogs allowed: unknown. Parking: yes.", DOGS, None),
        ("Dogs allowed in the hut: no. Dogs allowed: yes. Parking: no.", DOGS, True),
        ("Toxic to pets: no. Light: bright.", PETS, True),
        ("Toxic to pets: yes. Light: bright.", PETS, False),
    ],
)
def test_labels_in_other_words(agent: LocalAgent, text: str, field: dict[str, Any], expected: bool | None) -> None:
    assert only(agent, text, **field)[0] is expected


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Dogs allowed: no. Parking: yes.", ["Dogs allowed: no.", "Parking: yes."]),
        ("Height: 21 m\nBuilt of: grey granite\nOpen: no", ["Height: 21 m", "Built of: grey granite", "Open: no"]),
        ("Height = 21 m\nBuilt of = grey granite\n", ["Height = 21 m", "Built of = grey granite"]),
        ("> Height: 21 m\n> Open: no\n", ["Height: 21 m", "Open: no"]),
        ("The shelf is no. 5 on the list: no. 7 is new.", ["The shelf is no. 5 on the list: no. 7 is new."]),
        ("Two things matter\nhere: the light\nand a keeper.", ["Two things matter\nhere: the light\nand a keeper."]),
    ],
)
def test_labelled_lines_and_answers_are_sentences_of_their_own(text: str, pieces: list[str]) -> None:
    assert [span.of(text) for span, _ in cut_lines(text, kinded_sentences(text))] == pieces


def test_the_evidence_is_the_labelled_line_alone(agent: LocalAgent) -> None:
    text = "Keeper: Ada Lindqvist\nHeight: the tower is 21 m high\nOpen to visitors: no\nBuilt of: granite\n"
    assert only(agent, text, **OPEN) == (False, "Open to visitors: no")
    assert only(agent, text, **HEIGHT) == (21.0, "Height: the tower is 21 m high")


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Automatic: yes\nHeight: 21 m\n", "Automatic: yes\nHeight: 21 m"),
        ("- Height: 21 m\n- Automatic: yes\n", "Height: 21 m\n- Automatic: yes"),
        ("It is automatic. The tower is 21 m high.", "It is automatic. The tower is 21 m high."),
        ("Automatic: no\nHeight: 21 m\n", "Automatic: no"),
    ],
)
def test_a_short_yes_is_quoted_with_the_sentence_beside_it(agent: LocalAgent, text: str, evidence: str) -> None:
    assert only(agent, f"# Hazel Light\n\n{text}", **AUTOMATIC) == ("no" not in text, evidence)


def test_a_short_yes_that_stands_alone_is_no_evidence(agent: LocalAgent) -> None:
    assert only(agent, "# Hazel Light\n\nAutomatic: yes\n", **AUTOMATIC) == (None, None)
