"""The summary and the memories above the messages of a Markdown export of Chorus Engine."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.model import Memory
from inspector.reading.values import as_share, comma_strings

_SUMMARY, _MEMORIES, _RULE = "## Conversation Summary", "## Extracted Memories", "---"
_CONVERSATION = "## Conversation"
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
