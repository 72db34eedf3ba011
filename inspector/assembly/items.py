"""Items: everything that could enter the prompt, and its texts. Never touched while a slider moves."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np

from inspector.assembly.columns import I32, I64, NO_SOURCE, U8, Bool, Rows, Source, frozen
from inspector.assembly.replacements import ComputedSummaries, Replacements, replacements_of
from inspector.derived import Deriving, cached_property
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
    Text,
    Thought,
)
from inspector.model import Profile as PersonProfile
from inspector.steps import column
from inspector.tokens.counting import TokenCounts

MOST_FORMS = 64
"""The number of forms remembered for the items of a workspace; each step of a slider of lengths is a new form."""
_UNKNOWN = -1


class FormCounts:
    """The tokens of rows in a form, over the span of the rows requested so far. It grows; known counts stay."""

    def __init__(self) -> None:
        self._span: tuple[int, I32] = (0, np.empty(0, np.int32))  # one value: other threads read it while it grows

    def of(self, rows: Rows, count: Callable[[Rows], I32]) -> I32:
        """Return the tokens of these rows, calling `count` for unknown ones."""
        if not len(rows):
            return np.empty(0, np.int32)
        start, known = self._covering(int(rows.min()), int(rows.max()) + 1)
        found = known[rows - start]
        unknown = np.flatnonzero(found == _UNKNOWN)
        if len(unknown):
            found[unknown] = known[rows[unknown] - start] = count(rows[unknown])
        return found

    def _covering(self, first: int, end: int) -> tuple[int, I32]:
        """Return the first row of a span around these rows, and the counts known in it."""
        start, known = self._span
        if not len(known):
            start = first
        if first < start or end > start + len(known):
            begin, stop = min(first, start), max(end, start + len(known))
            wider = np.full(stop - begin, _UNKNOWN, np.int32)
            wider[start - begin : start - begin + len(known)] = known
            start, known = self._span = (begin, wider)
        return start, known


Thing = (
    Character | Component | PersonProfile | Memory | LoreEntry | Passage | PastSummary | Document | Attachment | Message
)


PREVIEW_CODE_POINTS = 100
LIST_MARK = "- "
_SPEAKER: Callable[[Any], tuple[str, str]] = attrgetter("role", "name")
_TOKENS: Callable[[Any], int | None] = attrgetter("tokens")
DRAFT = "draft"
"""The id of the message being written."""


@dataclass(frozen=True, eq=False)
class ItemTexts(Deriving):
    """The source objects of the candidates, and their texts: never touched while a slider moves.

    `names` are the ids as shown in answers; items can also be named by `plain_ids` and `lists`. `skipped` are files
    that could not be attached: no candidates, but a policy may name them in the prompt. Lore is in the order of its
    insertion; `lore_places` are its places in the file. The messages are of `conversation`, in which `character` takes
    part.
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
    forms: dict[tuple[str, Hashable], FormCounts] = field(default_factory=dict, init=False, repr=False)
    _derived: dict[str, dict[Hashable, Any]] = field(default_factory=dict, init=False, repr=False)

    def rows_called(self, names: Iterable[str]) -> Mapping[str, list[int]]:
        """Map each known name to its rows: an id as shown in answers, a plain id, or `list/id`."""
        wanted = frozenset(names)
        return self.derived("rows_called", wanted, lambda: self._rows_called(wanted)) if wanted else {}

    def _rows_called(self, wanted: frozenset[str]) -> dict[str, list[int]]:
        """Search all plain ids once; every form ends with them but for its `#2`. An index of all would be large."""
        endings = {ending for name in wanted for ending in _endings(name)}
        found: dict[str, list[int]] = {}
        for row in [row for row, plain in enumerate(self.plain_ids) if plain in endings]:
            name, plain = self.names[row], self.plain_ids[row]
            for form in wanted & {name, plain, f"{self.lists[row]}/{plain}"}:
                found.setdefault(form, []).append(row)
        return found

    @cached_property
    def standing(self) -> Replacements:
        """For each message the replacement of the selective strategy, `[Earlier: …]`, and its origin."""
        return replacements_of(self.things, self.texts, self.first_message, self.computed, PREVIEW_CODE_POINTS)

    @property
    def replacements(self) -> tuple[str, ...]:
        """The texts of the replacements."""
        return self.standing.texts

    def with_summaries(self, computed: ComputedSummaries) -> "ItemTexts":
        """Return the same items with computed summaries of their messages."""
        return replace(self, computed=computed)

    @cached_property
    def callers(self) -> Rows:
        """Rows of the messages with tool calls."""
        messages = enumerate(self.things[self.first_message :], self.first_message)
        return np.array([row for row, thing in messages if isinstance(thing, Message) and thing.tool_calls], np.intp)

    @cached_property
    def thinkers(self) -> Rows:
        """Rows of the messages of the model with thoughts that can be read."""
        messages = enumerate(self.things[self.first_message :], self.first_message)
        said = ((row, thing) for row, thing in messages if isinstance(thing, Message) and thing.parts)
        return np.array([row for row, thing in said if thing.thinking], np.intp)

    @cached_property
    def thoughts(self) -> tuple[str, ...]:
        """The texts of these thoughts."""
        return tuple(getattr(self.things[row], "thinking", "") for row in self.thinkers.tolist())

    @cached_property
    def of_several_texts(self) -> Rows:
        """Rows of the messages made of several texts, which chat formats join in different ways."""
        messages = enumerate(self.things[self.first_message :], self.first_message)
        held = ((row, thing.parts) for row, thing in messages if isinstance(thing, Message) and thing.parts)
        return np.array([row for row, parts in held if sum(isinstance(part, Text) for part in parts) > 1], np.intp)

    @cached_property
    def has_thoughts(self) -> bool:
        """Whether any message holds a thought of the model."""
        messages = (thing for thing in self.things[self.first_message :] if isinstance(thing, Message) and thing.parts)
        return any(isinstance(part, Thought) for message in messages for part in message.parts)

    @cached_property
    def contents(self) -> tuple[str, ...]:
        """The texts, without tool calls."""
        contents = list(self.texts)
        for row in self.callers.tolist():
            contents[row] = getattr(self.things[row], "content", "")
        return tuple(contents)

    @property
    def caller_contents(self) -> tuple[str, ...]:
        """The contents of the messages with tool calls, without the calls."""
        return tuple(self.contents[row] for row in self.callers.tolist())

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """For each candidate before the messages its text as a list line, as the memory block writes it."""
        return tuple(f"{LIST_MARK}{text}\n" for text in self.texts[: self.first_message])

    def places(self, name: str, counts: TokenCounts) -> I32:
        """Return the places in the counts of `texts`, `lines`, `replacements`, `thoughts` or `caller_contents`."""
        return self.derived(f"places of {name}", counts, lambda: counts.places(getattr(self, name)))

    @cached_property
    def recorded_tokens(self) -> I32:
        """The cost of each candidate recorded in the file, -1 for none."""
        before, messages = self.things[: self.first_message], self.things[self.first_message :]
        found: list[int | None] = [
            thing.system_tokens if isinstance(thing, Character) else getattr(thing, "tokens", None) for thing in before
        ]
        of_messages = column(messages, np.int32, lambda step: map(_recorded, map(_TOKENS, step)))
        return frozen(np.concatenate([np.array([*map(_recorded, found)], np.int32), of_messages]))

    @cached_property
    def speakers(self) -> tuple[tuple[tuple[str, str], ...], I32]:
        """The role and name of each speaker, once, and for each message the number of its speaker."""
        messages = self.things[self.first_message :]
        numbers: dict[tuple[str, str], int] = {}
        number = lambda speaker: numbers.setdefault(speaker, len(numbers))  # noqa: E731 - in this table
        spoken = column(messages, np.int32, lambda step: map(number, map(_SPEAKER, step)))
        return tuple(numbers), frozen(spoken)

    @cached_property
    def lengths(self) -> I64:
        """Code points of the text of each candidate before the messages."""
        return frozen(np.array([len(text) for text in self.texts[: self.first_message]], np.int64))

    @cached_property
    def margins(self) -> I64:
        """Code points of leading white space of each of these texts; the length of a blank text."""
        texts = self.texts[: self.first_message]
        return frozen(np.array([len(text) - len(text.lstrip()) for text in texts], np.int64))

    @cached_property
    def blank_messages(self) -> Bool:
        """For each message, from the first on, whether it is blank."""
        texts = self.texts[self.first_message :]
        return frozen(np.fromiter((not text or text.isspace() for text in texts), np.bool_, len(texts)))

    @cached_property
    def places_by_id(self) -> Rows:
        """The place of each candidate before the messages in the order of their ids."""
        ids = self.plain_ids[: self.first_message]
        places = np.empty(len(ids), np.intp)
        places[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        return frozen(places)

    @cached_property
    def sources(self) -> U8:
        """The source of each candidate as a retrieved chunk; `NO_SOURCE` for others, such as disabled lore."""
        found = np.full(len(self.things), Source.CHAT, np.uint8)
        found[: self.first_message] = [_source_of(thing) for thing in self.things[: self.first_message]]
        return frozen(found)

    @cached_property
    def passage_messages(self) -> tuple[Rows, Rows]:
        """Rows of the passages that repeat a message of this conversation, paired with the row of the message."""
        before = enumerate(self.things[: self.first_message])
        return self._with_messages([(row, (one.message_id,)) for row, one in before if isinstance(one, Passage)])

    @cached_property
    def parts_of_messages(self) -> tuple[Rows, Rows]:
        """The same, together with rows of the files quoted in a message."""
        before = enumerate(self.things[: self.first_message])
        parts = [(row, (one.message_id,)) for row, one in before if isinstance(one, Passage | Attachment)]
        return self._with_messages(parts)

    @cached_property
    def cited_messages(self) -> tuple[Rows, Rows]:
        """Rows of memories and summaries made from messages of this conversation, paired with the row of each."""
        before = enumerate(self.things[: self.first_message])
        made = [(row, one.source_messages) for row, one in before if isinstance(one, Memory | PastSummary)]
        return self._with_messages(made)

    def _with_messages(self, named: Sequence[tuple[int, tuple[str, ...]]]) -> tuple[Rows, Rows]:
        """Pair rows with the row of each existing message they name."""
        messages = self.plain_ids[self.first_message :] if any(names for _, names in named) else ()
        said = {name: row for row, name in enumerate(messages, self.first_message)}
        pairs = [(row, said[name]) for row, names in named for name in names if name in said]
        columns = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    @cached_property
    def tool_pairs(self) -> tuple[Rows, Rows]:
        """Rows of messages with a tool call, paired with the row of the message with its result."""
        messages: Any = enumerate(self.things[self.first_message :], self.first_message)
        taking_part = [(row, message) for row, message in messages if message.tool_calls or message.tool_call_id]
        callers: dict[str, int] = {}
        pairs: list[tuple[int, int]] = []
        for row, message in taking_part:
            callers.update((call.id, row) for call in message.tool_calls)
            if message.tool_call_id in callers:
                pairs.append((callers[message.tool_call_id], row))
        columns = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]


def _endings(name: str) -> Iterator[str]:
    """Yield the possible plain ids in a name: all of it, the part after a list, or the part before a number."""
    for whole in (name, name.rpartition("#")[0]):
        yield whole
        yield from (whole[place + 1 :] for place, letter in enumerate(whole) if letter == "/")


def _recorded(tokens: int | None) -> int:
    return -1 if tokens is None else tokens


def _source_of(thing: Thing) -> int:
    if isinstance(thing, Passage):
        return Source[thing.kind.upper()]
    if isinstance(thing, LoreEntry) and thing.enabled:
        return Source.LOREBOOK
    return Source.CHRONICLE if isinstance(thing, Memory) else NO_SOURCE
