"""Counts of forms: each row is counted once, whatever spans are asked for, and rows may come in any order."""

import numpy as np
from building import chat, memories, pipeline_for, workspace

from inspector.assembly.answer import planned_answer
from inspector.assembly.columns import I32, Rows
from inspector.assembly.items import MOST_FORMS, FormCounts
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario


class Counting:
    """Counts a row as ten times its number, and remembers which rows it was asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, rows: Rows) -> I32:
        self.asked += rows.tolist()
        return (rows * 10).astype(np.int32)


def test_each_row_is_counted_once() -> None:
    counts, count = FormCounts(), Counting()
    for rows in ([7, 5], [5, 6, 7], [], [2, 9], [9, 8, 2, 5]):
        assert counts.of(np.array(rows, np.intp), count).tolist() == [row * 10 for row in rows]
    assert count.asked == [7, 5, 6, 2, 9, 8]


def test_what_is_answered_may_be_written_to() -> None:
    counts, count = FormCounts(), Counting()
    counts.of(np.array([1, 2]), count)[:] = 0
    assert counts.of(np.array([1, 2]), count).tolist() == [10, 20]


def test_a_slider_of_lengths_leaves_no_more_forms_than_are_remembered() -> None:
    pipeline = pipeline_for(workspace(chat(4), memories(9)))
    items = pipeline.items(pipeline.case(Scenario()))
    for length in range(1, MOST_FORMS + 9):
        asked = Scenario(tokenizer="estimate:words", policy="adaptive", parameters={"memory_chars": length})
        make_all(pipeline, asked)
        assembly = planned_answer(pipeline, pipeline.case(asked)).assembly
        assert assembly.spent[0] == len(assembly.candidates.texts[0][:length].split())
        assert assembly.candidates.items is items
    assert len(items.forms) == MOST_FORMS
