"""Figures in words: the format of counts everywhere, with ≈ before an estimate and its noun in number."""

import re
from collections.abc import Iterable

from inspector.model import Problem

UNREAD = "…"
"""Shown in place of a figure that is not known yet."""
UNKNOWN_PRICE = "price not known"
_SMALLEST_COST = 0.0001
_LEAST_POINTS = 0.05
"""Fewer points are written as 0.0."""
_ONE_OF_MANY = re.compile(r"(?<![\d.,])1 (token|item|message|decision|chunk|text|summar(?=ies)|memor(?=ies))(s|ies)\b")


def figures(number: int | None, estimated: bool = False) -> str:
    """Return a count with its thousands separated, ≈ before an estimate, a dash for None."""
    if number is None:
        return "–"
    written = f"{number:,}".replace("-", "\N{MINUS SIGN}")
    return f"≈ {written}" if estimated else written


def counted(number: int, noun: str, *, estimated: bool = False, plural: str = "") -> str:
    """Return a count with its noun: 1 token, ≈ 1,240 tokens, 0 memories; `plural` is for irregular nouns."""
    return f"{figures(number, estimated)} {noun if number == 1 else plural or f'{noun}s'}"


def problems_counted(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return the number of findings, and of files not opened, each counted once: 3 findings, 9 files not opened."""
    told = tuple(problems)
    findings = sum(not problem.unopened for problem in told)
    unopened = len({problem.file for problem in told if problem.unopened})
    found = (counted(findings, "finding"),) if findings else ()
    return (*found, f"{counted(unopened, 'file')} not opened") if unopened else found


def in_number(text: str) -> str:
    """Correct the number of nouns in a sentence filled with figures: 1 tokens becomes 1 token."""
    if "1 " not in text:  # the usual case, and ten times as fast
        return text
    return _ONE_OF_MANY.sub(lambda found: f"1 {found[1]}{'y' if found[2] == 'ies' else ''}", text)


def percentage(share: float | None, decimals: int = 1) -> str:
    """Return a share of 1 as a percentage: 0.3 is 30.0 %, or 30 % without decimals, as for progress.

    A dash if it is unknown.
    """
    return "–" if share is None else f"{100 * share:.{decimals}f} %"


def signed_percentage(share: float | None, decimals: int = 1) -> str:
    """Return a difference of shares with its sign: −0.054 is −5.4 %; a difference rounded to 0 has none."""
    if share is None:
        return percentage(share)
    rounded = round(share, decimals + 2) or 0.0  # never a negative zero
    return f"{'+' if rounded > 0 else ''}{percentage(rounded, decimals)}".replace("-", "\N{MINUS SIGN}")


def points(difference: float | None) -> str:
    """A difference in points of percent with its sign: +1.2, −0.5, or 0.0; a dash where it is not known."""
    if difference is None:
        return "–"
    return "0.0" if abs(difference) < _LEAST_POINTS else f"{difference:+.1f}".replace("-", "\N{MINUS SIGN}")


def signed(number: int, estimated: bool = False) -> str:
    """Return a difference with its sign, ≈ before an estimate: +1,204, −85, ≈ +3, or 0."""
    return f"{'≈ ' if estimated else ''}{number:+,}".replace("-", "\N{MINUS SIGN}") if number else figures(0, estimated)


def dollars(cost: float | None, estimated: bool = False) -> str:
    """Return a cost as text: $0.0123, < $0.0001, "price not known"; with ≈ before it if the tokens are estimated."""
    if cost is None:
        return UNKNOWN_PRICE
    written = f"${cost:,.2f}" if cost >= 10 or cost == 0 else f"${cost:.4f}"
    if 0 < cost < _SMALLEST_COST:
        written = f"< ${_SMALLEST_COST:.4f}"
    return f"≈ {written}" if estimated else written
