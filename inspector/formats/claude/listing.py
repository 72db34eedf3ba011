"""The contents of an export of Claude.ai: its chats are listed by their headings, and each is read on demand.

How a chat is read depends on the others: only beside others it has the text of its attached files in its turns.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from msgspec import Raw

from inspector.formats.claude.chat import ClaudeChat, Heading, heading_in, heading_of, headings_in, is_chat, read_chat
from inspector.formats.claude.projects import characters_of, documents_of, is_memory, is_project, memory_sets_of
from inspector.formats.notes import Notes
from inspector.formats.unique_ids import unique_texts, with_unique_ids
from inspector.formats.unread_text import CHAT_BYTES, MOST_UNREAD, UnreadText, large
from inspector.model import Attachment, Branches, Conversation, Problem, Workspace, changed
from inspector.reading.budget import BeyondBudgetError
from inspector.reading.files import ChangedFileError
from inspector.reading.memory import measure_json
from inspector.reading.pieces import Item, Pieces
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, stem


@dataclass(frozen=True, slots=True)
class _Value:
    """A decoded chat, and its place."""

    file: str
    place: str
    held: Any


@dataclass(frozen=True, slots=True)
class _Listed:
    """A listed chat: its heading, and the chat, decoded or not."""

    heading: Heading
    chat: _Value | UnreadText

    @property
    def file(self) -> str:
        return self.chat.file if isinstance(self.chat, _Value) else self.chat.source.path

    def read(self, quotes_files: bool, notes: Notes) -> ClaudeChat:
        """Return the chat; its defects are noted. Raise UnreadableError if it cannot be read at all."""
        value = self.chat.held if isinstance(self.chat, _Value) else self.chat.value(notes)
        return read_chat(value, quotes_files, notes, self.chat.place)

    def counted(self, keeps: bool) -> AbstractContextManager[None]:
        """Count the memory for reading the chat, as `UnreadText.counted` does."""
        return nullcontext() if isinstance(self.chat, _Value) else self.chat.counted(keeps)


@dataclass(slots=True)
class ChatList:
    """The chats, projects and memories of an export while its files are listed, and the problems of these."""

    problems: list[Problem] = field(default_factory=list)
    text_bytes: int = 0
    """The length of the texts of the chats, unread or not."""
    _chats: list[_Listed] = field(default_factory=list)
    _projects: list[Any] = field(default_factory=list)
    _memories: list[Any] = field(default_factory=list)
    _left_out: list[Problem] = field(default_factory=list)
    _longest: int = 0  # bytes of the longest text, or piece, that holds an unread chat

    @property
    def holds_something(self) -> bool:
        """Return whether anything of Claude.ai was found."""
        return bool(self._chats or self._projects or self._memories)

    @property
    def may_stay_unread(self) -> bool:
        """Whether chats can be read separately: not a single chat, as its files go beside it, nor large chats."""
        return len(self._chats) > 1 and 0 < self._longest <= MOST_UNREAD

    def add_value(self, file: str, place: str, value: Any) -> None:
        """Add a decoded chat, project or memories; anything else is a problem."""
        if is_chat(value):
            self._chats.append(_Listed(heading_of(value), _Value(file, place, value)))
        if is_project(value):
            self._projects.append(value)
        if is_memory(value):
            self._memories.append(value)
        if not is_known(value):
            message = "expected a chat, a project or memories; it was left out"
            self._left_out.append(Problem(file, place, message, "warning"))

    def add_texts(self, source: FileSource, texts: Sequence[Raw]) -> None:
        """Add the contents that a file holds as text; only plain chats stay undecoded.

        The first chat beyond the memory budget and all after it are left out, which is a problem.
        """
        sizes = [len(memoryview(text)) for text in texts]
        self.text_bytes += sum(sizes)
        found = zip(texts, sizes, map(heading_in, texts), strict=True)
        self._add_headed(source, found)

    def add_pieces(self, source: FileSource, pieces: Pieces) -> None:
        """Add the contents of an array as `add_texts` does; add none if it raises WrongCutError or ChangedFileError."""
        found = [(piece, headings_in(piece)) for piece in pieces]
        self.text_bytes += source.size
        self._add_headed(
            source,
            ((Item(pieces, piece, index), len(piece), one) for piece, ones in found for index, one in enumerate(ones)),
        )

    def _add_headed(self, source: FileSource, found: Iterable[tuple[Raw | Item, int, Heading | None]]) -> None:
        """Add the contents of a file, each with an upper bound of its text's size, and its heading if a plain chat."""
        for index, (json, size, heading) in enumerate(found):
            text = UnreadText(source, f"$[{index}]", json)
            notes = Notes(source.path)
            try:
                if heading is not None:
                    source.take(CHAT_BYTES, f"the list of chats from {text.place} on would take")
                    self._chats.append(_Listed(heading, text))
                    self._longest = max(self._longest, size)
                    continue
                source.take(measure_json(bytes(json)).memory, f"the rest from {text.place} on would take about")
                self.add_value(source.path, text.place, text.value(notes))
            except BeyondBudgetError as error:
                self.problems.append(error.problem)
                return
            except UnreadableError as error:
                notes.problems.append(error.problem)
            self.problems += notes.problems

    def workspace(self, source: FileSource) -> Workspace:
        """Return all contents, with the chats unread, and the problems of everything but these."""
        wanted = [one.heading.id or f"{stem(source.path)}-{number}" for number, one in enumerate(self._chats, 1)]
        chats = [_conversation(one, id_, self) for one, id_ in zip(self._chats, unique_texts(wanted), strict=True)]
        by_project: dict[str, list[str]] = {}
        for one, chat in zip(self._chats, chats, strict=True):
            by_project.setdefault(one.heading.project, []).append(chat.id)
        notes = Notes(source.path)
        sets = memory_sets_of(self._memories, by_project, notes)
        documents = documents_of(self._projects[0]) if len(self._projects) == 1 and not chats else []
        problems = [*self.problems, *self._left_out, *notes.problems]
        characters = characters_of(self._projects, not documents, bool(chats))
        return Workspace(
            conversations=tuple(chats),
            characters=_unique(characters, source, problems),
            memory_sets=_unique(sets, source, problems),
            documents=tuple(documents),
            problems=tuple(problems),
        )

    def whole(self, source: FileSource, workspace: Workspace, keeps: bool, is_shown: bool) -> Workspace:
        """Return the `workspace` with all chats read, and every problem; without `keeps` they stay unread.

        The first chat beyond the memory budget and all after it are left out, which is a problem; in a workspace that
        `is_shown` already, they stay unread.
        """
        found = _Whole()
        for place, (one, conversation) in enumerate(zip(self._chats, workspace.conversations, strict=True)):
            try:
                found.add(one, conversation, self.quotes_files, keeps)
            except BeyondBudgetError as error:
                found.problems.append(error.problem)
                found.conversations += workspace.conversations[place:] if is_shown else ()
                break
        stays = () if keeps else (large(source),)
        return changed(
            workspace,
            conversations=tuple(found.conversations),
            attachments=_with_unique_paths(found.attachments),
            problems=(*workspace.problems, *found.problems, *found.remarks(source), *stays),
        )

    @property
    def quotes_files(self) -> bool:
        """Whether the text of attached files goes into their turns: beside other chats, it belongs to one chat only."""
        return len(self._chats) > 1


def is_known(value: Any) -> bool:
    """Return whether a value is a known part of an export of Claude.ai."""
    return is_chat(value) or is_project(value) or is_memory(value)


def _conversation(one: _Listed, id_: str, chats: ChatList) -> Conversation:
    read = partial(_branches, one, chats.quotes_files)
    return Conversation.unread(id_, read, title=one.heading.title or id_, model=one.heading.model)


def _branches(one: _Listed, quotes_files: bool) -> Branches:
    """Return the messages of a chat on demand, with its problems; `whole` reports those of all chats."""
    notes = Notes(one.file)
    try:
        found = one.read(quotes_files, notes).branches
    except UnreadableError as error:
        return Branches((), problems=(*notes.problems, error.problem))
    except ChangedFileError:
        changed_since = Problem(one.file, one.chat.place, "has changed since its chats were listed")
        return Branches((), problems=(changed_since,))
    return changed(found, problems=tuple(notes.problems))


@dataclass(slots=True)
class _Whole:
    """An export while all its chats are read."""

    problems: list[Problem] = field(default_factory=list)
    conversations: list[Conversation] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    branched: int = 0
    others: int = 0

    def add(self, one: _Listed, listed: Conversation, quotes_files: bool, keeps: bool) -> None:
        """Add a chat; an unreadable chat is a problem. Raise BeyondBudgetError."""
        notes = Notes(one.file)
        with one.counted(keeps):
            try:
                chat = one.read(quotes_files, notes)
                branches = chat.branches
                self.attachments += chat.attachments
                self._count(branches)
                read = changed(listed, messages=branches.path, tree=branches.tree) if keeps else listed
                self.conversations.append(read)
            except UnreadableError as error:
                notes.problems.append(error.problem)
        self.problems += notes.problems

    def _count(self, branches: Branches) -> None:
        if branches.tree:
            self.branched += 1
            self.others += len(branches.tree.messages) - len(branches.path)

    def remarks(self, source: FileSource) -> Iterator[Problem]:
        """Yield remarks for the user on the file as a whole."""
        if self.branched:
            words = f"{self.branched} chats have other branches, {self.others} messages beside the active ones"
            yield source.problem("", words, "info")


def _unique(things: list[Any], source: FileSource, problems: list[Problem]) -> tuple[Any, ...]:
    unique, renamed = with_unique_ids(things, lambda _index: (source.path, "$"))
    problems += renamed
    return unique


def _with_unique_paths(files: list[Attachment]) -> tuple[Attachment, ...]:
    paths = unique_texts(file.path for file in files)
    return tuple(changed(file, path=path) for file, path in zip(files, paths, strict=True))
