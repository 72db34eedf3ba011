"""What fell out of the prompt turn by turn: a row for each fall, the latest first, with how long the item lasted."""

from dataclasses import dataclass

import numpy as np

from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.words import policy_name
from inspector.assembly.columns import I32, Action, Rows, outcome_tone, word
from inspector.assembly.numbers import number_of
from inspector.assembly.who import who
from inspector.derived import cached_property
from inspector.figures import counted
from inspector.tables import OUTCOME_GLYPHS, Column, Face, Table, Tone
from inspector.tables import Kind as Meaning


@dataclass(frozen=True, eq=False)
class Falls:
    """The falls of a replay as arrays, the latest turn first, and of a turn the newest message first.

    rows: the fallen items. turns: the turn of each fall. actions: what became of the item.
    """

    found: Replay
    rows: Rows
    turns: Rows
    actions: I32

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The id of the item of each fall."""
        return tuple(self.found.candidates.ids[row] for row in self.rows.tolist())

    def until(self, turn: int) -> Rows:
        """Return the falls up to this turn."""
        return np.arange(len(self) - int(np.searchsorted(self.turns[::-1], turn, side="right")), len(self))


def falls_of(found: Replay) -> Falls:
    """Return every fall of a replay."""
    rows = np.concatenate([fall.rows for fall in found.falls] or [np.empty(0, np.intp)]).astype(np.intp)
    actions = np.concatenate([fall.actions for fall in found.falls] or [np.empty(0, np.int32)]).astype(np.int32)
    turns = np.repeat(found.turns, found.fallen)
    order = np.lexsort((rows, turns))[::-1]  # messages follow everything else in the rows
    return Falls(found, rows[order], turns[order], actions[order])


def lasted(falls: Falls, fall: int) -> int | None:
    """Return how many turns after it was said a message fell; None for any other item."""
    said_at = int(falls.rows[fall]) - falls.found.candidates.items.first_message + 1
    return int(falls.turns[fall]) - said_at if said_at > 0 else None


def _lasted_words(falls: Falls, fall: int) -> str:
    turns = lasted(falls, fall)
    return "" if turns is None else f"{counted(turns, 'turn')} after it was said"


def _outcome(falls: Falls, fall: int) -> str:
    name = word(Action(int(falls.actions[fall])))
    return f"{OUTCOME_GLYPHS[name]} {'Fell out' if name == 'dropped' else name.capitalize()}"


def _outcome_tone(falls: Falls, fall: int) -> Tone | None:
    return outcome_tone(Action(int(falls.actions[fall])))


FALL_COLUMNS: tuple[Column[Falls], ...] = (
    Column(
        "policy",
        "policy",
        "The policy and preset",
        lambda falls, fall: policy_name(falls.found),
        faces=Face.FILES,
    ),
    Column(
        "turn",
        "At turn",
        "The turn at which it left the prompt, or was no longer whole in it",
        lambda falls, fall: int(falls.turns[fall]),
        lambda falls: falls.turns,
        Meaning.COUNT,
        digits=8,
    ),
    Column(
        "item",
        "#",
        "The number of the item",
        lambda falls, fall: falls.ids[fall],
        lambda falls: falls.rows,
        words=lambda falls, fall: number_of(falls.found.candidates, int(falls.rows[fall])),
        digits=7,
    ),
    Column(
        "who",
        "Who",
        "Who said it, or what it is",
        lambda falls, fall: who(falls.found.candidates, int(falls.rows[fall])),
        digits=9,
        yields=3,
    ),
    Column(
        "text",
        "What fell out",
        "Its beginning",
        lambda falls, fall: falls.found.candidates.texts[int(falls.rows[fall])],
        kind=Meaning.EXCERPT,
        faces=Face.WINDOW,
        digits=16,
        stretches=True,
    ),
    Column(
        "tokens",
        "Tokens",
        "Its whole length",
        lambda falls, fall: int(falls.found.candidates.tokens[int(falls.rows[fall])]),
        lambda falls: falls.found.candidates.tokens[falls.rows],
        Meaning.TOKENS,
        estimated=lambda falls, fall: bool(falls.found.candidates.estimated[int(falls.rows[fall])]),
        digits=8,
        yields=2,
    ),
    Column(
        "outcome",
        "Outcome",
        "What became of it",
        lambda falls, fall: word(Action(int(falls.actions[fall]))),
        lambda falls: falls.actions,
        words=_outcome,
        tone=_outcome_tone,
        digits=13,
        yields=1,
    ),
    Column(
        "lasted",
        "Held for",
        "How many turns after it was said a message fell",
        lasted,
        lambda falls: falls.turns - (falls.rows - falls.found.candidates.items.first_message + 1),
        words=_lasted_words,
        tone=lambda falls, fall: "muted",
        digits=22,
        yields=4,
    ),
)

FALLS: Table[Falls] = Table(FALL_COLUMNS, lambda falls: range(len(falls)))
"""Every fall, the latest first."""
