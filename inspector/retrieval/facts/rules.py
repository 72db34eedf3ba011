"""Rules for finding facts by their form: a pattern, and the value of a match. The kinds are explained in facts.py."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from inspector.derived import cached_property


class FactKind(Enum):
    """The kinds of facts; the value is the word for users and files."""

    NAME = "name"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    AMOUNT = "amount"
    EMAIL = "email"
    URL = "url"
    PATH = "path"
    CODE = "code"
    QUOTATION = "quotation"


@dataclass(frozen=True)
class Rule:
    """A rule finding facts of a kind and their values; facts with the same value are the same, however they are
    written.

    A text without a `sign` has no such facts, so most texts need no search. Both patterns are compiled on first use:
    compiling all of them takes longer than opening many a window.
    """

    kind: FactKind
    written_sign: str
    written_pattern: str
    flags: int
    value: Callable[[re.Match[str]], str]

    @cached_property
    def sign(self) -> re.Pattern[str]:
        """A pattern found in every text with such a fact."""
        return re.compile(self.written_sign)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the facts."""
        return re.compile(self.written_pattern, self.flags)


_MONTH_NAMES = (
    *("january jan januar janvier enero", "february feb februar février febrero", "march mar märz mars marzo"),
    *("april apr avril abril", "may mai mayo", "june jun juni juin junio", "july jul juli juillet julio"),
    *("august aug août agosto", "september sep sept septembre septiembre", "october oct oktober octobre octubre"),
    *("november nov novembre noviembre", "december dec dezember décembre diciembre"),
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_CURRENCY_WORDS = {
    "usd": "$ us$ usd dollar dollars",
    "eur": "€ eur euro euros",
    "gbp": "£ gbp pound pounds",
    "jpy": "¥ ￥ jpy yen 円",
    "cny": "cny rmb 元",
    "inr": "₹ inr rupees",
    "krw": "₩ krw won 원",
    "rub": "₽ rub roubles rubles руб",
    "chf": "chf francs",
    "%": "% ％ ٪ percent prozent",
}
_CURRENCIES = {word: name for name, words in _CURRENCY_WORDS.items() for word in words.split()}
_EXTENSIONS = (
    "py js ts tsx jsx json jsonl yaml yml toml md txt csv pdf docx doc xlsx xls pptx ppt html htm css xml sql sh bat "
    "exe png jpg jpeg gif svg mp3 mp4 wav zip tar gz cpp hpp rs go java kt rb php lock log ini cfg conf ipynb gguf"
).replace(" ", "|")

# Figures of any script, with white space or marks between groups of three, and a decimal part.
_NUMBER = r"\d{1,3}(?:[,\u00a0\u202f’']\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)*"
# "may" and "march" are also verbs.
_MONTH = r"(?:(?!(?-i:may|march|mar)\b)(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b(?:\.(?=\s+\d))?)"
# A unit written in letters ends where its word ends, except in scripts without spaces.
_UNIT = "|".join(
    re.escape(word) + (r"\b" if word.isascii() and word[-1].isalpha() else "")
    for word in sorted(_CURRENCIES, key=len, reverse=True)
)
_MARK = r"US\$|[$€£¥￥₹₩₽]"
_LIST_MARK = re.compile(r"[.)]\s")
_ADDRESS_END = ".,;:!?)]}*_'\""


def folded(text: str) -> str:
    """Return a text in the form used for comparison: compatible forms, cases and runs of white space are unified."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def number_value(text: str) -> str:
    """Return figures in ASCII digits, without group separators and meaningless zeros.

    1,204 is 1204 and 12,5 is 12.5; 1.204 stays, because it could be either.
    """
    digits = "".join(str(unicodedata.digit(letter)) if letter.isdigit() else letter for letter in text)
    plain = re.sub(r"(?<=\d)[,\u00a0\u202f’'](?=\d{3}(?!\d))", "", digits)
    whole, point, rest = plain.partition(".")
    if not point and re.fullmatch(r"\d+,\d+", plain):
        whole, point, rest = plain.partition(",")
    if point and rest.isdigit():
        return f"{whole.lstrip('0') or '0'}{'.' * bool(rest.rstrip('0'))}{rest.rstrip('0')}"
    return plain.lstrip("0") or "0"


def _number(found: re.Match[str]) -> str:
    """Return the value of figures, "" for the number of a list item: 1. or 1) at the beginning of a line."""
    line = found.string[found.string.rfind("\n", 0, found.start()) + 1 : found.start()]
    marks = not line.strip() and _LIST_MARK.match(found.string, found.end())
    return "" if marks else number_value(found[0])


def _date(found: re.Match[str]) -> str:
    """Return year, month and day as far as given: 2024-3-5, -3-5, 2024-3."""
    parts = found.groupdict()
    month = parts["month"].rstrip(".").lower()
    number = str(_MONTHS[month]) if month in _MONTHS else number_value(month)
    year = number_value(parts["year"]) if parts.get("year") else ""
    return "-".join((year, number, *([number_value(parts["day"])] if parts.get("day") else ())))


def _time(found: re.Match[str]) -> str:
    """Return hour and minute of a 24-hour day, and the second if given; "" for an impossible time."""
    parts = found.groupdict()
    hour, minute, half = int(parts["hour"]), int(parts.get("minute") or 0), (parts.get("half") or "").lower()
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return ""
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    second = parts.get("second")
    return f"{hour}:{minute:02d}{f':{int(second):02d}' if second else ''}"


def _amount(found: re.Match[str]) -> str:
    parts = found.groupdict()
    return f"{number_value(parts['number'])}{(parts['scale'] or '').lower()} {_CURRENCIES[parts['unit'].lower()]}"


def _address(found: re.Match[str]) -> str:
    return folded(found[0].rstrip(_ADDRESS_END)).removesuffix("/")


def _code(found: re.Match[str]) -> str:
    """Return a span without its marks or a block without its fences, with white space normalised."""
    lines = found[0].strip().splitlines()
    fenced = len(lines) > 1 and lines[0][:3] in ("```", "~~~")
    inside = "\n".join(
        lines[1:-1] if fenced and lines[-1].strip()[:3] == lines[0][:3] else lines[1:] if fenced else lines
    )
    return " ".join(inside.strip("`").split())


def _rule(
    kind: FactKind,
    pattern: str,
    value: Callable[[re.Match[str]], str],
    sign: str = r"\d",
    flags: int = re.IGNORECASE,
) -> Rule:
    return Rule(kind, sign, pattern, flags, value)


# No pattern begins after a character it could read itself, so that a long run is not read repeatedly.
_BLOCK = r"^[ \t]*(`{3,}+|~{3,}+)[^\n]*\n(?:.*?^[ \t]*\1[^\n]*$|.*\Z)"
_PLAIN_ADDRESS = r"[^\s<>\"`。，、」』）]+"
_ADDRESSES = (
    (FactKind.URL, "://|[wW]{3}", rf"(?:https?|ftp)://{_PLAIN_ADDRESS}|\bwww\.[\w-]+\.{_PLAIN_ADDRESS}"),
    (FactKind.EMAIL, "@", r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"),
    (FactKind.PATH, "/", r"(?<![\w/.:~])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)+/?|(?<!\w)(?:~|\.{1,2})/[\w.@+-]+"),
    (FactKind.PATH, r":\\", r"(?<!\w)[A-Za-z]:\\[\w.@+-]+(?:\\[\w.@+-]+)*"),
    (FactKind.PATH, r"\.\w", rf"(?<![\w/.@+-])(?:[\w.@+-]+/)*[A-Za-z0-9_][\w.+-]*\.(?:{_EXTENSIONS})(?![\w/])"),
)
_DATES = (
    r"(?<!\d)(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)",
    r"(?:(?P<year>\d{2,4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]",
    rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?:\s+of|\s+de)?\s+(?P<month>{_MONTH})"
    r"(?:,?(?:\s+de)?\s+(?P<year>\d{4}))?",
    rf"\b(?P<month>{_MONTH})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{{4}}))?(?![\d:])",
    rf"\b(?P<month>{_MONTH})\s+(?P<year>\d{{4}})(?!\d)",
)
# Of two small numbers, either may be the month, so such dates are compared as written.
_DATE_OF_SOME_ORDER = r"(?<![\d.])\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?![\d/])"
_WEEKDAY = r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_TIMES = (
    r"(?<![\d:.])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?!\d)(?:\s?(?P<half>[ap])\.?m\b)?",
    r"(?<![\d:.])(?P<hour>\d{1,2})\s?(?P<half>[ap])\.?m\b",
    r"(?<![\d:.])(?P<hour>\d{1,2})h(?P<minute>\d{2})\b",
    r"(?<!\d)(?P<hour>\d{1,2})[時点시](?:\s?(?P<minute>\d{1,2})[分분])?",
)
_AMOUNTS = (
    rf"(?P<unit>{_MARK})\s?(?P<number>{_NUMBER})(?:\s?(?P<scale>k|m|bn|million|billion)\b)?",
    rf"(?<![\d.,])(?P<number>{_NUMBER})(?:\s?(?P<scale>million|billion))?\s?(?P<unit>{_UNIT})",
)
_WORDS_OF_CODE = (
    r"(?<![\w-])--[A-Za-z][\w-]+|(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*\(\)"
    r"|\b[A-Za-z0-9]*[A-Za-z0-9]_[A-Za-z0-9_]*[A-Za-z0-9]\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\bv\d+(?:\.\d+)+\b"
)
_SIGN_OF_CODE = r"_|--|\(\)|[a-z][A-Z]|v\d"
RULES = (
    _rule(FactKind.CODE, _BLOCK, _code, "```|~~~", re.MULTILINE | re.DOTALL),
    _rule(FactKind.CODE, r"(?<!`)`[^`\n]+`(?!`)", _code, "`"),
    *(_rule(kind, pattern, _address, sign) for kind, sign, pattern in _ADDRESSES),
    *(_rule(FactKind.DATE, pattern, _date) for pattern in _DATES),
    _rule(FactKind.DATE, _DATE_OF_SOME_ORDER, lambda found: found[0]),
    _rule(FactKind.DATE, _WEEKDAY, lambda found: found[1].lower(), "[dD][aA][yY]"),
    *(_rule(FactKind.TIME, pattern, _time) for pattern in _TIMES),
    *(_rule(FactKind.AMOUNT, pattern, _amount) for pattern in _AMOUNTS),
    _rule(FactKind.CODE, _WORDS_OF_CODE, _code, _SIGN_OF_CODE, 0),
    _rule(FactKind.NUMBER, rf"(?<![A-Za-z_\d.,])(?:{_NUMBER})", _number),
)
"""In order of priority: text taken by a rule is not looked at by later ones."""
