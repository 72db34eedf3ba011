"""Titles for chats without any: the beginning of their first text."""

from collections.abc import Iterable

from inspector.model import Message

_LONG = 80
_MARKS = ("<", "[", "#", "Caveat:")  # beginnings of messages that applications insert themselves


def first_line(text: str) -> str:
    """Return the first line of a text, cut if it is long."""
    line = text.strip().split("\n", 1)[0].strip()
    return line if len(line) <= _LONG else f"{line[:_LONG]}…"


def title_of(messages: Iterable[Message]) -> str:
    """Return the first line of the first message by a user, "" if there is none."""
    written = (message.content.strip() for message in messages if message.role == "user")
    return next((first_line(text) for text in written if text and not text.startswith(_MARKS)), "")
