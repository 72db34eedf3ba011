"""Secrets in texts of files: finding and masking them.

This module alone decides what to mask; the forms of secrets are in `secret_kinds`. Texts are kept and counted
unchanged; all output goes through `masked`, which replaces each character by •, so every place in a text stays the
same.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

from inspector.secret_kinds import BEHIND_NAME, DISCORD, KINDS, NAME_ENDS, NAMED, NAMES, Kind

MARK = "•"
MASKED = "masked wherever it is shown or exported"
"""The end of the problem reported for a file with secrets."""
_BEFORE, _NEAR = 60, 320
_AROUND = 2_000
_BLOCK = "-----BEGIN"
_LEAD = b"  "  # the end of a hint always has two bytes before it
_MOST_SPOTS = 200_000  # a hostile text may have millions of beginnings of secrets
_SHORT = 2_000
"""Up to this many characters a text is searched hint by hint: preparing the faster search takes longer."""
_CHUNK = 1 << 18
_BLOCK_BYTES = 1 << 22
_OVERLAP = len(_LEAD) + _BEFORE + _NEAR
_ANCHOR = 3
_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_UNSEEN_PATTERN = re.compile(f"[{_UNSEEN}]")
_UNSEEN_BYTES = (*(sign.encode() for sign in _UNSEEN), rb"\u200b", rb"\u200c", rb"\u200d", rb"\ufeff", rb"\u00ad")
_LOGIN_HINTS = ("://", r":\/\/")
_SIGNS = "_-.:/="
_Hints = tuple[tuple[str, int, Kind], ...]


def _by_sign() -> tuple[tuple[str, _Hints], ...]:
    """Group hints by a sign they contain, to skip most of them in texts without it."""
    hints = [(hint, len(hint), kind) for kind in KINDS for hint in kind.hints if hint not in _LOGIN_HINTS]
    signs = {hint: next((sign for sign in _SIGNS if sign in hint), hint[0]) for hint, _, _ in hints}
    return tuple((sign, tuple(one for one in hints if signs[one[0]] == sign)) for sign in dict.fromkeys(signs.values()))


def _by_anchor() -> dict[str, _Hints]:
    """Group hints by the letters used to search for them, with the place in the hint where these end."""
    found: dict[str, _Hints] = {}
    for kind in KINDS:
        for hint in kind.hints:
            after = _ANCHOR if hint.endswith(" ") else len(hint)  # every other word ends like `Bearer `
            anchor = hint[max(0, after - _ANCHOR) : after]
            found[anchor] = (*found.get(anchor, ()), (hint, after, kind))
    return found


_BY_SIGN, _BY_ANCHOR = _by_sign(), _by_anchor()
_KEY_BODY = re.compile(r"(\\[nr])|[^\s\\]")
_Found = tuple[re.Match[str], Kind]
_revealed = False


def reveal(revealed: bool) -> None:
    """Show secrets in this process from now on, or mask them again. Only on request of the user."""
    global _revealed
    _revealed = revealed


def are_revealed() -> bool:
    """Return whether secrets are shown."""
    return _revealed


def masked(text: str) -> str:
    """Return the text with • for each character of its secrets; unchanged without any, or while they are revealed."""
    if _revealed or (len(text) <= _SHORT and not _may_be_in(text)):
        return text
    if not _has_unseen(text):
        return _masked(text)
    plain = _UNSEEN_PATTERN.sub("", text)
    shown = _masked(plain)
    return text if shown is plain else _with_unseen(text, shown)


def _masked(text: str) -> str:
    pieces: list[str] = []
    end = 0
    for found, _ in _found_in(text):
        pieces += [text[end : found.start(2)], _covered(found)]
        end = found.end(2)
    return "".join([*pieces, text[end:]]) if pieces else text


def _with_unseen(text: str, shown: str) -> str:
    """Put the unseen characters of a text back into its masked form; those inside a secret are masked too."""
    rest = iter(shown)
    made: list[str] = []
    for sign in text:
        if sign in _UNSEEN:
            made.append(MARK if made and made[-1] == MARK else sign)
        else:
            made.append(next(rest))
    return "".join(made)


def masked_head(text: str, limit: int) -> str:
    """Return the first characters of a masked text, in time independent of its length."""
    return masked(text[: limit + _BEFORE])[:limit] if len(text) > limit else masked(text)


def masked_part(text: str, start: int, end: int) -> str:
    """Return a part of a masked text, as it is within the whole, in time independent of its length.

    Enough is read before the part for a secret that reaches into it: its word, or the key block that it is in.
    """
    begin = max(0, start - _AROUND)
    begin = max(text.rfind(blank, 0, begin) for blank in " \n\t") + 1
    block = text.rfind(_BLOCK, 0, start)
    begin = min(begin, block) if block >= 0 else begin
    return masked(text[begin : end + _AROUND])[start - begin : end - begin]


def masked_json(json: bytes) -> bytes:
    """Return the same for JSON in UTF-8: it stays JSON."""
    if _revealed or (len(json) > _SHORT and not may_hold_secrets(json)):
        return json
    text = json.decode("utf-8", "surrogatepass")
    shown = masked(text)
    return json if shown is text else shown.encode("utf-8", "surrogatepass")


def _covered(found: re.Match[str]) -> str:
    if found[1].startswith(_BLOCK):
        return _KEY_BODY.sub(lambda one: one[1] or MARK, found[2])
    return MARK * len(found[2])


def secrets_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield where secrets begin in a text, and the kind of each, in order; the text may be long."""
    if not _has_unseen(text):
        yield from ((found.start(), kind.name) for found, kind in _found_in(text, _MOST_SPOTS))
        return
    unseen = [one.start() for one in _UNSEEN_PATTERN.finditer(text)]
    passed = 0
    for found, kind in _found_in(_UNSEEN_PATTERN.sub("", text), _MOST_SPOTS):
        while passed < len(unseen) and unseen[passed] - passed <= found.start():
            passed += 1
        yield found.start() + passed, kind.name


def kinds_words(kinds: Iterable[str]) -> str:
    """Return kinds of secrets in order of first occurrence: a GitHub token (2 times), an AWS access key."""
    counts = Counter(kinds)
    return ", ".join(f"{kind} ({times:,} times)" if times > 1 else kind for kind, times in counts.items())


def may_hold_secrets(data: bytes) -> bool:
    """Return whether a text in UTF-8, such as a whole file, has any; quick compared with reading it, block by block."""
    for block, place in islice(_spots_in_blocks(data), _MOST_SPOTS):
        start = max(len(_LEAD), place - _BEFORE)
        near = block[start : place + _NEAR].decode("latin-1")  # one character per byte
        if _secret_at(near, 0, place - start):
            return True
    return False


def _spots_in_blocks(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the same spots of a text without its unseen characters, each in a block that has all around it."""
    known, block, last = len(_LEAD), _LEAD, len(data) - _BLOCK_BYTES
    for begin in range(0, len(data), _BLOCK_BYTES):
        block = _without_unseen(block[-_OVERLAP:] + data[begin : begin + _BLOCK_BYTES])
        end = len(block) if begin >= last else len(block) - _NEAR
        yield from ((block, place) for place in _spots(block) if known <= place < end)
        known = min(_OVERLAP, len(block)) - (len(block) - end)


def _without_unseen(data: bytes) -> bytes:
    for unseen in _UNSEEN_BYTES:
        if unseen in data:
            data = data.replace(unseen, b"")
    return data


def _found_in(text: str, most_spots: int | None = None) -> Iterator[_Found]:
    """Yield the secrets of a text in order, without nested ones."""
    end = 0
    # One byte per character, with ? for non-ASCII ones: hints are ASCII.
    spots = _spots(_LEAD + text.encode("ascii", "replace"))
    for place in (spot - len(_LEAD) for spot in islice(spots, most_spots)):
        if place >= end and (found := _secret_at(text, max(end, place - _BEFORE), place)):
            end = found[0].end()
            yield found


def _secret_at(text: str, start: int, place: int) -> _Found | None:
    """Return the secret around a place where a hint or its sign was seen, and its kind."""
    seen = text[max(0, place + 1 - _ANCHOR) : place + 1]
    for hint, after, kind in _BY_ANCHOR.get(seen) or _BY_ANCHOR.get(seen[1:], ()):
        begin = place + 1 - after
        if begin >= start and text.startswith(hint, begin) and (found := _of_kind(kind, text, start, begin)):
            return found, kind
    sign = text[place]
    if sign in ":=":
        return _named_at(text, start, place)
    found = _of_kind(DISCORD, text, start, place) if sign == "." else None
    return (found, DISCORD) if found else None


def _of_kind(kind: Kind, text: str, start: int, hint: int) -> re.Match[str] | None:
    """Return the secret of a kind whose hint begins at a place."""
    found = kind.pattern.match(text, hint)
    for begin in range(max(start, hint - kind.lead), hint):
        found = found or kind.pattern.match(text, begin)
    return found if found and found.end() > hint and kind.is_one(found) else None


def _named_at(text: str, start: int, sign: int) -> _Found | None:
    """Return the value behind a sign after a secret's name; values with a form are found by their form."""
    found = _LAST_NAME.search(text, max(start, sign - _BEFORE), sign)
    value = NAMED.pattern.match(text, found.start()) if found else None
    if value is None or value.end(1) <= sign or not NAMED.is_one(value):
        return None
    has_form = any(kind.pattern.match(text, value.start(2)) for kind in KINDS)
    return None if has_form else (value, NAMED)


def _has_unseen(text: str) -> bool:
    return not text.isascii() and any(sign in text for sign in _UNSEEN)


# Finding candidates

_LAST_NAME = re.compile(rf"(?i:{NAMES})(?={BEHIND_NAME}\Z)")
_SEEMS_NAMED = re.compile(rf"(?i:{NAMES}){BEHIND_NAME}[:=]")


def _may_be_in(text: str) -> bool:
    """Return the same as for a whole file, for a short text."""
    for sign, hints in _BY_SIGN:
        if sign in text:
            for hint, _, kind in hints:
                if hint in text and kind.pattern.search(text):
                    return True
    if (":" in text or "=" in text) and (_SEEMS_NAMED.search(text) or ("@" in text and "/" in text)):
        return True
    if text.count(".") > 1 and DISCORD.pattern.search(text):
        return True
    return _has_unseen(text)


def _spots(text: bytes) -> Iterator[int]:
    """Yield possible ends of hint anchors in a text, signs behind names, and first points of Discord tokens.

    numpy finds them several times as fast as a search for each hint in turn: pairs of letters are looked up, and for
    the remaining places the letter before.
    """
    import numpy as np

    data = np.frombuffer(text, np.uint8)
    pairs, thirds, signs = _tables()
    for begin in range(2, len(data), _CHUNK):
        part = data[begin - 1 : begin + _CHUNK]
        codes = part[:-1].astype(np.uint16) << 8 | part[1:]
        numbers = pairs[codes]
        hits = np.flatnonzero(numbers)
        is_anchor = thirds[numbers[hits], data[hits + (begin - 2)]]
        named = hits[signs[codes[hits]]] + begin
        points = np.flatnonzero(part[1:] == _POINT) + begin
        points = points[points + _POINTS_APART < len(data)]
        found = (hits[is_anchor] + begin, _behind_names(data, named), points[data[points + _POINTS_APART] == _POINT])
        yield from np.sort(np.concatenate(found)).tolist()


_POINT, _POINTS_APART = ord("."), 7


def _behind_names(data: Any, places: Any) -> Any:
    """Return the signs among these after the end of a secret's name, with a quote or blanks in between."""
    import numpy as np

    ends = places - 1
    for _ in range(4):
        ends = ends - (_between()[data[ends]] & (ends > 2))
    letters = [(data[ends - back] | 32).astype(np.uint32) for back in (2, 1, 0)]
    return places[np.isin(letters[0] << 16 | letters[1] << 8 | letters[2], _name_ends())]


@cache
def _between() -> Any:
    import numpy as np

    return np.isin(np.arange(256), list(b" \t\"'`\\]"))


@cache
def _name_ends() -> Any:
    import numpy as np

    return np.array([int.from_bytes(end.encode(), "big") for end in NAME_ENDS], np.uint32)


@cache
def _tables() -> tuple[Any, Any, Any]:
    """Return lookup tables for bytes.

    For two bytes the number of the pair at the end of an anchor; for each number the possible bytes before it; and
    whether two bytes may be the end of a name with a sign behind it.
    """
    import numpy as np

    pairs, signs = np.zeros(65_536, np.uint8), np.zeros(65_536, np.bool_)
    numbers = {anchor[-2:]: number for number, anchor in enumerate(dict.fromkeys(_BY_ANCHOR), 1)}
    thirds = np.zeros((len(_BY_ANCHOR) + 2, 256), np.bool_)
    for anchor in _BY_ANCHOR:
        pairs[int.from_bytes(anchor[-2:].encode(), "big")] = numbers[anchor[-2:]]
        thirds[numbers[anchor[-2:]], [ord(anchor[0])] if len(anchor) == _ANCHOR else slice(None)] = True
    for sign in b":=":
        for before in (
            *b" \t\"'`]",
            *(ord(end[-1]) for end in NAME_ENDS),
            *(ord(end[-1].upper()) for end in NAME_ENDS),
        ):
            code = before << 8 | sign
            signs[code] = True
            pairs[code] = pairs[code] or len(thirds) - 1
    return pairs, thirds, signs
