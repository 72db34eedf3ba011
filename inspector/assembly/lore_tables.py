"""The table of lore: a row for each entry, with the cause and place of its activation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.columns import Action, outcome_tone, word
from inspector.assembly.columns import Kind as ItemKind
from inspector.assembly.decisions import Assembly
from inspector.assembly.numbers import number_of
from inspector.derived import cached_property
from inspector.model import LoreEntry
from inspector.retrieval.lore.outcome import Activation
from inspector.retrieval.lore.rules import placement_of
from inspector.tables import Column, Kind, Table, Tone, first_line

ALL, ACTIVE, INACTIVE = range(3)


@dataclass(frozen=True, eq=False)
class LoreRows:
    """The lore of an assembly; its rows are counted from 0, and `first` is the candidate of the first."""

    assembly: Assembly

    @cached_property
    def first(self) -> int:
        """The row of the first entry among the candidates."""
        rows = self.assembly.candidates.rows(ItemKind.LORE)
        return int(rows[0]) if len(rows) else 0

    def __len__(self) -> int:
        return len(self.assembly.candidates.activations)

    @cached_property
    def active(self) -> NDArray[np.bool_]:
        """Which entries are active."""
        return np.array([found.active for found in self.assembly.candidates.activations], np.bool_)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entries, as they are answered."""
        return self.assembly.candidates.ids[self.first : self.first + len(self)]

    def entry(self, row: int) -> LoreEntry:
        """Return the entry."""
        thing = self.assembly.candidates.things[self.first + row]
        assert isinstance(thing, LoreEntry)
        return thing

    def activation(self, row: int) -> Activation:
        """Return the activation of an entry."""
        return self.assembly.candidates.activations[row]

    def text(self, row: int) -> str:
        """Return the content of an entry with its placeholders replaced."""
        return self.assembly.candidates.texts[self.first + row]

    def title(self, row: int) -> str:
        """Return the name of an entry: its title, its first key, or its beginning."""
        entry = self.entry(row)
        return entry.title or (entry.keys[0] if entry.keys else first_line(entry.content)) or entry.id

    def source(self, row: int) -> str:
        """Return the id of the message or entry in which a key of this entry was found, "" for none."""
        fired = self.activation(row).fired
        return fired.place.piece.id if fired else ""

    def shown(self, which: int) -> NDArray[np.intp]:
        """Return the rows of all entries, or of the active or inactive ones."""
        if which == ALL:
            return np.arange(len(self))
        return np.flatnonzero(self.active if which == ACTIVE else ~self.active)


def summary(lore: LoreRows) -> str:
    """Return how many entries are active, in a sentence."""
    total, active = len(lore), int(lore.active.sum())
    noun, verb = ("entry" if total == 1 else "entries"), ("is" if active == 1 else "are")
    return f"{active:,} of {total:,} {noun} {verb} active."


def _muted_when_inactive(lore: LoreRows, row: int) -> Tone | None:
    return None if lore.active[row] else "muted"


def _key(lore: LoreRows, row: int) -> str:
    fired = lore.activation(row).fired
    return fired.key if fired else ""


def _where(lore: LoreRows, row: int) -> str:
    fired = lore.activation(row).fired
    if fired is None:
        return ""
    return fired.where if fired.place.piece.kind != "message" else fired.place.piece.id


def _where_words(lore: LoreRows, row: int) -> str:
    fired = lore.activation(row).fired
    return fired.where if fired else ""


def _where_color(lore: LoreRows, row: int) -> Tone | None:
    return "accent" if lore.source(row) else None


def _is_estimated(lore: LoreRows, row: int) -> bool:
    return bool(lore.assembly.candidates.estimated[lore.first + row])


def _probability(lore: LoreRows, row: int) -> str:
    probability = lore.activation(row).probability
    return f"{probability:g} %" if probability < 100 else ""


def _prompt_color(lore: LoreRows, row: int) -> Tone | None:
    action = Action(int(lore.assembly.action[lore.first + row]))
    return outcome_tone(action) if action != Action.KEPT and lore.active[row] else "muted"


def _alphabetical(text: Callable[[LoreRows, int], str]) -> Callable[[LoreRows], NDArray[Any]]:
    """Return places in the alphabet, to sort by a text."""

    def places_of(lore: LoreRows) -> NDArray[Any]:
        words = [text(lore, row).casefold() for row in range(len(lore))]
        places = {word: place for place, word in enumerate(sorted(set(words)))}
        return np.array([places[word] for word in words], np.int32)

    return places_of


def _numbers(value: Callable[[LoreRows, int], float]) -> Callable[[LoreRows], NDArray[Any]]:
    """Return numbers to sort by."""
    return lambda lore: np.array([value(lore, row) for row in range(len(lore))], np.float64)


def _number(lore: LoreRows, row: int) -> str:
    return number_of(lore.assembly.candidates, lore.first + row)


def _title_tooltip(lore: LoreRows, row: int) -> str:
    entry = lore.entry(row)
    keys = f"keys: {', '.join(entry.keys)}" if entry.keys else "no keys"
    secondary = f"secondary keys: {', '.join(entry.secondary_keys)}" if entry.secondary_keys else ""
    return "\n".join(part for part in (lore.ids[row], keys, secondary) if part)


LORE_COLUMNS: tuple[Column[LoreRows], ...] = (
    Column("id", "#", "The number of the entry", lambda lore, row: lore.ids[row], words=_number, digits=5),
    Column(
        "title",
        "Entry",
        "The title of the entry, else its first key",
        LoreRows.title,
        _alphabetical(LoreRows.title),
        digits=18,
        least=10,
        tone=_muted_when_inactive,
        tooltip=_title_tooltip,
    ),
    Column(
        "active",
        "Active",
        "Whether the entry competes for a place in the prompt",
        lambda lore, row: bool(lore.active[row]),
        lambda lore: ~lore.active,
        words=lambda lore, row: "✓ active" if lore.active[row] else "inactive",
        digits=9,
        least=7,
        tone=_muted_when_inactive,
    ),
    Column(
        "why",
        "Why",
        "The cause: why the entry is active or not",
        lambda lore, row: lore.activation(row).why,
        _alphabetical(lambda lore, row: lore.activation(row).why),
        digits=20,
        least=10,
        stretches=True,
        tone=_muted_when_inactive,
        tooltip=lambda lore, row: lore.activation(row).sentence,
    ),
    Column(
        "key",
        "Key",
        "The key that was found",
        _key,
        _alphabetical(_key),
        digits=11,
        yields=3,
        tone=_muted_when_inactive,
    ),
    Column(
        "where",
        "Found in",
        "Where the key was found; a click shows it",
        _where,
        _alphabetical(_where_words),
        words=_where_words,
        digits=10,
        least=7,
        goes_last=1,
        tone=_where_color,
    ),
    Column(
        "order",
        "Order",
        "A lower order comes first in the prompt; a higher one has the first claim on a budget",
        lambda lore, row: lore.entry(row).order,
        _numbers(lambda lore, row: lore.entry(row).order),
        Kind.NUMBER,
        lambda lore, row: f"{lore.entry(row).order:g}",
        digits=5,
        yields=2,
        tone=_muted_when_inactive,
    ),
    Column(
        "position",
        "Position",
        "Its place in the prompt of the application",
        lambda lore, row: placement_of(lore.entry(row)),
        _alphabetical(lambda lore, row: placement_of(lore.entry(row))),
        digits=11,
        yields=4,
        tone=_muted_when_inactive,
        shown=lambda lore: any(lore.entry(row).position for row in range(len(lore))),
    ),
    Column(
        "tokens",
        "Tokens",
        "The tokens of the whole entry; ≈ marks an estimate",
        lambda lore, row: int(lore.assembly.candidates.tokens[lore.first + row]),
        lambda lore: lore.assembly.candidates.tokens[lore.first : lore.first + len(lore)],
        Kind.TOKENS,
        estimated=_is_estimated,
        digits=7,
        least=5,
        goes_last=1,
        tone=_muted_when_inactive,
    ),
    Column(
        "probability",
        "Chance",
        "The probability used by the application; shown here, not rolled",
        lambda lore, row: lore.activation(row).probability,
        _numbers(lambda lore, row: lore.activation(row).probability),
        Kind.NUMBER,
        _probability,
        digits=6,
        yields=2,
        tone=_muted_when_inactive,
        shown=lambda lore: any(found.probability < 100 for found in lore.assembly.candidates.activations),
    ),
    Column(
        "prompt",
        "Outcome",
        "Whether the policy keeps or drops it",
        lambda lore, row: word(Action(int(lore.assembly.action[lore.first + row]))),
        lambda lore: lore.assembly.action[lore.first : lore.first + len(lore)],
        Kind.OUTCOME,
        digits=11,
        yields=1,
        tone=_prompt_color,
    ),
)
LORE: Table[LoreRows] = Table(LORE_COLUMNS, lambda lore: range(len(lore)))
