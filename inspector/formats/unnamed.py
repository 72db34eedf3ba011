"""Content that comes without a file: what is pasted, or stands on standard input."""

import json
from collections.abc import Iterable

from inspector.formats.format import Format
from inspector.formats.registry import rank_formats
from inspector.reading.source import FileSource

_BEGINNINGS = ("{", "[{", "[[", '["')


def is_plain_text(source: FileSource, formats: Iterable[Format]) -> bool:
    """Whether this is text of none of the formats, and not meant as JSON either."""
    if source.shape not in ("text", "yaml"):
        return False
    return not rank_formats(source, formats)[0] and not "".join(source.text.split()).startswith(_BEGINNINGS)


def as_file(source: FileSource, formats: Iterable[Format]) -> bytes:
    """What a file of it would hold: plain text is one message of a user, anything else stays as it is.

    Secrets stay, too, unlike in what is written for others: this is the only copy of what the person has.
    """
    if is_plain_text(source, formats):
        return json.dumps([{"role": "user", "content": source.text}]).encode()
    return source.data
