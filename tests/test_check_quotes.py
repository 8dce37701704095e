"""`sekisho check quotes`: claims of any model, judged line by line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sekisho.claims import LONGEST_LINE, judge, load_sources
from sekisho.errors import InputError
from sekisho.gates.quotes import Sources
from tests.conftest import ROOT

PROGRAM = Path(sys.executable).with_name("sekisho")
NOTES = ROOT / "data/notes"
GOOD = {"id": "good", "source": "04-calathea", "quote": "Calathea is non-toxic to cats and dogs"}
TEXT = "Calathea is non-toxic to cats and dogs. It is content with low to medium light."


def check(claims: bytes, *arguments: str, sources: Path = NOTES) -> subprocess.CompletedProcess[bytes]:
    command = [PROGRAM, "check", "quotes", "--sources", sources, *arguments]
    return subprocess.run(command, input=claims, capture_output=True, timeout=120)


def verdicts(claims: bytes) -> list[dict[str, Any]]:
    return [judged.as_dict() for judged in judge(io.BytesIO(claims), Sources({"04-calathea": TEXT}))]


def line(**fields: object) -> bytes:
    return json.dumps({**GOOD, **fields}).encode() + b"\n"


def test_each_line_has_its_verdict_in_order_and_any_that_is_turned_back_ends_1() -> None:
    claims = line() + line(id="cut", quote="toxic to cats and dogs") + line(id="ghost", source="04-calatea")
    done = check(claims)
    found = [json.loads(told) for told in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [(one["id"], one["accepted"], one["reason"]) for one in found] == [
        ("good", True, "exact"),
        ("cut", False, "truncated"),
        ("ghost", False, "unknown_source"),
    ]
    text = (NOTES / "04-calathea.md").read_text(encoding="utf-8")
    assert text[found[0]["start"] : found[0]["end"]] == GOOD["quote"]
    assert found[2]["hint"] == "04-calathea"
    assert b"accepted: 1 of 3" in done.stderr and b"truncated: 1" in done.stderr


def test_a_file_of_good_claims_ends_0_and_json_says_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_bytes(line() * 3)
    done = check(b"", str(file), "--json")
    assert (done.returncode, len(done.stdout.splitlines()), done.stderr) == (0, 3, b"")


def test_no_claims_at_all_are_nothing_turned_back() -> None:
    assert check(b"").returncode == 0


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"\n", "blank line"),
        (b"  \r\n", "blank line"),
        (b"{'id': 1}\n", "not JSON"),
        (b'{"id": "a", "source": "s", "quote": "q"\n', "not JSON"),
        (b'{"id": "a", "source": "s", "quote": NaN}\n', "not text: quote"),
        (b'{"id": ' + b"1" * 5000 + b', "source": "s", "quote": "q"}\n', "not text: id"),
        (b'{"id": "a", "id": "b", "source": "s", "quote": "q"}\n', 'the key "id" stands twice'),
        (b"[" * 100_000 + b"\n", "not JSON: nested too deeply"),
        (b'["id", "source", "quote"]\n', "no JSON object"),
        (b"null\n", "no JSON object"),
        (b'{"id": "a"}\n', "missing: source, quote"),
        (b'{"id": 1, "source": null, "quote": ["q"]}\n', "not text: id, source, quote"),
        (b'{"id": "\xff"}\n', "not utf-8 (byte 8)"),
        (b"\xef\xbb\xbf" + line(), "begins with a byte order mark"),
        (line(quote="q" * LONGEST_LINE), f"longer than {LONGEST_LINE} bytes"),
    ],
)
def test_a_malformed_line_is_its_own_error_and_stops_no_other(raw: bytes, problem: str) -> None:
    before, bad, after = verdicts(line() + raw + line())
    assert (before["reason"], after["reason"]) == ("exact", "exact")
    assert (bad["accepted"], bad["reason"], bad["line"]) == (False, "bad_line", 2)
    assert problem in bad["problem"]


@pytest.mark.parametrize("note", ['{"a": 1, "a": 2}', "NaN", "-Infinity", "1" * 6000, "1e999999", '[{"id": "x"}]'])
def test_what_is_odd_in_an_ignored_key_does_not_make_the_line_bad(note: str) -> None:
    raw = line().replace(b"}", f', "note": {note}, "note": {note}}}'.encode())
    assert [one["reason"] for one in verdicts(raw)] == ["exact"]


@pytest.mark.parametrize(
    ("closed", "told"),
    [("<&-", b"standard input"), (">&-", b"standard output"), (">/dev/full", b"standard output")],
)
@pytest.mark.parametrize("flag", ["", "--json"])
def test_a_stream_that_is_closed_or_full_is_named_and_ends_2(closed: str, told: bytes, flag: str) -> None:
    command = f"'{PROGRAM}' check quotes --sources '{NOTES}' {flag} {closed}"
    done = subprocess.run(command, shell=True, input=line(), capture_output=True, timeout=120)
    assert done.returncode == 2
    assert told in done.stderr and b"Traceback" not in done.stderr and b"Exception" not in done.stderr


@pytest.mark.parametrize("closed", ["2>/dev/full", "2>&-"])
def test_a_standard_error_that_takes_nothing_costs_no_verdict(closed: str, tmp_path: Path) -> None:
    (tmp_path / "04-calathea.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "sjis.txt").write_bytes("観葉植物".encode("shift_jis"))
    command = f"'{PROGRAM}' check quotes --sources '{tmp_path}' {closed}"
    done = subprocess.run(command, shell=True, input=line() * 3, capture_output=True, timeout=120)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 3)


def test_a_last_line_without_its_end_is_a_line() -> None:
    assert [one["reason"] for one in verdicts(line() + line().strip())] == ["exact", "exact"]


def test_a_line_of_the_greatest_length_is_judged_and_one_byte_more_is_not() -> None:
    padding = LONGEST_LINE - len(line(note="")) + 1
    fits, too_long, next_one = verdicts(line(note="x" * padding) + line(note="x" * (padding + 1)) + line())
    assert (fits["reason"], too_long["reason"], next_one["reason"]) == ("exact", "bad_line", "exact")


def test_a_gate_that_breaks_turns_that_claim_back_and_no_other() -> None:
    class Breaking(Sources):
        def check(self, source: str, quote: str) -> Any:
            if quote == "break":
                raise ZeroDivisionError("by nought")
            return super().check(source, quote)

    found = list(judge(io.BytesIO(line(quote="break") + line()), Breaking({"04-calathea": TEXT})))
    assert [(one.accepted, one.reason) for one in found] == [(False, "gate_failed"), (True, "exact")]
    assert "ZeroDivisionError" in found[0].problem


def test_hostile_ids_reach_no_terminal_and_come_back_as_they_were() -> None:
    hostile = "\x1b]0;owned\x07\u202e\x9b31m\u2028\ud800"
    done = check(line(id=hostile))
    assert done.returncode == 0 and done.stdout.isascii() and b"\x1b" not in done.stdout
    assert json.loads(done.stdout)["id"] == hostile


def test_verdicts_come_as_the_claims_do() -> None:
    command = [PROGRAM, "check", "quotes", "--sources", NOTES, "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None and running.stdout is not None
        for number in range(3):  # the pipe stays open: a program that waited for its end would never answer
            running.stdin.write(line(id=str(number)))
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["id"] == str(number)
        running.communicate()
    assert running.returncode == 0


def test_a_reader_that_has_seen_enough_is_no_crash() -> None:
    command = f"'{PROGRAM}' check quotes --sources '{NOTES}' | head -n 1"
    done = subprocess.run(command, shell=True, input=line() * 20_000, capture_output=True, timeout=120)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == b""


def test_memory_does_not_grow_with_the_number_of_claims() -> None:
    def peak(count: int) -> int:
        command = [PROGRAM, "check", "quotes", "--sources", NOTES, "--json"]
        running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        assert running.stdin is not None
        for _ in range(count):
            running.stdin.write(line(note="x" * 2000))
        running.stdin.close()
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        assert running.returncode == 0
        return used.ru_maxrss

    assert peak(20_000) - peak(100) < 8_000  # kB; the claims themselves are 42 MB


def test_sources_that_cannot_be_used_are_told_and_the_rest_is_used(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "twin.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "twin.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "sjis.txt").write_bytes("観葉植物".encode("shift_jis"))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "カ\u3099.md").write_text(TEXT, encoding="utf-8")
    claims = line(source="a") + line(source="deep/ガ") + line(source="twin") + line(source="sjis")
    done = check(claims, sources=tmp_path)
    reasons = [json.loads(told)["reason"] for told in done.stdout.splitlines()]
    assert reasons == ["exact", "exact", "unknown_source", "unknown_source"]
    told = done.stderr.decode()
    assert "duplicate source: twin: all left out: twin.md, twin.txt" in told
    assert "sjis.txt: left out: not utf-8 (byte 0)" in told


def test_no_folder_no_file_and_nothing_to_read_end_2(tmp_path: Path) -> None:
    for done in (check(b"", sources=tmp_path / "none"), check(b"", str(tmp_path / "none.jsonl"))):
        assert done.returncode == 2 and b"none" in done.stderr and b"Traceback" not in done.stderr
    assert check(b"", sources=tmp_path).returncode == 2
    with pytest.raises(InputError, match="no source can be read here"):
        load_sources(tmp_path)


def test_a_file_for_a_folder_and_a_folder_for_a_file_are_told_as_such(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("One lamp burns.", encoding="utf-8")
    assert b"a file, not a folder" in check(b"", sources=file).stderr
    assert b"a folder, not a file" in check(b"", str(tmp_path), sources=tmp_path).stderr


def test_an_id_that_a_mac_took_apart_is_the_same_id() -> None:
    claims = io.BytesIO(json.dumps({"id": "1", "source": "cafe\u0301", "quote": "One lamp burns"}).encode())
    (judged,) = judge(claims, Sources({"caf\u00e9": "One lamp burns."}))
    assert judged.reason == "exact"


def test_the_same_name_in_another_folder_is_the_nearest_id() -> None:
    sources = Sources({"contracts/lease": "One lamp burns.", "leaflet": "Two lamps burn."})
    assert sources.check("lease", "One lamp burns").hint == "contracts/lease"


def test_what_is_no_text_is_told_before_anything_is_judged() -> None:
    with pytest.raises(InputError, match="s: its text is of the type int"):
        Sources({"s": 5})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="two texts, not of NoneType"):
        Sources({"s": "One lamp burns."}).check("s", None)  # type: ignore[arg-type]


def test_a_terminal_gets_lines_for_people() -> None:
    import pty

    leader, follower = pty.openpty()
    command = [PROGRAM, "check", "quotes", "--sources", NOTES]
    claims = line(id="\x1b[2J[red]x", source="04-calatea")
    done = subprocess.run(command, input=claims, stdout=follower, stderr=subprocess.PIPE, timeout=120)
    os.close(follower)
    shown = os.read(leader, 10_000).decode()
    os.close(leader)
    assert done.returncode == 1
    assert "\\x1b[2J[red]x" in shown and "unknown_source" in shown and "nearest known: 04-calathea" in shown


def test_the_three_lines_of_python_in_the_documents_do_what_they_say() -> None:
    for name in ("README.md", "docs/gates.md"):
        code = (ROOT / name).read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
        assert sum(1 for one in code.splitlines() if one) == 3
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout == "False truncated non-\n"
