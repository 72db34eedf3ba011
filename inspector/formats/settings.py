"""The memory that an opening may take, according to the user's settings file."""

import os
from dataclasses import dataclass
from pathlib import Path

from inspector.model import Problem
from inspector.reading.budget import OPENING_BYTES
from inspector.reading.decode import decode, read_value
from inspector.reading.values import UnreadableError


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings read here; other keys of the file are ignored."""

    opening_bytes: int = OPENING_BYTES


def read_opening_bytes(path: Path) -> tuple[int, tuple[Problem, ...]]:
    """Return the bytes that a settings file allows, the default if it names none or does not exist.

    An unreadable file, or a value that is no such number, is a problem beside the default: other files open regardless.
    """
    if not os.path.exists(path):
        return OPENING_BYTES, ()
    try:
        allowed = decode(read_value(path), _Settings, str(path))[0].opening_bytes
    except UnreadableError as error:
        return OPENING_BYTES, (error.problem,)
    if allowed > 0:
        return allowed, ()
    return OPENING_BYTES, (Problem(str(path), "$.opening_bytes", f"expected more than 0 bytes, found {allowed}"),)
