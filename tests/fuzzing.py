"""What the fuzzing tests try: texts, bytes, values and replies, put together from pieces that have broken parsers."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.conftest import ROOT

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "30"))
SIZE = 20_000 if "FUZZ_EXAMPLES" in os.environ else 5_000  # characters of what is repeated
fuzzed = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="FUZZ_EXAMPLES" not in os.environ,
    database=None,
    suppress_health_check=list(HealthCheck),
)
_WRITTEN = yaml.safe_load((ROOT / "tests" / "hostile" / "pieces.yaml").read_text(encoding="utf-8"))
PIECES = (*(piece for row in _WRITTEN for piece in row), "0x" + "f" * 5000, "1" * 5000)
piece = st.sampled_from(PIECES)
texts = st.one_of(
    st.lists(piece, max_size=40).map("".join),
    st.lists(st.one_of(piece, st.text(st.characters(codec="utf-8"), max_size=8)), max_size=30).map("".join),
)
raws = st.one_of(
    texts.map(lambda text: text.encode("utf-8")), st.binary(max_size=200), texts.map(lambda t: t.encode("utf-16"))
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.text(max_size=12),
    piece,
    st.sampled_from(["answered", "unanswerable", "a", "ADR-0001", "match", "high", "fields", "\ud800"]),
)
_NAMES = """
    status answer citations quotes source text recallCitations adr_id relevance reason relevance_reason choices query
    best_id relation confidence fields evidence name type result is_error draft expected id question title values
"""
names = st.sampled_from(_NAMES.split())
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(names, st.text(max_size=5)), inner, max_size=5)
    ),
    max_leaves=12,
)
replies = st.one_of(
    texts, values.map(lambda value: json.dumps(value)), values.map(lambda v: f"```json\n{json.dumps(v)}\n```")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return path
