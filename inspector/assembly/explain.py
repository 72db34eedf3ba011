"""Explanations: the sentence behind a decision, made on demand."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import Fate, Kind, Section, phrase, word
from inspector.assembly.decider import decider_of
from inspector.assembly.decision_order import decision_place
from inspector.assembly.decisions import Assembly
from inspector.assembly.message_class import class_sentence
from inspector.assembly.policy import traits_of
from inspector.assembly.reasons import INACTIVE
from inspector.figures import figures, in_number

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
    Kind.GREETING: "the greeting",
    Kind.MESSAGE: "this message",
}


@dataclass(frozen=True, slots=True)
class Signal:
    """A term of a score: `weight` × `value`; `known` is False if the value replaces a missing one."""

    name: str
    weight: float
    value: float
    known: bool

    @property
    def part(self) -> float:
        """The contribution of the signal to the score."""
        return self.weight * self.value


def ranking_signals(assembly: Assembly, row: int, policy: object | None) -> tuple[Signal, ...]:
    """Return the filled-in ranking formula of a memory; empty for other items, and under a policy without a formula."""
    candidates, signals = assembly.candidates, traits_of(policy).signals
    if candidates.kind[row] != Kind.MEMORY or signals is None:
        return ()
    known = {
        "similarity": not np.isnan(candidates.similarity[row]),
        "recency": not (np.isnan(candidates.time[row]) or np.isnan(candidates.now)),
        "type": not np.isnan(candidates.type_priority[row]),
    }
    found = signals(candidates, np.array([row], dtype=np.intp))
    terms = ((name, weight, float(values[0])) for name, (weight, values) in found.items())
    return tuple(Signal(name, weight, value, bool(known.get(name, True))) for name, weight, value in terms)


def explain(assembly: Assembly, row: int) -> str:
    """Explain the decision about a candidate in plain words, with the numbers and the item behind it."""
    sentence, decider = decision_sentence(assembly, row), decider_of(assembly, row)
    return sentence if decider is None else f"{sentence} {decider.words} {assembly.candidates.ids[decider.row]}."


def decision_sentence(assembly: Assembly, row: int) -> str:
    """Return the same without the name of the deciding item."""
    candidates = assembly.candidates
    thing = _NOUNS[Kind(candidates.kind[row])]
    left = assembly.left_of(row)
    reason, estimated = assembly.reason_of(row), bool(candidates.estimated[row])
    sentence = reason.sentence.format(
        thing=thing,
        section=word(_section(assembly, row)),
        tokens=figures(int(candidates.tokens[row]), estimated),
        cost=figures(int(assembly.charges[row]), estimated),
        spent=figures(int(assembly.spent[row]), estimated),
        left="" if left is None else figures(left, candidates.has_estimates),
        missing="" if left is None else figures(assembly.short_by(row), candidates.has_estimates),
        limit=_limit(assembly, row),
        order=_order(assembly, row),
        score=f"{float(assembly.score[row]):.3f}",
        activation=_activation(assembly, row),
        who="the file" if getattr(candidates.things[row], "excluded", False) else "you",
    )
    if reason is not INACTIVE and _section(assembly, row) == Section.LORE:
        sentence = f"{sentence} {_activation(assembly, row)}".rstrip()
    fate = phrase(Fate(assembly.fate[row])).capitalize()
    return in_number(f"{fate}. {sentence[0].upper()}{sentence[1:]} {class_sentence(assembly, row)}".rstrip())


def _activation(assembly: Assembly, row: int) -> str:
    """Return the key and message that activated a lore entry, or why it is inactive; "" for everything else."""
    candidates = assembly.candidates
    if candidates.kind[row] != Kind.LORE or not candidates.activations:
        return ""
    return candidates.activations[row - int(candidates.rows(Kind.LORE)[0])].sentence


def _section(assembly: Assembly, row: int) -> Section:
    return Section(assembly.section[row])


def _limit(assembly: Assembly, row: int) -> str:
    """Return the limit of the row's section in words, with its loan."""
    budget = assembly.budget.sections.get(_section(assembly, row))
    if budget is None or budget.limit is None:
        return ""
    borrowed = f" and {budget.borrowed:,} borrowed" if budget.borrowed else ""
    return f" of {budget.limit:,} tokens{borrowed}"


def _order(assembly: Assembly, row: int) -> str:
    """Return the place of the row in the order of decision of its section, in words."""
    place = decision_place(assembly, row)
    return "" if place is None else f" ({place.number:,}{_ordinal(place.number)} of {place.total:,})"


def _ordinal(number: int) -> str:
    if 10 <= number % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
