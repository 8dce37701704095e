"""The settings: what is set, what cannot be used, and names that nobody reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pydantic import SecretStr
from rapidfuzz import fuzz, process

from sekisho.doctor.diagnosis import Check, Diagnosis, of_error, ok, warn
from sekisho.errors import SettingsError
from sekisho.settings import Settings, variables

_OURS = ("SEKISHO_", "IECQ_", "RECALL_")  # no other program's names begin so
_LEAST_LIKE = 88.0  # of a name that may be another program's, CHROMA_HOST say
_ANY_LIKE = 60.0


def settings_checks(
    settings: Settings, problems: list[SettingsError], environment: Mapping[str, str]
) -> list[tuple[str, Check]]:
    """Whether every variable that is set can be used, and is one at all."""
    return [
        ("values", lambda: _values(settings, problems, environment)),
        ("names", lambda: _names(settings, environment)),
    ]


def _values(settings: Settings, problems: list[SettingsError], environment: Mapping[str, str]) -> Iterator[Diagnosis]:
    yield from (of_error("settings", str(problem.item), problem) for problem in problems)
    bad = {problem.item for problem in problems}
    known = variables()
    given = {name.upper(): value for name, value in environment.items() if name.upper() in known}
    for name in sorted(given.keys() - bad):
        if given[name] == "":
            yield warn("settings", name, "set and empty: its default holds", f"unset {name}, or give it a value")
            continue
        value = getattr(settings, known[name])
        yield ok("settings", name, _shown(value))
    if not given:
        yield ok("settings", "values", "nothing is set: the defaults hold, and the sample data")


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return "set, and never shown"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _names(settings: Settings, environment: Mapping[str, str]) -> Iterator[Diagnosis]:
    known = variables()
    also = _named_elsewhere(settings)
    for name in sorted(environment):
        if name.upper() in known or name in also:
            continue
        nearest, likeness, _ = process.extractOne(name.upper(), sorted(known), scorer=fuzz.ratio)
        if name.upper().startswith(_OURS) or likeness >= _LEAST_LIKE:
            meant = f"the nearest is {nearest}" if likeness >= _ANY_LIKE else "docs/settings.md lists those there are"
            yield warn("settings", name, f"nobody reads a variable of this name; {meant}", f"rename or unset {name}")


def _named_elsewhere(settings: Settings) -> set[str]:
    """Variables that Dagster's own settings refer to."""
    try:
        text = settings.dagster_yaml.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return set()
    return set(re.findall(r"\benv:\s*[\"']?([A-Za-z_][A-Za-z0-9_]*)", text))
