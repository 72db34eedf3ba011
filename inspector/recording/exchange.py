"""A request and its answer while they pass."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from inspector.recording.apis import Api

MOST_BYTES = 64 << 20
"""The most bytes of a request, and of its answer, that are kept."""


@dataclass(slots=True)
class Kept:
    """The bytes of a body so far, as they were sent: encoded by `encoding`. Too many are counted and not kept."""

    encoding: str = ""
    chunks: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, chunk: bytes) -> None:
        """Keep a further piece."""
        self.size += len(chunk)
        if self.size <= MOST_BYTES:
            self.chunks.append(chunk)
        else:
            self.chunks.clear()

    @property
    def is_whole(self) -> bool:
        """Whether everything so far was kept."""
        return self.size <= MOST_BYTES


@dataclass(slots=True)
class Exchange:
    """A request with its answer so far. `keys` are the secrets of its headers and its address.

    `status` is None before an answer; times are in seconds from the arrival of the request. `note` says why the answer
    ended early, and `was_left` whether the application did not wait for the end of the connection.
    """

    api: Api
    path: str
    keys: tuple[str, ...] = ()
    request: Kept = field(default_factory=Kept)
    response: Kept = field(default_factory=Kept)
    status: int | None = None
    content_type: str = ""
    first_byte_seconds: float | None = None
    seconds: float = 0.0
    note: str = ""
    was_left: bool = False
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    started: float = field(default_factory=time.perf_counter)

    def answered(self, chunk: bytes) -> None:
        """Keep a piece of the answer."""
        if self.first_byte_seconds is None:
            self.first_byte_seconds = time.perf_counter() - self.started
        self.response.add(chunk)

    def end(self, note: str = "") -> None:
        """Note the end of the answer. The first note stays."""
        self.seconds = time.perf_counter() - self.started
        self.note = self.note or note

    @property
    def size(self) -> int:
        """The bytes of memory that it takes, about."""
        return sum(len(chunk) for kept in (self.request, self.response) for chunk in kept.chunks)
