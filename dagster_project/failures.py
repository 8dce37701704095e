"""Why a step or a run failed, from what Dagster keeps of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dagster import DagsterEvent
    from dagster._core.execution.plan.objects import StepFailureData
    from dagster_shared.error import SerializableErrorInfo


def is_refusal(data: StepFailureData) -> bool:
    """Whether a step failed for no other reason than that a blocking check said no: the check tells its own story."""
    return data.error is not None and data.error.cls_name == "DagsterAssetCheckFailedError"


def step_cause(data: StepFailureData) -> str:
    """The message with which a step failed."""
    told = data.user_failure_data.description if data.user_failure_data else None
    return told or first_cause(data.error)


def run_cause(event: DagsterEvent) -> str:
    """The message of the failure of a run that came to no step, or whose process died."""
    error = getattr(event.event_specific_data, "error", None)
    return first_cause(error) if error else event.message or "the run failed"


def first_cause(error: SerializableErrorInfo | None) -> str:
    """The message of the exception that began it."""
    if error is None:
        return "failed"
    while error.cause is not None:
        error = error.cause
    return error.message.strip().removeprefix("sekisho.errors.")
