"""Candidates: everything that could enter the prompt, as columns of equal length, in prompt order."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from inspector.assembly.columns import F64, I32, ROLE_NUMBER, U8, Bool, Kind, Rows, State, frozen
from inspector.model import Attachment, Character, Component, Document, LoreEntry, Memory, Message, Passage, PastSummary
from inspector.model import Profile as PersonProfile
from inspector.retrieval.lorebook import active_entries
from inspector.tokens.counting import TokenCounts

Thing = (
    Character | Component | PersonProfile | Memory | LoreEntry | Passage | PastSummary | Document | Attachment | Message
)

PREVIEW_CODE_POINTS = 100
LIST_MARK = "- "
DRAFT = "draft"
"""The id of the message that is being written."""
LORE_DEPTH = 4
"""How many of the newest messages are searched for the keys of a lorebook entry."""


@dataclass(frozen=True, eq=False)
class ItemTexts:
    """What the candidates were made from, and their texts: never touched while a slider moves.

    `names` are the ids as they are answered; `plain_ids` and `lists` allow either form to be asked for.
    """

    things: tuple[Thing, ...]
    names: tuple[str, ...]
    plain_ids: tuple[str, ...]
    lists: tuple[str, ...]
    texts: tuple[str, ...]
    first_message: int
    has_draft: bool
    _cuts: dict[tuple[str, int, int], int] = field(default_factory=dict, repr=False)

    @cached_property
    def rows_by_name(self) -> dict[str, list[int]]:
        """Rows by every name that is understood: the id answered, the plain id, and `list/id`."""
        found: dict[str, list[int]] = {}
        for row, (name, plain, where) in enumerate(zip(self.names, self.plain_ids, self.lists, strict=True)):
            for key in {name, plain, f"{where}/{plain}"}:
                found.setdefault(key, []).append(row)
        return found

    @cached_property
    def replacements(self) -> tuple[str, ...]:
        """For each message the text that the selective strategy puts in its place, `[Earlier: …]`."""
        made = []
        for thing, text in zip(self.things[self.first_message :], self.texts[self.first_message :], strict=True):
            summary = thing.summary if isinstance(thing, Message) else None
            made.append(f"[Earlier: {summary}]" if summary else f"[Earlier: {text[:PREVIEW_CODE_POINTS]}...]")
        return tuple(made)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """For each candidate before the messages its text as a list line, as the memory block writes it."""
        return tuple(f"{LIST_MARK}{text}\n" for text in self.texts[: self.first_message])

    @cached_property
    def tool_pairs(self) -> tuple[Rows, Rows]:
        """Rows of messages that call a tool, and beside each the row of the message with the result of the call."""
        callers: dict[str, int] = {}
        pairs: list[tuple[int, int]] = []
        for row, message in enumerate(self.things[self.first_message :], self.first_message):
            if isinstance(message, Message):
                callers.update((call.id, row) for call in message.tool_calls)
                if message.tool_call_id in callers:
                    pairs.append((callers[message.tool_call_id], row))
        columns = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Read-only columns, one row a candidate, in prompt order (by `Kind`, then as in the file).

    `tokens` is the cost of the whole item (recorded, or counted), `exact` whether that is a real count;
    `recorded` marks counts that the file gave. `priority` and `type_priority` lie in 0–100, `similarity` and
    `emotional_weight` in 0–1, `time` is in seconds since 1970; NaN stands for what is not known. `active` is False for
    lore entries that are not spoken of and for components that are switched off. `replacement_tokens` (messages only)
    and `line_tokens` (all but messages) are the costs of the other forms of an item; `frame_tokens` is what the chat
    template adds to a message. Identity is the version: a changed column makes a new value.
    """

    items: ItemTexts
    counts: TokenCounts
    kind: U8
    role: U8
    tokens: I32
    exact: Bool
    recorded: Bool
    frame_tokens: I32
    line_tokens: I32
    state: U8
    pinned: Bool
    active: Bool
    similarity: F64
    priority: F64
    type_priority: F64
    confidence: F64
    emotional_weight: F64
    key_moment: Bool
    has_summary: Bool
    images: I32
    time: F64
    now: float

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids as they are answered, unique over all candidates."""
        return self.items.names

    @property
    def things(self) -> tuple[Thing, ...]:
        """What each row was made from."""
        return self.items.things

    def beginning(self, row: int, limit: int) -> str:
        """The first `limit` tokens of a row's text."""
        return self.counts.tokenizer.first(self.texts[row], limit)

    @property
    def texts(self) -> tuple[str, ...]:
        """The whole text of each row, placeholders replaced and tool calls written out."""
        return self.items.texts

    @cached_property
    def _bounds(self) -> Rows:
        return np.searchsorted(self.kind, np.arange(len(Kind) + 1))

    @cached_property
    def _rows_by_kind(self) -> tuple[Rows, ...]:
        bounds = self._bounds.tolist()
        return tuple(frozen(np.arange(bounds[kind], bounds[kind + 1])) for kind in Kind)

    def rows(self, kind: Kind) -> Rows:
        """All rows of a kind, in prompt order."""
        return self._rows_by_kind[kind]

    @cached_property
    def open(self) -> Bool:
        """Mask of the candidates that a policy decides: neither excluded nor later than the replayed turn."""
        return frozen(self.state == State.OPEN)

    @cached_property
    def open_rows(self) -> tuple[Rows, ...]:
        """The open rows of each kind, indexed by `Kind`."""
        return tuple(frozen(rows[self.open[rows]]) for rows in self._rows_by_kind)

    @cached_property
    def replacement_counts(self) -> tuple[I32, Bool]:
        """Tokens of each message's replacement text, and whether that is a real count; from the first message on."""
        return self.counts.lookup(self.items.replacements)

    def replacement_tokens(self, rows: Rows) -> I32:
        """Tokens of the replacement texts of these message rows."""
        return self.replacement_counts[0][rows - self.items.first_message]

    def replacement(self, row: int) -> str:
        """The text that stands in the place of a summarized message."""
        return self.items.replacements[row - self.items.first_message]

    def cut_tokens(self, rows: Rows, limit: int) -> I32:
        """Tokens of the texts that are left when these rows are cut to their first `limit` tokens.

        Each text and limit is looked at once and remembered.
        """
        tokenizer, known = self.counts.tokenizer, self.items._cuts
        for row in rows.tolist():
            if (tokenizer.name, row, limit) not in known:
                text = tokenizer.first(self.texts[row], limit)
                known[tokenizer.name, row, limit] = int(tokenizer.count([text])[0])
        return np.fromiter((known[tokenizer.name, row, limit] for row in rows.tolist()), np.int32, len(rows))

    def rows_named(self, names: Iterable[str]) -> Rows:
        """The rows of these ids, in any form that is understood; unknown ids are passed over."""
        found = self.items.rows_by_name
        return np.array(sorted({row for name in names for row in found.get(name, ())}), dtype=np.intp)

    def in_scope(self, pinned: Rows, excluded: Rows, at: int | None, now: float | None) -> "Candidates":
        """The same candidates with more rows pinned or excluded, replayed at turn `at`, on the clock `now`.

        With `at`, messages after the first `at` do not exist yet (a draft always exists). Without a `now` in seconds,
        it is the newest time of the messages that exist, NaN where none is known. Lore is activated by what exists.
        """
        pins, state, active = self.pinned.copy(), self.state.copy(), self.active.copy()
        if at is not None:
            stored = self.rows(Kind.MESSAGE)[: -1 if self.items.has_draft else None]
            state[stored[max(at, 0) :]] = State.NOT_YET
        state[excluded[state[excluded] == State.OPEN]] = State.EXCLUDED
        pins[pinned] = True
        pins[state != State.OPEN] = False
        scoped = replace(self, pinned=frozen(pins), state=frozen(state))
        lore = self.rows(Kind.LORE)
        if len(lore):
            entries = [self.things[row] for row in lore]
            active[lore] = active_entries(entries, [self.texts[row] for row in scoped.existing_messages[-LORE_DEPTH:]])
        times = self.time[scoped.existing_messages]
        newest = float(np.nanmax(times)) if np.isfinite(times).any() else float("nan")
        return replace(scoped, active=frozen(active), now=newest if now is None else now)

    @cached_property
    def existing_messages(self) -> Rows:
        """Rows of the messages that take part: neither excluded nor later than the replayed turn."""
        messages = self.rows(Kind.MESSAGE)
        return messages[self.state[messages] == State.OPEN]

    @cached_property
    def newest_user_text(self) -> str:
        """The text of the last user message that takes part, "" where there is none: the query of a prompt."""
        messages = self.existing_messages
        users = messages[self.role[messages] == ROLE_NUMBER["user"]]
        return self.texts[users[-1]] if len(users) else ""

    def with_similarity(self, similarity: F64) -> "Candidates":
        """The same candidates with other similarities."""
        return replace(self, similarity=frozen(similarity))
