"""Long sequences go through C code in steps, and never as a whole."""

from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from inspector import steps
from inspector.assembly.candidates import Candidates
from inspector.assembly.collect import build_candidates
from inspector.assembly.scenario import Scenario
from inspector.steps import ROWS_PER_STEP, column, gathered, rows_alike
from inspector.tokens.counting import TokenCounts, count_texts
from inspector.tokens.estimate import ESTIMATORS
from tests.bench.texts import pipeline_of, workspace_of

WORDS = ESTIMATORS["estimate:words"]


def test_steps_are_all_values_in_their_order() -> None:
    values = [*range(2 * ROWS_PER_STEP + 1)]
    found = [*steps.steps(values)]
    assert [len(step) for step in found] == [ROWS_PER_STEP, ROWS_PER_STEP, 1]
    assert [value for step in found for value in step] == values


def test_nobody_is_asked_for_more_than_one_step_of_a_column() -> None:
    asked: list[int] = []

    def doubled(step: Sequence[int]) -> Iterable[int]:
        asked.append(len(step))
        return [2 * value for value in step]

    found = column(range(ROWS_PER_STEP + 5), np.int32, doubled)
    assert asked == [ROWS_PER_STEP, 5]
    assert found.dtype == np.int32
    assert found.tolist() == [*range(0, 2 * ROWS_PER_STEP + 10, 2)]


@pytest.mark.parametrize("size", [0, 1, ROWS_PER_STEP, 2 * ROWS_PER_STEP + 1])
def test_what_is_gathered_is_all_in_its_order(size: int) -> None:
    assert gathered(iter(range(size))) == tuple(range(size))


def test_equal_texts_are_found_however_far_they_stand_apart() -> None:
    texts = [f"text {number}" for number in range(ROWS_PER_STEP + 1)]
    assert not len(rows_alike(texts))
    assert rows_alike([*texts, texts[0], texts[7]]).tolist() == [0, 7, len(texts), len(texts) + 1]
    assert not len(rows_alike([]))


def columns(candidates: Candidates) -> list[object]:
    items = candidates.items
    made = (
        candidates.role,
        candidates.images,
        np.nan_to_num(candidates.time),
        candidates.state,
        candidates.active,
        items.speakers[1],
    )
    return [items.names, items.speakers[0], *(column.tolist() for column in (*made, items.recorded_tokens))]


def test_columns_made_in_many_steps_are_those_made_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert columns_in_steps(monkeypatch, 3) == columns_in_steps(monkeypatch, 1_000)


def columns_in_steps(monkeypatch: pytest.MonkeyPatch, size: int) -> list[object]:
    monkeypatch.setattr(steps, "ROWS_PER_STEP", size)
    pipeline = pipeline_of(workspace_of(40, memories=7))
    return columns(build_candidates(pipeline.items(pipeline.case(Scenario())), TokenCounts(WORDS)))


def test_texts_at_places_are_looked_up_when_they_are_asked_for() -> None:
    counts = TokenCounts(WORDS)
    texts = counts.texts_at(counts.places(["a", "b c", "a"]))
    assert (len(texts), texts[1], texts[-1], [*texts], texts[1:]) == (3, "b c", "a", ["a", "b c", "a"], ["b c", "a"])
    assert [chunk.counts.tolist() for chunk in count_texts(texts, WORDS)] == [WORDS.count(["a", "b c", "a"]).tolist()]
