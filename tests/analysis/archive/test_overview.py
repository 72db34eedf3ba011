"""The overview of what is open: each conversation with the figures that it has where it is chosen."""

from dataclasses import replace

import pytest

from inspector.analysis.archive.overview import Looked, overview
from inspector.analysis.basis import Basis
from inspector.analysis.recall.ask import mean_of, recall
from inspector.assembly.answer import complete_answer
from inspector.assembly.columns import Action
from inspector.assembly.edits import choose_conversation
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Probe, Workspace, changed
from inspector.plugins import policies

PROBES = (Probe("q1", ("m2", "m9"), "c1"), Probe("q2", ("m8",), "c1"))


@pytest.fixture
def looked(found: Workspace, scenario: Scenario) -> list[Looked]:
    pipeline = Pipeline(changed(found, probes=PROBES), policies()[0], load_presets())
    return list(overview(Basis(pipeline, scenario)))


def test_every_conversation_has_the_figures_that_it_has_alone(
    found: Workspace, pipeline: Pipeline, scenario: Scenario, looked: list[Looked]
) -> None:
    assert [one.row for one in looked] == [0, 1]
    for one, conversation in zip(looked, found.conversations, strict=True):
        chosen = choose_conversation(scenario, found, conversation.id).scenario
        alone = complete_answer(pipeline, chosen, finds_duplicates=True)
        figures = one.figures
        assert figures is not None
        assert figures.messages == len(conversation.messages)
        assert figures.left_out == alone.assembly.action_counts[Action.DROPPED]
        assert (figures.total, figures.findings) == (alone.ledger.total, len(alone.findings))


def test_recall_is_that_of_the_probes_of_a_conversation(
    pipeline: Pipeline, scenario: Scenario, looked: list[Looked]
) -> None:
    asked = recall(pipeline, replace(scenario, conversation="c1"), PROBES)
    assert looked[0].recall == mean_of(asked.found).columns["recall"] == pytest.approx(0.75)
    assert looked[1].recall is None


def test_a_scenario_that_is_refused_says_why_and_the_next_conversation_is_looked_at(
    found: Workspace, pipeline: Pipeline, scenario: Scenario
) -> None:
    refused = replace(scenario, memory_sets=("nowhere",))
    first, second = overview(Basis(pipeline, refused))
    assert first.figures is None
    assert "nowhere" in first.trouble
    assert second.figures is not None


def test_the_chat_that_is_shown_of_itself_has_the_findings_that_are_shown(
    found: Workspace, pipeline: Pipeline, scenario: Scenario
) -> None:
    shown = replace(scenario, conversation=None)
    (first, _) = overview(Basis(pipeline, shown))
    findings = complete_answer(pipeline, shown, finds_duplicates=True).findings
    assert "first_of_many" in [finding.code for finding in findings]
    assert first.figures is not None
    assert first.figures.findings == len(findings)
