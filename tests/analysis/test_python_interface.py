"""The functions of the package itself."""

import json
from pathlib import Path

import pytest

import inspector
from inspector.assembly.choices import ScenarioError
from inspector.assembly.scenario import Scenario


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    told = [{"role": role, "content": "one two three"} for role in ("user", "assistant", "user")]
    path.write_text(json.dumps(told))
    return path


def test_load_assemble_and_sweep(chat: Path) -> None:
    workspace = inspector.load(chat)
    answer = inspector.assemble(workspace, {"tokenizer": "estimate:words", "context_window": 100})
    assert answer["format"] == "prompt-inspector/assembly@1"
    assert [item["tokens"] for item in answer["items"]] == [3, 3, 3]
    rows = list(inspector.sweep(workspace, {"context_window": "100:300:100", "policy": ["naive"]}))
    assert [(row["context_window"], row["policy"]) for row in rows] == [(100, "naive"), (200, "naive"), (300, "naive")]


def test_an_archive_is_swept_into_a_file_of_rows_and_bad_files_are_told(chat: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    out = tmp_path / "rows.jsonl"
    given = {"tokenizer": "estimate:words"}
    *_, last = inspector.sweep_archive([tmp_path], {"context_window": "100:300:100"}, out, given)
    assert (last.done, last.total, [Path(one.path).name for one in last.bad]) == (2, 2, ["broken.json"])
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["source"], row["context_window"]) for row in rows] == [(str(chat), n) for n in (100, 200, 300)]
    with pytest.raises(ValueError, match=r"no file matches \*\.none"):
        inspector.sweep_archive([tmp_path], {"context_window": [100]}, out, glob="*.none")


def test_a_scenario_may_be_a_value_and_none_is_the_default(chat: Path) -> None:
    workspace = inspector.load(str(chat))
    assert inspector.assemble(workspace, Scenario(policy="naive"))["scenario"]["policy"] == "naive"
    assert inspector.assemble(workspace)["scenario"]["policy"] == "ratio"
    with pytest.raises(ScenarioError):
        inspector.assemble(workspace, {"policy": "best"})
