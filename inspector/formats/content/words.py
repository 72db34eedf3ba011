"""Parts of messages in words: what each is, how large, and how it was asked for."""

from collections.abc import Iterator

from inspector.figures import counted
from inspector.model import Call, DocumentPart, Image, Part, Result, Sound, Text, Thought, Unknown, Video

_KILO = 1_024
NOUNS: dict[type, tuple[str, str]] = {
    Text: ("text", "texts"),
    Thought: ("thought", "thoughts"),
    Call: ("call", "calls"),
    Result: ("result", "results"),
    Image: ("picture", "pictures"),
    DocumentPart: ("document", "documents"),
    Sound: ("sound", "sounds"),
    Video: ("video", "videos"),
    Unknown: ("part of an unknown type", "parts of unknown types"),
}
"""The word for each class of parts, and its plural."""


def part_words(part: Part) -> str:
    """Return a part in words: picture, 1,024 × 768, PNG, 4.5 KB, detail high."""
    return ", ".join((NOUNS[type(part)][0], *part_sizes(part)))


def in_brief(part: Part) -> str:
    """Return a part and the first that is known of it, as a cell shows it: Picture 1,024 × 1,024."""
    noun, first = NOUNS[type(part)][0], next(iter(part_sizes(part)), "")
    return f"{noun[0].upper()}{noun[1:]} {first}".rstrip()


def part_sizes(part: Part) -> tuple[str, ...]:
    """Return what is known of a part beside what it is: its size, type, name and detail."""
    return tuple(filter(None, _sizes(part)))


def _sizes(part: Part) -> Iterator[str]:
    if isinstance(part, Text):
        yield counted(len(part.text), "character")
    elif isinstance(part, Thought):
        yield "encrypted" if part.encrypted else ""
        yield counted(len(part.text), "character") if part.text else ""
        yield counted(part.tokens, "token") if part.tokens is not None else ""
    elif isinstance(part, Call):
        yield part.name
        yield counted(len(part.arguments), "character")
    elif isinstance(part, Result):
        yield part.name
        yield counted(len(part.content), "character")
    elif isinstance(part, Unknown):
        yield part.kind
        yield bytes_words(part.bytes)
    else:
        yield from _medium_sizes(part)


def _medium_sizes(part: Image | DocumentPart | Sound | Video) -> Iterator[str]:
    if isinstance(part, Image):
        yield f"{part.width:,} × {part.height:,}" if part.width and part.height else "size not known"
    elif isinstance(part, DocumentPart):
        yield counted(part.pages, "page") if part.pages else "" if part.text else "pages not known"
        yield counted(len(part.text), "character") if part.text else ""
    else:
        yield f"{part.seconds:,.1f} s" if part.seconds else "length not known"
    yield part.media_type.rpartition("/")[2].upper()
    yield bytes_words(part.bytes)
    yield f"detail {part.detail}" if isinstance(part, Image) and part.detail else ""
    yield part.name or part.address


def bytes_words(size: int | None) -> str:
    """Return a number of bytes in words, "" if it is not known."""
    if size is None:
        return ""
    if size < _KILO:
        return counted(size, "byte")
    return f"{size / _KILO:,.1f} KB" if size < _KILO**2 else f"{size / _KILO**2:,.1f} MB"
