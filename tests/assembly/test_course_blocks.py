"""The list of a session as blocks of a prompt: runs of messages, summaries, and pinned messages in their places."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.decisions import Composed, Run
from inspector.assembly.policies.agents.course import Course


class _Rows(SimpleNamespace):
    """The part of a conversation that its blocks need."""

    def __init__(self, rows: Any) -> None:
        super().__init__(rows=rows)

    def __len__(self) -> int:
        return len(self.rows)


def _laid(course: Course, pinned: list[int]) -> list[int]:
    """The rows in their order, -N for the summary N."""
    laid: list[int] = []
    for block in course._blocks(np.array(pinned, np.intp), course._made.compactions()):
        if isinstance(block, Composed):
            assert block.summary
            laid.append(-block.summary)
        else:
            assert isinstance(block, Run)
            laid += block.rows.tolist()
    return laid


def _expected(state: list[int], rows: list[int], pinned: list[int]) -> list[int]:
    """Entry by entry: pinned rows wait for the first message that is newer than they are."""
    laid, waiting = list[int](), list(pinned)
    for entry in state:
        while entry >= 0 and waiting and waiting[0] < rows[entry]:
            laid.append(waiting.pop(0))
        laid.append(rows[entry] if entry >= 0 else entry)
    return [*laid, *waiting]


@given(st.lists(st.booleans(), max_size=12), st.data())
def test_pinned_messages_stand_before_the_first_that_is_newer(is_pinned: list[bool], data: st.DataObject) -> None:
    rows = [row for row, pinned in enumerate(is_pinned) if not pinned]
    pinned = [row for row, is_one in enumerate(is_pinned) if is_one]
    talk: Any = _Rows(np.array(rows, np.intp))
    course = Course(talk)
    entries = data.draw(st.permutations(range(len(rows))))
    state = [*entries[: data.draw(st.integers(0, len(rows)))]]
    for _ in range(data.draw(st.integers(0, 3))):
        state.insert(data.draw(st.integers(0, len(state))), course.summarize([], 5))
    course.state = state
    assert _laid(course, pinned) == _expected(state, rows, pinned)
