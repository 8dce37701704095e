"""The user's data folder: its configuration, schema and questions, each optional."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from zoneinfo import ZoneInfo

import pathspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from sekisho.errors import InputError
from sekisho.records import Question
from sekisho.refusal import refusal
from sekisho.schema import NotesSchema, load_notes_schema
from sekisho.sources.inside import kept_inside
from sekisho.yamlio import load_yaml

FOLDERS = ("notes", "decisions", "drafts", "portal_views", "catalogue", "fixtures", "golden")


class FolderConfig(BaseModel):
    """`data/sekisho.yaml`: files left out on purpose, encodings tried after UTF-8, the time zone of schedules."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exclude: tuple[str, ...] = ()
    encodings: tuple[str, ...] = Field(default=("utf-8",))
    timezone: str = "UTC"

    @field_validator("encodings")
    @classmethod
    def _encodings_exist(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            try:
                "".encode(name)
            except LookupError:
                raise ValueError(f"Python knows no encoding {name!r}") from None
        return names

    @field_validator("timezone")
    @classmethod
    def _timezone_exists(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            raise ValueError(f"no time zone is called {name!r}; one is Asia/Tokyo") from None
        return name


@dataclass(frozen=True)
class DataFolder:
    """A data folder and what is read from it; every file in it may be missing, the folder itself may not."""

    root: Path

    def present(self) -> DataFolder:
        """Itself; `InputError` where the folder is missing, or one in it is a link that leads out of it."""
        if not self.root.is_dir():
            raise InputError("no such folder", file=self.root, remedy="set SEKISHO_DATA to your data folder")
        for name in FOLDERS:
            self.below(name)
        return self

    def below(self, name: str) -> Path:
        """A file or folder in it, there or not; `InputError` where that is a link that leads out of it."""
        return kept_inside(self.root / name, self.root)

    def check(self) -> DataFolder:
        """Itself; `InputError` where the folder is missing or one of its YAML files cannot be used."""
        self.present()
        notes = self.root / "notes"
        if notes.exists() and not notes.is_dir():
            raise InputError("not a folder", file=notes, remedy="put the notes into a folder of this name")
        _ = self.config, self._exclude, self.questions, self.notes_schema
        return self

    @cached_property
    def config(self) -> FolderConfig:
        """`sekisho.yaml`, or the defaults without one."""
        path = self.below("sekisho.yaml")
        raw = load_yaml(path) if path.exists() else None
        try:
            return FolderConfig.model_validate(raw if raw is not None else {})
        except ValidationError as error:
            raise refusal(error, path, (FolderConfig,)) from None

    @property
    def notes_schema_path(self) -> Path:
        """Where the fact type is described."""
        return self.root / "notes.schema.yaml"

    @cached_property
    def notes_schema(self) -> NotesSchema:
        """The fact type; one without fields where there is nothing to extract from, `InputError` where there is."""
        if self.below("notes.schema.yaml").exists():
            return load_notes_schema(self.notes_schema_path)
        notes = self.root / "notes"
        if notes.is_dir() and any(not path.name.startswith(".") for path in notes.iterdir()):
            raise InputError("missing", file=self.notes_schema_path, remedy="describe the fields of a fact in it")
        return NotesSchema(fields={})

    @property
    def questions_path(self) -> Path:
        """Where the questions are written."""
        return self.root / "questions.yaml"

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """The questions in file order; none without a file."""
        return read_questions(self.below("questions.yaml"))

    def excluded(self, path: Path) -> bool:
        """Whether an `exclude` pattern (gitignore rules) names a file, seen from `data/` or the folder in it."""
        if not self.config.exclude:
            return False
        inside = path.relative_to(self.root).as_posix()
        views = [self._exclude.check_file(seen) for seen in (inside, inside.partition("/")[2]) if seen]
        # As in git, the last pattern that matches decides, from whichever folder it was written.
        decided = [view for view in views if view.index is not None]
        return bool(max(decided, key=lambda view: view.index or 0).include) if decided else False

    @cached_property
    def _exclude(self) -> pathspec.GitIgnoreSpec:
        try:
            return pathspec.GitIgnoreSpec.from_lines(self.config.exclude)
        except ValueError as error:
            raise InputError(str(error), file=self.root / "sekisho.yaml", item="exclude", remedy="correct it") from None


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file in its order; none where it is missing. `InputError` names what cannot be used."""
    raw = load_yaml(path) if path.exists() else None
    raw = [] if raw is None else raw
    if not isinstance(raw, list):
        raise InputError("a list of {id, question} is expected", file=path, remedy="begin each with `- id:`")
    questions: dict[str, Question] = {}
    for number, item in enumerate(raw, start=1):
        try:
            question = Question.model_validate(item)
        except ValidationError as error:
            how = '"- id: …" and "  question: …"'
            raise refusal(error, path, (Question,), entry=f"question {number}", example=how) from None
        if question.id in questions:
            raise InputError("this id stands twice", file=path, item=question.id, remedy="rename one of them")
        questions[question.id] = question
    return tuple(questions.values())
