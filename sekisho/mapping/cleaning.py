"""What a query says besides the name: side, marker, cell type, method, what it leaves out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from sekisho.catalogue import Curated
from sekisho.mapping.lexicon import SIDES, STOP
from sekisho.mapping.words import parse
from sekisho.text import fold_needle, is_blank

_BUT_JA = "(?:を除[くい]た?|は除く|除外|以外)"
_TAIL = re.compile(
    r"\s*[,;(（、]?\s*(?:\b(?:exclud(?:ing|es?)|exclusive of|except(?:ing)?(?: for)?|(?:but )?not including|"
    r"other than|but not|apart from|aside from|save for|(?<=\s)(?:without|minus|w/o))(?!\w)|\bexcl?\.).*$"
    rf"|\s*[、,]?\s*[（(][^()（）]*{_BUT_JA}[)）]|(?<![^\s()（）、,])[^\s()（）、,]+?{_BUT_JA}(?:の|$)"
    rf"|\s*[、,]\s*[^\s()（）、,]+?{_BUT_JA}|(?<![^\s()（）、,])[^\s()（）、,]+?を除[くい]た?",
    re.IGNORECASE,
)
_OPENING = re.compile(r"\s*[,;(（、]?\s*([A-Za-z]+)")
_SIDE = re.compile(
    r"[(\[（](?:left|right|左|右|左側|右側)[)\]）]|[(\[（][lr][)\]）]\s*$|[,_]\s*(?:left|right|l|r)\s*$"
    r"|\b(?:left|right|bilateral|unilateral|ipsilateral|contralateral|both sides|sinister|dexter)\b(?:[- ]sided?)?"
    r"|両側|左側の?|右側の?|(?<!左)右(?!左)|(?<!右)左(?!右)",
    re.IGNORECASE,
)
_MARKER = re.compile(
    r"(?<![\w-])[\w-]+(?:\+|[- ]?(?:positive|negative|expressing|immunoreactive|immunopositive|labell?ed|containing|"
    r"ir|cre|e?gfp|yfp|mcherry|tdtomato)\b)|(?<![A-Za-z0-9])[A-Za-z0-9]+(?:陽性|陰性|発現)",
    re.IGNORECASE,
)
_CELL_KIND = (
    r"(?:glutamatergic|gabaergic|cholinergic|dopaminergic|serotonergic|serotoninergic|noradrenergic|histaminergic|"
    r"glycinergic|peptidergic|excitatory|inhibitory|projection|principal|pyramidal|granule|stellate|basket|bipolar)"
)
_CELL = re.compile(
    rf"(?:\b{_CELL_KIND}\s+)*\b(?:neurons?|neurones?|interneurons?|cells?|astrocytes?|microglia|oligodendrocytes?)\b"
    r"(?![- ](?:layers?|strat|lamina|zones?|groups?|cluster|column|bod|part|projection|islands?))"
    r"(?:\s+(?:in|of|from)\b)?(?:\s+the\b)?"
    rf"|\b{_CELL_KIND.replace('|pyramidal|granule|stellate|basket|bipolar', '')}\b"
    r"|(?:興奮性|抑制性|錐体|介在)?(?:ニューロン|神経細胞)(?:の)?",
    re.IGNORECASE,
)
_METHOD = re.compile(
    r"\b(?:(?:acute|coronal|sagittal|horizontal) (?:slices?|sections?)|slices?|in (?:vivo|vitro|situ)|ex vivo|"
    r"(?:micro)?injections?|lesions?|lesioned|recordings?|(?:micro)?stimulation|inactivation|silencing|"
    r"opto ?genetics?|opto ?genetic|chemogenetics?|chemogenetic|fmri|mri|pet|lfp|eeg|ecog|rois?|rna-?seq|snrna-?seq|"
    r"scrna-?seq|patch[- ]clamp|electrophysiology|immunohistochemistry|tracing|retrograde|anterograde|cultures?|"
    r"homogenates?|biopsy|biopsies|samples?|tissue)\b(?:\s+(?:in|into|of|from)\b)?(?:\s+the\b)?"
    r"|(?:の)?(?:切片|注入|記録|刺激実験|破壊実験|培養)",
    re.IGNORECASE,
)
_LONGEST = 1000  # no name is longer
_RULES = (("excluded", _TAIL), ("marker", _MARKER), ("method", _METHOD), ("cell type", _CELL), ("side", _SIDE))
_REASONS = {"stop": "stop word", "side": "side", "modifier": "modifier", "marker": "marker"} | {
    "cell": "cell type",
    "method": "method",
}


class Cleaned(NamedTuple):
    """A query without what is no name, and what was taken out, with the reason."""

    text: str
    removed: tuple[tuple[str, str], ...]


class Cleaner:
    """Takes out of queries what its rules and the curated tokens know.

    `is_used` tells the words of a catalogue's own names: what is one of them there, `MRI` among hospital rooms, stays.
    So do the curated tokens of the kind `keep`.
    """

    def __init__(self, curated: Curated, is_used: Callable[[str], bool] = lambda _: False) -> None:
        kept = {word for token in curated.tokens if token.kind == "keep" for word in parse(token.text).words}
        self._kept, self._in_names = kept, is_used
        kinds: dict[str, list[str]] = {}
        for token in curated.tokens:
            if token.kind not in ("stop", "keep"):  # stop words are passed over within names too
                kinds.setdefault(token.kind, []).append(re.escape(fold_needle(token.text)))
        self._own = [(_REASONS[kind], _any_of(words)) for kind, words in sorted(kinds.items())]

    def clean(self, query: str) -> Cleaned:
        """The query without what a rule takes out; a rule that would leave nothing is not followed.

        But what is excluded is not looked for, even where nothing else is said.
        """
        whole = fold_needle(query)
        text = whole[:_LONGEST]
        removed = [(f"{len(whole) - _LONGEST} characters", "too long")] if whole != text else []
        for at, (reason, pattern) in enumerate([*self._own, *_RULES]):
            matches = [
                match for match in pattern.finditer(text) if at < len(self._own) or not self._is_name(reason, match[0])
            ]
            found = [match[0].strip(" ,;_、") for match in matches]
            left = _tidied(_without(text, matches)) if found else text
            if found and (reason == "excluded" or (not is_blank(left) and re.search(r"\w", left))):
                text = left
                removed += [(words, reason) for words in found]
        return Cleaned(text, tuple(removed))

    def _is_used(self, word: str) -> bool:
        return word in self._kept or self._in_names(word)

    def _is_name(self, reason: str, words: str) -> bool:
        """Whether what a rule found is said in words of names: its first words, its sign, its noun, all but sides."""
        if reason == "excluded":
            opening = _OPENING.match(words)
            return opening is not None and self._is_used(parse(opening[1]).words[0])
        said = [word for word in parse(words).words if word not in STOP and word not in SIDES]
        return any(map(self._is_used, said[-1:] if reason == "cell type" else said))


def _without(text: str, matches: list[re.Match[str]]) -> str:
    for match in reversed(matches):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return text


def _any_of(words: list[str]) -> re.Pattern[str]:
    longest = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(longest)})(?![^\W_])", re.IGNORECASE)


def _tidied(text: str) -> str:
    text = re.sub(r"[(\[（]\s*[)\]）]", " ", text)
    text = re.sub(r"\s+([,;)\]])", r"\1", " ".join(text.split()))
    text = re.sub(r"^(?:(?:in|of|from|the|の)(?:\s+|(?<=の)))+|\s+(?:in|of|from|and)$", "", text, flags=re.IGNORECASE)
    return text.strip(" ,;-_、の")
