"""The local agent, with the real model: what it copies stands in the text, and what is not said it leaves out."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
import yaml

from sekisho.agents.backends import make_agent
from sekisho.agents.base import Call
from sekisho.agents.local.agent import LocalAgent
from sekisho.agents.local.polarity import polarity
from sekisho.agents.local.quantities import quantities
from sekisho.agents.prompts import RenderedPrompt
from sekisho.dates import dates
from sekisho.errors import AgentAbstained, AgentUnavailable
from sekisho.extract import make_extractor
from sekisho.ingest import IngestReply
from sekisho.schema import FactReply, NotesSchema
from sekisho.sources.folder import DataFolder
from sekisho.units import canonical, convert
from tests.conftest import ROOT, House
from tests.graph import materialise

FERRIES = {
    "title": "Ferries",
    "fields": {
        "name": {"type": "str", "description": "Name of the ferry the note is about."},
        "crossing_minutes": {
            "type": "int",
            "unit": "minutes",
            "description": "Duration of one crossing in minutes, not that of another ferry.",
        },
        "bicycles_carried": {"type": "bool", "description": "Whether passengers may take a bicycle on board."},
        "deck": {
            "type": "enum",
            "values": {
                "open": "All passengers stand or sit outdoors, in wind and rain.",
                "covered": "Passengers sit indoors in a heated cabin with windows.",
            },
            "description": "Where the passengers of the ferry travel.",
        },
        "launched": {"type": "date", "description": "Day on which the ferry was launched.", "required": False},
        "crew": {"type": "int", "unit": "people", "description": "Number of people in the crew.", "required": False},
    },
}
NOTES = {
    "01-gannet.md": """# Gannet

The Gannet was launched on 4 May 1998. One crossing with her takes 25 minutes, against 40 for the older Puffin.
Everybody sits outdoors on wooden benches, so bring a coat for the wind and the rain.

- Bicycles are welcome on board.
- She has a crew of three.
""",
    "02-marlin.txt": """Marlin is the fast one. A crossing lasts 12 minutes; her sister ship needs 20 minutes.
Bicycles are not allowed on board, and never were.
You travel in a heated cabin with large windows and soft seats.
""",
    "03-seal.md": """# Seal

On the Seal passengers stand on the open deck in all weathers, with nothing over their heads.
The crossing takes about 50 minutes. No bicycles can be taken along.
""",
}
QUESTIONS = [
    {"id": "coat", "question": "On which ferry should I bring a coat?"},
    {"id": "tax", "question": "How much income tax does a dentist pay?"},
    {"id": "minutes", "question": "How many crossing minutes for the Marlin?"},
]
GOLD: dict[str, dict[str, Any]] = {
    "01-gannet": {
        "name": "Gannet",
        "crossing_minutes": 25,
        "bicycles_carried": True,
        "deck": "open",
        "launched": "1998-05-04",
        "crew": 3,
    },
    "02-marlin": {
        "name": "Marlin",
        "crossing_minutes": 12,
        "bicycles_carried": False,
        "deck": "covered",
        "launched": None,
        "crew": None,
    },
    "03-seal": {
        "name": "Seal",
        "crossing_minutes": 50,
        "bicycles_carried": False,
        "deck": "open",
        "launched": None,
        "crew": None,
    },
}


@pytest.fixture
def ferries(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A domain that no rule or threshold was made with."""
    monkeypatch.setenv("IECQ_AGENT", "local")
    shutil.rmtree(house.data / "notes")
    for name, text in NOTES.items():
        house.note(name, text)
    (house.data / "notes.schema.yaml").write_text(yaml.safe_dump(FERRIES, sort_keys=False), encoding="utf-8")
    (house.data / "questions.yaml").write_text(yaml.safe_dump(QUESTIONS), encoding="utf-8")
    return house


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> LocalAgent:
    monkeypatch.setenv("IECQ_AGENT", "local")
    from sekisho.settings import load_settings

    made = make_agent(load_settings())
    assert isinstance(made, LocalAgent)
    return made


def only(agent: LocalAgent, text: str, **spec: Any) -> tuple[Any, str | None]:
    """The value and evidence of one optional field."""
    spec = {"required": False, **spec}
    name = spec.pop("name", "field")
    reply = agent.extract("note", text, {name: spec})
    return reply["fields"][name], reply["evidence"][name]


def test_the_whole_line_runs_over_a_domain_it_has_never_seen(ferries: House) -> None:
    outcome = materialise()
    assert outcome.success, outcome.failures or ferries.settings.gaps_path.read_text(encoding="utf-8")
    base = ferries.warehouse.knowledge()
    assert {fact.source: fact.fields for fact in base.facts} == GOLD
    texts = {source.source: source.text for source in base.sources}
    for fact in base.facts:
        assert all(quote in texts[fact.source] for quote in fact.evidence.values())
        assert fact.provenance.agent == "local" and fact.provenance.model
    answers = {answer.id: answer for answer in ferries.warehouse.answers()}
    assert answers["coat"].citations == ("01-gannet",)
    for quote in answers["coat"].quotes:
        assert texts[quote.source][quote.start : quote.end] == quote.text
    assert answers["coat"].answer == answers["coat"].quotes[0].text
    assert answers["minutes"].answer == "A crossing lasts 12 minutes; her sister ship needs 20 minutes."
    assert (answers["tax"].status, answers["tax"].answer, answers["tax"].citations) == ("unanswerable", "", ())


def test_two_runs_give_the_same_bytes(ferries: House) -> None:
    outputs = []
    for _ in range(2):
        materialise()
        outputs.append(
            (ferries.settings.compiled_path.read_bytes(), [a.model_dump() for a in ferries.warehouse.answers()])
        )
        ferries.settings.warehouse_path.unlink()
        ferries.settings.compiled_path.unlink()
    assert outputs[0] == outputs[1]


def test_what_is_not_said_makes_a_gap_that_names_the_field(ferries: House) -> None:
    ferries.note(
        "03-seal.md", "# Seal\n\nPassengers stand on the open deck in all weathers. No bicycles can be taken along.\n"
    )
    materialise()
    gap = next(gap for gap in ferries.warehouse.gaps() if gap.stage == "facts")
    assert gap.item == "03-seal.md"
    name, crossing = gap.reason.split("; ")
    assert name == 'local: the evidence found for "name" would be turned back by a gate', "one word proves nothing"
    assert re.fullmatch(r'no sentence says "crossing_minutes" \((?:no candidate|best \S+ < \S+)\)', crossing)
    assert not ferries.settings.compiled_path.exists()


def test_a_required_field_without_support_abstains_with_the_best_score(agent: LocalAgent) -> None:
    spec = {"bicycles": {"type": "bool", "description": "Whether passengers may take a bicycle on board."}}
    with pytest.raises(
        AgentAbstained, match=r'^local: no sentence says "bicycles" \((no candidate|best .* < 0\.25)\)$'
    ):
        agent.extract("note", "The harbour café sells soup. Its roof was painted green.", spec)


def test_what_a_gate_would_turn_back_is_not_proposed(agent: LocalAgent) -> None:
    text = "# Widget\n\n`widget run` makes *widgets*, and a widget is small.\n"
    spec = {"type": "str", "description": "The name of what the note is about."}
    name, evidence = only(agent, text, name="subject", **spec)
    assert (name, evidence) == (None, None), "a heading of one word is evidence of nothing"
    with pytest.raises(AgentAbstained, match='the evidence found for "subject" would be turned back by a gate'):
        agent.extract("note", text, {"subject": {"required": True, **spec}})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dogs are allowed everywhere.", True),
        ("Dogs are not allowed here.", False),
        ("No dogs are allowed on the beach.", False),
        ("Dogs have been banned since June.", False),
        ("Nobody objects to dogs being allowed.", True),
        ("Are dogs allowed? Sure.", True),
        ("Are dogs allowed? Certainly not.", False),
        ("Are dogs allowed? No, and they never were.", False),
        ("Dogs allowed: no.", False),
        ("---\ndogs allowed: true\n---\nA beach.", True),
        ("Dogs are allowed, unlike on the other beach, where they are banned.", True),
    ],
)
def test_a_negation_turns_the_value_round(agent: LocalAgent, text: str, expected: bool) -> None:
    value, evidence = only(agent, text, type="bool", name="dogs_allowed", description="Whether dogs are allowed.")
    assert value is expected
    assert evidence is not None and evidence in text


@pytest.mark.parametrize(
    ("clause", "sign"),
    [
        ("it is safe", 1),
        ("it is not safe", -1),
        ("it is unsafe", -1),
        ("it is toxic", -1),
        ("it is non-toxic", 1),
        ("this isn't dangerous", 1),
        ("安全である", 1),
        ("安全ではない", -1),
        ("立入禁止", -1),
        ("禁止ではない", 1),
        ("利用不可", -1),
        ("it is blue", 0),
    ],
)
def test_polarity_of_a_clause(clause: str, sign: int) -> None:
    assert (polarity(clause) > 0) - (polarity(clause) < 0) == sign


def test_numbers_are_told_from_their_distractors(agent: LocalAgent) -> None:
    text = (
        "Pump 7 came in 2021 for 950 euros. It weighs 31.5 kg, whereas the old one was 44 kg. "
        "It runs at 6 bar for 3 hours. Service it on the 2nd of May."
    )
    value, evidence = only(
        agent, text, type="float", unit="kg", name="weight", description="Weight of the pump in kilograms."
    )
    assert (value, evidence) == (31.5, "It weighs 31.5 kg, whereas the old one was 44 kg.")
    assert only(agent, text, type="int", unit="m", name="length", description="Length in metres.") == (None, None)


def test_quantities_and_units_are_read_without_guessing() -> None:
    found = {
        str(one.value): one.units
        for one in quantities("4,2 km, 1,150 m, ８８キロ, 12 °C, twelve seats, 1 to 13 mm, $5, B20")
    }
    expected = {"4.2": ("km",), "1150": ("m",), "88": ("km", "kg"), "12": (), "5": ("USD",)}
    assert found == expected
    assert [one.units for one in quantities("It is −5 °C. 800 g")] == [("°C",), ("g",)]
    assert convert(Decimal(800), "m", "km") == Decimal("0.8")
    assert convert(Decimal(2), "week", "day") == 14
    assert convert(Decimal(1), "mile", "km") is None
    assert canonical("kilometres") == "km" and canonical("seats") is None


@pytest.mark.parametrize(
    "written",
    [
        "2024-03-03",
        "3 March 2024",
        "March 3, 2024",
        "the 3rd of March 2024",
        "3 Mar 2024",
        "2024年3月3日",
        "２０２４年３月３日",
    ],
)
def test_dates_are_read_as_people_write_them(written: str) -> None:
    assert [one.date.isoformat() for one in dates(f"It was seen on {written}, late.")] == ["2024-03-03"]
    assert dates("03/04/2024, 31 February 2024, May 2024") == []


def test_a_japanese_note_with_a_japanese_schema(agent: LocalAgent) -> None:
    text = (
        "# 望遠鏡スバルＫ５\n\nスバルＫ５は展示室にある。重さは１２キロで、以前の型は２０キロだった。\n"
        "一般の人の使用は禁止されている。点検日は２０２４年３月３日。\n"
    )
    fields = {
        "名前": {"type": "str", "description": "機器の名前"},
        "重さ": {"type": "float", "unit": "kg", "description": "機器の重さ"},
        "使用": {"type": "bool", "description": "一般の人の使用が許可されているか"},
        "点検日": {"type": "date", "description": "点検日"},
    }
    reply = agent.extract("note", text, fields)
    assert reply["fields"] == {"名前": "望遠鏡スバルＫ５", "重さ": 12.0, "使用": False, "点検日": "2024-03-03"}
    assert all(quote in text for quote in reply["evidence"].values())


def test_lists_of_names_and_of_values(agent: LocalAgent) -> None:
    text = "Keys: Ana Reyes and Tom are trusted with a key. Pia is not. The door is red or blue, never green."
    people = {"type": "list", "items": "str", "name": "key_people", "description": "People who are trusted with a key."}
    assert only(agent, text, **people)[0] == ["Ana Reyes", "Tom"]
    colours = {"type": "list", "items": "enum", "name": "door", "description": "Colours of the door."}
    assert only(agent, text, values={"red": "", "blue": "", "green": ""}, **colours)[0] == ["red", "blue"]


def test_five_threads_give_what_one_gives(agent: LocalAgent) -> None:
    fields = {name: {**spec, "required": False} for name, spec in FERRIES["fields"].items()}  # type: ignore[attr-defined]
    jobs = list(NOTES.items()) * 5
    alone = [LocalAgent(agent._encoder).extract(name, text, fields) for name, text in jobs]
    with ThreadPoolExecutor(5) as pool:
        together = list(pool.map(lambda job: agent.extract(*job, fields), jobs))
    assert together == alone


def test_the_sample_notes_become_facts_of_the_users_type(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IECQ_AGENT", "local")
    outcome = materialise()
    assert outcome.success, outcome.failures
    first = next(answer for answer in house.warehouse.answers() if answer.id == "pet-safe-low-light")
    assert first.citations == ("04-calathea",)


def test_calls_it_cannot_do_are_refused_and_ingest_passes_through(agent: LocalAgent) -> None:
    prompt = RenderedPrompt("x", "", {}, "")
    passed = Call("ingest:x", prompt, IngestReply, {}, {"text": "a"}, pass_through={"text": "a"})
    assert agent.propose(passed).content == {"text": "a"}
    with pytest.raises(AgentUnavailable, match="IECQ_AGENT"):
        agent.propose(Call("rerank:1", prompt, IngestReply, {}))


def test_its_name_and_fingerprint_say_rules_and_model(agent: LocalAgent) -> None:
    assert agent.name == "local"
    assert re.fullmatch(r"local:\d+:[0-9a-f]{16}", agent.fingerprint)


def test_a_reply_has_the_shape_that_the_schema_asks_for(house: House, agent: LocalAgent) -> None:
    schema: NotesSchema = DataFolder(house.data).notes_schema
    extractor = make_extractor(agent, ROOT / "prompts", schema)
    text = (house.data / "notes" / "01-pothos.md").read_text(encoding="utf-8")
    value: FactReply = extractor.ask("extract:01-pothos", {"source": "01-pothos", "text": text}).value
    assert value.fields.model_dump(by_alias=True)["watering_interval"] == 10


def test_empty_and_wordless_texts_abstain_without_error(agent: LocalAgent) -> None:
    fields = {name: {**spec, "required": False} for name, spec in FERRIES["fields"].items()}  # type: ignore[attr-defined]
    for text in ("", "\n---\n", "?", "* \n* \n", "１"):
        assert not any(agent.extract("note", text, fields)["fields"].values())
    assert agent.answer("Why?", [])["status"] == "unanswerable"


@pytest.mark.parametrize("words", ["every 10 000 days", "every 1\u200b0 days", f"every {'9' * 400} days"])
def test_a_number_is_the_whole_of_what_stands_there_or_none(words: str) -> None:
    assert all(quantity.value not in (0, 10) for quantity in quantities(f"Water it {words}."))
    assert not quantities(f"Water it every {'9' * 5000} days.")
