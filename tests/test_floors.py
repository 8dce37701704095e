"""The floors hold: the library knows no Dagster, and the assets know no deployment."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT


def test_importing_every_module_of_the_library_leaves_dagster_and_torch_unloaded() -> None:
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / "sekisho").rglob("*.py"))
    ]
    assert "sekisho.gates.answers" in names
    code = f"import importlib, sys; [importlib.import_module(n) for n in {names!r}]; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    for heavy in ("dagster", "torch", "sentence_transformers", "instructor", "openai", "anthropic", "genai_prices"):
        assert f"'{heavy}'" not in loaded


def test_the_import_layers_are_kept() -> None:
    from importlinter.cli import lint_imports

    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0
