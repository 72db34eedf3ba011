"""The survey of an archive: what all its chats come to under a setting, from those looked at so far.

A pure value, made again as more chats have been looked at; until all have been, shares are estimates with intervals.
The intervals hold for chats in a mixed order (see `agenda`), not where the longest come first.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from inspector.analysis.archive.figures import OVERHEAD, WINDOWS, ChatFigures
from inspector.analysis.archive.overview import Looked
from inspector.analysis.archive.summary import Spread, spread
from inspector.assembly.columns import Section, word
from inspector.assembly.finding_kind import FindingKind

RESERVE, FREE = "reserve", "free"
"""The names of the parts of a window that are not the prompt."""
_REACH = 1.96
"""How many standard errors an interval of 95 % reaches to both sides."""
_SHORTEST = 64
_PARTS = (*map(word, Section), OVERHEAD, RESERVE, FREE)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share of all chats, estimated from some: 0–1, with its 95 % interval, which is the share itself once all are
    known.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LengthBin:
    """Chats with `first` to `last` tokens of messages, and how many of them exceed their window less the reply."""

    first: int
    last: int
    chats: int
    over: int


@dataclass(frozen=True, slots=True)
class WindowFit:
    """How many chats, and which share, have every message whole in the prompt in a window of this size."""

    window: int
    chats: int
    share: float
    is_now: bool


@dataclass(frozen=True, slots=True)
class PartOfPrompt:
    """A part of the average window: a section, "overhead", "reserve" or "free"; its tokens, and share of the window."""

    name: str
    tokens: float
    share: float


@dataclass(frozen=True, slots=True)
class FindingInChats:
    """A kind of finding, and how many chats have it."""

    kind: FindingKind
    chats: int


@dataclass(frozen=True, slots=True)
class Survey:
    """All chats under a setting, as far as they have been looked at: `looked` of `of_all`, `refused` without figures.

    `whole` of them, the share `fitting`, have every message whole in a prompt within the window. `dropped` is the share
    of the tokens of all items that is left out, `dropped_median` that of the median chat. `over_window` and `failed`
    chats have a prompt beyond the window, and none. `cost` is the sum for a prompt of each in dollars, None where no
    price is known, of `priced` chats. `window` and `room`, which is the window less the reply, are those of most chats.
    """

    looked: int
    of_all: int
    refused: int
    exact: bool
    whole: int
    fitting: Estimate
    items: int
    dropped: Estimate
    dropped_median: float
    over_window: int
    failed: int
    prompts: Spread
    cost: float | None
    priced: int
    window: int
    room: int
    lengths: tuple[LengthBin, ...]
    fits: tuple[WindowFit, ...]
    parts: tuple[PartOfPrompt, ...]
    findings: tuple[FindingInChats, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every chat has been looked at."""
        return self.looked + self.refused >= self.of_all


def survey(rows: Sequence[Looked], of_all: int) -> Survey:
    """Return what these chats come to, of `of_all` that are to be looked at."""
    chats = [row.figures for row in rows if row.figures is not None]
    refused = len(rows) - len(chats)
    number = max(of_all - refused, len(chats))
    whole = sum(chat.is_whole for chat in chats)
    costs = [chat.cost for chat in chats if chat.cost is not None]
    window, reserve = _usual(chats)
    return Survey(
        looked=len(chats),
        of_all=of_all,
        refused=refused,
        exact=all(chat.exact and chat.total_exact for chat in chats),
        whole=whole,
        fitting=share_estimate(whole, len(chats), number),
        items=sum(chat.items for chat in chats),
        dropped=ratio_estimate([chat.dropped_tokens for chat in chats], [chat.items for chat in chats], number),
        dropped_median=spread([chat.dropped_tokens / chat.items for chat in chats if chat.items]).median,
        over_window=sum(chat.status == "over_window" for chat in chats),
        failed=sum(chat.status == "error" for chat in chats),
        prompts=spread([chat.total for chat in chats if chat.status != "error"]),
        cost=sum(costs) if costs else None,
        priced=len(costs),
        window=window,
        room=max(0, window - reserve),
        lengths=tuple(_lengths(chats)),
        fits=tuple(_fits(chats, window)),
        parts=tuple(_parts(chats)),
        findings=tuple(FindingInChats(kind, count) for kind, count in _found(chats)),
    )


def share_estimate(count: int, looked: int, of_all: int) -> Estimate:
    """Return the share of chats with a property, of which `count` of `looked` have it, with its 95 % interval.

    Wilson's interval, which stays within 0 and 1, on as many samples as tell as much about a finite number of chats:
    with n of N looked at, n (N − 1) / (N − n).
    """
    if not looked:
        return Estimate(0.0, 0.0, 1.0)
    share = count / looked
    if looked >= of_all:
        return Estimate(share, share, share)
    samples = looked * (of_all - 1) / (of_all - looked)
    square = _REACH * _REACH
    middle = (share + square / (2 * samples)) / (1 + square / samples)
    reach = _REACH * sqrt(share * (1 - share) / samples + square / (4 * samples * samples)) / (1 + square / samples)
    return Estimate(share, max(0.0, middle - reach), min(1.0, middle + reach))


def ratio_estimate(parts: Sequence[int], wholes: Sequence[int], of_all: int) -> Estimate:
    """Return which share of all wholes the parts are, with its 95 % interval, from one of both for each chat looked at.

    The ratio estimator of a finite population; of one chat alone nothing is known about the others.
    """
    looked, whole = len(wholes), float(sum(wholes))
    ratio = sum(parts) / whole if whole else 0.0
    if looked >= of_all:
        return Estimate(ratio, ratio, ratio)
    if looked < 2 or not whole:
        return Estimate(ratio, 0.0, 1.0)
    off = np.asarray(parts, np.float64) - ratio * np.asarray(wholes, np.float64)
    variance = (1 - looked / of_all) * float((off**2).sum()) / (looked - 1) / looked
    reach = _REACH * sqrt(variance) / (whole / looked)
    return Estimate(ratio, max(0.0, ratio - reach), min(1.0, ratio + reach))


def _usual(chats: Sequence[ChatFigures]) -> tuple[int, int]:
    """Return the window and the reply of most chats; files may name models of their own."""
    found = Counter((chat.window, chat.reserve) for chat in chats)
    return found.most_common(1)[0][0] if found else (0, 0)


def _lengths(chats: Sequence[ChatFigures]) -> Iterator[LengthBin]:
    """Yield bins that double, from the shortest to the longest chat."""
    places = [(chat.tokens // _SHORTEST).bit_length() for chat in chats]
    counts, over = Counter(places), Counter[int]()
    for chat, place in zip(chats, places, strict=True):
        over[place] += chat.tokens > chat.window - chat.reserve
    for place in range(min(places, default=0), max(places, default=-1) + 1):
        first = _SHORTEST << (place - 1) if place else 0
        yield LengthBin(first, (_SHORTEST << place) - 1, counts[place], over[place])


def _fits(chats: Sequence[ChatFigures], window: int) -> Iterator[WindowFit]:
    """Yield the windows in rising order, with the one in use among them."""
    if not chats:
        return
    least = sorted(chat.fits_from for chat in chats if chat.fits_from is not None)
    for size in sorted({*WINDOWS, window}):
        is_now = size == window
        fitting = sum(chat.is_whole for chat in chats) if is_now else bisect_right(least, size)
        yield WindowFit(size, fitting, fitting / len(chats), is_now)


def _parts(chats: Sequence[ChatFigures]) -> Iterator[PartOfPrompt]:
    """Yield the mean parts of the windows that hold a prompt, in the order of the bar."""
    made = [chat for chat in chats if chat.status != "error"]
    number, window = len(made) or 1, sum(chat.window for chat in made) or 1
    tokens = Counter[str]()
    for chat in made:
        tokens.update(chat.prompt)
        tokens[RESERVE] += chat.reserve
        tokens[FREE] += max(0, chat.window - chat.reserve - chat.total)
    for name in _PARTS:
        if tokens[name]:
            yield PartOfPrompt(name, tokens[name] / number, tokens[name] / window)


def _found(chats: Sequence[ChatFigures]) -> list[tuple[FindingKind, int]]:
    """Return the kinds of findings by how many chats have them, errors and warnings before what is only said."""
    counts = Counter(kind for chat in chats for kind in chat.kinds)
    return sorted(counts.items(), key=lambda one: (one[0].severity == "info", -one[1], one[0].code))
