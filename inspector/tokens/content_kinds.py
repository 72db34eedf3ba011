"""Kinds of content: whether a text is prose, code, CJK, emoji or JSON, by plain rules. Nothing is counted here.

The first rule that fits decides. The rules examine the first 4,000 code points; JSON is parsed whole.

1. JSON: the text, its inside if it is a single fence, or each of its lines is a JSON object or array. 2. Code: at least
half of its lines are in a fence, or look like a statement, a tag, a comment or a bracket. 3. Emoji: at least a fifth of
its characters are emoji. 4. CJK: at least three tenths of its characters are Chinese, Japanese or Korean. 5. Prose: at
least half of its characters are letters, of any script. 6. Other: everything else, such as figures, rules of dashes,
and nothing at all.

Blank lines and white space do not count. A text of several kinds has the kind of the first matching rule.
"""

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import cache

import numpy as np
import orjson
from numpy.typing import NDArray

READ_CODE_POINTS = 4_000
CODE_SHARE = 0.5
EMOJI_SHARE = 0.2
CJK_SHARE = 0.3
LETTER_SHARE = 0.5

_FENCE = "```"
_BRACKETS = {"{": "}", "[": "]"}
_CODE_LINE = r"""^\s*(
      .*\{$                                                      # opens a block
    | (.*[(){}\[\]=<>+*/&|].*|break|continue|return\b.*|import\b.*);$  # ends like a statement, with more than words
    | [)\]}]+[;,)]*$                                             # nothing but closing brackets
    | (//|/\*|\*/|\#!|\#include\b|--\s|<!--|@\w+(\(.*\))?$)      # a comment or a decorator
    | </?[A-Za-z][^<>]*>.*                                       # a tag
    | (async\s+)?(def|class|func|fn|function)\s+\w+.*[:({]\s*.*$  # a definition
    | (import\s+[\w.{*]+[^.?!]*|from\s+[\w.]+\s+import\s.+)$
    | (if|elif|else|for|while|try|except|finally|with|match|case|switch)\b.*:$
    | (return|raise|throw|yield|await)\s+[^.?!]*[\w)\]}'"]$
    | (const|let|var|public|private|static|void|int|float|bool|pub)\s+.*=.*
    | (SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|CREATE|ALTER|DROP)\s+\S.*
    | [\w.\[\]"']+\s*([-+*/|&%]|:)?=\s*\S.*                      # an assignment
    | [\w.]+\([^()]*\)(\.\w+\(.*\))*$                            # a call
    | \$\s+\w.*                                                  # a shell prompt
    )\s*$"""
_CJK = (
    "[\u1100-\u11ff\u2e80-\u2fdf\u3000-\u30ff\u3100-\u318f\u31a0-\u31ff\u3200-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001b000-\U0001b16f\U00020000-\U000323af]+"
)
_EMOJI = (
    "[\u200d\u20e3\u231a\u231b\u23e9-\u23f3\u25fd\u25fe\u2600-\u27bf\u2b1b\u2b1c\u2b50\u2b55\ufe0f"
    "\U0001f000-\U0001faff\U000e0020-\U000e007f]+"
)


class ContentKind(IntEnum):
    """The main content of a text, in the order of interest."""

    PROSE = 0
    CODE = 1
    CJK = 2
    EMOJI = 3
    JSON = 4
    OTHER = 5


def content_kind(text: str) -> ContentKind:
    """Return the kind of a text, by the rules of this module."""
    beginning = text[:READ_CODE_POINTS]
    visible = len("".join(beginning.split()))
    if not visible:
        return ContentKind.OTHER
    if _is_json(text.strip()):
        return ContentKind.JSON
    if _code_share(beginning) >= CODE_SHARE:
        return ContentKind.CODE
    if not beginning.isascii():
        if _found(_EMOJI, beginning) >= EMOJI_SHARE * visible:
            return ContentKind.EMOJI
        if _found(_CJK, beginning) >= CJK_SHARE * visible:
            return ContentKind.CJK
    letters = sum(map(str.isalpha, beginning))
    return ContentKind.PROSE if letters >= LETTER_SHARE * visible else ContentKind.OTHER


def content_kinds(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Return the kind of each text, as a column of `ContentKind`."""
    return np.fromiter(map(content_kind, texts), np.uint8, len(texts))


def _found(pattern: str, text: str) -> int:
    return sum(map(len, _compiled(pattern).findall(text)))


@cache
def _compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile the pattern when it is first needed: this takes 20 ms, for which no window has to wait."""
    return re.compile(pattern, flags)


def _is_json(text: str) -> bool:
    """Return whether this stripped text is JSON, whole, in a fence or line by line; a single number or word is none."""
    if text.startswith(_FENCE) and text.endswith(_FENCE) and text.count(_FENCE) == 2:
        text = text[len(_FENCE) : -len(_FENCE)].partition("\n")[2].strip()
    if text[:1] not in _BRACKETS or text[-1:] not in _BRACKETS.values():
        return False
    return _parses(text) or all(_parses(line) for line in text.splitlines() if line.strip())


def _parses(text: str) -> bool:
    text = text.strip()
    if _BRACKETS.get(text[:1]) != text[-1:]:
        return False
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _code_share(text: str) -> float:
    """Return the share of code lines; fences themselves do not count as lines."""
    code, lines, fenced = 0, 0, False
    code_line = _compiled(_CODE_LINE, re.VERBOSE | re.ASCII)
    for line in text.splitlines():
        if line.lstrip().startswith(_FENCE):
            fenced = not fenced
        elif line.strip():
            lines += 1
            code += fenced or code_line.match(line.rstrip()) is not None
    return code / lines if lines else 0.0
