"""What is piped into a command is recognised as a file of it is."""

import io
import json
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from inspector.cli import loading, piped, window
from inspector.formats import load_workspace, settings
from inspector.reading import budget
from inspector.settings import pasted_folder
from tests.cli.conftest import Run

CHAT = [{"role": "user", "content": "one two three"}, {"role": "assistant", "content": "four"}]
WORDS = ("--tokenizer", "estimate:words")
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBOR w0KG" * 1_000}}


def zipped(content: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("chat.json", content)
    return held.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(CHAT),
        "\n".join(map(json.dumps, CHAT)),
        "\ufeff" + json.dumps({"messages": CHAT}),
        zipped(json.dumps(CHAT)),
    ],
    ids=["JSON", "JSON lines", "byte order mark", "archive"],
)
@pytest.mark.parametrize("command", ["count", "assemble"])
def test_a_chat_is_opened(run: Run, content: str | bytes, command: str) -> None:
    result = run(command, "-", *WORDS, "--format", "json", stdin=content)
    assert result.exit_code == 0, result.stderr
    items = {item["id"]: item["tokens"] for item in json.loads(result.stdout)["items"]}
    assert items == {"m0": 3, "m1": 1}


def test_a_picture_is_not_counted_as_text(run: Run) -> None:
    said = [{"role": "user", "content": [{"type": "text", "text": "look"}, PICTURE]}]
    result = run("count", "-", *WORDS, "--format", "json", stdin=json.dumps(said))
    assert json.loads(result.stdout)["total"] == 1


def test_text_is_one_message_and_counted_without_one_by_count(run: Run) -> None:
    made = json.loads(run("assemble", "-", *WORDS, "--format", "json", stdin="To do: buy milk").stdout)
    assert [(one["role"], one["content"]) for one in made["messages"]] == [("user", "To do: buy milk")]
    counted = json.loads(run("count", "-", *WORDS, "--format", "json", stdin="To do: buy milk").stdout)
    assert [item["id"] for item in counted["items"]] == ["-"]


def test_it_stands_beside_files(run: Run, workspace_file: str) -> None:
    chosen = ("--conversation", "standard input", *WORDS, "--format", "json")
    made = json.loads(run("assemble", workspace_file, "-", *chosen, stdin=json.dumps(CHAT)).stdout)
    assert [one["content"] for one in made["messages"]] == ["one two three", "four"]


def test_every_problem_is_said(run: Run) -> None:
    odd = [{"role": "critic", "content": "x"}, 5, {"content": "x"}]
    result = run("count", "-", stdin=json.dumps(odd))
    assert result.exit_code == 2
    for place in ("$[0].role", "$[1]", "$[2].role"):
        assert f"standard input: {place}: " in result.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[{"role": "user", "content"', "standard input: line 1, column 28: the file is cut off"),
        ('{"colour": "blue"}', "standard input: is not a format that this program knows"),
        ("", "standard input: is empty"),
    ],
)
def test_what_is_nothing_to_open_ends_the_command(run: Run, content: str, said: str) -> None:
    result = run("assemble", "-", stdin=content)
    assert (result.exit_code, said in result.stderr) == (2, True), result.stderr


def test_it_is_repaired_for_who_asks(run: Run) -> None:
    result = run("count", "-", "--repair", *WORDS, "--format", "json", stdin=json.dumps(CHAT)[:-3])
    assert result.exit_code == 0
    assert "standard input: line 1" in result.stderr


@pytest.mark.parametrize(
    ("content", "exit_code", "said"),
    [
        (json.dumps(CHAT), 0, ["openai"]),
        ("To do: buy milk", 0, ["openai"]),
        (zipped(json.dumps(CHAT)), 0, ["openai"]),
        ('{"colour": "blue"}', 2, []),
        ("", 2, []),
    ],
    ids=["JSON", "text", "archive", "nothing known", "nothing"],
)
def test_its_formats_are_said(run: Run, content: str | bytes, exit_code: int, said: list[str]) -> None:
    result = run("formats", "-", "--format", "json", stdin=content)
    assert result.exit_code == exit_code, result.stderr
    (file,) = json.loads(result.stdout)["files"]
    assert file["file"].startswith("standard input")
    assert [one["format"] for one in file["candidates"]] == said
    assert bool(file["unknown"]) is not bool(said)


def test_its_formats_stand_after_those_of_files(run: Run, workspace_file: str) -> None:
    files = json.loads(run("formats", "-", workspace_file, "--format", "json", stdin=json.dumps(CHAT)).stdout)["files"]
    assert [one["file"] for one in files] == [workspace_file, "standard input"]


def test_the_window_shows_it(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def picture(paths: list[str], *_: object) -> SimpleNamespace:
        assert load_workspace(paths).conversations[0].messages
        return SimpleNamespace(content=b"a picture", opened=paths)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(window, "has_display", lambda: False)
    monkeypatch.setattr(window, "gui", lambda: SimpleNamespace(take_screenshot=picture))
    result = run("-", stdin=json.dumps(CHAT))
    assert result.exit_code == 0, result.stderr
    assert "history" in result.stdout
    assert (tmp_path / "prompt-inspector.png").exists()
    assert not pasted_folder().exists()
    assert run("-", "--screenshot", "shown.png", stdin="To do: buy milk").exit_code == 0
    assert not pasted_folder().exists()


def test_what_a_window_shows_of_it_stays_as_a_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[str]] = []

    def shows(paths: list[str], *_: object) -> int:
        shown.append(list(paths))
        return 0

    monkeypatch.setattr(window, "has_display", lambda: True)
    monkeypatch.setattr(window, "_check_libraries", lambda: None)
    monkeypatch.setattr(window, "gui", lambda: SimpleNamespace(run=shows))
    for content in ("\n".join(map(json.dumps, CHAT)), "To do: buy milk", zipped(json.dumps(CHAT))):
        assert run("-", stdin=content).exit_code == 0
    files = [Path(file) for (file,) in shown]
    assert [file.suffix for file in files] == [".jsonl", ".json", ".zip"]
    assert {file.parent for file in files} == {pasted_folder()}
    assert [load_workspace([file]).conversations[0].messages[0].content for file in files] == [
        *("one two three", "To do: buy milk", "one two three"),
    ]


def test_the_window_of_nothing_ends(run: Run) -> None:
    result = run("-", stdin="")
    assert (result.exit_code, "standard input: is empty" in result.stderr) == (2, True)


def test_what_is_too_large_is_one_problem(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piped, "MAX_FILE_BYTES", 100)
    file = tmp_path / "long.txt"
    file.write_text("word " * 100)
    with file.open("rb") as given:
        results = [run("assemble", "-", stdin=file.read_bytes()), run("assemble", "-", stdin=given)]
        assert given.tell() == 0  # of a file that is too large nothing is read
    for result in results:
        assert result.exit_code == 2
        assert result.stderr == "Error: standard input: is larger than the 100 bytes that a file may have\n"


@pytest.mark.parametrize("command", [("assemble",), ("formats",), ()], ids=["assemble", "formats", "window"])
def test_text_that_would_take_too_much_memory_is_one_problem(
    run: Run, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget.Budget.__init__, "__defaults__", (10_000,))
    monkeypatch.setattr(settings, "read_opening_bytes", lambda _: (10_000, ()))
    monkeypatch.setattr(loading, "read_opening_bytes", lambda _: (10_000, ()))
    result = run(*command, "-", stdin="word " * 900)
    assert result.exit_code == 2
    said = result.stdout if command == ("formats",) else result.stderr
    assert "as one message it would take 9.0 kB of memory" in " ".join(said.split())
