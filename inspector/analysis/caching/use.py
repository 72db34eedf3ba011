"""How much of each prompt in a row is read from the cache of the provider, written to it, or neither."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import nan

from inspector.analysis.caching.schemes import Scheme

_MOST_ENTRIES = 80
"""The latest entries that are tried (OpenAI)."""


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt to a provider.

    `tokens` is its whole input, `kept` the part that a later prompt can begin with: all but the beginning of the reply.
    `shared` is the tokens of the common beginning with the request before, `at` its time in seconds; NaN if unknown.
    `blocks` is the number of its blocks of content: texts, pictures, calls, results.
    """

    tokens: int
    kept: int
    shared: int
    at: float = nan
    blocks: int = 0


@dataclass(frozen=True, slots=True)
class Use:
    """The tokens of a request that are no part of the cache, that are read from it, and that are written to it."""

    fresh: int
    read: int
    written: int

    @property
    def tokens(self) -> int:
        """Tokens of the whole input."""
        return self.fresh + self.read + self.written


@dataclass(frozen=True, slots=True)
class Entry:
    """A prefix in the cache: tokens, blocks, when its beginning was written and last used; times are NaN if unknown."""

    tokens: int
    blocks: int
    written: float
    used: float


@dataclass(frozen=True, slots=True)
class PromptCache:
    """A cache after some requests: the entries that are beginnings of the last prompt, the shortest first."""

    scheme: Scheme
    entries: tuple[Entry, ...] = ()

    def use(self, request: Request) -> Use:
        """Return what a request would read and write now. Below the shortest prefix it does neither."""
        hit = self._hit(request)
        read = 0 if hit is None else hit.tokens
        writes = self.scheme.kind == "breakpoint" and request.kept >= self.scheme.minimum
        written = request.kept - read if writes else 0
        return Use(request.tokens - read - written, read, written)

    def after(self, request: Request) -> "PromptCache":
        """Return the cache after a request: what it read is used anew, and its own prefix is an entry."""
        hit = self._hit(request)
        alive = [entry for entry in self.entries if self._is_alive(entry, request)]
        shared = [entry for entry in alive if entry.tokens <= request.shared]
        used = [replace(entry, used=request.at) if hit and entry.tokens == hit.tokens else entry for entry in shared]
        if request.kept >= self.scheme.minimum:
            oldest = hit.written if hit else request.at
            own = Entry(request.kept, request.blocks, oldest, request.at)
            used = [*(entry for entry in used if entry.tokens < request.kept), own]
        return replace(self, entries=tuple(used[-_MOST_ENTRIES:]))

    def _hit(self, request: Request) -> Entry | None:
        """Return the longest prefix of the request in the cache, as far as the rule reads it."""
        found = [entry for entry in self.entries if self._is_alive(entry, request)]
        if self.scheme.kind == "breakpoint":
            near = (entry for entry in reversed(found) if self._is_near(entry, request))
            return next((entry for entry in near if entry.tokens <= request.shared), None)
        return self._steps(found[-1], request) if found else None

    def _steps(self, last: Entry, request: Request) -> Entry | None:
        """Return the whole steps of the beginning shared with the last prompt."""
        shared = min(last.tokens, request.shared)
        beyond = shared - self.scheme.minimum
        return None if beyond < 0 else replace(last, tokens=shared - beyond % self.scheme.step)

    def _is_alive(self, entry: Entry, request: Request) -> bool:
        """Return whether an entry is kept until a request; of unknown times it is assumed."""
        idle, age, scheme = request.at - entry.used, request.at - entry.written, self.scheme
        is_old = scheme.longest is not None and age > scheme.longest
        return not is_old and (scheme.lifetime is None or not idle > scheme.lifetime)

    def _is_near(self, entry: Entry, request: Request) -> bool:
        """Return whether a request looks that far back from its end."""
        return self.scheme.reach is None or request.blocks - entry.blocks <= self.scheme.reach


def uses(scheme: Scheme, requests: Iterable[Request]) -> Iterator[Use]:
    """Yield what each of some requests in a row reads and writes, with an empty cache before the first."""
    cache = PromptCache(scheme)
    for request in requests:
        yield cache.use(request)
        cache = cache.after(request)
