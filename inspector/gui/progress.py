"""The progress of long work."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """The name of long work in `what` ("": nothing is running), and its finished share (0–1)."""

    what: str = ""
    share: float = 0.0
