"""Coding agents' records of their own context: the messages a summary replaces, and those still sent."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from inspector.model import Message

SUMMARY_MARK = "compact_summary"
"""The metadata key of a message that summarizes all messages before it."""

CUT_OFF = "cut off"
"""The recorded reason of messages that a program cut off without a summary, to make room."""


Kept = Mapping[str, Collection[str]]
"""The ids of the messages that were sent again beside each summary, by the id of the summary."""


def recorded_actions(path: Iterable[Message], kept: Kept = MappingProxyType({})) -> dict[str, dict[str, Any]]:
    """Return the application's action on each message of a path, by id, as metadata; none if it never summarized."""
    found: dict[str, dict[str, Any]] = {}
    open_ids: list[str] = []
    has_summary = False
    for message in path:
        if message.metadata.get(SUMMARY_MARK):
            has_summary = True
            again = kept.get(message.id, ())
            found.update((id_, _summarized(message.id)) for id_ in open_ids if id_ not in again)
            open_ids = [id_ for id_ in open_ids if id_ in again]
        if "recorded" not in message.metadata:
            open_ids.append(message.id)
    return {**found, **{id_: {"recorded": {"action": "kept"}} for id_ in open_ids}} if has_summary else {}


def _summarized(by: str) -> dict[str, Any]:
    return {"recorded": {"action": "summarized", "by": by}}
