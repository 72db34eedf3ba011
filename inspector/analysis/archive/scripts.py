"""The main script of a text: enough to see the languages of an archive, without any model."""

from functools import cache
from typing import Any

READ_CODE_POINTS = 2_000
OTHER = "other"
"""A script without a name here, and texts without letters, such as figures and pictures."""
SCRIPTS = {
    "Latin": r"\p{Latin}",
    "Cyrillic": r"\p{Cyrillic}",
    "Greek": r"\p{Greek}",
    "Han": r"\p{Han}",
    "Japanese": r"[\p{Hiragana}\p{Katakana}]",
    "Hangul": r"\p{Hangul}",
    "Arabic": r"\p{Arabic}",
    "Hebrew": r"\p{Hebrew}",
    "Devanagari": r"\p{Devanagari}",
    "Thai": r"\p{Thai}",
}
_KANA_SHARE = 0.1


@cache
def _patterns() -> dict[str, Any]:
    import regex

    return {name: regex.compile(f"{pattern}+") for name, pattern in SCRIPTS.items()}


def script_of(text: str) -> str:
    """Return the script of most letters at the beginning of a text; Han with a tenth of kana is Japanese."""
    begun = text[:READ_CODE_POINTS]
    if begun.isascii():
        return "Latin" if any(map(str.isalpha, begun)) else OTHER
    letters = {name: sum(map(len, pattern.findall(begun))) for name, pattern in _patterns().items()}
    if letters["Japanese"] > _KANA_SHARE * (letters["Han"] + letters["Japanese"]):
        letters["Japanese"] += letters.pop("Han")
    most = max(letters, key=letters.__getitem__)
    return most if letters[most] else OTHER
