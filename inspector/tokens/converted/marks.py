"""Tokens looked for before a text is cut into words, with their ids, from the files of a folder."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.tokens.tokenizer import TokenizerUnavailableError
from inspector.tokens.vocabulary_limits import HIGHEST_ID, added_fault

_LISTS = ("additional_special_tokens", "extra_special_tokens")


@dataclass(frozen=True, slots=True)
class AddedMark:
    """A token looked for before a text is cut into words; `number` is its id, None for the next free id.

    The other flags are those of Hugging Face's library: `normalized` tokens are looked for in the normalised text,
    `lstrip` and `rstrip` take the white space beside the token, and `single_word` forbids letters there.
    """

    text: str
    number: int | None
    special: bool
    normalized: bool
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False


def read_marks(folder: Path, values: Mapping[str, Any], added: Mapping[str, Any]) -> tuple[AddedMark, ...]:
    """Return the marks in tokenizer_config.json, special_tokens_map.json and added_tokens.json, each text once.

    Raises TokenizerUnavailableError for invalid ids and for an id used twice.
    """
    return _unique(folder, _marks(folder, values, added))


def with_marks(vocabulary: Mapping[str, int], marks: Iterable[AddedMark], file: Path) -> dict[str, int]:
    """Return the vocabulary of a file with the marks that have an id.

    Raises TokenizerUnavailableError if the marks contradict the vocabulary.
    """
    texts = {number: text for text, number in vocabulary.items()}
    added = {mark.text: mark.number for mark in marks if mark.number is not None}
    for text, number in added.items():
        if vocabulary.get(text, number) != number or texts.get(number, text) != text:
            there = f"its id is {vocabulary[text]:,}" if text in vocabulary else f"that is {texts[number]!r}"
            what = f"the added token {text!r} has the id {number:,}, but in {file.name} {there}"
            raise TokenizerUnavailableError(f"{file.parent} is not usable: {what}")
    return {**vocabulary, **added}


def add_marks(backend: Any, marks: Iterable[AddedMark]) -> None:
    """Add the marks to a library object; of several with the same text, the first counts."""
    from tokenizers import AddedToken

    unique: dict[str, AddedMark] = {}
    for mark in marks:
        unique.setdefault(mark.text, mark)
    backend.add_tokens(
        [
            AddedToken(
                mark.text,
                special=mark.special,
                normalized=mark.normalized,
                lstrip=mark.lstrip,
                rstrip=mark.rstrip,
                single_word=mark.single_word,
            )
            for mark in unique.values()
        ]
    )


def _marks(folder: Path, values: Mapping[str, Any], added: Mapping[str, Any]) -> Iterator[AddedMark]:
    """Yield the marks with an id, by rising ids, then the special tokens without an id."""
    specials = list(_specials(values))
    numbered = values.get("added_tokens_decoder")
    if isinstance(numbered, dict) and numbered:
        file = folder / "tokenizer_config.json"
        found = [_described(file, number, token) for number, token in numbered.items()]
    else:
        file = folder / "added_tokens.json"
        found = [AddedMark(text, _id(file, number, text), text in specials, False) for text, number in added.items()]
    yield from sorted(found, key=lambda mark: mark.number or 0)
    yield from (AddedMark(text, None, True, False) for text in specials)


def _specials(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of the special tokens in the files."""
    for key, value in values.items():
        if key.endswith("_token") and not isinstance(value, bool):
            yield token_text(value)
    for listed in map(values.get, _LISTS):
        if isinstance(listed, list | dict):
            yield from map(token_text, listed.values() if isinstance(listed, dict) else listed)


def _described(file: Path, number: str, token: Any) -> AddedMark:
    """Return a token of `added_tokens_decoder`, whose keys are ids."""
    text = token_text(token)
    flags = token if isinstance(token, dict) else {}
    special = bool(flags.get("special", False))
    asked = (bool(flags.get(flag, False)) for flag in ("lstrip", "rstrip", "single_word"))
    place = int(number) if number.isdecimal() and len(number) < 20 else number
    return AddedMark(text, _id(file, place, text), special, bool(flags.get("normalized", not special)), *asked)


def _id(file: Path, number: Any, text: str) -> int:
    if type(number) is int and 0 <= number < HIGHEST_ID:
        return number
    wanted = f"a number from 0 to {HIGHEST_ID - 1:,}"
    raise TokenizerUnavailableError(
        f"{file} is not usable: the token {text!r} has the id {number!r}, expected {wanted}"
    )


def _unique(folder: Path, marks: Iterator[AddedMark]) -> tuple[AddedMark, ...]:
    """Return the first mark of each text; two texts never have the same id."""
    kept: dict[str, AddedMark] = {}
    texts: dict[int, str] = {}
    for mark in marks:
        if not mark.text or mark.text in kept:
            continue
        kept[mark.text] = mark
        if mark.number is not None and texts.setdefault(mark.number, mark.text) != mark.text:
            both = f"{texts[mark.number]!r} and {mark.text!r}"
            raise TokenizerUnavailableError(f"{folder} is not usable: the added tokens {both} have the same id")
    if fault := added_fault(kept):
        raise TokenizerUnavailableError(f"{folder} is not usable: {fault}")
    return tuple(kept.values())


def token_text(token: Any) -> str:
    """Return the text of a token, which files write as a string or an object."""
    text = token.get("content") if isinstance(token, dict) else token
    return text if isinstance(text, str) else ""
