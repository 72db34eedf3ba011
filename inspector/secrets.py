"""Secrets in texts of files: keys, tokens, signed addresses and private keys, by the forms that their makers document.

This module alone decides what a secret is. Texts are kept and counted as they are; whatever is shown or written goes
through `masked`, which puts • in the place of each character, so that every place in a text stays where it was.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

MARK = "•"
MASKED = "masked wherever it is shown or exported"
"""What becomes of a secret, as the problem of a file with secrets ends."""
_LONGEST = 4_000  # characters of a secret that are looked for around the place where one was seen
_BEFORE, _NEAR = 60, 20
_LEAD = b"  "  # what a hint ends with has two bytes before it
_MOST_SPOTS = 200_000  # a text of nothing else holds millions of what begins like a secret
_CHUNK = 1 << 18
_REST = r"[A-Za-z0-9_-]"


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of secret: texts without any of the `hints` have none; group 2 of the pattern is what is masked."""

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _kind(name: str, head: str, rest: str, *hints: str) -> _Kind:
    # A secret that may begin inside of what may be one would be looked for from each such place to the end.
    before = "[A-Za-z0-9_-]" if _REST in rest else "[A-Za-z0-9]"
    return _Kind(name, hints, re.compile(rf"(?<!{before})({head})({rest})"))


_SIGNED = "Signature|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token|sig|access_token|token"
_KINDS = (
    _kind("an Anthropic API key", "sk-ant-", rf"{_REST}{{16,}}", "sk-ant-"),
    _kind("an API key as OpenAI makes them", "sk-(?!ant-)", rf"(?={_REST}*[0-9]){_REST}{{20,}}", "sk-"),
    _kind("a GitHub token", "gh[pousr]_", r"[A-Za-z0-9]{20,}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _kind("a GitHub token", "github_pat_", r"\w{22,}", "github_pat_"),
    _kind("an AWS access key", "AKIA|ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])", "AKIA", "ASIA"),
    _kind("a Slack token", "xox[abeoprs]-|xapp-", r"[A-Za-z0-9-]{10,}", "xox", "xapp-"),
    _kind("a Google API key", "AIza", rf"{_REST}{{35}}", "AIza"),
    _kind("a Google token", r"ya29\.", rf"{_REST}{{20,}}", "ya29."),
    _kind("a Hugging Face token", "hf_", r"[A-Za-z0-9]{30,}", "hf_"),
    _kind("a Stripe key", "[sr]k_(?:live|test)_", r"[A-Za-z0-9]{16,}", "k_live_", "k_test_"),
    _kind("a GitLab token", "glpat-", rf"{_REST}{{20,}}", "glpat-"),
    _kind("an xAI API key", "xai-", r"[A-Za-z0-9]{20,}", "xai-"),
    _kind("a Groq API key", "gsk_", r"[A-Za-z0-9]{20,}", "gsk_"),
    _kind("an npm token", "npm_", r"[A-Za-z0-9]{36}", "npm_"),
    _kind("a signed token (JWT)", r"eyJ", rf"{_REST}{{10,}}\.eyJ{_REST}{{10,}}\.{_REST}{{10,}}", "eyJ"),
    _kind("a bearer token", "Bearer ", r"(?=[^\s]*[0-9])[A-Za-z0-9._~+/-]{20,}", "Bearer "),
    _Kind(
        "a signed address",
        ("ignature=", "sig=", "oken="),
        re.compile(rf"((?:[?&]|amp;|u0026)(?:{_SIGNED})=)([^\s&\"'<>?\\)\]]{{16,}})"),
    ),
    _Kind(
        "a private key",
        ("PRIVATE KEY-----",),
        re.compile(r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)((?:(?!-----)[^\"<>])+)"),
    ),
)
_HINTED = tuple((hint, kind) for kind in _KINDS for hint in kind.hints)
_HINTS = tuple(hint for hint, _ in _HINTED)
_KEY_BODY = re.compile(r"(\\[nr])|[^\s\\]")
_BEARER = b"Bearer "  # its rare byte is the first: what comes after tells it from every other B
# One byte of each hint, with the two that stand before it.
_ANY = tuple(range(65_536))
_ENDS = tuple(
    (ord(end), tuple(ord(pair[0]) << 8 | ord(pair[1]) for pair in befores.split()) or _ANY)
    for end, befores in (
        ("-", "sk xa xb xe xo xp xr xs pp at ai EY"),
        ("_", "hp ho hu hs hr at hf ve st sk pm"),
        ("=", "re ig en"),
        ("A", "KI SI"),
        ("z", "AI"),
        ("J", "ey"),
        ("9", "a2"),
        ("B", ""),
    )
)
_revealed = False


def reveal(revealed: bool) -> None:
    """Show secrets in this process from now on, or mask them again. Only a person asks for that."""
    global _revealed
    _revealed = revealed


def are_revealed() -> bool:
    """Whether secrets are shown."""
    return _revealed


def masked(text: str) -> str:
    """The text with • for each character of its secrets; a text without any, or while they are revealed, as it is."""
    if _revealed:
        return text
    for hint in _HINTS:
        if hint in text:
            return _masked(text)
    return text


def _masked(text: str) -> str:
    for kind in _KINDS:
        if any(hint in text for hint in kind.hints):
            text = kind.pattern.sub(_covered, text)
    return text


def masked_head(text: str, limit: int) -> str:
    """The first characters of a masked text, in a time that does not grow with the text."""
    return masked(text[: limit + _BEFORE])[:limit] if len(text) > limit else masked(text)


def masked_json(json: bytes) -> bytes:
    """The same for JSON in UTF-8: it stays JSON."""
    if _revealed or not any(hint.encode() in json for hint in _HINTS):
        return json
    return _masked(json.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass")


def _covered(found: re.Match[str]) -> str:
    secret = found[2]
    if found[1].startswith("-----BEGIN"):
        return found[1] + _KEY_BODY.sub(lambda one: one[1] or MARK, secret)
    return found[1] + MARK * len(secret)


def secrets_in(text: str) -> Iterator[tuple[int, str]]:
    """Where secrets begin in a text, and the kind of each, in order; the text may be long."""
    end = 0
    # One byte a character, ? for what is not ASCII: hints are.
    spots = _spots(_LEAD + text.encode("ascii", "replace"))
    for place in (spot - len(_LEAD) for spot in islice(spots, _MOST_SPOTS)):
        if place >= end and (match := _secret_at(text, max(end, place - _BEFORE), place)):
            found, kind = match
            end = found.end()
            yield found.start(), kind.name


def kinds_words(kinds: Iterable[str]) -> str:
    """Kinds of secrets in the order in which they first come: a GitHub token (2 times), an AWS access key."""
    counts = Counter(kinds)
    return ", ".join(f"{kind} ({times:,} times)" if times > 1 else kind for kind, times in counts.items())


def may_hold_secrets(data: bytes) -> bool:
    """Whether a text in UTF-8, such as a whole file, holds any: a look that takes little beside reading it."""
    for place in islice(_spots(data), _MOST_SPOTS):
        start = max(0, place - _BEFORE)
        near = data[start : place + _NEAR * 16].decode("latin-1")  # a character for each byte
        if _secret_at(near, 0, place - start):
            return True
    return False


def _secret_at(text: str, start: int, place: int) -> tuple[re.Match[str], _Kind] | None:
    """The secret around a place, and its kind."""
    near = text[max(0, place - _NEAR) : place + _NEAR]
    for hint, kind in _HINTED:
        if hint in near:
            found = kind.pattern.search(text, start, place + _NEAR * 16)
            if found and found.start() <= place < found.end():
                return kind.pattern.match(text, found.start(), place + _LONGEST) or found, kind
    return None


def _spots(text: bytes) -> Iterator[int]:
    """Where a hint may end in a text: found with numpy, as looking for each hint in turn would take several times that.

    One byte of each hint is looked for, and those that have the right two before them are left, or after them.
    """
    import numpy as np

    data = np.frombuffer(text, np.uint8)
    ends, number_of, fits = _tables()
    for begin in range(0, len(data), _CHUNK):
        part = data[begin : begin + _CHUNK]
        is_end = part == ends[0]
        for end in ends[1:]:
            is_end |= part == end
        found = np.flatnonzero(is_end) + begin
        found = found[found >= 2]
        before = data[found - 2].astype(np.uint16) << 8 | data[found - 1]
        found = found[fits[number_of[data[found]], before]]
        is_bearer, last = data[found] == _BEARER[0], len(data) - 1
        for after, byte in enumerate(_BEARER[1:], 1):
            found, is_bearer = _left(found, is_bearer, data[np.minimum(found + after, last)] == byte)
        yield from found.tolist()


def _left(found: Any, is_bearer: Any, goes_on: Any) -> tuple[Any, Any]:
    """The spots without those of a B that does not go on as a bearer token does."""
    stays = goes_on | ~is_bearer
    return found[stays], is_bearer[stays]


@cache
def _tables() -> tuple[tuple[int, ...], Any, Any]:
    """The bytes of `_ENDS`, the number of each among them, and for each number whether two bytes may stand before."""
    import numpy as np

    number_of, fits = np.zeros(256, np.uint8), np.zeros((len(_ENDS), 65_536), np.bool_)
    for number, (end, befores) in enumerate(_ENDS):
        number_of[end] = number
        fits[number, list(befores)] = True
    return tuple(end for end, _ in _ENDS), number_of, fits
