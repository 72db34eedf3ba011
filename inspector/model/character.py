"""Characters: the assistant's identity, and its knowledge about the user."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from inspector.model.record import Owners, nothing


class Component(Struct, frozen=True, gc=False):
    """A piece of a system message. A lower `priority` comes first; `condition` False switches it off."""

    id: str
    type: str
    content: str
    priority: float
    required: bool = False
    tokens: int | None = None
    condition: bool | Literal["error"] = True


class Profile(Struct, frozen=True):
    """The facts known about the author of the user messages."""

    name: str = ""
    preferences: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


class Character(Struct, frozen=True):
    """A character or assistant. `system_tokens` overrides the measured count of the system prompt.

    `preferred_llm` holds the keys `model`, `context_window` and `budget_ratios` if the file names them. `conversations`
    are its owners (`belonging`).
    """

    id: str
    name: str = ""
    system_prompt: str = ""
    system_tokens: int | None = None
    components: tuple[Component, ...] = ()
    directive: str = ""
    greeting: str = ""
    profile: Profile | None = None
    preferred_llm: Mapping[str, Any] = field(default_factory=nothing)
    conversations: Owners = None
    origin: str = ""
