"""The messages read by WhisperEngine: the newest of the store, without commands, long ones shortened, dated."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import ROLE_NUMBER, Action, Bool, Rows, Section
from inspector.assembly.defaults import split_current
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.whisperengine.cutting import shortened
from inspector.assembly.reasons import COMMAND, CUT, CUT_MIDDLE, NOT_READ
from inspector.model import Message
from inspector.tokens.estimate import image_tokens

WHOLE = 3
"""The number of newest messages that are never shortened."""
NEWER_LIMIT, OLDER_LIMIT = 400, 500
"""Code points of the other messages, those among the `full` newest and the older ones."""
COMMAND_MARK = "!"
_UNLIMITED = -1


@dataclass(frozen=True, slots=True)
class Reading:
    """How messages are read: their number, the number of newer ones, the form of a cut, and whether they are dated."""

    messages: int
    full: int
    keeps_end: bool
    is_dated: bool

    def text(self, message: Message, text: str, limit: int) -> str:
        """Return the text of a message, shortened to `limit` code points and dated by its recorded time."""
        short = text if limit == _UNLIMITED else shortened(text, limit, keeps_end=self.keeps_end)
        return f"[{message.time:%Y-%m-%d %H:%M}] {short}" if self.is_dated and message.time else short


def read_messages(ledger: Ledger, reading: Reading) -> Rows:
    """Return the open messages to read, oldest first, in the form in which they would be kept; drop the others.

    The current message is unchanged; pinned messages are always read.
    """
    earlier, current = split_current(ledger)
    newer = np.arange(len(earlier))[::-1]
    pinned = ledger.candidates.pinned[earlier]
    is_newest = newer < reading.messages
    ledger.drop(earlier[~is_newest & ~pinned][::-1], NOT_READ, Section.HISTORY)
    commands = np.zeros(len(earlier), np.bool_)
    commands[is_newest] = _commands(ledger.candidates, earlier[is_newest])
    ledger.drop(earlier[commands & ~pinned][::-1], COMMAND, Section.HISTORY)
    limits = np.where(newer < reading.full, np.where(newer < WHOLE, _UNLIMITED, NEWER_LIMIT), OLDER_LIMIT)
    stays = (is_newest & ~commands) | pinned
    for limit in (_UNLIMITED, NEWER_LIMIT, OLDER_LIMIT):
        _reshape(ledger, earlier[stays & (limits == limit)], limit, reading)
    return np.concatenate([earlier[stays], current])


def _commands(candidates: Candidates, rows: Rows) -> Bool:
    """Return a mask of the commands, and of the first answer of the assistant to each."""
    found = np.zeros(len(rows), np.bool_)
    is_answer_next = False
    for place, row in enumerate(rows.tolist()):
        role = candidates.role[row]
        if candidates.texts[row].startswith(COMMAND_MARK):
            found[place] = is_answer_next = True
        elif role == ROLE_NUMBER["assistant"]:
            found[place], is_answer_next = is_answer_next, False
        elif role == ROLE_NUMBER["user"]:
            is_answer_next = False
    return found


def _reshape(ledger: Ledger, rows: Rows, limit: int, reading: Reading) -> None:
    """Reshape these messages to their form in the prompt: shortened, dated, or both."""
    candidates = ledger.candidates

    def text_of(row: int) -> str:
        message = candidates.things[row]
        return reading.text(message, candidates.texts[row], limit) if isinstance(message, Message) else ""

    long = np.array([limit != _UNLIMITED and len(candidates.texts[row]) > limit for row in rows.tolist()], np.bool_)
    dated = np.isfinite(candidates.time[rows]) & reading.is_dated
    for chosen, action, reason in (
        (rows[long], Action.TRUNCATED, CUT_MIDDLE if reading.keeps_end else CUT),
        (rows[~long & dated], Action.KEPT, None),
    ):
        if len(chosen):
            pictures = candidates.images[chosen] * image_tokens(candidates.counts.tokenizer)
            costs = candidates.form_tokens(chosen, ("read", limit, reading), text_of) + pictures
            ledger.reshape(chosen, action, reason, costs, text_of)
