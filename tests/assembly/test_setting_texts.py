"""The value of a setting reads the same wherever it is shown: side by side, in reports and on the command line."""

from typing import Any

import pytest

from inspector.assembly.answer import Answer, measured, planned_answer
from inspector.assembly.parameter_text import numbers_in, setting_text, value_text
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import Parameter
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_by_side import settings_that_differ
from inspector.model import Conversation, Message, Workspace
from inspector.pages.prompt_page import prompt_page
from inspector.pages.redaction import Redaction, Telling
from inspector.plugins import policies

KINDS = policies()[0]
SHARE = {"memory_share": 0.125, "history_share": 0.5, "reserve_share": 0.375}


@pytest.fixture
def pipeline() -> Pipeline:
    talk = Conversation("talk", tuple(Message(f"m{n}", "user", "a b c") for n in range(4)))
    return Pipeline(Workspace(conversations=(talk,)), KINDS, load_presets())


def answered(pipeline: Pipeline, **settings: Any) -> Answer:
    scenario = Scenario(tokenizer="estimate:words", context_window=4000, policy="ratio", **settings)
    return measured(pipeline, planned_answer(pipeline, pipeline.case(scenario)))


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("memory_share", 0.125, "12.5 %"),
        ("half_life_days", 1.0, "1.0 day"),
        ("recency_weight", 0.2, "0.20"),
        ("recency_weight", 0.202, "0.202"),
        ("message_cap", 0, "off"),
        ("adaptive", True, "on"),
        ("memory_role", "system", "system"),
        ("memory_share", None, "–"),
        ("context_window", 128000, "128,000"),
        ("pinned", ("m1", "m2"), "m1, m2"),
        ("pinned", (), "none"),
        ("no_such", 0.5, "0.5"),
    ],
)
def test_a_setting_reads_by_its_declaration_or_by_its_kind(name: str, value: Any, text: str) -> None:
    assert setting_text(name, value, KINDS["ratio"]) == text


def test_what_differs_reads_the_same_side_by_side_and_in_pages(pipeline: Pipeline) -> None:
    before, after = answered(pipeline), answered(pipeline, parameters={**SHARE, "adaptive": True, "message_cap": 50})
    differing = settings_that_differ((before, after))
    texts = {row.name: row.texts for row in differing}
    assert texts["memory_share"] == ("30.0 %", "12.5 %")
    assert texts["adaptive"] == ("off", "on")
    assert texts["message_cap"] == ("off", "50 tokens")
    page = prompt_page(after, before)
    for row in differing:
        assert row.texts == tuple(
            Telling(each).setting(row.name, value) for each, value in zip((before, after), row.values, strict=True)
        )
        cells = "".join(f"<td>{text}</td>" for text in (row.name, *row.texts))
        assert cells in page


def test_figures_are_told_in_what_is_redacted_and_texts_are_not(pipeline: Pipeline) -> None:
    redaction = Redaction()
    telling = Telling(answered(pipeline, parameters=SHARE, pinned=("m1",)), redaction)
    assert telling.setting("memory_share", 0.125) == "12.5 %"
    assert telling.setting("pinned", ("m1",)) == redaction.hidden("m1")
    assert telling.setting("draft", None) == "–"
    assert telling.setting("pinned", []) == "none"


def test_numbers_of_a_list_can_be_read_back() -> None:
    thresholds = Parameter("thresholds", (0.5, 0.2))
    assert numbers_in(value_text(thresholds, (0.5, 2000))) == [0.5, 2000]
