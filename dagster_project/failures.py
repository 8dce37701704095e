"""Why a step or a run failed, from what Dagster keeps of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

_MODULE = re.compile(r"\A(?:\w+\.)+(?=[A-Z]\w*(?::|\Z))")  # of an exception's class, which says little to people

if TYPE_CHECKING:
    from dagster import DagsterEvent
    from dagster._core.execution.plan.objects import StepFailureData
    from dagster_shared.error import SerializableErrorInfo


def is_refusal(data: StepFailureData) -> bool:
    """Whether a step failed for no other reason than that a blocking check said no: the check tells its own story."""
    return data.error is not None and data.error.cls_name == "DagsterAssetCheckFailedError"


def is_interruption(data: StepFailureData) -> bool:
    """Whether a step ended because someone stopped its process: Ctrl-C, or a service that is shut down."""
    return data.error is not None and data.error.cls_name == "DagsterExecutionInterruptedError"


def step_cause(data: StepFailureData) -> str:
    """The message with which a step failed."""
    if is_interruption(data):
        return "interrupted: replies that had arrived are kept, run again for the rest"
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
    return _MODULE.sub("", error.message.strip())
