"""JavaScript patterns for Python: lorebook keys of the form `/…/flags`, compiled for searching.

Grammar and meaning follow ECMA-262, 22.2. The third-party module `regex` is used, not `re`, because its searches take a
time limit: keys come from unknown authors, and a pattern such as `/(a|aa)+$/` would otherwise stop the program.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST_CHARACTERS = 20_000
"""The longest pattern, as Python writes it; each hundred characters take a millisecond to compile."""
MOST_COPIES = 10_000
MOST_LEVELS = 50
LONGEST_RUN = 300

_TOKEN = re.compile(
    r"\\[\s\S]|(?P<members>\[(?:\\[\s\S]|[^\]\\])*\])|(?P<opening>\((?:\?(?:P?<\w+>|<?[:=!])?)?)|(?P<closing>\))"
    r"|(?P<copies>[*+?]|\{\d+(?:,\d*)?\})|[\s\S]"
)
_MEMBER = re.compile(r"\\(?:x..|u....|U.{8}|[pP]\{.*?\}|[\s\S])|[\s\S]")
_NO_LETTERS = ("[", "|", r"\A", r"\Z", r"\p", r"\P")
_ONCE = ("*", "?")


@dataclass(slots=True)
class PatternCost:
    """The cost of the part of a pattern read so far.

    `copies` is the number of compiled parts, `run` that of plain characters in a row now, `width` that of the members
    of the largest class in brackets.
    """

    copies: int = 0
    levels: int = 1
    run: int = 0
    longest_run: int = 0
    width: int = 1

    @property
    def fault(self) -> str:
        """The reason why the pattern is too costly, "" if it is not."""
        if self.levels > MOST_LEVELS:
            return f"its groups are nested deeper than {MOST_LEVELS} levels"
        if self.copies > MOST_COPIES:
            return f"its repetitions come to more than {MOST_COPIES:,} parts"
        if self.longest_run > LONGEST_RUN:
            return f"more than {LONGEST_RUN} plain characters stand in a row"
        return ""


def cost_of(written: str) -> PatternCost:
    """Return the cost of a pattern as Python writes it; reading stops once it is too high."""
    cost, sums, last = PatternCost(), [0], 0
    for token in _TOKEN.finditer(written):
        if token["opening"]:
            sums.append(1)
            last = 0
        elif token["closing"] and len(sums) > 1:
            last = sums.pop()
            sums[-1] += last
        elif token["copies"]:
            more = last * _copies(token["copies"])
            sums[-1], last = sums[-1] + more, last + more
        else:
            last = _add(cost, token)
            sums[-1] += last
        cost.copies, cost.levels = max(cost.copies, *sums), max(cost.levels, len(sums))
        if cost.fault:
            break
    return cost


def _copies(repeated: str) -> int:
    """Return the number of additional copies for a repetition."""
    if repeated in _ONCE:
        return 0
    least = repeated[1:-1].partition(",")[0] or "1"
    return int(least) if len(least) <= len(str(MOST_COPIES)) else MOST_COPIES


def _add(cost: PatternCost, token: re.Match[str]) -> int:
    """Add a single character or a class, and return its cost."""
    members = len(_MEMBER.findall(token["members"])) - 2 if token["members"] else 1
    cost.width = max(cost.width, members)
    cost.run = 0 if token[0].startswith(_NO_LETTERS) else cost.run + 1
    cost.longest_run = max(cost.longest_run, cost.run)
    return 1


MOST_TOGETHER = 200_000
"""The most characters of all patterns of a lorebook, as Python writes them; two seconds to compile."""

_WRITTEN = re.compile(r"/([\w\W]+?)/([gimsuy]*)")
_BARE_SLASH = re.compile(r"(?:^|[^\\])/")
_QUANTIFIER = re.compile(r"\{\d+(?:,\d*)?\}")
_GROUP = re.compile(r"\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]*>)")
_NAME = re.compile(r"k<([A-Za-z_$][\w$]*)>")
_BRACED_CODE = re.compile(r"u\{([0-9A-Fa-f]{1,6})\}")
_FIXED_CODE = re.compile(r"u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}")
_PROPERTY = re.compile(r"[pP]\{[\w=]+\}")
_LINE_ENDS = r"\n\r\u2028\u2029"
_SPACES = r"\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
# In JavaScript letters, digits and word boundaries are those of ASCII; Python's are those of Unicode.
_SETS = {
    "d": "0-9",
    "w": "A-Za-z0-9_",
    "s": _SPACES,
    "D": r"\x00-/:-\U0010ffff",
    "W": r"\x00-/:-@\[-\^`{-\U0010ffff",
    "S": r"\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff"
    r"\u3001-\ufefe\uff00-\U0010ffff",
}
_BOUNDARY = r"(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))"
_NO_BOUNDARY = r"(?:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))"


class UnreadablePatternError(ValueError):
    """A pattern cannot be searched for; the message says why."""


def split_pattern(key: str) -> tuple[str, str] | None:
    """Return pattern and flags of a key written `/…/flags`, None for plain text.

    As in SillyTavern a bare slash inside, or a flag not among `gimsuy`, makes it plain text.
    """
    found = _WRITTEN.fullmatch(key)
    if found is None or _BARE_SLASH.search(found[1]) or len(set(found[2])) < len(found[2]):
        return None
    return found[1], found[2]


class PatternBudget:
    """The budget for all patterns of a lorebook, in characters as Python writes them."""

    def __init__(self) -> None:
        self.left = MOST_TOGETHER

    def spend(self, characters: int) -> None:
        """Spend characters. Raises UnreadablePatternError if too few are left; a shorter pattern may still fit."""
        if characters > self.left:
            raise UnreadablePatternError("the patterns of its lorebook are too long together")
        self.left -= characters


def compile_pattern(pattern: str, flags: str, budget: PatternBudget | None = None) -> Any:
    """Return a compiled `regex` pattern with the same matches as in JavaScript. Raises UnreadablePatternError."""
    import regex

    written = _written(pattern, flags)
    if budget is not None:
        budget.spend(len(written))
    try:
        return regex.compile(written, regex.IGNORECASE if "i" in flags else 0)
    except (regex.error, ValueError, RecursionError) as problem:
        raise UnreadablePatternError(str(problem)) from None


def _written(pattern: str, flags: str) -> str:
    """Return the pattern as Python writes it, unless it is too large to compile."""
    length, pieces = 0, list[str]()
    for piece in _pieces(pattern, flags):
        length += len(piece)
        if length > MOST_CHARACTERS:
            raise UnreadablePatternError(f"it is longer than {MOST_CHARACTERS:,} characters")
        pieces.append(piece)
    written = "".join(pieces)
    fault = cost_of(written).fault
    if fault:
        raise UnreadablePatternError(fault)
    return rf"\A(?:{written})" if "y" in flags else written


def _pieces(pattern: str, flags: str) -> Iterator[str]:
    """Yield the pattern as Python writes it, in pieces."""
    place = 0
    while place < len(pattern):
        piece, place = _piece(pattern, place, flags)
        yield piece


def _piece(pattern: str, place: int, flags: str) -> tuple[str, int]:
    sign = pattern[place]
    if sign == "\\":
        return _escape(pattern, place + 1, False)
    if sign == "[":
        return _class(pattern, place + 1)
    if sign == "(":
        return _group(pattern, place)
    if sign == "{":
        found = _QUANTIFIER.match(pattern, place)
        return (found[0], found.end()) if found else (r"\{", place + 1)
    return _signs(flags).get(sign, sign), place + 1


def _signs(flags: str) -> dict[str, str]:
    """Return the single signs to replace, with their form in Python."""
    many = "m" in flags
    return {
        "}": r"\}",
        ".": r"[\s\S]" if "s" in flags else f"[^{_LINE_ENDS}]",
        "^": f"(?<![^{_LINE_ENDS}])" if many else r"\A",
        "$": f"(?![^{_LINE_ENDS}])" if many else r"\Z",
        "#": r"\#",
    }


def _group(pattern: str, place: int) -> tuple[str, int]:
    """Return an opening parenthesis with the signs of its kind, and the place after it."""
    if not pattern.startswith("?", place + 1):
        return "(", place + 1
    found = _GROUP.match(pattern, place + 1)
    if found is None:
        raise UnreadablePatternError(f"JavaScript has no group {pattern[place : place + 4]}…")
    return f"({found[0].replace('?<', '?P<') if found[0].endswith('>') else found[0]}", found.end()


def _class(pattern: str, place: int) -> tuple[str, int]:
    """Return a class in brackets, from after its opening bracket, and the place after it."""
    negated = pattern.startswith("^", place)
    place += negated
    pieces: list[str] = []
    while place < len(pattern) and pattern[place] != "]":
        if pattern[place] == "\\":
            piece, place = _escape(pattern, place + 1, True)
        else:
            piece, place = (rf"\{pattern[place]}" if pattern[place] in "[&|~" else pattern[place]), place + 1
        pieces.append(piece)
    if place == len(pattern):
        raise UnreadablePatternError("a bracket is not closed")
    if not pieces:
        return (r"[\s\S]" if negated else r"(?!)"), place + 1
    return f"[{'^' if negated else ''}{''.join(pieces)}]", place + 1


def _escape(pattern: str, place: int, in_class: bool) -> tuple[str, int]:
    """Return an escape, from after its backslash, and the place after it."""
    if place == len(pattern):
        raise UnreadablePatternError("it ends with a backslash")
    sign = pattern[place]
    if sign in _SETS:
        return (_SETS[sign] if in_class else f"[{_SETS[sign]}]"), place + 1
    if sign in "bB":
        return (r"\x08" if in_class else _BOUNDARY if sign == "b" else _NO_BOUNDARY), place + 1
    for shape in (_FIXED_CODE, _PROPERTY):
        if found := shape.match(pattern, place):
            return f"\\{found[0]}", found.end()
    if found := _BRACED_CODE.match(pattern, place):
        return _code(int(found[1], 16)), found.end()
    if not in_class and (found := _NAME.match(pattern, place)):
        return f"(?P={found[1]})", found.end()
    return _plain_escape(pattern, place, in_class)


def _plain_escape(pattern: str, place: int, in_class: bool) -> tuple[str, int]:
    sign = pattern[place]
    if sign == "c" and pattern[place + 1 : place + 2].isalpha():
        return _code(ord(pattern[place + 1]) % 32), place + 2
    if sign == "0":
        return r"\x00", place + 1
    if sign in "fnrtv" or (sign.isdigit() and not in_class):
        return f"\\{sign}", place + 1
    return re.escape(sign) if not sign.isalnum() else sign, place + 1


def _code(number: int) -> str:
    if number > 0x10FFFF:
        raise UnreadablePatternError(f"there is no code point {number:X}")
    return f"\\U{number:08x}"
