"""Stage 1 of WhisperEngine: components of the system message, charged by their length, within their budget."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import I32, Action, Kind, Rows, Section
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import first_fit
from inspector.assembly.policies.adaptive import Choice, is_required, keep_components, repeats
from inspector.assembly.policies.whisperengine.cutting import both_ends
from inspector.assembly.policy_finding_kinds import COMPONENT_CUT, DUPLICATES_CHARGED, REQUIRED_OVER_BUDGET
from inspector.assembly.reasons import CUT_MIDDLE, DUPLICATE, OVER_BUDGET
from inspector.model import Component

CODE_POINTS_PER_TOKEN = 4
LEAST_ROOM = 500
"""A component that does not fit is cut only if at least this many tokens are left for it."""
HEAD_SHARE, TAIL_SHARE = 0.5, 0.3
"""The shares of the remaining code points for its beginning and its end."""
_NOTICE = " was cut to the token budget; its middle part is absent]"


@dataclass(frozen=True, eq=False, slots=True)
class WeighedComponents:
    """The choice of stage 1, the charge of each component in its order, and the components without their middle.

    `is_over` is true if the required components alone exceed the budget, `spares_required` if they stay even then.
    """

    choice: Choice
    charges: I32
    cut: Rows
    is_over: bool = False
    spares_required: bool = True


def weigh_components(
    ledger: Ledger, rows: Rows, budget: int, memory_chars: int, *, cuts_required: bool
) -> WeighedComponents:
    """Choose all components if they fit together, else the required ones and then others as far as they fit.

    `rows` are by priority; a `budget` of 0 is no limit. If the required components alone exceed it, they all stay, or
    with `cuts_required` are cut or left out in turn.
    """
    charges = _charges(ledger, rows, memory_chars)
    taken = np.ones(len(rows), np.bool_)
    if not budget or int(charges.sum(dtype=np.int64)) <= budget:
        return WeighedComponents(Choice(rows, taken, repeats(ledger, rows, taken), is_tight=False), charges, rows[:0])
    required = is_required(ledger, rows)
    order = np.argsort(~required, kind="stable")
    rows, charges, count = rows[order], charges[order], int(required.sum())
    room = budget - int(charges[:count].sum(dtype=np.int64))
    taken[count:] = first_fit(charges[count:], room)
    is_over = room < 0
    spares = not (is_over and cuts_required)
    cut = rows[:0] if spares else _cut_required(ledger, rows[:count], charges, taken, budget)
    choice = Choice(rows, taken, repeats(ledger, rows, taken), is_tight=True)
    return WeighedComponents(choice, charges, cut, is_over, spares_required=spares)


def decide_components(ledger: Ledger, weighed: WeighedComponents, stays: Rows, budget: int) -> None:
    """Record the choice of stage 1, of which only the rows left by an emergency, `stays`, are in the prompt."""
    choice = weighed.choice
    ledger.drop(choice.rows[~choice.taken], OVER_BUDGET, Section.SYSTEM)
    ledger.drop(choice.rows[choice.repeated], DUPLICATE, Section.SYSTEM)
    keep_components(ledger, choice, stays, spares_required=weighed.spares_required)
    if budget:
        ledger.put_in_order(choice.rows, weighed.charges, budget, taken=choice.taken)
        _note_faults(ledger, weighed, budget)


def _charges(ledger: Ledger, rows: Rows, memory_chars: int) -> I32:
    """Return a quarter of the code points of each component, rounded down, unless the file records its cost."""
    candidates = ledger.candidates
    lengths = candidates.items.lengths[rows]
    shown = np.where(candidates.kind[rows] == int(Kind.MEMORY), np.minimum(lengths, memory_chars), lengths)
    given = candidates.recorded[rows] & (shown == lengths)
    return np.where(given, candidates.tokens[rows], shown // CODE_POINTS_PER_TOKEN).astype(np.int32)


def _cut_required(ledger: Ledger, rows: Rows, charges: I32, taken: np.ndarray, budget: int) -> Rows:
    """Take, cut or leave out each required component, which together exceed the budget. Writes into charges and taken.

    Pinned ones are taken first, whatever they cost. Return the rows cut.
    """
    pinned = ledger.candidates.pinned[rows]
    used = int(charges[: len(rows)][pinned].sum(dtype=np.int64))
    cut: list[int] = []
    for place in np.flatnonzero(~pinned).tolist():
        left = budget - used
        if left < LEAST_ROOM and (left <= 0 or charges[place] > left):
            taken[place] = False
            continue
        if charges[place] > left:
            charges[place] = _cut(ledger, rows[place : place + 1], CODE_POINTS_PER_TOKEN * left)
            cut.append(int(rows[place]))
        used += int(charges[place])
    return np.array(cut, np.intp)


def _cut(ledger: Ledger, row: Rows, code_points: int) -> int:
    """Reshape a component to a form without its middle. Return its new charge."""
    thing = ledger.candidates.things[int(row[0])]
    name = thing.type if isinstance(thing, Component) else "core_system"
    whole = ledger.candidates.texts[int(row[0])]
    head, tail = int(code_points * HEAD_SHARE), int(code_points * TAIL_SHARE)
    text = both_ends(whole, head, f"\n\n[{name}{_NOTICE}\n\n", tail)
    costs = ledger.candidates.form_tokens(row, ("component without its middle", head, tail), lambda _: text)
    ledger.reshape(row, Action.TRUNCATED, CUT_MIDDLE, costs, lambda _: text)
    return len(text) // CODE_POINTS_PER_TOKEN


def _note_faults(ledger: Ledger, weighed: WeighedComponents, budget: int) -> None:
    """Report the losses due to required components and to charged duplicates."""
    choice, charges = weighed.choice, weighed.charges
    if weighed.is_over:
        message = f"The required components alone exceed the {budget:,} tokens of the system message."
        ledger.report(REQUIRED_OVER_BUDGET, message, choice.rows[is_required(ledger, choice.rows)])
    if len(weighed.cut):
        noun = "component has" if len(weighed.cut) == 1 else "components have"
        message = f"{len(weighed.cut):,} required {noun} lost the middle, to fit into the system message."
        ledger.report(COMPONENT_CUT, message, weighed.cut)
    wasted = int(charges[choice.repeated].sum(dtype=np.int64))
    left = budget - int(charges[choice.taken].sum(dtype=np.int64))
    lost = choice.rows[~choice.taken & (charges <= left + wasted)]
    if wasted and (len(lost) or len(weighed.cut)):
        message = f"Components that repeat another used up {wasted:,} tokens before they were left out."
        ledger.report(DUPLICATES_CHARGED, message, choice.rows[choice.repeated])
