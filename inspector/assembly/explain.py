"""Explanations: the sentence behind a decision, made on demand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import Fate, Kind, Rows, Section, State, phrase, section_words
from inspector.assembly.compaction import summary_id
from inspector.assembly.decisions import Assembly
from inspector.assembly.message_class import class_sentence
from inspector.assembly.numbers import called
from inspector.assembly.policy import traits_of
from inspector.assembly.reasons import (
    AFTER_MISFITS,
    AFTER_STOP,
    BEFORE_THE_PART,
    BEGINS_WITH_A_REPLY,
    DUPLICATE,
    INACTIVE,
    LONGEST_THAT_FITS,
    NOT_YET,
    OVER_BUDGET,
    REPEATED,
    Reason,
)
from inspector.figures import figures, in_number

BEGINNING = 200
"""The number of leading characters in which components have to agree to count as the same."""


@dataclass(frozen=True, slots=True)
class Decider:
    """The row of a deciding item, and the words before its name."""

    words: str
    row: int


def decider_of(assembly: Assembly, row: int) -> Decider | None:
    """Return the item that decided about a row, None if no single item did."""
    words, find = _DECIDERS.get(assembly.reason_of(row), ("", None))
    found = None if find is None else find(assembly, row)
    return None if found is None else Decider(words, found)


def _misfit(assembly: Assembly, row: int) -> int | None:
    """Return the last misfit in the section of a row before the row was decided."""
    rows = _with_reason(assembly, OVER_BUDGET)
    same = rows[(assembly.section[rows] == assembly.section[row]) & (assembly.rank[rows] < assembly.rank[row])]
    return int(same[np.argmax(assembly.rank[same])]) if len(same) else None


def _alike(assembly: Assembly, row: int) -> int | None:
    """Return the row in the prompt with the same beginning as this component."""
    candidates = assembly.candidates
    beginning = _beginning(candidates.texts[row])
    others = (other for kind in (Kind.SYSTEM, Kind.COMPONENT) for other in candidates.rows(kind).tolist())
    staying = (other for other in others if other != row and assembly.in_prompt[other])
    return next((other for other in staying if _beginning(candidates.texts[other]) == beginning), None)


def _beginning(text: str) -> str:
    return text[:BEGINNING].strip().lower()


def _repeated(assembly: Assembly, row: int) -> int | None:
    """Return the message repeated by a passage."""
    passages, messages = assembly.candidates.items.passage_messages
    found = messages[passages == row]
    return int(found[0]) if len(found) else None


def _to_come(assembly: Assembly, row: int) -> int | None:
    """Return the newest source message of a row, if it is not there yet either."""
    items = assembly.candidates.items
    pairs = (items.parts_of_messages, items.cited_messages)
    found = np.concatenate([messages[rows == row] for rows, messages in pairs])
    found = found[assembly.candidates.state[found] == State.NOT_YET]
    return int(found.max()) if len(found) else None


def _beginning_of_part(assembly: Assembly, row: int) -> int | None:
    """Return the first message of the fitting part of the conversation."""
    rows = _with_reason(assembly, LONGEST_THAT_FITS)
    return int(rows.min()) if len(rows) else None


def _with_reason(assembly: Assembly, reason: Reason) -> Rows:
    if reason not in assembly.reasons:
        return np.empty(0, np.intp)
    return np.flatnonzero(assembly.reason == assembly.reasons.index(reason))


_DECIDERS: Mapping[Reason, tuple[str, Callable[[Assembly, int], int | None]]] = {
    AFTER_STOP: ("The first that did not fit is", _misfit),
    AFTER_MISFITS: ("The last that did not fit is", _misfit),
    DUPLICATE: ("The one that stays is", _alike),
    REPEATED: ("It repeats", _repeated),
    BEFORE_THE_PART: ("That part begins with", _beginning_of_part),
    BEGINS_WITH_A_REPLY: ("The conversation begins with", _beginning_of_part),
    NOT_YET: ("It follows from", _to_come),
}


MOST_PASSES = 4
"""An order with more passes in the same direction than this is not named."""


@dataclass(frozen=True, slots=True)
class DecisionPlace:
    """A row was the `number`-th of `total` in its section; `order` names the criterion of the order, "" for none."""

    number: int
    total: int
    order: str

    @property
    def text(self) -> str:
        """The place in words, such as `407 of 409, newest first`."""
        return f"{self.number:,} of {self.total:,}{f', {self.order}' if self.order else ''}"


def decision_place(assembly: Assembly, row: int) -> DecisionPlace | None:
    """Return the place of a row among all of its section, in the order of their decision.

    None for rows dropped before the policy saw them.
    """
    if assembly.rank[row] < 0:
        return None
    inside = np.flatnonzero((assembly.section == assembly.section[row]) & (assembly.rank >= 0))
    decided = inside[np.argsort(assembly.rank[inside], kind="stable")]
    number = int(np.flatnonzero(decided == row)[0]) + 1
    return DecisionPlace(number, len(decided), _decision_order(assembly, decided, row))


def _decision_order(assembly: Assembly, decided: Rows, row: int) -> str:
    """Return the criterion: pins first, then scores, time or the file. It is named only if it holds for all rows."""
    pinned = assembly.candidates.pinned[decided]
    pins = int(pinned.sum())
    pins_first = bool(pinned[:pins].all()) and 0 < pins < len(decided)
    if pins_first and assembly.candidates.pinned[row]:
        return "pinned, before the others"
    others = decided[pins:] if pins_first else decided
    has_scores = bool(np.isfinite(assembly.score[others]).any())
    words = _by_score(assembly, others, row) if has_scores else _by_place(assembly, others)
    return f"{words}, after {pins:,} pinned" if words and pins_first else words


def _by_score(assembly: Assembly, decided: Rows, row: int) -> str:
    """Return the words for an order by score; rows without a score have only been sorted out."""
    scores = assembly.score[decided]
    scored = np.flatnonzero(np.isfinite(scores))
    if np.isnan(assembly.score[row]) or (np.diff(scores[scored]) > 0).any():
        return ""
    before = int(scored[0])
    return f"best score first, after {before:,} without one" if before else "best score first"


def _by_place(assembly: Assembly, decided: Rows) -> str:
    """Return the direction; a policy may go through the rows several times in it. Messages are in the file as said."""
    steps = np.diff(decided)
    are_messages = bool((assembly.candidates.kind[decided] == Kind.MESSAGE).all())
    words = ("oldest first", "newest first") if are_messages else ("in the order of the file", "last of the file first")
    for direction, is_turn in zip(words, (steps < 0, steps > 0), strict=True):
        if len(steps) > 1 and np.count_nonzero(is_turn) < min(MOST_PASSES, len(steps) / 2):
            return direction
    return ""


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
    if assembly.into is not None and (number := int(assembly.into[row])):
        return f"{sentence} It is told by {summary_id(number)}."
    return sentence if decider is None else f"{sentence} {decider.words} {called(assembly.candidates, decider.row)}."


def decision_sentence(assembly: Assembly, row: int) -> str:
    """Return the same without the name of the deciding item."""
    candidates = assembly.candidates
    thing = _NOUNS[Kind(candidates.kind[row])]
    left = assembly.left_of(row)
    reason, estimated = assembly.reason_of(row), bool(candidates.estimated[row])
    sentence = reason.sentence.format(
        thing=thing,
        section=section_words(_section(assembly, row)),
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
    return "" if place is None else f" ({place.text})"
