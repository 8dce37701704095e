"""A data folder of one's own, written so that it runs as it is."""

from sekisho.starter.folder import Starter, Wishes, holds_files, plan_starter, write_starter
from sekisho.starter.taken import LeftOut

__all__ = ["LeftOut", "Starter", "Wishes", "holds_files", "plan_starter", "write_starter"]
