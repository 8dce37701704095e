"""Letters of scripts without spaces between words, each as it stands in the `[]` of a regular expression."""

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆"
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a1-\u30ff"
HANGUL = "\uac00-\ud7af"
CJK = HIRAGANA + KATAKANA + HAN + HANGUL
