"""Snapshots answered: side by side with each other and the current scenario, or compared as texts. Nothing is sent."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from inspector.analysis.basis import Basis
from inspector.assembly.answer import Answer, complete_answer, planned_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.scenario import Scenario
from inspector.assembly.shootout import Contender, Shootout, shoot_out
from inspector.assembly.side_by_side import SideBySide, side_by_side
from inspector.assembly.snapshots import Snapshots, snapshot_named
from inspector.assembly.text_diff import WrittenLine, text_diff, written_lines
from inspector.tokens.choice import UnknownTokenizerError

NOW = ""
"""The current scenario among the names of snapshots."""
NOW_TITLE = "Now"


def snapshot_sides(basis: Basis, names: Sequence[str], snapshots: Snapshots) -> Iterator[SideBySide | str]:
    """Yield the answers to these snapshots side by side; a sentence if a scenario is refused."""
    answers = []
    for name in names:
        scenario = basis.scenario if name == NOW else snapshot_named(snapshots, name).scenario
        try:
            answers.append(complete_answer(basis.pipeline.fork(), _offline(scenario), basis.cache))
        except (ScenarioError, UnknownTokenizerError) as problem:
            yield f"{name or NOW_TITLE}: {problem}"
            return
    yield side_by_side([name or NOW_TITLE for name in names], answers)


def snapshot_texts(
    basis: Basis, name: str, snapshots: Snapshots, baseline: Answer | None, now: Answer
) -> Iterator[Sequence[WrittenLine] | str]:
    """Yield the differences between the prompt of a snapshot, or of the baseline for "", and the current prompt.

    Yield a sentence if the scenario is refused, or if there is no prompt.
    """
    other = baseline
    if name:
        scenario = _offline(snapshot_named(snapshots, name).scenario)
        try:
            other = complete_answer(basis.pipeline, scenario, basis.cache)
        except (ScenarioError, UnknownTokenizerError) as problem:
            yield f"{name}: {problem}"
            return
    if other is not None:
        errors = [answer.assembly.error.message for answer in (other, now) if answer.assembly.error is not None]
        yield errors[0] if errors else tuple(written_lines(text_diff(other.assembly, now.assembly)))


def _offline(scenario: Scenario) -> Scenario:
    return replace(scenario, summaries=None) if scenario.summaries == "endpoint" else scenario


def shootouts(basis: Basis, contenders: Sequence[Contender]) -> Iterator[Shootout]:
    """Yield the planned shoot-out, with estimates for missing counts, then the measured shoot-out.

    Presets may count with tokenizers of their own, and policies may need more texts than the current policy. Raise
    ScenarioError, UnknownTokenizerError, and ValueError for no contenders.
    """
    pipeline, scenario = basis.pipeline, basis.scenario
    yield shoot_out(scenario, contenders, lambda chosen: planned_answer(pipeline, pipeline.case(chosen)))
    yield shoot_out(scenario, contenders, lambda chosen: complete_answer(pipeline, chosen, basis.cache))
