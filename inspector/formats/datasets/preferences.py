"""Pairs of a chosen and a rejected answer, as sets for preference training have them.

The prompt is text, a list of messages, a ShareGPT conversation, or the shared beginning of both answers, which may be
text with `Human:` and `Assistant:` as in Anthropic's HH-RLHF. The rejected answer is another branch.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import is_message, read_message
from inspector.formats.saved_chats import Node, SavedChat, read_chats, surest
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping

_PROMPTS = ("prompt", "question", "instruction", "conversations", "messages")
_SPOKEN = re.compile(r"(?:^|\n\n)(Human|Assistant): ?")
_SPEAKERS: Mapping[str, Role] = {"Human": "user", "Assistant": "assistant"}
_Turn = tuple[str, Message]


def sniff(source: FileSource) -> float:
    """Return how likely the file holds rows with a chosen and a rejected answer."""
    return surest(source, lambda value: 0.95 if _is_row(value) else 0.0)


def _is_row(value: Any) -> bool:
    row = mapping(value)
    return all(_is_answer(row.get(key)) for key in ("chosen", "rejected"))


def _is_answer(value: Any) -> bool:
    return isinstance(value, str) or is_message(value) or any(is_message(item) for item in items_of(value))


def load(source: FileSource) -> Workspace:
    """Return a conversation for each row. Raise UnreadableError if there is none."""
    return read_chats(source, _is_row, _chat, "a row with chosen and rejected")


def _chat(row: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    """Return the prompt with both answers, each without the part it shares with the prompt."""
    key = next((key for key in _PROMPTS if row.get(key)), "")
    prompt = list(_turns(row.get(key), "user", notes, f"{place}.{key}"))
    chosen, rejected = (
        list(_turns(row[name], "assistant", notes, f"{place}.{name}")) for name in ("chosen", "rejected")
    )
    shared = _shared(chosen, rejected)
    if shared >= len(prompt) == _shared(chosen, prompt):
        prompt = []  # both answers repeat it
    nodes: dict[str, Node] = {}
    fork = _append(nodes, [*prompt, *chosen[:shared]], "")
    leaf = _append(nodes, chosen[shared:], fork) or None
    _append(nodes, rejected[shared:], fork)
    system = as_text(row["system"]).strip() if isinstance(row.get("system"), str) else ""
    ids = (row.get(key) for key in ("id", "prompt_id"))
    name = next((as_text(id_) for id_ in ids if isinstance(id_, str | int) and not isinstance(id_, bool)), "")
    return SavedChat(nodes, leaf, place, name, system=system)


def _append(nodes: dict[str, Node], turns: list[_Turn], before: str) -> str:
    """Add turns in sequence, and return the name of the last."""
    for place, message in turns:
        name = f"m{len(nodes)}"
        nodes[name] = Node(before, (message,), place)
        before = name
    return before


def _shared(some: list[_Turn], others: list[_Turn]) -> int:
    """Return the number of equal turns at the start of both."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _said(pair[0]) == _said(pair[1]), pairs))


def _said(turn: _Turn) -> tuple[str, str]:
    return turn[1].role, turn[1].content


def _turns(value: Any, role: Role, notes: Notes, place: str) -> Iterator[_Turn]:
    """Yield the turns of a prompt or an answer; plain text is a turn of `role`."""
    if isinstance(value, str):
        yield from ((place, message) for message in _of_text(value, role))
        return
    listed = [value] if isinstance(value, Mapping) else items_of(value)
    for number, item in enumerate(listed):
        where = f"{place}[{number}]" if listed is not value and not isinstance(value, Mapping) else place
        yield from ((where, message) for message in read_message(item, notes, where))


def _of_text(text: str, role: Role) -> Iterator[Message]:
    starts = list(_SPOKEN.finditer(text))
    if not starts or text[: starts[0].start()].strip():
        yield Message("", role, as_text(text))
        return
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=True):
        yield Message("", _SPEAKERS[start[1]], as_text(text[start.end() : end]).strip())


FORMAT = Format("preferences", "Chosen and rejected answers", sniff, load, "rows with `chosen` and `rejected`")
