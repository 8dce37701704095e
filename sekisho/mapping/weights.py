"""Every weight of the first stage, in one place.

`python -m benchmarks.mapping_fit` fits those of the features on development data: half of a public set of queries, and
names, synonyms and acronyms hidden from their own records. What such hidden names cannot show, for there is no exact
hit among them, stays above what it fits: `exact`, `same_words`, `acronym`, `synonym`.
"""

from __future__ import annotations

# How surely a word stands for another: the same stem, exchanged in the catalogue's own synonyms, nearly the same kind
# of thing, its beginning, a likeness of letters above a floor.
DEEP = 0.92
EXCHANGED = 0.85
NEARLY = 0.7
BEGUN = 0.8
BEGUN_FROM = 4  # letters
FUZZY = 0.95
FUZZY_FLOOR = 0.6
FUZZY_FLOOR_SHORT = 0.75

# What each feature adds to the log odds: of a name of words, and of a short form.
WEIGHTS: dict[str, tuple[float, float]] = {
    "bm25": (2.5, 2.0),  # BM25 over character 2- to 4-grams and stems, as a part of the most possible
    "fuzzy": (4.4, 0.5),  # Levenshtein ratio of the words in order of the alphabet
    "ratio": (2.0, 0.5),  # the same, in the order they stand
    "covered": (2.8, 2.5),  # part of the query that the label has, by rarity of words
    "with_above": (4.7, 2.2),  # the same with what stands above the record, for the query as a whole
    "covers": (3.5, 1.8),  # part of the label that the query has
    "initials": (0.0, 9.0),  # how well the letters are spelt by beginnings of words
    "initials_covers": (0.0, 4.5),  # and what part of the label these words are
    "exact": (1.5, 3.0),  # the text is the label
    "same_words": (1.0, 2.0),  # but for order, connectives and forms
    "acronym": (3.0, 4.0),  # the text is the record's acronym
    "acronym_case": (1.0, 2.0),  # in its case too
    "opposite": (-2.2, -1.0),  # dorsal for ventral
    "lost": (-1.6, -0.3),  # directions that the label lacks
    "added": (-1.6, 0.0),  # directions that the query lacks
    "part": (-0.3, 0.0),  # words for a part or group that the query lacks
    "fewer_numbers": (-2.2, -3.0),  # numerals and letters of a series that the label lacks
    "more_numbers": (-1.0, -1.4),  # that the query lacks
    "same_side": (2.5, 1.5),
    "more_side": (-1.6, -0.9),
    "synonym": (-0.2, -0.8),
    "outside": (-1.2, -0.2),  # found by what stands outside the query's brackets
    "inside": (-3.2, -1.5),  # inside them
    "expanded": (-0.2, -0.2),  # with a curated short form written out
    "meaning": (2.0, 2.0),  # cosine of embeddings, where there is an embedder
}
FEATURES = tuple(WEIGHTS)
# So that a score is about how often a candidate with such features is right: for names, for short forms.
BIAS = (-14.5, -14.0)
