"""Under `local` no value is taken from another event, another thing, a plan or the past; the real model."""

from __future__ import annotations

from typing import Any

import pytest

from sekisho.agents.local.agent import LocalAgent
from tests.local import local_agent, only

LIT = {"type": "date", "description": "Date the light was first lit."}
PAINTED = {"type": "date", "description": "Date the tower was last painted."}
HEIGHT = {"name": "height_m", "type": "float", "unit": "m", "description": "Height of the tower in metres."}
OPEN = {"name": "open_to_visitors", "type": "bool", "description": "Whether visitors may go in."}
AUTOMATIC = {"name": "automatic", "type": "bool", "description": "Whether the light works without a keeper."}
VALUES = {"red": "The light is red.", "white": "The light is white.", "green": "The light is green."}
COLOUR = {"name": "colour", "type": "enum", "values": VALUES, "description": "Colour of the light."}


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> LocalAgent:
    return local_agent(tmp_path_factory.mktemp("state"))


def dates_of(agent: LocalAgent, text: str, **more: dict[str, Any]) -> dict[str, Any]:
    """Every date field of the schema, asked together."""
    fields = {"first_lit": LIT, "last_painted": PAINTED, **more}
    reply = agent.extract("note", text, {name: {"required": False, **spec} for name, spec in fields.items()})
    found: dict[str, Any] = reply["fields"]
    return found


@pytest.mark.parametrize(
    ("text", "lit", "painted"),
    [
        ("First lit: 2 Feb 1920\n\nLast painted: never\n", "1920-02-02", None),
        ("It was first lit on 2 February 1920 and last painted on 5 May 2019.", "1920-02-02", "2019-05-05"),
        ("The last coat of paint went on on 5 May 2019.", None, "2019-05-05"),
        ("The tower was inspected on 3 March 2021.", None, None),
        ("The lighthouse was sold on 3 March 2021.", None, None),
        ("The lamp was replaced on 3 March 2021.", None, None),
        ("The lamp was replaced, after a long delay, on 3 March 2021.", None, None),
        ("The light was put out on 30 November 1998.", None, None),
        ("灯台は1998年11月30日に廃止された。", None, None),
        ("The tower was built on 1 May 1900, first lit on 2 June 1901 and sold on 3 July 1999.", "1901-06-02", None),
    ],
)
def test_a_date_is_of_one_event_and_serves_one_field(
    agent: LocalAgent, text: str, lit: str | None, painted: str | None
) -> None:
    assert dates_of(agent, text) == {"first_lit": lit, "last_painted": painted}


def test_a_field_that_is_about_the_end_gets_its_date(agent: LocalAgent) -> None:
    end = {"type": "date", "description": "Date the light was put out for good."}
    found = dates_of(agent, "The light was put out on 30 November 1998.", put_out=end)
    assert found == {"first_lit": None, "last_painted": None, "put_out": "1998-11-30"}


@pytest.mark.parametrize(
    ("text", "lit", "painted"),
    [
        ("The next coat is due on 5 April 2027.", None, None),
        ("Painting is planned for 1 July 2028.", None, None),
        ("The tower will be painted on 1 July 2028.", None, None),
        ("The tower was painted on 4 May 2020 and will be painted again on 1 July 2028.", None, "2020-05-04"),
        ("The light was to be lit on 1 May 1910, but was first lit on 9 June 1910.", "1910-06-09", None),
        ("次回の塗装は2027年4月5日の予定です。", None, None),
    ],
)
def test_no_date_is_of_what_is_only_planned(agent: LocalAgent, text: str, lit: str | None, painted: str | None) -> None:
    assert dates_of(agent, text) == {"first_lit": lit, "last_painted": painted}


def test_a_field_about_what_is_to_come_gets_the_plan(agent: LocalAgent) -> None:
    coming = {"type": "date", "description": "Date the next inspection is due."}
    text = "The tower was inspected on 3 March 2021. The next inspection is due on 5 April 2027."
    assert dates_of(agent, text, next_inspection=coming)["next_inspection"] == "2027-04-05"


@pytest.mark.parametrize(
    ("text", "height"),
    [
        ("Plans called for a tower of 40 m, but only 28 m were built.", 28.0),
        ("The tower reached 28 m, and plans for 40 m were dropped.", 28.0),
        ("The tower was raised from 12 m to 16 m in 1950.", 16.0),
        ("The tower was 10 m high and has been 13 m high since 2019.", 13.0),
        ("塔の高さは2019年に12 mから16 mに引き上げられた。", 16.0),
        ("The tower stands opposite the pier and is 28 m high.", 28.0),
    ],
)
def test_a_height_is_the_one_that_was_built_and_holds(agent: LocalAgent, text: str, height: float) -> None:
    assert only(agent, text, **HEIGHT) == (height, text)


@pytest.mark.parametrize(
    ("text", "spec", "value"),
    [
        ("The light will be automatic from 2027.", AUTOMATIC, None),
        ("The light is to become automatic in 2027.", AUTOMATIC, None),
        ("The light is automatic and will be painted in 2027.", AUTOMATIC, True),
        ("The nearby Pine Light is automatic.", AUTOMATIC, None),
        ("In the café next door visitors are welcome.", OPEN, None),
        ("The light across the bay is automatic.", AUTOMATIC, None),
        ("The café next door is open to visitors.", OPEN, None),
        ("The tower is open to visitors.", OPEN, True),
        ("The tower next to the pier is open to visitors.", OPEN, True),
    ],
)
def test_no_yes_is_of_a_plan_or_of_a_neighbour(
    agent: LocalAgent, text: str, spec: dict[str, Any], value: bool | None
) -> None:
    assert only(agent, text, **spec)[0] is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The light is neither red nor green but white.", "white"),
        ("The light is not red but green.", "green"),
        ("The light is white.", "white"),
        ("A small light on the north pier.", None),
        ("The light was put out in 1998.", None),
        ("The tower is painted in red and white bands.", None),
    ],
)
def test_a_value_that_nothing_describes_needs_its_word(agent: LocalAgent, text: str, value: str | None) -> None:
    assert only(agent, text, **COLOUR)[0] == value


NOTE = "Raven Rock is a lighthouse on the west coast. It was built in 1931. The tower was painted white on 5 May 2019."


@pytest.mark.parametrize(
    ("question", "more", "answer"),
    [
        ("Who built Raven Rock?", "", None),
        ("Who built Raven Rock?", "It was built by Alan Stevens of Leith.", "It was built by Alan Stevens of Leith."),
        ("When was Raven Rock last inspected?", "", None),
        ("When was Raven Rock last painted?", "", "The tower was painted white on 5 May 2019."),
        ("When was Raven Rock built?", "", "It was built in 1931."),
    ],
)
def test_a_question_is_answered_by_what_it_asks_for(
    agent: LocalAgent, question: str, more: str, answer: str | None
) -> None:
    reply = agent.answer(question, [{"source": "raven-rock", "passages": [f"{NOTE} {more}".strip()]}])
    assert reply["answer"] == answer
