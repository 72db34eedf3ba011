"""Texts of JSON that no value is written as: marks stand for them in a value, and are replaced once it is written."""

import random
import re

_MOST_LETTERS = 500_000

_RAW = "raw({})raw"
_MARK = re.compile(r"""["']?raw\((\d+)\)raw["']?""")
_RAW_TEXTS = (
    *("[" * depth + "]" * depth for depth in (400, 998, 1_001, 5_000, 100_000)),
    *('{"a":' * depth + "1" + "}" * depth for depth in (400, 998, 5_000, 50_000)),
    *("9" * 4_299, "9" * 5_000, "-" + "9" * 4_500, "1e99999", "0." + "1" * 5_000, "-0", "01", "NaN", "1e-99999"),
    *('{"a": 1, "a": 2}', '"\\ud83d"', '"\\u0000"', '"\\udc00\\ud83d"', "[1,]", "tru", '"', "//", "\x00", ""),
)
"""What stands in the text of a document in place of a value, since no value is written so."""


def raw_mark(rng: random.Random) -> str:
    """A text that stands for one of them."""
    return _RAW.format(rng.randrange(len(_RAW_TEXTS)))


def with_raw(text: str) -> str:
    """The text with what its marks stand for, until that is too much: a mark may be there ten thousand times."""
    left = _MOST_LETTERS

    def raw(found: re.Match[str]) -> str:
        nonlocal left
        meant = _RAW_TEXTS[int(found[1]) % len(_RAW_TEXTS)]
        left -= len(meant)
        return meant if left > 0 else "0"

    return _MARK.sub(raw, text)
