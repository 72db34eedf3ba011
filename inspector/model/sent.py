"""A recorded request of an application, as its conversation keeps it: when, where to, how it ended."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from inspector.model.conversation import Message

REQUEST = "recorded_request"
"""The key of the metadata of the last message of a recorded request."""


class SentRequest(Struct, frozen=True):
    """A request that was recorded while it was sent.

    began: when it was sent, None if unknown. seconds: until the end of its answer. status: that of HTTP, None without
    an answer. path: of its address, without keys. answered: how many of its messages, at the end, are the answer.
    """

    began: datetime | None = None
    seconds: float | None = None
    status: int | None = None
    path: str = ""
    answered: int = 0

    @property
    def metadata(self) -> dict[str, Any]:
        """The request as metadata of the last message of its conversation."""
        told = {
            "time": None if self.began is None else self.began.isoformat(),
            "seconds": self.seconds,
            "status": self.status,
            "path": self.path,
            "answered": self.answered,
        }
        return {REQUEST: told}


def sent_request(messages: Sequence[Message]) -> SentRequest | None:
    """Return the request recorded with these messages; None for a conversation that is none."""
    held = messages[-1].metadata.get(REQUEST) if messages else None
    if not isinstance(held, Mapping):
        return None
    status, seconds, path, answered = (held.get(key) for key in ("status", "seconds", "path", "answered"))
    return SentRequest(
        _time(held.get("time")),
        float(seconds) if isinstance(seconds, int | float) and not isinstance(seconds, bool) else None,
        status if isinstance(status, int) and not isinstance(status, bool) else None,
        path if isinstance(path, str) else "",
        min(max(answered, 0), len(messages)) if isinstance(answered, int) else 0,
    )


def _time(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
