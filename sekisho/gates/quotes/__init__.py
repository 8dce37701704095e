"""The quote gate: `Sources(texts).check(source, quote)` gives a `Verdict` with one of a closed list of reasons."""

from sekisho.gates.quotes.ids import nearest
from sekisho.gates.quotes.sources import Sources
from sekisho.gates.quotes.told import told
from sekisho.gates.quotes.verdict import ACCEPTED, Reason, Verdict

__all__ = ["ACCEPTED", "Reason", "Sources", "Verdict", "nearest", "told"]
