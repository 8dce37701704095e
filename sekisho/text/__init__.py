"""Text as the gates compare it, and as a reader may be shown it."""

from sekisho.text.folding import Folded, fold, fold_needle, is_blank, is_cjk
from sekisho.text.shown import first_of, json_text, printable, shortened

__all__ = ["Folded", "first_of", "fold", "fold_needle", "is_blank", "is_cjk", "json_text", "printable", "shortened"]
