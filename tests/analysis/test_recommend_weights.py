"""A setting is measured and applied with its own weights of comparing, even beside others that differ in them alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.measure import gathered
from inspector.assembly.edits import use_setting
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.plugins import policies
from inspector.retrieval.relevance.settings import AS_MEASURED

CURRENT = Scenario(
    tokenizer="estimate:words",
    context_window=400,
    similarity="fused",
    policy="window_rag",
    parameters={"per_source": 1, "history_budget": 40},
)


def weighed(setting: Scenario, **weights: float) -> Scenario:
    """A setting with these weights."""
    return replace(setting, relevance=replace(AS_MEASURED, **weights))


def test_a_setting_is_used_with_its_weights() -> None:
    now = Scenario(query="rain", pinned=("m1",))
    used = use_setting(now, weighed(CURRENT, vectors=1.5)).scenario
    assert (used.relevance.vectors, used.query, used.pinned) == (1.5, "rain", ("m1",))
    assert use_setting(used, CURRENT).scenario.relevance == AS_MEASURED


def test_settings_that_differ_in_a_weight_alone_are_measured_apart() -> None:
    """The answer follows the question: with the message before it weighing much, it is found; with none, it is not."""
    fill = [f"filler{n} of nothing{n} at all{n}" for n in range(40)]
    texts = (*fill[:6], "who saw the heron", "seven of us", *fill[6:])
    messages = tuple(Message(f"m{n}", "user", text) for n, text in enumerate(texts))
    workspace = Workspace(conversations=(Conversation("a", messages=messages),))
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    probe = Probe("q", ("m7",), "a", query="who saw the heron")
    settings = [weighed(CURRENT, sitting=0.0, before=value) for value in (0.0, 2.0)]
    for order in (settings, settings[::-1]):
        found = gathered(OpenChats(pipeline), order, [probe]).recall[:, 0].tolist()
        assert found == [each.relevance.before / 2 for each in order]


def test_weights_of_real_chats_are_measured_as_alone(data_folder: Path) -> None:
    workspace = load_workspace([str(data_folder / "locomo" / "locomo5.json")])
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    base = replace(CURRENT, context_window=2_048, parameters={"per_source": 5, "history_budget": 200})
    settings = [base, *(weighed(base, **{name: 1.4}) for name in ("vectors", "before", "after", "sitting"))]
    probes = workspace.probes[:12]
    together = gathered(OpenChats(pipeline), settings, probes)
    alone = [gathered(OpenChats(pipeline), [one], probes) for one in settings]
    assert together.total.tolist() == np.concatenate([one.total for one in alone]).tolist()
    assert together.recall.tolist() == np.concatenate([one.recall for one in alone]).tolist()
    assert len({tuple(row) for row in together.total.tolist()}) == len(settings)
