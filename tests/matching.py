"""A small catalogue, its matcher, and what a text finds in it."""

from __future__ import annotations

from sekisho.catalogue import Catalogue, Curated, Term
from sekisho.mapping.match import Matcher, Matches

NAMES = """
brain|encephalon|Br|
thalamus||Th|brain
hypothalamus|||brain
midbrain|mesencephalon||brain
pons|||brain
cerebral cortex||Ctx|brain
anterior cingulate cortex|||cerebral cortex
anterior cingulate cortex, dorsal part||ACAd|anterior cingulate cortex
entorhinal cortex|||cerebral cortex
entorhinal cortex, layer 2|||entorhinal cortex
entorhinal cortex, layer 3|||entorhinal cortex
external capsule||ec|brain
accessory nerve||acc|brain
hippocampus|海馬||brain
hippocampal fissure|||hippocampus
CA1 field|field CA1||hippocampus
CA2 field|||hippocampus
CA3 field|||hippocampus
medial geniculate body|||thalamus
medial geniculate body, ventral division|||medial geniculate body
lateral geniculate body|||thalamus
ventral posterolateral nucleus|||thalamus
posterior nucleus|||thalamus
periaqueductal gray|central gray||midbrain
periaqueductal gray, lateral column|||periaqueductal gray
dorsal raphe nucleus|nucleus raphe dorsalis||midbrain
dorsal raphe nucleus, dorsal part|||dorsal raphe nucleus
median raphe nucleus|||midbrain
red nucleus|||midbrain
basolateral amygdaloid nucleus|||brain
basolateral amygdaloid complex|||brain
lateral habenula|||thalamus
lateral hypothalamic area|lateral hypothalamus||hypothalamus
nucleus of the solitary tract|||brain
solitary tract|||brain
alpha motor column|||pons
beta motor column|||pons
fourth ventricle|||brain
third ventricle|||brain
left cerebellar hemisphere|||brain
right cerebellar hemisphere|||brain
cerebellar hemisphere|||brain
視床下部|||brain
視床下部外側野|||視床下部
視床下部内側野|||視床下部
小脳核|||brain
"""


def catalogue_of(text: str = NAMES, **curated: object) -> Catalogue:
    rows = [line.split("|") for line in text.strip().splitlines()]
    ids = {name: f"T{at:02}" for at, (name, *_) in enumerate(rows)}
    terms = [
        Term(
            id=ids[name],
            name=name,
            synonyms=tuple(filter(None, [synonym])),
            acronym=acronym,
            parent_id=ids.get(parent, ""),
        )
        for name, synonym, acronym, parent in rows
    ]
    return Catalogue.of(terms, Curated.model_validate(curated))


CATALOGUE = catalogue_of()


MATCHER = Matcher.build(CATALOGUE)


def names(found: Matches) -> list[str]:
    return [candidate.name for candidate in found.candidates]


def first(query: str, matcher: Matcher = MATCHER) -> str:
    return names(matcher.match(query))[0]
