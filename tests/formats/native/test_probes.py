"""Files of probes: YAML, JSON and JSON lines, and what is wrong with them."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.native.probes import FORMAT
from inspector.formats.native.write import save_workspace
from inspector.model import Conversation, Message, Probe, changed
from inspector.reading.source import FileSource
from inspector.reading.yaml import dump

FORMAT_NAME = "prompt-inspector/probes@1"
PROBES = [
    {"id": "q1", "conversation": "c", "at": 3, "query": "Where?", "evidence": ["m1"], "category": "places"},
    {"id": "q2", "evidence": ["m1", "k/2"]},
]


def probes_of(content: str, tmp_path: Path) -> tuple[tuple[Probe, ...], list[str]]:
    file = tmp_path / "asked"
    file.write_text(content)
    found = load_workspace([str(file)])
    return found.probes, [str(problem).removeprefix(f"{file}: ") for problem in found.problems]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"format": FORMAT_NAME, "probes": PROBES}),
        dump({"format": FORMAT_NAME, "probes": PROBES}),
        "\n".join(map(json.dumps, PROBES)),
        "\n".join(map(json.dumps, [{"format": FORMAT_NAME}, *PROBES])),
    ],
    ids=["json", "yaml", "lines", "lines that name the format"],
)
def test_probes_are_read(content: str, tmp_path: Path) -> None:
    origin = str(tmp_path / "asked")
    assert probes_of(content, tmp_path) == (
        (
            Probe("q1", ("m1",), "c", 3, "Where?", "places", origin=origin),
            Probe("q2", ("m1", "k/2"), origin=origin),
        ),
        [],
    )


@pytest.mark.parametrize(
    ("probe", "problem"),
    [
        ({"id": "q"}, "$.probes[0].evidence: is required and missing"),
        ({"id": "q", "evidence": "m1"}, "$.probes[0].evidence: expected `array`, got `str`"),
        ("q", "$.probes[0]: expected `object`, got `str`"),
    ],
)
def test_a_bad_probe_is_one_problem_and_the_others_stay(probe: Any, problem: str, tmp_path: Path) -> None:
    content = json.dumps({"format": FORMAT_NAME, "probes": [probe, PROBES[0]]})
    found, problems = probes_of(content, tmp_path)
    assert [one.id for one in found] == ["q1"]
    assert problems == [problem]


def test_ids_are_their_own(tmp_path: Path) -> None:
    found, problems = probes_of("\n".join(json.dumps({"evidence": ["m1"]}) for _ in range(2)), tmp_path)
    assert [one.id for one in found] == ["probe0", "probe1"]
    assert problems == []
    found, problems = probes_of("\n".join(json.dumps({"id": "a", "evidence": ["m1"]}) for _ in range(2)), tmp_path)
    assert len({one.id for one in found}) == 2
    assert len(problems) == 1


@pytest.mark.parametrize(
    "content",
    ['{"role": "user", "content": "evidence"}\n', '{"evidence": 1, "question": "?"}\n', "[]", "evidence: 1\n"],
)
def test_other_files_are_none(content: str) -> None:
    assert FORMAT.sniff(FileSource("file", content.encode())) == 0


def test_a_saved_workspace_keeps_its_probes(tmp_path: Path) -> None:
    talk = Conversation("c", (Message("m1", "user", "here"),))
    asked, _ = probes_of("\n".join(map(json.dumps, PROBES)), tmp_path)
    file = tmp_path / "saved.workspace.yaml"
    save_workspace(changed(load_workspace([]), conversations=(talk,), probes=asked), file)
    assert load_workspace([str(file)]).probes == asked


@pytest.mark.parametrize("probe", PROBES)
def test_a_file_of_one_line_holds_one_probe(probe: dict[str, Any], tmp_path: Path) -> None:
    found, problems = probes_of(json.dumps(probe), tmp_path)
    assert [one.id for one in found] == [probe["id"]]
    assert problems == []
