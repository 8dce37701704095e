"""Width: one worker per item in a bounded pool, results in the order of completion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Value = TypeVar("Value")


def fanout(
    items: Sequence[Item],
    work: Callable[[Item], Value],
    *,
    workers: int = 5,
    executor: Executor | None = None,
) -> Iterator[tuple[int, Value | Exception]]:
    """Yield `(index, value or the exception it raised)` as items complete; one failure never stops its neighbours.

    Any `Executor` will do (a Dask cluster's, say); without one a thread pool of `workers` is used. When the
    consumer stops early, what has not begun is cancelled.
    """
    pool = executor if executor is not None else ThreadPoolExecutor(workers, thread_name_prefix="sekisho")
    done: SimpleQueue[Future[Value]] = SimpleQueue()
    futures: dict[Future[Value], int] = {}
    try:
        for index, item in enumerate(items):
            future = pool.submit(work, item)
            futures[future] = index
            future.add_done_callback(done.put)  # as_completed gives what is done already in no order
        for _ in items:
            future = done.get()
            error = future.exception()
            if error is not None and not isinstance(error, Exception):
                raise error
            yield futures[future], future.result() if error is None else error
    finally:
        for future in futures:
            future.cancel()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)
