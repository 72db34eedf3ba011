"""Finds a character card in a file: as JSON, in a chunk of a PNG, in a CHARX archive. Reads no card fields."""

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.model import Problem, changed
from inspector.reading.png import TextChunk
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text

_CHUNKS = ("ccv3", "chara")  # the first wins: beside it, chara is a copy for older programs
_PLAIN = frozenset(("personality", "scenario", "first_message", "first_mes", "description"))
_ENCRYPTED = b"rcc||"
_MEMBER = "card.json"  # of a CHARX archive
_SPACE = re.compile(rb"\s+")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]*={0,2}$")


@dataclass(frozen=True, slots=True)
class CardText:
    """The decoded object of a card, its place in the file (`$`, `ccv3`, `card.json`), and problems so far."""

    value: Mapping[str, Any]
    place: str
    problems: tuple[Problem, ...] = ()


def has_card(source: FileSource) -> float:
    """Return how likely a PNG or zip holds a card."""
    if source.shape == "png":
        names = {chunk.keyword.lower() for chunk in source.chunks}
        if names & set(_CHUNKS):
            return 1.0
        return 0.7 if "name" in names and names & _PLAIN else 0.0
    try:
        return 1.0 if _MEMBER in source.archive else 0.0
    except UnreadableError:
        return 0.0


def find_card(source: FileSource) -> CardText:
    """Return the card of a file. Raise UnreadableError if there is none or it cannot be read at all."""
    if source.shape == "png":
        return _from_png(source)
    if source.shape == "zip":
        return _from_archive(source)
    value = source.json
    if not isinstance(value, Mapping):
        raise source.unreadable("$", "expected an object: a character card")
    return CardText(value, "$")


def _from_png(source: FileSource) -> CardText:
    problems: list[Problem] = []
    for keyword in _CHUNKS:
        for chunk in source.chunks:
            if chunk.keyword.lower() != keyword:
                continue
            try:
                card = _decoded(chunk, source)
                return CardText(card, chunk.keyword, tuple(changed(found, severity="warning") for found in problems))
            except UnreadableError as error:
                problems.append(error.problem)  # an older copy of the card may be whole
    plain = {chunk.keyword.lower(): chunk for chunk in source.chunks}
    if "name" in plain and plain.keys() & _PLAIN:
        fields = {keyword: _text(_begun(chunk, source, problems)) for keyword, chunk in plain.items()}
        remark = source.problem("", "is a card of plain text chunks, read as version 1", "info")
        return CardText(fields, "", (*problems, remark))
    if problems:
        raise UnreadableError(problems[0])
    raise source.unreadable("", "expected a text chunk `chara` or `ccv3` with a character card, found none")


def _decoded(chunk: TextChunk, source: FileSource) -> Mapping[str, Any]:
    """Return the JSON object of a chunk: base64, perhaps wrapped or without padding. Raise UnreadableError."""
    data = base64_decoded(source.text_of(chunk))
    if data is None:
        raise source.unreadable(chunk.place, "expected base64 of JSON")
    if data.startswith(_ENCRYPTED):
        raise source.unreadable(chunk.place, "is an encrypted RisuAI card; export it from RisuAI without encryption")
    inside = source.within(data)
    try:
        value = inside.json
    except UnreadableError as error:
        raise source.unreadable(f"{chunk.place}, {error.problem.place}", error.problem.message) from None
    source.problems += inside.problems
    if not isinstance(value, Mapping):
        raise source.unreadable(chunk.place, "expected a JSON object with the fields of a card")
    return value


def _begun(chunk: TextChunk, source: FileSource, problems: list[Problem]) -> bytes:
    """Return the text of a plain field, or the readable beginning of a truncated field; corrupt data is a problem."""
    if not chunk.is_packed:
        return chunk.packed
    try:
        return source.text_of(chunk)
    except UnreadableError as error:
        problems.append(error.problem)
        return b""


def base64_decoded(text: bytes) -> bytes | None:
    """Return the bytes behind base64 text; JSON or encrypted text unchanged; None for anything else."""
    packed = _SPACE.sub(b"", text)
    if packed.startswith((b"{", _ENCRYPTED)):
        return text
    if not _BASE64.match(packed):
        return None
    bare = packed.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    try:
        return b64decode(bare + b"=" * (-len(bare) % 4))
    except binascii.Error:
        return None


def _text(data: bytes) -> str:
    """Return the text of a chunk: Latin-1 by the specification, UTF-8 in practice."""
    try:
        return as_text(data.decode())
    except UnicodeDecodeError:
        return as_text(data.decode("latin-1"))


def _from_archive(source: FileSource) -> CardText:
    if _MEMBER not in source.archive:
        raise _no_card(source)
    member = source.member(_MEMBER)
    value = member.json
    source.problems += member.problems
    if not isinstance(value, Mapping):
        raise source.unreadable(_MEMBER, "expected a JSON object with the fields of a card")
    return CardText(value, _MEMBER)


def _no_card(source: FileSource) -> UnreadableError:
    """Return the error for an archive without a card: the reason why its card may not be read, or its absence."""
    reason = next((problem for problem in source.archive.problems if problem.file.endswith(f"/{_MEMBER}")), None)
    return (
        UnreadableError(reason) if reason else source.unreadable(_MEMBER, "expected a card in the archive, found none")
    )
