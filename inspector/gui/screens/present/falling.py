"""What is out of the prompt, the latest falls first: values for an audience, no widgets here."""

from dataclasses import dataclass

import numpy as np

from inspector.analysis.replay.falling import are_of_one_conversation, fell
from inspector.assembly.columns import Action, Bool, Rows, State
from inspector.assembly.decisions import Assembly
from inspector.derived import cached_property
from inspector.figures import figures


@dataclass(frozen=True, eq=False)
class Falling:
    """An assembly, and a mask of the items that fell when it replaced the previous assembly."""

    assembly: Assembly
    fresh: Bool

    @classmethod
    def between(cls, before: Assembly | None, after: Assembly) -> "Falling":
        """Return the falls from one assembly to another: items whole before and not now, or in the prompt before and
        not now.

        Between different conversations nothing falls.
        """
        fresh = np.zeros(len(after.candidates), np.bool_)
        if before is not None and are_of_one_conversation(before, after):
            fresh[fell(before, after)] = True
        return cls(after, fresh)

    @cached_property
    def rows(self) -> Rows:
        """The items that just fell, the newest first; if nothing did, all that are out of the prompt."""
        out = np.flatnonzero(is_out(self.assembly))[::-1]
        fresh = out[self.fresh[out]]
        return fresh if len(fresh) else out

    @property
    def is_fresh(self) -> bool:
        """Whether anything just fell."""
        return bool(self.fresh.any())

    @property
    def is_dropped(self) -> bool:
        """Whether any of what just fell is gone, not only shortened."""
        return bool((self.assembly.action[self.fresh] == Action.DROPPED).any())

    @property
    def counts(self) -> str:
        """How many items are out of the prompt."""
        out = is_out(self.assembly)
        dropped = int((out & (self.assembly.action == Action.DROPPED)).sum())
        shortened = int(out.sum()) - dropped
        return f"{figures(dropped)} dropped" + (f", {figures(shortened)} shortened" if shortened else "")


def is_out(assembly: Assembly) -> Bool:
    """Return which items are not whole in the prompt, except items that do not exist yet at the replayed turn."""
    return (assembly.candidates.state != State.NOT_YET) & (assembly.action != Action.KEPT)
