"""The known names nearest to an unknown name: the second half of every message about it."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice

_MOST_NEAREST = 3
_ALIKE = 0.6
_MOST_LISTED = 8
_MOST_COMPARED = 20_000
"""More names than this are not compared individually: it takes seconds."""


def nearest(name: str, known: Iterable[str], most: int = _MOST_NEAREST) -> list[str]:
    """Return the known names most like a name, nearest first; none if none is alike.

    Case, and whether words are joined by a dash or an underscore, make no difference.
    """
    by_plain: dict[str, str] = {}
    for one in islice(known, _MOST_COMPARED):
        by_plain.setdefault(_plain(one), one)
    return [by_plain[found] for found in get_close_matches(_plain(name), by_plain, most, _ALIKE)]


def instead(name: str, known: Sequence[str], most: int = _MOST_LISTED, lead: str = "there are") -> str:
    """Return the end of a sentence about an unknown name: the nearest names, else the known ones.

    `lead` comes before the latter.
    """
    near = nearest(name, known)
    if near:
        *others, last = near
        return f"did you mean {' or '.join([*filter(None, [', '.join(others)]), last])}?"
    more = f" and {len(known) - most:,} more" if len(known) > most else ""
    return f"{lead} {', '.join(known[:most]) or 'none'}{more}"


def not_one_of(name: str, known: Sequence[str]) -> str:
    """Return the message about a word outside a small set: the word, the set, and the nearest word if any is alike."""
    near = nearest(name, known, 1)
    return f"{name!r} is not one of {', '.join(known)}{f'; did you mean {near[0]}?' if near else ''}"


def _plain(name: str) -> str:
    return name.strip().casefold().replace("_", "-").replace(" ", "-")
