"""What holds of any catalogue and any query."""

from __future__ import annotations

from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sekisho.catalogue import Catalogue, Term
from sekisho.mapping.match import Matcher
from sekisho.text import fold_needle

LIST = """
medial lateral dorsal ventral anterior red white nucleus tract gyrus body layer field 1 2 3 IV left right area of
thalamus pons 海馬 CA1 α
"""


WORDS = st.sampled_from(LIST.split())


TEXTS = st.one_of(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), st.text(min_size=1, max_size=12))


TERMS = st.lists(
    st.tuples(TEXTS, st.lists(TEXTS, max_size=2), st.sampled_from(["", "MN", "mn"])), min_size=1, max_size=12
)


QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def made(rows: list[tuple[str, list[str], str]]) -> list[Term]:
    ids = count()
    return [
        Term(id=f"T{next(ids):02}", name=name, synonyms=tuple(synonyms), acronym=acronym)
        for name, synonyms, acronym in rows
        if fold_needle(name)
    ]


@QUICK
@given(TERMS)
def test_m1_a_query_equal_to_a_unique_name_or_synonym_gets_that_record_first(
    rows: list[tuple[str, list[str], str]],
) -> None:
    terms = made(rows)
    matcher = Matcher.build(Catalogue.of(terms))
    owners: dict[str, set[str]] = {}
    for term in terms:
        for text in (term.name, *term.synonyms):
            owners.setdefault(fold_needle(text), set()).add(term.id)
    for text, ids in owners.items():
        if len(ids) == 1 and text:
            assert matcher.match(text).candidates[0].id in ids


@QUICK
@given(TERMS, TEXTS, st.randoms(use_true_random=False))
def test_permuting_the_rows_and_asking_with_others_changes_nothing(
    rows: list[tuple[str, list[str], str]], query: str, draw: object
) -> None:
    terms = made(rows)
    found = Matcher.build(Catalogue.of(terms)).match(query)
    draw.shuffle(terms)  # type: ignore[attr-defined]
    matcher = Matcher.build(Catalogue.of(terms))
    assert matcher.match_all(["other", query, "red nucleus 2"])[1] == found
    assert all(0 <= candidate.score <= 1 for candidate in found.candidates)
    assert len({candidate.id for candidate in found.candidates}) == len(found.candidates) <= 10


@QUICK
@given(st.lists(WORDS, min_size=1, max_size=3), st.integers(1, 30), st.integers(1, 30))
def test_m1_a_number_never_finds_a_record_of_another(words: list[str], ours: int, theirs: int) -> None:
    plain = [word for word in words if word.isalpha() and word not in ("IV", "α")]
    name = " ".join([*plain, "area"])
    matcher = Matcher.build(Catalogue.of([Term(id="A", name=f"{name} {theirs}"), Term(id="B", name="red body")]))
    assert ("A" in {one.id for one in matcher.match(f"{name} {ours}").candidates}) == (ours == theirs)
