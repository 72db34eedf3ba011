"""The parts of a message in order: text, thoughts, calls of tools and their results, and media.

A part of a medium keeps its size and the place of its data in the source, never the data themselves. The names of
types and fields are those of native files (`type: image`, `width`, …).
"""

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct


class Place(Struct, frozen=True, gc=False):
    """Where the source holds data: the file as given, and the JSON path of a text in it (`line 5: $.content[0].data`).

    `path` is "" if the file itself is the data.
    """

    file: str
    path: str = ""


class Text(Struct, frozen=True, gc=False, tag_field="type", tag="text"):
    """A stretch of text."""

    text: str = ""


class Thought(Struct, frozen=True, gc=False, tag_field="type", tag="thought"):
    """Thinking of the model: its text, or `encrypted`, and then any text is only its summary.

    `tokens` are those the provider recorded. `place` is that of the signature or of the encrypted data, of which
    `bytes` is the size.
    """

    text: str = ""
    encrypted: bool = False
    tokens: int | None = None
    bytes: int | None = None
    place: Place | None = None


class Call(Struct, frozen=True, gc=False, tag_field="type", tag="call"):
    """A call of a tool; `arguments` is the text as the source wrote it, valid JSON or not."""

    id: str
    name: str
    arguments: str = ""


class Image(Struct, frozen=True, gc=False, tag_field="type", tag="image"):
    """A picture of `width` × `height` pixels as it is seen; `detail` is the level asked for (low, high, …).

    Of every medium, `name` is the file name and `address` is where the data are if they are not in the source: a URL
    or the id of a file. `bytes` is the size of the decoded data.
    """

    width: int | None = None
    height: int | None = None
    detail: str = ""
    media_type: str = ""
    bytes: int | None = None
    name: str = ""
    address: str = ""
    place: Place | None = None


class DocumentPart(Struct, frozen=True, gc=False, tag_field="type", tag="document"):
    """A document of so many pages; `text` is its text, if the source has it as text."""

    pages: int | None = None
    media_type: str = ""
    bytes: int | None = None
    text: str = ""
    name: str = ""
    address: str = ""
    place: Place | None = None


class Sound(Struct, frozen=True, gc=False, tag_field="type", tag="audio"):
    """A sound of so many seconds."""

    seconds: float | None = None
    media_type: str = ""
    bytes: int | None = None
    name: str = ""
    address: str = ""
    place: Place | None = None


class Video(Struct, frozen=True, gc=False, tag_field="type", tag="video"):
    """A film of so many seconds."""

    seconds: float | None = None
    media_type: str = ""
    bytes: int | None = None
    name: str = ""
    address: str = ""
    place: Place | None = None


class Unknown(Struct, frozen=True, gc=False, tag_field="type", tag="unknown"):
    """A part that no reader knows: its type in the source (`kind`), and its size there."""

    kind: str = ""
    bytes: int | None = None
    place: Place | None = None


Medium: TypeAlias = Image | DocumentPart | Sound | Video
Held: TypeAlias = Image | DocumentPart | Sound | Video | Unknown
"""The parts that a result holds beside its text."""
Seen: TypeAlias = Image | Sound | Video
"""The media that are no text in any form."""


class Result(Struct, frozen=True, gc=False, tag_field="type", tag="result"):
    """The result of the call `id`: its text, and the media in it."""

    id: str = ""
    name: str = ""
    content: str = ""
    parts: tuple[Held, ...] = ()


Part: TypeAlias = Text | Thought | Call | Result | Image | DocumentPart | Sound | Video | Unknown
PARTS: tuple[type[Part], ...] = (Text, Thought, Call, Result, Image, DocumentPart, Sound, Video, Unknown)
"""The classes of parts."""


def type_of(part: Part) -> str:
    """Return the type of a part, as native files name it."""
    return str(part.__struct_config__.tag)


def text_of(parts: Iterable[Part]) -> str:
    """Return the text of parts, line by line: that of texts, of documents with text, and of results."""
    return "\n".join([text for part in parts if (text := _own_text(part)) is not None])


def _own_text(part: Part) -> str | None:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Result):
        return part.content
    return part.text or None if isinstance(part, DocumentPart) else None


def flat(parts: Iterable[Part]) -> list[Part]:
    """Return the parts in order, each result followed by the media in it."""
    found: list[Part] = []
    for part in parts:
        found.append(part)
        if isinstance(part, Result):
            found += part.parts
    return found
