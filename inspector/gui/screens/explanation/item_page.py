"""The page of an item: its fate, the reasons, and the figures behind them."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Fate, Kind, Section, State, phrase, section_title
from inspector.assembly.cost import price_text, prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import decider_of, decision_place, decision_sentence, ranking_signals
from inspector.assembly.message_class import class_of, class_words, is_computed, is_overridden
from inspector.assembly.message_marks import Mark
from inspector.assembly.recorded import recorded_sentence
from inspector.assembly.relevance import similarity_parts, similarity_words
from inspector.assembly.token_ledger import NOT_MEASURED, TokenLedger
from inspector.figures import counted, dollars, figures, percentage, signed
from inspector.gui.parts.bar_picture import bar_picture
from inspector.gui.parts.page import bar, beside, heading, link, muted, paragraph, plain, strong, table
from inspector.gui.theme import theme
from inspector.model import Message

DECIDER_LINK = "item:decider"


def item_page(answer: Answer, row: int, policy: object | None, changes: str = "", is_narrow: bool = False) -> str:
    """Return the HTML explaining a row, for a wide or a narrow panel.

    `changes` is the finished line of changes to its fate.
    """
    assembly = answer.assembly
    lines = [(muted(name), plain(value), muted(note)) for name, value, note in item_figures(answer, row)]
    figures_of_it = heading("In figures") + table(lines, sentences=(2,), is_narrow=is_narrow)
    why = _why(assembly, row) + changes + _recorded(assembly, row)
    return why + beside(figures_of_it, _formula(assembly, row, policy, is_narrow), is_narrow=is_narrow)


def _why(assembly: Assembly, row: int) -> str:
    """Return the sentence of the decision, with a link to the item that decided it."""
    sentence, decider = decision_sentence(assembly, row), decider_of(assembly, row)
    if decider is None:
        return paragraph(sentence, size="large")
    # The link is the same for every item, so that moving a slider replaces only text.
    ending = f" {link(DECIDER_LINK, assembly.candidates.ids[decider.row])}."
    return paragraph(f"{sentence} {decider.words}", size="large", ending=ending)


def item_figures(answer: Answer, row: int) -> Iterator[tuple[str, str, str]]:
    """Yield name, figure and remark for every known figure of a row."""
    assembly = answer.assembly
    candidates = assembly.candidates
    section = Section(int(assembly.section[row]))
    estimated = bool(candidates.estimated[row])
    yield "Tokens, whole item", figures(int(candidates.tokens[row]), estimated), _origin(candidates, row)
    spent = int(assembly.spent[row])
    recorded = _metadata(candidates, row).get("recorded_tokens")
    if isinstance(recorded, int):
        yield "Tokens, as recorded", figures(recorded), "by the program that wrote the file, with its own tokenizer"
    yield "Spent in this prompt", figures(spent if assembly.in_prompt[row] else None, estimated), ""
    charged = int(assembly.charges[row])
    if charged != int(assembly.costs[row]):
        yield "Charged by the policy", figures(charged, estimated), "as it counts, against its own limits"
    yield from _counted(answer.ledger, row, spent)
    yield "Left before it", _left(assembly, row), f"{section_title(section)} budget"
    budget = assembly.budget.sections.get(section)
    if budget is not None:
        note = f"and {budget.borrowed:,} borrowed" if budget.borrowed else ""
        yield "Limit of the section", "none" if budget.limit is None else figures(budget.limit), note
    yield from _place(assembly, row)
    score = float(assembly.score[row])
    if not np.isnan(score):
        yield "Score", f"{score:.3f}", ""
    yield from _similarity(candidates, row, ranked=not np.isnan(score))
    if candidates.kind[row] == Kind.MESSAGE:
        yield "Frame of the template", figures(int(candidates.frame_tokens[row])), "overhead, charged to no item"
    yield from _class(answer, row)
    yield from _marks(candidates, row)


def _left(assembly: Assembly, row: int) -> str:
    """Return the budget left for a row after all earlier decisions."""
    left = assembly.left_of(row)
    return figures(left, left is not None and assembly.candidates.has_estimates)


def _similarity(candidates: Candidates, row: int, ranked: bool) -> Iterator[tuple[str, str, str]]:
    """Yield the similarity of a row to the query and its parts; for a message only if it was ranked by it."""
    if (ranked or candidates.kind[row] != Kind.MESSAGE) and (words := similarity_words(candidates, row)):
        yield "Similarity", f"{sum(similarity_parts(candidates, row)[0].values()):.3f}", words


def _origin(candidates: Candidates, row: int) -> str:
    """Return the origin of the token count of a row."""
    if candidates.recorded[row]:
        return "recorded in the file"
    if not candidates.exact[row]:
        return "estimated, not counted yet"
    return "estimated" if candidates.estimated[row] else "exact"


def _counted(ledger: TokenLedger, row: int, spent: int) -> Iterator[tuple[str, str, str]]:
    """Yield the cost of the item in the rendered prompt, beside its planned cost."""
    if ledger.counted is not None and ledger.counted[row] != NOT_MEASURED:
        counted = int(ledger.counted[row])
        drift = "as planned" if counted == spent else f"{signed(counted - spent)} against the plan"
        yield "Counted in the rendered prompt", figures(counted, ledger.estimated), drift


def _place(assembly: Assembly, row: int) -> Iterator[tuple[str, str, str]]:
    """Yield the place in the section's order of decision, and the rank over all sections, as in the table."""
    place = decision_place(assembly, row)
    if place is None:
        is_later = assembly.fate[row] == Fate.NOT_YET
        yield "Order of decision", "–", "later than this turn" if is_later else "dropped before the policy saw it"
        return
    order = f", {place.order}" if place.order else ""
    section = section_title(Section(int(assembly.section[row])))
    yield "Order of decision", f"{place.number:,} of {place.total:,}", f"in {section}{order}"
    yield "Rank", figures(int(assembly.rank[row])), "over all sections, from 0"


def _class(answer: Answer, row: int) -> Iterator[tuple[str, str, str]]:
    """Yield the class of a message for the policy, and its origin."""
    assembly = answer.assembly
    if words := class_words(class_of(assembly, row)):
        said_by_you = is_overridden(answer.scenario.overrides, assembly.candidates.ids[row])
        yield "Class", words, "as you said" if said_by_you else "computed" if is_computed(assembly, row) else ""


def _marks(candidates: Candidates, row: int) -> Iterator[tuple[str, str, str]]:
    weight = float(candidates.marks.emotional_weight[row])
    if not np.isnan(weight):
        from_text = candidates.marks.computed[row] & Mark.EMOTIONAL_WEIGHT
        yield "Emotional weight", f"{weight:.2f}", "computed by VADER from the text" if from_text else ""
    marks = (
        (candidates.pinned[row], "pinned"),
        (candidates.marks.key_moment[row], "key moment"),
        (candidates.marks.filler[row], "filler"),
        (candidates.has_summary[row], "has a stored summary"),
        (candidates.state[row] == State.EXCLUDED, "excluded"),
    )
    words = [word for holds, word in marks if holds]
    if words:
        yield "Marks", ", ".join(words), ""


def _recorded(assembly: Assembly, row: int) -> str:
    """Return the fate of a message as recorded by the program that wrote the file, "" without a recording."""
    sentence = recorded_sentence(assembly.candidates.things[row])
    return paragraph(sentence, theme().muted_text) if sentence else ""


def _metadata(candidates: Candidates, row: int) -> Mapping[str, Any]:
    """Return the further metadata of a message from its source, which policies do not read."""
    thing = candidates.things[row]
    return thing.metadata if isinstance(thing, Message) else {}


def _formula(assembly: Assembly, row: int, policy: object | None, is_narrow: bool) -> str:
    """Return a memory's ranking with its numbers filled in: signal × weight = part, with a bar if there is room."""
    signals = ranking_signals(assembly, row, policy)
    if not signals:
        return ""
    ink = theme().section_color(Section.MEMORY)
    lines = [tuple(muted(title) for title in ("Signal", "Value", "Weight", "Part", ""))]
    heaviest = max(signal.weight for signal in signals) or 1.0
    for signal in signals:
        remark = "" if signal.known else muted("not known, counts as 0")
        figures = (f"{signal.value:.3f}", f"× {signal.weight:.2f}", f"= {signal.part:.3f}")
        picture = "" if is_narrow else bar(signal.part / heaviest, ink)
        lines.append((plain(signal.name), *figures, remark or picture))
    total = sum(signal.part for signal in signals)
    lines.append((strong("score"), "", "", strong(f"{total:.3f}"), ""))
    title = "How it would be ranked" if np.isnan(assembly.score[row]) else "How it is ranked"
    return heading(title) + table(lines, (1, 2, 3), is_narrow=is_narrow)


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
