"""What README, CHANGELOG and samples/README say: commands run, the policy decides, names and numbers are right."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner

from inspector.analysis.archive.rows import SweepOfFiles
from inspector.assembly.answer import planned_answer
from inspector.assembly.columns import Section, word
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import read_scenario
from inspector.assembly.scenario_values import no_kind
from inspector.cli import group
from inspector.formats import built_in_formats, load_workspace
from inspector.model import Probe
from inspector.plugins import FORMAT_GROUP, POLICY_GROUP, TOKENIZER_GROUP, policies
from inspector.resources import samples_folder
from inspector.retrieval.similarity import WAYS
from inspector.testing import check_format, check_tokenizer
from inspector.tokens.choice import choose_tokenizer
from inspector.tokens.embedded import EMBEDDED_NAMES
from inspector.tokens.models.loading import load_models
from tests.archives import opening
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
    *(
        re.sub(r" (?=\S+\.(workspace|scenario|probes)\.)", f" {_SAMPLES}/", one)
        for one in _COMMAND.findall(SAMPLES_TEXT)
    ),
]
PRINTED = {
    "replay": "prompts replayed",
    "assemble": "items",
    "explain": "Dropped",
    "compare": "naive",
    "memories": "in the prompt",
    "fidelity": "facts kept",
    "count": "Exact, qwen2.5",
    "tokens": "characters per token",
    "conversations": "of 6",
    "tokenizers": "which is exact",
    "survival": "item,parameter,from,to,action,exact",
    "recall": "With memories",
    "recommend": "Verdict",
    "models": "US dollars per million tokens",
    "presets": "evenings",
    "search": "Harbour talks",
    "sweep": "naive",
    "check": "all is well",
    "snippet": "trim_messages",
}
"""What the answer of each command holds that its description promises."""


def _words_of(command: str) -> list[str]:
    return shlex.split(command)[1:]


def _run(command: str) -> str:
    """What a command prints: run in this process, but for the window, which is the only one of a process."""
    words = _words_of(command)
    if words[0] in group.list_commands(click.Context(group)):
        done = CliRunner().invoke(group, words, prog_name="prompt-inspector", catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        return done.stdout
    arguments = [sys.executable, "-m", "inspector", *words]
    shown = subprocess.run(arguments, capture_output=True, encoding="utf-8", timeout=240)
    assert shown.returncode == 0, shown.stderr
    return shown.stdout


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
def test_command_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed, words = _run(command), _words_of(command)
    written = [word for word in words if word.endswith((".png", ".csv", ".parquet", ".html", "messages.json"))]
    assert all((tmp_path / name).stat().st_size > 100 for name in written)
    assert written or PRINTED[words[0]] in printed


@pytest.mark.parametrize(("wanted", "code"), [("0.9", 0), ("0.99", 1)])
def test_the_step_of_a_pipeline_passes_and_fails(wanted: str, code: int) -> None:
    (block,) = re.findall(r"^```yml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    ((step,), environment) = yaml.safe_load(block), {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = step["run"].strip().replace("with-memories 0.9", f"with-memories {wanted}")
    done = subprocess.run(
        [sys.executable, "-m", "inspector", *_words_of(command)], cwd=samples_folder(), env=environment
    )
    assert done.returncode == code


def test_columns_of_rows_are_those_of_the_program() -> None:
    told = {name for row in _table("column") for name in _marked(row[0])}
    grid = {"context_window": [4096, 8192]}
    columns = SweepOfFiles(opening(), Scenario(), grid, probes=(Probe("q", ("m",)),)).schema.names
    sections = {f"tokens_{word(section)}" for section in Section}
    assert (told - {"tokens_SECTION"}) | sections | set(grid) == set(columns)


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


def test_compared_families_are_those_of_the_references() -> None:
    rows = _table("families")
    assert {name for row in rows for name in _marked(row[0])} == {family.name for family in FAMILIES}
    partly = {next(iter(_marked(part))): part for row in rows for part in row[0].split(", ") if "only)" in part}
    assert partly.keys() == {family.name for family in FAMILIES if not (family.has_texts and family.has_chats)}
    assert all(("chats only" in partly[one.name]) == (not one.has_texts) for one in FAMILIES if one.name in partly)
    after = TEXT[TEXT.index("Not compared, because") :].split("\n\n", 1)[0]
    assert _marked(after) == {name.removesuffix(" chats") for name in NOT_COMPARED}


@pytest.mark.parametrize("sample", sorted(path.name.split(".")[0] for path in samples_folder().glob("*.scenario.yaml")))
def test_sample_is_what_its_description_says(sample: str) -> None:
    """The findings that the description of a sample names are in its answer."""
    described = SAMPLES_TEXT[SAMPLES_TEXT.index(f"**{sample}**") :].split("\n\n**", 1)[0]
    place = f"{_SAMPLES}/{sample}"
    printed = _run(f"prompt-inspector assemble {place}.workspace.yaml --scenario {place}.scenario.yaml")
    codes = {"history_gap", "orphan_tool_result", "guarantee_over_budget", "over_window"}
    assert {code for code in codes if f" {code}: " in printed} == _marked(described) & codes


def _names(heading: str, lines: int) -> dict[str, Any]:
    """What the code below a heading defines; it is at most so many lines long."""
    section = TEXT[TEXT.index(f"### {heading}\n") :].split("\n### ", 1)[0]
    (source,) = re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert len(source.splitlines()) <= lines
    names: dict[str, Any] = {}
    exec(compile(source, "README.md", "exec", dont_inherit=True), names)
    return names


def test_policy_of_the_readme_decides() -> None:
    names = _names("Add a policy", 26)
    workspace = load_workspace([str(samples_folder() / "companion.workspace.yaml")])
    pipeline = Pipeline(workspace, {"newest": names["Newest"]}, {})
    scenario = Scenario(conversation="harbour", policy="newest", parameters={"history_tokens": 1000})
    assembly = planned_answer(pipeline, pipeline.case(scenario)).assembly
    assert assembly.error is None
    ids = assembly.candidates.ids
    kept = [
        ids[row] for row in range(len(ids)) if assembly.in_prompt[row] and ids[row][0] == "m" and ids[row][1].isdigit()
    ]
    assert kept
    assert kept[-1] == workspace.conversations[0].messages[-1].id
    assert 0 < assembly.used[Section.HISTORY] <= 1000


def test_format_of_the_readme_keeps_the_rules_and_opens(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    lines = [
        {"who": "me", "said": "Hello", "at": "2026-01-02T03:04:05Z"},
        {"who": "it", "said": "Hi"},
        {"said": "What?"},
    ]
    file.write_text(json.dumps({"talks": [{"room": "r1", "subject": "Tea", "lines": lines}]}))
    kind = _names("Add a format", 26)["FORMAT"]
    check_format(kind, file)
    workspace = load_workspace([file], formats=(*built_in_formats(), kind))
    assert [message.content for message in workspace.conversations[0].messages] == ["Hello", "Hi"]
    assert [problem.place for problem in workspace.problems] == ["$.talks[0].lines[2].who"]


def test_tokenizer_of_the_readme_keeps_the_rules_and_counts() -> None:
    make = _names("Add a tokenizer", 40)["make"]
    check_tokenizer(make("4"))
    choice = choose_tokenizer("characters:4", None, {"characters": make})
    assert choice.tokenizer.count(["", "a", "abcde"]).tolist() == [0, 1, 2]
    assert "expected 1 to 99 characters" in choose_tokenizer("characters:0", None, {"characters": make}).reason


def test_entry_points_of_the_readme_are_those_of_the_program() -> None:
    told = set(re.findall(r"entry-point group `([a-z.]+)`", TEXT))
    assert told == {POLICY_GROUP, FORMAT_GROUP, TOKENIZER_GROUP}


def test_its_own_files_are_understood_as_they_are_shown(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.workspace.yaml", "a.scenario.yaml")]
    blocks = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    for file, block in zip(files, blocks, strict=True):
        file.write_text(block, "utf-8")
    workspace, (scenario, problems) = load_workspace(files[:1]), read_scenario(files[1], no_kind)
    assert [str(problem) for problem in (*workspace.problems, *problems)] == []
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    ids = set(pipeline.assemble(pipeline.case(scenario)).candidates.ids)
    assert ids == {"m0", "m1", "k0", "nova", "profile", "pub", "p0", "s0", "d0", "notes.txt", "draft"}
