"""The rows of the sources: what the prompt draws from, and what is open beside that. Values without Qt."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.choices import ChosenParts
from inspector.assembly.columns import Kind, Rows, State, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.reasons import FILTERED
from inspector.figures import UNREAD, counted
from inspector.gui.parts.texts import told_apart
from inspector.gui.screens.sources.nodes import Node, NodeKind
from inspector.model import Workspace
from inspector.model.workspace import goes_with
from inspector.secrets import masked

MOST_UNUSED = 4
"""The most sources that are open and not used here; all others are in the list of all files."""
_LISTS = (
    (Kind.PASSAGE, "passages", "file-text", "passage"),
    (Kind.SUMMARY, "summaries", "history", "past summary"),
    (Kind.DOCUMENT, "documents", "file-text", "document"),
    (Kind.ATTACHMENT, "attachments", "paperclip", "attachment"),
)
_PLURALS = {"past summary": "Past summaries"}


@dataclass(frozen=True, eq=False)
class Source:
    """A row: its name as shown, an icon, and what it stands for.

    `title` is the whole name. `thing` is its id, and `origin` its file. `said` is the text at the right where it does
    not depend on the answer, `rows` are its candidates. `is_used` is None where it can be neither taken out nor in.
    """

    kind: NodeKind
    name: str
    icon: str
    tip: str = ""
    thing: str = ""
    origin: str = ""
    said: str = ""
    kinds: str = ""
    """The words of the filter that list its items; "" where there are none, or they have a page."""
    is_used: bool | None = None
    rows: Rows | None = None
    title: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for two rows that look the same but for their figures."""
        return self.kind, self.thing, self.name, self.said, self.is_used, self.icon

    @property
    def node(self) -> Node:
        """The line of this source among all files, for the actions on it."""
        return Node(self.kind, self.title, thing=self.thing, name=self.title)


def sources_of(workspace: Workspace, chosen: ChosenParts | None, assembly: Assembly | None) -> list[Source]:
    """Return the sources: the chat, and all that goes into its prompt or could be taken in.

    Documents and the like for which the policy has no place are left out.
    """
    if chosen is None:
        return []
    candidates = None if assembly is None else assembly.candidates
    found = [
        *_chat(workspace, chosen),
        *_characters(workspace, chosen, candidates),
        *_memory_sets(workspace, chosen, candidates),
        *_lorebooks(workspace, chosen, candidates),
        *_lists(chosen, assembly),
        *_tools(chosen),
    ]
    if workspace.probes:
        tip = "What the conversation is asked to see what a setting keeps"
        found.append(Source("thing", "Questions", "circle-help", tip, said=f"{len(workspace.probes):,}"))
    return _told_apart(found)


def hidden_count(workspace: Workspace, chosen: ChosenParts | None) -> int:
    """Return how many sources are open that have no row here, beside the chats."""
    if chosen is None:
        return 0
    sets = len(workspace.memory_sets) - len(chosen.parts.memory_sets)
    characters = len(workspace.characters) - (chosen.parts.character is not None)
    return max(0, sets - MOST_UNUSED) + max(0, characters - MOST_UNUSED)


def detail_of(source: Source, assembly: Assembly | None) -> str:
    """Return the text at the right of a source for an answer, such as `46 of 91`."""
    if source.said or source.rows is None or assembly is None:
        return source.said
    kept = assembly.in_prompt[source.rows]
    if source.kind == "character":
        tokens = int(assembly.candidates.tokens[source.rows][kept].sum())
        is_exact = bool(assembly.candidates.exact[source.rows].all())
        return counted(tokens, "token", estimated=not is_exact)
    return f"{np.count_nonzero(kept):,} of {len(source.rows):,}"


def _chat(workspace: Workspace, chosen: ChosenParts) -> Iterator[Source]:
    chat = chosen.conversation
    if chat is None:
        return
    chats, messages = len(workspace.conversations), counted(len(chosen.parts.messages), "message")
    title = chat.title or chat.id
    said = messages if chats == 1 else f"1 of {chats:,} chats"
    tip = "\n".join(filter(None, (title, messages if chat.is_read else UNREAD, chat.source, chat.model)))
    yield Source("conversation", title, "message-square", f"{tip}\nA click lists all chats", chat.id, chat.origin, said)


def _characters(workspace: Workspace, chosen: ChosenParts, candidates: Candidates | None) -> Iterator[Source]:
    own = chosen.parts.character
    if own is not None:
        kinds = (Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)
        rows = None if candidates is None else np.concatenate([candidates.rows(kind) for kind in kinds])
        of_character = "kind:system,component,profile"
        yield Source(
            *("character", own.name or own.id, "user", own.name, own.id, own.origin), kinds=of_character, rows=rows
        )
    others = [one for one in workspace.characters if own is None or one.id != own.id]
    for other in others[:MOST_UNUSED]:
        tip = f"{other.name or other.id}\nNot used here; a tick takes it in place of the other character"
        yield Source("character", other.name or other.id, "user", tip, other.id, other.origin, is_used=False)


def _memory_sets(workspace: Workspace, chosen: ChosenParts, candidates: Candidates | None) -> Iterator[Source]:
    used = chosen.parts.memory_sets
    parts = _parted(candidates, Kind.MEMORY, [len(one.memories) for one in used])
    for one, rows in zip(used, parts, strict=True):
        title = one.title or one.id
        yield Source("memory_set", title, "brain", title, one.id, one.origin, is_used=True, rows=rows)
    names = {one.id for one in used}
    others = [one for one in workspace.memory_sets if one.id not in names]
    for one in others[:MOST_UNUSED]:
        title, said = one.title or one.id, f"{len(one.memories):,}"
        tip = f"{title}\n{counted(len(one.memories), 'memory', plural='memories')}, not used here"
        yield Source("memory_set", title, "brain", tip, one.id, one.origin, said, is_used=False)


def _lorebooks(workspace: Workspace, chosen: ChosenParts, candidates: Candidates | None) -> Iterator[Source]:
    used = [book for book in workspace.lorebooks if goes_with(workspace, chosen.conversation)(book)]
    number = np.repeat(np.arange(len(used)), [len(book.entries) for book in used])
    places = None if candidates is None else np.array(candidates.items.lore_places, np.intp)
    for at, book in enumerate(used):
        rows = None
        if candidates is not None and places is not None and len(places) == len(number):
            rows = candidates.rows(Kind.LORE)[number[places] == at]
        title = book.title or book.id
        yield Source(
            *("lorebook", title, "book-open", title, book.id, book.origin), is_used=_used(candidates, rows), rows=rows
        )


def _lists(chosen: ChosenParts, assembly: Assembly | None) -> Iterator[Source]:
    for kind, name, icon, noun in _LISTS:
        things = getattr(chosen.parts, name)
        rows = None if assembly is None else assembly.candidates.rows(kind)
        if not things or has_no_place(assembly, kind):
            continue
        title = things[0].title if len(things) == 1 and getattr(things[0], "title", "") else ""
        plural = _PLURALS.get(noun, f"{noun.capitalize()}s")
        yield Source(
            *("thing", title or plural, icon, plural, "", things[0].origin),
            kinds=f"kind:{word(kind)}",
            is_used=_used(None if assembly is None else assembly.candidates, rows),
            rows=rows,
        )


def has_no_place(assembly: Assembly | None, kind: Kind) -> bool:
    """Return whether a policy has no place for any item of a kind."""
    if assembly is None or FILTERED not in assembly.reasons or not len(rows := assembly.candidates.rows(kind)):
        return False
    return bool((assembly.reason[rows] == assembly.reasons.index(FILTERED)).all())


def placed_kinds(assembly: Assembly | None) -> tuple[Kind, ...]:
    """Return the kinds of documents and the like for which a policy has a place."""
    return tuple(kind for kind, *_ in _LISTS if not has_no_place(assembly, kind))


def _tools(chosen: ChosenParts) -> Iterator[Source]:
    if tools := chosen.parts.tools:
        yield Source("thing", "Tools", "wrench", origin=tools[0].origin, said=f"{len(tools):,}")


def _parted(candidates: Candidates | None, kind: Kind, lengths: Sequence[int]) -> list[Rows | None]:
    """Return the rows of each of several sources of a kind, in order; None where they are not known."""
    if candidates is None or not lengths or len(candidates.rows(kind)) != sum(lengths):
        return [None] * len(lengths)
    return list(np.split(candidates.rows(kind), np.cumsum(lengths)[:-1]))


def _used(candidates: Candidates | None, rows: Rows | None) -> bool | None:
    """Return whether any of these rows may take part; None if they are not known."""
    if candidates is None or rows is None or not len(rows):
        return None
    return bool((candidates.state[rows] != int(State.EXCLUDED)).any())


def _told_apart(found: Iterable[Source]) -> list[Source]:
    """Return the sources with names that show how they differ, without secrets."""
    listed = list(found)
    names = told_apart([masked(one.name) for one in listed])
    return [
        replace(one, name=name, title=one.name, tip=one.tip or one.name)
        for one, name in zip(listed, names, strict=True)
    ]
