"""Logs of people who speak by name: which of them is taken for the assistant, and the chats that the logs become.

Where a file names its machines, they are. Else the person at the other end of a private chat is, else of two people
the second one to speak, and of more nobody is, until the person chooses one (`assistant` of a scenario).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import SavedChat, in_line, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource

_WHERE = "below the chat in the workspace, or with --assistant NAME"

Turn = tuple[str, Message]
"""A message of the role user, after the place where it stands."""


@dataclass(slots=True)
class SpokenLog:
    """A log as it was found.

    `machines` are the speakers that the file names as bots, `other` is the person at the other
    end of a private chat. `notices` counts what the application wrote itself: who joined, what was renamed.
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
        """The names of those who speak, in the order in which they first do."""
        return dict.fromkeys(message.name for _, message in self.turns if message.name)


def workspace_of_logs(logs: Sequence[SpokenLog], source: FileSource, notes: Notes) -> Workspace:
    """The logs as conversations, and what a person should know about who speaks in them."""
    for remark in (*left_out(logs), *who_is_who(logs)):
        notes.add("", remark, "info")
    return workspace_of([_chat(log) for log in logs], source, notes)


def _chat(log: SpokenLog) -> SavedChat:
    nodes = in_line(with_roles(log))
    return SavedChat(nodes, next(reversed(nodes), None), log.place, log.id, log.title)


def with_roles(log: SpokenLog) -> Iterator[Turn]:
    """The turns, with those of the assistant as such."""
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
    """How many notices of the application there were, if any."""
    notices = sum(log.notices for log in logs)
    if notices:
        one = "1 notice of the application was" if notices == 1 else f"{notices:,} notices of the application were"
        yield f"{one} left out (who came and went, what was renamed)"


def who_is_who(logs: Sequence[SpokenLog]) -> Iterator[str]:
    """Who was taken for the assistant without the file saying so, and where nobody was."""
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
    """What somebody said: a message of the role user until it is known who the assistant is."""
    return Message(more.pop("id", ""), "user", text, name, **more)
