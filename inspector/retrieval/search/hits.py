"""The table of what a search finds: a row for each place, or for a title without places."""

from dataclasses import dataclass
from typing import Any

from inspector.model import Conversation, Lorebook, MemorySet
from inspector.retrieval.search.find import LEADS, Found, Group, Place, time_of
from inspector.tables import Column, Face, Table, Value

SEARCH_FORMAT = "prompt-inspector/search@1"
_KINDS = {Conversation: "conversation", MemorySet: "memory_set", Lorebook: "lorebook"}


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in its group; None where only the title of the group has the words."""

    group: Group
    place: Place | None
    is_first: bool
    """Whether it is the first one of its group."""


Hits = tuple[Hit, ...]


def hits_of(found: Found) -> Hits:
    """The places of all groups in their order."""
    return tuple(
        Hit(group, place, number == 0) for group in found.groups for number, place in enumerate(group.places or (None,))
    )


def _group_title(hits: Hits, row: int) -> str:
    holder = hits[row].group.holder
    return f"{LEADS[type(holder)]}{holder.title or holder.id}" if hits[row].is_first else ""


def _id(hits: Hits, row: int) -> Value:
    place = hits[row].place
    return None if place is None else place.thing.id


def _time(hits: Hits, row: int) -> Value:
    place = hits[row].place
    time = None if place is None else time_of(place.thing)
    return None if time is None else time.isoformat()


def _day(hits: Hits, row: int) -> str:
    return str(_time(hits, row) or "")[: len("2026-01-01")]


def _excerpt(hits: Hits, row: int) -> Value:
    place = hits[row].place
    return None if place is None else place.excerpt.text


HIT_COLUMNS: tuple[Column[Hits], ...] = (
    Column(
        "kind",
        "Kind",
        "The chat, memory set or lorebook of the hit",
        lambda hits, row: _KINDS[type(hits[row].group.holder)],
        faces=Face.FILES,
    ),
    Column(
        "in",
        "Id",
        "The id of the chat, memory set or lorebook",
        lambda hits, row: hits[row].group.holder.id,
        faces=Face.FILES,
    ),
    Column(
        "title",
        "In",
        "The conversation, memory set or lorebook that it is in",
        lambda hits, row: hits[row].group.holder.title,
        words=_group_title,
        tone=lambda _, __: "accent",
        stretches=True,
        least=20,
    ),
    Column(
        "origin", "File", "The file that it is from", lambda hits, row: hits[row].group.holder.origin, faces=Face.FILES
    ),
    Column("id", "Item", "The id of the message, memory or entry", _id),
    Column("time", "When", "The day on which it was written", _time, words=_day, yields=1),
    Column("excerpt", "Text", "Its text around the words", _excerpt, stretches=True, least=40),
)
HITS: Table[Hits] = Table(HIT_COLUMNS, lambda hits: range(len(hits)))


def found_value(query: str, found: Found) -> dict[str, Any]:
    """The result of a search as JSON: groups with their places, each with an excerpt and the marks in it."""
    return {
        "format": SEARCH_FORMAT,
        "query": query,
        "total": found.total,
        "groups": [_group_value(group) for group in found.groups],
    }


def _group_value(group: Group) -> dict[str, Any]:
    kind = _KINDS[type(group.holder)]
    title = {kind: group.holder.id, "title": group.holder.title, "origin": group.holder.origin}
    return {**title, "places": [_place_value(place) for place in group.places]}


def _place_value(place: Place) -> dict[str, Any]:
    time, excerpt = time_of(place.thing), place.excerpt
    return {
        "id": place.thing.id,
        "time": time.isoformat() if time else None,
        "excerpt": excerpt.text,
        "marks": [[start, end] for start, end in excerpt.marks],
    }
