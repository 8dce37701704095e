"""Killing runs at seeded points and holding what they leave behind against the old and the new state."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sekisho.warehouse import Published, Warehouse
from tests.crash.world import End, Look, World, agreement, arrived, between, dump, look

LINKS = 4  # so many runs in a row are killed before one may end


@dataclass(frozen=True)
class Plan:
    """How a chain of runs is killed: by its changes to the `state` (or Dagster's, too), or by the clock.

    `first` says that nothing was published before.
    """

    how: str
    first: bool = False
    workers: int = 1


PLANS = (
    Plan("state"),
    Plan("state", first=True),
    Plan("state", workers=5),
    Plan("dagster"),
    Plan("clock"),
    Plan("clock", first=True, workers=5),
)


@dataclass
class Tally:
    """What came of all points; `wrong` names each that is not as it should be."""

    kills: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    finished: int = 0
    kept: int = 0
    repeated: int = 0
    unread: int = 0
    wrong: list[str] = field(default_factory=list)


class Killer:
    """Kills runs of one world; `tally` counts what they left."""

    def __init__(self, world: World, seed: int) -> None:
        self._world = world
        self._random = random.Random(seed)
        self.tally = Tally()
        old = Warehouse(world.old / "warehouse.duckdb").published()
        new = Warehouse(world.new / "warehouse.duckdb").published()
        self._looks = look(world, world.after, world.old), look(world, world.after, world.new)
        self._names = {
            dump(old.base, old.answers): "old",
            between(old, new): "new base, its answers to come",
            dump(new.base, new.answers): "new",
            between(new, new): "new",  # published anew by a later run: its own answers still hold
        }
        self._fresh = {
            dump(_NOTHING.base, _NOTHING.answers): "old",
            dump(new.base, ()): "new base, its answers to come",
        }
        self._fresh |= {dump(new.base, new.answers): "new", between(new, new): "new"}
        self._lengths: dict[Plan, float] = {}

    def chain(self, plan: Plan, most: int = LINKS) -> None:
        """Kill up to `most` runs of one state in a row, looking at it after each, then let one end."""
        state = self._world.root / "point"
        shutil.rmtree(state, ignore_errors=True)
        if not plan.first:
            shutil.copytree(self._world.old, state)
        self._world.asked.clear()
        free: Counter[str] = Counter()  # calls whose replies a killed process had not read
        for _ in range(most):
            end = self._kill(plan, state, free)
            if not end.killed:
                break
        else:
            end = self._world.run(self._world.after, state, workers=plan.workers)
            self.tally.runs += 1
        self._ended(plan, state, free, end)

    def _kill(self, plan: Plan, state: Path, free: Counter[str]) -> End:
        order: dict[str, float | bool | str] = {}
        if plan.how == "clock":
            order["kill_after"] = self._random.uniform(0.05, 0.9 * self._lengths.get(plan, 6.0))
        else:
            most = self._world.steps if plan.how == "state" else 20_000
            order |= {"step": self._random.randint(1, int(0.8 * most)), "ours": plan.how == "state"}
        before, asked = arrived(state), Counter(self._world.asked)
        end = self._world.run(self._world.after, state, workers=plan.workers, **order)
        self.tally.runs += 1
        if not end.killed:
            return end
        self.tally.kills[plan.how] += 1
        self.examine(plan, order, state)
        now = arrived(state)
        if before.keys() - now.keys():
            self._wrong(plan, order, f"replies were lost: {sorted(before.keys() - now.keys())}")
        new = Counter(now[call] for call in now.keys() - before.keys())
        unread = self._world.asked - asked - new
        free += unread
        self.tally.kept += new.total()
        self.tally.unread += unread.total()
        return end

    def examine(self, plan: Plan, order: object, state: Path) -> None:
        """Count what a run that did not end well left published; anything but the old or the new state is wrong."""
        try:
            seen = look(self._world, self._world.after, state)
        except Exception as error:
            self._wrong(plan, order, f"it cannot be read: {error}")
            return
        name = (self._fresh if plan.first else self._names).get(seen.published)
        self.tally.left[name or "something else"] += 1
        wrong = [] if name else ["what is published is neither the old nor the new"]
        wrong += seen.wrong
        old, new = (_EMPTY if plan.first else self._looks[0]), self._looks[1]
        compiled = {"old": {old.compiled}, "new": {new.compiled}}.get(name or "", {old.compiled, new.compiled})
        if seen.compiled not in (compiled | {old.compiled}):
            wrong.append("compiled.json is neither the old nor the new")
        for what in wrong:
            self._wrong(plan, order, what)

    def _ended(self, plan: Plan, state: Path, free: Counter[str], end: End) -> None:
        """Hold what the run that was not killed left against what one does before which none was."""
        self.tally.finished += 1
        self._lengths[plan] = end.seconds
        if not end.told.get("passed"):
            self._wrong(plan, "the run that ended", f"did not end well: {end}")
            return
        seen, new = look(self._world, self._world.after, state), self._looks[1]
        wrong: list[str] = []
        wrong += [*seen.wrong, *agreement(self._world, self._world.after, state)]
        for name in ("published", "compiled", "gaps"):
            if getattr(seen, name) != getattr(new, name):
                wrong.append(f"{name}: not that of a run that was never killed")
        for key, count in self._world.asked.items():
            again = count - 1 - free[key]
            if again > 0:
                self.tally.repeated += again
                wrong.append(f"{key}: asked {count} times, {free[key]} replies were not read")
        for what in wrong:
            self._wrong(plan, "the run that ended", what)

    def _wrong(self, plan: Plan, order: object, what: str) -> None:
        self.tally.wrong.append(f"{plan} {order}: {what}")


_NOTHING = Published(Warehouse(Path("/nowhere")).knowledge(), (), ())
_EMPTY = Look(dump(_NOTHING.base, ()), b"", b"", "", ())


def soak(world: World, seed: int, kills: int) -> Iterator[Tally]:
    """Kill that many runs, plan after plan; yields the tally after each chain."""
    killer = Killer(world, seed)
    number = 0
    while sum(killer.tally.kills.values()) < kills:
        killer.chain(PLANS[number % len(PLANS)])
        number += 1
        yield killer.tally
