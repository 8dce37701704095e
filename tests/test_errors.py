"""The error tree: how errors read, that they pickle whole, and that the documented tree is the real one."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import pytest

from sekisho import errors
from sekisho.errors import AgentTimeout, GateRefused, InputError, InvalidReply, RateLimited, SekishoError, WarehouseBusy
from sekisho.gates import Finding


def family(kind: type[SekishoError]) -> Iterator[type[SekishoError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from family(child)


def example(kind: type[SekishoError]) -> SekishoError:
    if kind is InvalidReply:
        return InvalidReply(["a: wrong", "b: missing"], item="extract:n1")
    if kind is GateRefused:
        return GateRefused("not published", ["fact count 4 != 5"])
    return kind("what", file="f.yaml", item="it", remedy="do this")


FAMILY = list(family(SekishoError))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "what"),
        ({"file": "f"}, "f: what"),
        ({"item": "it"}, "it: what"),
        ({"remedy": "do"}, "what (do)"),
        ({"file": "f", "item": "it", "remedy": "do"}, "f: it: what (do)"),
    ],
)
def test_an_error_reads_file_item_message_and_remedy(fields: dict[str, str], text: str) -> None:
    assert str(SekishoError("what", **fields)) == text


@pytest.mark.parametrize("kind", FAMILY, ids=lambda kind: kind.__name__)
def test_an_error_survives_pickling_with_all_its_fields(kind: type[SekishoError]) -> None:
    error = example(kind)
    error.add_note("seen on the way")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is kind
        assert vars(again) == vars(error)
        assert (str(again), again.args) == (str(error), error.args)


def test_a_copied_error_shares_no_fields_with_the_original() -> None:
    error = InputError("what", item="it")
    copied = copy.copy(error)
    copied.item = "other"
    assert error.item == "it"


def test_a_file_is_kept_as_text_so_that_errors_compare_and_pickle() -> None:
    assert SekishoError("what", file=7).file == "7"
    assert SekishoError("what").file is None


def test_an_invalid_reply_and_a_refusal_keep_their_reasons() -> None:
    assert InvalidReply(["a", "b"]).reasons == ("a", "b")
    assert str(InvalidReply(["a", "b"], item="k")) == "k: a; b"
    assert GateRefused("no", [Finding("gate", "item", "a")]).reasons == ("a",)


def test_a_time_out_a_rate_limit_and_a_held_warehouse_are_worth_a_retry() -> None:
    assert [kind for kind in FAMILY if kind.retryable] == [RateLimited, AgentTimeout, WarehouseBusy]


def test_the_tree_in_the_docstring_is_the_tree_in_code() -> None:
    documented: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        name = line.lstrip("│├└─ ").split(" ")[0]
        if name not in vars(errors):
            continue
        depth = (len(line) - len(line.lstrip("│├└─ "))) // 4
        path = [*path[:depth], name]
        documented[name] = path[depth - 1] if depth else "Exception"
    assert documented == {kind.__name__: kind.__bases__[0].__name__ for kind in FAMILY}
