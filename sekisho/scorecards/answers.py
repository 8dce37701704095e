"""The golden evaluation of answers: what should be answered from which sources, and how much of it is published."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import model_validator

from sekisho.errors import InputError
from sekisho.gates.finding import Finding
from sekisho.records import Answer, Gap, Question, Record
from sekisho.scorecards.baseline import Baseline, held_against
from sekisho.scorecards.golden import read_golden
from sekisho.scorecards.values import contains
from sekisho.text import is_blank, shortened

HIGHER_IS_BETTER = frozenset(
    {"right", "citation_precision", "citation_recall", "values_present", "rightly_unanswerable"}
)
LOWER_IS_BETTER = frozenset({"withheld_rate", "wrongly_answered_rate", "wrongly_unanswerable_rate"})
TOLERANCE = 0.01
DECISIVE = ("golden", "prompt", "questions", "schema")
_NOT_ASKED = "not answered yet: sekisho run"

Verdict = Literal["right", "withheld", "wrongly answered", "wrongly unanswerable", "not as expected"]


class GoldenAnswer(Record):
    """What should be published for one question: these `citations`, with these words in it, or that nothing answers it.

    `citations` are all sources that the answer should cite; `values` are texts that it must contain.
    """

    question: str
    citations: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    unanswerable: bool = False

    @model_validator(mode="after")
    def _expects_one_thing(self) -> Self:
        if self.unanswerable and (self.citations or self.values):
            raise ValueError("unanswerable, yet with citations or values: keep one of them")
        if not self.unanswerable and not self.citations:
            raise ValueError("names neither citations nor `unanswerable: true`")
        for name in ("citations", "values"):
            items = getattr(self, name)
            if len(set(items)) != len(items):
                raise ValueError(f"{name}: one of them stands twice")
            if any(is_blank(item) for item in items):
                raise ValueError(f"{name}: one of them is empty")
        return self


@dataclass(frozen=True, slots=True)
class Judged:
    """One question of the golden set and what was published for it.

    `missing` and `surplus` are source ids; `absent` are values that the answer does not contain. `precision` is None
    where nothing is cited, `recall` where no citation is expected. `why` is what turned a withheld answer back.
    """

    question: str
    verdict: Verdict
    cited: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    precision: float | None = None
    recall: float | None = None
    why: tuple[str, ...] = ()

    @property
    def told(self) -> dict[str, str]:
        """What is not as expected, in words for people; every part of it may be empty."""
        parts = {"missing": self.missing, "too much": self.surplus, "does not say": self.absent, "why": self.why}
        return {name: ", ".join(shortened(item, 80) for item in items) for name, items in parts.items()}


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """An evaluation: the figures, each a share from 0 to 1 but `questions`, and the questions behind them."""

    figures: dict[str, float]
    judged: tuple[Judged, ...]

    @property
    def cases(self) -> tuple[Judged, ...]:
        """The questions whose answer is not as expected."""
        return tuple(one for one in self.judged if one.verdict != "right")

    def as_dict(self) -> dict[str, Any]:
        """The evaluation as plain JSON values."""
        return {"figures": self.figures, "questions": [asdict(one) for one in self.judged]}


def load_golden_answers(path: Path, questions: Iterable[str], sources: Collection[str]) -> list[GoldenAnswer]:
    """The golden answers of a file, none without it; `InputError` names an entry that cannot be used, and the remedy.

    `questions` are the ids that are asked, `sources` those that can be cited.
    """
    golden, asked = read_golden(path, GoldenAnswer, "question"), set(questions)
    for case in golden:
        if case.question not in asked:
            remedy = "write it as in questions.yaml, or take the entry out"
            raise InputError("no such question", file=path, item=shortened(case.question), remedy=remedy)
        for source in case.citations:
            if source not in sources:
                told, remedy = f"no such source: {shortened(source)}", "write the note's path without its suffix"
                raise InputError(told, file=path, item=case.question, remedy=remedy)
    return golden


def score_answers(
    golden: Sequence[GoldenAnswer], questions: Iterable[Question], answers: Iterable[Answer], gaps: Iterable[Gap]
) -> AnswerScore:
    """Hold what is published, and what was turned back, against what is expected.

    Micro figures count citations over all questions, `..._by_question` are means over the questions. An answer to a
    question whose text was another one then is none to this one. A figure of nothing, such as the precision where
    nothing is cited, is left out.
    """
    texts = {question.id: question.question for question in questions}
    published = {answer.id: answer for answer in answers if answer.question == texts.get(answer.id)}
    reasons: dict[str, list[str]] = {}
    for gap in gaps:
        if gap.stage == "answers":
            reasons.setdefault(gap.item, []).append(gap.reason)
    judged = [_judge(case, published.get(case.question), reasons.get(case.question, [])) for case in golden]
    return AnswerScore(_figures(list(golden), judged) if golden else {}, tuple(judged))


def compare_answers(
    figures: Mapping[str, float], inputs: Mapping[str, str], baseline: Baseline | None
) -> list[Finding]:
    """What is worse than in the baseline, or cannot be compared with it; nothing where nothing was measured.

    Where another agent or model answered than the baseline's, its figures are another matter: none is judged.
    """
    # The replies of `mock` are what is measured, and no name of a model.
    same = baseline is None or all(inputs.get(name) == baseline.inputs.get(name) for name in ("agent", "model"))
    return held_against(
        figures,
        inputs,
        baseline,
        command="sekisho eval answers",
        decisive=DECISIVE,
        higher_is_better=HIGHER_IS_BETTER if same else (),
        lower_is_better=LOWER_IS_BETTER if same else (),
        tolerance=TOLERANCE,
    )


def _judge(case: GoldenAnswer, answer: Answer | None, reasons: Sequence[str]) -> Judged:
    recall = None if case.unanswerable else 0.0
    if answer is None:
        why = tuple(reasons) or (_NOT_ASKED,)
        return Judged(case.question, "withheld", missing=case.citations, absent=case.values, recall=recall, why=why)
    expected, cited = set(case.citations), set(answer.citations)
    missing = tuple(source for source in case.citations if source not in cited)
    surplus = tuple(source for source in answer.citations if source not in expected)
    absent = tuple(value for value in case.values if not contains(answer.answer, value))
    verdict: Verdict
    if case.unanswerable != (answer.status == "unanswerable"):
        verdict = "wrongly answered" if case.unanswerable else "wrongly unanswerable"
    else:
        verdict = "not as expected" if missing or surplus or absent else "right"
    return Judged(
        case.question,
        verdict,
        cited=answer.citations,
        missing=missing,
        surplus=surplus,
        absent=absent,
        precision=_share(len(cited & expected), len(cited)),
        recall=_share(len(cited & expected), len(expected)),
    )


def _figures(golden: list[GoldenAnswer], judged: list[Judged]) -> dict[str, float]:
    verdicts = [one.verdict for one in judged]
    answerable = [one for one, case in zip(judged, golden, strict=True) if not case.unanswerable]
    expected = sum(len(case.citations) for case in golden)
    values = sum(len(case.values) for case in golden)
    hits = expected - sum(len(one.missing) for one in judged)
    precisions = [one.precision for one in judged if one.precision is not None]
    recalls = [one.recall for one in judged if one.recall is not None]
    unanswerable = len(golden) - len(answerable)
    rightly = sum(one.verdict == "right" for one, case in zip(judged, golden, strict=True) if case.unanswerable)
    found = {
        "questions": float(len(golden)),
        "right": _share(verdicts.count("right"), len(golden)),
        "citation_precision": _share(hits, sum(len(one.cited) for one in judged)),
        "citation_recall": _share(hits, expected),
        "citation_precision_by_question": _mean(precisions),
        "citation_recall_by_question": _mean(recalls),
        "values_present": _share(values - sum(len(one.absent) for one in judged), values),
        "withheld_rate": _share(verdicts.count("withheld"), len(golden)),
        "rightly_unanswerable": _share(rightly, unanswerable),
        "wrongly_answered_rate": _share(verdicts.count("wrongly answered"), unanswerable),
        "wrongly_unanswerable_rate": _share(verdicts.count("wrongly unanswerable"), len(answerable)),
    }
    return {name: value for name, value in found.items() if value is not None}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 6) if values else None
