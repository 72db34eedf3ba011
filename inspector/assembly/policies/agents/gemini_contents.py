"""The contents of Gemini CLI: messages as it sends them, their lengths as JSON, and its estimate of tokens.

Source: @google/gemini-cli-core 0.61.0, `chatCompressionService` and `estimateTokenCountSync`. Lengths are in UTF-16
units, as in JavaScript.
"""

import json
from math import floor
from typing import Any

from inspector.assembly.policies.agents.course import Course
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, Talk
from inspector.derived import cached_property

PER_ASCII, PER_OTHER, PER_LONG = 0.25, 1.5, 4
LONG = 100_000
"""A text of more units than this has a quarter of its length in tokens."""
_HEAD_SHARE = 0.2
MODEL, USER = '{"role":"model","parts":[]}', '{"role":"user","parts":[]}'
"""The frames of contents."""


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def written(value: Any) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def estimate(text: str) -> float:
    """Return the estimate of the tokens of a text."""
    length = units(text)
    if length > LONG:
        return length / PER_LONG
    plain = length if text.isascii() else sum(letter < "\x80" for letter in text)
    return plain * PER_ASCII + (length - plain) * PER_OTHER


def shortened(text: str, most: int) -> str:
    """Return the beginning and the end of a text of more than `most` units, with a line above them."""
    if units(text) <= most:
        return text
    content = text.encode("utf-16-le", "surrogatepass")
    head = floor(_HEAD_SHARE * most)
    tail = most - head
    first, last = content[: 2 * head], content[len(content) - 2 * tail :]
    line = f"Output too large. Showing first {head:,} and last {tail:,} characters. For full output see: FILE"
    left_out = f"... [{len(content) // 2 - most:,} characters omitted] ..."
    return f"{line}\n{first.decode('utf-16-le', 'replace')}\n\n{left_out}\n\n{last.decode('utf-16-le', 'replace')}"


def call_parts(talk: Talk, place: int) -> list[str]:
    """Return the calls of a message as JSON."""
    return [
        written({"functionCall": {"id": call.id, "name": call.name, "args": _arguments(call.arguments)}})
        for call in talk.calls(place)
    ]


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def result_part(talk: Talk, place: int, text: str) -> str:
    """Return a result of a tool with this text as JSON."""
    response = {"id": talk.call_id(place), "name": talk.tool_name(place), "response": {"output": text}}
    return written({"functionResponse": response})


class Contents:
    """The list of a session as contents: results in a row are one.

    `texts` are those of results that are cut now, and `summary` the text of a summary, "" where only its size is known.
    """

    def __init__(self, course: Course, texts: dict[int, str], summary: str) -> None:
        self._course, self._texts, self._summary = course, texts, summary
        self._known: dict[int, tuple[tuple[int, ...], float]] = course.talk.derived("gemini", (), dict)
        self._lengths: dict[int, int] = course.talk.derived("gemini lengths", (), dict)

    @cached_property
    def groups(self) -> list[list[int]]:
        """The entries of each content."""
        found: list[list[int]] = []
        for entry in self._course.state:
            if found and self._is_result(entry) and self._is_result(found[-1][0]):
                found[-1].append(entry)
            else:
                found.append([entry])
        return found

    def _is_result(self, entry: int) -> bool:
        return self._course.is_message(entry) and self._course.role(entry) == TOOL

    def is_model(self, group: list[int]) -> bool:
        """Return whether the model wrote a content."""
        first = group[0]
        if self._course.is_message(first):
            return self._course.role(first) == ASSISTANT
        return not self._course.is_summary(first)

    def is_request(self, group: list[int]) -> bool:
        """Return whether a content is of the user, and holds no result of a tool."""
        return not self.is_model(group) and not self._is_result(group[0])

    def has_calls(self, group: list[int]) -> bool:
        """Return whether a content calls a tool."""
        return self._course.is_message(group[0]) and bool(self._course.talk.calls(group[0]))

    def text(self, entry: int) -> str:
        """Return the text of an entry."""
        if self._course.is_summary(entry):
            return self._summary or "x" * (PER_LONG * self._course.cost(entry))
        return self._texts.get(entry) or self._course.text(entry)

    def length(self, group: list[int]) -> int:
        """Return the length of a content as JSON; that of a whole message is remembered."""
        first = group[0]
        if len(group) > 1 or not self._is_whole(first):
            return self._written_length(group)
        if first not in self._lengths:
            self._lengths[first] = self._written_length(group)
        return self._lengths[first]

    def _written_length(self, group: list[int]) -> int:
        parts = [length for entry in group for length in self.measured(entry)[0]]
        frame = MODEL if self.is_model(group) else USER
        return len(frame) + sum(parts) + max(0, len(parts) - 1)

    def _is_whole(self, entry: int) -> bool:
        """Return whether an entry is a message with its own text."""
        return entry >= 0 and entry not in self._course.forms and entry not in self._texts

    def _parts(self, entry: int) -> list[str]:
        course = self._course
        if self._is_result(entry):
            return [result_part(course.talk, entry, self.text(entry))]
        text = self.text(entry)
        is_model = course.is_message(entry) and course.role(entry) == ASSISTANT
        own = [] if is_model and not text else [written({"text": text})]
        return [*own, *(call_parts(course.talk, entry) if is_model else ())]

    def estimate(self, entry: int) -> float:
        """Return the estimate of the tokens of an entry."""
        return self.measured(entry)[1]

    def measured(self, entry: int) -> tuple[tuple[int, ...], float]:
        """Return the lengths of the parts of an entry and its estimate; those of whole messages are remembered."""
        if not self._is_whole(entry):
            return tuple(map(units, self._parts(entry))), self._estimate(entry)
        if entry not in self._known:
            self._known[entry] = tuple(map(units, self._parts(entry))), self._estimate(entry)
        return self._known[entry]

    def _estimate(self, entry: int) -> float:
        course, text = self._course, self.text(entry)
        if self._is_result(entry):
            name = units(course.talk.tool_name(entry))
            return (name + units(written({"output": text}))) / PER_LONG
        calls = call_parts(course.talk, entry) if course.is_message(entry) else ()
        return estimate(text) + sum(units(call) / PER_LONG for call in calls)
