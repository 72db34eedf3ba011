"""`prompt-inspector recall`: the table, the JSON value, and what ends the command with one line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
OPTIONS = ("--tokenizer", "estimate:words", "--window", "60", "--similarity", "recorded")


@pytest.fixture
def probes_file(tmp_path: Path) -> str:
    probes = [
        {"id": "newest", "evidence": ["m9"], "category": "late"},
        {"id": "oldest", "evidence": ["m0", "m9"], "category": "early"},
        {"id": "lost", "evidence": ["m77"]},
    ]
    file = tmp_path / "asked.jsonl"
    file.write_text("\n".join(map(json.dumps, probes)))
    return str(file)


def test_the_table_has_a_line_for_each_category_and_names_what_was_not_asked(
    run: Run, workspace_file: str, probes_file: str
) -> None:
    lines = run("recall", workspace_file, "--conversation", "c1", *OPTIONS, "--probes", probes_file).stdout.splitlines()
    cells = {line.split()[0]: line.split()[1:3] for line in lines[2:5]}
    assert cells == {"late": ["1", "100.0"], "early": ["1", "50.0"], "all": ["2", "75.0"]}
    assert lines[-1] == "lost: no item is called m77; no item of its evidence is there"


def test_json_is_what_the_package_answers(run: Run, workspace_file: str, probes_file: str) -> None:
    import inspector

    printed = run(
        *("recall", workspace_file, "--conversation", "c1", *OPTIONS, "--probes", probes_file, "--format", "json")
    )
    value = json.loads(printed.stdout)
    assert (value["format"], value["probes"], value["recall"]) == ("prompt-inspector/recall@1", 2, 0.75)
    workspace = inspector.load(workspace_file)
    assert value == json.loads(json.dumps(inspector.recall(workspace, value["scenario"], probes_file)))


def test_probes_of_what_is_open_are_asked(run: Run, workspace_file: str, probes_file: str) -> None:
    printed = run("recall", workspace_file, probes_file, "--conversation", "c1", *OPTIONS, "--format", "json")
    assert json.loads(printed.stdout)["probes"] == 2


def test_without_probes_it_says_where_they_come_from(run: Run, workspace_file: str, tmp_path: Path) -> None:
    assert "no questions: name a file of questions with --probes" in run("recall", workspace_file).stderr
    empty = tmp_path / "empty.yaml"
    empty.write_text("format: prompt-inspector/probes@1\nprobes: []\n")
    assert "found none" in run("recall", workspace_file, "--probes", str(empty)).stderr
    empty.write_text("format: prompt-inspector/probes@1\nprobes: [{id: q, conversation: c9, evidence: [m1]}]\n")
    refused = run("recall", workspace_file, "--probes", str(empty)).stderr
    assert "none of the 1 questions can be asked: the conversation c9 is not open" in refused


def test_a_sweep_has_recall_and_never_writes_over_its_probes(
    run: Run, workspace_file: str, probes_file: str, tmp_path: Path
) -> None:
    options = ("sweep", workspace_file, "--conversation", "c1", *OPTIONS[:2], "--set", "window=40,60")
    out = tmp_path / "rows.jsonl"
    run(*options, "--probes", probes_file, "--out", str(out))
    rows = list(map(json.loads, out.read_text().splitlines()))
    assert [(row["probes"], row["context_window"]) for row in rows] == [(2, 40), (2, 60)]
    before = Path(probes_file).read_bytes()
    assert "is one of the opened files" in run(*options, "--probes", probes_file, "--out", probes_file).stderr
    assert Path(probes_file).read_bytes() == before


def test_answers_are_shown_only_if_there_are_any(run: Run, workspace_file: str, tmp_path: Path) -> None:
    file = tmp_path / "answered.jsonl"
    options = ("recall", workspace_file, "--conversation", "c1", *OPTIONS, "--probes", str(file))
    for answers, titles in (
        (("w0 never",), ["Answer words"]),
        (("w0", "x"), ["Answer words", "By chance"]),
        (("",), []),
    ):
        probes = [{"id": f"q{number}", "evidence": ["m9"], "answer": each} for number, each in enumerate(answers)]
        file.write_text("\n".join(map(json.dumps, probes)))
        shown = run(*options).stdout
        assert [title for title in ("Answer words", "By chance") if title in shown] == titles
        value = json.loads(run(*options, "--format", "json").stdout)
        assert value["answers"] == sum(map(bool, answers))
        assert (
            run(*options, "--format", "csv").stdout.splitlines()[0].endswith("answers,answer_words,other_answer_words")
        )
