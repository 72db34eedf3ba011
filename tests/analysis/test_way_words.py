"""The label and the price of a way, as cards, the dialog and the terminal write them."""

from typing import Any

import pytest

from inspector.analysis.keeping.way import Kind, Way, in_order
from inspector.analysis.keeping.words import comes_in_text, leaves_text, others, price_text, those
from inspector.assembly.candidates import Candidates
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario

PLAIN: dict[str, Any] = {
    "kind": Kind.SINGLE, "label": "Window 90", "changes": (("context_window", 90),), "scenario": Scenario(),
    "leaves": (), "shortened": (), "comes_in": (), "lost": 0, "window": 90, "total": 60, "added": 0, "exceeds": 0,
    "cost": None, "cost_added": None, "estimated": False, "added_estimated": False,
}  # fmt: skip


@pytest.fixture
def candidates(pipeline: Pipeline, scenario: Scenario) -> Candidates:
    """Rows 1 to 4 are memories, the last ten are messages."""
    return pipeline.candidates(make_all(pipeline, scenario))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"added": 3685, "cost_added": 0.0092}, "+3,685 tokens, +$0.009; nothing leaves"),
        ({"added": -197, "cost_added": -0.0004925, "leaves": (7, 8)}, "−197 tokens; 2 messages leave"),
        ({"added": -9_000, "cost_added": -0.0225, "leaves": (7,)}, "−9,000 tokens, −$0.022; 1 message leaves"),
        ({"added": 1, "leaves": (1, 7)}, "+1 token; 2 items leave"),
        ({"added": 40, "added_estimated": True, "leaves": (1,)}, "≈ +40 tokens; 1 memory leaves"),
        ({"leaves": (1, 2), "shortened": (7,)}, "0 tokens; 2 memories leave, 1 is shortened"),
        ({"shortened": (7, 8)}, "0 tokens; nothing leaves, 2 messages are shortened"),
        ({"exceeds": 3_808, "estimated": True}, "0 tokens; nothing leaves; ≈ 3,808 over the window"),
    ],
)
def test_a_price_is_told_in_tokens_money_and_what_leaves(
    candidates: Candidates, fields: dict[str, Any], said: str
) -> None:
    assert price_text(Way(**{**PLAIN, **fields}), candidates) == said.replace("−", "\N{MINUS SIGN}")


def test_items_have_the_noun_of_their_kind(candidates: Candidates) -> None:
    assert those(candidates, [7]) == "this message"
    assert those(candidates, [1, 2]) == "these 2 memories"
    assert those(candidates, [1, 7]) == "these 2 items"
    assert others(candidates, [7]) == "1 other message"
    assert others(candidates, [7, 8, 9]) == "3 other messages"
    assert comes_in_text(Way(**PLAIN), candidates) == ""
    assert comes_in_text(Way(**{**PLAIN, "comes_in": (7, 8)}), candidates) == "2 messages are also kept"
    assert leaves_text(Way(**PLAIN), candidates) == "nothing leaves"


def test_the_way_with_the_least_harm_is_first_and_those_over_the_window_are_last() -> None:
    """Harm is the tokens added and those that others lose; fewer tokens in the prompt are no harm."""
    ways = {
        "pin": Way(**{**PLAIN, "added": -197, "lost": 511}),
        "window": Way(**{**PLAIN, "added": 3_685}),
        "discard": Way(**{**PLAIN, "added": -173, "lost": 1_243}),
        "over": Way(**{**PLAIN, "added": 10, "exceeds": 1}),
    }
    given = [ways[name] for name in ("over", "window", "discard", "pin")]
    assert in_order([None, *given]) == tuple(ways[name] for name in ("pin", "discard", "window", "over"))
