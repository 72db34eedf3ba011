"""The text of a Kobold story as turns: by names in a chat, by marks in instructions, by `>` in an adventure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.model import Message, Role
from inspector.reading.values import as_text, as_whole

_ADVENTURE, _CHAT, _INSTRUCT = 2, 3, 4
_NAMES_END = "||$||"
_PICTURE = re.compile(r"\[<\|([a-z])\|")
_MARKS: Mapping[str, Role | None] = {
    "{{[INPUT]}}": "user",
    "{{[OUTPUT]}}": "assistant",
    "{{[SYSTEM]}}": "system",
    "{{[INPUT_END]}}": None,
    "{{[OUTPUT_END]}}": None,
    "{{[SYSTEM_END]}}": None,
}
"""The role that each mark begins; end marks begin none: the text after them stays with the turn."""
_TAGS: tuple[tuple[str, Role], ...] = (
    ("instruct_systag", "system"),
    ("instruct_starttag", "user"),
    ("instruct_endtag", "assistant"),
)


@dataclass(frozen=True, slots=True)
class Mode:
    """The division of a story: the number of its mode, its speakers, and the marks that begin turns of instructions."""

    number: int
    person: str
    others: tuple[str, ...]
    marks: Mapping[str, Role | None]


def mode_of(settings: Mapping[str, Any]) -> Mode:
    """Return the mode named by the settings of a story; a story without settings is a single text."""
    number = as_whole(settings.get("opmode")) or 1
    person = _text(settings, "chatname").strip() if number == _CHAT else ""
    others = _text(settings, "chatopponent").split(_NAMES_END) if number == _CHAT else []
    tags = {_text(settings, key).replace("\\n", "\n").strip(): role for key, role in _TAGS}
    marks = {**_MARKS, **{tag: role for tag, role in tags.items() if tag}}
    return Mode(number, person, tuple(name.strip() for name in others if name.strip()), marks)


def _text(settings: Mapping[str, Any], key: str) -> str:
    value = settings.get(key)
    return as_text(value) if isinstance(value, str) else ""


def without_pictures(text: str) -> tuple[str, int]:
    """Return the text without its embedded pictures `[<|p|…|p|>]`, and their number."""
    kept: list[str] = []
    position = count = 0
    ends: dict[str, int] = {}
    for start in _PICTURE.finditer(text):
        if start.start() < position:
            continue
        mark = f"|{start[1]}|>]"
        if ends.get(mark, 0) >= 0 and ends.get(mark, 0) < start.end():
            ends[mark] = text.find(mark, start.end())
        if ends[mark] < 0:
            continue
        kept.append(text[position : start.start()])
        position = ends[mark] + len(mark)
        count += 1
    return "".join((*kept, text[position:])), count


def turns_of(text: str, mode: Mode) -> list[Message]:
    """Return the turns of a story, without ids; an undivided text is a single message of the assistant."""
    if mode.number == _CHAT and mode.person:
        return list(_by_names(text, mode))
    if mode.number == _INSTRUCT:
        return list(_by_marks(text, mode))
    if mode.number == _ADVENTURE:
        return list(_by_actions(text))
    return [Message("", "assistant", text)] if text.strip() else []


def _by_names(text: str, mode: Mode) -> Iterator[Message]:
    """Yield turns that begin with a name at the beginning of a line; text before the first name is the assistant's."""
    names = "|".join(re.escape(name) for name in sorted({mode.person, *mode.others}, key=len, reverse=True))
    starts = list(re.finditer(rf"^({names}):[ \t]*", text, re.MULTILINE))
    ends = [*(start.start() for start in starts), len(text)]
    yield from _spoken("assistant", text[: ends[0]])
    for start, end in zip(starts, ends[1:], strict=True):
        yield from _spoken("user" if start[1] == mode.person else "assistant", text[start.end() : end], start[1])


def _by_marks(text: str, mode: Mode) -> Iterator[Message]:
    role: Role = "assistant"
    said: list[str] = []
    marks = "|".join(re.escape(mark) for mark in sorted(mode.marks, key=len, reverse=True))
    for number, piece in enumerate(re.split(f"({marks})", text)):
        begun = mode.marks[piece] if number % 2 else None
        if number % 2 == 0:
            said.append(piece)
        elif begun:
            yield from _spoken(role, "".join(said))
            role, said = begun, []
    yield from _spoken(role, "".join(said))


def _by_actions(text: str) -> Iterator[Message]:
    """Yield the turns of an adventure, where the user writes the lines that begin with `>`."""
    told: list[str] = []
    for line in text.split("\n"):
        if line.startswith(">"):
            yield from _spoken("assistant", "\n".join(told))
            told = []
            yield from _spoken("user", line[1:])
        else:
            told.append(line)
    yield from _spoken("assistant", "\n".join(told))


def _spoken(role: Role, text: str, name: str = "") -> Iterator[Message]:
    if content := text.strip():
        yield Message("", role, content, name)
