"""Small lorebooks and scenes for the tests of lore."""

from collections.abc import Sequence
from typing import Any

from inspector.model import LoreEntry
from inspector.retrieval.lore.activation import activate
from inspector.retrieval.lore.book import LoreBook, Scene
from inspector.retrieval.lore.outcome import Activation
from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings
from inspector.retrieval.lore.text import ScannedText


def entry(name: str, *keys: str, content: str = "", activation: dict[str, Any] | None = None, **rest: Any) -> LoreEntry:
    """An entry with these keys; `activation` holds settings under SillyTavern's names."""
    return LoreEntry(name, content or f"about {name}", keys=keys, activation=activation or {}, **rest)


def scene(*messages: str, **rest: Any) -> Scene:
    """A scene of these messages, oldest first, with the ids m0, m1 …"""
    pieces = tuple(ScannedText("message", f"m{number}", text) for number, text in enumerate(messages))
    return Scene(pieces[::-1], **{"length": len(messages), **rest})


def scanned(
    entries: Sequence[LoreEntry], *messages: str, settings: LoreSettings = AS_NATIVE, **rest: Any
) -> dict[str, Activation]:
    """What became of each entry, by its id."""
    book = LoreBook(entries, settings=settings, people={"char": "Nova", "user": "Ada"})
    found = activate(book, scene(*messages, **rest))
    return dict(zip(book.names, found, strict=True))


def active(entries: Sequence[LoreEntry], *messages: str, **rest: Any) -> set[str]:
    """The ids of the active entries."""
    return {name for name, found in scanned(entries, *messages, **rest).items() if found.active}
