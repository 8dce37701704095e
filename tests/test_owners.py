"""Who answers for the assets: a setting, on every asset, refused where Dagster would not take it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import dagster as dg
import pytest

from assets.compile import knowledge_base
from dagster_project.definitions import defs
from dagster_project.owners import with_owners
from sekisho.errors import SettingsError
from sekisho.settings import load_settings
from tests.conftest import House
from tests.test_cli import sekisho

SHOWN = """
import json
from dagster_project.definitions import defs
nodes = defs.resolve_asset_graph().asset_nodes
shown = {n.key.to_user_string(): [list(n.owners), n.group_name, n.description] for n in nodes}
print(json.dumps(shown))
"""


def test_every_asset_has_the_owners_of_the_setting_and_is_else_as_it_was() -> None:
    environment = {**os.environ, "SEKISHO_OWNERS": "team:botany,ana@plants.example"}
    run = subprocess.run([sys.executable, "-c", SHOWN], env=environment, capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    plain = {node.key.to_user_string(): node for node in defs.resolve_asset_graph().asset_nodes}
    assert found.keys() == plain.keys()
    for name, (owners, group, description) in found.items():
        assert owners == ["team:botany", "ana@plants.example"], name
        assert (group, description) == (plain[name].group_name, plain[name].description)
    assert all(not node.owners for node in plain.values())


@pytest.mark.parametrize("owner", ["team:b", "team:園芸", "a.b+c@x-y.example", "_@x.de", "A@B.MUSEUM"])
def test_dagster_takes_every_owner_that_the_settings_take(owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEKISHO_OWNERS", owner)
    (asset,) = with_owners([knowledge_base], load_settings().owners)
    assert asset.get_asset_spec(knowledge_base.key).owners == [owner]


def test_a_comma_too_many_names_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEKISHO_OWNERS", "a@b.de, ,team:x,")
    assert load_settings().owners == ("a@b.de", "team:x")


@pytest.mark.parametrize("owner", [".a@x.de", "a@x.d", "a@x.photography", "ana", "team:"])
def test_what_dagster_would_not_take_the_settings_refuse(owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(dg.DagsterInvalidDefinitionError):
        with_owners([knowledge_base], [owner])
    monkeypatch.setenv("SEKISHO_OWNERS", f"team:botany, {owner}")
    told = f"SEKISHO_OWNERS: neither an e-mail address nor team:NAME: {owner!r} (write: ana@example.org, team:library)"
    with pytest.raises(SettingsError, match=f"^{re.escape(told)}$"):
        load_settings()


def test_a_bad_owner_ends_a_run_with_2_before_anything_is_made(house: House) -> None:
    done = sekisho("run", SEKISHO_OWNERS="botany")
    assert done.returncode == 2 and "SEKISHO_OWNERS" in done.stderr
    assert not house.state.exists()
