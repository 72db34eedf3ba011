"""The budget of a prompt as a table: the sections, and the rest of the window."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.assembly.answer import Answer, budget_value
from inspector.assembly.columns import Action, Section, section_title
from inspector.figures import figures
from inspector.tables import Column, Kind, Table, Tone


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A part of the window in tokens, and for a section how many items are in the prompt and out of it."""

    title: str
    used: int
    limit: int | None = None
    borrowed: int | None = None
    inside: int | None = None
    outside: int | None = None
    is_over: bool = False


def budget_lines(answer: Answer) -> tuple[BudgetLine, ...]:
    """The sections, then the overhead, the total, the reserve and what is free; nothing where no prompt was made."""
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
    yield BudgetLine("Overhead", ledger.overhead)
    yield BudgetLine("Total", ledger.total, budget["context_window"])
    if budget["response_reserve"]:
        yield BudgetLine("Response reserve", budget["response_reserve"])
    is_over = answer.free < 0
    yield BudgetLine("Over the window" if is_over else "Free", abs(answer.free), is_over=is_over)


_Lines = Sequence[BudgetLine]


def _title(lines: _Lines, row: int) -> str:
    return lines[row].title


def _tone(lines: _Lines, row: int) -> Tone | None:
    return "error" if lines[row].is_over else None


def _limit_text(lines: _Lines, row: int) -> str:
    """The limit, a dash for a section without one."""
    line = lines[row]
    return "" if line.limit is None and line.inside is None else figures(line.limit)


BUDGET: Table[_Lines] = Table(
    (
        Column(
            "part", "Part", "The section, or what else takes tokens", lambda lines, row: lines[row].title, tone=_tone
        ),
        Column("used", "Tokens", "What it takes", lambda lines, row: lines[row].used, kind=Kind.TOKENS, tone=_tone),
        Column(
            "limit",
            "Limit",
            "How many tokens it may take, without what it borrowed",
            lambda lines, row: lines[row].limit,
            kind=Kind.TOKENS,
            words=_limit_text,
        ),
        Column(
            "borrowed",
            "Borrowed",
            "How many tokens other sections lent it",
            lambda lines, row: lines[row].borrowed,
            kind=Kind.TOKENS,
            absent="",
        ),
        Column(
            "inside",
            "In prompt",
            "How many of its items are in the prompt",
            lambda lines, row: lines[row].inside,
            kind=Kind.COUNT,
            absent="",
        ),
        Column(
            "outside",
            "Out",
            "How many of its items are dropped",
            lambda lines, row: lines[row].outside,
            kind=Kind.COUNT,
            absent="",
        ),
    ),
    lambda lines: range(len(lines)),
)
