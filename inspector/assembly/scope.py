"""The scope of a scenario: the open candidates at each turn, and their activated lore."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, U8, Bool, Kind, Rows, State, frozen
from inspector.assembly.items import ItemTexts
from inspector.assembly.numbers import number_in
from inspector.derived import Derived, cached_property
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
    return ScannedText("message", items.names[row], items.texts[row], speaker, f"message {number_in(items, row)}")


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
        [number_in(items, row) for row in rows],
    )
    parts = {
        "persona" if isinstance(thing, Profile) else items.plain_ids[row]: items.texts[row]
        for row, thing in enumerate(things)
        if isinstance(thing, Component | Profile)
    }
    return _ReadLore(book, parts, people)


class Scope:
    """Candidates with further rows pinned or excluded, and those open at any turn.

    Lore is activated by existing messages, on the terms of `lore`. Common parts of the turns are computed once.
    """

    def __init__(self, candidates: Candidates, pinned: Rows, excluded: Rows, lore: LoreTerms = PLAIN_TERMS) -> None:
        self._candidates, self._lore, self._known = candidates, lore, Derived()
        self._pins, self._state = candidates.pinned.copy(), candidates.state.copy()
        self._pins[pinned] = True
        self._state[excluded[self._state[excluded] == int(State.OPEN)]] = State.EXCLUDED

    def at(self, turn: int | None, now: float | None) -> Candidates:
        """Return the candidates at a turn, None for the last, on the clock `now`.

        Messages after the first `turn` do not exist yet, nor do passages that repeat them and files quoted in them; a
        draft does. `now` is in seconds, by default the newest time of the open messages, NaN if none is known.
        """
        state, items = self._state.copy(), self._candidates.items
        if turn is not None:
            stored = self._candidates.rows(Kind.MESSAGE)[: -1 if items.has_draft else None]
            state[stored[max(turn, 0) :]] = State.NOT_YET
            parts, messages = items.parts_of_messages
            state[parts[state[messages] == int(State.NOT_YET)]] = State.NOT_YET
        if now is None:
            said = slice(items.first_message, None)
            times = _known(self._candidates.time[said], state[said] == int(State.OPEN))
            now = float(np.fmax.reduce(times, initial=np.nan))
        return self._with(state, now)

    def as_of(self, turn: int) -> Candidates:
        """Return the candidates as they were at a turn: the first `turn` messages, and items made until then.

        A draft does not exist, nor do items dated later than these messages, or made of later messages. The clock is
        the newest time of the open messages, NaN if none is known.
        """
        state, first = self._state.copy(), self._candidates.items.first_message
        turn = min(max(turn, 0), len(self._newest) - 1)
        state[first + turn :] = State.NOT_YET
        since = self._since_made if np.isnan(self._newest[turn]) else self._since_dated
        state[:first][since > turn] = State.NOT_YET
        return self._with(state, float(self._clocks[turn]))

    def _with(self, state: U8, now: float) -> Candidates:
        """Return the candidates in these states, with the lore activated by the open messages."""
        candidates, takes_part = self._candidates, state == int(State.OPEN)
        rows, said = candidates.rows(Kind.LORE), candidates.rows(Kind.MESSAGE)
        activations, active = (), candidates.active
        if len(rows):
            activations = activate_lore(candidates.items, self._lore, said[takes_part[said]], candidates.tokens[rows])
            active = active.copy()
            active[rows] = [activation.active for activation in activations]
        return candidates.in_scope(
            before_messages=self._before_messages(state, active),
            pinned=frozen(self._pins & takes_part),
            state=frozen(state),
            is_open=frozen(takes_part),
            active=frozen(active),
            activations=activations,
            now=now,
        )

    def _before_messages(self, state: U8, active: Bool) -> Derived:
        """Return the cache of values derived from the rows before the messages, shared by turns with equal states."""
        first = self._candidates.items.first_message
        return self._known.derived("before messages", (state[:first].tobytes(), active[:first].tobytes()), Derived)

    @cached_property
    def _newest(self) -> F64:
        """The newest time of the first k messages, for each k from 0 to all; a draft does not count."""
        times = self._candidates.time[self._stored]
        return _running(_known(times, np.True_))

    @cached_property
    def _clocks(self) -> F64:
        """The same for the open ones among them."""
        return _running(_known(self._candidates.time[self._stored], self._state[self._stored] == int(State.OPEN)))

    @cached_property
    def _since_dated(self) -> Rows:
        """The turn from which each candidate before the messages exists, once a time of the messages is known."""
        times = self._candidates.time[: self._candidates.items.first_message]
        known = np.fmax(self._newest, -np.inf)
        return np.maximum(np.where(np.isfinite(times), np.searchsorted(known, times), 0), self._since_made)

    @cached_property
    def _since_made(self) -> Rows:
        """The turn of the newest message from which each of them was made or of which it is a part, 0 for none."""
        items = self._candidates.items
        return np.maximum(self._turns_of(*items.cited_messages), self._turns_of(*items.parts_of_messages))

    def _turns_of(self, rows: Rows, messages: Rows) -> Rows:
        first = self._candidates.items.first_message
        turns = np.zeros(first, np.intp)
        np.maximum.at(turns, rows, messages - first + 1)
        return turns

    @property
    def _stored(self) -> slice:
        """The rows of all messages but a draft."""
        items = self._candidates.items
        return slice(items.first_message, len(self._candidates) - items.has_draft)


def _known(times: F64, counts: Bool | np.bool_) -> F64:
    """Return the known times marked in `counts`, NaN for the others."""
    return np.where(counts & np.isfinite(times), times, np.nan)


def _running(times: F64) -> F64:
    """Return the newest of the first k of these times, for each k from 0; NaN if none of them is known."""
    return np.fmax.accumulate(np.concatenate([[np.nan], times]))
