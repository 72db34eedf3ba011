"""The budget of a prompt as a table: the sections, and the rest of the window."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.assembly.answer import Answer, budget_value
from inspector.assembly.columns import Action, Section, section_title
from inspector.assembly.recorded_requests import REMAINDER_TITLE
from inspector.figures import figures
from inspector.tables import Kind, Table, Tone, field_column


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A part of the window in tokens, and for a section how many items are in the prompt and out of it."""

    part: str
    used: int
    limit: int | None = None
    borrowed: int | None = None
    inside: int | None = None
    outside: int | None = None
    is_over: bool = False


def budget_lines(answer: Answer) -> tuple[BudgetLine, ...]:
    """Return the sections, then the formatting, the total, the reply and the free tokens; nothing without a prompt."""
    return tuple(_lines(answer)) if answer.assembly.error is None else ()


def _lines(answer: Answer) -> Iterator[BudgetLine]:
    assembly, ledger = answer.assembly, answer.ledger
    budget, order = budget_value(assembly), assembly.order
    stays = assembly.action[order] != Action.DROPPED
    inside, outside = (np.bincount(assembly.section[order][which], minlength=len(Section)) for which in (stays, ~stays))
    for name, told in budget["sections"].items():
        section = Section[name.upper()]
        counts = int(inside[section]), int(outside[section])
        yield BudgetLine(section_title(section), told["used"], told["limit"], told["borrowed"] or None, *counts)
    yield BudgetLine("Formatting", ledger.overhead)
    yield BudgetLine("Total", ledger.total, budget["context_window"])
    if answer.remainder:
        yield BudgetLine(REMAINDER_TITLE, answer.remainder)
    if budget["response_reserve"]:
        yield BudgetLine("Reply", budget["response_reserve"])
    is_over = answer.room < 0
    yield BudgetLine("Over the window" if is_over else "Free", abs(answer.room), is_over=is_over)


_Lines = Sequence[BudgetLine]


def _tone(lines: _Lines, row: int) -> Tone | None:
    return "error" if lines[row].is_over else None


def _limit_text(lines: _Lines, row: int) -> str:
    """Return the limit, a dash for a section without a limit."""
    line = lines[row]
    return "" if line.limit is None and line.inside is None else figures(line.limit)


BUDGET: Table[_Lines] = Table(
    (
        field_column("part", "Part", "The section, or another part of the window", tone=_tone),
        field_column("used", "Tokens", "Its tokens", Kind.TOKENS, tone=_tone),
        field_column("limit", "Limit", "Its own limit, without loans", Kind.TOKENS, words=_limit_text),
        field_column("borrowed", "Borrowed", "Tokens lent by other sections", Kind.TOKENS, absent=""),
        field_column("inside", "In", "The number of its items in the prompt", Kind.COUNT, absent=""),
        field_column("outside", "Out", "The number of its items left out", Kind.COUNT, absent=""),
    ),
    lambda lines: range(len(lines)),
)
