"""What fits, fits in a check, a recommendation and a sweep alike: the window less the reply that was asked."""

from dataclasses import replace

import pytest

from inspector.analysis.recall.check import Checked, check
from inspector.analysis.recommend.advice import recommend
from inspector.analysis.recommend.measured import Setting
from inspector.analysis.recommend.search import Terms
from inspector.analysis.sweep.ask import Row, sweep_rows
from inspector.assembly.answer import complete_answer, leaving
from inspector.assembly.budget import Budget
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.plugins import policies

WINDOW = 200
ASKED = (Probe("q", ("m3",), "c"),)


def pipeline_of_words() -> Pipeline:
    """A chat of twelve messages of five words, whose prompt is planned as it is counted."""
    said = (Message(f"m{n}", "assistant" if n % 2 else "user", f"w{n} w w w w") for n in range(12))
    return Pipeline(Workspace((Conversation("c", tuple(said)),)), policies()[0], load_presets())


def asked_of(policy: str, reply: int) -> tuple[Checked, Setting, Row]:
    """The same prompt, asked of all three."""
    pipeline = pipeline_of_words()
    scenario = Scenario(policy=policy, tokenizer="estimate:words", conversation="c", context_window=WINDOW)
    (checked,), _ = check(pipeline, scenario, ASKED, reply=reply)
    *_, last = recommend(pipeline, scenario, ASKED, Terms((WINDOW,), reply, (policy,)))
    (row,) = sweep_rows(pipeline, scenario, {"context_window": [WINDOW]}, measured=True, reply=reply)
    assert last.found is not None
    return checked, last.found.windows[0].current, row


def total_of(policy: str) -> int:
    scenario = Scenario(policy=policy, tokenizer="estimate:words", conversation="c", context_window=WINDOW)
    return complete_answer(pipeline_of_words(), scenario).ledger.total


@pytest.mark.parametrize("policy", ["naive", "ratio"])
def test_one_prompt_fits_everywhere_or_nowhere(policy: str) -> None:
    total = total_of(policy)
    assert 0 < total < WINDOW - 1
    for reply in (0, 1, WINDOW - total - 1, WINDOW - total, WINDOW - total + 1, WINDOW - 1):
        checked, setting, row = asked_of(policy, reply)
        over = max(0, total + reply - WINDOW)
        assert (checked.overflow, row["overflow"], row["total"]) == (over, over, total)
        assert (checked.fits, setting.fits, row["status"]) == ((1, 1, "ok") if not over else (0, 0, "over_window"))
        codes = {finding.code for finding in checked.findings}
        assert ("over_window" in codes) == bool(over)


def test_without_a_reply_the_policy_reserves_its_own() -> None:
    pipeline = pipeline_of_words()
    scenario = Scenario(policy="ratio", tokenizer="estimate:words", conversation="c", context_window=WINDOW)
    (checked,), _ = check(pipeline, scenario, ASKED)
    (row,) = sweep_rows(pipeline, scenario, {"context_window": [WINDOW]}, measured=True)
    answer = complete_answer(pipeline, scenario)
    assert checked.overflow == row["overflow"] == max(0, -answer.free)
    assert leaving(pipeline, answer, None) is answer
    assert leaving(pipeline, answer, 7).free == WINDOW - answer.ledger.total - 7


def test_a_planned_sweep_leaves_the_same_reply() -> None:
    pipeline = pipeline_of_words()
    scenario = Scenario(policy="naive", tokenizer="estimate:words", conversation="c")
    rows = list(sweep_rows(pipeline, scenario, {"context_window": [100, 150]}, reply=20))
    assert [row["overflow"] for row in rows] == [max(0, row["total"] + 20 - row["context_window"]) for row in rows]
    assert [row["status"] for row in rows] == ["over_window" if row["overflow"] else "ok" for row in rows]
    assert {row["status"] for row in rows} == {"ok", "over_window"}


def test_a_prompt_that_is_not_made_fits_nowhere() -> None:
    pipeline = pipeline_of_words()
    words = Scenario(tokenizer="estimate:words", conversation="c", context_window=WINDOW)
    scenario = replace(words, policy="ratio", parameters={"memory_share": 7.0})
    (checked,), _ = check(pipeline, scenario, ASKED, reply=0)
    assert (checked.fits, checked.error) == (0, "shares_do_not_sum")
    (without,), _ = check(pipeline, scenario, (), reply=0)
    assert without.fits is None


def test_a_budget_leaves_a_reply_of_any_size() -> None:
    budget = Budget(100, response_reserve=30)
    assert [budget.leaving(reply).free(60) for reply in (None, 0, 40, 41)] == [10, 40, 0, -1]
