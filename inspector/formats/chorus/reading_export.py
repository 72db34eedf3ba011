"""Chorus Engine's exports for reading, as Markdown and as text: the messages, summary and memories.

Layout: github.com/whatsthisaithing/chorus-engine, `conversation_export_service.py`. A message may quote such an export,
so headings count only as whole lines, and the head of a message only with its time and on a line of its own. Times are
those of a clock without a date; days are counted from the day on which the chat started.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Conversation, Memory, MemorySet, Message, PastSummary, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_share, as_whole, comma_strings, parse_time, stem

_SUMMARY, _MEMORIES, _RULE = "## Conversation Summary", "## Extracted Memories", "---"
_NAMED = re.compile(r"\*\*(Key Topics|Emotional Arc|Open Questions|Messages Covered):\*\* (.*)")
_CONFIDENCE = re.compile(r" \(confidence: (\d\.\d+)\)$")
_TYPE, _ITEM = "### ", "- "


@dataclass(frozen=True, slots=True)
class Extract:
    """A summary with its topics and open questions."""

    text: str
    topics: tuple[str, ...]
    questions: tuple[str, ...]


def summary_of(head: Sequence[str]) -> Extract | None:
    """Return the summary in the lines above the messages; None if there is none."""
    lines = _section(head, _SUMMARY)
    named = {found[1]: found[2] for line in lines if (found := _NAMED.fullmatch(line))}
    text = "\n".join(line for line in lines if not _NAMED.fullmatch(line)).strip().removeprefix(">").strip()
    if not text:
        return None
    questions = comma_strings(named.get("Open Questions", ""))
    return Extract(text, comma_strings(named.get("Key Topics", "")), questions)


def memories_of(head: Sequence[str]) -> tuple[Memory, ...]:
    """Return the memories in the lines above the messages, each with its type and its confidence."""
    found = ((kind, text.strip()) for kind, text in _items(_section(head, _MEMORIES)))
    return tuple(_memory(f"memory{number}", kind, text) for number, (kind, text) in enumerate(found))


def _memory(id_: str, kind: str, text: str) -> Memory:
    confidence = _CONFIDENCE.search(text)
    content = text[: confidence.start()] if confidence else text
    return Memory(id_, content, type=kind, confidence=as_share(confidence[1]) if confidence else None)


def _items(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the type and the text of each memory; a text may span several lines."""
    kind = text = ""
    for line in (*lines, _TYPE):
        if line.startswith((_TYPE, _ITEM)):
            if text:
                yield kind, text
            text = line.removeprefix(_ITEM) if line.startswith(_ITEM) else ""
            kind = line.removeprefix(_TYPE).strip().lower() if line.startswith(_TYPE) else kind
        elif text:
            text += f"\n{line}"


def _section(head: Sequence[str], name: str) -> Sequence[str]:
    """Return the lines below a heading, up to the next heading, without the rule between them."""
    if name not in head:
        return ()
    below = list(head[list(head).index(name) + 1 :])
    ends = (below.index(other) for other in (_MEMORIES, _CONVERSATION) if other in below)
    lines = "\n".join(below[: min(ends, default=len(below))]).rstrip()
    return lines.removesuffix(_RULE).rstrip().split("\n")


_BINARY = ("png", "zip", "sqlite", "parquet", "binary", "empty")
_FOOTER = re.compile(r"\*?Exported from Chorus Engine on .+")
_FOOTER_MARK = b"Exported from Chorus Engine on "
_ENDS = 600  # bytes looked at
_TITLE_RULE, _TEXT_RULE, _MARKDOWN_RULE = "=" * 70, "-" * 70, "---"
_CONVERSATION = "## Conversation"
_CLOCK = r"(?P<clock>\d{2}:\d{2} [AP]M)"
_MARKDOWN_HEAD = re.compile(rf"\*\*(?P<speaker>[\w.]+)\*\* \*\({_CLOCK}\)\*$")
_TEXT_HEAD = re.compile(rf"\[{_CLOCK}\] (?P<speaker>[\w.]+):$")
_FACT = re.compile(r"(?:\*\*)?(?P<name>Character|Started|Messages):(?:\*\*)? (?P<value>.+)")
_SPEAKERS: dict[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "messagerole.scene_capture": "system",
}
_SCENE = "messagerole.scene_capture"


def sniff(source: FileSource) -> float:
    """Return how likely this is such an export, by its last line, or by its head and the heads of its messages."""
    if source.shape in _BINARY:
        return 0.0
    if _FOOTER_MARK in source.utf8[-_ENDS:]:
        return 0.97 if _has_messages(source) else 0.0
    head = source.utf8[:_ENDS]
    known = b"Last Updated:" in head and b"Character" in head and b"Messages:" in head
    return 0.9 if known and _has_messages(source) else 0.0


def _has_messages(source: FileSource) -> bool:
    return any(_head_of(line) for line in source.text.splitlines())


def _head_of(line: str) -> re.Match[str] | None:
    """Return the head of a message, if its speaker is known to Chorus."""
    found = _MARKDOWN_HEAD.match(line) or _TEXT_HEAD.match(line)
    return found if found and found["speaker"].lower() in _SPEAKERS else None


@dataclass(frozen=True, slots=True)
class _Parts:
    """The lines before the messages, and the lines of the messages with the number of the first."""

    head: Sequence[str]
    body: Sequence[str]
    first: int


def load(source: FileSource) -> Workspace:
    """Return the conversation, its summary and memories. Raise UnreadableError if there is no message."""
    if source.shape in _BINARY:
        raise source.unreadable("", "expected the text of an export of Chorus Engine")
    parts = _parts([line.removesuffix("\r") for line in source.text.split("\n")])
    facts = {found["name"]: found["value"].strip() for line in parts.head if (found := _FACT.fullmatch(line))}
    notes = Notes(source.path)
    started = parse_time(facts.get("Started", ""))
    messages = tuple(_messages(parts, started, notes))
    if not messages:
        raise notes.unreadable("", "expected messages of Chorus Engine, each with its speaker and time, found none")
    if started:
        notes.add("", "times have no day; days are counted up from the one on which the chat started", "info")
    said = as_whole(facts.get("Messages"))
    if said is not None and said != len(messages):
        notes.add("", f"says that there are {said:,} messages, found {len(messages):,}")
    name = stem(source.path)
    title = _title(parts.head) or name
    summary = summary_of(parts.head)
    memories = memories_of(parts.head)
    about = facts.get("Character") or name
    return Workspace(
        conversations=(Conversation(name, messages, title),),
        memory_sets=(MemorySet(about, memories, f"Memories of {about}", (name,)),) if memories else (),
        summaries=_past(name, title, summary, messages),
        problems=tuple(notes.problems),
    )


def _past(name: str, title: str, told: Extract | None, messages: Sequence[Message]) -> tuple[PastSummary, ...]:
    """Return the summary of all messages."""
    if told is None:
        return ()
    of = tuple(message.id for message in messages)
    return (PastSummary(name, told.text, title, topics=told.topics, open_questions=told.questions, source_messages=of),)


def _parts(lines: Sequence[str]) -> _Parts:
    """Return the lines before the messages and those of the messages, without the footer (the last such line)."""
    heads = [number for number, line in enumerate(lines) if _begins(lines, number)]
    start = heads[0] if heads else len(lines)
    if _CONVERSATION in lines[:start]:
        start = lines.index(_CONVERSATION) + 1
    end = next((number for number in range(len(lines) - 1, start, -1) if _FOOTER.fullmatch(lines[number])), len(lines))
    body = list(lines[start:end])
    for rule in (_MARKDOWN_RULE, _TEXT_RULE):
        if end < len(lines) and (kept := _stripped(body)) and kept[-1] == rule:
            body = kept[:-1]
            break
    return _Parts(lines[:start], body, start)


def _stripped(lines: Sequence[str]) -> list[str]:
    """Return the lines without blank ones at their end."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return list(lines[:end])


def _begins(lines: Sequence[str], number: int) -> bool:
    """Return whether a message begins at a line: its head, below a blank line, and in Markdown above a blank line."""
    if (number and lines[number - 1].strip()) or not (head := _head_of(lines[number])):
        return False
    is_text = head.re is _TEXT_HEAD
    return is_text or number + 1 == len(lines) or not lines[number + 1].strip()


def _messages(parts: _Parts, started: datetime | None, notes: Notes) -> Iterator[Message]:
    starts = [number for number in range(len(parts.body)) if _begins(parts.body, number)]
    if any(line.strip() for line in parts.body[: starts[0] if starts else 0]):
        notes.add(f"line {parts.first + 1}", "expected the head of a message; the text above the first was left out")
    now = started
    for number, (start, end) in enumerate(pairwise([*starts, len(parts.body)])):
        head = _head_of(parts.body[start])
        if not head:
            continue
        now = _next_time(now, head["clock"])
        yield _message(f"m{number}", head["speaker"].lower(), "\n".join(parts.body[start + 1 : end]).strip(), now)


def _message(id_: str, speaker: str, content: str, time: datetime | None) -> Message:
    """Return a message; pictures of a scene were never sent, so they are excluded."""
    scene = speaker == _SCENE
    recorded = {"recorded": {"action": "dropped", "reason": "a picture of the scene"}} if scene else {}
    return Message(id_, _SPEAKERS[speaker], content, time=time, excluded=scene, metadata=recorded)


def _next_time(before: datetime | None, clock: str) -> datetime | None:
    """Return the first time at or after `before` when a clock shows this; None if the day is unknown."""
    shown = parse_time(f"January 1, 2000 at {clock}")
    if before is None or shown is None:
        return None
    time = before.replace(hour=shown.hour, minute=shown.minute, second=0, microsecond=0)
    if time >= before.replace(second=0, microsecond=0):
        return time
    try:
        return time + timedelta(days=1)
    except OverflowError:
        return None


def _title(head: Sequence[str]) -> str:
    """Return the title: the first Markdown heading, or the line below the first rule of the text; "" without a head."""
    if head and head[0].startswith("# "):
        return head[0].removeprefix("# ").strip()
    return head[1].strip() if len(head) > 1 and head[0] == _TITLE_RULE else ""


FORMAT = Format(
    "chorus_export",
    "Chorus Engine export for reading",
    sniff,
    load,
    "a text that Chorus Engine says it exported, and turns with their time",
)
