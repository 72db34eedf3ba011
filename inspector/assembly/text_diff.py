"""The differences between the texts of two prompts: by message, distinguishing moved from changed, down to the words.

The work is bounded: texts without common parts are reported as replaced, not searched without end.
"""

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from inspector.assembly.decisions import Assembly
from inspector.assembly.numbers import title_in
from inspector.assembly.rendered_prompt import PromptMessage, prompt_messages
from inspector.figures import counted

Kind = Literal["same", "removed", "added", "changed", "moved"]

MOST_LINE_PAIRS = 4_000_000
"""The most pairs of lines compared in a message; of a longer message only the beginning and end are matched."""
MOST_WORD_PAIRS = 250_000
MOST_WORK = 8_000_000
"""The most pairs compared in all; the rest is reported as replaced, line by line."""
LEAST_ALIKE = 0.5
"""The least part of the shorter of two lines found in the other for them to count as a changed line: all of it for a
text and its cut form. Of pairs of unrelated memories or messages of three chats, 99 % share up to 0.42.
"""
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line, marked if the other line does not have it."""

    text: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class LineDiff:
    """A line of a message: `before` as it was, `after` as it is, each empty if there is none.

    A "moved" line is elsewhere in the same message: it is reported at both its old and its new place.
    """

    kind: Kind
    before: tuple[Span, ...] = ()
    after: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageDiff:
    """A message of either prompt: its place in each, from 1 (None if absent), and its lines.

    `names` are its items as users call them, `Message 119` or `M 12`, in the order of `ids`.

    `kind` is the change of its text; `is_moved` is true if its place among the others changed.
    """

    kind: Kind
    role: str
    ids: tuple[str, ...]
    names: tuple[str, ...]
    before: int | None
    after: int | None
    is_moved: bool
    lines: tuple[LineDiff, ...]


class _Work:
    """The number of pairs left for comparison."""

    def __init__(self) -> None:
        self._left = MOST_WORK

    def takes(self, pairs: int, most: int) -> bool:
        """Reserve this many pairs, if they exceed neither `most` nor the rest of all work."""
        if pairs > min(most, self._left):
            return False
        self._left -= pairs
        return True


def text_diff(before: Assembly, after: Assembly) -> tuple[MessageDiff, ...]:
    """Return the differences between two prompts, in the order of the later one, with removed messages in place."""
    was, now = list(prompt_messages(before)), list(prompt_messages(after))
    pairs = _pairs([_keys(before, one) for one in was], [_keys(after, one) for one in now])
    staying = _longest_rising([place for place, _ in sorted(pairs.items(), key=lambda pair: pair[1])])
    work, found = _Work(), list[tuple[float, MessageDiff]]()
    last = -1.0
    before_of = {place: other for other, place in pairs.items()}
    for place, message in enumerate(was):
        if place in pairs:
            last = float(pairs[place]) if place in staying else last
        else:
            found.append((last + 0.5, _alone(before, message, "removed", place)))
    for place, message in enumerate(now):
        other = before_of.get(place)
        if other is None:
            found.append((float(place), _alone(after, message, "added", place)))
        else:
            lines = line_diff(was[other].content, message.content, work)
            kind: Kind = "same" if all(line.kind == "same" for line in lines) else "changed"
            called = _ids(after, message), _names(after, message)
            is_moved = other not in staying
            made = MessageDiff(kind, message.role, *called, other + 1, place + 1, is_moved, lines)
            found.append((float(place), made))
    return tuple(message for _, message in sorted(found, key=lambda entry: entry[0]))


def line_diff(before: str, after: str, work: _Work | None = None) -> tuple[LineDiff, ...]:
    """Return the differences between two texts, line by line."""
    if before == after:
        return tuple(LineDiff("same", (Span(line),), (Span(line),)) for line in after.split("\n"))
    work = work or _Work()
    lines = list(_lines(before.split("\n"), after.split("\n"), work))
    return tuple(_with_moves(lines))


def _alone(assembly: Assembly, message: PromptMessage, kind: Kind, place: int) -> MessageDiff:
    spans = [(Span(line, True),) for line in message.content.split("\n")]
    is_gone = kind == "removed"
    lines = tuple(LineDiff(kind, one, ()) if is_gone else LineDiff(kind, (), one) for one in spans)
    numbers = (place + 1, None) if is_gone else (None, place + 1)
    called = _ids(assembly, message), _names(assembly, message)
    return MessageDiff(kind, message.role, *called, *numbers, False, lines)


def _ids(assembly: Assembly, message: PromptMessage) -> tuple[str, ...]:
    return tuple(assembly.candidates.ids[row] for row in message.rows)


def _names(assembly: Assembly, message: PromptMessage) -> tuple[str, ...]:
    return tuple(title_in(assembly.candidates.items, row) for row in message.rows)


def _keys(assembly: Assembly, message: PromptMessage) -> tuple[Hashable, ...]:
    """Return keys of a message by its role, surest first: items and content, items, first item, content."""
    ids = _ids(assembly, message)
    return (
        (message.role, ids, message.content),
        (message.role, ids),
        (message.role, ids[:1]),
        (message.role, message.content),
    )


def _pairs(before: Sequence[tuple[Hashable, ...]], after: Sequence[tuple[Hashable, ...]]) -> dict[int, int]:
    """Match messages of before and after: the first free pair under the surest common key."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for level in range(len(before[0]) if before else 0):
        free: dict[Hashable, list[int]] = {}
        for place in reversed(range(len(after))):
            if place not in taken:
                free.setdefault(after[place][level], []).append(place)
        for place, keys in enumerate(before):
            if place not in pairs and (places := free.get(keys[level])):
                pairs[place] = places.pop()
                taken.add(pairs[place])
    return pairs


def _longest_rising(places: Sequence[int]) -> set[int]:
    """Return a longest rising subsequence of these numbers: the unmoved messages."""
    tails: list[int] = []
    previous: dict[int, int | None] = {}
    for place in places:
        length = bisect_left(tails, place)
        previous[place] = tails[length - 1] if length else None
        tails[length : length + 1] = [place]
    found, one = set[int](), tails[-1] if tails else None
    while one is not None:
        found.add(one)
        one = previous[one]
    return found


def _lines(before: list[str], after: list[str], work: _Work) -> Iterator[LineDiff]:
    """Yield the common leading and trailing lines, and the differences found by difflib in between."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    yield from _same(before[:head])
    was, now = before[head : len(before) - tail], after[head : len(after) - tail]
    if was and now and work.takes(len(was) * len(now), MOST_LINE_PAIRS):
        for tag, start, stop, first, last in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
            if tag == "equal":
                yield from _same(was[start:stop])
            else:
                yield from _replaced(was[start:stop], now[first:last], work)
    else:
        yield from _replaced(was, now, work)
    yield from _same(before[len(before) - tail :])


def _same(lines: Sequence[str]) -> Iterator[LineDiff]:
    return (LineDiff("same", (Span(line),), (Span(line),)) for line in lines)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of common leading lines."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _replaced(was: Sequence[str], now: Sequence[str], work: _Work) -> Iterator[LineDiff]:
    """Yield lines in place of others: lines also found elsewhere stay by themselves, the rest is paired."""
    elsewhere = {*was} & {*now}
    gone = sum(line not in elsewhere for line in was)
    come = [line for line in now if line not in elsewhere]
    partners, with_partner = iter(come[:gone]), min(gone, len(come))
    for line in was:
        partner = None if line in elsewhere else next(partners, None)
        if partner is None:
            yield LineDiff("removed", (Span(line, True),))
        else:
            yield LineDiff("changed", *_words(line, partner, work))
    for line in now:
        if line in elsewhere or with_partner == 0:
            yield LineDiff("added", (), (Span(line, True),))
        else:
            with_partner -= 1


def _words(before: str, after: str, work: _Work) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return both lines, marking the words missing from the other; all words if they have little in common."""
    was, now = _WORDS.findall(before), _WORDS.findall(after)
    if not work.takes(len(was) * len(now), MOST_WORD_PAIRS):
        return _ends(before, after)
    left, right = list[Span](), list[Span]()
    for tag, start, stop, first, last in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        left.append(Span("".join(was[start:stop]), tag != "equal"))
        right.append(Span("".join(now[first:last]), tag != "equal"))
    shared = sum(_size(span.text) for span in left if not span.is_marked)
    if shared < LEAST_ALIKE * min(_size(before), _size(after)):
        return _spans((Span(before, True),)), _spans((Span(after, True),))
    return _spans(left), _spans(right)


def _size(text: str) -> int:
    """Return the code points without white space, which any two lines share."""
    return sum(map(len, text.split()))


def _ends(before: str, after: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return both texts with everything marked between their common beginning and end."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    return _cut(before, head, tail), _cut(after, head, tail)


def _cut(text: str, head: int, tail: int) -> tuple[Span, ...]:
    """Return a text with everything marked but `head` and `tail` code points at its ends."""
    end = len(text) - tail
    return _spans((Span(text[:head]), Span(text[head:end], True), Span(text[end:])))


def _spans(spans: Sequence[Span]) -> tuple[Span, ...]:
    return tuple(span for span in spans if span.text)


def _with_moves(lines: Sequence[LineDiff]) -> Iterator[LineDiff]:
    """Yield the same lines, with a line removed here and added there marked as moved."""
    removed = {line.before[0].text for line in lines if line.kind == "removed" and line.before}
    moved = removed & {line.after[0].text for line in lines if line.kind == "added" and line.after}
    for line in lines:
        text = (line.before or line.after or (Span(""),))[0].text
        is_moved = line.kind in ("removed", "added") and text.strip() and text in moved
        yield LineDiff("moved", line.before, line.after) if is_moved else line


Mark = Literal["heading", "rest", "same", "removed", "added", "moved"]
_GUTTER = " │ "
"""Separates the sign of a line from its text, so that a list mark in the text is not read as a second sign."""
CONTEXT = 2
"""Number of unchanged lines shown around a changed line."""
MOST_NAMES = 3


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
    """Return items, speaker, place and change of a message: `Message 4, user · place 3 → 5: moved and changed`."""
    more = f" and {len(message.names) - MOST_NAMES:,} more" if len(message.names) > MOST_NAMES else ""
    numbers = [f"{number:,}" for number in (message.before, message.after) if number is not None]
    place = numbers[0] if len({*numbers}) == 1 else " → ".join(numbers)
    what = [*(["moved"] if message.is_moved else []), *([message.kind] if message.kind != "same" else [])]
    named = f"{', '.join(message.names[:MOST_NAMES])}{more}"
    return f"{', '.join(filter(None, (named, message.role)))} · place {place} in the prompt: {' and '.join(what)}"


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
