"""Policies say where a summary comes from, and leave alone what a computed one would not make cheaper."""

import pytest
from building import decisions, pipeline_for, workspace

from inspector.assembly.answer import Answer, measured, planned_answer
from inspector.assembly.explain import explain
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from inspector.model import Message

LONG = "The boat lies in the harbour of Lisbon. It rained on the way. The harbour is full of boats. We drank some tea."
POLICIES = {
    "document": {"selective": True, "recent_messages": 0, "min_exchanges": 1},
    "chorus-2026.02": {"selective": True, "selective_above": 1, "recent_messages": 1},
}


def answer(preset: str, summaries: str | None) -> Answer:
    texts = ("The very first words of all.", LONG, "Yes, I know.", LONG, "So what now?")
    messages = [Message(f"m{number}", "assistant" if number % 2 else "user", text) for number, text in enumerate(texts)]
    messages[3] = Message("m3", "assistant", LONG, summary="her own")
    pipeline = pipeline_for(workspace(messages))
    wanted = Scenario(
        tokenizer="estimate:words",
        context_window=4000,
        preset=preset,
        parameters=POLICIES[preset],
        summaries=summaries,
        summary_tokens=9,
    )
    make_all(pipeline, wanted)
    return measured(pipeline, planned_answer(pipeline, pipeline.case(wanted)))


@pytest.mark.parametrize("preset", POLICIES)
def test_the_reason_says_where_the_summary_comes_from(preset: str) -> None:
    plain, computed = decisions(answer(preset, None)), decisions(answer(preset, "extractive"))
    assert [plain[name][::2] for name in ("m1", "m3")] == [("summarized", "preview"), ("summarized", "summary")]
    assert [computed[name][::2] for name in ("m1", "m3")] == [("summarized", "extractive"), ("summarized", "summary")]
    made = answer(preset, "extractive")
    row = made.assembly.candidates.ids.index("m1")
    assert made.assembly.text(row).removeprefix("[Earlier: ").split(".")[0] in LONG
    assert "The file has no summary of it, so some of its sentences" in explain(made.assembly, row)


@pytest.mark.parametrize("preset", POLICIES)
def test_what_a_computed_summary_would_not_make_cheaper_stays_as_it_is(preset: str) -> None:
    assert decisions(answer(preset, None))["m2"][0] == "summarized"
    assert decisions(answer(preset, "extractive"))["m2"][:2] == ("kept", 3)


def test_findings_name_what_is_computed() -> None:
    (found,) = [one for one in answer("document", "extractive").findings if one.code == "computed_summaries"]
    assert [answer("document", "extractive").assembly.candidates.ids[row] for row in found.rows] == ["m1"]
