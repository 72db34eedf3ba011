"""Recall: what became of the evidence of probes, against a plain reading of single assemblies."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from inspector.analysis.recall.ask import Loss, found_in, losses, mean_of, recall, recall_value
from inspector.analysis.recall.probes import askable, evidence_of, read_probes, scenario_of
from inspector.analysis.sweep.ask import sweep_rows
from inspector.assembly.answer import answer_value, complete_answer
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Memory, MemorySet, Probe, Workspace, changed
from inspector.plugins import policies
from inspector.reading.values import UnreadableError

PROBES = (
    Probe("kept", ("m9", "m8"), "c1"),
    Probe("half", ("m9", "m0"), "c1", category="old"),
    Probe("cited", ("m0", "k0"), "c1", category="old"),
    Probe("early", ("m1",), "c1", at=2),
    Probe("other", ("m1",), "c2"),
)


@pytest.fixture
def found(found: Workspace) -> Workspace:
    """The small chat with a memory that names its source, and one that is too large for any budget."""
    (stored,) = found.memory_sets
    sources = {"k0": ("m0",), "k3": ("m2",)}
    memories = tuple(changed(one, source_messages=sources.get(one.id, ())) for one in stored.memories)
    return changed(found, memory_sets=(MemorySet("default", memories),))


def plain_recall(pipeline: Pipeline, scenario: Scenario, probe: Probe) -> tuple[float, float]:
    """Recall without and with memories, read off the answer as JSON has it."""
    value = answer_value(complete_answer(pipeline, scenario_of(scenario, probe)))
    kept = {item["id"] for item in value["items"] if item["action"] == "kept" and not value["error"]}
    memories: dict[str, Memory] = {
        memory.id: memory for held in pipeline.workspace.memory_sets for memory in held.memories
    }
    cited = {name for id_ in kept & memories.keys() for name in memories[id_].source_messages}
    ids = list(dict.fromkeys(probe.evidence))
    return sum(one in kept for one in ids) / len(ids), sum(one in kept | cited for one in ids) / len(ids)


@pytest.mark.parametrize("policy", ["ratio", "window_rag", "reserve", "slots", "naive"])
@pytest.mark.parametrize("window", [20, 70, 200])
def test_recall_is_what_single_answers_say(pipeline: Pipeline, scenario: Scenario, policy: str, window: int) -> None:
    changed_to = replace(scenario, conversation=None, policy=policy, context_window=window, parameters={})
    recalled = recall(pipeline, changed_to, PROBES)
    assert [probe.id for probe in recalled.probes] == [probe.id for probe in PROBES]
    for probe, found in zip(recalled.probes, recalled.found, strict=True):
        assert (found.recall, found.recall_with_memories) == plain_recall(pipeline, changed_to, probe), probe.id
    shares = [found.recall_with_memories for found in recalled.found]
    assert sum(losses(recalled.found).values()) + np.mean(shares) == pytest.approx(1)


def test_a_loss_says_its_first_reason(pipeline: Pipeline, scenario: Scenario) -> None:
    def loss(probe: Probe, **changes: Any) -> list[int]:
        asked = scenario_of(replace(scenario, **changes), probe)
        assembly = pipeline.assemble(make_all(pipeline, asked))
        return found_in(assembly, evidence_of(assembly.candidates.items, probe)).loss.tolist()

    assert loss(Probe("a", ("m3",), "c1")) == [Loss.NOT_CITED]
    assert loss(Probe("a", ("m2",), "c1")) == [Loss.OVER_BUDGET], "its memory is too large"
    assert loss(Probe("a", ("m2", "k3"), "c1"), excluded=("k3",)) == [Loss.OVER_BUDGET, Loss.EXCLUDED]
    assert loss(Probe("a", ("m9",), "c1", at=3)) == [Loss.EXCLUDED]
    assert loss(Probe("a", ("m9",), "c1")) == [-1]


def test_a_question_of_an_earlier_turn_is_asked_of_what_there_was_then(pipeline: Pipeline, scenario: Scenario) -> None:
    plain = replace(scenario, context_window=4000, parameters={})
    early, late = (Probe(name, ("k3",), "c1", at=at) for name, at in (("early", 2), ("late", 3)))
    assert [found.recall for found in recall(pipeline, plain, (early, late)).found] == [0, 1]


def test_what_a_policy_refuses_recalls_nothing(pipeline: Pipeline, scenario: Scenario) -> None:
    refused = replace(scenario, parameters={"memory_share": 2})
    (found,) = recall(pipeline, refused, PROBES[:1]).found
    assert (found.recall, found.recall_with_memories, found.recall_summarized) == (0, 0, 0)


def test_what_cannot_be_asked_or_counted_is_told(pipeline: Pipeline, scenario: Scenario) -> None:
    probes = (
        Probe("nowhere", ("m0",), "c9"),
        Probe("unsaid", ("m0",)),
        Probe("empty", (), "c1"),
        Probe("strange", ("m9", "m99"), "c1"),
        Probe("nothing", ("m99",), "c1"),
    )
    recalled = recall(pipeline, replace(scenario, conversation=None), probes)
    assert [probe.id for probe in recalled.probes] == ["strange"]
    assert recalled.found[0].recall == 1, "what is not there is not counted"
    assert {one.id: one.reason for one in recalled.skipped} == {
        "nowhere": "the conversation c9 is not open",
        "unsaid": "no conversation is named, and several are open",
        "empty": "no evidence is named",
        "strange": "no item is called m99",
        "nothing": "no item is called m99; no item of its evidence is there",
    }


def test_the_conversation_of_the_scenario_is_meant_where_a_probe_names_none(found: Workspace) -> None:
    asked, skipped = askable(found, (Probe("a", ("m0",)), Probe("b", ("m0",), "c1")), "c2")
    assert ([probe.conversation for probe in asked], skipped) == (["c2"], [])


def test_rows_of_a_sweep_have_the_recall_of_their_conversation(pipeline: Pipeline, scenario: Scenario) -> None:
    grid = {"context_window": [30, 70, 200], "policy": ["ratio", "naive"]}
    rows = list(sweep_rows(pipeline, replace(scenario, conversation=None), grid, probes=PROBES))
    assert len(rows) == 12
    for row in rows:
        probes = [probe for probe in PROBES if probe.conversation == row["conversation"]]
        one = Scenario(
            conversation=row["conversation"],
            tokenizer="estimate:words",
            context_window=row["context_window"],
            policy=row["policy"],
            parameters={"min_exchanges": 1} if row["policy"] == "ratio" else {},
        )
        expected = mean_of(recall(pipeline, one, probes).found).columns
        assert {name: row[name] for name in expected} == expected
    assert {row["probes"] for row in rows} == {4, 1}


def test_the_answer_as_json_says_every_figure(pipeline: Pipeline, scenario: Scenario) -> None:
    everywhere = replace(scenario, conversation=None)
    recalled = recall(pipeline, everywhere, PROBES)
    value = recall_value(recalled, everywhere, None)
    assert value["format"] == "prompt-inspector/recall@1"
    assert [group["category"] for group in value["categories"]] == ["", "old"]
    assert sum(group["probes"] for group in value["categories"]) == value["probes"] == 5
    assert [group["conversation"] for group in value["conversations"]] == ["c1", "c2"]
    assert value["recall"] == pytest.approx(np.mean([row["recall"] for row in value["rows"]]))
    assert value["rows"][1]["lost"] == []
    assert value["rows"][1]["recall"] == 0.5


def test_the_package_recalls_what_a_file_of_probes_asks(found: Workspace, scenario: Scenario, tmp_path: Path) -> None:
    file = tmp_path / "asked.yaml"
    file.write_text(
        "format: prompt-inspector/probes@1\n"
        "probes:\n"
        "- {id: kept, conversation: c1, evidence: [m9, m8]}\n"
        "- {id: half, conversation: c1, evidence: [m0, m9]}\n"
    )
    value = inspector.recall(found, scenario, file)
    pipeline = Pipeline(found, policies()[0], load_presets())
    assert value == recall_value(recall(pipeline, scenario, read_probes(file)[0]), scenario, None)
    assert value == inspector.recall(changed(found, probes=read_probes(file)[0]), scenario, None)
    (row,) = inspector.sweep(found, {"context_window": [70]}, scenario, probes=file)
    assert row["recall"] == value["recall"]


@pytest.mark.parametrize("content", ["[]", "{}", "words", '{"format": "prompt-inspector/probes@1", "probes": 3}'])
def test_a_file_without_probes_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "probes.json"
    file.write_text(content)
    with pytest.raises(UnreadableError):
        read_probes(file)
