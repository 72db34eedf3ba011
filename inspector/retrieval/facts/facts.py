"""Facts in a text, by the same rules for every language: details a reader would miss if a summary lost them.

Kinds, in order of priority for a stretch of the text; only quotations may hold other facts:

* code: a fenced block, an `inline span`, and words of programs: snake_case, camelCase, call(), --option, v1.2;
* url, email, path: addresses; paths that begin with /, ~/, ./ or a drive, and file names of well-known extensions;
* date: 2024-03-05, 5.3.2024, 3/5/24, 5 March 2024, March 5th, 5. März, 2024年3月5日, and days of the week in English;
* time: 15:30, 3 pm, 3:30 p.m., 14h30, 15時30分;
* amount: a number with a currency or a percent sign;
* number: any other figures, in any script's digits, except in a word (x12) or at the beginning of a list item; number
  words are none;
* name: a run of capitalised words. The first word of a sentence, always capitalised, counts only if it is all in
  capitals, or known: written with a capital inside a sentence and never without, in this text or in those the `names`
  come from. Scripts without capitals (Chinese, Japanese, Arabic, Hindi, …) have no names by this rule, and never wrong
  ones; in Japanese the word before a title such as さん or 様 is a name. German capitalises every noun: there nouns
  count too;
* quotation: text between “…”, "…", „…“, «…», 「…」 or 『…』 on the same line, if it is two words or more (in scripts
  without spaces, four characters or more).

Each fact has a value independent of its spelling: 1,204 and 1204, 3 pm and 15:00, $5 and 5 dollars.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from inspector.derived import cached_property
from inspector.retrieval.summaries.sentences import sentences


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


CODE_POINTS_READ = 100_000
"""Only this much of a longer text is read."""


class Fact(NamedTuple):
    """A fact at text[start:end], and its value."""

    kind: FactKind
    value: str
    start: int
    end: int


_LETTERS = r"[^\W\d_]"
_WORD = re.compile(rf"{_LETTERS}(?:{_LETTERS}|[\u0300-\u036f])*(?:['’-]{_LETTERS}+)*")
_ALONE = frozenset(("i", "i'm", "i'll", "i've", "i'd", "ok", "okay"))
"""Words written with a capital everywhere without being names."""
_OPENING = '"“„«‘*_(:['
_TITLED = re.compile(r"([\u4e00-\u9fff々]{1,4}|[\u30a1-\u30ff]{2,12})(?=さん|さま|様|ちゃん|くん|先生|殿)")
_QUOTATION = re.compile(r"“([^“”\n]+)”|\"([^\"\n]+)\"|„([^“”„\n]+)[“”]|«([^«»\n]+)»|「([^「」\n]+)」|『([^『』\n]+)』")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LEAST_UNSPACED = 4


def facts_of(text: str, names: Iterable[str] = ()) -> tuple[Fact, ...]:
    """Return the facts of a text in order, each as often as it is said.

    `names` are known names in lower case, as `names_in` finds them in the messages around.
    """
    read = text[:CODE_POINTS_READ]
    found: list[Fact] = []
    rest = read
    for rule in RULES:
        if not rule.sign.search(rest):
            continue
        new = [
            Fact(rule.kind, value, *match.span())
            for match in rule.pattern.finditer(rest)
            if (value := rule.value(match))
        ]
        rest = _blanked(rest, new)
        found += new
    code = [fact for fact in found if fact.kind is FactKind.CODE]
    found += _names(rest, names_in([rest]).union(names))
    found += _quotations(_blanked(read, sorted(code, key=lambda fact: fact.start)))
    return tuple(sorted(found, key=lambda fact: (fact.start, fact.end)))


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the words written with a capital inside a sentence and never without in these texts, in lower case."""
    found: set[str] = set()
    small: set[str] = set()
    for text in texts:
        read = text[:CODE_POINTS_READ]
        found.update(_inner_names(read))
        small.update(word for word in _WORD.findall(read) if word[0].islower())
    return frozenset(found - small)


def words_of(text: str) -> frozenset[str]:
    """Return all words of a text in the form used in the values of names, without Japanese titles."""
    words = (part.lower() for word in _WORD.finditer(text) for part in _parts(word[0]))
    return frozenset((*words, *(found[1] for found in _TITLED.finditer(text))))


def _blanked(text: str, facts: Iterable[Fact]) -> str:
    """Return the text with these facts blanked out for later rules; all other text keeps its place."""
    pieces: list[str] = []
    place = 0
    for fact in facts:
        pieces += [text[place : fact.start], "\0" * (fact.end - fact.start)]
        place = fact.end
    return "".join((*pieces, text[place:]))


def _inner_names(text: str) -> Iterator[str]:
    """Yield the capitalised words inside sentences, in lower case."""
    for word, begins in _capitalised(text):
        if not begins or _is_in_capitals(word[0]):
            yield from (part.lower() for part in _parts(word[0]))


def _capitalised(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the possible names, and whether each is the first word of its sentence."""
    for start, end in sentences(text):
        first = True
        for word in _WORD.finditer(text, start, end):
            if word[0][0].isupper() and word[0].lower().replace("’", "'") not in _ALONE and len(word[0]) > 1:
                before = text[max(start, word.start() - 3) : word.start()]
                yield word, first or before[-1] in _OPENING or before.rstrip().endswith(":")
            first = False


def _is_in_capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _parts(word: str) -> list[str]:
    """Return a word without an English genitive, split at its hyphens."""
    plain = re.sub(r"['’]s$", "", word)
    return [part for part in plain.split("-") if part]


def _names(text: str, known: frozenset[str]) -> Iterator[Fact]:
    """Yield runs of capitalised words; the value is their words in lower case."""
    run: list[re.Match[str]] = []
    for word, begins in _capitalised(text):
        if begins and not _is_in_capitals(word[0]) and not known.intersection(part.lower() for part in _parts(word[0])):
            continue
        if run and (begins or text[run[-1].end() : word.start()].strip(" ") or word.start() - run[-1].end() > 1):
            yield _name(run)
            run = []
        run.append(word)
    if run:
        yield _name(run)
    for titled in _TITLED.finditer(text):
        yield Fact(FactKind.NAME, titled[1], *titled.span())


def _name(run: list[re.Match[str]]) -> Fact:
    value = " ".join(part.lower() for word in run for part in _parts(word[0]))
    return Fact(FactKind.NAME, value, run[0].start(), run[-1].end())


def _quotations(text: str) -> Iterator[Fact]:
    for found in _QUOTATION.finditer(text):
        inside = folded(found[found.lastindex or 0])
        letters = len(_UNSPACED.findall(inside))
        if letters >= _LEAST_UNSPACED or (not letters and len(inside.split()) > 1):
            yield Fact(FactKind.QUOTATION, inside, *found.span())
