"""A text diff as lines to read: unchanged parts are counted, not repeated. `Mark` classifies a line, for colours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from inspector.assembly.text_diff import LineDiff, MessageDiff, Span
from inspector.figures import counted

Mark = Literal["heading", "rest", "same", "removed", "added", "moved"]
_GUTTER = " │ "
"""Separates the sign of a line from its text, so that a list mark in the text is not read as a second sign."""
CONTEXT = 2
"""Number of unchanged lines shown around a changed line."""
MOST_IDS = 3


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of a diff with its class, `sign` and `spans`; `lead` is the text before the spans."""

    mark: Mark
    sign: str
    spans: tuple[Span, ...]

    @property
    def lead(self) -> str:
        """The sign, and the gutter that separates it from text of the prompt."""
        if self.mark in ("heading", "rest"):
            return f"{self.sign} " if self.sign else ""
        return self.sign + _GUTTER

    @property
    def text(self) -> str:
        """The line as plain text, with changes inside it in brackets."""
        opening, closing = {"removed": ("[-", "-]"), "added": ("{+", "+}")}.get(self.mark, ("", ""))
        if len(self.spans) == 1:  # the whole line is marked
            opening = closing = ""
        marked = (f"{opening}{span.text}{closing}" if span.is_marked else span.text for span in self.spans)
        return self.lead + "".join(marked)


def written_lines(messages: Sequence[MessageDiff]) -> Iterator[WrittenLine]:
    """Yield a diff line by line, message by message."""
    if all(_is_as_before(message) for message in messages):
        yield _line("rest", "", "The prompts are the same text.")
        return
    for is_same, group in groupby(messages, _is_as_before):
        found = list(group)
        if is_same:
            yield _line("rest", "…", f"{counted(len(found), 'message')} the same")
        for message in () if is_same else found:
            yield _line("heading", _sign(message), _heading(message))
            if message.kind != "same":
                yield from _changes(message.lines)


def diff_text(messages: Sequence[MessageDiff]) -> str:
    """Return a diff as plain text."""
    return "\n".join(line.text for line in written_lines(messages))


def _is_as_before(message: MessageDiff) -> bool:
    return message.kind == "same" and not message.is_moved


def _sign(message: MessageDiff) -> str:
    return {"removed": "-", "added": "+", "changed": "~"}.get(message.kind, ">")


def _heading(message: MessageDiff) -> str:
    """Return speaker, items, place and change of a message: `user m4, 3 → 5: moved, changed`."""
    more = f" and {len(message.ids) - MOST_IDS:,} more" if len(message.ids) > MOST_IDS else ""
    numbers = [f"{number:,}" for number in (message.before, message.after) if number is not None]
    place = numbers[0] if len({*numbers}) == 1 else " → ".join(numbers)
    what = [*(["moved"] if message.is_moved else []), *([message.kind] if message.kind != "same" else [])]
    return f"{message.role} {', '.join(message.ids[:MOST_IDS])}{more} · message {place}: {' and '.join(what)}"


def _changes(lines: Sequence[LineDiff]) -> Iterator[WrittenLine]:
    """Yield the lines of a message, without unchanged lines far from any change."""
    near = {
        place + step for place, line in enumerate(lines) if line.kind != "same" for step in range(-CONTEXT, CONTEXT + 1)
    }
    for is_near, group in groupby(enumerate(lines), lambda entry: entry[0] in near):
        found = [line for _, line in group]
        if is_near:
            for line in found:
                yield from _written(line)
        else:
            yield _line("rest", "  …", f"{counted(len(found), 'line')} the same")


def _written(line: LineDiff) -> Iterator[WrittenLine]:
    if line.kind == "same":
        yield WrittenLine("same", "   ", line.after)
    elif line.kind == "moved":
        spans = tuple(Span(span.text) for span in line.before or line.after)
        yield WrittenLine("moved", "  <" if line.before else "  >", spans)
    else:
        if line.before:
            yield WrittenLine("removed", "  -", line.before)
        if line.after:
            yield WrittenLine("added", "  +", line.after)


def _line(mark: Mark, sign: str, text: str) -> WrittenLine:
    return WrittenLine(mark, sign, (Span(text),))
