"""The bill: the ledger by month, prompt and model, whatever else stands in it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from dagster_project.cli.spend import show_bill
from dagster_project.definitions import defs
from sekisho.agents.prices import Spent
from sekisho.agents.spend import LedgerReader, SpendLedger
from sekisho.bill import BillRow, read_bill
from sekisho.errors import SekishoError
from sekisho.settings import load_settings
from tests.conftest import House
from tests.graph import materialise
from tests.test_cli import sekisho
from tests.test_graph import GRAPH, LOOKS_BACK


def line(at: str = "2026-10-05T12:00:00.000+00:00", **fields: Any) -> str:
    told = {"at": at, "key": "extract:a", "prompt": "extract", "model": "openai/x", "outcome": "ok", "run": "r1"}
    cost = {"input_tokens": 100, "output_tokens": 10, "cost_usd": 0.25}
    return json.dumps(told | cost | fields)


def ledger(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "llm_spend.jsonl"
    path.write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    return path


def test_rows_are_by_month_in_utc_prompt_and_model_with_rejected_output_apart(tmp_path: Path) -> None:
    bill = read_bill(
        ledger(
            tmp_path,
            line("2026-11-01T00:30:00.000+09:00"),  # still October in UTC
            line(outcome="invalid", cost_usd=0.5),
            line(key="extract:b", outcome="length", cost_usd=0.125),
            line(key="extract:b", outcome="rate_limited", input_tokens=0, output_tokens=0, cost_usd=0),
            line(key="extract:b", run="r2", cost_usd=None),
            line("2026-11-01T00:00:00.000+00:00", prompt="query", key="query:q", outcome="refusal"),
            line("2026-10-31T23:59:59.999+00:00", model="anthropic/y"),
        )
    )
    assert bill.rows == (
        BillRow("2026-10", "extract", "anthropic/y", 1, 1, 100, 10, 0.25, 0.25, 0, 0, 0),
        BillRow("2026-10", "extract", "openai/x", 3, 5, 400, 40, None, 0.875, 1, 2, 0.625),
        BillRow("2026-11", "query", "openai/x", 1, 1, 100, 10, 0.25, 0.25, 0, 1, 0.25),
    )
    assert (bill.usd, bill.unknown_cost, bill.malformed, bill.problem) == (1.375, 1, (), "")


def test_an_attempt_that_was_begun_counts_once_and_one_without_an_end_is_of_unknown_cost(tmp_path: Path) -> None:
    begun = {"outcome": "started", "cost_usd": None, "reserved_usd": 0.9}
    bill = read_bill(
        ledger(
            tmp_path,
            line(**begun, attempt="1"),
            line(attempt="1"),
            line(**begun, attempt="2", key="extract:b"),
            line(outcome="over_budget", cost_usd=None, key="extract:c"),
        )
    )
    (row,) = bill.rows
    assert (row.calls, row.attempts, row.usd, row.known_usd, row.unknown_cost) == (2, 2, None, 0.25, 1)


def test_malformed_lines_are_counted_and_named_and_spoil_no_other(tmp_path: Path) -> None:
    bad = ["not json", "[]", "", line(cost_usd=-1), line(cost_usd="1"), line(at="yesterday"), line(outcome="bought")]
    path = ledger(tmp_path, line(), *bad, line(cost_usd=float("nan")), line(at="2026-10-05T12:00:00"), line())
    with path.open("ab") as file:
        file.write(b'{"at": "2026-10-\xff')
    bill = read_bill(path)
    assert bill.rows[0].attempts == 2 and bill.usd == 0.5
    assert bill.malformed == (*range(2, 11), 12)
    assert bill.problem == "malformed lines: 10 (2, 3, 4, 5, 6, 7, 8, 9, 10, 12)"


EDGES = ["9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00"]


@pytest.mark.parametrize(
    "bad",
    [*({"at": at} for at in EDGES), {"cost_usd": 1.7e308}, {"input_tokens": 10**400}, {"output_tokens": 10**16}],
    ids=["latest", "earliest", "dollars", "input", "output"],
)
def test_a_figure_beyond_all_measure_is_named_and_left_out(tmp_path: Path, bad: dict[str, Any]) -> None:
    bill = read_bill(ledger(tmp_path, line(), line(**bad), line(**bad), line()))
    assert (bill.usd, bill.malformed) == (0.5, (2, 3))


def test_the_largest_figures_still_add_up_to_json(tmp_path: Path) -> None:
    bill = read_bill(ledger(tmp_path, *[line(cost_usd=1e12, input_tokens=10**15)] * 50))
    assert not bill.malformed and json.loads(json.dumps(bill.as_dict(), allow_nan=False))["usd"] == 5e13


def test_the_asset_makes_the_bill_of_a_ledger_with_a_time_that_utc_does_not_have(house: House) -> None:
    house.state.mkdir(exist_ok=True)
    ledger(house.state, line(), *(line(at=at) for at in EDGES))
    outcome = materialise("llm_spend")
    assert outcome.success


@pytest.mark.parametrize("figure", [10**400, 10**30, float("nan"), float("inf"), -1], ids=str)
def test_a_figure_that_no_call_can_have_is_booked_as_unknown(tmp_path: Path, figure: Any) -> None:
    path = tmp_path / "llm_spend.jsonl"
    about = {"key": "extract:a", "prompt": "extract", "model": "openai/x"}
    SpendLedger(path, "r1").book(**about, outcome="ok", spent=Spent(figure, figure, figure))
    (booked,) = LedgerReader(path).new_lines()
    assert (booked.input_tokens, booked.output_tokens, booked.cost_usd) == (None, None, None)


SHORT_WRITE = """
import resource, sys
from pathlib import Path
from sekisho.agents.prices import Spent
from sekisho.agents.spend import SpendLedger
from sekisho.errors import SekishoError
path = Path(sys.argv[1])
most = path.stat().st_size + 60
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
ledger = SpendLedger(path, "r1")
try:
    ledger.begin(key="k", prompt="extract", model="openai/x", reserved=1.0)
except SekishoError as error:
    print(error)
"""


def test_a_line_that_the_disk_takes_only_a_part_of_is_an_error_and_spoils_no_other(tmp_path: Path) -> None:
    path = ledger(tmp_path, line())
    done = subprocess.run([sys.executable, "-c", SHORT_WRITE, path], capture_output=True, text=True, check=True)
    assert "only 60 of the" in done.stdout and "make room on the disk" in done.stdout
    about = {"key": "extract:a", "prompt": "extract", "model": "openai/x"}
    SpendLedger(path, "r1").book(**about, outcome="ok", spent=Spent(1, 1, 1.0))
    bill = read_bill(path)
    assert (bill.usd, bill.malformed) == (1.25, (2,))


def test_a_missing_ledger_is_an_empty_bill_and_one_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    assert read_bill(tmp_path / "none.jsonl").rows == ()
    with pytest.raises(SekishoError, match="cannot be read"):
        read_bill(tmp_path)


def test_a_reader_goes_on_where_it_was_and_waits_for_the_end_of_a_line(tmp_path: Path) -> None:
    path = ledger(tmp_path, line())
    reader = LedgerReader(path)
    assert len(reader.new_lines()) == 1 and reader.new_lines() == []
    with path.open("a", encoding="utf-8") as file:
        file.write(line()[:20])
    assert reader.new_lines() == []
    about = {"key": "extract:a", "prompt": "extract", "model": "openai/x"}
    SpendLedger(path, "r1").book(**about, outcome="ok", spent=Spent(1, 1, 1.0))
    assert [found.cost_usd for found in reader.new_lines()] == [1.0] and reader.malformed == [2]


def test_the_asset_shows_the_bill_and_comes_last_in_a_run_but_for_the_report(house: House) -> None:
    house.state.mkdir()
    ledger(house.state, line(), line(outcome="invalid"), "broken")
    result = defs.resolve_job_def("pipeline").execute_in_process(
        instance=dg.DagsterInstance.ephemeral(),
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
    )
    made = [event.asset_key.to_user_string() for event in result.get_asset_materialization_events() if event.asset_key]
    assert made[-2:] == ["llm_spend", "evidence_report"] and len(made) == len(GRAPH) - len(LOOKS_BACK)
    shown = result.asset_materializations_for_node("llm_spend")[0].metadata
    assert (shown["dagster/row_count"].value, shown["usd"].value) == (1, 0.5)
    assert shown["problem"].value == "malformed lines: 1 (3)"
    assert "| 2026-10 | extract | openai/x | 1 | 2 |" in str(shown["preview"].value)


def test_the_asset_is_made_also_where_the_run_stops_at_a_gate(house: House) -> None:
    house.overlay({"extract:03-snake-plant": {"fields": {}, "evidence": {}}})
    outcome = materialise()
    assert not outcome.success and "llm_spend" in outcome.materialised


def test_the_command_prints_the_same_bill(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no model call was booked" in sekisho("spend").stdout
    house.state.mkdir()
    ledger(house.state, line(), line(model="openai/\x1b[31m", outcome="invalid", cost_usd=None), "broken")
    done = sekisho("spend", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["malformed"] == [3]
    assert [row["usd"] for row in json.loads(done.stdout)["rows"]] == [None, 0.25]
    show_bill(read_bill(load_settings().spend_path))
    told = capsys.readouterr()
    assert "spent: 0.2500 USD, and 1 attempts of unknown cost" in told.out and "\x1b[31m" not in told.out
    assert "0.0000" in told.out and told.out.count("unknown") == 3, "of the row, of its rejected part, and of the sum"
    assert "malformed lines: 1 (3)" in told.err
