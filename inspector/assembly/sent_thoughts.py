"""The thoughts that go into a planned prompt, as columns: no text is touched while a slider moves."""

from dataclasses import dataclass, field
from itertools import product

import numpy as np

from inspector.assembly.columns import I32, ROLE_NUMBER, Action, Bool, Rows
from inspector.assembly.decisions import Assembly, Run
from inspector.tokens.chat.frames import FrameTokens, ThoughtPlace

_NOWHERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class SentThoughts:
    """The rows whose thoughts are in a prompt, the tokens of each, and those that the chat template adds to it."""

    rows: Rows
    tokens: I32
    frames: I32


def sent_thoughts(assembly: Assembly, added: FrameTokens, has_tools: bool) -> SentThoughts:
    """Return the thoughts in a prompt: of the messages kept whole, those that the chat template writes at their place.

    Whether it does was measured on short chats; `has_tools` says whether the request has definitions of tools.
    """
    thinkers = assembly.candidates.items.thinkers
    if assembly.error is not None or not len(thinkers):
        return SentThoughts(thinkers[:0], np.empty(0, np.int32), np.empty(0, np.int32))
    order = _Order(assembly)
    are_there = order.places[thinkers] != _NOWHERE
    rows = thinkers[are_there]
    places = order.places[rows]
    in_loop, later = places > order.last_user, places > order.first_answer
    frames, are_sent = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.bool_)
    for is_loop, is_later in product((False, True), repeat=2):
        alike = (in_loop == is_loop) & (later == is_later)
        cost = added.thought(ThoughtPlace(is_loop, is_later, order.is_answered), has_tools) if alike.any() else None
        if cost is not None:
            frames[alike], are_sent[alike] = cost, True
    tokens = assembly.candidates.thought_tokens[are_there]
    return SentThoughts(rows[are_sent], tokens[are_sent], frames[are_sent])


@dataclass(slots=True)
class _Order:
    """Where the messages of a prompt stand: the place of each row kept whole as a message of its own, else _NOWHERE.

    `is_answered` is true where the last message of the model is an answer and no call; `last_user` and `first_answer`
    are places.
    """

    assembly: Assembly
    places: I32 = field(init=False)
    last_user: int = -1
    first_answer: int = np.iinfo(np.int32).max
    is_answered: bool = False

    def __post_init__(self) -> None:
        candidates, action = self.assembly.candidates, self.assembly.action
        calls = np.zeros(len(candidates), np.bool_)
        callers = candidates.items.callers
        calls[callers] = action[callers] == int(Action.KEPT)
        self.places = np.full(len(candidates), _NOWHERE, np.int32)
        at = 0
        for block in self.assembly.blocks:
            if isinstance(block, Run):
                self._take(block.rows, at, calls)
                at += len(block.rows)
                continue
            if block.role == "user":
                self.last_user = at
            elif block.role == "assistant":
                self.first_answer, self.is_answered = min(self.first_answer, at), True
            at += 1
        self.places[action != int(Action.KEPT)] = _NOWHERE

    def _take(self, rows: Rows, at: int, calls: Bool) -> None:
        """Take in a run of messages that begins at the place `at`."""
        self.places[rows] = np.arange(at, at + len(rows), dtype=np.int32)
        roles = self.assembly.candidates.role[rows]
        users = np.flatnonzero(roles == ROLE_NUMBER["user"])
        if len(users):
            self.last_user = at + int(users[-1])
        said = np.flatnonzero(roles == ROLE_NUMBER["assistant"])
        if not len(said):
            return
        are_calls = calls[rows[said]]
        self.is_answered = not are_calls[-1]
        answers = said[~are_calls]
        if len(answers):
            self.first_answer = min(self.first_answer, at + int(answers[0]))
