"""The warehouse: every row of every stage, in one DuckDB file."""

from sekisho.warehouse.lock import lock_holder, run_lock, run_lock_is_free
from sekisho.warehouse.warehouse import Published, Warehouse

__all__ = ["Published", "Warehouse", "lock_holder", "run_lock", "run_lock_is_free"]
