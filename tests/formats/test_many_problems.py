"""All problems of a file are said, each with its place, and of very many the first and how many more."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.unknown import MOST_LISTED, listed
from inspector.model import Problem, Workspace

ODD: list[Any] = [{"role": "critic", "content": "x"}, 5, None, "words", {"content": "x"}, {"role": ["user"]}]
PLACES = ["$[0].role", "$[1]", "$[2]", "$[3]", "$[4].role", "$[5].role"]


def opened(tmp_path: Path, content: bytes) -> Workspace:
    (tmp_path / "chat").write_bytes(content)
    return load_workspace([tmp_path / "chat"])


def placed(workspace: Workspace) -> list[str]:
    return [problem.place for problem in workspace.problems if problem.place]


# Malformed files, and the places of all their problems.
_REAL = (
    ("wrong_types.json", ["$[0].role", "$[1].role", "$[2]", "$[3]", "$[4].role"]),
    ("some_bad_lines.jsonl", ["line 2, column 2", "line 4, column 26"]),
    ("trailing_comma.json", ["line 1, column 33"]),
    ("truncated.json", ["line 1, column 552"]),
)


@pytest.mark.parametrize(("name", "places"), _REAL)
def test_every_fault_of_a_malformed_file_has_its_place(data_folder: Path, name: str, places: list[str]) -> None:
    assert placed(load_workspace([data_folder / "malformed" / "derived" / name])) == places


def test_six_faulty_messages_are_six_problems_beside_a_good_one(tmp_path: Path) -> None:
    workspace = opened(tmp_path, json.dumps([*ODD, {"role": "user", "content": "Hi"}]).encode())
    assert [len(chat.messages) for chat in workspace.conversations] == [1]
    assert placed(workspace) == PLACES


def test_a_file_of_nothing_but_faults_names_all_of_them(tmp_path: Path) -> None:
    workspace = opened(tmp_path, json.dumps(ODD).encode())
    assert workspace.sources == ()
    assert placed(workspace) == ["$", *PLACES]
    assert [problem.unopened for problem in workspace.problems] == [True] + [False] * 6
    assert {problem.severity for problem in workspace.problems} == {"error"}
    in_a_folder = load_workspace([tmp_path])
    assert {one.severity for one in in_a_folder.problems if one.place} == {"warning"}


def test_of_very_many_bad_lines_the_first_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    good = b'{"role": "user", "content": "Hi"}\n'
    workspace = opened(tmp_path, good + b"{oops\n" * 5_000 + good)
    assert [len(chat.messages) for chat in workspace.conversations] == [2]
    assert placed(workspace) == [f"line {number}, column 2" for number in range(2, MOST_LISTED + 2)]
    assert workspace.problems[-1].message == "4,800 more problems are in this file; these are the first"
    assert workspace.problems[-1].severity == "warning"


def test_what_is_true_of_the_whole_file_is_never_left_out() -> None:
    many = [Problem("f", f"line {number}", "is bad", "info") for number in range(MOST_LISTED)]
    whole = [Problem("f", "", "holds a key", "warning"), Problem("f", "line 0", "is bad", "info")]
    assert listed([*many, *whole], "f") == (*many, whole[0])
    worst = Problem("f", "line 999", "is worse", "error")
    assert listed([*many, *whole, worst], "f")[-2:] == (
        whole[0],
        Problem("f", "", "1 more problems are in this file; these are the first", "error"),
    )


# Documents of ours with several faults of shape, as JSON and as YAML.
_WORKSPACE: dict[str, Any] = {
    "format": "prompt-inspector/workspace@1",
    "conversations": [{"id": "c", "messages": [{"role": "user", "content": 5}, {"role": "critic", "content": "x"}]}],
    "memory_sets": "none",
    "characters": [{"id": "a", "components": [{"type": "x"}]}, 5],
    "colour": "red",
}
_YAML = b"""format: prompt-inspector/workspace@1
conversations:
  - id: c
    messages:
      - {role: user, content: {a: 5}}
      - {role: critic, content: x}
memory_sets: none
characters:
  - {id: a, components: [{type: x}]}
  - [5]
colour: red
"""


@pytest.mark.parametrize("content", [json.dumps(_WORKSPACE).encode(), _YAML])
def test_every_fault_of_shape_of_a_workspace_is_said(tmp_path: Path, content: bytes) -> None:
    assert placed(opened(tmp_path, content)) == [
        "$.conversations[0].messages[0].content",
        "$.conversations[0].messages[1].role",
        "$.memory_sets",
        "$.characters[0].components[0].content",
        "$.characters[1]",
        "$.colour",
    ]
