"""The vocabularies of byte pairs (`vocab.json` and `merges.txt`) and of WordPiece (`vocab.txt`), read and checked.

Content that would make the library panic or count nothing is an error here, with the file, the place and the expected
content.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from inspector.tokens.converted.settings import read_json, read_lines
from inspector.tokens.tokenizer import TokenizerUnavailableError
from inspector.tokens.vocabulary_limits import HIGHEST_ID, vocabulary_fault

_VERSION = "#version"
_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True)
class BytePairs:
    """Tokens with their ids, and the pairs to join, by falling priority."""

    vocabulary: Mapping[str, int]
    merges: tuple[tuple[str, str], ...]


def read_byte_pairs(vocabulary: Path, merges: Path) -> BytePairs:
    """Return the vocabulary in two files; both halves of each pair and their union are tokens of it."""
    tokens = _ids(vocabulary)
    pairs = []
    for number, line in enumerate(read_lines(merges).split("\n"), start=1):
        if not line.strip() or (number == 1 and line.startswith(_VERSION)):
            continue
        halves = line.split(" ")
        if len(halves) != 2 or not all(halves):
            raise _unusable(merges, f"line {number:,} is {line[:80]!r}, expected two tokens and a space between them")
        for token in (*halves, "".join(halves)):
            if token not in tokens:
                what = f"line {number:,} is {line[:80]!r}, but {vocabulary.name} has no {token[:80]!r}"
                raise _unusable(merges, what)
        pairs.append((halves[0], halves[1]))
    return BytePairs(tokens, tuple(pairs))


def read_wordpiece(file: Path, unknown: str) -> dict[str, int]:
    """Return the tokens of a file with a token per line, `unknown` among them. Ids are line numbers from 0."""
    lines = read_lines(file).removesuffix("\n").split("\n")
    tokens = {token: number for number, token in enumerate(lines) if token}
    if not tokens:
        raise _unusable(file, "it holds no tokens")
    if unknown not in tokens:
        raise _unusable(file, f"none of its {len(tokens):,} tokens is {unknown[:80]!r}, the one for unknown words")
    if fault := vocabulary_fault(tokens):
        raise _unusable(file, fault)
    return tokens


def _ids(file: Path) -> dict[str, int]:
    """Return the tokens and ids of a JSON object; no id occurs twice."""
    tokens = read_json(file)
    if not isinstance(tokens, dict) or not tokens:
        raise _unusable(file, "expected an object of JSON from tokens to ids")
    places: dict[int, str] = {}
    for token, number in tokens.items():
        if type(number) is not int or not 0 <= number < HIGHEST_ID:
            wanted = f"a number from 0 to {HIGHEST_ID - 1:,}"
            raise _unusable(file, f"the token {token[:80]!r} has the id {_shown(number)}, expected {wanted}")
        if places.setdefault(number, token) != token:
            both = f"{places[number][:80]!r} and {token[:80]!r}"
            raise _unusable(file, f"the tokens {both} have the same id, {number:,}")
    if fault := vocabulary_fault(tokens):
        raise _unusable(file, fault)
    return tokens


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


def _unusable(file: Path, what: str) -> TokenizerUnavailableError:
    return TokenizerUnavailableError(f"{file} is not usable: {what}")
