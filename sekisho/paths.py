"""Where things lie in a data folder and in a state folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sekisho.publish import DAMAGED


class Paths:
    """The files and folders that have a name of their own, below the two folders that the settings name."""

    if TYPE_CHECKING:  # fields of the settings
        data: Path
        state: Path

    @property
    def dagster_path(self) -> Path:
        """Dagster's home: its record of runs."""
        return self.state / "dagster"

    @property
    def damaged_path(self) -> Path:
        """The folder of what was damaged and set aside."""
        return self.state / DAMAGED

    @property
    def warehouse_path(self) -> Path:
        """The DuckDB file under the state folder."""
        return self.state / "warehouse.duckdb"

    @property
    def index_path(self) -> Path:
        """The folder of the vector index."""
        return self.state / "index"

    @property
    def catalogue_path(self) -> Path:
        """The folder of the catalogue's index, made again where it is missing."""
        return self.state / "catalogue"

    @property
    def golden_answers_path(self) -> Path:
        """What should be answered to some of the questions."""
        return self.data / "golden" / "answers.yaml"

    @property
    def golden_recall_path(self) -> Path:
        """What should be recalled for some of the drafts."""
        return self.data / "golden" / "recall.yaml"

    @property
    def answers_baseline_path(self) -> Path:
        """The figures that an evaluation of answers is held against."""
        return self._baselines / "answers.json"

    @property
    def mapping_baseline_path(self) -> Path:
        """The figures that an evaluation of mapping is held against."""
        return self._baselines / "mapping.json"

    @property
    def recall_baseline_path(self) -> Path:
        """The figures that an evaluation of recall is held against."""
        return self._baselines / "recall.json"

    @property
    def _baselines(self) -> Path:
        return self.data / "golden" / "baselines"

    @property
    def compiled_path(self) -> Path:
        """The published facts as JSON."""
        return self.state / "compiled.json"

    @property
    def gaps_path(self) -> Path:
        """What the gates turned back, as Markdown."""
        return self.state / "gap.md"

    @property
    def report_path(self) -> Path:
        """The evidence report, one page."""
        return self.state / "report.html"

    @property
    def calls_path(self) -> Path:
        """The stored replies of real models."""
        return self.state / "llm_calls"

    @property
    def spend_path(self) -> Path:
        """The ledger of model calls, one attempt a line."""
        return self.state / "llm_spend.jsonl"

    @property
    def log_path(self) -> Path:
        """The event log."""
        return self.state / "log.jsonl"

    @property
    def inventory_path(self) -> Path:
        """The files of the data folder as the last ingest found them."""
        return self.state / "documents.json"
