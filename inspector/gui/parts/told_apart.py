"""Names that begin alike, shortened so that what differs can be seen where there is little room. No Qt here."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

SEEN = 14
"""So many letters of a name are always seen; names that differ within them stay as they are."""
_BEGINNING = 10
_LONGEST_WORD = 12
_AFTER = 9
_ELLIPSIS = "…"


def told_apart(names: Sequence[str]) -> list[str]:
    """The names, each without the stretches that it shares with others, so that any two that differ look it.

    A name that no other begins like stays as it is: a view cuts its end off where there is no room.
    """
    known = sorted(set(names))
    if len(known) < 2:
        return list(names)
    shared = [_letters_shared(*pair) for pair in pairwise(known)]
    before, after = _forks(shared), list(_forks(reversed(shared)))[::-1]
    short = {name: _shortened(name, sorted({*one, *two})) for name, one, two in zip(known, before, after, strict=True)}
    return [short[name] for name in names]


def without_beginning(name: str, short: str) -> str:
    """A name that `told_apart` has shortened, without the beginning either: for less room than that needs."""
    beginning = name[:_BEGINNING].rstrip()
    return short.removeprefix(beginning) if short != name and short.startswith(f"{beginning}{_ELLIPSIS}") else short


def _letters_shared(one: str, two: str) -> int:
    """With how many letters both begin."""
    alike, most = 0, min(len(one), len(two))
    while alike < most:  # by halves: there may be tens of thousands of names
        middle = (alike + most + 1) // 2
        if one[alike:middle] == two[alike:middle]:
            alike = middle
        else:
            most = middle - 1
    return alike


def _forks(shared: Iterable[int]) -> Iterator[list[int]]:
    """For each name the places, past what is always seen, where it parts from one that comes before it.

    `shared` has how many letters each name but the first shares with the one before it.
    """
    forks: list[int] = []
    yield forks[:]
    for place in shared:
        while forks and forks[-1] > place:
            forks.pop()
        if place >= SEEN and place not in forks[-1:]:
            forks.append(place)
        yield forks[:]


def _shortened(name: str, forks: Sequence[int]) -> str:
    """The beginning of a name, and what stands around the places where it parts from others."""
    if not forks:
        return name
    pieces, end = [name[:_BEGINNING]], _BEGINNING
    for fork in forks:
        start = max(_word_start(name, fork), end)
        if start > end:
            pieces[-1] = f"{pieces[-1].rstrip()}{_ELLIPSIS}"
        until = len(name) if fork == forks[-1] else fork + _AFTER
        pieces.append(name[start:until])
        end = max(end, until)
    return "".join(pieces)


def _word_start(name: str, place: int) -> int:
    """Where the word at a place begins, or a little before the place where words are long or not written apart."""
    word = name.rfind(" ", 0, place) + 1
    return word if place - word <= _LONGEST_WORD else place - 2
