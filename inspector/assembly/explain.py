"""Explanations: the sentence behind a decision, made when somebody looks at it."""

from inspector.assembly.columns import Action, Kind, Section, word
from inspector.assembly.decisions import Assembly

_NOUNS = {
    Kind.SYSTEM: "the system prompt",
    Kind.COMPONENT: "this component",
    Kind.PROFILE: "the profile",
    Kind.MEMORY: "this memory",
    Kind.LORE: "this lorebook entry",
    Kind.PASSAGE: "this passage",
    Kind.SUMMARY: "this summary",
    Kind.DOCUMENT: "this document",
    Kind.ATTACHMENT: "this attachment",
    Kind.MESSAGE: "this message",
}


def explain(assembly: Assembly, row: int) -> str:
    """What happened to a candidate and why, as a person would say it, with the numbers behind it."""
    candidates = assembly.candidates
    thing = _NOUNS[Kind(candidates.kind[row])]
    left = assembly.left_of(row)
    tokens, cost, spent = int(candidates.tokens[row]), int(assembly.costs[row]), int(assembly.spent[row])
    sentence = assembly.reason_of(row).sentence.format(
        thing=thing,
        section=word(_section(assembly, row)),
        tokens=f"{tokens:,}",
        cost=f"{cost:,}",
        spent=f"{spent:,}",
        left="" if left is None else f"{left:,}",
        missing="" if left is None else f"{cost - left:,}",
        limit=_limit(assembly, row),
        place=_place(assembly, row),
        score=f"{float(assembly.score[row]):.3f}",
    )
    action = word(Action(assembly.action[row])).capitalize()
    return f"{action}. {sentence[0].upper()}{sentence[1:]}"


def _section(assembly: Assembly, row: int) -> Section:
    return Section(assembly.section[row])


def _limit(assembly: Assembly, row: int) -> str:
    """The limit of the row's section in words, with what it was lent."""
    budget = assembly.budget.sections.get(_section(assembly, row))
    if budget is None or budget.limit is None:
        return ""
    borrowed = f" and {budget.borrowed:,} borrowed" if budget.borrowed else ""
    return f" of {budget.limit:,} tokens{borrowed}"


def _place(assembly: Assembly, row: int) -> str:
    """The place of the row in the order of decision of its section."""
    if assembly.rank[row] < 0:
        return ""
    inside = (assembly.section == assembly.section[row]) & (assembly.rank >= 0)
    place = int((assembly.rank[inside] < assembly.rank[row]).sum()) + 1
    return f" ({place:,}{_ordinal(place)} of {int(inside.sum()):,})"


def _ordinal(number: int) -> str:
    if 10 <= number % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
