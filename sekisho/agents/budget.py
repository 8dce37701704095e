"""The budget of a run: no model call begins that could carry its cost past what may be spent."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from sekisho.agents.prices import Spent
from sekisho.agents.spend import LedgerLine, LedgerReader, Outcome, SpendLedger
from sekisho.errors import BudgetReached, SekishoError

_ROUNDING = 1e-9  # US dollars; sums of floats need it


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a budget stands, in US dollars.

    `spent_usd` is all that counts as spent; `unknown_usd`, a part of it, the upper bounds of attempts whose cost is not
    known, or not yet. `not_asked` are the keys of calls that it had no room for.
    """

    cap_usd: float
    spent_usd: float
    unknown_usd: float
    not_asked: tuple[str, ...]


class Tally:
    """What a ledger says of one run, with all its rounds: sums that grow with each line."""

    def __init__(self, scope: str | None) -> None:
        self._scope = scope
        self._known = 0.0
        self._open: dict[str, float] = {}
        self.dearest: dict[str, float] = {}
        self.not_asked: dict[str, str | None] = {}

    @property
    def unknown(self) -> float:
        """The upper bounds of all attempts whose cost is not known, or not yet."""
        return sum(self._open.values())

    @property
    def spent(self) -> float:
        """All that counts as spent."""
        return self._known + self.unknown

    def bound_of(self, attempts: Iterable[str]) -> float:
        """The upper bounds of some attempts that have not ended."""
        return sum(self._open.get(attempt, 0.0) for attempt in attempts)

    def add(self, lines: Iterable[LedgerLine]) -> None:
        """Count the lines of this run."""
        for line in lines:
            if line.scope == self._scope:
                self._add(line)

    def _add(self, line: LedgerLine) -> None:
        if line.outcome == "over_budget":
            self.not_asked[line.key] = line.run
        elif line.outcome == "started":
            self._open[line.attempt] = line.reserved_usd or 0.0
        else:
            self.not_asked.pop(line.key, None)
            if line.cost_usd is not None:
                self._open.pop(line.attempt, None)
                self._known += line.cost_usd
                self.dearest[line.model] = max(line.cost_usd, self.dearest.get(line.model, 0.0))


class Budget:
    """The most, in US dollars, that a run with all its rounds may spend on model calls.

    The ledger is all there is to it: an upper bound is written there before an attempt begins, and the real cost takes
    its place when the attempt ends. So it holds over threads, processes and a run that was killed and begun again. An
    attempt whose cost stays unknown keeps its upper bound.
    """

    def __init__(self, cap_usd: float, ledger: SpendLedger) -> None:
        self._cap = cap_usd
        self._ledger = ledger
        self._reader = LedgerReader(ledger.path)
        self._tally = Tally(ledger.scope)
        self._under_way: set[str] = set()
        self._ended = threading.Condition()

    def reserve(self, bound: float | None, *, key: str, prompt: str, model: str) -> str:
        """Put the most that an attempt can cost aside, and give the attempt's id; `BudgetReached` without room for it.

        Waits while attempts of this process are under way whose end may make room: an upper bound is many times what
        most attempts cost. Without a `bound` (nobody knows one) the attempt takes all that is left and so goes alone;
        it does not begin where less is left than the dearest attempt of this model has cost so far.
        """
        about = {"key": key, "prompt": prompt, "model": model}
        with self._ended:
            while True:
                with self._ledger_held():
                    self._tally.add(self._reader.new_lines())
                    wanted, hopeless = self._judge(bound, model)
                    if wanted is not None:
                        attempt = self._ledger.begin(**about, reserved=wanted)
                        self._under_way.add(attempt)
                        return attempt
                    if hopeless:
                        raise self._refused(bound, about)
                self._ended.wait()

    def end(self, attempt: str) -> None:
        """The attempt is over, whatever the ledger says of its cost."""
        with self._ended:
            self._under_way.discard(attempt)
            self._ended.notify_all()

    def _judge(self, bound: float | None, model: str) -> tuple[float | None, bool]:
        """What to put aside, or None; and whether no attempt that is under way can make room for it."""
        left = self._cap - self._tally.spent
        may_come_back = self._tally.bound_of(self._under_way)
        if bound is not None:
            fits = bound <= left + _ROUNDING
            return (bound if fits else None), bound > left + may_come_back + _ROUNDING
        least = max(self._tally.dearest.get(model, 0.0), _ROUNDING)
        return (left if left >= least else None), left + may_come_back < least

    def _refused(self, bound: float | None, about: dict[str, str]) -> BudgetReached:
        self._ledger.refuse(**about, reserved=bound or 0.0)
        call = "another call" if bound is None else f"a call that may cost up to {dollars(bound)}"
        return BudgetReached(
            f"not asked: the budget of {dollars(self._cap)} has no room left for {call}",
            item=about["key"],
            remedy="raise SEKISHO_BUDGET_USD and run again: only what is missing is asked",
        )

    @contextmanager
    def _ledger_held(self) -> Iterator[None]:
        path = self._ledger.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(path.with_name(f"{path.name}.lock"))
            lock.acquire()
        except OSError as error:
            raise SekishoError(
                f"cannot be locked: {error.strerror}", file=path, remedy="check the folder's rights"
            ) from None
        try:
            yield
        finally:
            lock.release()


class Account:
    """The ledger and the budget as one call sees them, either of which may be missing; used by one thread."""

    def __init__(self, ledger: SpendLedger | None, budget: Budget | None, *, key: str, prompt: str, model: str) -> None:
        self._ledger = ledger
        self._budget = budget
        self._about = {"key": key, "prompt": prompt, "model": model}
        self._attempt: str | None = None

    def reserve(self, bound: float | None) -> None:
        """Put the upper bound of an attempt aside; `BudgetReached` where there is no room. Nothing without a budget."""
        if self._budget is not None:
            self.leave()
            self._attempt = self._budget.reserve(bound, **self._about)

    def book(self, outcome: Outcome, spent: Spent) -> None:
        """Write how the attempt ended."""
        try:
            if self._ledger is not None:
                self._ledger.book(**self._about, outcome=outcome, spent=spent, attempt=self._attempt)
        finally:
            self.leave()

    def leave(self) -> None:
        """The attempt is over; where nothing was booked, its upper bound stays spent."""
        if self._budget is not None and self._attempt is not None:
            self._budget.end(self._attempt)
        self._attempt = None


def standing(ledger: Path, scope: str, cap_usd: float, run: str | None = None) -> Standing:
    """Where the budget of a run with all its rounds stands, from its ledger.

    With the `run` of a round, only what that round did not ask counts as not asked: it wants again all that is missing.
    """
    tally = Tally(scope)
    tally.add(LedgerReader(ledger).new_lines())
    rounded = round(tally.spent, 9), round(tally.unknown, 9)
    not_asked = sorted(key for key, by in tally.not_asked.items() if run is None or by == run)
    return Standing(cap_usd, *rounded, tuple(not_asked))


def dollars(amount: float) -> str:
    """An amount for people: two to six decimals."""
    whole, _, cents = f"{round(amount, 9):.6f}".partition(".")  # whatever the order of a sum
    return f"{whole}.{cents.rstrip('0').ljust(2, '0')} USD"
