"""The selective strategy of Chorus Engine: which old messages stay, which are filler, and which become a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from inspector.assembly.candidates import PREVIEW_CODE_POINTS, Candidates
from inspector.assembly.columns import I32, ROLE_NUMBER, ROLES, Action, Bool, Kind, Rows, Section
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.chorus.reasons import EARLIER, FILLER
from inspector.assembly.reasons import SUMMARY
from inspector.model import Memory, Message

FILLERS = (
    *("ok", "okay", "thanks", "thank you", "got it", "sure", "alright", "yes", "yeah", "yep", "yup", "no", "nope"),
    *("cool", "nice", "great", "awesome", "uh", "um", "hmm", "hm"),
)


@dataclass(frozen=True, slots=True)
class Selection:
    """How messages are selected: the newest `recent` stay, and those of this emotional weight or more."""

    recent: int
    emotional_threshold: float


@dataclass(frozen=True, eq=False, slots=True)
class _Selected:
    """Masks over the messages that are read: filler, and what is replaced, at these costs.

    `ignored` are rows of messages that would have stayed, had their memory no other source.
    """

    filler: Bool
    replaced: Bool
    costs: I32
    ignored: Rows


@lru_cache(maxsize=4)
def spoken_tokens(candidates: Candidates, newest: int | None) -> int:
    """Tokens of the newest messages (None: all), each as a line that begins with its role as the code prints it."""
    rows = read_rows(candidates, newest)

    def line(row: int) -> str:
        return f"MessageRole.{ROLES[candidates.role[row]].upper()}: {candidates.texts[row]}"

    return int(candidates.form_tokens(rows, "chorus: with its role", line).sum(dtype=np.int64))


def read_rows(candidates: Candidates, newest: int | None) -> Rows:
    """The rows of the newest messages that take part, oldest first; all for None. Pinned ones are always read."""
    rows = candidates.existing_messages
    start = 0 if newest is None else max(0, len(rows) - newest)
    older = rows[:start]
    return np.concatenate([older[candidates.pinned[older]], rows[start:]])


def select_messages(book: Ledger, rows: Rows, selection: Selection) -> Rows:
    """Drop filler of these messages and put a line in the place of what is old; the rows that are left, in order."""
    candidates = book.candidates
    chosen = _selected(candidates, rows.tobytes(), selection)
    book.drop(rows[chosen.filler][::-1], FILLER, Section.HISTORY)
    for stored, reason in ((True, SUMMARY), (False, EARLIER)):
        shaped = chosen.replaced & (candidates.has_summary[rows] == stored)
        book.reshape(
            rows[shaped], Action.SUMMARIZED, reason, chosen.costs[shaped], lambda row: _earlier(candidates, row)
        )
    if len(chosen.ignored):
        message = f"{len(chosen.ignored):,} messages that a memory names together with others are not kept for it."
        book.find("multi_source_memory_ignored", "info", message, chosen.ignored)
    return rows[~chosen.filler]


@lru_cache(maxsize=4)
def _selected(candidates: Candidates, read: bytes, selection: Selection) -> _Selected:
    """What is selected of the rows that are `read`, which come as bytes to be remembered."""
    rows = np.frombuffer(read, np.intp)
    nothing = np.zeros(len(rows), np.bool_)
    if len(rows) <= selection.recent:
        return _Selected(nothing, nothing, candidates.tokens[rows], rows[:0])
    preserved = candidates.pinned[rows] | (np.arange(len(rows))[::-1] < selection.recent)
    preserved[0] = True
    preserved |= candidates.emotional_weight[rows] >= selection.emotional_threshold
    alone, together = _sources(candidates, rows)
    preserved |= alone
    filler = ~preserved & np.array([_is_filler(candidates.texts[row]) for row in rows.tolist()], np.bool_)
    replaced = ~preserved & ~filler
    costs = candidates.tokens[rows]
    costs[replaced] = candidates.form_tokens(rows[replaced], "chorus: earlier", lambda row: _earlier(candidates, row))
    return _Selected(filler, replaced, costs, rows[together & ~preserved])


def _sources(candidates: Candidates, rows: Rows) -> tuple[Bool, Bool]:
    """Masks of the user messages that are the only source of a memory, and of those that are one of several."""
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


def _is_filler(text: str) -> bool:
    return text.strip().lower().removesuffix(".") in FILLERS


def _earlier(candidates: Candidates, row: int) -> str:
    """The line that stands for a message: its stored summary, or the beginning of its text."""
    message, text = candidates.things[row], candidates.texts[row]
    assert isinstance(message, Message)
    if message.summary:
        return f"[Earlier: {message.summary}]"
    dots = "..." if len(text) > PREVIEW_CODE_POINTS else ""
    return f"[Earlier: {text[:PREVIEW_CODE_POINTS]}{dots}]"
