"""langchain_trim: the messages kept by `trim_messages` of langchain-core 1.7, without partial messages."""

from dataclasses import dataclass
from typing import ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import ROLE_NUMBER, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import note_small_window, split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import charges_from
from inspector.assembly.policies.library_messages import message_layout, open_messages, roles_of, up_to_role
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import FIRST_SYSTEM, PINNED, wrong_role

ROLES_TO_STOP_ON = {
    "none": "a message of any role",
    "user": "a message of the user",
    "assistant": "a message of the assistant",
    "tool": "the result of a tool",
}


@dataclass(frozen=True)
class LangchainTrim:
    """Keeps the newest (or first) messages up to a limit, beginning and ending on a message of a given role.

    As in the library, `include_system` and `start_on` belong to the strategy `last`: with `first` the library refuses
    them, and here they have no effect.
    """

    traits: ClassVar[Traits] = Traits(
        title="LangChain trim", whose="langchain-core", maker="library", counts_contents=True
    )

    max_tokens: int = param(
        4096,
        0,
        128_000,
        step=64,
        scale="log",
        unit="tokens",
        label="Messages at most",
        help="The limit of all messages together, formatting included.",
        sizes="prompt",
    )
    strategy: str = param(
        "last",
        choices={"last": "the newest messages", "first": "the oldest messages"},
        help="The end of the conversation that is kept.",
    )
    include_system: bool = param(
        True, help="With `last`: a system message at the beginning is kept, and charged first."
    )
    start_on: str = param(
        "none",
        choices=ROLES_TO_STOP_ON,
        help="With `last`: the prompt begins with a message of this role.",
        topic="rare",
    )
    end_on: str = param(
        "none", choices=ROLES_TO_STOP_ON, help="The prompt ends with a message of this role.", topic="rare"
    )
    message_overhead: int = param(
        3,
        0,
        50,
        unit="tokens",
        label="Formatting of a message",
        help="Charged for each message beside its content.",
        topic="rare",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, empty if necessary."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.max_tokens, "Messages up to the limit")
        pinned, rows = split_pinned(ledger, open_messages(ledger))
        charges = charges_from(ledger.costs[pinned], self.message_overhead)
        ledger.guarantee(pinned, PINNED, Section.HISTORY, room=self.max_tokens, charges=charges)
        room = max(0, self.max_tokens - self._charge(ledger, pinned))
        if self.strategy == "first":
            self._pack(ledger, rows, room, "end", self.end_on)
        else:
            rows = self._with_right_end(ledger, rows)
            system = self._system_message(ledger, rows)
            ledger.keep(system, FIRST_SYSTEM, Section.SYSTEM)
            room = max(0, room - self._charge(ledger, system))
            self._pack(ledger, rows[len(system) :][::-1], room, "start", self.start_on)
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, room + self._charge(ledger, pinned))
        return ledger.close(message_layout)

    def _charge(self, ledger: Ledger, rows: Rows) -> int:
        return ledger.cost(rows) + self.message_overhead * len(rows)

    def _with_right_end(self, ledger: Ledger, rows: Rows) -> Rows:
        """Return the rows up to the last permitted end; drop those after it."""
        end = up_to_role(roles_of(ledger.candidates, rows), self.end_on)
        ledger.drop(rows[end:][::-1], wrong_role("end", self.end_on), Section.HISTORY)
        return rows[:end]

    def _system_message(self, ledger: Ledger, rows: Rows) -> Rows:
        """Return the row of the system message kept first: the first row if it is a system message, else none."""
        first = rows[:1] if self.include_system else rows[:0]
        return first[roles_of(ledger.candidates, first) == ROLE_NUMBER["system"]]

    def _pack(self, ledger: Ledger, rows: Rows, room: int, edge: str, role: str) -> None:
        """Take rows in this order up to the first misfit, then give back those after the last of a role."""
        charges = charges_from(ledger.costs[rows], self.message_overhead)
        ledger.fill(rows, room, Section.HISTORY, charges=charges)
        taken = ledger.those_kept(rows)
        ledger.withdraw(taken[up_to_role(roles_of(ledger.candidates, taken), role) :], wrong_role(edge, role))
