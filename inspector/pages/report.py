"""A short report of an answer: the scenario, the budget, the findings and every item; also as Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from inspector.assembly.answer import Answer, resolved_scenario
from inspector.assembly.budget import SectionBudget
from inspector.assembly.columns import Fate, Section, phrase, section_title
from inspector.assembly.cost import prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.doubts import doubt_words
from inspector.assembly.item_tables import SHOWN_COLUMNS
from inspector.assembly.recorded_requests import REMAINDER_TITLE
from inspector.assembly.summary_items import rows_with_summaries
from inspector.figures import counted, dollars, signed
from inspector.pages.redaction import Telling
from inspector.tables import Column, columns_of_part
from inspector.tokens.certainty import Certainty, Cost
from inspector.tokens.cost_words import figure_of, state_words
from inspector.visible_text import on_one_line


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A heading with sentences and a table; numeric cells are figures."""

    heading: str
    sentences: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()


def markdown_report(answer: Answer) -> str:
    """Return the report as Markdown."""
    telling = Telling(answer)
    lines = [f"# {title(answer)}", ""]
    for part in parts_but_items(telling):
        lines += [f"## {part.heading}", ""]
        lines += [line for sentence in part.sentences for line in (_markdown(sentence), "")]
        if part.rows:
            lines.append(_markdown_row(part.columns))
            aligned = ["--:" if isinstance(cell, int) else "---" for cell in part.rows[0]]
            lines.append(f"|{'|'.join(aligned)}|")
            lines += [_markdown_row(row) for row in part.rows]
            lines.append("")
    if answer.assembly.error is None:  # nothing became of the items otherwise
        lines += _items(telling)
    return "\n".join(lines)


def title(answer: Answer) -> str:
    """Return the title of the report."""
    words = {"ok": "fits", "over_window": "exceeds the window", "error": "could not be made"}
    return f"The prompt {words.get(answer.status, answer.status)}"


def parts_but_items(telling: Telling) -> Iterator[ReportPart]:
    """Yield the scenario, the budget and, if there are any, the findings."""
    yield _scenario(telling)
    yield _budget(telling)
    if findings := telling.answer.findings:
        rows = tuple((one.severity, one.code, telling.finding(one), one.advice) for one in findings)
        yield ReportPart("Findings", (), ("Severity", "Code", "Finding", "Advice"), rows)


def _scenario(telling: Telling) -> ReportPart:
    resolved = resolved_scenario(telling.answer)
    parameters = resolved.pop("parameters", {})
    said = {key: value for key, value in resolved.items() if value not in (None, [], {}) and key != "format"}
    rows = [(key, telling.setting(key, value)) for key, value in said.items()]
    rows += [
        (f"parameter {telling.setting_name(key)}", telling.setting(key, value)) for key, value in parameters.items()
    ]
    return ReportPart("Settings", (), ("Setting", "Value"), tuple(rows))


def _budget(telling: Telling) -> ReportPart:
    answer = telling.answer
    assembly, ledger = answer.assembly, answer.ledger
    if assembly.error is not None:
        return ReportPart("Budget", (_measurement(telling),))
    budget = assembly.budget
    free = answer.room
    rows: list[tuple[Any, ...]] = []
    for section in Section:
        used, limits = int(assembly.used[section]), budget.sections.get(section)
        if used or limits is not None:
            rows.append((section_title(section), used, _limit(limits)))
    rows += [(line.title, *_figure_of(line.cost, "formatting, ")) for line in ledger.lines]
    rows += [
        ("Total", *_figure_of(ledger.cost)),
        *(
            [(REMAINDER_TITLE, answer.remainder, answer.recorded.likely)]
            if answer.recorded and answer.remainder
            else []
        ),
        ("Reply", budget.response_reserve, ""),
        ("Free" if free >= 0 else "Over the window", abs(free), ""),
        ("Window", budget.context_window, ""),
    ]
    return ReportPart("Budget", (_measurement(telling), *_cost(telling)), ("Part", "Tokens", "Note"), tuple(rows))


def _figure_of(cost: Cost, of: str = "") -> tuple[int | str, str]:
    """Return a cost and how sure it is; the figure of an unknown cost is never plain."""
    is_known = cost.certainty is not Certainty.UNKNOWN
    return cost.tokens if is_known else figure_of(
        cost.tokens, cost.certainty
    ), f"{of}{state_words(cost, of_whole=not of)}"


def _limit(limits: SectionBudget | None) -> str:
    if limits is None or limits.limit is None:
        return "no limit"
    return f"of {limits.limit:,}" + (f" and {limits.borrowed:,} borrowed" if limits.borrowed else "")


def _measurement(telling: Telling) -> str:
    answer, ledger = telling.answer, telling.answer.ledger
    if answer.assembly.error is not None:
        return telling.failure(answer.assembly.error)
    if ledger.rendered is None:
        return f"The whole prompt was not measured; the parts were counted with {telling.tokenizer()}."
    measured = f"{counted(ledger.rendered, 'token', estimated=ledger.estimated)} with {telling.tokenizer()}"
    sums = "its parts add up" if not ledger.residual else f"its parts differ by {signed(ledger.residual)}"
    doubts = doubt_words(answer.assembly, ledger)
    return " ".join(filter(None, (f"The whole prompt measures {measured}; {sums}.", doubts)))


def _cost(telling: Telling) -> tuple[str, ...]:
    """Return the cost of the prompt with the source of the price; nothing if there is no prompt or no known price."""
    answer = telling.answer
    cost = prompt_cost(answer.model.row, answer.ledger.total)
    if cost is None or answer.assembly.error is not None:
        return ()
    return (f"The prompt costs {dollars(cost, answer.ledger.estimated)} ({telling.price()}).",)


def items_sentence(answer: Answer) -> str:
    """Return how many items met each fate."""
    counts = answer.assembly.fate_counts
    told = (fate for fate in Fate if fate is not Fate.NOT_YET or counts[fate])
    return f"{', '.join(f'{int(counts[fate]):,} {phrase(fate)}' for fate in told)}."


def _told(column: Column[Telling]) -> Column[Telling]:
    """The column without anything that redaction hides."""
    return replace(column, words=lambda telling, row: telling.why(row)) if column.key == "reason" else column


def _assembly(telling: Telling) -> Assembly:
    return telling.answer.assembly


TOLD_COLUMNS = tuple(map(_told, columns_of_part(SHOWN_COLUMNS, _assembly)))
"""The columns of items in a report."""


def _items(telling: Telling) -> Iterator[str]:
    """The items as Markdown."""
    yield from ("## Items", "", _markdown(items_sentence(telling.answer)), "")
    yield _markdown_row([column.title for column in TOLD_COLUMNS])
    yield f"|{'|'.join('--:' if column.is_figure else '---' for column in TOLD_COLUMNS)}|"
    for row in rows_with_summaries(telling.answer.assembly):
        yield _markdown_row([column.text(telling, row) for column in TOLD_COLUMNS])
    yield ""


def _markdown_row(cells: Sequence[Any]) -> str:
    return "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else _markdown(str(cell)) for cell in cells) + " |"


def _markdown(text: str) -> str:
    """Return text on a single line, escaped for Markdown and HTML; secrets are masked before escaping."""
    safe = escape(on_one_line(" ".join(text.split())), quote=False)
    for sign in "\\`*_[]|":
        safe = safe.replace(sign, f"\\{sign}")
    return safe
