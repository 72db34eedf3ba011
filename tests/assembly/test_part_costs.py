"""Each part of a message has its cost, and the words about a total say what is not exact."""

import pytest

import inspector.analysis.explanation.ask as asked
from inspector.analysis.basis import Basis
from inspector.analysis.explanation.ask import explanation
from inspector.assembly.answer import Answer, answer_value, complete_answer
from inspector.assembly.doubts import doubt_words, prompt_counted_with
from inspector.assembly.item_counts import item_counts
from inspector.assembly.listed_items import LISTED_COLUMNS
from inspector.assembly.part_costs import part_costs
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Call, Conversation, DocumentPart, Image, Message, Part, Result, Text, Thought, Workspace
from inspector.plugins import policies
from inspector.tokens.certainty import Certainty, by_rule, estimated, exact, unknown
from inspector.tokens.cost_words import cost_figure, counted_with, figure_of

PICTURE = Image(1_024, 1_024, "high", "image/png")


def _pipeline(*parts: Part) -> Pipeline:
    text = "\n".join(part.text for part in parts if isinstance(part, Text))
    message = Message("m1", "user", text, parts=parts)
    return Pipeline(Workspace(conversations=(Conversation("c1", (message,)),)), policies()[0], load_presets())


def _answer(*parts: Part, model: str = "gpt-4o") -> Answer:
    return complete_answer(_pipeline(*parts), Scenario(model=model))


def _items(*parts: Part, model: str = "gpt-4o") -> list[dict]:
    return answer_value(_answer(*parts, model=model))["items"]


def test_a_message_of_parts_has_the_cost_of_each() -> None:
    (item,) = _items(Text("Describe this picture:"), PICTURE)
    assert item["certainty"] == "rule"
    assert item["parts"] == [
        {"type": "text", "tokens": 4, "certainty": "exact"},
        {"type": "image", "tokens": 765, "certainty": "rule"},
    ]
    assert sum(part["tokens"] for part in item["parts"]) == item["tokens"]


def test_plain_text_has_no_parts() -> None:
    (item,) = _items()
    assert item["certainty"] == "exact"
    assert "parts" not in item


def test_an_unknown_part_has_no_figure() -> None:
    answer = _answer(Text("Read this:"), DocumentPart())
    (item,) = answer_value(answer)["items"]
    assert item["parts"][1] == {"type": "document", "tokens": None, "certainty": "unknown"}
    assert item["certainty"] == "unknown"
    assert prompt_counted_with(answer.assembly, answer.ledger) == "Not all known (documents), o200k"
    assert "Not known, and not in the total: Documents." in doubt_words(answer.assembly, answer.ledger)


def test_a_text_counted_by_another_vocabulary_is_an_estimate_with_its_range() -> None:
    answer = _answer(Text("明日の朝、駅で会いましょう。" * 20), Thought("もう一度考える。"), model="claude-opus-4-8")
    costs = [priced.cost for priced in part_costs(answer.assembly.candidates, answer.model.media, 0)]
    assert [cost.certainty for cost in costs] == [Certainty.ESTIMATE] * 2
    assert costs[0].low < costs[0].tokens < costs[0].high
    assert "reconstructed" in costs[0].rule
    assert costs[1].rule.split(", ")[1] == "where thoughts are sent back"


def test_an_explanation_gives_each_part_with_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "smallest_changes", lambda *_: ())
    pipeline = _pipeline(Text("Describe this picture:"), PICTURE)
    found = explanation(
        Basis(pipeline, Scenario(model="gpt-4o")), complete_answer(pipeline, Scenario(model="gpt-4o")), 0
    )
    picture = asked.explanation_value(found)["parts"][1]
    assert (picture["tokens"], picture["certainty"], picture["rule"]) == (765, "rule", "85 + 4 tiles of 170")
    assert any(line.endswith("765 tokens: 85 + 4 tiles of 170") for line in asked.sentences(found))


COSTS = {
    "exact": (exact(12), "12", "Exact, o200k"),
    "rule": (by_rule(765, "", 704, 826), "765 ± 61", "By rule (± 61), o200k"),
    "rule of no known error": (by_rule(765, ""), "765", "By rule, o200k"),
    "estimate": (estimated(1_240, "", 1_100, 1_400), "≈ 1,240 (1,100 to 1,400)", "Estimated, o200k, 1,100 to 1,400"),
    "unknown": (unknown("why"), "?", "Not all known, o200k"),
    "unknown, bounded": (unknown("why", high=90), "? (0 to 90)", "Not all known, o200k"),
}


@pytest.mark.parametrize("case", COSTS)
def test_the_four_states_in_words(case: str) -> None:
    cost, figure, counting = COSTS[case]
    assert (cost_figure(cost), counted_with("embedded:o200k_base", cost)) == (figure, counting)


def test_a_cost_that_is_not_known_is_never_a_nought() -> None:
    assert figure_of(0, Certainty.UNKNOWN) == "?"
    assert figure_of(9, Certainty.UNKNOWN) == "≈ 9"
    assert figure_of(0, Certainty.EXACT) == "0"


def test_a_message_without_text_is_listed_by_its_parts() -> None:
    text = next(column for column in LISTED_COLUMNS if column.key == "text")
    tokens = next(column for column in LISTED_COLUMNS if column.key == "tokens")
    alone, two, said = (_answer(*parts).assembly for parts in ((PICTURE,), (DocumentPart(), PICTURE), (Text("Hi"),)))
    assert text.text(alone, 0) == "Picture 1,024 × 1,024"
    assert text.text(two, 0) == "Document pages not known, and 1 more"
    assert text.tone is not None
    assert (text.tone(alone, 0), text.tone(said, 0)) == ("muted", None)
    assert [tokens.text(one, 0) for one in (alone, two, said)] == ["765", "≈ 765", "1"]
    assert tokens.text(_answer(DocumentPart()).assembly, 0) == "?"


def test_the_range_of_every_line_holds_its_figure() -> None:
    call = Call("c1", "tide_at", '{"port": "Dover", "hour": 12}')
    messages = (
        Message("m1", "user", "What is the tide at Dover?"),
        Message("m2", "assistant", "", parts=(call,)),
        Message("m3", "tool", "4.2", parts=(Result("c1", "tide_at", "4.2"),)),
    )
    workspace = Workspace(conversations=(Conversation("c1", messages),))
    ledger = complete_answer(Pipeline(workspace, policies()[0], load_presets()), Scenario(model="gpt-4o")).ledger
    costs = [*(line.cost for line in ledger.lines), ledger.within, ledger.cost]
    assert any(cost.tokens < 0 for cost in costs)  # the template rewrites the call with fewer
    assert all(cost.low <= cost.tokens <= cost.high for cost in costs)
    assert ledger.cost.low < ledger.total < ledger.cost.high


def test_counts_are_as_sure_as_the_least_sure_item() -> None:
    answers = (_answer(Text("Hi"), part) for part in (DocumentPart(), PICTURE))
    unsure, by_the_rule = (item_counts(answer.assembly.candidates) for answer in answers)
    assert unsure.sentence == "≈ 1 token in 1 item. Not all known, o200k."
    assert by_the_rule.sentence == "766 tokens in 1 item. By rule, o200k."
