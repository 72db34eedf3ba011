"""The chats of an export: all are first listed by their outlines, and each is read on demand.

A broken chat is a problem, and the others open.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from msgspec import Raw

from inspector.formats.chatgpt.chat import ChatGptChat, branches_of, read_chat
from inspector.formats.chatgpt.outline import Outline, outline_of, outlines_in
from inspector.formats.chatgpt.shared import Shared, shared_by
from inspector.formats.notes import Notes
from inspector.formats.unique_ids import unique_texts
from inspector.formats.unread_text import CHAT_BYTES, MOST_UNREAD, UnreadText, large
from inspector.model import Branches, Conversation, Problem, Workspace, changed
from inspector.reading.budget import BeyondBudgetError
from inspector.reading.files import ChangedFileError
from inspector.reading.pieces import Item, Pieces
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, stem


@dataclass(frozen=True, slots=True)
class _Listed:
    """A listed chat: its outline, the chat, read or not, and the number of problems known before it."""

    outline: Outline
    chat: ChatGptChat | UnreadText
    known: int


def is_chat(value: Any) -> bool:
    """Return whether a value is a conversation of an export; the messages of DeepSeek's mappings have no author."""
    nodes = value.get("mapping") if isinstance(value, Mapping) else None
    if not isinstance(nodes, Mapping):
        return False
    return not nodes or any(isinstance(node, Mapping) and not _is_deepseeks(node) for node in nodes.values())


def _is_deepseeks(node: Mapping[str, Any]) -> bool:
    message = node.get("message")
    if not isinstance(message, Mapping):
        return node.get("id") == "root"
    return "author" not in message and bool(message.keys() & {"fragments", "inserted_at"})


def _chat_of(value: Any, notes: Notes, place: str) -> ChatGptChat:
    """Return the chat of a value. Raise UnreadableError if it is none."""
    if is_chat(value):
        return read_chat(value, notes, place)
    if isinstance(value, Mapping) and "mapping" not in value and value.keys() & {"current_node", "title"}:
        return read_chat({**value, "mapping": {}}, notes, place)
    raise UnreadableError(Problem(notes.file, place, "expected a conversation (an object with a mapping of messages)"))


def _chat_in(text: UnreadText, notes: Notes) -> ChatGptChat:
    """Return the chat of a text; its defects are noted. Raise UnreadableError if it cannot be read at all."""
    return _chat_of(text.value(notes), notes, text.place)


@dataclass(slots=True)
class ChatList:
    """The chats of an export while its files are listed, and the problems of those already read for that."""

    problems: list[Problem] = field(default_factory=list)
    text_bytes: int = 0
    """The length of the texts of the chats, read or not."""
    _chats: list[_Listed] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._chats)

    def add_value(self, file: str, place: str, name: str, value: Any) -> None:
        """Add a decoded chat, called `name` if it has no id; a value that is no chat is a problem."""
        notes = Notes(file)
        try:
            chat = _chat_of(value, notes, place)
            chat.id = chat.id or name
            self._chats.append(_Listed(chat.outline, chat, len(self.problems)))
        except UnreadableError as error:
            notes.problems.append(error.problem)
        self.problems += notes.problems

    def add_texts(self, source: FileSource, texts: Sequence[Raw], at_once: bool) -> None:
        """Add chats that a file holds as text; with `at_once` all of them are read, else only those without an outline.

        The first chat beyond the memory budget and all after it are left out, which is a problem.
        """
        sizes = [len(memoryview(text)) for text in texts]
        self.text_bytes += sum(sizes)
        outlines = (
            None if at_once or size > MOST_UNREAD else outline_of(text) for text, size in zip(texts, sizes, strict=True)
        )
        self._add_outlined(source, zip(texts, outlines, strict=True))

    def add_pieces(self, source: FileSource, pieces: Pieces) -> None:
        """Add the chats of an array as `add_texts` does; add none if it raises WrongCutError or ChangedFileError."""
        found = [(piece, outlines_in(piece)) for piece in pieces]
        self.text_bytes += source.size
        self._add_outlined(
            source, ((Item(pieces, piece, index), one) for piece, ones in found for index, one in enumerate(ones))
        )

    def _add_outlined(self, source: FileSource, found: Iterable[tuple[Raw | Item, Outline | None]]) -> None:
        """Add all chats of a file with their outlines; a chat without an outline is read."""
        for index, (json, outline) in enumerate(found):
            text = UnreadText(source, f"$[{index}]", json)
            try:
                if outline is None:
                    with text.counted(keeps=True):
                        self._add_read(text)
                else:
                    source.take(CHAT_BYTES, f"the list of chats from {text.place} on would take")
                    self._chats.append(_Listed(outline, text, len(self.problems)))
            except BeyondBudgetError as error:
                self.problems.append(error.problem)
                return

    def _add_read(self, text: UnreadText) -> None:
        notes = Notes(text.source.path)
        try:
            chat = _chat_in(text, notes)
            self._chats.append(_Listed(chat.outline, chat, len(self.problems)))
        except UnreadableError as error:
            notes.problems.append(error.problem)
        self.problems += notes.problems

    def workspace(self, source: FileSource) -> Workspace:
        """Return the chats, still unread where possible, with the parts they share."""
        shared = shared_by([one.outline for one in self._chats])
        wanted = [one.outline.id or f"{stem(source.path)}-{number}" for number, one in enumerate(self._chats, 1)]
        return Workspace(
            conversations=tuple(
                _conversation(one, id_, shared) for one, id_ in zip(self._chats, unique_texts(wanted), strict=True)
            ),
            memory_sets=shared.memory_sets,
            characters=shared.characters,
        )

    def whole(self, source: FileSource, workspace: Workspace, keeps: bool, is_shown: bool) -> Workspace:
        """Return the `workspace` with all chats read, and every problem; without `keeps` they stay unread.

        Problems are in the order of the file, regardless of chats read earlier. The first chat beyond the memory budget
        and all after it are left out, which is a problem; in a workspace that `is_shown` already, they stay unread.
        """
        shared = shared_by([one.outline for one in self._chats])
        found, told = _Whole(), 0
        for place, (one, conversation) in enumerate(zip(self._chats, workspace.conversations, strict=True)):
            found.problems += self.problems[told : one.known]
            told = one.known
            try:
                found.add(one.chat, conversation, shared, keeps)
            except BeyondBudgetError as error:
                found.problems.append(error.problem)
                found.conversations += workspace.conversations[place:] if is_shown else ()
                break
        stays = () if keeps else (large(source),)
        problems = (*found.problems, *self.problems[told:], *_remarks(source, found, shared), *stays)
        return changed(workspace, conversations=tuple(found.conversations), problems=problems)


def _conversation(one: _Listed, id_: str, shared: Shared) -> Conversation:
    outline = one.outline
    if isinstance(one.chat, UnreadText):
        read = partial(_branches, one.chat, shared)
        return Conversation.unread(id_, read, title=outline.title, model=outline.model)
    found = branches_of(one.chat, bool(shared.system), shared.profile is not None)
    return Conversation(id_, found.path, title=outline.title, tree=found.tree, model=outline.model)


def _branches(text: UnreadText, shared: Shared) -> Branches:
    """Return the messages of a chat on demand, with its problems; `whole` reports those of all chats."""
    notes = Notes(text.source.path)
    try:
        chat = _chat_in(text, notes)
    except UnreadableError as error:
        return Branches((), problems=(*notes.problems, error.problem))
    except ChangedFileError:
        return Branches((), problems=(text.source.problem(text.place, "has changed since its chats were listed"),))
    found = branches_of(chat, bool(shared.system), shared.profile is not None)
    return changed(found, problems=tuple(notes.problems))


@dataclass(slots=True)
class _Whole:
    """An export while all its chats are read: conversations, problems, and counts."""

    problems: list[Problem] = field(default_factory=list)
    conversations: list[Conversation] = field(default_factory=list)
    blank: int = 0
    branched: int = 0
    others: int = 0

    def add(self, chat: ChatGptChat | UnreadText, listed: Conversation, shared: Shared, keeps: bool) -> None:
        """Add a chat, from its listing or already read; an unreadable chat is a problem. Raise BeyondBudgetError."""
        if isinstance(chat, ChatGptChat):
            self._count(chat, Branches(listed.messages, listed.tree))
            self.conversations.append(listed)
            return
        notes = Notes(chat.source.path)
        with chat.counted(keeps):
            try:
                read = _chat_in(chat, notes)
                branches = branches_of(read, bool(shared.system), shared.profile is not None)
                self._count(read, branches)
                self.conversations.append(
                    changed(listed, messages=branches.path, tree=branches.tree) if keeps else listed
                )
            except UnreadableError as error:
                notes.problems.append(error.problem)
        self.problems += notes.problems

    def _count(self, chat: ChatGptChat, branches: Branches) -> None:
        self.blank += chat.blank
        if branches.tree:
            self.branched += 1
            self.others += len(branches.tree.messages) - len(branches.path)


def _remarks(source: FileSource, found: _Whole, shared: Shared) -> Iterator[Problem]:
    """Yield remarks for the user on the file as a whole."""
    if found.branched:
        beside = f"{found.others} messages beside the active ones"
        yield source.problem("", f"{found.branched} chats have other branches, {beside}", "info")
    if found.blank:
        yield source.problem("", f"{found.blank} system messages are blank in the export; they were left out", "info")
    if shared.profiles > 1:
        differ = f"{shared.profiles} different custom instructions; each stays in its chat as a system message"
        yield source.problem("", differ, "info")
