"""The page about a whole prompt: its tokens as an equation, section by section, to the last one."""

from collections.abc import Iterator

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Section
from inspector.assembly.cost import cost_text, prompt_cost
from inspector.figures import figures
from inspector.gui.parts.bar_picture import bar_picture
from inspector.gui.parts.page import beside, heading, muted, paragraph, plain, strong, table
from inspector.gui.theme import action_words, section_title, share_text, theme


def totals_page(answer: Answer) -> str:
    """HTML of the totals of an answer."""
    assembly = answer.assembly
    parts = []
    if assembly.error:
        parts.append(paragraph(f"No prompt was made. {assembly.error.message}", theme().error, size="large"))
    else:
        parts.append(paragraph(_summary(answer), size="large"))
    measurement = paragraph(_measurement(answer), theme().muted_text)
    prompt = heading("The prompt") + table(_sum_lines(answer))
    if remarks := " ".join((*(loan.sentence for loan in bar_picture(answer).loans), *_shortened(answer))):
        prompt += paragraph(remarks, theme().muted_text)
    parts.append(beside(prompt, heading("The window") + table(_window_lines(answer)) + measurement))
    return "".join(parts)


def _summary(answer: Answer) -> str:
    counts = answer.assembly.action_counts
    total = len(answer.assembly.candidates)
    words = [f"{int(counts[action]):,} {action_words(action)}" for action in Action if counts[action]]
    free = _free(answer)
    fits = f"{free:,} tokens are free" if free >= 0 else f"It exceeds the window by {-free:,} tokens"
    return f"{total:,} items: {', '.join(words) or 'none'}. {fits}."


def _sum_lines(answer: Answer) -> Iterator[tuple[str, ...]]:
    """Sections and overhead lines, which sum to the total."""
    assembly, estimated = answer.assembly, not answer.ledger.exact
    for section in Section:
        used, limits = int(assembly.used[section]), assembly.budget.sections.get(section)
        if used or (limits is not None and limits.limit is not None):
            room = None if limits is None else limits.room
            share = f" ({share_text(used / room)})" if room else ""
            of = "" if room is None else f"of {room:,}{share}"
            yield plain(section_title(section)), figures(used, estimated), muted(of)
    for line in answer.ledger.lines:
        yield plain(line.name.capitalize()), figures(line.tokens, estimated), muted("overhead")
    yield strong("Total"), strong(figures(answer.ledger.total, estimated)), ""


def _shortened(answer: Answer) -> Iterator[str]:
    """What stands in the prompt in fewer tokens than it has: summarized, or cut short, as by a cap on messages."""
    assembly = answer.assembly
    cost = assembly.candidates.tokens
    for action, what in ((Action.SUMMARIZED, "summarized"), (Action.TRUNCATED, "cut short")):
        rows = assembly.action == action
        if rows.any():
            whole, spent = int(cost[rows].sum(dtype=np.int64)), int(assembly.spent[rows].sum(dtype=np.int64))
            yield f"{int(rows.sum()):,} items are {what}: {spent:,} tokens instead of {whole:,}."


def _window_lines(answer: Answer) -> Iterator[tuple[str, ...]]:
    """Window − prompt − reserve = free."""
    budget, free = answer.assembly.budget, _free(answer)
    yield plain("Context window"), figures(budget.context_window), ""
    yield plain("− prompt"), figures(answer.ledger.total, not answer.ledger.exact), ""
    if budget.response_reserve:
        yield plain("− reserve for the reply"), figures(budget.response_reserve), ""
    margin = muted(f"{budget.safety_margin:,} of it are a safety margin") if budget.safety_margin else ""
    yield strong("= free" if free >= 0 else "= over the window"), strong(figures(abs(free))), margin
    row = answer.model.row
    if row is not None and (cost := prompt_cost(row, answer.ledger.total)) is not None:
        price = muted(f"${row.price_in:g} per million")
        yield plain("Cost of the prompt"), plain(cost_text(cost, answer.ledger.estimated)), price


def _free(answer: Answer) -> int:
    budget = answer.assembly.budget
    return budget.context_window - answer.ledger.total - budget.response_reserve


def _measurement(answer: Answer) -> str:
    ledger = answer.ledger
    if ledger.rendered is None:
        return f"The whole prompt is being measured with {ledger.tokenizer}."
    kind = "exact" if ledger.exact else "an estimate"
    drift = "" if not ledger.drift else f" The items cost {ledger.drift:+,} against what was planned for them."
    return (
        f"Measured as one text with {ledger.tokenizer}: {figures(ledger.rendered, not ledger.exact)} tokens, "
        f"{kind}; residual {ledger.residual:,}.{drift}"
    )
