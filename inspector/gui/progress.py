"""How far long work is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """Long work: what, and how much of it is done (0–1); an empty `what` means that nothing runs."""

    what: str = ""
    share: float = 0.0
