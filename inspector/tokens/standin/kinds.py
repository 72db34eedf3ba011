"""The kinds of text whose factor was measured, and the stretches of each in a text.

Scripts are found by Unicode's blocks: a stretch holds the letters of a script and what stands between them. All else is
of the Latin kind that the whole text, or the fence it stands in, shows by plain tests.
"""

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cache

from inspector.tokens.content_kinds import READ_CODE_POINTS, ContentKind, content_kind


class TextKind(IntEnum):
    """A kind of text with a factor of its own. LATIN is any language in Latin letters but English; UNSURE either."""

    ENGLISH = 0
    LATIN = 1
    UNSURE = 2
    CODE = 3
    JSON = 4
    HTML = 5
    DIGITS = 6
    BASE64 = 7
    CYRILLIC = 8
    GREEK = 9
    ARABIC_HEBREW = 10
    DEVANAGARI = 11
    THAI = 12
    HAN = 13
    JAPANESE = 14
    HANGUL = 15
    OTHER = 16


_SCRIPTS = {
    TextKind.CYRILLIC: "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
    TextKind.GREEK: "\u0370-\u03ff\u1f00-\u1fff",
    TextKind.ARABIC_HEBREW: "\u0590-\u06ff\u0750-\u077f\u0870-\u08ff\ufb1d-\ufdff\ufe70-\ufefe",
    TextKind.DEVANAGARI: "\u0900-\u097f\ua8e0-\ua8ff",
    TextKind.THAI: "\u0e00-\u0e7f",
    TextKind.HAN: "\u2e80-\u30ff\u3190-\u319f\u31c0-\u31ff\u3300-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    "\uff01-\uff9f\U00020000-\U000323af",
    TextKind.HANGUL: "\u1100-\u11ff\u3130-\u318f\u3200-\u321e\ua960-\ua97f\uac00-\ud7ff",
    TextKind.OTHER: "\u0530-\u058f\u0700-\u074f\u0780-\u086f\u0980-\u0dff\u0e80-\u10ff\u1200-\u1c7f\u1c90-\u1cff"
    "\u2c00-\u2c5f\u2c80-\u2ddf\ua000-\ua63f\ua6a0-\ua6ff\ua800-\ua8df\ua900-\ua95f\ua980-\uab2f\uab70-\uabff"
    "\U00010000-\U0001d3ff\U0001d800-\U0001ffff",
}
_KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")

# The most frequent words of English that are none of its neighbours'.
_ENGLISH = re.compile(
    r"\b(?:the|and|of|that|with|this|you|are|have|what|would|there|which|from|your|they|not|how)\b", re.I
)
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH_SHARE = 0.06
_LEAST_WORDS = 12  # fewer do not tell that a text is not English
_FOREIGN_SHARE = 0.01
_BASE64 = re.compile(r"[A-Za-z0-9+/_=-]{64,}")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_HTML_SHARE = 0.3
_FENCE = "```"


def stretches(text: str) -> Iterator[tuple[TextKind, str]]:
    """Yield the stretches of a text with their kinds, in order; together they are the text."""
    for number, section in enumerate(text.split(_FENCE)):
        part = f"{_FENCE}{section}" if number else section
        if part:
            yield from _by_script(part, _kind_in_fence(section) if number % 2 else _kind(section))


def _by_script(text: str, kind: TextKind) -> Iterator[tuple[TextKind, str]]:
    """Yield the stretches of each script, those of Latin letters and of none as `kind`."""
    if text.isascii():
        yield kind, text
        return
    end = 0
    for found in _script_pattern().finditer(text):
        if found.start() > end:
            yield kind, text[end : found.start()]
        end = found.end()
        script = TextKind[str(found.lastgroup)]
        japanese = script is TextKind.HAN and _KANA.search(found[0])
        yield TextKind.JAPANESE if japanese else script, found[0]
    if end < len(text):
        yield kind, text[end:]


@cache
def _script_pattern() -> re.Pattern[str]:
    """Return a pattern for a stretch of a script: a space before it is part of its first word."""
    between = r"(?:[^\w]|\d)*"
    return re.compile(
        "|".join(f"(?P<{kind.name}> ?[{block}]+(?:{between}[{block}]+)*)" for kind, block in _SCRIPTS.items())
    )


def _kind(text: str) -> TextKind:
    """Return the kind of what is in Latin letters, or in none, in a text outside fences."""
    beginning = text[:READ_CODE_POINTS]
    visible = len("".join(beginning.split()))
    if 2 * sum(map(len, _BASE64.findall(beginning))) > visible:
        return TextKind.BASE64
    content = content_kind(text)
    if content is ContentKind.JSON:
        return TextKind.JSON
    if content is ContentKind.CODE:
        return _markup_or_code(beginning)
    if 2 * sum(map(str.isdigit, beginning)) > visible:
        return TextKind.DIGITS
    return _language(beginning)


def _kind_in_fence(text: str) -> TextKind:
    inside = text.partition("\n")[2] or text
    return TextKind.JSON if content_kind(inside) is ContentKind.JSON else _markup_or_code(inside[:READ_CODE_POINTS])


def _markup_or_code(text: str) -> TextKind:
    tagged = sum(map(len, _TAG.findall(text)))
    return TextKind.HTML if tagged > _HTML_SHARE * len(text) else TextKind.CODE


def _language(text: str) -> TextKind:
    words = len(_WORD.findall(text))
    if len(_ENGLISH.findall(text)) >= _ENGLISH_SHARE * max(words, 1):
        return TextKind.ENGLISH
    foreign = sum("\u00c0" <= char <= "\u024f" or "\u1e00" <= char <= "\u1eff" for char in text)
    if words >= _LEAST_WORDS or foreign > _FOREIGN_SHARE * len(text):
        return TextKind.LATIN
    return TextKind.UNSURE
