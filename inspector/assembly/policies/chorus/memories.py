"""Recall of memories: the conditions for their return, their ranking, and their packing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, U8, Kind, Rows, Section
from inspector.assembly.defaults import split_pinned
from inspector.assembly.items import ItemTexts
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import highest_few, highest_first, until_full
from inspector.assembly.policies.chorus.reasons import (
    MANY_ENOUGH,
    NO_QUERY,
    NOT_APPROVED,
    OTHER_PLATFORM,
    OTHER_THREAD,
    OTHER_TYPE,
    PASSING,
    below_threshold,
)
from inspector.assembly.policies.ratio import memory_signals
from inspector.assembly.policy_finding_kinds import (
    CHARACTER_WIDE_MEMORY_LOST,
    CORE_MEMORY_FILTERED_BY_SOURCE,
    PRIORITY_ZERO,
)
from inspector.assembly.reasons import NOT_RETRIEVED, PINNED, Reason
from inspector.model import Memory
from inspector.retrieval.ranking import Weights, weighted_sum

CODE_POINTS_PER_TOKEN = 4
MIDDLE_PRIORITY = 50.0
"""The priority, of 100, of a memory with none or 0."""
DEFAULT_TYPE, DEFAULT_STATUS, DEFAULT_PLATFORM = "fact", "approved", "web"
APPROVED = ("approved", "auto_approved")
OBJECTIONS = (OTHER_TYPE, NOT_APPROVED, PASSING, OTHER_PLATFORM, OTHER_THREAD)
_NONE = len(OBJECTIONS)


@dataclass(frozen=True, eq=False)
class RecallRules:
    """The conditions for memories in a state of the code.

    `types` maps each recalled type to the least similarity and to its value in the score, in percent. `approved_types`
    are those that need approval; `checks_origin` says whether durability and platform are checked.
    """

    types: Mapping[str, tuple[float, float]]
    approved_types: tuple[str, ...]
    checks_origin: bool

    def objection(self, memory: Memory, thread: str, platform: str) -> int:
        """Return the first objection to recalling a memory in a thread, an index into OBJECTIONS; beyond for none."""
        kind = memory.type or DEFAULT_TYPE
        foreign = bool(thread) and memory.thread_id != thread and kind not in ("core", "fact")
        found: dict[Reason, bool] = {
            OTHER_TYPE: kind not in self.types,
            NOT_APPROVED: kind in self.approved_types and (memory.status or DEFAULT_STATUS) not in APPROVED,
            PASSING: self.checks_origin and memory.durability == "ephemeral",
            OTHER_PLATFORM: self.checks_origin and (memory.source or DEFAULT_PLATFORM) != platform,
            OTHER_THREAD: foreign,
        }
        return next((OBJECTIONS.index(reason) for reason, holds in found.items() if holds), _NONE)


_TYPES_2026_02 = {
    "core": (0.45, 150),
    "explicit": (0.55, 120),
    "fact": (0.50, 100),
    "project": (0.55, 110),
    "experience": (0.50, 95),
    "story": (0.55, 90),
    "relationship": (0.60, 105),
}
_TYPES_2026_01 = {"core": (0.45, 150), "explicit": (0.55, 120), "fact": (0.50, 100), "ephemeral": (0.60, 80)}
RULES_2026_02 = RecallRules(
    _TYPES_2026_02, tuple(kind for kind in _TYPES_2026_02 if kind != "core"), checks_origin=True
)
RULES_2026_01 = RecallRules(_TYPES_2026_01, ("fact",), checks_origin=False)


@dataclass(frozen=True, eq=False, slots=True)
class _Recalled:
    """Rows of the unpinned memories: `far` were not among the most similar, `ranked` come best first.

    `refused` are rows with an objection each, `unlike` those below the `least` similarity of their type.
    """

    far: Rows
    refused: Rows
    objections: U8
    unlike: Rows
    least: F64
    ranked: Rows
    scores: F64


def rank_memories(ledger: Ledger, rules: RecallRules, weights: Weights, count: int) -> tuple[Rows, Rows]:
    """Return the pinned memories, and those available for recall, best first; drop the others for their reasons."""
    pinned, others = split_pinned(ledger, ledger.rows(Kind.MEMORY))
    if not ledger.candidates.query:
        ledger.drop(others, NO_QUERY, Section.MEMORY)
        return pinned, others[:0]
    candidates = ledger.candidates
    make = lambda: _recalled(candidates, rules, weights, count)  # noqa: E731 - of these terms
    found = candidates.derived("chorus: recalled", (rules, weights, count), make)
    ledger.score(found.unlike, ledger.candidates.similarity[found.unlike])
    ledger.score(found.ranked, found.scores)
    for number, reason in enumerate(OBJECTIONS):
        ledger.drop(found.refused[found.objections == number], reason, Section.MEMORY)
    for least in np.unique(found.least).tolist():
        ledger.drop(found.unlike[found.least == least], below_threshold(least), Section.MEMORY)
    ledger.drop(found.far, NOT_RETRIEVED, Section.MEMORY)
    _note_faults(ledger, rules, found)
    return pinned, found.ranked


def fill_memories(ledger: Ledger, pinned: Rows, ranked: Rows, limit: int, cap: int) -> int:
    """Pack memories with a stop packer, at most `cap` of them, at a quarter of their code points each.

    A limit of 0 or less takes none. Return the rest of the limit.
    """
    room = limit - int(_charges(ledger, pinned).sum(dtype=np.int64))
    ledger.guarantee(pinned, PINNED, Section.MEMORY, room=limit, charges=_charges(ledger, pinned))
    charges = _charges(ledger, ranked)
    count = until_full(charges, room if limit > 0 else -1)
    taken, too_many = ranked[:count][:cap], ranked[:count][cap:]
    room -= ledger.fill(taken, room, Section.MEMORY, charges=charges[: len(taken)])
    ledger.drop(too_many, MANY_ENOUGH, Section.MEMORY, left=room)
    rest = room - int(charges[len(taken) : count].sum(dtype=np.int64))
    ledger.fill(ranked[count:], rest if limit > 0 else -1, Section.MEMORY, charges=charges[count:])
    return room


def chorus_signals(
    candidates: Candidates, rules: RecallRules, weights: Weights, rows: Rows
) -> dict[str, tuple[float, F64]]:
    """Return the ranking signals of memories by these rules: name → weight, and one value for each row."""
    priority = candidates.priority[rows]
    priority = np.where(np.isnan(priority) | (priority == 0), MIDDLE_PRIORITY, priority)
    _, _, worth = _screened(candidates.items, rules)
    return memory_signals(candidates, rows, weights, priority, worth[rows])


def least_similarities(items: ItemTexts, rules: RecallRules) -> F64:
    """For each candidate before the messages, return the least similarity required by these rules; for memories."""
    return _screened(items, rules)[1]


def _charges(ledger: Ledger, rows: Rows) -> I32:
    """Return the cost of memories as computed by the code, whatever the tokenizer."""
    return (ledger.candidates.items.lengths[rows] // CODE_POINTS_PER_TOKEN).astype(np.int32)


def _note_faults(ledger: Ledger, rules: RecallRules, found: _Recalled) -> None:
    """Report known faults of the code that made a difference."""
    candidates = ledger.candidates
    _, least, _ = _screened(candidates.items, rules)
    like = candidates.similarity[found.refused] >= least[found.refused]
    foreign = found.refused[like & (found.objections == OBJECTIONS.index(OTHER_PLATFORM))]
    core = _those(candidates, foreign, lambda memory: memory.type == "core")
    if len(core):
        message = f"{_many(core, 'core memory', 'core memories')} from another platform are left out like any other."
        ledger.report(CORE_MEMORY_FILTERED_BY_SOURCE, message, core)
    threadless = found.refused[like & (found.objections == OBJECTIONS.index(OTHER_THREAD))]
    lost = _those(candidates, threadless, lambda memory: not memory.thread_id)
    if len(lost):
        message = f"{_many(lost, 'memory', 'memories')} of no thread at all would fit every conversation, and are lost."
        ledger.report(CHARACTER_WIDE_MEMORY_LOST, message, lost)
    zero = found.ranked[candidates.priority[found.ranked] == 0]
    if len(zero):
        message = f"{_many(zero, 'memory', 'memories')} of priority 0 are ranked as if it were 50."
        ledger.report(PRIORITY_ZERO, message, zero)


def _recalled(candidates: Candidates, rules: RecallRules, weights: Weights, count: int) -> _Recalled:
    rows = candidates.open_rows[Kind.MEMORY]
    rows = rows[~candidates.pinned[rows]]
    objections, least, _ = _screened(candidates.items, rules)
    near = highest_few(candidates.similarity[rows], count)
    considered = rows[near]
    passed = objections[considered] == _NONE
    refused, others = considered[~passed], considered[passed]
    like = candidates.similarity[others] >= least[others]
    chosen, unlike = others[like], others[~like]
    scores = weighted_sum(chorus_signals(candidates, rules, weights, chosen))
    order = highest_first(scores)
    return _Recalled(
        far=rows[~near],
        refused=refused,
        objections=objections[refused],
        unlike=unlike,
        least=least[unlike],
        ranked=chosen[order],
        scores=scores[order],
    )


def _screened(items: ItemTexts, rules: RecallRules) -> tuple[U8, F64, F64]:
    """For each candidate before the messages, return its objection, least similarity and value; for memories."""
    return items.derived("chorus: screened", rules, lambda: _screen(items, rules))


def _screen(items: ItemTexts, rules: RecallRules) -> tuple[U8, F64, F64]:
    conversation = items.conversation
    thread = conversation.thread_id if conversation else ""
    platform = platform_of(items)
    objections = np.full(items.first_message, _NONE, np.uint8)
    least, worth = np.zeros(items.first_message), np.zeros(items.first_message)
    for row, memory in enumerate(items.things[: items.first_message]):
        if isinstance(memory, Memory):
            objections[row] = rules.objection(memory, thread, platform)
            least[row], worth[row] = rules.types.get(memory.type or DEFAULT_TYPE, (0.0, 0.0))
    return objections, least, worth


def platform_of(items: ItemTexts) -> str:
    """Return the platform of a conversation, such as web or discord."""
    return (items.conversation.source if items.conversation else "") or DEFAULT_PLATFORM


def _those(candidates: Candidates, rows: Rows, wanted: Callable[[Memory], bool]) -> Rows:
    """Return those of these rows whose memories are wanted."""
    memories = ((row, candidates.things[row]) for row in rows.tolist())
    return np.array([row for row, thing in memories if isinstance(thing, Memory) and wanted(thing)], np.intp)


def _many(rows: Rows, one: str, more: str) -> str:
    return f"{len(rows):,} {one if len(rows) == 1 else more}"
