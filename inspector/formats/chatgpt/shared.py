"""The shared parts of an export's chats: a system text, custom instructions, and the saved memories."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from inspector.formats.chatgpt.outline import Outline
from inspector.model import Character, Memory, MemorySet, Profile
from inspector.reading.values import parse_time

_NUMBERED = re.compile(r"^\s*\d+\.\s*(?:\[(\d{4}-\d{2}-\d{2})\]\.?\s*)?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shared:
    """A system text if all chats begin with it, custom instructions if they never differ; messages hold neither.

    `profiles` is the number of different instructions.
    """

    system: str
    profile: Profile | None
    profiles: int
    memory_sets: tuple[MemorySet, ...]

    @property
    def characters(self) -> tuple[Character, ...]:
        """The assistant of the chats, if they share anything."""
        if not self.system and self.profile is None:
            return ()
        return (Character("system", name="ChatGPT", system_prompt=self.system, profile=self.profile),)


def shared_by(chats: Sequence[Outline]) -> Shared:
    """Return the shared parts of these chats."""
    prompts = {chat.system_prompt for chat in chats if chat.is_spoken}
    profiles = list(dict.fromkeys(profile for chat in chats for profile in chat.profiles))
    return Shared(
        prompts.pop() if len(prompts) == 1 else "",
        profiles[0] if len(profiles) == 1 else None,
        len(profiles),
        _memory_sets(chats),
    )


def _memory_sets(chats: Sequence[Outline]) -> tuple[MemorySet, ...]:
    """Return the saved memories of all chats, each once: every chat repeats the memories of its time."""
    found: dict[str, datetime | None] = {}
    for text in dict.fromkeys(text for chat in chats for text in chat.memories):
        for content, time in _memories_in(text):
            found.setdefault(content, time)
    if not found:
        return ()
    memories = (
        Memory(f"memory{index}", content, type="explicit", time=time)
        for index, (content, time) in enumerate(found.items())
    )
    return (MemorySet("saved", tuple(memories), title="Saved memories"),)


def _memories_in(text: str) -> Iterator[tuple[str, datetime | None]]:
    """Yield the memories of a list such as `1. [2024-05-01]. Likes tea`; a text without numbers is a single memory."""
    starts = list(_NUMBERED.finditer(text))
    if not starts or text[: starts[0].start()].strip():
        yield from ((text.strip(), None),) if text.strip() else ()
        return
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=True):
        if content := text[start.end() : end].strip():
            yield content, parse_time(start[1])
