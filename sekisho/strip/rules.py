"""What is stripped and how: the switch, the fallback and its two patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

FallbackRule = Literal["none", "regex"]

KEY = "decikg"
DEFAULT_BEGIN = r"(?m)^\s*decikg:\s*$"
DEFAULT_END = r"(?m)^(?=\S)"


@dataclass(frozen=True, slots=True)
class StripRules:
    """Off by default; `begin` and `end` are for the fallback alone and are matched line by line."""

    enabled: bool = False
    fallback: FallbackRule = "none"
    begin: re.Pattern[str] = re.compile(DEFAULT_BEGIN)
    end: re.Pattern[str] = re.compile(DEFAULT_END)
