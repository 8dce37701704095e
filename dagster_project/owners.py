"""Who answers for the assets, as the UI shows it and can be searched for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import dagster as dg


def with_owners(assets: Iterable[Any], owners: Sequence[str]) -> list[Any]:
    """The assets, each of them owned by `owners`: e-mail addresses or `team:NAME`; as they are without any."""
    if not owners:
        return list(assets)
    return list(dg.map_asset_specs(lambda spec: spec.replace_attributes(owners=list(owners)), assets))
