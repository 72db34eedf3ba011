"""Chorus Engine's backups: a zip with the character, its conversations and its memories.

Deleted messages come back in a backup, which does not mark them; of the summaries, it holds one for each conversation.
The copy of the vectors holds the memories a second time and is not read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.chorus import character as chorus
from inspector.formats.chorus import records
from inspector.formats.format import Format
from inspector.formats.memories.fields import MemoryReader
from inspector.model import Conversation, MemorySet, PastSummary, Problem, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, mapping, objects

_MANIFEST = "manifest.json"
_PEEK = 200_000  # bytes
_MARK = "backup_format_version"
_VERSION = 1
_PINS = "moment_pins"
_MEMBERS = {
    "character_yaml": "character.yaml",
    "conversations": "database/conversations.json",
    "memories": "database/memories.json",
}


def sniff(source: FileSource) -> float:
    """Return how likely this is a backup, by its manifest."""
    if source.shape != "zip":
        return 0.0
    try:
        archive = source.archive
        return 1.0 if _MANIFEST in archive and _MARK.encode() in archive.peek(_MANIFEST, _PEEK) else 0.0
    except UnreadableError:
        return 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with the character, its conversations, memories and summaries.

    A missing or damaged member is a problem, and the others are read. Raise UnreadableError if the archive or its
    manifest cannot be read.
    """
    backup = _Backup(source)
    character = backup.character()
    memories = backup.memory_sets()
    return Workspace(
        conversations=backup.conversations(),
        memory_sets=(*character.memory_sets, *memories),
        characters=character.characters,
        summaries=backup.summaries(),
        problems=tuple(backup.problems),
    )


class _Backup:
    """An opened backup, and the problems of its members."""

    def __init__(self, source: FileSource) -> None:
        self._source = source
        self.problems: list[Problem] = list(source.archive.problems)
        manifest = mapping(source.member(_MANIFEST).json)
        self._names = {**_MEMBERS, **{key: name for key, name in mapping(manifest.get("files")).items() if name}}
        if manifest.get(_MARK) != _VERSION:
            found = as_text(manifest.get(_MARK))[:40]
            self._warn(f"{source.path}/{_MANIFEST}", f"$.{_MARK}", f"expected {_VERSION}, found {found}; read as it is")
        self._talks, self._talk_reader = self._list("conversations")

    def character(self) -> Workspace:
        """Return the character with its core memories."""
        member = self._member("character_yaml")
        if member is None:
            return Workspace()
        try:
            found = chorus.load(member)
        except UnreadableError as error:
            self.problems.append(error.problem)
            return Workspace()
        self.problems += [*member.problems, *found.problems]
        return found

    def conversations(self) -> tuple[Conversation, ...]:
        """Return a conversation for each thread."""
        unique, problems = records.named(tuple(self._threads()), "c", (self._talk_reader.file, "$"))
        self.problems += [*self._talk_reader.problems(), *problems]
        return unique

    def _threads(self) -> Iterator[Conversation]:
        for place, talk in self._talks:
            threads = objects(talk.get("threads"))
            if not threads:
                self._talk_reader.note(place, "expected a conversation with threads")
            for number, thread in enumerate(threads):
                where = f"{place}.threads[{number}].messages"
                found = (
                    records.message(one, f"{where}[{index}]", self._talk_reader)
                    for index, one in enumerate(objects(thread.get("messages")))
                )
                yield records.conversation(talk, thread, [one for one in found if one], len(threads))

    def summaries(self) -> tuple[PastSummary, ...]:
        """Return the summary of each conversation, if any."""
        found: list[PastSummary] = []
        for place, talk in self._talks:
            if isinstance(talk.get("summary"), Mapping):
                title = as_text(talk.get("title"))
                summary = records.summary(talk["summary"], title, f"{place}.summary", self._talk_reader)
                found += [summary] if summary else []
        unique, problems = records.named(found, "summary", (self._talk_reader.file, "$"))
        self.problems += problems
        return unique

    def memory_sets(self) -> tuple[MemorySet, ...]:
        """Return the memories and the pinned moments; the core memories of the character file are a separate set."""
        memories, reader = self._list("memories")
        sets = records.memory_sets(memories, reader)
        self.problems += reader.problems()
        if _PINS not in self._names:  # the first backups had none
            return sets
        pinned, reader = self._list(_PINS)
        pins = records.moment_pins(pinned, reader)
        self.problems += reader.problems()
        return (*sets, *pins)

    def _list(self, key: str) -> tuple[list[tuple[str, Mapping[str, Any]]], MemoryReader]:
        """Return the objects of a JSON member with their places, and the reader that notes their defects."""
        member = self._member(key)
        reader = MemoryReader(member.path if member else self._source.path)
        if member is None:
            return [], reader
        try:
            value = member.json
        except UnreadableError as error:
            self.problems.append(error.problem)
            return [], reader
        self.problems += member.problems
        if not isinstance(value, list):
            self._warn(member.path, "$", f"expected a list of {key}")
            return [], reader
        for number, item in enumerate(value):
            if not isinstance(item, Mapping):
                reader.note(f"$[{number}]", "expected an object")
        return [(f"$[{i}]", item) for i, item in enumerate(value) if isinstance(item, Mapping)], reader

    def _member(self, key: str) -> FileSource | None:
        name = as_text(self._names[key])
        if name not in self._source.archive:
            self._warn(self._source.path, name, "is missing from the backup")
            return None
        try:
            return self._source.member(name)
        except UnreadableError as error:
            self.problems.append(error.problem)
            return None

    def _warn(self, file: str, place: str, message: str) -> None:
        self.problems.append(Problem(file, place, message, "warning"))


FORMAT = Format(
    "chorus_backup", "Chorus Engine backup", sniff, load, "an archive whose manifest has `backup_format_version`"
)
