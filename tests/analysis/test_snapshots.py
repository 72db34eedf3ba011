"""Snapshots answered: side by side with what is now, and as texts."""

from dataclasses import replace

from inspector.analysis.basis import Basis
from inspector.analysis.snapshots import NOW, NOW_TITLE, snapshot_sides, snapshot_texts
from inspector.assembly.answer import complete_answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_by_side import SideBySide
from inspector.assembly.snapshots import Snapshot


def test_snapshots_stand_beside_what_is_now(pipeline: Pipeline, scenario: Scenario) -> None:
    kept = (Snapshot("wide", replace(scenario, context_window=900)),)
    (sides,) = snapshot_sides(Basis(pipeline, scenario), (NOW, "wide"), kept)
    assert isinstance(sides, SideBySide)
    assert sides.names == (NOW_TITLE, "wide")
    assert [answer.case.model.window.tokens for answer in sides.answers] == [70, 900]


def test_nothing_is_sent_for_a_snapshot(pipeline: Pipeline, scenario: Scenario) -> None:
    kept = (Snapshot("sends", replace(scenario, summaries="endpoint")),)
    (sides,) = snapshot_sides(Basis(pipeline, scenario), ("sends", NOW), kept)
    assert isinstance(sides, SideBySide)
    assert sides.answers[0].scenario.summaries is None


def test_a_snapshot_that_is_refused_says_why(pipeline: Pipeline, scenario: Scenario) -> None:
    basis, now = Basis(pipeline, scenario), complete_answer(pipeline, scenario)
    kept = (Snapshot("gone", replace(scenario, memory_sets=("nowhere",))),)
    (sides,) = snapshot_sides(basis, (NOW, "gone"), kept)
    (texts,) = snapshot_texts(basis, "gone", kept, None, now)
    for sentence in (sides, texts):
        assert isinstance(sentence, str)
        assert sentence.startswith("gone: ")
        assert "nowhere" in sentence
