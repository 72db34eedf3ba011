"""Logs of named speakers: the choice of the assistant among them, and the resulting chats.

Bots named by the file are the assistants. Otherwise it is the other side of a private chat, or the second of two
speakers. With more speakers there is no assistant until the user chooses one (`assistant` of a scenario).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.content.turns import beside
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import SavedChat, in_line, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource

_WHERE = "below the chat in Sources, or with --assistant NAME"

Turn = tuple[str, Message]
"""A place, and a message of the role user."""


@dataclass(slots=True)
class SpokenLog:
    """A log as found in the file.

    `machines` are the speakers named as bots by the file, `other` is the other side of a private chat. `notices` counts
    messages of the application itself: members who joined, renamed groups.
    """

    turns: list[Turn]
    id: str = ""
    title: str = ""
    machines: set[str] = field(default_factory=set)
    other: str = ""
    notices: int = 0
    place: str = "$"

    @property
    def speakers(self) -> dict[str, None]:
        """The names of the speakers, in order of first appearance."""
        return dict.fromkeys(message.name for _, message in self.turns if message.name)


def workspace_of_logs(logs: Sequence[SpokenLog], source: FileSource, notes: Notes) -> Workspace:
    """Return the logs as conversations, and remarks for the user on their speakers."""
    for remark in (*left_out(logs), *who_is_who(logs)):
        notes.add("", remark, "info")
    return workspace_of([_chat(log) for log in logs], source, notes)


def _chat(log: SpokenLog) -> SavedChat:
    nodes = in_line(with_roles(log))
    return SavedChat(nodes, next(reversed(nodes), None), log.place, log.id, log.title)


def with_roles(log: SpokenLog) -> Iterator[Turn]:
    """Yield the turns, with the role of those by the assistant."""
    assistants = _machines(log) or _assumed(log)
    for place, message in log.turns:
        speaks = message.role == "user" and message.name in assistants
        yield place, changed(message, role="assistant") if speaks else message


def _machines(log: SpokenLog) -> set[str]:
    named = {name for name in log.speakers if ROLES.get(name.lower()) == "assistant"}
    return (log.machines & log.speakers.keys()) or named


def _assumed(log: SpokenLog) -> set[str]:
    speakers = list(log.speakers)
    if log.other in speakers:
        return {log.other}
    return {speakers[1]} if len(speakers) == 2 else set()


def left_out(logs: Sequence[SpokenLog]) -> Iterator[str]:
    """Yield a remark on the number of left-out notices of the application, if any."""
    notices = sum(log.notices for log in logs)
    if notices:
        one = "1 notice of the application was" if notices == 1 else f"{notices:,} notices of the application were"
        yield f"{one} left out (of joining, leaving and renaming)"


def who_is_who(logs: Sequence[SpokenLog]) -> Iterator[str]:
    """Yield remarks on assistants that were assumed, and on chats without any."""
    unsaid = [log for log in logs if not _machines(log)]
    guessed = [name for log in unsaid for name in _assumed(log)]
    crowds = [len(log.speakers) for log in unsaid if len(log.speakers) > 2 and not _assumed(log)]
    if len(guessed) == 1:
        yield f"{guessed[0]} is taken for the assistant; another is chosen {_WHERE}"
    elif guessed:
        yield f"in {len(guessed):,} chats one of two speakers is taken for the assistant; another is chosen {_WHERE}"
    if crowds:
        who = f"{crowds[0]:,} people speak" if len(logs) == 1 else f"in {len(crowds):,} chats several people speak"
        yield f"{who}, and nobody is known to be the assistant; one is chosen {_WHERE}"


def spoken(name: str, text: str, **more: Any) -> Message:
    """Return a spoken message with its media, and with the role user until the assistant is known."""
    media = tuple(more.pop("media", ()))
    return Message(more.pop("id", ""), "user", name=name, parts=beside(text, media=media), **more)
