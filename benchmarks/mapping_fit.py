"""The weights of the first stage of mapping, fitted on development data alone.

    python -m benchmarks.mapping_fit --catalogue FILE [FILE ...] --queries FILE [--json]

Development data are: the development half of the queries over the first catalogue (by hash of their text; the other
half is for `benchmarks.mapping`), each synonym and acronym of all catalogues as a query for its record with that text
left out, and names spoilt by rule (a letter dropped, doubled or swapped; initials). The loss is that of a softmax over
the labels of each query, drawn towards the weights as they are; signs are kept. Prints what may be written into
`sekisho/mapping/weights.py`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from benchmarks.mapping import expected_of, is_development
from sekisho.catalogue import Catalogue
from sekisho.mapping.match import Matcher
from sekisho.mapping.weights import WEIGHTS
from sekisho.mapping.words import parse
from sekisho.sources.catalogue import load_catalogue
from sekisho.text import fold_needle

_SEED = 20261130
_OWN_WEIGHT = 4.0  # of a real query beside one made of the catalogue
_PULL = 1.0  # towards the weights as they are


class Case(NamedTuple):
    """A query, its record, the label that it may not be matched with, and how much it counts."""

    query: str
    expected_id: str
    hidden: str
    weight: float


def synonym_cases(catalogue: Catalogue) -> list[Case]:
    """Each synonym as a query, hidden from its own record."""
    return [Case(text, term.id, fold_needle(text), 1.0) for term in catalogue.terms for text in term.synonyms]


def acronym_cases(catalogue: Catalogue) -> list[Case]:
    """Each acronym as a query, hidden from its own record."""
    return [Case(term.acronym, term.id, fold_needle(term.acronym), 1.0) for term in catalogue.terms if term.acronym]


def spoilt_cases(catalogue: Catalogue, count: int = 250) -> list[Case]:
    """Names with one letter dropped, doubled or swapped, and the initials of names."""
    draw = random.Random(_SEED)
    terms = [term for term in catalogue.terms if term.name.isascii() and len(parse(term.name).words) > 1]
    cases = []
    for term in draw.sample(terms, min(count, len(terms))):
        at = draw.randrange(1, len(term.name) - 1)
        name = term.name
        spoilt = draw.choice(
            [
                name[:at] + name[at + 1 :],
                name[:at] + name[at] + name[at:],
                name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :],
            ]
        )
        cases.append(Case(spoilt, term.id, "", 0.5))
        cases.append(Case(_initials(parse(name).words, draw), term.id, "", 0.3))
    return cases


def _initials(words: Sequence[str], draw: random.Random) -> str:
    """A short form as people make them: initials, sometimes two letters of a word, a generic last word dropped."""
    kept = list(words)
    if len(kept) > 2 and draw.random() < 0.4:
        kept.remove(draw.choice(kept[1:]))
    made = [word[:2].capitalize() if draw.random() < 0.2 else word[0].upper() for word in kept]
    return "".join(made)[:8]


def groups(matcher: Matcher, cases: Sequence[Case]) -> list[tuple[bool, np.ndarray, np.ndarray, float]]:
    """Per case: whether it is a short form, the features of its labels, which are right, and its weight."""
    found = []
    for case in cases:
        asked = matcher.asked(case.query)
        pairs = matcher.pairs(asked)
        texts = [matcher.index.texts[label] for label in pairs.label.tolist()]
        keep = np.array([text != case.hidden for text in texts], dtype=bool)
        ids = [matcher.catalogue.terms[owner].id for owner in matcher.index.owner[pairs.label].tolist()]
        right = np.array([id == case.expected_id for id in ids], dtype=bool)
        if asked and (right & keep).any() and not (right & keep).all():
            short = bool(asked[0].is_short)
            found.append((short, pairs.features[keep].astype(float), right[keep], case.weight))
    return found


def fit(cases: Sequence[tuple[bool, np.ndarray, np.ndarray, float]], start: Sequence[float], short: bool) -> np.ndarray:
    """The weights of least loss for names or for short forms."""
    mine = [case for case in cases if case[0] is short]
    begin = np.array(start)
    rows = np.concatenate([case[1] for case in mine])
    sizes = np.array([len(case[1]) for case in mine])
    at = np.cumsum(sizes) - sizes
    right = np.concatenate([case[2] for case in mine])
    weight = np.array([case[3] for case in mine])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value = rows @ weights
        value -= np.repeat(np.maximum.reduceat(value, at), sizes)
        raised = np.exp(value)
        of_all = np.add.reduceat(raised, at)
        of_right = np.maximum(np.add.reduceat(raised * right, at), 1e-300)
        part = raised / np.repeat(of_all, sizes) - raised * right / np.repeat(of_right, sizes)
        slope = rows.T @ (part * np.repeat(weight, sizes)) + 2 * _PULL * (weights - begin)
        return float(
            (weight * (np.log(of_all) - np.log(of_right))).sum() + _PULL * ((weights - begin) ** 2).sum()
        ), slope

    bounds = [(0, 20) if one > 0 else (-20, 0) for one in begin]
    bounds = [(0, 0) if one == 0 else bound for one, bound in zip(begin, bounds, strict=True)]
    return np.asarray(minimize(loss, begin, jac=True, bounds=bounds, method="L-BFGS-B").x)


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalogue", type=Path, required=True, nargs="+")
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    queries = [one for one in expected_of(options.queries) if is_development(one.query)]
    cases = []
    for at, path in enumerate(options.catalogue):
        catalogue, _ = load_catalogue(path)
        real = [Case(one.query, one.expected_id, "", _OWN_WEIGHT) for one in queries if at == 0]
        made = [*synonym_cases(catalogue), *acronym_cases(catalogue), *spoilt_cases(catalogue)]
        cases += groups(Matcher.build(catalogue), [*real, *made])
    fitted = [fit(cases, [pair[at] for pair in WEIGHTS.values()], bool(at)).round(2).tolist() for at in (0, 1)]
    rows = {name: pair for name, *pair in zip(WEIGHTS, *fitted, strict=True)}
    if options.json:
        print(json.dumps({"cases": len(cases), "weights": rows}))
        return
    print(f"{len(cases)} cases; name of words, short form (as they are)")
    for name, pair in rows.items():
        print(f"{name:16} {pair[0]:7.2f} {pair[1]:7.2f}  {WEIGHTS[name]}")


if __name__ == "__main__":
    main()
