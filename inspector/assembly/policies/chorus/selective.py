"""The selective strategy of Chorus Engine: old messages kept, dropped as filler, or replaced by a line."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, ROLE_NUMBER, ROLES, U8, Action, Bool, Kind, Rows, Section
from inspector.assembly.items import PREVIEW_CODE_POINTS
from inspector.assembly.ledger import Ledger
from inspector.assembly.message_class import MessageClass
from inspector.assembly.message_marks import Mark
from inspector.assembly.policies.chorus.reasons import EARLIER, FILLER
from inspector.assembly.policy_finding_kinds import MULTI_SOURCE_MEMORY_IGNORED
from inspector.assembly.replacements import REASONS, SummarySource
from inspector.model import Memory
from inspector.retrieval.message_classes import is_filler
from inspector.retrieval.summaries.summarizer import earlier


@dataclass(frozen=True, slots=True)
class Selection:
    """How messages are selected: the newest `recent` stay, and those of this emotional weight or more."""

    recent: int
    emotional_threshold: float


@dataclass(frozen=True, eq=False, slots=True)
class _Selected:
    """Masks of filler and of replaced messages over those read, with the costs of the replacements and the classes.

    `ignored` are rows of messages that would have stayed if their memory had no other source.
    """

    filler: Bool
    replaced: Bool
    costs: I32
    ignored: Rows
    classes: U8


def spoken_tokens(candidates: Candidates, newest: int | None) -> int:
    """Return the tokens of the newest messages (None: all), each as a line with its role as the code prints it."""
    return candidates.derived("chorus: spoken", newest, lambda: _spoken_tokens(candidates, newest))


def _spoken_tokens(candidates: Candidates, newest: int | None) -> int:
    rows = read_rows(candidates, newest)

    def line(row: int) -> str:
        return f"MessageRole.{ROLES[candidates.role[row]].upper()}: {candidates.texts[row]}"

    return int(candidates.form_tokens(rows, "chorus: with its role", line).sum(dtype=np.int64))


def read_rows(candidates: Candidates, newest: int | None) -> Rows:
    """Return the rows of the newest open messages, oldest first; all for None. Pinned ones are always read."""
    rows = candidates.existing_messages
    start = 0 if newest is None else max(0, len(rows) - newest)
    older = rows[:start]
    return np.concatenate([older[candidates.pinned[older]], rows[start:]])


def select_messages(ledger: Ledger, rows: Rows, selection: Selection) -> Rows:
    """Drop filler among these messages and replace old ones by a line; return the remaining rows, in order."""
    candidates = ledger.candidates
    terms = rows.tobytes(), selection
    chosen = candidates.derived("chorus: selected", terms, lambda: _selected(candidates, rows, selection))
    ledger.classify(rows, chosen.classes)
    ledger.drop(rows[chosen.filler][::-1], FILLER, Section.HISTORY)
    sources = candidates.items.standing.sources_of(rows)
    for source, reason in {**REASONS, SummarySource.PREVIEW: EARLIER}.items():
        shaped = chosen.replaced & (sources == source)
        ledger.reshape(
            rows[shaped], Action.SUMMARIZED, reason, chosen.costs[shaped], lambda row: _earlier(candidates, row)
        )
    if len(chosen.ignored):
        noun = "message is" if len(chosen.ignored) == 1 else "messages are"
        message = f"{len(chosen.ignored):,} {noun} not kept for the sake of a memory, since it names others as well."
        ledger.report(MULTI_SOURCE_MEMORY_IGNORED, message, chosen.ignored)
    return rows[~chosen.filler]


def _selected(candidates: Candidates, rows: Rows, selection: Selection) -> _Selected:
    """Select among the rows read."""
    nothing = np.zeros(len(rows), np.bool_)
    recent = np.arange(len(rows))[::-1] < selection.recent
    emotional = candidates.marks.emotional_weight[rows] >= selection.emotional_threshold
    if len(rows) <= selection.recent:
        classes = _classes(emotional, recent, nothing, nothing)
        return _Selected(nothing, nothing, candidates.tokens[rows], rows[:0], classes)
    preserved = candidates.pinned[rows] | recent | emotional
    preserved[0] = True
    alone, together = _sources(candidates, rows)
    preserved |= alone
    filler = ~preserved & _fillers(candidates, rows)
    replaced = ~preserved & ~filler & (candidates.items.standing.sources_of(rows) != int(SummarySource.WHOLE))
    costs = candidates.tokens[rows]
    costs[replaced] = candidates.form_tokens(rows[replaced], "chorus: earlier", lambda row: _earlier(candidates, row))
    classes = _classes(emotional, recent, filler, replaced)
    return _Selected(filler, replaced, costs, rows[together & ~preserved], classes)


def _classes(emotional: Bool, recent: Bool, filler: Bool, replaced: Bool) -> U8:
    """Return the class of each message; NONE for messages kept for a reason specific to this system."""
    masks = {
        MessageClass.EMOTIONAL: emotional,
        MessageClass.RECENT: recent,
        MessageClass.FILLER: filler,
        MessageClass.ORDINARY: replaced,
    }
    return np.select(list(masks.values()), list(masks), MessageClass.NONE).astype(np.uint8)


def _fillers(candidates: Candidates, rows: Rows) -> Bool:
    """Return which of these messages are filler: by their marks, else by the rule of this system."""
    marks = candidates.marks
    found = np.array([is_filler(candidates.texts[row]) for row in rows.tolist()], np.bool_)
    return np.where(marks.told[rows] & Mark.FILLER, marks.filler[rows], found)


def _sources(candidates: Candidates, rows: Rows) -> tuple[Bool, Bool]:
    """Return masks of the user messages that are the only source of a memory, and of those among several sources."""
    alone: set[str] = set()
    together: set[str] = set()
    for row in candidates.open_rows[Kind.MEMORY].tolist():
        memory = candidates.things[row]
        assert isinstance(memory, Memory)
        (alone if len(memory.source_messages) == 1 else together).update(memory.source_messages)
    is_user = candidates.role[rows] == ROLE_NUMBER["user"]
    named = [candidates.items.plain_ids[row] for row in rows.tolist()]
    return is_user & _among(named, alone), is_user & _among(named, together)


def _among(names: Sequence[str], wanted: set[str]) -> Bool:
    return np.array([name in wanted for name in names], np.bool_)


def _earlier(candidates: Candidates, row: int) -> str:
    """Return the line in place of a message: its summary, stored or computed, or the beginning of its text."""
    text = candidates.texts[row]
    if candidates.items.standing.sources_of(np.array([row]))[0] != int(SummarySource.PREVIEW):
        return candidates.replacement(row)
    dots = "..." if len(text) > PREVIEW_CODE_POINTS else ""
    return earlier(f"{text[:PREVIEW_CODE_POINTS]}{dots}")
