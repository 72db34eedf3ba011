"""`prompt-inspector recommend`: the table, the JSON value, and what ends the command with one line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
OPTIONS = ("--tokenizer", "estimate:words", "--conversation", "c1", "--policies", "ratio,slots", "--reply", "10")


@pytest.fixture
def probes_file(tmp_path: Path) -> str:
    probes = [{"id": f"q{n}", "evidence": [f"m{n}"], "query": "w"} for n in (0, 1, 3, 8, 9)]
    file = tmp_path / "asked.jsonl"
    file.write_text("\n".join(map(json.dumps, [*probes, {"id": "lost", "evidence": ["m77"]}])))
    return str(file)


def test_the_table_has_a_line_for_each_window_and_says_what_is_not_known(
    run: Run, workspace_file: str, probes_file: str
) -> None:
    printed = run("recommend", workspace_file, *OPTIONS, "--windows", "60,200", "--probes", probes_file).stdout
    lines = printed.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["60", "200"], "a sentence for each window comes first"
    lines = lines[2:]
    assert [line.split()[0] for line in lines[2:4]] == ["60", "200"]
    assert "Window Tokens Full price Cost Recall Fits Setting" in [" ".join(line.split()) for line in lines]
    assert all(line.split()[1] in ("keep", "change", "may") for line in lines[2:4])
    assert "5 questions are few" in printed
    assert "One conversation" in printed
    assert lines[-1] == "lost: no item is called m77; no item of its evidence is there"


def test_gain_from_filling_the_window_is_told_from_gain_from_comparing(
    run: Run, workspace_file: str, probes_file: str
) -> None:
    printed = run("recommend", workspace_file, *OPTIONS, "--windows", "60,200", "--probes", probes_file).stdout
    for window in ("60", "200"):
        said = [line for line in printed.splitlines() if line.startswith(f"{window}: ")]
        assert any("The best way of comparing (" in line for line in said)
        assert any("The newest messages alone, as many as fit, would hold " in line for line in said)
        assert any("Counted on their texts, 5 prompts of the best setting have " in line for line in said)


def test_the_best_setting_of_each_policy_is_listed_for_each_window(
    run: Run, workspace_file: str, probes_file: str
) -> None:
    options = (*OPTIONS, "--windows", "60,200", "--probes", probes_file)
    value = json.loads(run("recommend", workspace_file, *options, "--format", "json").stdout)
    for window in value["windows"]:
        policies = [one["policy"] for one in window["policies"]]
        assert {*policies} == {"ratio", "slots"}
        assert [one["is_current"] for one in window["policies"]].count(True) == 1
        assert window["policies"][0]["recall_with_memories"] == window["best"]["recall_with_memories"]
    lines = run("recommend", workspace_file, *options).stdout.splitlines()
    heading = next(number for number, line in enumerate(lines) if line.split()[:2] == ["Window", "Policy"])
    rows = [line for line in lines[heading + 2 :] if line.split()[:1] in (["60"], ["200"]) and " of " in line]
    listed = [one for window in value["windows"] for one in window["policies"] if one["left_out"]]
    assert len(rows) >= len(listed)
    assert any(f"{one['held_on']} of {one['left_out']}" in rows[0] for one in listed)


def test_json_is_what_the_package_answers(run: Run, workspace_file: str, probes_file: str) -> None:
    import inspector

    options = (*OPTIONS, "--windows", "60", "--probes", probes_file, "--format", "json")
    value = json.loads(run("recommend", workspace_file, *options).stdout)
    current = value["windows"][0]["current"]["scenario"]
    again = inspector.recommend(
        inspector.load(workspace_file),
        probes_file,
        {**current, "conversation": "c1"},
        windows=(60,),
        reply=10,
        policies=("ratio", "slots"),
    )
    assert value == json.loads(json.dumps(again))


def test_the_window_in_use_is_taken_where_none_is_named(run: Run, workspace_file: str, probes_file: str) -> None:
    options = (*OPTIONS, "--window", "60", "--probes", probes_file, "--format", "json")
    value = json.loads(run("recommend", workspace_file, *options).stdout)
    assert [window["context_window"] for window in value["windows"]] == [60]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--policies", "ratio,none"), "--policies: none is not a policy; there are "),
        (("--windows", "500", "--reply", "500"), "--windows 500: a reply of 500 tokens leaves nothing of it"),
        (("--windows", "a"), "'a' is not a valid integer"),
    ],
)
def test_wrong_usage_is_one_line(
    run: Run, workspace_file: str, probes_file: str, options: tuple[str, ...], said: str
) -> None:
    refused = run("recommend", workspace_file, "--probes", probes_file, *options)
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_probes_of_which_none_can_be_asked_are_one_line(run: Run, workspace_file: str, tmp_path: Path) -> None:
    file = tmp_path / "asked.json"
    file.write_text(
        json.dumps({"format": "prompt-inspector/probes@1", "probes": [{"id": "lost", "evidence": ["m77"]}]})
    )
    refused = run("recommend", workspace_file, "--conversation", "c1", "--probes", str(file))
    assert refused.exit_code == 2
    assert "none of the 1 questions can be asked: no item is called m77" in refused.stderr


def test_an_archive_is_searched_file_by_file_and_bad_files_are_listed(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    folder.mkdir()
    for name in "abc":
        said = [
            {"id": f"m{n}", "role": "user" if n % 2 == 0 else "assistant", "content": f"word{n} w w w"}
            for n in range(20)
        ]
        chat = {"id": name, "messages": said}
        (folder / f"{name}.json").write_text(
            json.dumps({"format": "prompt-inspector/workspace@1", "conversations": [chat]})
        )
    (folder / "copy.json").write_bytes((folder / "a.json").read_bytes())
    (folder / "broken.json").write_text("{")
    asked = [
        {"id": f"{name}{n}", "conversation": name, "evidence": [f"m{n}"], "query": f"word{n}"}
        for name in "abcz"
        for n in (1, 3, 18)
    ]
    probes = tmp_path / "asked.jsonl"
    probes.write_text("\n".join(map(json.dumps, asked)))
    options = ("--tokenizer", "estimate:words", "--policies", "ratio,slots", "--reply", "10", "--windows", "60")
    options = (*options, "--workers", "1", "--format", "json", "--probes", str(probes))
    done = run("recommend", str(folder), "--glob", "*.json", *options)
    assert done.exit_code == 0, done.stderr
    assert "2 of 5 files could not be used" in done.stderr
    assert f"copy.json: a: a conversation of this name is in {folder / 'a.json'}" in done.stderr
    value = json.loads(done.stdout)
    assert value["probes"]["used"] == 9
    assert {one["reason"] for one in value["probes"]["skipped"]} == {"the conversation z is in no file"}
    together = run("recommend", *(str(folder / f"{name}.json") for name in "abc"), *options)
    assert json.loads(together.stdout)["windows"] == value["windows"]
