"""Text as the gates compare it, and as a reader may be shown it."""

from sekisho.text.folding import Folded, fold, fold_needle, is_blank, is_cjk
from sekisho.text.shown import json_text, printable, shortened

__all__ = ["Folded", "fold", "fold_needle", "is_blank", "is_cjk", "json_text", "printable", "shortened"]
