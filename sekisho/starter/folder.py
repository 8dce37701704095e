"""The new data folder as a whole: planned first, so that nothing is written where something is amiss."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sekisho.errors import InputError
from sekisho.schema import load_notes_schema
from sekisho.sources.folder import FolderConfig, read_questions
from sekisho.starter import templates
from sekisho.starter.taken import LeftOut, Taken, catalogue_name, pattern_of, take_decisions, take_notes
from sekisho.text import printable

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody wants of a new data folder; each path is copied from, and never changed.

    Without `notes` those that lie in the folder already are used. Where there are none, and neither decisions nor a
    catalogue is given, an example is written.
    """

    folder: Path
    notes: Path | None = None
    schema: Path | None = None
    questions: Path | None = None
    decisions: Path | None = None
    catalogue: Path | None = None
    asked: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Starter:
    """What is to be written below a folder: texts and copies by their path in it, and what is left out of the copies.

    `notes` counts the documents; `in_place` says that they lie there already, `example` that they are ours. `draft` is
    the template of a draft that is written beside decisions, empty without one.
    """

    folder: Path
    texts: Mapping[str, str]
    copies: Mapping[str, Path]
    left_out: tuple[LeftOut, ...]
    notes: int
    in_place: bool
    example: bool
    draft: str = ""


def plan_starter(wishes: Wishes) -> Starter:
    """Read what is named and say what would be written; nothing is. `InputError` where something cannot be used.

    Files that exist are never written over: they are named in the error.
    """
    folder = wishes.folder.expanduser().absolute()
    encodings = _encodings(wishes.encodings)
    own = folder / "notes"
    in_place = holds_files(own) and wishes.notes in (None, own)
    taken = None
    if wishes.notes is not None or in_place:
        taken = take_notes((wishes.notes or own).expanduser().absolute(), encodings, folder)
    copies = _copies(wishes, None if in_place else taken)
    decisions = take_decisions(wishes.decisions.expanduser().absolute(), encodings) if wishes.decisions else None
    copies |= _below("decisions", decisions)
    example = taken is None and decisions is None and wishes.catalogue is None
    texts = _texts(folder, wishes, encodings, taken if in_place else None, example=example)
    draft = "" if decisions is None or holds_files(folder / "drafts") else templates.DRAFT_PATH
    if draft:
        texts[draft] = templates.DRAFT
    if decisions is not None:
        texts["golden/recall.yaml"] = templates.GOLDEN_RECALL
    _check_free(folder, [*texts, *copies])
    return Starter(
        folder=folder,
        texts=dict(sorted(texts.items())),
        copies=dict(sorted(copies.items())),
        left_out=(*_left("notes", taken), *_left("decisions", decisions)),
        notes=len(taken.paths) if taken else len(templates.EXAMPLE_NOTES) if example else 0,
        in_place=in_place,
        example=example,
        draft=draft,
    )


def write_starter(starter: Starter) -> None:
    """Write what was planned; where the disk refuses, what was written of it is taken away again: `InputError`."""
    written: list[Path] = []
    path = starter.folder
    try:
        for name in [*starter.texts, *starter.copies]:
            path = starter.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:  # what has come to be there since the plan was made is not written over
                written.append(path)
                if name in starter.texts:
                    file.write(starter.texts[name].encode("utf-8"))
                else:
                    with starter.copies[name].open("rb") as source:
                        shutil.copyfileobj(source, file)
    except OSError as error:
        for done in written:
            with suppress(OSError):
                done.unlink()
        reason = f"cannot be written: {error.strerror}"
        raise InputError(
            reason, file=error.filename or path, remedy="check rights and space; nothing is kept"
        ) from None


def _encodings(names: Sequence[str]) -> tuple[str, ...]:
    """Those of the configuration, UTF-8 first; `InputError` for one that Python does not know."""
    wanted = tuple(dict.fromkeys(["utf-8", *names]))
    try:
        return FolderConfig(encodings=wanted).encodings
    except ValueError:
        unknown = ", ".join(names)
        raise InputError(f"no encoding: {unknown}", item="--encoding", remedy="write cp932 or euc_jp, say") from None


def holds_files(folder: Path) -> bool:
    """Whether a folder is there with anything in it that is not hidden."""
    return folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir())


def _copies(wishes: Wishes, notes: Taken | None) -> dict[str, Path]:
    """The single files and the notes that are copied; `InputError` where one of them cannot be used."""
    copies = _below("notes", notes)
    if wishes.schema is not None:
        path = _file(wishes.schema, "--schema")
        load_notes_schema(path)
        copies["notes.schema.yaml"] = path
    if wishes.questions is not None:
        path = _file(wishes.questions, "--questions")
        read_questions(path)
        copies["questions.yaml"] = path
    if wishes.catalogue is not None:
        path = wishes.catalogue.expanduser().absolute()
        copies[f"catalogue/{catalogue_name(path)}"] = path
    return copies


def _below(name: str, taken: Taken | None) -> dict[str, Path]:
    return {f"{name}/{path}": taken.root / path for path in taken.paths} if taken else {}


def _left(name: str, taken: Taken | None) -> list[LeftOut]:
    return [LeftOut(f"{name}/{one.path}", one.reason) for one in taken.left_out] if taken else []


def _file(path: Path, option: str) -> Path:
    path = path.expanduser().absolute()
    if not path.is_file():
        raise InputError("no such file", file=path, item=option, remedy="name a file that is there")
    return path


def _texts(
    folder: Path, wishes: Wishes, encodings: tuple[str, ...], in_place: Taken | None, *, example: bool
) -> dict[str, str]:
    left = in_place.left_out if in_place else ()
    exclude = [(pattern_of(f"notes/{one.path}"), printable(one.reason)) for one in left]
    texts = {
        "sekisho.yaml": templates.settings_text(encodings, exclude),
        "env.sh": templates.environment_text(folder),
        "golden/answers.yaml": templates.GOLDEN,
    }
    if not (folder / "state" / ".gitignore").exists():
        texts["state/.gitignore"] = "*\n"  # what is made there is made anew, and may be large
    if wishes.schema is None:
        texts["notes.schema.yaml"] = templates.SCHEMA
    if wishes.questions is None:
        asked = tuple((f"q{number}", text) for number, text in enumerate(wishes.asked, start=1))
        texts["questions.yaml"] = templates.questions_text(
            asked or (templates.EXAMPLE_QUESTIONS if example and wishes.schema is None else ())
        )
    if example:
        texts |= {f"notes/{name}": text for name, text in templates.EXAMPLE_NOTES.items()}
    return texts


def _check_free(folder: Path, names: Sequence[str]) -> None:
    """`InputError` naming what is there already: the files, and folders of documents, which are not mixed."""
    tops = {name.split("/")[0] for name in names if "/" in name} - {"state"}
    taken = [name for name in sorted(names) if (folder / name).exists() or (folder / name).is_symlink()]
    taken += [f"{top}/" for top in sorted(tops) if holds_files(folder / top)]
    if folder.exists() and not folder.is_dir():
        taken = ["."]
    if taken:
        told = ", ".join(printable(name) for name in taken[:_SHOWN])
        more = f" and {len(taken) - _SHOWN} more" if len(taken) > _SHOWN else ""
        reason = f"there already, and never written over: {told}{more}"
        terms = folder / "catalogue" / "terms.tsv"
        remedy = f"name a new folder; to add to it: copy decisions into {folder / 'decisions'}, terms into {terms}"
        raise InputError(reason, file=folder, remedy=remedy)
