"""A short report of an answer as Markdown or HTML: the scenario, the budget, the findings and every item."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from inspector.assembly.answer import Answer, resolved_scenario
from inspector.assembly.budget import SectionBudget
from inspector.assembly.columns import Fate, Section, phrase, word
from inspector.assembly.cost import cost_text, price_source, prompt_cost
from inspector.assembly.explain import explain
from inspector.figures import counted

SENTENCES_UP_TO = 2_000
"""With more items than this the report gives the few words of a reason in place of the sentence."""

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em; color: #1b2027; }
table { border-collapse: collapse; margin: 0.5em 0 1.5em; }
th, td { padding: 2px 12px 2px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #cdd2d8; }
td.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (prefers-color-scheme: dark) { body { color: #e4e7eb; background: #1a1d21; } th, td { border-color: #3d444c; } }
"""


@dataclass(frozen=True, slots=True)
class _Part:
    """A heading with sentences and a table; a figure is a cell that is a number."""

    heading: str
    sentences: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()


def markdown_report(answer: Answer) -> str:
    """The report as Markdown."""
    lines = [f"# {_title(answer)}", ""]
    for part in _parts(answer):
        lines += [f"## {part.heading}", ""]
        lines += [line for sentence in part.sentences for line in (_markdown(sentence), "")]
        if part.rows:
            lines.append(_markdown_row(part.columns))
            aligned = ["--:" if isinstance(cell, int) else "---" for cell in part.rows[0]]
            lines.append(f"|{'|'.join(aligned)}|")
            lines += [_markdown_row(row) for row in part.rows]
            lines.append("")
    return "\n".join(lines)


def html_report(answer: Answer) -> str:
    """The report as one HTML page that loads nothing."""
    body = [f"<h1>{escape(_title(answer))}</h1>"]
    for part in _parts(answer):
        body.append(f"<h2>{escape(part.heading)}</h2>")
        body += [f"<p>{escape(sentence)}</p>" for sentence in part.sentences]
        if part.rows:
            head = "".join(f"<th>{escape(column)}</th>" for column in part.columns)
            body.append(f"<table><tr>{head}</tr>")
            body += [f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in part.rows]
            body.append("</table>")
    title = escape(_title(answer))
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(body) + "\n</body></html>\n"


def _title(answer: Answer) -> str:
    words = {"ok": "fits", "over_window": "exceeds the window", "error": "could not be made"}
    return f"The prompt {words.get(answer.status, answer.status)}"


def _parts(answer: Answer) -> Iterator[_Part]:
    yield _scenario_part(answer)
    yield _budget_part(answer, _cost_sentences(answer))
    if answer.findings:
        rows = tuple((finding.severity, finding.code, finding.message, finding.advice) for finding in answer.findings)
        yield _Part("Findings", (), ("Severity", "Code", "What", "What one can do"), rows)
    yield _items_part(answer)


def _scenario_part(answer: Answer) -> _Part:
    resolved = resolved_scenario(answer)
    parameters = resolved.pop("parameters", {})
    said = {key: value for key, value in resolved.items() if value not in (None, [], {}) and key != "format"}
    rows = [(key, _written(value)) for key, value in said.items()]
    rows += [(f"parameter {key}", _written(value)) for key, value in parameters.items()]
    return _Part("Scenario", (), ("What", "Value"), tuple(rows))


def _budget_part(answer: Answer, cost: tuple[str, ...]) -> _Part:
    assembly, ledger = answer.assembly, answer.ledger
    budget = assembly.budget
    free = answer.free
    rows: list[tuple[Any, ...]] = []
    for section in Section:
        used, limits = int(assembly.used[section]), budget.sections.get(section)
        if used or limits is not None:
            rows.append((word(section), used, _limit(limits)))
    rows += [(line.name, line.tokens, "overhead") for line in ledger.lines]
    rows += [
        ("total", ledger.total, "estimated" if ledger.estimated else "exact"),
        ("reserve for the reply", budget.response_reserve, ""),
        ("free" if free >= 0 else "over the window", abs(free), ""),
        ("context window", budget.context_window, ""),
    ]
    return _Part("Budget", (_measurement(answer), *cost), ("Part", "Tokens", "Remark"), tuple(rows))


def _limit(limits: SectionBudget | None) -> str:
    if limits is None or limits.limit is None:
        return "no limit"
    return f"of {limits.limit:,}" + (f" and {limits.borrowed:,} borrowed" if limits.borrowed else "")


def _measurement(answer: Answer) -> str:
    ledger = answer.ledger
    if answer.assembly.error is not None:
        return answer.assembly.error.message
    if ledger.rendered is None:
        return f"The whole prompt was not measured; the parts were counted with {ledger.tokenizer}."
    measured = f"{counted(ledger.rendered, 'token', estimated=ledger.estimated)} with {ledger.tokenizer}"
    return f"The whole prompt measures {measured}; residual {ledger.residual:,}."


def _cost_sentences(answer: Answer) -> tuple[str, ...]:
    """What the prompt costs and at whose price; nothing where there is no prompt or the price is not known."""
    row = answer.model.row
    cost = prompt_cost(row, answer.ledger.total)
    if cost is None or answer.assembly.error is not None:
        return ()
    return (f"The prompt costs {cost_text(cost, answer.ledger.estimated)} ({price_source(row)}).",)


def _items_part(answer: Answer) -> _Part:
    assembly = answer.assembly
    counts = assembly.fate_counts
    told = (fate for fate in Fate if fate is not Fate.NOT_YET or counts[fate])
    summary = ", ".join(f"{int(counts[fate]):,} {phrase(fate)}" for fate in told)
    has_sentences = len(assembly.candidates) <= SENTENCES_UP_TO
    rows = tuple(
        (
            assembly.candidates.ids[row],
            word(Section(int(assembly.section[row]))),
            phrase(Fate(int(assembly.fate[row]))),
            int(assembly.candidates.tokens[row]),
            int(assembly.spent[row]),
            explain(assembly, row) if has_sentences else assembly.reason_of(row).label,
        )
        for row in assembly.order.tolist()
    )
    return _Part("Items", (f"{summary}.",), ("Item", "Section", "Action", "Tokens", "Spent", "Why"), rows)


def _written(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _markdown_row(cells: Sequence[Any]) -> str:
    return "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else _markdown(str(cell)) for cell in cells) + " |"


def _markdown(text: str) -> str:
    """Text that Markdown neither formats nor takes for HTML, on one line."""
    safe = escape(" ".join(text.split()), quote=False)
    for sign in "\\`*_[]|":
        safe = safe.replace(sign, f"\\{sign}")
    return safe


def _html_cell(cell: Any) -> str:
    return f'<td class="figure">{cell:,}</td>' if isinstance(cell, int) else f"<td>{escape(str(cell))}</td>"
