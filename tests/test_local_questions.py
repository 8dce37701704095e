"""What the local agent answers about a source that the question names: its own sentences, and the field asked for."""

from __future__ import annotations

from typing import Any

import pytest

from sekisho.agents.local.agent import LocalAgent
from sekisho.agents.local.times import asks_when, tells_when
from tests.local import local_agent

KILNS: list[dict[str, Any]] = [
    {
        "source": "kiln-1",
        "fields": {"name": "Kiln 1", "max_temperature": 1100, "last_inspected": "2024-05-02", "open_to_visitors": True},
        "passages": [
            "# Kiln 1\n\nThe oldest one. It goes up to 1100 °C. A. Reyes looked it over on 2 May 2024.\n"
            "Visitors are welcome beside it.\n"
        ],
    },
    {
        "source": "kiln-2",
        "fields": {
            "name": "Kiln 2",
            "max_temperature": 1240,
            "last_inspected": "2024-06-03",
            "open_to_visitors": False,
            "fuel": "gas",
        },
        "passages": [
            "# Kiln 2\n\nA gas kiln. It is not to be heated above 1240 °C. The inspection took place on 3 June 2024.\n"
            "Visitors are not admitted.\n"
        ],
    },
    {
        "source": "kiln-3",
        "fields": {"name": "Kiln 3", "max_temperature": 1280, "last_inspected": "2024-07-04", "open_to_visitors": None},
        "passages": [
            "# Kiln 3\n\nThe small one behind the shed. Never fire it beyond 1280 °C, or the bricks crack.\n"
            "It was built in 1998. The mason came by on 4 July 2024 for the yearly inspection. It takes 40 pots.\n"
        ],
    },
]
KAMA: list[dict[str, Any]] = [
    {
        "source": "窯1",
        "fields": {"名前": "窯1", "最高温度": 1100, "最終点検日": "2024-05-02"},
        "passages": ["# 窯1\n\n薪の窯である。\n\n1100度まで上がる。\n\n去る2024年5月2日に見てもらった。\n"],
    },
    {
        "source": "窯3",
        "fields": {"名前": "窯3", "最高温度": 1280, "最終点検日": "2024-07-04"},
        "passages": ["# 窯3\n\n小さな窯である。\n\n1280度まで焚ける。\n\n去る2024年7月4日に見てもらった。\n"],
    },
]
FIRE, MASON = (
    "Never fire it beyond 1280 °C, or the bricks crack.",
    "The mason came by on 4 July 2024 for the yearly inspection.",
)


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> LocalAgent:
    return local_agent(tmp_path_factory.mktemp("state"))


@pytest.mark.parametrize(
    ("question", "shown", "source", "answer"),
    [
        ("What is the max temperature of Kiln 3?", KILNS, "kiln-3", FIRE),
        ("What is the maximum temperature of kiln 3 in °C?", KILNS, "kiln-3", FIRE),
        ("kiln-3: max_temperature?", KILNS, "kiln-3", FIRE),
        ("What is the max temperature of Kiln 1?", KILNS, "kiln-1", "It goes up to 1100 °C."),
        ("When was Kiln 3 last inspected?", KILNS, "kiln-3", MASON),
        ("On which date was Kiln 1 last inspected?", KILNS, "kiln-1", "A. Reyes looked it over on 2 May 2024."),
        ("Is Kiln 1 open to visitors?", KILNS, "kiln-1", "Visitors are welcome beside it."),
        ("Is Kiln 2 open to visitors?", KILNS, "kiln-2", "Visitors are not admitted."),
        ("What is the fuel of Kiln 2?", KILNS, "kiln-2", "A gas kiln."),
        ("窯3の最高温度は？", KAMA, "窯3", "1280度まで焚ける。"),
        ("窯1の最高温度は何度ですか。", KAMA, "窯1", "1100度まで上がる。"),
        ("窯3の最終点検日はいつですか。", KAMA, "窯3", "去る2024年7月4日に見てもらった。"),
        ("窯1の最終点検日を教えてください。", KAMA, "窯1", "去る2024年5月2日に見てもらった。"),
    ],
)
def test_a_question_for_one_field_of_one_source_is_answered_by_the_sentence_of_its_value(
    agent: LocalAgent, question: str, shown: list[dict[str, Any]], source: str, answer: str
) -> None:
    reply = agent.answer(question, shown)
    assert (reply["citations"], reply["answer"]) == ([source], answer)


@pytest.mark.parametrize(
    "question",
    [
        "When was Kiln 2 built?",  # that is told of Kiln 3 alone
        "When is Kiln 1 open to visitors?",  # whether it is, is told
        "Is the max temperature of Kiln 3 safe for porcelain?",  # more than the field is asked
        "What is the fuel of Kiln 1?",
        "Where is Kiln 3?",
        "窯3の色は何ですか。",
        "窯2の最高温度は？",
    ],
)
def test_what_is_not_told_of_the_named_source_is_not_told_by_another(agent: LocalAgent, question: str) -> None:
    assert agent.answer(question, KAMA if "窯" in question else KILNS)["status"] == "unanswerable"


def test_a_number_tells_sources_of_one_name_apart(agent: LocalAgent) -> None:
    reply = agent.answer("How many pots does Kiln 3 take?", KILNS)
    assert (reply["citations"], reply["answer"]) == (["kiln-3"], "It takes 40 pots.")
    assert agent.answer("How many pots does Kiln 1 take?", KILNS)["status"] == "unanswerable"


def test_without_a_sentence_that_shows_the_value_nothing_is_answered(agent: LocalAgent) -> None:
    bare = [{**KILNS[2], "passages": ["# Kiln 3\n\nIt is hot, and its temperature is a matter of care.\n"]}]
    assert agent.answer("What is the max temperature of Kiln 3?", bare)["status"] == "unanswerable"


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("When is the mill open?", True),
        ("At what time do they lock up?", True),
        ("Since when has it been closed?", True),
        ("What is done when it rains?", False),
        ("How hot is it?", False),
        ("いつ点検しましたか。", True),
        ("何曜日に開きますか。", True),
        ("いつも開いていますか。", False),
        ("何時間かかりますか。", False),
    ],
)
def test_a_question_for_a_time_is_told_from_others(question: str, asks: bool) -> None:
    assert asks_when(question) is asks


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("It was seen on 3 March 2024.", True),
        ("Empty it Fridays.", True),
        ("The monks lock up at nine.", True),
        ("We open in May.", True),
        ("Water it every 10 days.", True),
        ("Water it once the soil is dry.", True),
        ("You may visit it.", False),
        ("It weighs 12 kg and stands at 5 m.", False),
        ("Visitors are welcome.", False),
        ("毎週月曜に開く。", True),
        ("去年の夏に直した。", True),
        ("見学は歓迎する。", False),
    ],
)
def test_a_sentence_that_tells_a_time_is_told_from_others(sentence: str, tells: bool) -> None:
    assert tells_when(sentence) is tells
