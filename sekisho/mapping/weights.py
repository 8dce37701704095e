"""Every weight of the first stage, in one place."""

from __future__ import annotations

# How surely a word stands for another: the same stem, nearly the same meaning, a likeness of letters.
DEEP = 0.92
NEARLY = 0.7
FUZZY = 0.95
FUZZY_FLOOR = 0.6

FEATURES = (
    "grams",
    "fuzzy",
    "ratio",
    "covered",
    "context",
    "covers",
    "initials",
    "initials_covers",
    "exact",
    "same_words",
    "acronym",
    "acronym_case",
    "opposite",
    "part",
    "fewer_numbers",
    "more_numbers",
    "same_side",
    "more_side",
    "synonym",
    "outside",
    "inside",
    "expanded",
    "meaning",
)
# For names of words, and for short forms.
NAMES = (3.0, 3.0, 0.5, 2.0, 2.0, 1.5, 0.0, 0.0, 3.0, 2.0, 3.0, 1.0, -1.0, -0.5, -1.0, -1.0, 1.5, -1.0, -0.1, -0.2, -1.5, -0.2, 2.0)
SHORT = (1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 4.0, 3.0, 3.0, 2.0, 4.0, 2.0, -1.0, -0.5, -1.0, -1.0, 1.5, -1.0, -0.1, -0.2, -1.5, -0.2, 2.0)
BIAS = -7.0
