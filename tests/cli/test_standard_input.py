"""What is piped into a command is recognised as a file of it is."""

import io
import json
import zipfile

import pytest

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
