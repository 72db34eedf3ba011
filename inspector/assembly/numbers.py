"""Numbers: the name of an item for users, the same in every table, sentence and report, and in each command.

A message is numbered by its place in its chat, from 1; everything else by its place among those of its kind in their
file, after a letter: `M 12` is the twelfth memory. Files and JSON keep the ids.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

from inspector.assembly.candidates import Candidates
from inspector.assembly.items import ItemTexts
from inspector.figures import figures
from inspector.model import (
    Attachment,
    Character,
    Component,
    Document,
    LoreEntry,
    Memory,
    Message,
    Passage,
    PastSummary,
    Profile,
)

_LETTERS: dict[type, str] = {
    Character: "S",
    Component: "S",
    Profile: "S",
    Memory: "M",
    LoreEntry: "L",
    Passage: "P",
    PastSummary: "C",
    Document: "D",
    Attachment: "A",
    Message: "G",
}
"""The letter of each kind before the messages: S for what a character is, C for other chats, G for its greeting."""
_NUMBER = re.compile(rf"#?([{''.join(sorted(set(_LETTERS.values())))}]?) ?([1-9]\d{{0,8}})", re.IGNORECASE | re.ASCII)


def number_of(candidates: Candidates, row: int) -> str:
    """Return the number of an item, such as `119` for a message or `M 12` for a memory."""
    return number_in(candidates.items, row)


def number_in(items: ItemTexts, row: int) -> str:
    """Return the same, of items without their columns."""
    place = row - items.first_message
    return figures(place + 1) if place >= 0 else _before_messages(items)[row]


def numbers_of(candidates: Candidates, rows: Iterable[int]) -> tuple[str, ...]:
    """Return the numbers of these items."""
    return tuple(number_of(candidates, row) for row in rows)


def called(candidates: Candidates, row: int) -> str:
    """Return an item as the middle of a sentence names it: `message 119`, or `M 12`."""
    return called_in(candidates.items, row)


def called_in(items: ItemTexts, row: int) -> str:
    """Return the same, of items without their columns."""
    title = title_in(items, row)
    return title[0].lower() + title[1:] if row >= items.first_message else title


def title_in(items: ItemTexts, row: int) -> str:
    """Return an item as a title or the beginning of a sentence names it: `Message 119`, or `M 12`."""
    number = number_in(items, row)
    return f"Message {number}" if row >= items.first_message else number


def numbered(items: ItemTexts, name: str) -> Iterator[int]:
    """Yield the row of an item by its number: at most one, and none for any other text."""
    if (found := parsed(name.replace(",", ""))) is not None:
        letter, place = found
        yield from rows_between(items, letter, place, place)


def parsed(name: str) -> tuple[str, int] | None:
    """Return the letter ("" for a message) and the place of a number such as `119`, `#119` or `M 12`; else None."""
    found = _NUMBER.fullmatch(name.strip())
    return None if found is None else (found[1].upper(), int(found[2]))


def rows_between(items: ItemTexts, letter: str, first: int, last: int) -> Sequence[int]:
    """Return the rows of the numbers from `first` to `last` with a letter, "" for messages; those that are there."""
    if not letter:
        return range(items.first_message + first - 1, min(items.first_message + last, len(items.names)))
    wanted = {f"{letter} {figures(place)}" for place in range(first, min(last, first + items.first_message) + 1)}
    return items.derived("rows numbered", (letter, first, last), lambda: _rows_with(items, wanted))


def _rows_with(items: ItemTexts, wanted: Container[str]) -> Sequence[int]:
    return tuple(row for row, number in enumerate(_before_messages(items)) if number in wanted)


def _before_messages(items: ItemTexts) -> tuple[str, ...]:
    """Return the numbers of all items before the messages, made once for the same items."""
    return items.derived("numbers", None, lambda: tuple(_numbers(items)))


def _numbers(items: ItemTexts) -> Iterator[str]:
    """Yield the numbers before the messages; lore stands in the order of its insertion, and is numbered as filed."""
    counts, places = Counter[str](), iter(items.lore_places)
    for thing in items.things[: items.first_message]:
        letter = _LETTERS[type(thing)]
        counts[letter] += 1
        place = next(places) + 1 if isinstance(thing, LoreEntry) else counts[letter]
        yield f"{letter} {figures(place)}"
