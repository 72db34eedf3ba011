"""The functions of the package itself."""

import json
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import inspector
from inspector.assembly.choices import ScenarioError
from inspector.assembly.scenario import Scenario
from inspector.model import Probe


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


def test_an_answer_has_its_keys_as_attributes_and_as_a_plain_dict(chat: Path) -> None:
    answer = inspector.assemble(inspector.load(chat), {"tokenizer": "estimate:words", "context_window": 100})
    assert isinstance(answer, Mapping)
    plain = answer.to_dict()
    assert type(plain) is dict
    assert (answer.status, answer.ledger["total"]) == (plain["status"], plain["ledger"]["total"])
    assert json.loads(json.dumps(plain)) == json.loads(json.dumps(answer)) == answer
    assert [item["id"] for item in answer.items] == [item["id"] for item in plain["items"]] == ["m0", "m1", "m2"]
    assert dict(answer.items()) == dict(answer) == plain
    with pytest.raises(AttributeError, match=r"did you mean ledger\?"):
        _ = answer.leger
    with pytest.raises(AttributeError):
        setattr(answer, "status", "other")  # noqa: B010 - which pyright refuses as well
    assert pickle.loads(pickle.dumps(answer)) == answer


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"polcy": "naive"}, r"polcy.*did you mean policy\?"),
        ({"lore": {"dept": 3}}, r"lore\.dept.*did you mean depth\?"),
        ({"policy": "naiv"}, r"did you mean naive\?"),
        ({"parameters": {"memroy_share": 0.3}}, "did you mean memory_share"),
        ({"parameters": {"memory_share": "abc"}}, "must be a number"),
        ({"model": "gpt-4oo"}, "did you mean gpt-4o"),
        ({"context_window": 0}, "a window has from 1"),
        ({"pinned": ["m22"]}, "no item is called m22; did you mean m2"),
        ({"conversation": "nobody"}, "conversation 'nobody' is not there"),
    ],
    ids=str,
)
def test_what_is_not_there_raises_from_every_function(chat: Path, given: dict[str, Any], said: str) -> None:
    workspace = inspector.load(chat)
    for ask in (
        inspector.assemble,
        lambda workspace, given: inspector.sweep(workspace, {"at": [1]}, given),
        lambda workspace, given: inspector.recall(workspace, given, [Probe("q", ("m0",))]),
        lambda workspace, given: inspector.recommend(workspace, [Probe("q", ("m0",))], given),
    ):
        with pytest.raises(ScenarioError, match=said):
            ask(workspace, given)


def test_policies_and_keys_of_a_grid_that_are_none_raise(chat: Path) -> None:
    workspace = inspector.load(chat)
    with pytest.raises(ScenarioError, match=r"naiv is not a policy; did you mean naive\?"):
        inspector.recommend(workspace, [Probe("q", ("m0",))], policies=["naiv"])
    with pytest.raises(ScenarioError, match="memroy_share cannot be varied here; did you mean memory_share"):
        next(inspector.sweep(workspace, {"memroy_share": [0.3]}))


def test_items_are_named_as_on_the_command_line(chat: Path) -> None:
    workspace = inspector.load(chat)
    assert [inspector.assemble(workspace, {"pinned": [name]}).scenario["pinned"] for name in ("M1", "2")] == [
        ["m1"]
    ] * 2


def test_a_file_that_is_not_there_raises(tmp_path: Path, chat: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nosuch\.json"):
        inspector.load(chat, tmp_path / "nosuch.json")


def test_worker_processes_of_a_script_without_a_guard_say_what_to_do(chat: Path, tmp_path: Path) -> None:
    """Each worker imports the script, as on every system where processes are not forked."""
    out, script = tmp_path / "rows.jsonl", tmp_path / "script.py"
    call = f"list(inspector.sweep_archive([{str(chat)!r}], {{'at': [1, 2]}}, {str(out)!r}, workers=2))"
    script.write_text(f"import inspector\n{call}\n")
    failed = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert failed.returncode == 1
    assert 'if __name__ == "__main__":' in failed.stderr.splitlines()[-1]
    assert not out.exists()
    script.write_text(f'import inspector\nif __name__ == "__main__":\n    {call}\n')
    subprocess.run([sys.executable, script], capture_output=True, timeout=120, check=True)
    assert len(out.read_text().splitlines()) == 2
