"""How a run says which round of the loop it is: in its tags, where people see it, too."""

from collections.abc import Mapping

from sekisho.errors import InputError
from sekisho.rounds import Round

REPAIR = "repair"
ROUND = "sekisho/round"
LIMIT = "sekisho/max_rounds"
PARENT = "sekisho/parent"
ROOT = "sekisho/root"
SHELL = "sekisho/until_done"


def tags_of(this: Round, parent: str = "", root: str = "") -> dict[str, str]:
    """The tags of a round's run; `parent` is the run before it, `root` the one at the beginning."""
    tags = {ROUND: this.number, LIMIT: this.limit, PARENT: parent, ROOT: root}
    return {name: str(value) for name, value in tags.items() if value}


def round_of(tags: Mapping[str, str]) -> Round | None:
    """The round that a run's tags name; None without them, `InputError` where they are no numbers from 1."""
    if ROUND not in tags:
        return None
    for name in (ROUND, LIMIT):
        if not tags.get(name, "1").isdecimal() or int(tags.get(name, "1")) < 1:
            raise InputError(f"{tags[name]!r} is no number from 1", item=f"tag {name}", remedy="correct the tag")
    return Round(int(tags[ROUND]), int(tags[LIMIT]) if LIMIT in tags else None)
