"""The nearest of the names that there are to one that is not there: how every refusal of a name goes on."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice

_MOST_NEAREST = 3
_ALIKE = 0.6
_MOST_LISTED = 8
_MOST_COMPARED = 20_000
"""More names than this are not compared one by one: it takes seconds."""


def nearest(name: str, known: Iterable[str], most: int = _MOST_NEAREST) -> list[str]:
    """The known names that are most like a name, the nearest first; none where none is alike.

    Case, and whether words are joined by a dash or an underscore, make no difference.
    """
    by_plain: dict[str, str] = {}
    for one in islice(known, _MOST_COMPARED):
        by_plain.setdefault(_plain(one), one)
    return [by_plain[found] for found in get_close_matches(_plain(name), by_plain, most, _ALIKE)]


def instead(name: str, known: Sequence[str], most: int = _MOST_LISTED, lead: str = "there are") -> str:
    """How a sentence about a name that is not there goes on: with the nearest names, else with those that there are.

    `lead` comes before the latter.
    """
    near = nearest(name, known)
    if near:
        *others, last = near
        return f"did you mean {' or '.join([*filter(None, [', '.join(others)]), last])}?"
    more = f" and {len(known) - most:,} more" if len(known) > most else ""
    return f"{lead} {', '.join(known[:most]) or 'none'}{more}"


def not_one_of(name: str, known: Sequence[str]) -> str:
    """What is said of a word that is none of a few: it, all of them, and the nearest where one is alike."""
    near = nearest(name, known, 1)
    return f"{name!r} is not one of {', '.join(known)}{f'; did you mean {near[0]}?' if near else ''}"


def _plain(name: str) -> str:
    return name.strip().casefold().replace("_", "-").replace(" ", "-")
