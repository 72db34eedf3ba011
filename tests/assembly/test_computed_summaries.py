"""Computed summaries stand where the file has none: asked for by the scenario, known piece by piece, never unasked."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from building import pipeline_for, workspace

from inspector.assembly import known
from inspector.assembly.answer import planned_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.findings import summary_findings
from inspector.assembly.lacking import make_all, missing_summaries
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.replacements import SummarySource
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.assembly.summarizing import NOT_ASKED, NOT_CONFIGURED, rows_without_summary
from inspector.model import Message, changed
from inspector.pages.command import command_text
from inspector.retrieval.summaries.endpoint import Endpoint
from inspector.retrieval.summaries.settings import EndpointSettings
from inspector.retrieval.summaries.summarizer import Original, SummaryError
from inspector.retrieval.vectors.choice import EmbedderChoice

TALK = (
    "The boat lies in the harbour of Lisbon. It rained on the way. The harbour is full of boats. We drank some tea.",
    "Yes, I know.",
    "The keel of the boat is cracked. My aunt came by. Somebody has to mend the keel. She likes tea and rain.",
    "Her summary is her own, whatever else is asked for here, and that stays so in every case.",
    "So what now?",
)
SELECTIVE = {"selective": True, "recent_messages": 0, "min_exchanges": 1, "discard_after": 100}


def talk(**fields: Any) -> Pipeline:
    messages = [Message(f"m{n}", "assistant" if n % 2 else "user", text) for n, text in enumerate(TALK)]
    messages[3] = changed(messages[3], summary="her own")
    return pipeline_for(workspace(messages, **fields))


def scenario(**fields: object) -> Scenario:
    plain = Scenario(tokenizer="estimate:words", context_window=1000, parameters=SELECTIVE, summary_tokens=9)
    return replace(plain, **fields)


def sources(pipeline: Pipeline, wanted: Scenario) -> list[str]:
    return [SummarySource(source).name for source in pipeline.items(pipeline.case(wanted)).standing.sources]


def texts(assembly: Assembly) -> list[str]:
    return [assembly.text(row) for row in range(len(assembly.candidates))]


def test_without_being_asked_nothing_is_computed() -> None:
    pipeline, wanted = talk(), scenario()
    assert pipeline.case(wanted).summarizer is None
    assert missing_summaries(pipeline, pipeline.case(wanted)) == []
    assert sources(pipeline, wanted) == ["PREVIEW", "PREVIEW", "PREVIEW", "FILE", "PREVIEW"]
    assert pipeline.items(pipeline.case(wanted)).replacements[1:4:2] == (
        "[Earlier: Yes, I know....]",
        "[Earlier: her own]",
    )


def test_extractive_summaries_stand_where_the_file_has_none() -> None:
    pipeline, wanted = talk(), scenario(summaries="extractive")
    assert [original.text for original in missing_summaries(pipeline, pipeline.case(wanted))] == [*TALK[:3], TALK[4]]
    assert sources(pipeline, wanted)[0] == "PREVIEW"
    make_all(pipeline, wanted)
    assert missing_summaries(pipeline, pipeline.case(wanted)) == []
    assert sources(pipeline, wanted) == ["EXTRACTIVE", "WHOLE", "EXTRACTIVE", "FILE", "WHOLE"]
    standing = pipeline.items(pipeline.case(wanted)).standing
    assert standing.texts[0] == f"[Earlier: {standing.summaries[0]}]"
    assert 0 < len(standing.summaries[0].split()) <= 9
    assert all(part in TALK[0] for part in standing.summaries[0].removesuffix(".").split(". "))
    assert (standing.texts[1], standing.texts[3]) == (TALK[1], "[Earlier: her own]")


def test_the_file_s_own_summary_wins_over_one_of_the_same_text() -> None:
    messages = [Message("m0", "user", TALK[0]), Message("m1", "assistant", TALK[0], summary="her own")]
    pipeline, wanted = pipeline_for(workspace(messages)), scenario(summaries="extractive")
    make_all(pipeline, wanted)
    assert sources(pipeline, wanted) == ["EXTRACTIVE", "FILE"]
    assert pipeline.items(pipeline.case(wanted)).replacements[1] == "[Earlier: her own]"


def test_an_assembly_spends_what_the_summaries_cost() -> None:
    pipeline, wanted = talk(), scenario(summaries="extractive")
    make_all(pipeline, wanted)
    assembly = pipeline.assemble(pipeline.case(wanted))
    standing = pipeline.items(pipeline.case(wanted)).standing.texts
    assert texts(assembly) == [*standing[:4], TALK[4]]
    assert assembly.spent.tolist() == [len(text.split()) for text in texts(assembly)]
    before = pipeline.assemble(pipeline.case(scenario()))
    assert texts(before)[0] == f"[Earlier: {TALK[0][:100]}...]"


def test_the_names_and_rows_of_items_stay_the_same_when_summaries_come_in() -> None:
    pipeline, wanted = talk(), scenario(summaries="extractive")
    before = pipeline.candidates(pipeline.case(wanted))
    make_all(pipeline, wanted)
    after = pipeline.candidates(pipeline.case(wanted))
    assert after.items is not before.items
    assert after.ids is before.ids
    assert pipeline.candidates(pipeline.case(wanted)) is after


def test_another_length_or_tokenizer_is_another_summary() -> None:
    pipeline, wanted = talk(), scenario(summaries="extractive")
    make_all(pipeline, wanted)
    for other in (replace(wanted, summary_tokens=12), replace(wanted, tokenizer="estimate:brain")):
        assert missing_summaries(pipeline, pipeline.case(other))
        make_all(pipeline, other)
        assert not missing_summaries(pipeline, pipeline.case(other))
    assert not missing_summaries(pipeline, pipeline.case(wanted))


def test_a_fork_knows_the_same_summaries() -> None:
    pipeline, wanted = talk(), scenario(summaries="extractive")
    fork = pipeline.fork()
    make_all(fork, wanted)
    assert missing_summaries(pipeline, pipeline.case(wanted)) == []


def test_neighbours_are_read_only_where_words_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "choose_embedder", lambda name: EmbedderChoice(None, "none here"))
    pipeline, wanted = talk(), scenario(summaries="extractive")
    missing = missing_summaries(pipeline, pipeline.case(wanted))
    assert missing[0] == Original(TALK[0], TALK[1:3])
    assert missing[2] == Original(TALK[2], (*TALK[:2], *TALK[3:]))


def test_a_draft_is_never_summarized() -> None:
    pipeline, wanted = talk(), scenario(summaries="extractive", draft="word " * 40)
    assert [original.text for original in missing_summaries(pipeline, pipeline.case(wanted))] == [*TALK[:3], TALK[4]]
    items = pipeline.items(pipeline.case(wanted))
    assert len(rows_without_summary(items)) == 4


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"summaries": "magic"}, "summaries: 'magic' is not one of extractive, endpoint"),
        ({"summaries": "extractive", "summary_tokens": 0}, "summary_tokens: expected at least 1, found 0"),
        ({"summaries": "extractive", "embedding": "nobody"}, "embedding: unknown embedder"),
    ],
)
def test_what_there_is_not_is_refused(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        talk().case(scenario(**fields))


class Told(Endpoint):
    """An endpoint that answers from memory and remembers what it was asked."""

    asked: list[str]
    silent = False

    def summarize(self, originals: Sequence[Original]) -> list[str]:
        if self.silent:
            raise SummaryError("The endpoint refuses the key.")
        self.asked += [original.text for original in originals]
        return [f"told {len(original.text)}" for original in originals]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> type[Told]:
    Told.asked, Told.silent = [], False
    monkeypatch.setattr("inspector.retrieval.summaries.endpoint.Endpoint", Told)
    return Told


def configured(pipeline: Pipeline) -> Pipeline:
    pipeline.known.summarizing.allow(EndpointSettings("http://127.0.0.1:1/v1", "tiny"))
    return pipeline


def trouble(pipeline: Pipeline, wanted: Scenario) -> str:
    return pipeline.known.summarizing.trouble(wanted, pipeline.case(wanted).summarizer)


def test_an_endpoint_that_nobody_configured_is_not_asked(told: type[Told]) -> None:
    pipeline, wanted = talk(), scenario(summaries="endpoint")
    assert missing_summaries(pipeline, pipeline.case(wanted)) == []
    make_all(pipeline, wanted)
    assert told.asked == []
    assert trouble(pipeline, wanted) == NOT_ASKED, "a scenario may be a stranger's"
    pipeline.known.summarizing.allow(None)
    assert trouble(pipeline, wanted) == NOT_CONFIGURED
    assert sources(pipeline, wanted)[0] == "PREVIEW"


def test_a_configured_endpoint_is_not_asked_unless_the_scenario_says_so(told: type[Told]) -> None:
    for wanted in (scenario(), scenario(summaries="extractive")):
        make_all(configured(talk()), wanted)
    assert told.asked == []


def test_an_endpoint_gets_only_what_the_policy_summarizes_now(told: type[Told]) -> None:
    pipeline = configured(talk())
    make_all(pipeline, scenario(summaries="endpoint", parameters={**SELECTIVE, "recent_messages": 3}))
    assert told.asked == [TALK[0], TALK[1]]
    unselective = scenario(summaries="endpoint", parameters={})
    assert missing_summaries(pipeline, pipeline.case(unselective)) == []
    wanted = scenario(summaries="endpoint")
    assert [original.text for original in missing_summaries(pipeline, pipeline.case(wanted))] == [TALK[2]]
    make_all(pipeline, wanted)
    assert told.asked == [TALK[0], TALK[1], TALK[2]]
    assert pipeline.items(pipeline.case(wanted)).standing.texts[2] == f"[Earlier: told {len(TALK[2])}]"
    assert sources(pipeline, wanted) == ["ENDPOINT", "ENDPOINT", "ENDPOINT", "FILE", "PREVIEW"]


def test_an_endpoint_that_refuses_is_asked_once_and_says_why(told: type[Told]) -> None:
    pipeline, wanted = configured(talk()), scenario(summaries="endpoint")
    told.silent = True
    make_all(pipeline, wanted)
    assert trouble(pipeline, wanted) == "The endpoint refuses the key."
    assert missing_summaries(pipeline, pipeline.case(wanted)) == []
    assert sources(pipeline, wanted)[0] == "PREVIEW"
    told.silent = False
    pipeline.known.summarizing.try_again()
    make_all(pipeline, wanted)
    assert sources(pipeline, wanted)[0] == "ENDPOINT"
    assert trouble(pipeline, wanted) == ""


def test_progress_is_told() -> None:
    told: list[tuple[str, int, float]] = []
    wanted = scenario(summaries="extractive")
    make_all(talk(), wanted, on_progress=lambda work, share: told.append((work.name, work.size, share)))
    assert [(name, share) for name, _, share in told] == [("count", 1), ("summarize", 1), ("count", 1)]
    assert told[1] == ("summarize", 4, 1)


def found(pipeline: Pipeline, wanted: Scenario) -> list[Finding]:
    make_all(pipeline, wanted)
    answer = planned_answer(pipeline, pipeline.case(wanted))
    return list(summary_findings(answer.assembly, wanted, trouble(pipeline, wanted)))


def test_findings_say_what_is_computed_and_what_is_longer() -> None:
    assert found(talk(), scenario(parameters={})) == []
    (longer,) = found(talk(), scenario(parameters={**SELECTIVE, "recent_messages": 3}))
    assert (longer.code, longer.rows.tolist()) == ("summary_longer", [1])
    assert "1 message is replaced by something longer: 1 token more" in longer.message
    (computed,) = found(talk(), scenario(summaries="extractive"))
    assert (computed.code, computed.rows.tolist()) == ("computed_summaries", [0, 2])
    (unused,) = found(talk(), scenario(summaries="extractive", parameters={}))
    assert unused.code == "summaries_unused"
    (trouble, _) = found(talk(), scenario(summaries="endpoint"))
    assert (trouble.code, trouble.severity) == ("summaries_unavailable", "warning")


def test_what_is_asked_for_is_in_files_and_commands() -> None:
    wanted = Scenario(summaries="extractive", summary_tokens=40)
    value = scenario_value(wanted, None)
    assert (value["summaries"], value["summary_tokens"]) == ("extractive", 40)
    assert set(scenario_value(Scenario(), None)) == {"format"}
    assert command_text(["/a.json"], wanted) == (
        f"prompt-inspector assemble {os.path.abspath('/a.json')} "
        "--no-defaults --summaries=extractive --summary-tokens=40"
    )
