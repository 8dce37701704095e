"""Materialising the real graph in a test, in memory, as a person would from the UI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import dagster as dg

from dagster_project.definitions import defs
from dagster_project.resources import RESOURCES

ASSETS = [a for a in defs.assets or [] if isinstance(a, dg.AssetsDefinition)]
CHECKS = [c for c in defs.asset_checks or [] if isinstance(c, dg.AssetChecksDefinition)]


@dataclass(frozen=True)
class Outcome:
    """What a materialisation came to."""

    success: bool
    checks: dict[tuple[str, str], dg.AssetCheckEvaluation]  # by asset and gate
    failures: str
    materialised: set[str]

    @property
    def failed_checks(self) -> set[str]:
        return {name for (_, name), check in self.checks.items() if not check.passed}

    def items(self, check: str, asset: str = "") -> list[tuple[str, str]]:
        """The offending items of a check, as the UI shows them; on one asset, where several have it."""
        found = []
        for (on, name), evaluation in self.checks.items():
            if name == check and on == (asset or on) and not evaluation.passed:
                table = evaluation.metadata["offending_items"]
                assert isinstance(table, dg.TableMetadataValue)
                found += [(str(row.data["item"]), str(row.data["reason"])) for row in table.records]
        return found


def materialise(*names: str, checks: bool = True, tags: Mapping[str, str] | None = None) -> Outcome:
    """Materialise the named assets, or all of them, with or without their checks, in a run with these tags."""
    selection = dg.AssetSelection.assets(*names) if names else dg.AssetSelection.all()
    if not checks:
        selection = selection.without_checks()
    return _run(selection, tags)


def evaluate(*names: str) -> Outcome:
    """Evaluate the checks on the named assets, without materialising anything."""
    return _run(dg.AssetSelection.checks_for_assets(*[a for a in ASSETS if a.key.to_user_string() in names]))


def materialise_beside_checks(name: str, checked: str) -> Outcome:
    """Materialise one asset, and evaluate the checks on another as it stands, in one run."""
    others = dg.AssetSelection.checks_for_assets(*[a for a in ASSETS if a.key.to_user_string() == checked])
    return _run(dg.AssetSelection.assets(name) | others)


def _run(selection: dg.AssetSelection, tags: Mapping[str, str] | None = None) -> Outcome:
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    result = dg.materialize(
        [*ASSETS, *CHECKS], selection=selection, resources=RESOURCES, run_config=quiet, raise_on_error=False, tags=tags
    )
    failures = [str(event.event_specific_data) for event in result.all_events if event.is_step_failure]
    return Outcome(
        success=result.success,
        checks={(e.asset_key.to_user_string(), e.check_name): e for e in result.get_asset_check_evaluations()},
        failures="\n".join(failures),
        materialised={e.asset_key.to_user_string() for e in result.get_asset_materialization_events() if e.asset_key},
    )
