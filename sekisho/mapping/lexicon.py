"""What English, Latin and Greek say of names in general: words and endings, never the names of one catalogue.

All words are lower case, in American spelling and singular.
"""

from __future__ import annotations

import unicodedata


def _listed(text: str) -> list[str]:
    return text.split()


STOP = frozenset(_listed("of the a an in at on to for by with from and or & et de la le der des"))

GREEK_NAMES = frozenset(
    _listed(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
        "chi psi omega"
    )
)
GREEK = {
    unicodedata.lookup(f"GREEK SMALL LETTER {'lamda' if name == 'lambda' else name}"): name for name in GREEK_NAMES
} | {
    "ς": "sigma",
    "µ": "mu",
}

_NUMBERED = (
    "one two three four five six seven eight nine ten eleven twelve",
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "primus secundus tertius quartus quintus sextus septimus octavus nonus decimus",
)
NUMBERS = {word: str(at) for words in _NUMBERED for at, word in enumerate(words.split(), start=1)}
KANJI_NUMBERS = {kanji: str(at) for at, kanji in enumerate("一二三四五六七八九", start=1)}

SIDES = {
    **dict.fromkeys(("left", "sinister", "sinistra", "sinistrum", "左", "左側"), "left"),
    **dict.fromkeys(("right", "dexter", "dextra", "dextrum", "右", "右側"), "right"),
}

# Prefixes of compound directions: `posteroinferior` is posterior and inferior.
PREFIXES = {
    "antero": "anterior",
    "postero": "posterior",
    "ventro": "ventral",
    "dorso": "dorsal",
    "medio": "medial",
    "latero": "lateral",
    "rostro": "rostral",
    "caudo": "caudal",
    "supero": "superior",
    "infero": "inferior",
    "centro": "central",
}
# What stands before a word and makes a compound with it.
BEFORE = _listed(
    "peri para supra infra inter intra retro juxta extra endo ecto meso meta epi hypo hyper sub super trans pre post "
    "hemi semi circum archi neo paleo pseudo ultra ante anti allo iso"
)

# What is written together with the word behind it, with a hyphen or without.
JOINED = (*BEFORE, *_listed("mono bi di tri tetra penta hexa poly multi uni non micro macro nano auto bio re"))

# After one of these, `a` is an article.
BEFORE_ARTICLE = frozenset(_listed("of in at on to for by with from as"))

# Each names the other's opposite: a name with the one is not a variant of a name with the other.
OPPOSITES = (
    ("anterior rostral oral 吻側 前部", "posterior caudal 尾側 後部"),
    ("superior upper dorsal 背側", "inferior lower ventral 腹側"),
    ("medial internal inner median 内側", "lateral external outer 外側"),
    ("superficial", "deep profound"),
    ("proximal", "distal"),
    ("major magnocellular large greater", "minor parvocellular small lesser parvicellular"),
    ("afferent ascending", "efferent descending"),
    ("motor", "sensory"),
    ("gray grisea griseum", "white alba"),
    ("primary", "secondary accessory"),
    ("pre", "post"),
)

# Words that name nearly the same kind of thing; each group is mutual.
NEAR = (
    "sulcus fissure",
    "tract fasciculus bundle fascicle funiculus",
    "layer stratum lamina",
    "field region area zone",
    "part division subdivision portion pars component",
    "group complex",
    "body corpus",
    "medial median middle medius",
    "internal inner interior interna",
    "external outer exterior externa",
    "anterior rostral oral",
    "posterior caudal",
    "superior dorsal upper",
    "inferior ventral lower",
    "external lateral",
    "internal medial",
    "gray grisea griseum griseus",
    "white alba albus",
    "superficial superficiale",
    "deep profound profundum profundus",
    "crossing decussation chiasm",
    "horn cornu",
    "head caput",
    "tail cauda",
    "roof tectum",
    "bridge pons",
    "root radix",
    "wall paries",
    "fiber fibra",
    "convolution gyrus",
    "net reticulum reticular",
    "commissure commissura",
    "parvocellular parvicellular",
    "minor small lesser parvus",
    "major large greater magnus",
    "third tertius",
    "cortex cortical area",
    "ganglion ganglia",
    "neuron nerve",
    "vein vena",
    "artery arteria",
)

# A name with one of these more than the query names a part, branch or assembly of what the query names.
PARTITIVE = frozenset(
    _listed(
        "part division subdivision portion pars component branch ramus layer stratum lamina sublayer segment sector "
        "region zone complex group cluster area field root wall surface margin border limb horn head tail neck tip "
        "pole lobule subregion subfield system tree capsule shell core membrane vasculature artery vein wing "
        "部 枝 層 群 複合体 領域 区 根 野"
    )
)
