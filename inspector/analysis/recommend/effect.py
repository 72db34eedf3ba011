"""The effect of a setting on the open prompt: how many items come in and leave, and what of the prompt shrinks most."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.assembly.answer import Answer, planned_answer
from inspector.assembly.columns import Fate, Section, section_title
from inspector.assembly.compare import Comparison, compare
from inspector.assembly.edits import use_setting
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from inspector.figures import counted

_MOST = 0.5
"""A section that loses more than this share of its tokens is named."""


@dataclass(frozen=True, eq=False)
class Effect:
    """The open prompt under the current setting for a window, and under another setting for it."""

    before: Answer
    after: Answer

    @property
    def sentence(self) -> str:
        """Return what comes into the open prompt and what leaves it, and which section shrinks most."""
        comparison = compare(self.before.assembly, self.after.assembly)
        came, left = _moved(comparison, came_in=True), _moved(comparison, came_in=False)
        if not came and not left:
            return "In the open prompt it changes nothing."
        moved = f"In the open prompt {counted(came, 'item')} {'comes' if came == 1 else 'come'} in and {left:,} leave"
        return f"{moved}{'s' if left == 1 else ''}.{self._shrunk}"

    @property
    def _shrunk(self) -> str:
        used = [answer.assembly.used.astype(np.int64) for answer in (self.before, self.after)]
        section = Section(int(np.argmax(used[0] - used[1])))
        before, after = (int(tokens[section]) for tokens in used)
        if before <= 0 or before - after <= _MOST * before:
            return ""
        title = section_title(section).lower()
        if not after:
            return f" It drops all of the {title}, {counted(before, 'token')}."
        return f" It drops most of the {title}: {after:,} of {counted(before, 'token')} of it stay."


def effect_of(basis: Basis, now: Scenario, then: Scenario) -> Iterator[Share | Effect]:
    """Yield the effect of a setting on the prompt of the basis, against another setting.

    Raise ScenarioError and UnknownTokenizerError.
    """
    answers = (
        planned_answer(
            basis.pipeline, make_all(basis.pipeline, use_setting(basis.scenario, each).scenario, basis.cache)
        )
        for each in (now, then)
    )
    yield Effect(*answers)


def _moved(comparison: Comparison, *, came_in: bool) -> int:
    before, after = comparison.fates_before == Fate.KEPT, comparison.fates_after == Fate.KEPT
    return int((after & ~before).sum() if came_in else (before & ~after).sum())
