"""What README, CHANGELOG and samples/README say: commands run, the policy decides, names and numbers are right."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from inspector.assembly.answer import planned_answer
from inspector.assembly.columns import Section
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.cli import group
from inspector.formats import load_workspace
from inspector.resources import samples_folder
from inspector.retrieval.similarity import WAYS
from inspector.tokens.embedded import EMBEDDED_NAMES
from inspector.tokens.models.table import load_models
from tests.references.families import FAMILIES, NOT_COMPARED

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text("utf-8")
SAMPLES_TEXT = (samples_folder() / "README.md").read_text("utf-8")
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_COMMAND = re.compile(r"^    (prompt-inspector .*)$", re.MULTILINE)
_SAMPLES = shlex.quote(samples_folder().as_posix())
COMMANDS = [
    *(command.replace(" samples", f" {_SAMPLES}") for command in _COMMAND.findall(TEXT)),
    *(re.sub(r" (?=\S+\.(workspace|scenario)\.)", f" {_SAMPLES}/", one) for one in _COMMAND.findall(SAMPLES_TEXT)),
]
PRINTED = {
    "assemble": "total",
    "explain": "Dropped",
    "compare": "naive",
    "memories": "in the prompt",
    "fidelity": "facts kept",
    "count": "(embedded:qwen2.5, exact)",
    "tokenizers": "which is exact",
    "models": "US dollars per million tokens",
}
"""What the answer of each command holds that its description promises."""


def _words_of(command: str) -> list[str]:
    return shlex.split(command)[1:]


def _run(command: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "inspector", *_words_of(command)],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _table(heading: str, text: str = TEXT) -> list[list[str]]:
    """The rows of the first table whose heading begins so, cell by cell."""
    lines = text[text.index(f"| {heading} |") :].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _marked(text: str) -> set[str]:
    """The words that are set as code."""
    return set(re.findall(r"`([^`\n]+)`", text))


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 20


@pytest.mark.parametrize("command", COMMANDS)
def test_command_runs(command: str, tmp_path: Path) -> None:
    printed, words = _run(command, tmp_path), _words_of(command)
    written = [word for word in words if word.endswith((".png", ".csv"))]
    assert all((tmp_path / name).stat().st_size > 100 for name in written)
    assert written or PRINTED[words[0]] in printed


def test_every_command_is_told_and_every_told_one_is_there() -> None:
    there = set(group.list_commands(click.Context(group)))
    told = set(re.findall(r"prompt-inspector ([a-z-]+)\b(?![./])", TEXT)) - {"samples"}
    assert told <= there <= told | _marked(TEXT)


def test_every_told_option_is_there() -> None:
    context = click.Context(group)
    commands = [group.get_command(context, name) for name in (*group.list_commands(context), "window")]
    known = {option for command in commands if command for each in command.params for option in each.opts}
    assert set(re.findall(r"(?<=[ `])--[a-z-]+", "\n".join((TEXT, SAMPLES_TEXT, CHANGES)))) <= known


def test_numbers_are_those_of_the_program() -> None:
    assert f"model table has {len(load_models().rows)} rows" in TEXT
    assert f"model table of {len(load_models().rows)} rows" in CHANGES
    assert f"the {len(EMBEDDED_NAMES)} vocabularies inside" in TEXT
    assert f"compares {len(FAMILIES)} families" in TEXT


def test_names_are_those_of_the_program() -> None:
    assert [_marked(row[0]) for row in _table("`--similarity`")] == [{way} for way in WAYS]
    assert {row[0].strip("`") for row in _table("extra")} == set(PROJECT["optional-dependencies"])
    assert all(f"`{extra}`" in CHANGES for extra in PROJECT["optional-dependencies"])
    declared = {re.split(r"[ ;]", line)[0].casefold() for line in PROJECT["dependencies"]}
    named = {name for row in _table("package", CHANGES) for name in re.split(r", | \(.*\)", row[0].casefold()) if name}
    assert {"pyside6-essentials" if name == "pyside6" else name for name in named} <= declared


def test_told_findings_are_those_of_the_program() -> None:
    source = (ROOT / "inspector" / "assembly" / "findings.py").read_text("utf-8")
    told = [row[0].strip("`") for row in _table("finding")]
    assert len(told) == 4
    assert all(f'"{code}"' in source for code in told)


def test_compared_families_are_those_of_the_references() -> None:
    rows = _table("families")
    assert {name for row in rows for name in _marked(row[0])} == {family.name for family in FAMILIES}
    partly = {next(iter(_marked(part))): part for row in rows for part in row[0].split(", ") if "only)" in part}
    assert partly.keys() == {family.name for family in FAMILIES if not (family.has_texts and family.has_chats)}
    assert all(("chats only" in partly[one.name]) == (not one.has_texts) for one in FAMILIES if one.name in partly)
    after = TEXT[TEXT.index("Not compared, because") :].split("\n\n", 1)[0]
    assert _marked(after) == {name.removesuffix(" chats") for name in NOT_COMPARED}


@pytest.mark.parametrize("sample", sorted(path.name.split(".")[0] for path in samples_folder().glob("*.scenario.yaml")))
def test_sample_is_what_its_description_says(sample: str, tmp_path: Path) -> None:
    """The findings that the description of a sample names are in its answer."""
    described = SAMPLES_TEXT[SAMPLES_TEXT.index(f"**{sample}**") :].split("\n\n**", 1)[0]
    place = f"{_SAMPLES}/{sample}"
    printed = _run(f"prompt-inspector assemble {place}.workspace.yaml --scenario {place}.scenario.yaml", tmp_path)
    codes = {"history_gap", "orphan_tool_result", "guarantee_over_budget", "over_window"}
    assert {code for code in codes if f" {code}: " in printed} == _marked(described) & codes


def test_policy_of_the_readme_decides() -> None:
    source, _ = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert len(source.splitlines()) <= 26
    names: dict[str, Any] = {}
    exec(compile(source, "README.md", "exec", dont_inherit=True), names)
    workspace = load_workspace([str(samples_folder() / "companion.workspace.yaml")])
    pipeline = Pipeline(workspace, {"newest": names["Newest"]}, {})
    scenario = Scenario(conversation="harbour", policy="newest", parameters={"history_tokens": 1000})
    assembly = planned_answer(pipeline, scenario).assembly
    assert assembly.error is None
    ids = assembly.candidates.ids
    kept = [
        ids[row] for row in range(len(ids)) if assembly.in_prompt[row] and ids[row][0] == "m" and ids[row][1].isdigit()
    ]
    assert kept
    assert kept[-1] == workspace.conversations[0].messages[-1].id
    assert 0 < assembly.used[Section.HISTORY] <= 1000
