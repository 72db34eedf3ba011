"""Collecting candidates: from the chosen parts of a workspace to texts, and from texts to columns."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, NO_ROLE, ROLE_NUMBER, Bool, Kind, State, frozen
from inspector.assembly.items import ItemTexts, Thing
from inspector.assembly.media_costs import media_costs
from inspector.assembly.message_marks import message_marks
from inspector.derived import cached_property
from inspector.model import (
    MOST_TOKENS,
    Attachment,
    Call,
    Character,
    Component,
    Conversation,
    Document,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    Passage,
    PastSummary,
    Profile,
    SkippedFile,
    Tool,
    changed,
)
from inspector.retrieval.similarity import Origin
from inspector.steps import column, gathered, rows_alike
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.counting import TokenCounts, each_once
from inspector.tokens.media.media import Media

TYPE_PRIORITY = {"core": 100, "explicit": 90, "fact": 80, "project": 75, "experience": 70}
OTHER_TYPE_PRIORITY = 50
GREETING = "greeting"
"""The id of the character's greeting."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of a workspace that take part in one scenario, in prompt order."""

    character: Character | None
    memory_sets: tuple[MemorySet, ...]
    lore: tuple[LoreEntry, ...]
    passages: tuple[Passage, ...]
    summaries: tuple[PastSummary, ...]
    documents: tuple[Document, ...]
    attachments: tuple[Attachment, ...]
    skipped: tuple[SkippedFile, ...]
    messages: tuple[Message, ...]
    draft: Message | None
    tools: tuple[Tool, ...]
    conversation: Conversation | None = None


def collect_items(parts: Parts, prefers_directive: bool = False, greets: bool = False) -> ItemTexts:
    """Return the ids and texts of everything that could enter the prompt, in prompt order, placeholders replaced.

    A character speaks by its system prompt, or by its directive if it has no system prompt or the directive is
    preferred. Its greeting takes part only if the policy `greets`.
    """
    entries = [*_entries_before_messages(parts, prefers_directive), *(_greeting(parts) if greets else ())]
    first_message = len(entries)
    messages = parts.messages + ((parts.draft,) if parts.draft else ())
    things = tuple(entry[0] for entry in entries) + messages  # the same tuple if there are no entries
    plain = gathered(chain((entry[1] for entry in entries), (message.id for message in messages)))
    lists = gathered(chain((entry[2] for entry in entries), ("messages" for _ in messages)))
    texts = gathered(chain((entry[3] for entry in entries), map(message_text, messages)))
    names = _unique_names(plain, lists)
    has_draft = parts.draft is not None
    places = _insertion_order(parts.lore)
    return ItemTexts(
        *(things, names, plain, lists, texts, first_message, has_draft, parts.skipped, places),
        conversation=parts.conversation,
        character=parts.character,
    )


def _entries_before_messages(parts: Parts, prefers_directive: bool) -> Iterable[tuple[Thing, str, str, str]]:
    """Yield the thing, plain id, name of its list, and text, of everything but the messages."""
    fill_in = _placeholders(parts.character)
    character = parts.character
    if character is not None:
        speaker = with_spoken_text(character, prefers_directive)
        if speaker.system_prompt or not character.components:
            yield speaker, character.id or "system", "characters", fill_in(speaker.system_prompt)
        for component in character.components:
            yield component, component.id, "components", fill_in(component.content)
        if character.profile is not None and (text := profile_text(character.profile)):
            yield character.profile, "profile", "profiles", text
    for memories in parts.memory_sets:
        where = "memories" if len(parts.memory_sets) == 1 else memories.id
        for memory in memories.memories:
            yield memory, memory.id, where, fill_in(memory.content)
    for entry in (parts.lore[place] for place in _insertion_order(parts.lore)):
        yield entry, entry.id, "lorebooks", fill_in(entry.content)
    for passage in parts.passages:
        yield passage, passage.id, "passages", passage.content
    for summary in parts.summaries:
        yield summary, summary.id, "summaries", summary.summary
    for document in parts.documents:
        yield document, document.id, "documents", document.content
    for attachment in parts.attachments:
        yield attachment, attachment.path, "attachments", attachment.content


def _greeting(parts: Parts) -> Iterable[tuple[Thing, str, str, str]]:
    """Yield the character's opening line, before any message."""
    if parts.character is not None and parts.character.greeting:
        text = _placeholders(parts.character)(parts.character.greeting)
        yield Message(GREETING, "assistant", text), GREETING, "greetings", text


def _insertion_order(lore: Sequence[LoreEntry]) -> tuple[int, ...]:
    return tuple(sorted(range(len(lore)), key=lambda place: lore[place].order))


def with_spoken_text(character: Character, prefers_directive: bool) -> Character:
    """Return the character with its effective instructions as system prompt; a recorded count is only for its own."""
    if character.directive and (prefers_directive or not character.system_prompt):
        return changed(character, system_prompt=character.directive, system_tokens=None)
    return character


def _unique_names(plain: Sequence[str], lists: Sequence[str]) -> tuple[str, ...]:
    """Return ids for answers: the plain id, `list/id` where two items share it, numbered where even this is shared."""
    alike: list[int] = rows_alike(plain).tolist()
    if not alike:
        return tuple(plain)
    shared = {name for name, times in Counter(plain[row] for row in alike).items() if times > 1}
    names: list[str] = []
    seen: Counter[str] = Counter()
    for name, where in zip(plain, lists, strict=True):
        full = f"{where}/{name}" if name in shared else name
        seen[full] += 1
        names.append(full if seen[full] == 1 else f"{full}#{seen[full]}")
    return tuple(names)


def message_text(message: Message) -> str:
    """Return the content of a message, then one line for each tool call: its name and arguments as JSON."""
    if not message.tool_calls:
        return message.content
    calls = map(call_text, message.tool_calls)
    return "\n".join([message.content, *calls] if message.content else calls)


def call_text(call: Call) -> str:
    """Return a call as JSON with its arguments embedded as JSON, since models misread JSON inside of a JSON string."""
    try:
        return json.dumps({"name": call.name, "arguments": json.loads(call.arguments)}, ensure_ascii=False)
    except (ValueError, RecursionError):
        return json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False)


def profile_text(profile: Profile) -> str:
    """Return a profile as lines for the prompt, without empty ones."""
    lines = {
        "Name": profile.name,
        "Preferences": ", ".join(profile.preferences),
        "Goals": ", ".join(profile.goals),
        "Facts": ", ".join(profile.facts),
    }
    return "\n".join(f"{name}: {text}" for name, text in lines.items() if text)


def _placeholders(character: Character | None) -> Callable[[str], str]:
    """Return a function to replace {{char}}, {{user}}, <BOT> and <USER>; those of an unnamed character stay."""
    profile = character.profile if character else None
    names = {"user": profile.name if profile and profile.name else "User"}
    if character and character.name:
        names["char"] = names["bot"] = character.name
    pattern = re.compile(r"\{\{(char|user)\}\}|<(BOT|USER)>", re.IGNORECASE)

    def fill_in(text: str) -> str:
        if "{{" not in text and "<" not in text:
            return text
        return pattern.sub(lambda found: names.get((found[1] or found[2]).lower(), found[0]), text)

    return fill_in


def build_candidates(items: ItemTexts, counts: TokenCounts) -> Candidates:
    """Return the columns of these items, without prices yet, and with the marks of messages in the file."""
    kinds = np.array([_kind_of(thing) for thing in items.things[: items.first_message]], np.uint8)
    are_on = np.array([_is_on(thing) for thing in items.things[: items.first_message]], np.bool_)
    size, messages = len(items.things), items.things[items.first_message :]
    kind = np.concatenate([kinds, np.full(len(messages), Kind.MESSAGE, np.uint8)])
    columns = _Columns(items.things, items.first_message)
    role = np.full(size, NO_ROLE, np.uint8)
    role[items.first_message :] = column(messages, np.uint8, _role_numbers)
    state = np.where(columns.flags("excluded"), State.EXCLUDED, State.OPEN).astype(np.uint8)
    nothing = np.zeros(size, np.int32)
    similarity = columns.numbers("similarity", "score")
    return Candidates(
        items=items,
        counts=counts,
        kind=frozen(kind),
        role=frozen(role),
        tokens=nothing,
        exact=nothing.astype(np.bool_),
        recorded=nothing.astype(np.bool_),
        frame_tokens=nothing,
        line_tokens=nothing[: items.first_message],
        state=frozen(state),
        pinned=frozen(columns.flags("pinned")),
        active=frozen(np.concatenate([are_on, np.ones(len(messages), np.bool_)])),
        required=frozen(columns.flags("required")),
        similarity=frozen(similarity),
        similarity_origin=frozen(np.where(np.isnan(similarity), Origin.NOWHERE, Origin.RECORDED).astype(np.uint8)),
        priority=frozen(columns.numbers("priority")),
        type_priority=frozen(columns.type_priorities()),
        confidence=frozen(columns.numbers("confidence")),
        marks=message_marks(items.things, items.first_message, None),
        has_summary=frozen(columns.flags("summary")),
        images=frozen(columns.images()),
        time=frozen(columns.seconds()),
        now=float("nan"),
    )


def price(candidates: Candidates, chat_format: ChatFormat, media: Media, is_own: bool) -> Candidates:
    """Return the same candidates with the counts known so far as their costs; the others are estimated.

    `media` are the rules of the model for media, `is_own` says whether texts are counted by its own vocabulary.
    """
    items, counts = candidates.items, candidates.counts
    tokens, exact = counts.at(items.places("texts", counts))
    lines, _ = counts.at(items.places("lines", counts))
    recorded = items.recorded_tokens
    given = recorded >= 0
    held = items.derived("media", (media, counts.tokenizer.name), lambda: media_costs(items, media, counts.tokenizer))
    tokens = tokens.astype(np.int64)
    tokens[held.rows] += held.tokens
    tokens = np.where(given, recorded, np.minimum(tokens, MOST_TOKENS)).astype(np.int32)
    frames = _frame_tokens(items, counts, chat_format)
    return replace(
        candidates,
        tokens=frozen(tokens),
        exact=frozen(exact | given),
        recorded=frozen(given),
        frame_tokens=frozen(frames),
        line_tokens=frozen(lines),
        media=held,
        is_own=is_own,
    )


def texts_to_count(items: ItemTexts, counts: TokenCounts, *, replacements: bool, contents: bool) -> I32:
    """Return the places in the counts of every text that an assembly may need, each once, in order of first occurrence.

    `replacements` adds those of summarized messages, `contents` those of messages without their tool calls.
    """
    more = (("replacements",) if replacements else ()) + (("caller_contents",) if contents else ())
    return each_once(np.concatenate([items.places(name, counts) for name in ("texts", "lines", "thoughts", *more)]))


def _frame_tokens(items: ItemTexts, counts: TokenCounts, chat_format: ChatFormat) -> I32:
    frames, added = np.zeros(len(items.things), np.int32), frames_of(chat_format, counts.tokenizer)
    speakers, speaker_of = items.speakers
    frames[items.first_message :] = np.array([added.frame(*speaker) for speaker in speakers], np.int32)[speaker_of]
    return frames


def _role_numbers(messages: Sequence[Any]) -> Iterable[int]:
    return (ROLE_NUMBER[message.role] for message in messages)


def _kind_of(thing: Thing) -> Kind:
    return _KINDS[type(thing)]


_KINDS: dict[type, Kind] = {
    Character: Kind.SYSTEM,
    Component: Kind.COMPONENT,
    Profile: Kind.PROFILE,
    Memory: Kind.MEMORY,
    LoreEntry: Kind.LORE,
    Passage: Kind.PASSAGE,
    PastSummary: Kind.SUMMARY,
    Document: Kind.DOCUMENT,
    Attachment: Kind.ATTACHMENT,
    Message: Kind.GREETING,
}


def _is_on(thing: Thing) -> bool:
    if not isinstance(thing, Component):
        return True
    met = thing.required if thing.condition == "error" else bool(thing.condition)
    return met and bool(thing.content.strip())


class _Columns:
    """Attributes of many things as columns; a thing without the attribute has NaN or False."""

    def __init__(self, things: Sequence[Thing], first_message: int) -> None:
        self._things = things
        self._before_messages = things[:first_message]

    @cached_property
    def _no_numbers(self) -> F64:
        """The shared column for all attributes that no thing has."""
        return np.full(len(self._things), np.nan)

    def numbers(self, *names: str) -> F64:
        """Return the first of these attributes that is a number; messages have none of them."""
        if not self._before_messages:
            return self._no_numbers
        values = np.full(len(self._things), np.nan)
        for row, thing in enumerate(self._before_messages):
            values[row] = next((value for name in names if _is_number(value := getattr(thing, name, None))), np.nan)
        return values

    def type_priorities(self) -> F64:
        """Return the value of the type of each memory, 0–100."""
        if not self._before_messages:
            return self._no_numbers
        values = np.full(len(self._things), np.nan)
        for row, thing in enumerate(self._before_messages):
            if isinstance(thing, Memory):
                values[row] = TYPE_PRIORITY.get(thing.type, OTHER_TYPE_PRIORITY)
        return values

    def images(self) -> I32:
        """Return the number of pictures of each thing."""
        return self._column("images", 0, np.int32, lambda images: images)

    def seconds(self) -> F64:
        """Return the time of each thing in seconds since 1970, NaN for none."""
        seconds = lambda times: (np.nan if time is None else time.timestamp() for time in times)  # noqa: E731
        found = self._column("time", None, np.float64, seconds)
        return self._no_numbers if np.isnan(found).all() else found

    def flags(self, name: str) -> Bool:
        """Return whether the attribute is set and not empty."""
        return self._column(name, False, np.bool_, lambda values: map(bool, values))

    def _column(
        self, name: str, otherwise: object, kind: DTypeLike, numbers: Callable[[Iterable[Any]], Iterable[Any]]
    ) -> NDArray[Any]:
        """Return numbers for an attribute. Either all or none of the messages, up to a million, have it."""
        before = numbers([getattr(thing, name, otherwise) for thing in self._before_messages])
        messages, get = self._things[len(self._before_messages) :], attrgetter(name)
        if hasattr(Message, name):
            of_messages = column(messages, kind, lambda step: numbers(map(get, step)))
        else:
            of_messages = np.full(len(messages), next(iter(numbers([otherwise]))), kind)
        return np.concatenate([np.fromiter(before, kind), of_messages])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
