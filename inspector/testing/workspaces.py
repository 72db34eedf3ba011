"""Workspaces on which policies are tried: small, made up, a token for each word. No rules here."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from inspector.model import (
    Attachment,
    Call,
    Character,
    Component,
    Conversation,
    Document,
    Image,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    Passage,
    PastSummary,
    Profile,
    Result,
    SkippedFile,
    Text,
    Tool,
    Workspace,
)

_START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
_COSTS = (3, 11, 1, 26, 7, 4, 19, 2, 9, 14, 5, 0, 33, 6, 8)
_KINDS = ("core", "explicit", "fact", "project", "experience", "story")


@dataclass(frozen=True)
class Situation:
    """A workspace, and the moment of the decision: after the first `at` messages, with a `draft`, or at the end."""

    name: str
    workspace: Workspace
    at: int | None = None
    draft: str | None = None


def _words(first: str, count: int) -> str:
    """Return a text of this many words with a unique beginning."""
    return " ".join([first, *("word" for _ in range(count - 1))]) if count else ""


def _messages(count: int) -> tuple[Message, ...]:
    """Return messages of user and assistant in turn, of changing length, a day apart."""
    return tuple(
        Message(
            f"m{number}",
            "assistant" if number % 2 else "user",
            _words(f"said{number}", _COSTS[number % len(_COSTS)]),
            time=_START + timedelta(days=number),
            summary=f"summary{number}" if number % 4 == 1 else None,
            emotional_weight=(number % 5) / 4,
            key_moment=number % 11 == 3,
        )
        for number in range(count)
    )


def _memories(count: int) -> MemorySet:
    found = (
        Memory(
            f"k{number}",
            _words(f"memory{number}", _COSTS[-1 - number % len(_COSTS)]),
            type=_KINDS[number % len(_KINDS)],
            priority=None if number % 3 == 0 else 10.0 * (number % 10),
            similarity=None if number % 4 == 0 else (number % 7) / 7,
            confidence=None if number % 2 else 0.5,
            time=None if number % 5 == 0 else _START - timedelta(days=number),
            pinned=number == 5,
            excluded=number == 6,
        )
        for number in range(count)
    )
    return MemorySet("default", tuple(found))


_CHARACTER = Character(
    "nova",
    "Nova",
    _words("You", 12),
    components=(
        Component("tone", "style", _words("tone", 9), priority=1, required=True),
        Component("setting", "world", _words("setting", 21), priority=2),
        Component("again", "world", _words("setting", 21), priority=3),
        Component("blank", "world", "  ", priority=3),
        Component("off", "world", _words("off", 4), priority=4, condition=False),
        Component("failing", "world", _words("failing", 4), priority=4, condition="error"),
    ),
    profile=Profile("Sam", ("tea", "harbours"), goals=("a boat",), facts=("left-handed",)),
)
_LORE = Lorebook(
    "book",
    (
        LoreEntry("harbour", _words("harbour", 8), keys=("said",), order=1),
        LoreEntry("law", _words("law", 15), constant=True, order=2),
        LoreEntry("asleep", _words("asleep", 5), keys=("nobody says this",)),
        LoreEntry("disabled", _words("disabled", 5), constant=True, enabled=False),
    ),
)
_SPECIAL = (
    Message("told", "system", _words("told", 6)),
    Message("firm", "user", _words("firm", 17), pinned=True),
    Message("gone", "assistant", _words("gone", 3), excluded=True),
    Message("call", "assistant", parts=(Call("t1", "look", '{"at": "sea"}'),)),
    Message("result", "tool", parts=(Result("t1", "look", _words("result", 10)),)),
    Message("picture", "user", parts=(Text(_words("picture", 4)), Image(), Image())),
    Message("counted", "assistant", _words("counted", 4), name="Nova", tokens=31),
)

EVERYTHING = Workspace(
    conversations=(Conversation("c1", (*_messages(9), *_SPECIAL, *_messages(40)[9:])),),
    memory_sets=(_memories(14),),
    characters=(_CHARACTER,),
    lorebooks=(_LORE,),
    passages=(
        Passage("p-lore", _words("kraken", 7), "lorebook", 0.7),
        Passage("p-chat", _words("said4", 7), "chat", 0.9, message_id="m4"),
        Passage("p-newest", _words("said38", 26), "chat", 0.4, message_id="m38"),
        Passage("p-old", _words("chronicle", 12), "chronicle", None),
        Passage("p-page", _words("page", 20), "document", 0.2, tokens=5),
    ),
    summaries=(PastSummary("s0", _words("earlier", 9), similarity=0.6), PastSummary("s1", _words("before", 3))),
    documents=(Document("d0", _words("document", 40), "Charts", pages="1-2"),),
    attachments=(Attachment("notes.txt", _words("notes", 300)), Attachment("empty.txt", "")),
    skipped=(SkippedFile("movie.mp4", "too large"),),
    tools=(Tool({"name": "look", "parameters": {}}),),
)

SITUATIONS = (
    Situation("nothing open", Workspace()),
    Situation("an empty conversation", Workspace(conversations=(Conversation("c1", ()),))),
    Situation("one message", Workspace(conversations=(Conversation("c1", _messages(1)),))),
    Situation("memories alone", Workspace(memory_sets=(_memories(14),))),
    Situation("a character alone", Workspace(characters=(_CHARACTER,))),
    Situation("sixty messages", Workspace(conversations=(Conversation("c1", _messages(60)),))),
    Situation("everything", EVERYTHING),
    Situation("everything, a draft", EVERYTHING, draft="What shall we do with the harbour"),
    Situation("everything, replayed at turn 12", EVERYTHING, at=12),
    Situation("everything, before the first message", EVERYTHING, at=0),
)
