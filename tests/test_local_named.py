"""Which source a question names: another letter or number is another one, and a name of no source is not answered."""

from __future__ import annotations

from typing import Any

import pytest

from sekisho.agents.local.agent import LocalAgent
from sekisho.agents.local.named import Name, marks_behind
from sekisho.agents.local.narrowed import keeps_to
from tests.local import local_agent


def _note(source: str, text: str, **fields: Any) -> dict[str, Any]:
    return {"source": source, "fields": fields, "passages": [text]}


BILGE, FIRE = (
    "A bilge pump. Its flow is 30 l/min. It was last serviced on 4 March 2024.",
    "A fire pump. It moves 90 l/min. It was bought on 4 May 2020.",
)
PUMPS = [
    _note("pump-a", f"# Pump A\n\n{BILGE}\n", name="Pump A", flow=30, last_serviced="2024-03-04"),
    _note("pump-b", f"# Pump B\n\n{FIRE}\n", name="Pump B", flow=90),
]
# No heading and no field says what they are called: the file's name does.
FILES = [_note("notes/pump-a", f"{BILGE}\n"), _note("notes/pump-b", f"{FIRE}\n")]
KILNS = [
    _note(
        "kiln-1",
        "# Kiln 1\n\nAn electric kiln. It goes up to 1100 °C. It was inspected on 2 May 2024.\n",
        name="Kiln 1",
        max_temperature=1100,
        last_inspected="2024-05-02",
    ),
    _note(
        "kiln-3",
        "# Kiln 3\n\nA gas kiln. Never fire it beyond 1280 °C. It weighs 300 kg. Kiln 5 was sold in 2011.\n"
        "The mason came by on 4 July 2024 for the yearly inspection.\n",
        name="Kiln 3",
        max_temperature=1280,
        last_inspected="2024-07-04",
        weight=300,
    ),
]
ROOMS = [
    _note("room-12a", "# Room 12A\n\nIt seats 40 people. It has a projector.\n", name="Room 12A", seats=40),
    _note("room-12b", "# Room 12B\n\nIt has a whiteboard.\n", name="Room 12B"),
]
TREES = [
    _note("松", "# 松\n\n松は1950年に植えた。高さは12mである。\n", 名前="松", 高さ=12),
    _note("黒松", "# 黒松\n\n黒松は2001年に植えた。\n", 名前="黒松"),
]
WATERS = [_note("水", "# 水\n\n水は井戸からくむ。\n"), _note("山の水", "# 山の水\n\n山の水は飲用できる。\n")]
FILMS = [
    _note("X", "# X\n\nA short film. It runs in the main hall.\n"),
    _note("No", "# No\n\nA play of 50 minutes.\n"),
]


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> LocalAgent:
    return local_agent(tmp_path_factory.mktemp("state"))


@pytest.mark.parametrize(
    ("question", "shown", "source", "answer"),
    [
        ("What is the flow of Pump A?", PUMPS, "pump-a", "Its flow is 30 l/min."),
        ("What is the flow of pump a?", FILES, "notes/pump-a", "Its flow is 30 l/min."),
        ("What is the flow of pump b?", PUMPS, "pump-b", "It moves 90 l/min."),
        ("When was Pump A last serviced?", PUMPS, "pump-a", "It was last serviced on 4 March 2024."),
        ("Is Pump A a bilge pump?", PUMPS, "pump-a", "A bilge pump."),
        ("Which pump has a flow of 90?", PUMPS, "pump-b", "It moves 90 l/min."),
        ("Which pump has a flow of 30?", PUMPS, "pump-a", "Its flow is 30 l/min."),
        ("Is Kiln 1 electric?", KILNS, "kiln-1", "An electric kiln."),
        ("How heavy is kiln no. 3?", KILNS, "kiln-3", "It weighs 300 kg."),
        ("Kiln 3's max temperature?", KILNS, "kiln-3", "Never fire it beyond 1280 °C."),
        ("What is Pump A’s flow?", PUMPS, "pump-a", "Its flow is 30 l/min."),
        ("When was Kiln 5 sold?", KILNS, "kiln-3", "Kiln 5 was sold in 2011."),  # no source, but told of
        (
            "When was Kiln 3 inspected in 2024?",
            KILNS,
            "kiln-3",
            "The mason came by on 4 July 2024 for the yearly inspection.",
        ),
        ("How many people does room 12a seat?", ROOMS, "room-12a", "It seats 40 people."),
        ("松はいつ植えましたか", TREES, "松", "松は1950年に植えた。"),
        ("黒松はいつ植えましたか", TREES, "黒松", "黒松は2001年に植えた。"),
        ("松の高さは？", TREES, "松", "高さは12mである。"),
        ("山の水は飲用できますか", WATERS, "山の水", "山の水は飲用できる。"),
        ("How many minutes is No?", FILMS, "No", "A play of 50 minutes."),
    ],
)
def test_a_named_source_answers(
    agent: LocalAgent, question: str, shown: list[dict[str, Any]], source: str, answer: str
) -> None:
    reply = agent.answer(question, shown)
    assert (reply["citations"], reply["answer"]) == ([source], answer)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        # Another letter or number is another thing.
        ("When was Pump B last serviced?", PUMPS),
        ("When was Pump A bought?", PUMPS),
        ("When was Pump A bought?", FILES),
        ("What is the flow of Pump C?", PUMPS),
        ("What is the flow of pump c?", FILES),
        ("Is Kiln 4 electric?", KILNS),
        ("What is the max temperature of Kiln 4?", KILNS),
        ("How many people does Room 12B seat?", ROOMS),
        ("How many people does Room 12 seat?", ROOMS),
        # A number elsewhere names nothing.
        ("What is the max temperature of kiln 3.5?", KILNS),
        ("What is the max temperature of 3 kilns?", KILNS),
        ("What was inspected on 3 May?", KILNS),
        # What is called so stands in no source.
        ("When was the Great Dredger bought?", PUMPS),
        ("梅の高さは？", TREES),
        ("桜の高さは？", TREES),
        ("黒松の高さは？", TREES),
        ("赤松はいつ植えましたか", TREES),
        # Names of one character and of common words.
        ("水は飲用できますか", WATERS),
        ("How many minutes is X?", FILMS),
        # Two of them.
        ("Is Kiln 1 heavier than Kiln 3?", KILNS),
        ("When were Kilns 1 and 3 inspected?", KILNS),
        ("What is the flow of Pump A and Pump B?", PUMPS),
        ("What is the flow and the colour of Pump A?", PUMPS),
        # Not what the field or the sentence tells.
        ("Why is the flow of Pump A 30?", PUMPS),
        ("Who measured the flow of Pump A?", PUMPS),
        ("Where is the flow of Pump A?", PUMPS),
        ("Why is the weight of Kiln 3 300?", KILNS),
        ("Who measured the weight of Kiln 3?", KILNS),
        ("Where is the weight of Kiln 3?", KILNS),
        ("When was Kiln 3 first inspected?", KILNS),
        ("When is Kiln 3 next inspected?", KILNS),
        ("When was Kiln 3 inspected before?", KILNS),
        ("When was Kiln 3 inspected in 2019?", KILNS),
        ("Which pump has a flow of 60?", PUMPS),
    ],
)
def test_what_no_named_source_tells_is_unanswerable(
    agent: LocalAgent, question: str, shown: list[dict[str, Any]]
) -> None:
    reply = agent.answer(question, shown)
    assert (reply["status"], reply["answer"]) == ("unanswerable", None)


@pytest.mark.parametrize(
    ("title", "text", "is_in"),
    [
        ("pump a", "Is Pump A new?", True),
        ("pump a", "Which pump a sailor uses is told?", False),
        ("Kiln 3", "the kiln, number 3", True),
        ("Kiln 3", "Is the kiln 3 m high?", False),
        ("Kiln 3", "Kiln 35", False),
        ("窯3", "窯3の温度は", True),
        ("窯3", "窯35の温度は", False),
        ("松", "黒松の高さは", False),
        ("Otter Weir Loop", "the loop at the Otter weir", True),
        ("It", "Who wrote It?", True),
        ("It", "Who wrote it?", False),
        ("5", "Is it open at 5 pm?", False),
    ],
)
def test_a_name_is_told_from_like_words(title: str, text: str, is_in: bool) -> None:
    assert Name(title).is_in(text) is is_in


def test_numbers_behind_a_name_are_read_with_what_joins_them() -> None:
    assert marks_behind("kiln", "Are Kilns 1, 3 and 12b older than kiln-4 and 7 pots?") == ["1", "3", "12b", "4"]


@pytest.mark.parametrize(
    ("question", "sentence", "keeps"),
    [
        ("Why is it closed?", "It is closed because of the frost.", True),
        ("Why is it closed?", "It is closed.", False),
        ("Where is it kept?", "It is kept in the shed.", True),
        ("Where is it?", "It was weighed on 4 May 2020.", False),
        ("Who repairs it?", "The mason repairs it.", True),
        ("Who repairs it?", "It was repaired on 4 May 2020.", False),
        ("What is it before 5 pm?", "It is closed until noon.", True),
        ("Which one has 3 bridges?", "It crosses three bridges.", True),
        ("Which one has 3 bridges?", "It crosses four bridges.", False),
    ],
)
def test_a_sentence_keeps_to_what_is_asked(question: str, sentence: str, keeps: bool) -> None:
    assert keeps_to(question, sentence) is keeps


def test_without_a_named_source_the_source_may_be_the_place() -> None:
    lends = "The hut lends out sledges."
    assert keeps_to("Where can I borrow a sledge?", lends, is_named=False)
    assert not keeps_to("Where can I borrow a sledge?", lends)
