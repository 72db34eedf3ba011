"""Compaction: many messages told by one summary, and the events at which a program shortened its list of messages.

A summary is no candidate: no list of the workspace holds it. It stands in the prompt as `summary:N`, and a later one
may tell it in turn. The events are those of a session lived through from its first message.
"""

from dataclasses import dataclass
from typing import Literal

from inspector.assembly.reasons import Reason

END = -1
EventKind = Literal[
    "compacted",
    "truncated",
    "pruned",
    "cleared",
    "deduplicated",
    "failed_inflated",
    "truncated_only",
    "forgotten",
]
EventUnit = Literal["token", "entry"]

COMPACTION = Reason("compaction", "a summary", "It stands for the messages told by it, as the program would write it.")
COMPACTED = Reason(
    "compacted",
    "told by a summary",
    "The program wrote one summary of {thing} ({tokens} tokens) and of the messages before it, and sends that instead.",
)


@dataclass(frozen=True, slots=True)
class Compaction:
    """The `number`-th summary of a session, counted from 1, of `size` tokens, heading included.

    `text` is its text, or words that stand for it where only its size is known; `told` is the number of messages and
    earlier summaries in it. `into` is the number of the later summary that tells it, 0 for none; `lost` is the reason
    why it went without a trace, None if it did not.
    """

    number: int
    size: int
    role: str
    text: str
    told: int
    into: int = 0
    lost: Reason | None = None

    @property
    def id(self) -> str:
        """Its id among the items of an answer."""
        return summary_id(self.number)

    @property
    def spent(self) -> int:
        """Its tokens in the prompt."""
        return self.size if self.stands else 0

    @property
    def stands(self) -> bool:
        """Whether it is in the prompt."""
        return not self.into and self.lost is None

    @property
    def is_assumed(self) -> bool:
        """Whether only its size is known, and words stand for its text."""
        return self.text == stand_in(self.told, self.size)


@dataclass(frozen=True, slots=True)
class Event:
    """A moment at which the program shortened its list: `row` is the message before or after which it happened, `END`
    after the last.

    `before` and `after` are the size of the list by the program's own measure, in `unit`: tokens or entries. `range`
    has the first and the last of the messages that are cut out of the middle by now, counted from 0; None for none.
    `rows` are the results that were cleared, in the order of that, and `tokens` what they cost together.
    """

    row: int
    kind: EventKind
    before: int
    after: int
    range: tuple[int, int] | None = None
    rows: tuple[int, ...] = ()
    tokens: int = 0
    unit: EventUnit = "token"


def summary_id(number: int) -> str:
    """Return the id of the `number`-th summary."""
    return f"summary:{number}"


def stand_in(told: int, size: int) -> str:
    """Return words for a summary whose text only the program's model would write."""
    return f"[Summary of {told:,} messages, about {size:,} tokens: written by the program's model]"
