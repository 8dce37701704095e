"""How old what is published may be before the UI says so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import dagster as dg

from assets.compile import knowledge_base
from assets.query import answers
from dagster_project.cron import longest_gap
from dagster_project.schedules import NIGHTLY_CRON, TIMEZONE

_PUBLISHED = {knowledge_base.key, answers.key}


def nightly_window(cron: str, timezone: str) -> dg.FreshnessPolicy:
    """Warns once a tick of the schedule has published nothing, fails once two have.

    Counted from the longest gap between two ticks, so that a schedule of weekdays alone is not stale on Monday, plus a
    quarter of it, since a run takes its time and not the same every night.
    """
    gap = longest_gap(cron, timezone)
    return dg.FreshnessPolicy.time_window(warn_window=gap * 1.25, fail_window=gap * 2.25)


def with_freshness(assets: Iterable[Any]) -> list[Any]:
    """The assets, the published ones among them with the policy that follows from the nightly schedule."""
    policy = nightly_window(NIGHTLY_CRON, TIMEZONE)

    def add(spec: dg.AssetSpec) -> dg.AssetSpec:
        return dg.apply_freshness_policy(spec, policy) if spec.key in _PUBLISHED else spec

    return list(dg.map_asset_specs(add, assets))
