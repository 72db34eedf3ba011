"""The large line says how many things are gone, and how many are only shortened."""

import numpy as np
import pytest

from inspector.analysis.replay.ask import Fall
from inspector.analysis.replay.words import fall_headline
from inspector.assembly.columns import Action
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([Action.DROPPED] * 3, "3 things fall out of the prompt."),
        ([Action.SUMMARIZED] * 2, "2 things are shortened from now on."),
        ([Action.DROPPED, Action.SUMMARIZED], "1 thing falls out of the prompt, 1 is shortened."),
        ([Action.DROPPED, Action.DROPPED, Action.SUMMARIZED, Action.TRUNCATED],
         "2 things fall out of the prompt, 2 are shortened."),
    ],
)  # fmt: skip
def test_what_is_shortened_is_not_said_to_fall_out(
    pipeline: Pipeline, scenario: Scenario, actions: list[Action], said: str
) -> None:
    count = len(actions)
    nothing = np.zeros(count, np.int64)
    fall = Fall(np.arange(count), np.array(actions, np.int32), nothing, nothing.astype(np.int32))
    assert fall_headline(pipeline.candidates(pipeline.case(scenario)), fall) == said
