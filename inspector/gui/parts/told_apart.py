"""Names with a common beginning, shortened so that their differences are visible in little room. No Qt here."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

SEEN = 14
"""How many letters at the start of a name are always visible; names that differ within them stay unchanged."""
_BEGINNING = 10
_LONGEST_WORD = 12
_AFTER = 9
_ELLIPSIS = "…"


def told_apart(names: Sequence[str]) -> list[str]:
    """Return the names, each without the stretches shared with others, so that any two different names look different.

    A name with a unique beginning stays unchanged: a view cuts off its end where room is short.
    """
    known = sorted(set(names))
    if len(known) < 2:
        return list(names)
    shared = [_letters_shared(*pair) for pair in pairwise(known)]
    before, after = _forks(shared), list(_forks(reversed(shared)))[::-1]
    short = {name: _shortened(name, sorted({*one, *two})) for name, one, two in zip(known, before, after, strict=True)}
    return [short[name] for name in names]


def without_beginning(name: str, short: str) -> str:
    """Return a name shortened by `told_apart` without its beginning, for even less room."""
    beginning = name[:_BEGINNING].rstrip()
    return short.removeprefix(beginning) if short != name and short.startswith(f"{beginning}{_ELLIPSIS}") else short


def _letters_shared(one: str, two: str) -> int:
    """Return how many letters both have in common at the beginning."""
    alike, most = 0, min(len(one), len(two))
    while alike < most:  # bisection: there may be tens of thousands of names
        middle = (alike + most + 1) // 2
        if one[alike:middle] == two[alike:middle]:
            alike = middle
        else:
            most = middle - 1
    return alike


def _forks(shared: Iterable[int]) -> Iterator[list[int]]:
    """Yield for each name the places, past the always visible letters, where it differs from an earlier name.

    `shared` gives for each name but the first the number of letters shared with its predecessor.
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
    """Return the beginning of a name, and the surroundings of the places where it differs from others."""
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
    """Return the start of the word at a place, or a little before the place if words are long or not separated."""
    word = name.rfind(" ", 0, place) + 1
    return word if place - word <= _LONGEST_WORD else place - 2
