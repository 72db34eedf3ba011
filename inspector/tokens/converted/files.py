"""The vocabularies of byte pairs (`vocab.json` and `merges.txt`) and of WordPiece (`vocab.txt`), read and checked.

Whatever the library that runs them would answer with a panic, or with counts of nothing, is an error here that names
the file, the place and what was expected.
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
    """Tokens with their ids, and the pairs that are joined, the first of them first."""

    vocabulary: Mapping[str, int]
    merges: tuple[tuple[str, str], ...]


def read_byte_pairs(vocabulary: Path, merges: Path) -> BytePairs:
    """The vocabulary of two files; every half of a pair, and what they make together, is a token of it."""
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
    """The tokens of a file with one on each line; among them the one for unknown words. Ids are places of lines."""
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
    """An object of JSON from tokens to ids, each id once."""
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
