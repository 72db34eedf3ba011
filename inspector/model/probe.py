"""Probes: questions to a chat whose answer needs certain items of it."""

from msgspec import Struct


class Probe(Struct, frozen=True, gc=False):
    """A question, and the ids of the messages and memories needed for an answer.

    `conversation` is the id of its chat, "" for the only chat. The question is asked when the first `at` messages
    exist, by default all of them; `query` is its text, None if the chat's own newest message asks.
    """

    id: str
    evidence: tuple[str, ...]
    conversation: str = ""
    at: int | None = None
    query: str | None = None
    category: str = ""
    origin: str = ""
