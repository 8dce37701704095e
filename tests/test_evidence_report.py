"""The evidence report: what stands on the page, when it is refused, and the command and asset that write it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from dagster_project.cli.evidence import write_report as write_report_of_state
from dagster_project.cli.run import run_pipeline
from sekisho.catalogue import MapQuery
from sekisho.errors import GateRefused, InputError
from sekisho.evidence import gate
from sekisho.evidence.gate import report_shows_every_quote
from sekisho.evidence.marked import ALL_PLACES, LEAST, WHOLE, Places
from sekisho.evidence.material import GateSaid, Material, Scorecard, read_material
from sekisho.evidence.page import build_page
from sekisho.evidence.reading import read_page
from sekisho.evidence.report import render_page, write_report
from sekisho.evidence.shown import shown
from sekisho.mapping.mapped import Mapped
from sekisho.mapping.match import Candidate
from sekisho.records import Gap, KnowledgeBase, SourceText
from sekisho.retrieval import encoder
from sekisho.scorecards.mapping import Rates, shown_rates
from sekisho.scorecards.values import shown_figure
from sekisho.settings import load_settings
from sekisho.warehouse import Warehouse
from tests.conftest import ROOT, House, RememberingEncoder
from tests.graph import evaluate, materialise
from tests.report_material import FERRY, SOURCES, hostile_material, many, material_of
from tests.test_cli import sekisho

FIRST = "pet-safe-low-light"
NOTHING = KnowledgeBase(generation="", facts=(), sources=())


@pytest.fixture(scope="module")
def hostile() -> Material:
    return hostile_material()


def source(text: str) -> dict[str, SourceText]:
    return {"s": SourceText(source="s", path="s.md", text=text, sha256="")}


@pytest.mark.parametrize("length", [36, 500, WHOLE, WHOLE + 1, 3 * WHOLE, 40 * WHOLE])
@pytest.mark.parametrize("where", [0.0, 0.01, 0.5, 1.0])
def test_a_quote_stands_whole_in_what_is_shown_of_its_source(length: int, where: float) -> None:
    start = int((length - len(FERRY)) * where)
    text = "." * start + FERRY + "." * (length - start - len(FERRY))
    places = Places(source(text))
    assert places.add("s", start, start + len(FERRY)) == 1
    (marked,) = places.marked()
    assert marked.before + marked.quote + marked.after == text[marked.first : marked.last]
    assert (marked.quote, marked.first + len(marked.before)) == (FERRY, start)
    assert marked.last - marked.first == min(length, WHOLE) and marked.is_whole == (length <= WHOLE)


def test_a_place_is_shown_once_and_one_that_the_source_has_not_is_none() -> None:
    places = Places(source("A short text."))
    assert [places.add("s", 0, 1), places.add("s", 2, 7), places.add("s", 0, 1)] == [1, 2, 1]
    assert [places.add("s", 5, 99), places.add("s", 3, 3), places.add("s", -1, 2), places.add("other", 0, 1)] == [0] * 4
    assert [marked.quote for marked in places.marked()] == ["A", "short"]


def test_with_many_quotes_less_is_shown_around_each_and_the_page_keeps_its_size() -> None:
    text = "." * 3 * WHOLE
    for count in (1000, 2000, 15000):
        places = Places(source(text))
        for start in range(count):
            places.add("s", start, start + 1)
        shown_in_all = sum(marked.last - marked.first for marked in places.marked())
        assert shown_in_all == count * min(WHOLE, max(LEAST, ALL_PLACES // count))


@pytest.mark.parametrize("filling", ["\u200b", "\u200b\u200c"])
def test_characters_that_cannot_be_seen_count_as_what_stands_for_them(filling: str) -> None:
    text = filling * 4000 + FERRY + filling * 4000
    start = text.index(FERRY)
    places = Places(source(text))
    places.add("s", start, start + len(FERRY))
    (marked,) = places.marked()
    assert marked.quote == FERRY and marked.before and marked.after
    assert sum(len(shown(part)) for part in (marked.before, marked.quote, marked.after)) <= WHOLE


def test_a_row_of_hidden_characters_is_read_back_as_it_was() -> None:
    words = "At" + "\u200b" * 150_000 + "\u200c\u200b noon."
    page = f'<article data-answer="1"><p data-part="answer">{shown(words)}</p></article>'
    assert len(page) < 500 and read_page(page).answers[1].parts == {"answer": words}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>&'\"", "&lt;script&gt;&amp;&#39;&#34;"),
        ("a\u202eb", 'a<b class="u" data-u="202E">[U+202E]</b>b'),
        ("\x1b[2J", '<b class="u" data-u="001B">[U+001B]</b>[2J'),
        ("a\r\nb\rc", 'a&#13;\nb<b class="u" data-u="000D">[U+000D]</b>c'),
        ("\u200b\u3164", '<b class="u" data-u="200B">[U+200B]</b><b class="u" data-u="3164">[U+3164]</b>'),
        ("a" + "\u200b" * 500, 'a<b class="u" data-u="200B" data-n="500">[U+200B x500]</b>'),
        ("\ud800", '<b class="u" data-u="D800">[U+D800]</b>'),
        ("日本\u3000é\tא\n☀️", "日本\u3000é\tא\n☀️"),
        ("👩\u200d💻 ❤️\u200d🔥 a\u200db", '👩\u200d💻 ❤️\u200d🔥 a<b class="u" data-u="200D">[U+200D]</b>b'),
    ],
)
def test_text_becomes_html_in_which_everything_can_be_seen(text: str, html: str) -> None:
    assert str(shown(text)) == html


def test_the_same_state_is_the_same_bytes(hostile: Material) -> None:
    assert render_page(build_page(hostile)) == render_page(build_page(hostile_material()))


def test_the_page_read_back_has_the_original_characters(hostile: Material) -> None:
    read = read_page(render_page(build_page(hostile)))
    answer = hostile.published.answers[-1]
    assert read.answers[len(hostile.published.answers)].parts == {"question": answer.question, "answer": answer.answer}
    assert {place.source for place in read.places.values()} == set(SOURCES)
    assert report_shows_every_quote(render_page(build_page(hostile)), hostile.published) == []


def moved(text: str) -> str:
    """The page with one mark a word further on than the quote begins."""
    return text.replace('<mark tabindex="-1" autofocus>The ferry', 'The <mark tabindex="-1" autofocus>ferry', 1)


SPOILT: dict[str, tuple[Callable[[str], str], str, str]] = {
    "a mark that was moved": (moved, "question-00000", "does not mark the quote where it stands in plain"),
    "a source that was changed": (
        lambda text: text.replace("Bring a coat.", "Bring no coat", 1),
        "question-00000",
        "does not mark the quote where it stands in plain",
    ),
    "a quote that was changed": (
        lambda text: text.replace(f">{FERRY}</button>", ">The ferry leaves at night.</button>", 1),
        "question-00000",
        "the page has other quotes",
    ),
    "an answer that was changed": (
        lambda text: text.replace(">At noon.<", ">At midnight.<", 1),
        "question-00000",
        "the page has another question or answer",
    ),
    "an answer that is gone": (
        lambda text: text.replace('data-answer="10"', "", 1),
        "question-00099",
        "the page does not show it",
    ),
    "a fact that is gone": (lambda text: text.replace('data-fact="1"', "", 1), "emoji", "the page does not show it"),
    "a fact's value that was changed": (
        lambda text: text.replace("&lt;/script&gt; plain</span>", "&lt;/script&gt; fancy</span>", 1),
        "report.html",
        "it is not as it was written",
    ),
    "an answer that was put in": (
        lambda text: text.replace('<section id="withheld">', '<article>Yes.</article><section id="withheld">', 1),
        "report.html",
        "it is not as it was written",
    ),
    "a section that was hidden": (
        lambda text: text.replace('<section id="withheld">', '<section id="withheld" hidden>', 1),
        "report.html",
        "it is not as it was written",
    ),
    "words behind its end": (lambda text: text + "<p>Yes.</p>", "report.html", "it is not as it was written"),
    "no page": (lambda text: "", "plain", "the page does not show it"),
    "half a page": (
        lambda text: text[: text.index("<div popover")],
        "long",
        "does not mark the quote where it stands in long",
    ),
}


@pytest.mark.parametrize("what", SPOILT)
def test_d04_a_page_that_shows_something_else_is_found_out(what: str, hostile: Material) -> None:
    spoil, item, message = SPOILT[what]
    page = render_page(build_page(hostile))
    assert spoil(page) != page
    findings = report_shows_every_quote(spoil(page), hostile.published)
    assert any(found.item == item and message in found.message for found in findings), findings


def test_a_page_that_would_not_show_what_is_published_is_not_written(hostile: Material, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("the old one", encoding="utf-8")
    first = hostile.published.answers[0]
    forged = first.model_copy(update={"quotes": (first.quotes[0].model_copy(update={"start": 0, "end": 7}),)})
    with pytest.raises(GateRefused, match="question-00000: the page does not mark the quote where it stands in plain"):
        write_report(material_of(hostile.published.base, [forged]), path)
    assert path.read_text(encoding="utf-8") == "the old one"


def test_a_state_without_anything_says_so() -> None:
    text = render_page(build_page(material_of(NOTHING, [])))
    for told in ("Nothing is published yet.", "No answer is published.", "Nothing was turned back.", "No fact is"):
        assert told in text
    for empty in ("Past decisions", "Mappings", "Scorecards", "Spend", "USD"):
        assert empty not in text, "a section with nothing in it is none"


def test_the_head_says_when_and_how_much_and_the_ids_are_folded() -> None:
    material = many(3)
    answers = list(material.published.answers)
    answers[1] = answers[1].model_copy(update={"status": "unanswerable", "answer": "", "citations": (), "quotes": ()})
    since = "2026-11-30T17:30:19.783+00:00"
    text = render_page(build_page(material_of(material.published.base, answers, since=since, run="run-7")))
    head = text[text.index("<header>") : text.index("</header>")]
    assert "Published 30 Nov 2026, 17:30 UTC" in head and "19.783" not in head
    assert "<li><b>2</b> answers, 1 unanswerable</li>" in head
    folded = head[head.index("<details>") : head.index("</details>")]
    assert "0123456789abcdef" in folded and "run-7" in folded and head.count("run-7") == 1


def test_a_doubtful_mapping_stands_first_with_its_doubt_and_the_sure_ones_are_folded() -> None:
    scores = {"amygdala": 0.94, "Mushroom body": 0.12, "lapis lazuli": 0.00004}
    mappings = [
        Mapped(asked=MapQuery(query=query), top_k=1, candidates=(Candidate("G:1", "obsidian", score, {}),))
        for query, score in scores.items()
    ]
    text = render_page(build_page(material_of(NOTHING, [], mappings=mappings)))
    section = text[text.index('<section id="mappings">') : text.index('<section id="gates">')]
    doubtful, folded = section.split("<details><summary>1 that fit")
    assert "amygdala" in folded and "score 0.940" in folded and "not sure" not in folded
    body, lapis = doubtful.split("lapis lazuli")
    assert "? not sure: first candidate, score 0.120" in body
    assert "No record fits." in lapis and "not sure" not in lapis and "<b" not in lapis


def test_a_gate_that_only_warns_is_counted_apart_and_one_without_anything_to_look_at_is_folded() -> None:
    gates = (
        GateSaid("facts", "loud", False, "ERROR", "", "run-1", 3),
        GateSaid("facts", "soft", False, "WARN", "", "run-1", 3),
        GateSaid("facts", "fine", True, "ERROR", "", "run-1", 3),
        GateSaid("facts", "idle", True, "ERROR", "", "run-1", 0),
    )
    text = render_page(build_page(material_of(NOTHING, [], gates=gates, run="run-1")))
    assert '<li><b class="bad">1</b> of the 4 gates before this page say no; 1 warned</li>' in text
    before, folded = text.split("<details><summary>1 passed with nothing to look at</summary>")
    verdicts = [before[before.index(f"<td>{name}</td>") :].split("</tr>")[0] for name in ("loud", "soft", "fine")]
    for row, (kind, verdict) in zip(verdicts, [("bad", "failed"), ("warn", "warned"), ("good", "passed")], strict=True):
        assert f'<td class="{kind}">{verdict}</td>' in row
    assert "<td>idle</td>" not in before and "<td>idle</td>" in folded


def test_the_rates_of_a_page_have_the_names_and_figures_of_the_terminal() -> None:
    rates = Rates(count=64, hit_at_1=0.96875, hit_at_10=1.0, mrr=0.9765, hit_after_choice=None)
    told = {"queries": "64", "first": "96.9%", "among ten": "100.0%", "MRR": "0.977", "chosen": ""}
    assert shown_rates(rates) == told


def test_a_value_has_its_unit_and_what_a_note_leaves_out_is_named(house: House) -> None:
    units = read_material(load_settings(), house.warehouse, [], "").units
    assert units["watering_interval"] == "days"
    base = many(1).published.base
    fields = {"says": "at noon", "watering_interval": 10, "subject": None, "pests": []}
    fact = base.facts[0].model_copy(update={"fields": fields})
    text = render_page(build_page(material_of(base.model_copy(update={"facts": (fact,)}), [], units=units)))
    assert '<span class="says" dir="auto">10 days</span>' in text
    assert 'not stated: <span dir="auto">subject, pests</span>' in text


def test_a_column_without_any_figure_is_left_out_and_a_count_is_none_with_decimals(hostile: Material) -> None:
    text = render_page(build_page(hostile))
    section = text[text.index('<section id="scorecards">') :]
    assert "<th>figure 0 of the first stage</th>" in section and "<th>chosen</th>" not in section
    assert (shown_figure("drafts", 3.0), shown_figure("right", 2 / 3)) == ("3", "0.667")


def test_what_does_not_fit_is_counted() -> None:
    gaps = tuple(Gap(stage="answers", item=f"q{n:04}", gate="g", reason="r") for n in range(gate.MOST + 1))
    text = render_page(build_page(material_of(NOTHING, [], gaps=gaps)))
    assert "The first 2000 of 2001 are shown here." in text
    assert "q1999" in text and "q2000" not in text


def test_ten_times_the_answers_are_ten_times_the_page_at_the_most() -> None:
    small, large = (len(render_page(build_page(many(count)))) for count in (50, 500))
    assert large < 10 * small


def test_an_evaluation_that_cannot_be_made_costs_no_other_section(house: House) -> None:
    golden = house.data / "golden" / "recall.yaml"
    golden.parent.mkdir(exist_ok=True)
    golden.write_text("drafts: none\n", encoding="utf-8")
    settings = load_settings()
    cards = {card.title: card for card in read_material(settings, house.warehouse, [], "").scorecards}
    assert cards["Recall"].problem == "recall.yaml: a list of entries is expected, each with `draft`"
    assert cards["Mapping"] == Scorecard("Mapping")
    text = render_page(build_page(material_of(NOTHING, [], scorecards=tuple(cards.values()))))
    assert "Not measured: recall.yaml" in text and str(house.data) not in text


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample, and the state of one `sekisho run` in which a gate turned an answer back."""
    root = tmp_path_factory.mktemp("ran")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEKISHO_DATA", str(root / "data"))
        patch.setenv("SEKISHO_STATE", str(root / "state"))
        patch.setenv("MAP_USE_AI", "1")
        patch.setenv("SEKISHO_FIXTURES", str(ROOT / "data" / "demonstrations" / "ghost.yaml"))
        patch.setattr(encoder, "SentenceEncoder", RememberingEncoder)
        House(root).add_drafts()
        report = run_pipeline(progress=False)
        assert {gate.gate for gate in report.gates if not gate.passed} == {
            "citations_exist",
            "quotes_are_verbatim",
            "no_regression",
        }
    return root


@pytest.fixture
def state(ran: Path, house: House) -> House:
    """A copy of it that a test may spoil."""
    house.add_drafts()
    shutil.copytree(ran / "state", house.state)
    return house


def test_the_page_of_a_run_says_what_was_published_what_was_not_and_what_the_gates_said(
    state: House, ran: Path
) -> None:
    text = state.settings.report_path.read_text(encoding="utf-8")
    assert report_shows_every_quote(text, state.warehouse.published()) == []
    assert len(read_page(text).answers) == len(state.warehouse.answers()) == 2
    assert "hallucinated citation: 99-ghost-orchid" in text
    withheld = yaml.safe_load((ROOT / "data" / "demonstrations" / "ghost.yaml").read_text(encoding="utf-8"))
    assert withheld[f"query:{FIRST}"]["answer"] not in text, "an answer that was turned back is not shown"
    row = text[text.index("<td>citations_exist</td>") :].split("</tr>")[0]
    assert '<td class="bad">failed</td>' in row and "99-ghost-orchid" in row
    assert "<td>report_shows_every_quote</td>" not in text, "it has not spoken yet"
    for told in ("ADR-0013", "stands in this decision&#39;s summary", "Dropped: reason stands nowhere (1)"):
        assert told in text
    assert "data:image/png;base64," in text and "larger より大きい" in text
    assert str(ran) not in text and str(ROOT) not in text, "it is for people elsewhere"


def test_the_command_writes_the_same_bytes_elsewhere_and_says_what_is_on_them(state: House, tmp_path: Path) -> None:
    out = tmp_path / "mail" / "report.html"
    done = sekisho("report", "--out", str(out), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert out.read_bytes() == state.settings.report_path.read_bytes()
    assert (told["report"], told["bytes"]) == (str(out), out.stat().st_size)
    assert (told["answers"], told["withheld"], told["facts"], told["failed_gates"]) == (2, 1, 5, 2)
    assert told["warning_gates"] == 1, "the terminal has two that failed, and one that warned"


def test_the_command_needs_a_state(house: House) -> None:
    done = sekisho("report")
    assert done.returncode == 2 and "nothing is there to report on (run `sekisho run` first)" in done.stderr
    assert not house.state.exists()


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("state/warehouse.duckdb", "within the state folder"),
        ("data/new.html", "within the data folder"),
        ("pipe", "not a"),
    ],
)
def test_the_command_replaces_no_file_of_sekishos_own_and_no_pipe(
    where: str, told: str, house: House, tmp_path: Path
) -> None:
    house.state.mkdir(exist_ok=True)
    house.settings.warehouse_path.write_bytes(b"a warehouse")
    os.mkfifo(tmp_path / "pipe")
    out = {"state": house.state, "data": house.data}.get(where.partition("/")[0], tmp_path)
    out = out / where.rpartition("/")[2]
    with pytest.raises(InputError, match=told):
        write_report_of_state(out)
    assert house.settings.warehouse_path.read_bytes() == b"a warehouse" and (tmp_path / "pipe").is_fifo()
    assert not (house.data / "new.html").exists()


def test_d04_the_check_says_no_to_a_page_of_something_else(state: House) -> None:
    path = state.settings.report_path
    assert evaluate("evidence_report").success
    path.write_text(path.read_text(encoding="utf-8").replace("<mark", "<i").replace("</mark", "</i"), "utf-8")
    outcome = evaluate("evidence_report")
    assert outcome.failed_checks == {"report_shows_every_quote"}
    items = [item for item, _ in outcome.items("report_shows_every_quote")]
    assert "01-pothos" in items and "longest-between-waterings" in items


def test_it_is_made_too_where_a_gate_stops_the_rest_and_says_what_stands(state: House) -> None:
    broken = yaml.safe_load((ROOT / "data" / "demonstrations" / "broken-fact.yaml").read_text(encoding="utf-8"))
    state.overlay(broken)
    outcome = materialise("notes", "facts", "knowledge_base", "evidence_report")
    assert not outcome.success and "evidence_report" in outcome.materialised
    text = state.settings.report_path.read_text(encoding="utf-8")
    assert "fact count 4 != 5" in text and len(read_page(text).answers) == 2
    row = text[text.index("<td>fact_count_matches</td>") :].split("</tr>")[0]
    assert '<td class="bad">failed</td>' in row


def test_the_asset_fails_and_leaves_the_old_page_where_the_warehouse_was_changed(state: House) -> None:
    before = state.settings.report_path.read_bytes()
    answer = state.warehouse.answers()[0]
    forged = answer.model_copy(update={"quotes": (answer.quotes[0].model_copy(update={"start": 0, "end": 5}),)})
    Warehouse(state.settings.warehouse_path).publish_answers([forged], [])
    outcome = materialise("evidence_report")
    assert not outcome.success and "the report was not written" in outcome.failures
    assert state.settings.report_path.read_bytes() == before
