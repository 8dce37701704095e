"""Words and the short forms that are spelt with their letters."""

from __future__ import annotations

import numpy as np
import pytest

from sekisho.mapping.initials import align, is_short_form, letters_of, spell
from sekisho.mapping.words import deep, parse
from tests.matching import MATCHER


def test_initials_align_with_words_in_order_before_others() -> None:
    def fit(form: str, name: str, above: str = "") -> float:
        return float(align([form], spell(parse(name).words, parse(above).words)[None])[0][0])

    assert fit("MGB", "medial geniculate body") == 1
    assert fit("MGB", "medial geniculate body") > fit("GMB", "medial geniculate body") > fit("XYZ", "medial geniculate")
    assert fit("PoT", "posterior nucleus of thalamus") > fit("PoT", "posterior nucleus", "thalamus") > 0.7
    assert fit("SCsu", "superficial layer of superior colliculus") > fit("SCsu", "superior colliculus")
    # A compound's second part begins a word too.
    assert MATCHER.match("PAG").candidates[0].signals["initials"] == 1
    assert fit("PAG", "periaqueductal gray") < 0.9
    forms = ["MGB", "mgb", "MoCe", "x"]
    together = align(forms, np.stack([spell(parse("medial geniculate body").words)] * 4))
    alone = [align([form], spell(parse("medial geniculate body").words)[None]) for form in forms]
    assert [float(value) for value in together[0]] == [float(one[0][0]) for one in alone]


@pytest.mark.parametrize(
    ("text", "letters", "short"),
    [
        ("MGB", "MGB", True),
        ("CA3sp", "CA3sp", True),
        ("LamIV", "Lam4", True),
        ("BötC", "BotC", True),
        ("3N", "3N", True),
        ("L G N", "LGN", True),
        ("12", "12", False),
        ("red nucleus", "rednucleus", False),
        ("海馬", "海馬", False),
    ],
)
def test_short_forms_are_told_from_names(text: str, letters: str, short: bool) -> None:
    assert (letters_of(text), is_short_form(text)) == (letters, short)


@pytest.mark.parametrize(
    "forms",
    [
        "thalamus thalamic thalami",
        "nucleus nuclei nuclear",
        "cortex cortices cortical",
        "cerebellum cerebellar cerebelli",
        "ventricle ventricular",
        "pons pontine pontis",
        "ganglion ganglia ganglionic",
        "hypophysis hypophyseal",
        "amygdala amygdaloid",
    ],
)
def test_noun_adjective_and_cases_share_a_stem(forms: str) -> None:
    assert len({deep(word) for form in forms.split() for word in parse(form).words}) == 1


def test_stems_part_what_is_not_one() -> None:
    stems = [deep(parse(word).words[0]) for word in ("ventral", "ventricle", "medulla", "medial", "caudal", "cauda")]
    assert len(set(stems)) >= 5
