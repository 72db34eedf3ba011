"""The page of the whole prompt: its tokens as an equation, section by section, down to the last token."""

from collections.abc import Iterator

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Fate, Section, phrase, section_title
from inspector.assembly.cost import price_text, prompt_cost
from inspector.figures import counted, dollars, figures, percentage, signed
from inspector.gui.parts.bar_picture import bar_picture
from inspector.gui.parts.page import beside, heading, muted, paragraph, plain, strong, table
from inspector.gui.theme import theme


def totals_page(answer: Answer, is_narrow: bool = False) -> str:
    """Return the HTML of the totals of an answer with a prompt, for a wide or a narrow panel."""
    parts = [paragraph(_summary(answer), size="large")]
    prompt = heading("The prompt") + table(_sum_lines(answer), is_narrow=is_narrow)
    window = heading("The window") + table(_window_lines(answer), sentences=(0,))
    parts.append(beside(prompt, window, is_narrow=is_narrow))
    # Sentences are outside the tables, which they would widen until a narrow panel cut them off.
    remarks = (*(loan.sentence for loan in bar_picture(answer).loans), *_shortened(answer), _measurement(answer))
    parts.append(paragraph(" ".join(remarks), theme().muted_text))
    return "".join(parts)


def _summary(answer: Answer) -> str:
    counts = answer.assembly.fate_counts
    total = len(answer.assembly.candidates)
    words = [f"{int(counts[fate]):,} {phrase(fate)}" for fate in Fate if counts[fate]]
    rest = counted(abs(answer.free), "token", estimated=answer.ledger.estimated)
    is_free = f"{rest} {'is' if answer.free == 1 else 'are'} free"
    fits = is_free if answer.free >= 0 else f"It exceeds the window by {rest}"
    return f"{counted(total, 'item')}: {', '.join(words) or 'none'}. {fits}."


def _sum_lines(answer: Answer) -> Iterator[tuple[str, ...]]:
    """Yield the sections and overhead lines, which sum to the total."""
    assembly, estimated = answer.assembly, answer.ledger.estimated
    for section in Section:
        used, limits = int(assembly.used[section]), assembly.budget.sections.get(section)
        if used or (limits is not None and limits.limit is not None):
            room = None if limits is None else limits.room
            share = f" ({percentage(used / room)})" if room else ""
            of = "" if room is None else f"of {room:,}{share}"
            yield plain(section_title(section)), figures(used, estimated), muted(of)
    for line in answer.ledger.lines:
        yield plain(line.name.capitalize()), figures(line.tokens, estimated), muted("overhead")
    yield strong("Total"), strong(figures(answer.ledger.total, estimated)), ""


def _shortened(answer: Answer) -> Iterator[str]:
    """Yield the numbers of items in the prompt with fewer tokens than their own: summarized, or cut, as by a cap on
    messages.
    """
    assembly = answer.assembly
    cost = assembly.candidates.tokens
    for action, what in ((Action.SUMMARIZED, "summarized"), (Action.TRUNCATED, "cut short")):
        rows = assembly.action == action
        if rows.any():
            estimated, number = bool(assembly.candidates.estimated[rows].any()), int(rows.sum())
            whole, spent = int(cost[rows].sum(dtype=np.int64)), int(assembly.spent[rows].sum(dtype=np.int64))
            instead = f"{counted(spent, 'token', estimated=estimated)} instead of {figures(whole, estimated)}"
            yield f"{counted(number, 'item')} {'is' if number == 1 else 'are'} {what}: {instead}."


def _window_lines(answer: Answer) -> Iterator[tuple[str, ...]]:
    """Yield window − prompt − reserve = free. Remarks are lines of their own, which leaves room for longer figures."""
    budget, free, estimated = answer.assembly.budget, answer.free, answer.ledger.estimated
    yield plain("Context window"), figures(budget.context_window)
    yield plain("− prompt"), figures(answer.ledger.total, estimated)
    if budget.response_reserve:
        yield plain("− reserve for the reply"), figures(budget.response_reserve)
    yield strong("= free" if free >= 0 else "= over the window"), strong(figures(abs(free), estimated))
    if budget.safety_margin:
        yield (muted(f"{budget.safety_margin:,} of it are a safety margin"),)
    row = answer.model.row
    if row is not None and (cost := prompt_cost(row, answer.ledger.total)) is not None:
        yield plain("Cost of the prompt"), plain(dollars(cost, estimated))
        yield (muted(f"${price_text(row.price_in)} per million"),)


def _measurement(answer: Answer) -> str:
    ledger = answer.ledger
    if ledger.rendered is None:
        return f"The whole prompt is being measured with {ledger.tokenizer}."
    kind = "an estimate" if ledger.estimated else "exact"
    drift = "" if not ledger.drift else f" The items cost {signed(ledger.drift)} against what was planned for them."
    whole = counted(ledger.rendered, "token", estimated=ledger.estimated)
    return f"Measured as one text with {ledger.tokenizer}: {whole}, {kind}; residual {ledger.residual:,}.{drift}"
