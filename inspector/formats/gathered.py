"""Sessions of many small files, joined to one document, which opens with the first of these files.

opencode (anomalyco/opencode, `packages/opencode/src/storage/storage.ts`): `session/PROJECT/ID.json`, and beside that
folder `message/ID/*.json` and `part/MESSAGE/*.json`; in the first versions all below `session`. OpenHands
(OpenHands/software-agent-sdk, `openhands-sdk/openhands/sdk/conversation/event_store.py`; All-Hands-AI/OpenHands,
`openhands/storage/locations.py`): `events/NUMBER.json` or `events/event-NUMBER-ID.json`, and copies in `event_cache`.
Cline (cline/cline, `src/core/storage/disk.ts`) and Roo (RooCodeInc/Roo-Code, `src/shared/globalFileNames.ts`): the task
in `api_conversation_history.json`, and beside it what was shown and sent otherwise; Cline 4
(`sdk/packages/core/src/session/session-artifacts.ts`): `ID.messages.json`, and beside it `ID.json` and
`ID.compaction.json`. Antigravity (Sinity/polylogue, `polylogue/sources/parsers/antigravity.py`): artefacts of a chat
in `brain/ID`, each with its description (`task.md.metadata.json`) and its earlier versions (`task.md.resolved.0`).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from inspector.model import Problem
from inspector.reading.budget import Budget
from inspector.reading.files import read_file
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_number, as_text, mapping

_EVENT = re.compile(r"(?:event-)?(\d{1,9})(?:-[^/]*)?\.json", re.ASCII)
_EVENTS, _COPIES = "events", "event_cache"
_SESSION, _MESSAGES, _PARTS = "session", "message", "part"
_TOLD_BY = ("projectID", "directory", "version", "title")
_Read = tuple[str, Mapping[str, Any]]
_TASK = "api_conversation_history.json"
_BESIDE_TASK = ("ui_messages", "task_metadata", "context_history")
_SPOKEN = ".messages.json"
_CUT, _WHOLE = "transcript.jsonl", "transcript_full.jsonl"
"""Transcripts of the same chat of Antigravity, the first with long texts cut off."""
_ARTEFACT, _DESCRIBED, _EARLIER = ".md", ".metadata.json", ".resolved"
_BESIDE_SPOKEN = {"manifest": ".json", "compaction": ".compaction.json"}


def source_of(path: Path, data: bytes, budget: Budget) -> FileSource:
    """Return the source of a file; for the first file of a session, the source of the whole session as one document.

    The other files are read within the remaining memory; each unreadable file is a problem of the source.
    """
    gathered = _Gathered(budget.left)
    whole = _of_events(path, gathered) or _of_storage(path, data, gathered) or _of_cline(path, data, gathered)
    whole = whole or _of_artefact(path, data, gathered)
    if whole is None:
        return FileSource(str(path), data, budget)
    source = FileSource(str(path), json.dumps(whole).encode(), budget)
    source.problems += gathered.problems
    return source


def pieces_among(files: Iterable[Path]) -> frozenset[Path]:
    """Return the files read with the first file of their session, if that is among these files too."""
    listed = list(files)
    folders: dict[Path, list[Path]] = {}
    for file in listed:
        folders.setdefault(file.parent, []).append(file)
    pieces: set[Path] = set()
    for folder, inside in folders.items():
        events = _events(inside) if folder.name == _EVENTS else []
        if len(events) > 1:
            pieces.update(events[1:])
            pieces.update(folders.get(folder.with_name(_COPIES), ()))
    for root, names in _storages(listed).items():
        spoken = {
            folder.name for folder in folders if folder.parent == root / _MESSAGES and _names(folder.name) & names
        }
        pieces.update(file for id_ in spoken for file in folders[root / _MESSAGES / id_])
        if spoken:
            pieces.update(file for file in listed if (root / _PARTS) in file.parents)
    present = frozenset(listed)
    pieces.update(piece for file in listed for piece in _beside(file).values() if piece in present)
    pieces.update(_of_artefacts(present))
    pieces.update(file for file in present if file.name == _CUT and file.with_name(_WHOLE) in present)
    return frozenset(pieces)


class _Gathered:
    """The files of a session, read up to a number of bytes, and the problems of unreadable files."""

    def __init__(self, most: int) -> None:
        self.problems: list[Problem] = []
        self._left = most

    def read(self, files: Iterable[Path]) -> list[_Read]:
        """Return the objects in some files, each with its path."""
        return [(str(file), held) for file in files if (held := self._object(file)) is not None]

    def values(self, files: Mapping[str, Path]) -> dict[str, Any]:
        """Return the values in those of some files that exist, by the same names."""
        found = {name: self._value(file) for name, file in files.items() if file.is_file()}
        return {name: value for name, value in found.items() if value is not None}

    def _object(self, file: Path) -> Mapping[str, Any] | None:
        held = self._value(file)
        if held is not None and not isinstance(held, Mapping):
            self.problems.append(Problem(str(file), "$", "expected an object as JSON; it was left out", "warning"))
            return None
        return held

    def _value(self, file: Path) -> Any:
        try:
            data = read_file(file, self._left)
        except UnreadableError as error:
            self.problems.append(error.problem)
            return None
        self._left -= len(data)
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            self.problems.append(Problem(str(file), "$", "expected JSON; it was left out", "warning"))
            return None


def _of_events(path: Path, gathered: _Gathered) -> Mapping[str, Any] | None:
    """Return the events of OpenHands in the folder of this file; None if it is not the first of several."""
    if path.parent.name != _EVENTS or not _EVENT.fullmatch(path.name):
        return None
    files = _events(_listed(path.parent))
    if len(files) < 2 or files[0].name != path.name:
        return None
    return {"id": path.parent.parent.name, _EVENTS: [held for _, held in gathered.read(files)]}


def _events(files: Iterable[Path]) -> list[Path]:
    """Return the files of events in the order of their numbers."""
    numbered = [(int(found[1]), file.name, file) for file in files if (found := _EVENT.fullmatch(file.name))]
    return [file for _, _, file in sorted(numbered)]


def _of_storage(path: Path, data: bytes, gathered: _Gathered) -> Mapping[str, Any] | None:
    """Return a session of opencode with its messages and their parts; None for other files, or without messages."""
    if path.suffix != ".json" or path.parent.parent.name != _SESSION:
        return None
    try:
        about = mapping(json.loads(data))
    except (ValueError, RecursionError):
        return None
    id_ = about.get("id")
    if not isinstance(id_, str) or not _is_name(id_) or not any(key in about for key in _TOLD_BY):
        return None
    for root in (path.parents[2], path.parents[1]):
        told = gathered.read(_json_files(root / _MESSAGES / id_))
        if told:
            loose = _loose_parts(root / _PARTS, gathered)
            told.sort(key=lambda one: (as_number(mapping(one[1].get("time")).get("created")) or 0, one[0]))
            messages = [_with_parts(info, root / _PARTS / id_, root / _PARTS, loose, gathered) for _, info in told]
            return {"info": about, "messages": messages}
    return None


def _of_cline(path: Path, data: bytes, gathered: _Gathered) -> Mapping[str, Any] | None:
    """Return a task or session of Cline with the files beside it; None if this is none, or there are no such files."""
    files = {name: file for name, file in _beside(path).items() if file.is_file()}
    if not files:
        return None
    try:
        held = json.loads(data)
    except (ValueError, RecursionError):
        return None
    about = {"messages": held} if isinstance(held, list) else mapping(held)
    return {**about, **gathered.values(files)} if isinstance(about.get("messages"), list) else None


def _beside(file: Path) -> dict[str, Path]:
    """Return the places of the files that Cline keeps beside a task or session, none for any other file."""
    if file.name == _TASK:
        return {name: file.with_name(f"{name}.json") for name in _BESIDE_TASK}
    if file.name.endswith(_SPOKEN):
        id_ = file.name.removesuffix(_SPOKEN)
        return {name: file.with_name(f"{id_}{ending}") for name, ending in _BESIDE_SPOKEN.items()}
    return {}


def _of_artefact(path: Path, data: bytes, gathered: _Gathered) -> Mapping[str, Any] | None:
    """Return an artefact of Antigravity with its description; None for files without one beside them."""
    if path.suffix != _ARTEFACT:
        return None
    about = mapping(gathered.values({"about": path.with_name(path.name + _DESCRIBED)}).get("about"))
    if "artifactType" not in about:
        return None
    earlier = [file.name for file in _listed(path.parent) if file.name.startswith(path.name + _EARLIER)]
    text = FileSource(str(path), data).text
    return {**about, "file": path.name, "chat": path.parent.name, "content": text, "earlier": earlier}


def _of_artefacts(files: frozenset[Path]) -> Iterator[Path]:
    """Yield the descriptions and earlier versions of those files that are artefacts."""
    for file in files:
        name, _, _ = file.name.partition(f"{_ARTEFACT}.")
        artefact = file.with_name(name + _ARTEFACT)
        if artefact != file and artefact in files and artefact.with_name(artefact.name + _DESCRIBED) in files:
            yield file


def _with_parts(
    info: Mapping[str, Any], older: Path, folder: Path, loose: Mapping[str, list[Any]], gathered: _Gathered
) -> Mapping[str, Any]:
    """Return a message with its parts, from the folder of the message or from beside such folders."""
    id_ = as_text(info.get("id") or "")
    found: list[Any] = []
    if _is_name(id_):
        files = _json_files(folder / id_) or _json_files(older / id_)
        found = [held for _, held in gathered.read(files)]
    return {"info": info, "parts": found or loose.get(id_, [])}


def _loose_parts(folder: Path, gathered: _Gathered) -> dict[str, list[Any]]:
    """Return the parts outside the folders of messages, as in the first versions, by the id of their message."""
    found: dict[str, list[Any]] = {}
    for _, held in gathered.read(_json_files(folder)):
        found.setdefault(as_text(held.get("messageID") or ""), []).append(held)
    return found


def _storages(files: Iterable[Path]) -> dict[Path, frozenset[str]]:
    """Return the folders of opencode's storages, each with the names of its sessions."""
    found: dict[Path, set[str]] = {}
    for file in files:
        if file.suffix == ".json" and file.parent.parent.name == _SESSION:
            for root in (file.parents[2], file.parents[1]):
                found.setdefault(root, set()).update(_names(file.stem))
    return {root: frozenset(names) for root, names in found.items()}


def _names(name: str) -> set[str]:
    """Return the name of a session with and without its prefix."""
    return {name, name.removeprefix("ses_")}


def _is_name(id_: str) -> bool:
    """Return whether an id is a plain file name, which leads to no other folder."""
    return bool(re.fullmatch(r"[\w.-]{1,200}", id_, re.ASCII)) and not id_.startswith(".")


def _json_files(folder: Path) -> list[Path]:
    return [file for file in _listed(folder) if file.suffix == ".json"]


def _listed(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder by name; none if it cannot be listed."""
    try:
        yield from sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    except OSError:
        return
