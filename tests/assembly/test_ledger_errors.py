"""The ledger refuses a policy that decides an item twice or leaves one out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from building import answer_to, chat, memories, pipeline_for, workspace

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Kind
from inspector.assembly.lacking import make_all
from inspector.assembly.ledger import Ledger, LedgerError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.reasons import ALWAYS, FILTERED, OVER_BUDGET
from inspector.assembly.scenario import Scenario

FOUND = workspace(chat(3, 4, 5), memories(2, 2))
WINDOW = ContextWindow(100)


@pytest.fixture
def candidates() -> Candidates:
    return answer_to(FOUND).assembly.candidates


def test_a_candidate_decided_twice_is_an_error(candidates: Candidates) -> None:
    ledger = Ledger(candidates, WINDOW)
    ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
    ledger.drop(ledger.rows(Kind.MEMORY), FILTERED)
    ledger.drop(candidates.rows_named(["m1"]), FILTERED)
    with pytest.raises(LedgerError, match="m1 was decided twice"):
        ledger.close(lambda _: ())


def test_a_candidate_decided_twice_is_an_error_of_a_refusal_too(candidates: Candidates) -> None:
    ledger = Ledger(candidates, WINDOW)
    for _ in range(2):
        ledger.keep(candidates.rows_named(["m1"]), ALWAYS)
    with pytest.raises(LedgerError, match="m1 was decided twice"):
        ledger.fail("request_too_large", "too much")


def test_what_is_excluded_cannot_be_decided_again() -> None:
    ledger = Ledger(answer_to(FOUND, excluded=("m1",)).assembly.candidates, WINDOW)
    ledger.drop(ledger.rows(Kind.MESSAGE, Kind.MEMORY), FILTERED)
    ledger.keep(ledger.candidates.rows_named(["m1"]), ALWAYS)
    with pytest.raises(LedgerError, match="m1 was decided twice"):
        ledger.close(lambda _: ())


def test_candidates_left_undecided_are_an_error_that_names_them(candidates: Candidates) -> None:
    ledger = Ledger(candidates, WINDOW)
    ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
    with pytest.raises(LedgerError, match="2 candidates were not decided: k0, k1"):
        ledger.close(lambda _: ())


def test_failing_drops_the_undecided_and_keeps_what_was_decided(candidates: Candidates) -> None:
    ledger = Ledger(candidates, WINDOW)
    ledger.keep(candidates.rows_named(["m1"]), ALWAYS)
    assembly = ledger.fail("request_too_large", "too much")
    assert assembly.error is not None
    assert [candidates.ids[row] for row in np.flatnonzero(assembly.action == Action.KEPT)] == ["m1"]
    assert assembly.blocks == ()


def test_what_was_kept_can_be_taken_back_and_keeps_its_place(candidates: Candidates) -> None:
    ledger = Ledger(candidates, WINDOW)
    ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS, room=20)
    ledger.drop(ledger.rows(Kind.MEMORY), FILTERED, left=-3)
    rows = candidates.rows_named(["m1"])
    ledger.withdraw(rows, OVER_BUDGET)
    assembly, row = ledger.close(lambda _: ()), int(rows[0])
    assert (assembly.items_total, int(assembly.spent[row])) == (3 + 5, 0)
    assert (assembly.reason_of(row), int(assembly.rank[row]), assembly.left_of(row)) == (OVER_BUDGET, 1, 20 - 3)
    assert [assembly.left_of(other) for other in candidates.rows(Kind.MEMORY).tolist()] == [0, 0]


@pytest.mark.parametrize("already", ["guaranteed", "dropped", "undecided"])
def test_only_what_is_kept_and_not_guaranteed_can_be_taken_back(candidates: Candidates, already: str) -> None:
    ledger = Ledger(candidates, WINDOW)
    rows = candidates.rows_named(["m1"])
    if already == "guaranteed":
        ledger.guarantee(rows, ALWAYS)
    elif already == "dropped":
        ledger.drop(rows, FILTERED)
    with pytest.raises(LedgerError, match="m1 cannot be taken back"):
        ledger.withdraw(rows, OVER_BUDGET)


@pytest.mark.parametrize("room", [-1, 0, 3, 7, 12, 100])
def test_fill_notes_what_was_left_before_each(candidates: Candidates, room: int) -> None:
    ledger = Ledger(candidates, WINDOW)
    rows = ledger.rows(Kind.MESSAGE)
    spent = ledger.fill(rows, room)
    ledger.drop(ledger.rows(Kind.MEMORY), FILTERED)
    assembly = ledger.close(lambda _: ())
    assert spent == assembly.items_total <= max(room, 0)
    left = [max(room - taken, 0) for taken in (0, 3, 7)]
    decided = 1 + int((assembly.action[rows] == Action.KEPT).sum())
    expected = [left[min(place, decided - 1)] for place in range(3)]
    assert [assembly.left_of(row) for row in rows.tolist()] == expected


@dataclass(frozen=True)
class Forgetful:
    """Leaves the memories undecided."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Any:
        ledger = Ledger(candidates, window)
        ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
        return ledger.close(lambda _: ())


def test_a_broken_plug_in_gives_an_answer_with_an_error() -> None:
    pipeline = Pipeline(FOUND, {**pipeline_for(FOUND).choices.policies, "forgetful": Forgetful}, {})
    scenario = Scenario(policy="forgetful", tokenizer="estimate:words")
    make_all(pipeline, scenario)
    error = pipeline.assemble(pipeline.case(scenario)).error
    assert error is not None
    assert error.code == "policy_broken"
    assert "policy forgetful" in error.message
