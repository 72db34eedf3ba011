"""The cost of a pattern before it is compiled: neither compiling nor some steps of a search respect a time limit.

The module `regex` writes out repetitions: `(?:ab){99}` is a hundred copies, and copies of copies multiply. Its
preparation for a run of plain characters takes the cube of the run's length, and it searches a class in brackets member
by member at every place of a text.
"""

import re
from dataclasses import dataclass

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
