"""Unbroken runs of rows are read and written as slices where they are many: that decides as row by row does."""

from dataclasses import fields, replace

import numpy as np
import pytest
from building import pipeline_for

from inspector.assembly import packing
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.model import Conversation, Message, Role, Workspace
from inspector.resources import samples_folder

COMPANION = load_workspace([samples_folder() / "companion.workspace.yaml"])
SPEAKERS: tuple[Role, ...] = ("user", "assistant")
TALK = Workspace((Conversation("c", tuple(Message(f"m{n}", SPEAKERS[n % 2], f"word {n} " * 9) for n in range(60))),))
"""Its first row is a message, so that a run may go down to it."""


def assembled(workspace: Workspace, policy: str, preset: str, window: int) -> Assembly:
    pipeline = pipeline_for(workspace)
    scenario = Scenario(policy=policy, preset=preset, tokenizer="estimate:words", context_window=window)
    scenario = replace(scenario, pinned=("m3",)) if workspace is COMPANION else scenario
    return pipeline.assemble(make_all(pipeline, scenario))


@pytest.mark.parametrize(("policy", "preset"), sorted(load_presets()))
def test_slices_decide_as_rows_do(policy: str, preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for workspace, window in ((COMPANION, 2_000), (COMPANION, 9_000), (TALK, 1_000), (TALK, 9_000)):
        by_rows = assembled(workspace, policy, preset, window)
        with monkeypatch.context() as patch:
            patch.setattr(packing, "MANY", 2)
            by_slices = assembled(workspace, policy, preset, window)
        for name in (field.name for field in fields(Assembly)):
            one, other = getattr(by_rows, name), getattr(by_slices, name)
            if isinstance(one, np.ndarray):
                np.testing.assert_array_equal(one, other, err_msg=name)
        np.testing.assert_array_equal(by_rows.order, by_slices.order)
