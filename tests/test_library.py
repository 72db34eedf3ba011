"""The functions of the library: each gives what the command of its name prints as JSON, and raises where that ends."""

import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import inspector
from inspector.assembly.answered import Answered, NoFramesError
from inspector.assembly.choices import ScenarioError
from inspector.cli import group
from inspector.model import Workspace

ROOT = Path(__file__).parents[1]
FILE = str(ROOT / "samples" / "companion.workspace.yaml")
PROBES = str(ROOT / "samples" / "companion.probes.yaml")
SETTING: dict[str, Any] = {"context_window": 6000, "tokenizer": "estimate:words"}
OPTIONS = ["--window", "6000", "--tokenizer", "estimate:words"]
OTHER = {**SETTING, "policy": "naive"}
Ask = Callable[[Workspace], Any]

_ASKED: dict[str, tuple[Ask, list[str]]] = {
    "assemble": (lambda one: inspector.assemble(one, SETTING), ["assemble", FILE, *OPTIONS]),
    "count": (lambda one: inspector.count(one, SETTING), ["count", FILE, *OPTIONS]),
    "explain": (lambda one: inspector.explain(one, "119", SETTING), ["explain", FILE, "--item", "119", *OPTIONS]),
    "keep": (
        lambda one: inspector.keep(one, ["119", "120"], SETTING, locked=["memory_share"]),
        ["explain", FILE, "--keep", "119", "--keep", "120", "--locked", "memory_share", *OPTIONS],
    ),
    "policies": (
        lambda one: inspector.compare(one, SETTING, policies=["ratio", "naive"]),
        ["compare", FILE, "--policies", "ratio,naive", *OPTIONS],
    ),
    "recorded": (
        lambda one: inspector.compare(one, SETTING, recorded=True),
        ["compare", FILE, "--recorded", *OPTIONS],
    ),
    "replay": (lambda one: inspector.replay(one, SETTING, every=40), ["replay", FILE, "--every", "40", *OPTIONS]),
    "memories": (lambda one: inspector.memories(one, SETTING), ["memories", FILE, *OPTIONS]),
    "use": (
        lambda one: inspector.memories(one, SETTING, PROBES, use=True),
        ["memories", FILE, "--use", "--probes", PROBES, *OPTIONS],
    ),
    "written": (
        lambda one: inspector.memories(one, SETTING, PROBES, written=True),
        ["memories", FILE, "--written", "--probes", PROBES, *OPTIONS],
    ),
    "survival": (
        lambda one: inspector.survival(one, "memory_share", SETTING),
        ["survival", FILE, "--parameter", "memory_share", *OPTIONS],
    ),
    "search": (
        lambda one: inspector.search(one, "harbour light", most=5),
        ["search", "harbour light", FILE, "--most", "5"],
    ),
}


@pytest.fixture(scope="module")
def companion() -> Workspace:
    return inspector.load(FILE)


def printed(arguments: list[str]) -> Any:
    result = CliRunner().invoke(group, [*arguments, "--format", "json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", _ASKED)
def test_each_function_gives_what_its_command_prints(name: str, companion: Workspace) -> None:
    ask, arguments = _ASKED[name]
    found = ask(companion)
    assert json.loads(json.dumps(found)) == printed(arguments)
    assert ask(companion) == found  # asked again in the same session


def test_two_scenarios_are_compared_as_two_files(companion: Workspace, tmp_path: Path) -> None:
    files = [tmp_path / "a.yaml", tmp_path / "b.yaml"]
    for file, setting in zip(files, (SETTING, OTHER), strict=True):
        file.write_text(json.dumps({"format": "prompt-inspector/scenario@1", **setting}))
    found = json.loads(json.dumps(inspector.compare(companion, SETTING, OTHER)))
    said = printed(["compare", FILE, "--a", str(files[0]), "--b", str(files[1])])
    assert (found["transitions"], found["totals"]) == (said["transitions"], said["totals"])
    assert found["transitions"]


def test_files_are_written_as_by_the_commands(companion: Workspace, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.openai.json", tmp_path / "theirs.openai.json"
    assert inspector.export(companion, ours) == ()
    assert CliRunner().invoke(group, ["export", FILE, "--out", str(theirs)]).exit_code == 0
    assert ours.read_bytes() == theirs.read_bytes()
    assert inspector.report(companion, tmp_path / "ours.md", SETTING) == ()
    assert CliRunner().invoke(group, ["report", FILE, "--out", str(tmp_path / "theirs.md"), *OPTIONS]).exit_code == 0
    assert (tmp_path / "ours.md").read_text() == (tmp_path / "theirs.md").read_text()


@pytest.mark.parametrize(
    ("ask", "error", "said"),
    [
        (lambda one: inspector.explain(one, "9999"), ScenarioError, "9999"),
        (lambda one: inspector.keep(one, ["9999"]), ScenarioError, "9999"),
        (lambda one: inspector.keep(one, ["119"], locked=["memroy_share"]), ScenarioError, "did you mean memory_share"),
        (lambda one: inspector.compare(one, SETTING), ValueError, "expected a second scenario"),
        (lambda one: inspector.compare(one, policies=["naiv"]), ScenarioError, r"did you mean naive\?"),
        (lambda one: inspector.survival(one, "memroy_share"), ScenarioError, "did you mean memory_share"),
        (lambda one: inspector.export(one, "x.json", conversation="Nobody"), ScenarioError, "Nobody"),
        (lambda one: inspector.export(Workspace(), "x.json"), ScenarioError, "no conversation"),
        (lambda one: inspector.export(one, "x.json", "word"), KeyError, "word"),
        (lambda one: inspector.report(one, "x.docx"), ValueError, "docx"),
    ],
)  # fmt: skip
def test_an_unknown_name_raises_and_prints_nothing(
    ask: Ask, error: type[Exception], said: str, companion: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(error, match=said):
        ask(companion)
    assert capsys.readouterr() == ("", "")
    assert inspector.count(companion, SETTING)["total"] > 0  # an error takes nothing with it


def test_messages_in_a_list_are_a_chat() -> None:
    workspace = inspector.load_messages([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}])
    (chat,) = workspace.conversations
    assert [(one.role, one.content) for one in chat.messages] == [("user", "Hi"), ("assistant", "Ho")]
    assert inspector.assemble(workspace, {"policy": "naive"}).status == "ok"
    assert [one.severity for one in inspector.load_messages([{"x": 1}]).problems] == ["error"]


def test_an_answer_is_short_in_a_console_and_a_bar_in_a_notebook(companion: Workspace) -> None:
    answer = inspector.assemble(companion, SETTING)
    kept = sum(item["action"] == "kept" for item in answer.items)
    assert repr(answer).startswith(f"<prompt-inspector answer: ok, {answer.ledger['total']:,} of 6,000 tokens, ")
    assert f"{kept:,} kept" in repr(answer)
    assert answer._repr_html_().startswith("<svg ")
    again = pickle.loads(pickle.dumps(answer))
    assert (again, type(again)) == (answer, Answered)
    assert again._repr_html_().startswith("<p>ok, ")


def test_a_frame_needs_a_library_of_frames(companion: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = inspector.assemble(companion, SETTING)
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(NoFramesError, match="needs pandas or polars"):
        answer.to_frame()

    class Frames:
        DataFrame = staticmethod(tuple)

    monkeypatch.setitem(sys.modules, "polars", Frames)  # type: ignore[arg-type]
    assert answer.to_frame() == tuple(answer.items)


def test_a_name_that_is_no_function_is_none_of_the_package() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'assembel'"):
        _ = inspector.assembel  # type: ignore[attr-defined]
    assert all(hasattr(inspector, name) for name in inspector.__all__)
