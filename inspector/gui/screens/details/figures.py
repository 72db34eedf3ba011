"""The figures of an item: names at the left, values at the right, and the ranking of a memory written out."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Fate, Kind, Section, State, section_title
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import decision_place, ranking_signals
from inspector.assembly.message_class import class_of, class_words, is_computed, is_overridden
from inspector.assembly.message_marks import Mark
from inspector.assembly.part_costs import part_costs, parts_of
from inspector.assembly.relevance import similarity_parts, similarity_words
from inspector.assembly.token_ledger import NOT_MEASURED, TokenLedger
from inspector.figures import counted, figures, signed
from inspector.formats.content.words import part_words
from inspector.gui.parts.page import heading, pairs
from inspector.gui.parts.texts import one_line
from inspector.model import Message, Usage, recorded_usage
from inspector.tokens.certainty import Certainty, Cost
from inspector.tokens.cost_words import cost_figure, figure_of, state_words

_MOST_PARTS = 40
Line = tuple[str, str, str]
"""Name, value and remark of a figure."""


def figures_page(answer: Answer, row: int, policy: object | None) -> str:
    """Return the HTML of every known figure of a row."""
    return pairs(item_figures(answer, row)) + _formula(answer.assembly, row, policy)


def item_figures(answer: Answer, row: int) -> Iterator[Line]:
    """Yield name, value and remark for every known figure of a row."""
    assembly = answer.assembly
    candidates = assembly.candidates
    certainty = Certainty(int(candidates.certainty[row]))
    yield "Tokens", figure_of(int(candidates.tokens[row]), certainty), _origin(candidates, row)
    yield from _spent(answer, row)
    yield from _place(assembly, row)
    yield from _left(assembly, row)
    yield from _marks(candidates, row)
    yield from _relevance(assembly, row)
    yield from _class(answer, row)
    if candidates.kind[row] == Kind.MESSAGE:
        yield "Formatting around it", figures(int(candidates.frame_tokens[row])), ""
    yield from _source(assembly, row)
    yield from _parts(answer, row)


def _origin(candidates: Candidates, row: int) -> str:
    """Return the origin of the token count of a row."""
    if candidates.recorded[row]:
        return "recorded in the file"
    if not candidates.exact[row]:
        return "estimated, not counted yet"
    low, high = (int(bound[row]) for bound in candidates.token_bounds)
    cost = Cost(int(candidates.tokens[row]), low, high, Certainty(int(candidates.certainty[row])))
    return state_words(cost, of_whole=cost.tokens > 0)


def _spent(answer: Answer, row: int) -> Iterator[Line]:
    """Yield the tokens of a row by other counts: in this prompt, as charged, as rendered, and as recorded."""
    assembly = answer.assembly
    candidates, spent = assembly.candidates, int(assembly.spent[row])
    estimated = bool(candidates.estimated[row])
    if assembly.in_prompt[row]:
        yield "In the prompt", figures(spent, estimated), ""
    charged = int(assembly.charges[row])
    if charged != int(assembly.costs[row]):
        yield "Charged by the policy", figures(charged, estimated), "as it counts, against its own limits"
    yield from _counted(answer.ledger, row, spent)
    yield from _recorded(recorded_usage(_metadata(candidates, row)))


def _recorded(usage: Usage) -> Iterator[Line]:
    """Yield what the program that wrote the file counted: of the message, and of the request that it answers."""
    if usage.output is not None:
        thoughts = f", of which {counted(usage.thoughts, 'token')} of thoughts" if usage.thoughts else ""
        yield (
            "Tokens recorded",
            figures(usage.output),
            f"by the program that wrote the file, with its own tokenizer{thoughts}",
        )
    if usage.prompt is not None:
        yield "Prompt recorded", figures(usage.prompt), "the request that this message answers"
    for name, tokens in (("From a cache", usage.cached), ("To a cache", usage.written)):
        if tokens:
            yield name, figures(tokens), "of the recorded prompt"


def _counted(ledger: TokenLedger, row: int, spent: int) -> Iterator[Line]:
    """Yield the cost of the item in the rendered prompt, beside its planned cost."""
    if ledger.counted is not None and ledger.counted[row] != NOT_MEASURED:
        counted = int(ledger.counted[row])
        drift = "as planned" if counted == spent else f"{signed(counted - spent)} against the plan"
        yield "Counted in the prompt", figures(counted, ledger.estimated), drift


def _place(assembly: Assembly, row: int) -> Iterator[Line]:
    """Yield the place in the section's order of decision."""
    place = decision_place(assembly, row)
    if place is None:
        is_later = assembly.fate[row] == Fate.NOT_YET
        yield "Order of decision", "later than this turn" if is_later else "dropped before the policy saw it", ""
    else:
        yield "Order of decision", f"{place.number:,} of {place.total:,}", place.order


def _left(assembly: Assembly, row: int) -> Iterator[Line]:
    """Yield the tokens left of the section's limit after all earlier decisions."""
    left, budget = assembly.left_of(row), assembly.budget.sections.get(Section(int(assembly.section[row])))
    limit = None if budget is None else budget.limit
    borrowed = f"and {budget.borrowed:,} borrowed" if budget is not None and budget.borrowed else ""
    if left is not None:
        of = "" if limit is None else f" of {limit:,}"
        yield "Left at its turn", f"{figures(left, assembly.candidates.has_estimates)}{of}", borrowed
    elif limit is not None:
        yield "Limit of its section", f"{limit:,}", borrowed


def _relevance(assembly: Assembly, row: int) -> Iterator[Line]:
    """Yield the score, and the similarity to the query with its parts; for a message only if it was ranked by it."""
    candidates, score = assembly.candidates, float(assembly.score[row])
    if not np.isnan(score):
        yield "Score", f"{score:.3f}", ""
    is_ranked = not np.isnan(score) or candidates.kind[row] != Kind.MESSAGE
    if is_ranked and (words := similarity_words(candidates, row)):
        yield "Fits the next message", f"{sum(similarity_parts(candidates, row)[0].values()):.2f} of 1", words


def _class(answer: Answer, row: int) -> Iterator[Line]:
    """Yield the class of a message for the policy, and its origin."""
    assembly = answer.assembly
    if words := class_words(class_of(assembly, row)):
        said_by_you = is_overridden(answer.scenario.overrides, assembly.candidates.ids[row])
        yield "Class", words, "as you said" if said_by_you else "computed" if is_computed(assembly, row) else ""


def _marks(candidates: Candidates, row: int) -> Iterator[Line]:
    weight = float(candidates.marks.emotional_weight[row])
    if not np.isnan(weight):
        from_text = candidates.marks.computed[row] & Mark.EMOTIONAL_WEIGHT
        yield "Importance", f"{weight:.2f}", "computed from the text by VADER" if from_text else "as marked in the file"
    marks = (
        (candidates.pinned[row], "pinned"),
        (candidates.marks.key_moment[row], "key moment"),
        (candidates.marks.filler[row], "filler"),
        (candidates.has_summary[row], "has a stored summary"),
        (candidates.state[row] == State.EXCLUDED, "left out"),
    )
    if words := [word for holds, word in marks if holds]:
        yield "Marks", ", ".join(words), ""


_NAMED = (("role", "Role"), ("title", "Title"), ("type", "Type"), ("category", "Category"), ("pages", "Pages"))


def _source(assembly: Assembly, row: int) -> Iterator[Line]:
    """Yield the place of an item in prompt and file: section, role, time, id and the like."""
    candidates, thing = assembly.candidates, assembly.candidates.things[row]
    yield "Section", section_title(Section(int(assembly.section[row]))), ""
    for name, title in _NAMED:
        value = getattr(thing, name, "")
        if isinstance(value, str) and value:
            yield title, one_line(value), ""
    if (time := getattr(thing, "time", None)) is not None:
        yield "When", f"{time:%Y-%m-%d %H:%M}", ""
    yield "Id", one_line(candidates.ids[row]), ""


def _parts(answer: Answer, row: int) -> Iterator[Line]:
    """Yield the parts of a message in order, each with its cost, and what it is with the rule behind the cost."""
    candidates = answer.assembly.candidates
    for number, priced in enumerate(part_costs(candidates, answer.model.media, row, _MOST_PARTS), 1):
        said = "; ".join(filter(None, (part_words(priced.part), priced.cost.rule)))
        yield f"Part {number}", cost_figure(priced.cost), one_line(said)
    more = len(parts_of(candidates, row)) - _MOST_PARTS
    if more > 0:
        yield "More parts", f"{more:,}", ""


def _metadata(candidates: Candidates, row: int) -> Mapping[str, Any]:
    """Return the further metadata of a message from its source, which policies do not read."""
    thing = candidates.things[row]
    return thing.metadata if isinstance(thing, Message) else {}


def _formula(assembly: Assembly, row: int, policy: object | None) -> str:
    """Return a memory's ranking with its numbers filled in: signal, value × weight = part."""
    signals = ranking_signals(assembly, row, policy)
    if not signals:
        return ""
    lines = [
        (
            signal.name.capitalize(),
            f"{signal.value:.3f} × {signal.weight:.2f} = {signal.part:.3f}",
            "" if signal.known else "not known, counts as 0",
        )
        for signal in signals
    ]
    total = sum(signal.part for signal in signals)
    title = "How it would be ranked" if np.isnan(assembly.score[row]) else "How it is ranked"
    return heading(title) + pairs([*lines, ("Score", f"{total:.3f}", "")])
