"""What is told when: each failure once, new items of it once, its end once; as text that no channel misreads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.alerts import Alert, Offence, Severity, Standing, Subject, Verdict, judge, message_of
from sekisho.alerts.message import neutral
from sekisho.text import fold

CHECK = Subject(kind="check", on="draft_answers", name="citations_exist")
QUOTES = Subject(kind="check", on="draft_answers", name="quotes_are_verbatim")
GHOST = "hallucinated citation: 99-ghost-orchid"


def verdict(at: float, *items: str, subject: Subject = CHECK, severity: Severity = "ERROR", total: int = 0) -> Verdict:
    """A verdict of the run `run-<at>`: passed without items, else failed by them."""
    return Verdict(
        subject=subject,
        passed=not items,
        run=f"run-{at:g}",
        at=at,
        job="pipeline",
        severity=severity,
        total=total or len(items),
        offences=tuple(Offence(item=item, reason=GHOST) for item in items),
    )


def told(*verdicts: Verdict, minimum: Severity | None = "ERROR") -> list[tuple[str, str]]:
    """Kind and run of each alert, the verdicts taken in one at a time."""
    standings: dict[Subject, Standing] = {}
    alerts: list[Alert] = []
    for found in verdicts:
        standings, new = judge(standings, [found], minimum)
        alerts += new
    return [(alert.kind, alert.verdict.run) for alert in alerts]


def test_a_check_that_keeps_failing_for_the_same_items_is_told_once_and_its_end_once() -> None:
    found = told(verdict(1), verdict(2, "a"), verdict(3, "a"), verdict(4, "a"), verdict(5), verdict(6))
    assert found == [("failed", "run-2"), ("recovered", "run-5")]


def test_a_failure_after_the_end_of_another_is_a_new_one() -> None:
    found = told(verdict(1, "a"), verdict(2), verdict(3, "a"))
    assert found == [("failed", "run-1"), ("recovered", "run-2"), ("failed", "run-3")]


def test_new_offending_items_are_told_once_and_fewer_of_them_are_not() -> None:
    found = told(verdict(1, "a", "b"), verdict(2, "a", "b", "c"), verdict(3, "a", "b", "c"), verdict(4, "b"))
    assert found == [("failed", "run-1"), ("worse", "run-2")]


def test_another_reason_for_the_same_item_is_no_new_failure() -> None:
    first, second = verdict(1, "a"), verdict(2, "a")
    second = second.model_copy(update={"offences": (Offence(item="a", reason="recall 0.93"),)})
    assert told(first, second) == [("failed", "run-1")]


def test_where_a_check_lists_only_its_first_items_one_that_moves_up_is_not_new_and_a_greater_number_is() -> None:
    first = [f"item {number}" for number in range(50)]
    moved = [*first[1:], "item 50"]
    assert told(verdict(1, *first, total=60), verdict(2, *moved, total=59)) == [("failed", "run-1")]
    assert told(verdict(1, *first, total=60), verdict(2, *first, total=61))[1] == ("worse", "run-2")
    assert told(verdict(1, *first), verdict(2, *moved))[1] == ("worse", "run-2")


def test_several_findings_for_one_item_do_not_hide_a_new_item() -> None:
    assert told(verdict(1, "a", "a", "a"), verdict(2, "a", "b"))[1] == ("worse", "run-2")


def test_an_older_verdict_that_arrives_later_changes_nothing() -> None:
    assert told(verdict(5), verdict(2, "a"), verdict(5)) == []
    assert told(verdict(5, "a"), verdict(2), verdict(5, "a", "b")) == [("failed", "run-5")]


def test_what_is_below_the_least_severity_is_told_once_it_rises_and_its_end_only_if_it_was_told() -> None:
    assert told(verdict(1, "a", severity="WARN"), verdict(2)) == []
    risen = [verdict(1, "a", severity="WARN"), verdict(2, "a"), verdict(3)]
    assert told(*risen) == [("failed", "run-2"), ("recovered", "run-3")]
    assert told(*risen, minimum="WARN") == [("failed", "run-1"), ("worse", "run-2"), ("recovered", "run-3")]


def test_what_fails_while_nobody_listens_is_told_as_soon_as_somebody_does() -> None:
    standings, alerts = judge({}, [verdict(1, "a"), verdict(2, "a", "b")], None)
    assert alerts == []
    standings, alerts = judge(standings, [], "ERROR")
    assert [(alert.kind, alert.verdict.run, alert.since_run) for alert in alerts] == [("failed", "run-2", "run-1")]
    assert judge(standings, [], "ERROR")[1] == []


def test_two_checks_of_an_asset_that_refuse_the_same_items_are_one_alert_that_names_both() -> None:
    both = [verdict(1, "a"), verdict(1, "a", subject=QUOTES).model_copy(update={"at": 1.5})]
    standings, alerts = judge({}, both, "ERROR")
    assert [(alert.verdict.subject.name, alert.also) for alert in alerts] == [("citations_exist", (QUOTES.name,))]
    assert "fails for the same items: quotes_are_verbatim" in message_of(alerts[0]).body
    standings, alerts = judge(standings, [verdict(2), verdict(2, subject=QUOTES)], "ERROR")
    assert [(alert.kind, alert.also) for alert in alerts] == [("recovered", (QUOTES.name,))]
    assert "passes again too: quotes_are_verbatim" in message_of(alerts[0]).body


@pytest.mark.parametrize(
    "second",
    [
        verdict(1, "a", "b", subject=QUOTES),
        verdict(1, "a", subject=QUOTES, total=9),
        verdict(1, "a", subject=Subject(kind="check", on="answers", name="answers_are_verified")),
        verdict(2, "a", subject=QUOTES),
    ],
)
def test_a_check_with_an_item_of_its_own_has_an_alert_of_its_own(second: Verdict) -> None:
    assert len(judge({}, [verdict(1, "a"), second], "ERROR")[1]) == 2


def test_an_error_is_not_hidden_in_the_alert_of_a_warning() -> None:
    both = [verdict(1, "a", severity="WARN"), verdict(1, "a", subject=QUOTES)]
    assert [alert.verdict.severity for alert in judge({}, both, "WARN")[1]] == ["WARN", "ERROR"]


@given(st.lists(st.lists(st.sampled_from("abc"), unique=True), max_size=12), st.integers(0, 12))
def test_it_does_not_matter_in_how_many_batches_or_how_often_verdicts_arrive(found: list[list[str]], cut: int) -> None:
    verdicts = [verdict(at, *items) for at, items in enumerate(found, 1)]
    expected = judge({}, verdicts, "ERROR")
    standings, first = judge({}, verdicts[:cut], "ERROR")
    standings, again = judge(standings, verdicts[:cut], "ERROR")
    standings, rest = judge(standings, verdicts, "ERROR")
    assert (standings, [*first, *again, *rest]) == expected
    kinds = [alert.kind for alert in expected[1]]
    assert kinds.count("failed") - kinds.count("recovered") in (0, 1)


def test_a_message_names_asset_check_severity_run_items_and_reasons_and_where_to_look() -> None:
    items = [f"question-{number}" for number in range(9)]
    _, (alert,) = judge({}, [verdict(1_767_582_000.0, *items)], "ERROR")
    message = message_of(alert, ui_url="https://dagster.example/ui/")
    assert message.title == "Sekisho: citations_exist on draft_answers fails"
    assert message.tone == "failure"
    assert message.body.splitlines() == [
        "asset: draft_answers",
        "check: citations_exist (ERROR)",
        "run: run-1.76758e+09 of pipeline, 2026-01-05 03:00 UTC",
        *[f"- question-{number}: {GHOST}" for number in range(5)],
        "and 4 more",
        "https://dagster.example/ui/runs/run-1.76758e%2B09",
        "https://dagster.example/ui/assets/draft_answers?view=checks",
    ]
    assert "http" not in message_of(alert).body


def test_a_message_on_a_run_names_the_job_the_steps_and_the_causes() -> None:
    subject = Subject(kind="job", on="pipeline")
    broken = verdict(1, "facts", subject=subject)
    standings, (failed,) = judge({}, [broken], "ERROR")
    _, (over,) = judge(standings, [verdict(2, subject=subject)], "ERROR")
    assert message_of(failed).title == "Sekisho: job pipeline failed"
    assert f"- facts: {GHOST}" in message_of(failed).body
    assert message_of(over).title == "Sekisho: job pipeline succeeds again"
    assert "failing since: run run-1, " in message_of(over).body
    assert message_of(over).tone == "success"


def test_nothing_in_an_item_is_markup_a_mention_or_a_link_and_it_still_reads_and_folds_the_same() -> None:
    hostile = "<b>x</b> [click](http://evil.example) `a` *b* _c_ @everyone <!channel> &amp; ~~d~~ |e| \\ snake_case_id"
    shown = neutral(hostile)
    assert not set("<>[]`*@&~|\\") & set(shown)
    assert "://" not in shown and "_c_" not in shown and "snake_case_id" in shown
    assert fold(shown).text == fold(hostile).text
    assert neutral("a\nb\x1b[31m\u202e") == "a＼nb＼x1b［31m＼u202e"


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=60))
def test_a_message_is_of_bounded_size_whatever_the_items_are(rows: list[tuple[str, str]]) -> None:
    offences = tuple(Offence(item=item * 50, reason=reason * 50) for item, reason in rows)
    found = verdict(1, "x").model_copy(update={"offences": offences, "total": len(rows)})
    _, (alert,) = judge({}, [found], "ERROR")
    message = message_of(alert)
    assert len(message.body) < 5 * (10 * 340 + 60) + 300 and len(message.title) < 100
    assert len(message.body.splitlines()) <= 3 + 5 + 1
    assert Alert.model_validate_json(alert.model_dump_json()) == alert


def test_an_end_that_nobody_heard_is_told_once_to_the_next_who_listens_and_before_what_came_later() -> None:
    def later(minimum: Severity | None, *found: Verdict) -> list[tuple[str, str, str]]:
        nonlocal standings
        standings, alerts = judge(standings, found, minimum)
        return [(alert.kind, alert.verdict.run, alert.since_run) for alert in alerts]

    standings, _ = judge({}, [verdict(1, "a")], "ERROR")
    assert later(None, verdict(2)) == []
    assert later("ERROR") == [("recovered", "run-2", "run-1")]
    assert later("ERROR", verdict(3)) == []
    assert later("ERROR", verdict(4, "a")) == [("failed", "run-4", "run-4")]
    assert later(None, verdict(5)) == [] and later(None, verdict(6, "a")) == [] and later(None, verdict(7)) == []
    assert later("ERROR", verdict(8, "b")) == [("recovered", "run-5", "run-4"), ("failed", "run-8", "run-8")]
    assert later(None, verdict(9), verdict(10, "c")) == []
    assert later("ERROR") == [("recovered", "run-9", "run-8"), ("failed", "run-10", "run-10")]


@pytest.mark.parametrize("first", [verdict(9000), verdict(9000, "z")])
def test_a_verdict_dated_by_a_clock_that_was_ahead_silences_nothing(first: Verdict) -> None:
    standings, _ = judge({}, [first], "ERROR", now=9001)
    standings, alerts = judge(standings, [verdict(100, "a")], "ERROR", now=101)
    assert [alert.verdict.run for alert in alerts] == ["run-100"]
    standings, alerts = judge(standings, [verdict(100, "a")], "ERROR", now=102)
    assert alerts == []
    standings, alerts = judge(standings, [verdict(200)], "ERROR", now=201)
    assert [alert.kind for alert in alerts] == ["recovered"]


def test_where_the_order_of_the_runs_is_known_no_clock_counts() -> None:
    def ordered(order: int, found: Verdict) -> Verdict:
        return found.model_copy(update={"order": order})

    first, second, third = ordered(1, verdict(9000)), ordered(2, verdict(100, "a")), ordered(3, verdict(50))
    assert told(first, second, first, second, third, second) == [("failed", "run-100"), ("recovered", "run-50")]
    _, alerts = judge({}, [third, second, first], "ERROR")
    assert [alert.kind for alert in alerts] == ["failed", "recovered"]
    assert told(first, second, verdict(90)) == [("failed", "run-100")], "what a check said last may have been read"
