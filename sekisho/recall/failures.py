"""Why recall could not look, in one word each, so that failures can be counted."""

from __future__ import annotations

from collections.abc import Mapping

from sekisho.errors import (
    AccessDenied,
    AgentAbstained,
    AgentTimeout,
    AgentUnavailable,
    BudgetReached,
    InputError,
    InvalidReply,
    ModelRefused,
    RateLimited,
    ReplyCut,
    VectorsUnusable,
    WarehouseError,
)

_REASONS: Mapping[type[Exception], str] = {
    AccessDenied: "access_denied",
    AgentAbstained: "abstained",
    AgentTimeout: "timeout",
    AgentUnavailable: "unavailable",
    BudgetReached: "budget_reached",
    InputError: "settings",
    InvalidReply: "invalid_reply",
    ModelRefused: "refused",
    RateLimited: "rate_limited",
    ReplyCut: "reply_cut",
    VectorsUnusable: "vectors",
    WarehouseError: "warehouse",
}


def failure_reason(error: Exception) -> str:
    """The word for a failure; `failed` for one that has none of its own."""
    return next((word for kind, word in _REASONS.items() if isinstance(error, kind)), "failed")
