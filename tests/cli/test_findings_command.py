"""What findings mean, and what one can do: the list of all, and what stands below each one in an answer."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from inspector.assembly.finding_kinds import FINDING_KINDS, FIRST_OF_MANY

Run = Callable[..., Result]
GAP = ("--tokenizer", "estimate:words", "--window", "70", "--set", "min_exchanges=1", "--pin", "m0")


def lines_of(text: str) -> str:
    """The text without line breaks and indents, which depend on the width."""
    return " ".join(text.split())


def test_all_findings_are_listed_with_meaning_and_advice(run: Run) -> None:
    listed = lines_of(run("findings").stdout)
    for kind in FINDING_KINDS:
        assert f"{kind.code} ({kind.severity}): {kind.title}. {kind.meaning} {kind.general_advice}" in listed
    values = json.loads(run("findings", "--format", "json").stdout)["findings"]
    assert [value["code"] for value in values] == [kind.code for kind in FINDING_KINDS]
    assert all(list(value) == ["code", "severity", "title", "meaning", "advice"] for value in values)


def test_advice_stands_indented_below_each_finding_of_an_answer(run: Run, workspace_file: str) -> None:
    value = json.loads(run("assemble", workspace_file, *GAP, "--format", "json").stdout)
    assert {"history_gap", "estimated_counts"} <= {finding["code"] for finding in value["findings"]}
    table = run("assemble", workspace_file, *GAP).stdout
    for finding in value["findings"]:
        said = f"{finding['severity']} {finding['code']}: {finding['message']} {finding['advice']}"
        assert said in lines_of(table)
        assert f"    {' '.join(finding['advice'].split()[:5])}" in table


def test_an_item_is_explained_with_the_findings_about_it(run: Run, workspace_file: str) -> None:
    value = json.loads(run("explain", workspace_file, *GAP, "--item", "m1", "--format", "json").stdout)
    (gap,) = value["findings"]
    assert gap["code"] == "history_gap"
    assert gap["advice"].startswith("Unpin the older message. It also helps to raise the limit of the conversation (")
    assert "m1" in gap["items"]
    table = lines_of(run("explain", workspace_file, *GAP, "--item", "m1").stdout)
    assert f"{gap['message']} {gap['advice']}" in table
    kept = run("explain", workspace_file, *GAP, "--item", "m9").stdout
    assert "history_gap" not in kept


def test_counting_the_first_of_many_says_how_to_name_another(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.workspace.json"
    chats = [{"id": name, "messages": [{"id": "m0", "role": "user", "content": "w"}]} for name in "ab"]
    path.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "conversations": chats}))
    told = run("count", str(path)).stderr
    assert told.startswith("prompt-inspector: 2 conversations are open; a is shown. ")
    assert told.rstrip().endswith(FIRST_OF_MANY.general_advice)
