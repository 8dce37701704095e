"""The committed baseline of a golden evaluation: its figures, and the digests of all that they were measured with."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from sekisho.errors import InputError
from sekisho.gates.finding import Finding
from sekisho.publish import is_no_file, write_atomically
from sekisho.sources.inside import kept_inside

GATE = "no_regression"
_Figure = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Baseline:
    """`inputs` names each thing that decides the figures (a prompt, a filter, a data set), by its digest."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    inputs: dict[str, str]
    figures: dict[str, _Figure]


_BASELINE = TypeAdapter(Baseline)


def read_baseline(path: Path) -> Baseline | None:
    """The baseline in a file; None without the file, `InputError` where it cannot be read or is none."""
    remedy = "restore it from version control, or write it again with --write-baseline"
    try:
        kept_inside(path, path.parents[2])  # the data folder
        if is_no_file(path):  # a pipe would be waited for
            raise InputError("not a regular file", file=path, remedy=remedy)
        return _BASELINE.validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path, remedy="check its rights") from None
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise InputError("not what --write-baseline writes", file=path, item=place or None, remedy=remedy) from None


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline: the same one is the same bytes; a figure that is no number is refused with `ValueError`.

    `InputError` where a link would lead it out of the data folder.
    """
    kept_inside(path, path.parents[2])
    text = json.dumps(asdict(baseline), ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    write_atomically(path, text + "\n")


def readable_baseline(path: Path) -> Baseline | None:
    """The same for whoever only shows it: None too where it cannot be read, which the check tells."""
    try:
        return read_baseline(path)
    except InputError:
        return None


def held_against(
    figures: Mapping[str, float],
    inputs: Mapping[str, str],
    baseline: Baseline | None,
    *,
    command: str,
    decisive: Collection[str],
    higher_is_better: Collection[str],
    lower_is_better: Collection[str],
    tolerance: float,
) -> list[Finding]:
    """What is worse than in a baseline, or cannot be compared with it; nothing where nothing was measured.

    A change of one of the `decisive` inputs makes another measurement of it; `command` is what writes a new baseline.
    """
    if not figures:
        return []
    if baseline is None:
        return [Finding(GATE, "baseline", f"no baseline is there: `{command} --write-baseline` writes one")]
    stale = [name for name in stale_inputs(inputs, baseline) if name in decisive]
    told = f"measured with another {', '.join(stale)}: measure again, and commit the baseline with the change"
    return ([Finding(GATE, "baseline", told)] if stale else []) + regressions(
        figures,
        baseline,
        higher_is_better=higher_is_better,
        lower_is_better=lower_is_better,
        tolerance=tolerance,
    )


def regressions(
    figures: Mapping[str, float],
    baseline: Baseline,
    *,
    higher_is_better: Collection[str],
    tolerance: float,
    lower_is_better: Collection[str] = (),
) -> list[Finding]:
    """A finding for each figure that is worse than the baseline's by more than `tolerance`, or that is gone.

    Figures of neither kind are told, not judged; so is one that the baseline does not have.
    """
    found = []
    for name, was in sorted(baseline.figures.items()):
        if name not in higher_is_better and name not in lower_is_better:
            continue
        now = figures.get(name)
        if now is None:
            found.append(Finding(GATE, name, f"{name} was not measured; the baseline has {was:.3f}"))
            continue
        loss = was - now if name in higher_is_better else now - was
        if not loss <= tolerance + 1e-12:  # so that one that is no number is a finding too
            found.append(Finding(GATE, name, f"{name} {now:.3f}, the baseline has {was:.3f}"))
    return found


def stale_inputs(inputs: Mapping[str, str], baseline: Baseline) -> list[str]:
    """The names, in order, of what is not as it was when the baseline was measured: changed, new or gone."""
    names = inputs.keys() | baseline.inputs.keys()
    return sorted(name for name in names if inputs.get(name) != baseline.inputs.get(name))
