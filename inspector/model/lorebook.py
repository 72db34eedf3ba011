"""Lorebooks: entries that enter the prompt when a text mentions one of their keys."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from inspector.model.record import Owners, nothing


class LoreEntry(Struct, frozen=True, gc=False):
    """An entry. A lower `order` comes first; `position` is a word such as before_char or at_depth.

    `activation` keeps the activation settings of the source under SillyTavern's names (selectiveLogic, probability, …).
    """

    id: str
    content: str
    title: str = ""
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    constant: bool = False
    enabled: bool = True
    order: float = 100
    position: str = ""
    score: float | None = None
    tokens: int | None = None
    activation: Mapping[str, Any] = field(default_factory=nothing)


class Lorebook(Struct, frozen=True):
    """A named list of entries, in file order. `conversations` are its owners (`belonging`)."""

    id: str
    entries: tuple[LoreEntry, ...]
    title: str = ""
    conversations: Owners = None
    origin: str = ""
