"""Candidates: everything that could enter the prompt, as columns of equal length, in prompt order."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from inspector.assembly.columns import (
    F64,
    HOME_SECTION,
    I32,
    I64,
    NO_SOURCE,
    ROLE_NUMBER,
    U8,
    Bool,
    Kind,
    Rows,
    Source,
    State,
    frozen,
)
from inspector.assembly.lore import PLAIN_TERMS, LoreTerms, activate_lore
from inspector.assembly.message_marks import MessageMarks
from inspector.assembly.replacements import ComputedSummaries, Replacements, replacements_of
from inspector.model import (
    Attachment,
    Character,
    Component,
    Conversation,
    Document,
    LoreEntry,
    Memory,
    Message,
    Passage,
    PastSummary,
    SkippedFile,
)
from inspector.model import Profile as PersonProfile
from inspector.retrieval.lore.outcome import Activation
from inspector.retrieval.similarity import RECORDED_ONLY, Likeness, Measure, Similarity
from inspector.tokens.counting import TokenCounts

Thing = (
    Character | Component | PersonProfile | Memory | LoreEntry | Passage | PastSummary | Document | Attachment | Message
)

PREVIEW_CODE_POINTS = 100
LIST_MARK = "- "
DRAFT = "draft"
"""The id of the message that is being written."""


@dataclass(frozen=True, eq=False)
class ItemTexts:
    """What the candidates were made from, and their texts: never touched while a slider moves.

    `names` are the ids as they are answered; `plain_ids` and `lists` allow either form to be asked for. `skipped` are
    files that could not be attached: no candidates, but a policy may name them in the prompt. Lore stands in the order
    of its insertion; `lore_places` are its places in the file. The messages are of `conversation`, in which `character`
    takes part.
    """

    things: tuple[Thing, ...]
    names: tuple[str, ...]
    plain_ids: tuple[str, ...]
    lists: tuple[str, ...]
    texts: tuple[str, ...]
    first_message: int
    has_draft: bool
    skipped: tuple[SkippedFile, ...] = ()
    lore_places: tuple[int, ...] = ()
    conversation: Conversation | None = None
    character: Character | None = None
    computed: ComputedSummaries | None = None
    _forms: dict[tuple[str, Hashable, int], int] = field(default_factory=dict, repr=False)
    _likeness: dict[bytes, Similarity] = field(default_factory=dict, repr=False)

    @cached_property
    def rows_by_name(self) -> dict[str, list[int]]:
        """Rows by every name that is understood: the id answered, the plain id, and `list/id`."""
        found: dict[str, list[int]] = {}
        for row, (name, plain, where) in enumerate(zip(self.names, self.plain_ids, self.lists, strict=True)):
            for key in {name, plain, f"{where}/{plain}"}:
                found.setdefault(key, []).append(row)
        return found

    @cached_property
    def standing(self) -> Replacements:
        """For each message what the selective strategy puts in its place, `[Earlier: …]`, and where that comes from."""
        return replacements_of(self.things, self.texts, self.first_message, self.computed, PREVIEW_CODE_POINTS)

    @property
    def replacements(self) -> tuple[str, ...]:
        """The texts of these alone."""
        return self.standing.texts

    def with_summaries(self, computed: ComputedSummaries) -> "ItemTexts":
        """The same items with computed summaries of their messages."""
        return replace(self, computed=computed, _forms={}, _likeness={})

    @cached_property
    def callers(self) -> Rows:
        """Rows of the messages that call tools."""
        messages = enumerate(self.things[self.first_message :], self.first_message)
        return np.array([row for row, thing in messages if isinstance(thing, Message) and thing.tool_calls], np.intp)

    @cached_property
    def contents(self) -> tuple[str, ...]:
        """The texts, those of messages that call tools without the calls."""
        contents = list(self.texts)
        for row in self.callers.tolist():
            contents[row] = getattr(self.things[row], "content", "")
        return tuple(contents)

    @property
    def caller_contents(self) -> tuple[str, ...]:
        """The contents of the messages that call tools, without the calls."""
        return tuple(self.contents[row] for row in self.callers.tolist())

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """For each candidate before the messages its text as a list line, as the memory block writes it."""
        return tuple(f"{LIST_MARK}{text}\n" for text in self.texts[: self.first_message])

    @cached_property
    def lengths(self) -> I64:
        """Code points of the text of each candidate before the messages."""
        return frozen(np.array([len(text) for text in self.texts[: self.first_message]], np.int64))

    @cached_property
    def margins(self) -> I64:
        """Code points of white space that each of these texts begins with; all of it where the text is blank."""
        texts = self.texts[: self.first_message]
        return frozen(np.array([len(text) - len(text.lstrip()) for text in texts], np.int64))

    @cached_property
    def blank_messages(self) -> Bool:
        """Which messages hold nothing but white space, from the first message on."""
        texts = self.texts[self.first_message :]
        return frozen(np.fromiter((not text or text.isspace() for text in texts), np.bool_, len(texts)))

    @cached_property
    def places_by_id(self) -> Rows:
        """The place of each candidate before the messages, if these stood in the order of their ids."""
        ids = self.plain_ids[: self.first_message]
        places = np.empty(len(ids), np.intp)
        places[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        return frozen(places)

    @cached_property
    def sources(self) -> U8:
        """Where each candidate comes from as a retrieved chunk; `NO_SOURCE` for what is none, like disabled lore."""
        found = np.full(len(self.things), Source.CHAT, np.uint8)
        found[: self.first_message] = [_source_of(thing) for thing in self.things[: self.first_message]]
        return frozen(found)

    @cached_property
    def passage_messages(self) -> tuple[Rows, Rows]:
        """Rows of the passages that repeat a message of this conversation, and beside each the row of the message."""
        said = {name: row for row, name in enumerate(self.plain_ids[self.first_message :], self.first_message)}
        pairs = [
            (row, said[thing.message_id])
            for row, thing in enumerate(self.things[: self.first_message])
            if isinstance(thing, Passage) and thing.message_id in said
        ]
        columns = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    def likeness(self, rows: Rows) -> Similarity:
        """The similarities of these texts to queries, none of them recorded; that of the last rows is remembered."""
        key = rows.tobytes()
        if key not in self._likeness:
            self._likeness.clear()
            self._likeness[key] = Similarity([self.texts[row] for row in rows.tolist()], np.full(len(rows), np.nan))
        return self._likeness[key]

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


def _source_of(thing: Thing) -> int:
    if isinstance(thing, Passage):
        return Source[thing.kind.upper()]
    if isinstance(thing, LoreEntry) and thing.enabled:
        return Source.LOREBOOK
    return Source.CHRONICLE if isinstance(thing, Memory) else NO_SOURCE


@dataclass(frozen=True, eq=False)
class Candidates:
    """Read-only columns, one row a candidate, in prompt order (by `Kind`, then as in the file).

    `tokens` is the cost of the whole item (recorded, or counted), `exact` whether that is a real count; `recorded`
    marks counts that the file gave. `priority` and `type_priority` lie in 0–100, `similarity` in 0–1, `time` is in
    seconds since 1970; NaN stands for what is not known. `similarity_origin` is the `Origin` of each similarity, and
    `measure` says how texts are compared with the query. `activations` say what became of each row of lore. `active` is
    False for lore not spoken of and components switched off; components that a policy may not leave out are `required`.
    `replacement_tokens` (messages only) and `line_tokens` (all but messages) are the costs of its
    other forms; `frame_tokens` is what the chat template adds to a message. A changed column makes a new value.
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
    required: Bool
    similarity: F64
    similarity_origin: U8
    priority: F64
    type_priority: F64
    confidence: F64
    marks: MessageMarks
    has_summary: Bool
    images: I32
    time: F64
    now: float
    query: str = ""
    measure: Measure = RECORDED_ONLY
    activations: tuple[Activation, ...] = ()

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

    @cached_property
    def caller_tokens(self) -> I32:
        """What each message that calls tools costs without its calls: what is recorded, else the count of its content.

        One number for each of `items.callers`.
        """
        callers = self.items.callers
        counted, _ = self.counts.lookup(self.items.caller_contents)
        return frozen(np.where(self.recorded[callers], self.tokens[callers], counted))

    def replacement_tokens(self, rows: Rows) -> I32:
        """Tokens of the replacement texts of these message rows."""
        return self.replacement_counts[0][rows - self.items.first_message]

    def replacement(self, row: int) -> str:
        """The text that stands in the place of a summarized message."""
        return self.items.replacements[row - self.items.first_message]

    def cut_tokens(self, rows: Rows, limit: int) -> I32:
        """Tokens of the texts that are left when these rows are cut to their first `limit` tokens."""
        return self.form_tokens(rows, ("first tokens", limit), lambda row: self.beginning(row, limit))

    def form_tokens(self, rows: Rows, form: Hashable, text_of: Callable[[int], str]) -> I32:
        """Tokens of the texts that stand for these rows in some form, which `form` names.

        Each row is looked at once for a form and remembered, so the name has to say all that the text depends on.
        """
        tokenizer, known = self.counts.tokenizer, self.items._forms
        keys = [(tokenizer.name, form, row) for row in rows.tolist()]
        unknown = [key for key in keys if key not in known]
        if unknown:
            counted = tokenizer.count([text_of(row) for _, _, row in unknown]).tolist()
            known.update(zip(unknown, counted, strict=True))
        return np.fromiter((known[key] for key in keys), np.int32, len(keys))

    def rows_named(self, names: Iterable[str]) -> Rows:
        """The rows of these ids, in any form that is understood; unknown ids are passed over."""
        found = self.items.rows_by_name
        return np.array(sorted({row for name in names for row in found.get(name, ())}), dtype=np.intp)

    def in_scope(
        self, pinned: Rows, excluded: Rows, at: int | None, now: float | None, lore: LoreTerms = PLAIN_TERMS
    ) -> "Candidates":
        """The same candidates with more rows pinned or excluded, replayed at turn `at`, on the clock `now`.

        With `at`, messages after the first `at` do not exist yet, nor do the passages that repeat them (a draft always
        exists). Without a `now` in seconds, it is the newest time of what exists, NaN where none is known. Lore is
        activated by what exists, on the terms of `lore`.
        """
        pins, state, active = self.pinned.copy(), self.state.copy(), self.active.copy()
        if at is not None:
            stored = self.rows(Kind.MESSAGE)[: -1 if self.items.has_draft else None]
            state[stored[max(at, 0) :]] = State.NOT_YET
        state[excluded[state[excluded] == State.OPEN]] = State.EXCLUDED
        passages, messages = self.items.passage_messages
        state[passages[state[messages] == State.NOT_YET]] = State.NOT_YET
        pins[pinned] = True
        pins[state != State.OPEN] = False
        scoped = replace(self, pinned=frozen(pins), state=frozen(state))
        rows = self.rows(Kind.LORE)
        activations = activate_lore(self.items, lore, scoped.existing_messages, self.tokens[rows])
        active[rows] = [activation.active for activation in activations]
        times = self.time[scoped.existing_messages]
        newest = float(np.nanmax(times)) if np.isfinite(times).any() else float("nan")
        return replace(scoped, active=frozen(active), activations=activations, now=newest if now is None else now)

    @cached_property
    def home_section(self) -> U8:
        """The section that each candidate is listed under where a policy names no other."""
        homes = np.array([HOME_SECTION[kind] for kind in Kind], dtype=np.uint8)
        return frozen(homes[self.kind])

    @cached_property
    def open_user_turns(self) -> Bool:
        """Which of the messages that take part a user wrote, in their order."""
        return frozen(self.role[self.existing_messages] == ROLE_NUMBER["user"])

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

    @cached_property
    def current_message(self) -> Rows:
        """The row of the last message that takes part, if it is a user's: what the model is to answer; else none."""
        newest = self.existing_messages[-1:]
        return newest[self.role[newest] == ROLE_NUMBER["user"]]

    @cached_property
    def message_likeness(self) -> Likeness:
        """How like the query each message before the current one is, and where that comes from; NaN without a query.

        Columns of the candidates' length, NaN for everything else. A policy that asks for it says `needs_likeness`.
        It is made when first asked for, and stays until the query or what takes part changes.
        """
        earlier = self.existing_messages[: len(self.existing_messages) - len(self.current_message)]
        found = self.items.likeness(earlier).to_query(self.query, self.measure)
        similarity, origins = np.full(len(self), np.nan), np.zeros(len(self), np.uint8)
        similarity[earlier], origins[earlier] = found.values, found.origins
        return Likeness(frozen(similarity), frozen(origins))
