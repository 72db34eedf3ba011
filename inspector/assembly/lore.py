"""The lore of a scenario: its entries are prepared for scanning once, and scanned for the open messages."""

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.assembly.columns import I32, Rows
from inspector.assembly.items import ItemTexts
from inspector.model import Component, LoreEntry, Message, Profile
from inspector.retrieval.lore.activation import activate
from inspector.retrieval.lore.book import LoreBook, Scene
from inspector.retrieval.lore.outcome import Activation
from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings
from inspector.retrieval.lore.text import ScannedText


@dataclass(frozen=True, slots=True)
class LoreTerms:
    """How lore is scanned, and the tokens of the context window for a relative budget."""

    settings: LoreSettings = AS_NATIVE
    window: int | None = None


PLAIN_TERMS = LoreTerms()


@dataclass(frozen=True, eq=False)
class _ReadLore:
    """The lore entries among some items, and the further texts searched for their keys.

    `parts` are the texts of character and persona by kind; `people` the names of `char` and `user`.
    """

    book: LoreBook
    parts: Mapping[str, str]
    people: Mapping[str, str]


def activate_lore(items: ItemTexts, terms: LoreTerms, messages: Rows, costs: I32) -> tuple[Activation, ...]:
    """Return the outcome of each lore entry when these rows of the items are the messages, oldest first.

    Only as many messages are read as the entries ask for. `costs` are the tokens of each entry. The entries of the same
    items are prepared once.
    """
    if not len(costs):
        return ()
    lore = items.derived("read lore", terms.settings, lambda: _read_lore(items, terms.settings))
    newest: list[int] = messages[max(len(messages) - lore.book.reach, 0) :][::-1].tolist()
    pieces = tuple(_piece(items, row, lore) for row in newest)
    characters = (items.character.name, items.character.id) if items.character else None
    scene = Scene(pieces, len(messages), lore.parts, costs.tolist(), terms.window, characters)
    return activate(lore.book, scene)


def _piece(items: ItemTexts, row: int, lore: _ReadLore) -> ScannedText:
    """Return a message for scanning, with its speaker if names are included."""
    thing, speaker = items.things[row], ""
    if lore.book.settings.include_names and isinstance(thing, Message):
        speaker = thing.name or lore.people.get("user" if thing.role == "user" else "char", "")
    return ScannedText("message", items.names[row], items.texts[row], speaker)


def _read_lore(items: ItemTexts, settings: LoreSettings) -> _ReadLore:
    things, character = items.things[: items.first_message], items.character
    rows = [row for row, thing in enumerate(things) if isinstance(thing, LoreEntry)]
    names = {"char": character.name, "user": character.profile.name if character.profile else ""} if character else {}
    people = {kind: name for kind, name in names.items() if name}
    book = LoreBook(
        [thing for thing in things if isinstance(thing, LoreEntry)],
        [items.texts[row] for row in rows],
        [items.names[row] for row in rows],
        settings,
        people,
    )
    parts = {
        "persona" if isinstance(thing, Profile) else items.plain_ids[row]: items.texts[row]
        for row, thing in enumerate(things)
        if isinstance(thing, Component | Profile)
    }
    return _ReadLore(book, parts, people)
