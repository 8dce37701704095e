"""A text as a reader sees it keeps the way back to the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.agents.local.visible import visible
from sekisho.sentences import Span


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("**60** days, *60*, _60_, ***60*** and `60 days`", "60 days, 60, 60, 60 and 60 days"),
        ("**bold *both*** and ***a* b**", "bold both and a b"),
        ("重さは**60**kg", "重さは60kg"),
        ("<b>60</b> kg, ~~5~~, [60](http://x/1 'no') m, [60](http://x/1) m", "60 kg, 5, 60 m, 60 m"),
        ("[60] (m), [60](two words) m", "[60] (m), [60](two words) m"),
        ("60 <!-- or 99 --> days", "60  days"),
        (r"60 \*days", "60 *days"),
        ("snake_case_name, 5 * 6, a ** b, **open", "snake_case_name, 5 * 6, a ** b, **open"),
        ("*one\n\ntwo*", "*one\n\ntwo*"),
        ("* a\n* b", "* a\n* b"),
    ],
)
def test_marks_are_left_out_only_where_they_are_not_shown(text: str, seen: str) -> None:
    assert visible(text).text == seen


@pytest.mark.parametrize("text", ["2*3*4", "10<sup>3</sup>", "1**2**3", "1_2_3"])
def test_two_numbers_never_become_one(text: str) -> None:
    assert not any(digits in visible(text).text for digits in ("23", "34", "103", "12"))


@given(st.text(alphabet=st.sampled_from('a1 *_`~<>!-/[]()\\\n"b日'), max_size=80))
def test_every_visible_character_stands_in_the_original_in_order(text: str) -> None:
    seen = visible(text)
    assert "".join(text[at] for at in seen.starts) == seen.text
    assert list(seen.starts) == sorted(set(seen.starts))
    assert seen.place(Span(0, len(text))).of(seen.text) == seen.text
