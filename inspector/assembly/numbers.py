"""Numbers: the name of an item for users, the same in every table, sentence and report, and in each command.

A message is numbered by its place in its chat, from 1; everything else by its place among those of its kind in their
file, after a letter: `M 12` is the twelfth memory. Files and JSON keep the ids.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

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
    title = title_in(candidates.items, row)
    return title[0].lower() + title[1:] if row >= candidates.items.first_message else title


def title_in(items: ItemTexts, row: int) -> str:
    """Return an item as a title or the beginning of a sentence names it: `Message 119`, or `M 12`."""
    number = number_in(items, row)
    return f"Message {number}" if row >= items.first_message else number


def numbered(items: ItemTexts, name: str) -> Iterator[int]:
    """Yield the row of an item by its number: at most one, and none for any other text."""
    found = _NUMBER.fullmatch(name.strip().replace(",", ""))
    if found is None:
        return
    letter, place = found[1].upper(), int(found[2])
    if letter:
        wanted = f"{letter} {figures(place)}"
        yield from (row for row, number in enumerate(_before_messages(items)) if number == wanted)
    elif items.first_message + place <= len(items.names):
        yield items.first_message + place - 1


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
