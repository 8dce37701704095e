"""The whole graph with a model behind HTTP: what goes wrong with one document stays with that document."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Request, Response

from tests.conftest import House
from tests.graph import materialise
from tests.model_calls import CANARY, Bench, bench, http
from tests.wire import Answer, asked_text, content, error, tool_call

__all__ = ["bench", "http"]
_QUESTIONS = {
    "Which plant is safe": "query:pet-safe-low-light",
    "Which plant can": "query:longest-between-waterings",
    "Which": "query:frost",
}


class Model:
    """Answers the sample's prompts from its fixtures; `faults` holds what comes first for a key."""

    def __init__(self, house: House, bench: Bench, faults: dict[str, list[Answer]] | None = None) -> None:
        self.asked: Counter[str] = Counter()
        self._house = house
        self._faults = {key: list(answers) for key, answers in (faults or {}).items()}
        bench.server.script(self._answer)

    def _answer(self, request: Request) -> Response:
        key = self._key(asked_text(request))
        self.asked[key] += 1
        pending = self._faults.get(key)
        if pending:
            answer = pending.pop(0)
            return answer if isinstance(answer, Response) else answer(request)
        return tool_call(self._house.fixture(key))

    def _key(self, prompt: str) -> str:
        text = prompt.replace('\\"', '"')
        document = re.search(r'Document \("(.*?)"\)', text)
        if document:
            return f"extract:{document[1]}"
        question = re.search(r'Question:\\n"(.*?)"', text)
        assert question is not None
        return next((key for start, key in _QUESTIONS.items() if question[1].startswith(start)), "query:frost")


@pytest.fixture
def openai_house(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setenv("IECQ_AGENT", "openai/gpt-4o-mini")
    shutil.rmtree(house.data / "decisions")  # nothing here is about them, and each is a text to encode
    return house


def spend(house: House) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.settings.spend_path.read_text(encoding="utf-8").splitlines()]


def test_p02_the_sample_is_published_through_a_provider_and_a_second_run_asks_nothing(
    openai_house: House, bench: Bench
) -> None:
    model = Model(openai_house, bench)
    outcome = materialise()
    assert outcome.success and not outcome.failed_checks
    assert len(openai_house.warehouse.knowledge().facts) == 5 and len(openai_house.warehouse.answers()) == 3
    assert set(model.asked.values()) == {1} and len(model.asked) == 8
    fact = openai_house.warehouse.knowledge().facts[0]
    assert (fact.provenance.agent, fact.provenance.model) == ("openai/gpt-4o-mini", "gpt-4o-mini")
    compiled = openai_house.settings.compiled_path.read_bytes()
    assert materialise().success
    assert sum(model.asked.values()) == 8 and len(spend(openai_house)) == 8
    assert openai_house.settings.compiled_path.read_bytes() == compiled


def test_faults_of_single_documents_and_questions_leave_their_neighbours_alone(
    openai_house: House, bench: Bench
) -> None:
    calathea = openai_house.fixture("extract:04-calathea")
    pothos = openai_house.fixture("extract:01-pothos")
    wrong = {**pothos, "fields": {**pothos["fields"], "pet_safe": "no", "watering_interval": "10"}}
    longest = openai_house.fixture("query:longest-between-waterings")
    model = Model(
        openai_house,
        bench,
        {
            "extract:01-pothos": [tool_call(wrong)],
            "extract:02-spider-plant": [error(429, retry_after="0.2")],
            "extract:03-snake-plant": [error(500, retry_after="0.05"), tool_call('{"fields": {')],
            "extract:04-calathea": [content("```json\n" + json.dumps(calathea, ensure_ascii=False) + "\n```")],
            "query:longest-between-waterings": [tool_call({**longest, "certainty": 1})],
            "query:frost": [tool_call('{"status": "unan', finish="length")] * 9,
        },
    )
    outcome = materialise()
    assert len(openai_house.warehouse.knowledge().facts) == 5
    assert [answer.id for answer in openai_house.warehouse.answers()] == [
        "pet-safe-low-light",
        "longest-between-waterings",
    ]
    assert outcome.success and {item for item, _ in outcome.items("citations_are_present")} == {"frost"}
    (gap,) = {(gap.item, gap.reason) for gap in openai_house.warehouse.gaps() if gap.stage == "answers"}
    assert gap[0] == "frost" and "the reply was cut at the token limit (4096)" in gap[1]
    assert model.asked == {
        "extract:01-pothos": 2,
        "extract:02-spider-plant": 2,
        "extract:03-snake-plant": 3,
        "extract:04-calathea": 1,
        "extract:05-zz-plant": 1,
        "query:pet-safe-low-light": 1,
        "query:longest-between-waterings": 2,
        "query:frost": 1,
    }
    booked = Counter((line["key"], line["outcome"]) for line in spend(openai_house))
    assert booked[("extract:03-snake-plant", "failed")] == booked[("extract:03-snake-plant", "invalid")] == 1
    assert booked[("extract:02-spider-plant", "rate_limited")] == booked[("query:frost", "length")] == 1
    assert len(spend(openai_house)) == sum(model.asked.values())
    log = openai_house.settings.log_path.read_text(encoding="utf-8").splitlines()
    assert {line["run"] for line in spend(openai_house)} == {json.loads(line)["run"] for line in log}
    before = sum(model.asked.values())
    materialise()
    assert sum(model.asked.values()) - before == 1, "only the question without a reply is asked again"


def test_a_document_cut_by_length_is_a_gap_and_the_gate_holds_the_base_back(openai_house: House, bench: Bench) -> None:
    cut = tool_call('{"fields": {"name": "Spi', finish="length")
    model = Model(openai_house, bench, {"extract:02-spider-plant": [cut]})
    outcome = materialise()
    assert len(openai_house.warehouse.facts()) == 4, "the neighbours are facts"
    assert not openai_house.warehouse.knowledge().facts
    assert ("facts", "fact count 4 != 5") in outcome.items("fact_count_matches")
    assert "02-spider-plant.md" in openai_house.settings.gaps_path.read_text(encoding="utf-8")
    assert model.asked["extract:02-spider-plant"] == 1
    assert materialise().success, "the next run asks for that document alone"
    assert model.asked == {key: 2 if key == "extract:02-spider-plant" else 1 for key in model.asked}


def test_a_key_that_is_refused_is_at_most_one_request_a_document_and_in_no_file(
    openai_house: House, bench: Bench, tmp_path: Path
) -> None:
    bench.server.script(error(401, f"Incorrect API key provided: {CANARY}"))
    outcome = materialise()
    assert not outcome.success and 1 <= len(bench.server.requests) <= 5, "what had not begun is not begun"
    reasons = [gap.reason for gap in openai_house.warehouse.gaps() if gap.stage == "facts"]
    assert len(reasons) == 5 and all("access denied (HTTP 401)" in reason for reason in reasons)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes(), path
