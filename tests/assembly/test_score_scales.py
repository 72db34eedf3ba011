"""Recorded scores keep their order, whatever their scale, and a scale that contradicts the words is a finding."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.answer import complete_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import Kind
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.score_scales import scale_of, similarities
from inspector.formats import load_workspace
from inspector.model import SCORE_SCALES, Memory, MemorySet, ScoreScale
from inspector.plugins import policies

TEXTS = ("Drinks coffee in the morning", "Reads novels at night", "Has a dog called Rex", "Fears deep water")
SCORES = st.lists(st.floats(-1e3, 1e3).map(lambda score: round(score, 3)), min_size=1, max_size=8)


def pipeline_of(folder: Path, value: object, name: str = "found.json") -> Pipeline:
    (folder / name).write_text(json.dumps(value))
    chat = {"messages": [{"role": "user", "content": "coffee"}]}
    (folder / "chat.json").write_text(json.dumps(chat))
    workspace = load_workspace([str(folder / name), str(folder / "chat.json")])
    return Pipeline(workspace, policies()[0], load_presets())


def order(pipeline: Pipeline, **fields: object) -> list[str]:
    """The texts of the memories, the most similar first."""
    candidates = complete_answer(pipeline, Scenario(**fields)).assembly.candidates  # type: ignore[arg-type]
    rows = candidates.rows(Kind.MEMORY)
    return [candidates.texts[row] for row in rows[np.argsort(-candidates.similarity[rows], kind="stable")]]


def findings(pipeline: Pipeline, **fields: object) -> set[str]:
    answer = complete_answer(pipeline, Scenario(**fields))  # type: ignore[arg-type]
    return {finding.code for finding in answer.findings}


def mem0(*scores: float) -> dict[str, object]:
    pairs = zip(TEXTS, scores, strict=False)
    return {"results": [{"id": text, "memory": text, "score": score} for text, score in pairs]}


@given(SCORES, st.sampled_from(SCORE_SCALES))
def test_similarities_are_from_0_to_1_in_the_order_of_the_scale(scores: list[float], scale: ScoreScale) -> None:
    recorded = np.array([*scores, np.nan])
    found = similarities(recorded, scale)
    assert np.isnan(found[-1])
    assert ((found[:-1] >= 0) & (found[:-1] <= 1)).all()
    best_first = np.argsort(recorded[:-1] if scale == "distance" else -recorded[:-1], kind="stable")
    assert (np.diff(found[best_first]) <= 0).all()


@given(st.lists(st.integers(0, 2_000).map(lambda score: score / 1_000), min_size=2, max_size=8, unique=True))
def test_distances_of_cosines_stay_apart(scores: list[float]) -> None:
    assert len(set(similarities(np.array(scores), "distance").tolist())) == len(scores)


def test_distances_of_a_local_store_rank_the_nearest_memory_first(tmp_path: Path) -> None:
    pipeline = pipeline_of(tmp_path, mem0(0.51, 0.78, 0.93))
    assert order(pipeline)[0] == TEXTS[0]
    assert any("as distances do" in problem.message for problem in pipeline.workspace.problems)
    assert "score_direction" not in findings(pipeline)


def test_similarities_of_a_hosted_store_stay_as_they_are(tmp_path: Path) -> None:
    pipeline = pipeline_of(tmp_path, mem0(0.93, 0.78, 0.51))
    assert order(pipeline) == list(TEXTS[:3])
    assert not pipeline.workspace.problems


def test_raw_scores_keep_their_order(tmp_path: Path) -> None:
    scored = [{"content": text, "score": score} for text, score in zip(TEXTS, (272.71, 31.5, 140.2), strict=False)]
    pipeline = pipeline_of(tmp_path, scored)
    assert order(pipeline) == [TEXTS[0], TEXTS[2], TEXTS[1]]


def test_a_field_called_distance_is_one(tmp_path: Path) -> None:
    scored = [{"content": text, "distance": score} for text, score in zip(TEXTS, (0.9, 0.2, 0.5), strict=False)]
    assert order(pipeline_of(tmp_path, scored)) == [TEXTS[1], TEXTS[2], TEXTS[0]]


def test_the_user_has_the_last_word_on_a_scale_and_a_contradiction_is_a_finding(tmp_path: Path) -> None:
    pipeline = pipeline_of(tmp_path, mem0(0.51, 0.78, 0.93))
    assert "score_direction" in findings(pipeline, score_scales={"found": "similarity"})
    assert order(pipeline, score_scales={"found": "similarity"})[0] == TEXTS[2]
    assert order(pipeline)[0] == TEXTS[0]  # once more, as before
    with pytest.raises(ScenarioError, match=r"memory set 'fond' is not there.*found"):
        complete_answer(pipeline, Scenario(score_scales={"fond": "raw"}))


def test_a_native_set_names_its_scale(tmp_path: Path) -> None:
    memories = [
        {"id": text, "content": text, "similarity": score} for text, score in zip(TEXTS, (3, 1, 2), strict=False)
    ]
    native = {"format": "prompt-inspector/workspace@1", "memory_sets": [{"id": "own", "memories": memories}]}
    assert order(pipeline_of(tmp_path, native))[0] == TEXTS[0]
    native["memory_sets"][0]["score_scale"] = "distance"  # type: ignore[index]
    assert order(pipeline_of(tmp_path, native))[0] == TEXTS[1]


@pytest.mark.parametrize(
    ("scores", "expected"), [((0.1, 1.0), "similarity"), ((0.1, 1.2), "raw"), ((None, None), "similarity")]
)
def test_a_set_that_names_no_scale_has_similarities_unless_any_is_above_1(
    scores: tuple[float | None, ...], expected: str
) -> None:
    members = tuple(Memory(str(place), "x", similarity=score) for place, score in enumerate(scores))
    assert scale_of(MemorySet("a", members)) == expected
