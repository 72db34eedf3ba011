"""What the written pages of the documentation say: names and numbers are right, and code does what is told."""

import ast
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import click
import platformdirs
import pytest
import yaml

import inspector
from inspector import settings
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
from tests.told import CHANGES, README, ROOT, blocks, marked, page, table, written_pages

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ALL = "\n".join(page(name) for name in written_pages())


def test_columns_of_rows_are_those_of_the_program() -> None:
    told = {name for row in table("column", page("how-to/archives.md")) for name in marked(row[0])}
    grid = {"context_window": [4096, 8192]}
    columns = SweepOfFiles(opening(), Scenario(), grid, probes=(Probe("q", ("m",)),)).schema.names
    sections = {f"tokens_{word(section)}" for section in Section}
    assert (told - {"tokens_SECTION"}) | sections | set(grid) == set(columns)


def test_every_told_command_is_there() -> None:
    there = set(group.list_commands(click.Context(group)))
    told = set(re.findall(r"prompt-inspector ([a-z][a-z-]*)(?=[\s`]|$)", f"{README}\n{ALL}")) - {"samples"}
    assert told <= there | {"window"}


def test_numbers_are_those_of_the_program() -> None:
    assert f"model table has {len(load_models().rows)} rows" in page("how-to/tokens.md")
    assert f"model table of {len(load_models().rows)} rows" in CHANGES
    assert "more than thirty commands" in CHANGES
    assert len(group.list_commands(click.Context(group))) > 30
    assert f"**Policies**: {len(policies()[0])} of" in CHANGES
    assert f"the {len(EMBEDDED_NAMES)} vocabularies inside" in page("how-to/tokens.md")
    assert f"compares {len(FAMILIES)} families" in page("about/right.md")


def test_names_are_those_of_the_program() -> None:
    ways = table("`--similarity`", page("how-to/memories.md"))
    assert [marked(row[0]) for row in ways] == [{way} for way in WAYS]
    extras = {row[0].strip("`") for row in table("extra", page("install.md"))}
    assert extras == set(PROJECT["optional-dependencies"])
    declared = {re.split(r"[ ;]", line)[0].casefold() for line in PROJECT["dependencies"]}
    rows = table("package", page("install.md"))
    named = {name for row in rows for name in re.split(r", | \(.*\)", row[0].casefold()) if name}
    assert {"pyside6-essentials" if name == "pyside6" else name for name in named} == declared


def test_the_changelog_is_short_and_in_its_parts() -> None:
    _, *releases = re.split(r"^## ", CHANGES, flags=re.MULTILINE)
    assert all(len(release.strip().splitlines()) <= 60 for release in releases)
    assert re.findall(r"^##+ (.*)$", CHANGES, re.MULTILINE) == ["0.1.0 (unreleased)", "Added", "Changed", "Fixed"]


def test_addresses_of_the_project_stand_in_one_place() -> None:
    files = [
        path for name in (".github", "docs", "resources/desktop") for path in (ROOT / name).rglob("*") if path.is_file()
    ]
    texts = {str(path): path.read_text("utf-8") for path in files if path.suffix not in (".png", ".gif", ".pyc")}
    assert [path for path, text in texts.items() if "example.org" in text] == []
    assert {"Repository", "Issues", "Changelog", "Documentation"} <= set(PROJECT["urls"])
    assert all(address.startswith(PROJECT["urls"]["Homepage"]) for address in PROJECT["urls"].values())


def test_files_for_contributors_are_sound() -> None:
    files = [path for path in (ROOT / ".github").rglob("*") if path.suffix in (".yml", ".cff")]
    found = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in files}
    assert {"ci.yml", "bug.yml", "format.yml", "config.yml", "CITATION.cff"} == set(found)
    assert found["CITATION.cff"]["version"] == inspector.__version__
    matrix = found["ci.yml"]["jobs"]["matrix"]["strategy"]["matrix"]
    told = [line.rpartition(" :: ")[2] for line in PROJECT["classifiers"] if ":: 3." in line]
    assert matrix["python"] == told
    assert len(matrix["system"]) == 3


def test_every_policy_has_its_row() -> None:
    named = [name for row in table("policy", page("how-to/policies.md")) for name in re.findall(r"`(\w+)`", row[0])]
    assert sorted(named) == sorted(policies()[0])


def test_compared_families_are_those_of_the_references() -> None:
    text = page("about/right.md")
    rows = table("families", text)
    assert {name for row in rows for name in marked(row[0])} == {family.name for family in FAMILIES}
    partly = {next(iter(marked(part))): part for row in rows for part in row[0].split(", ") if "only)" in part}
    assert partly.keys() == {family.name for family in FAMILIES if not (family.has_texts and family.has_chats)}
    assert all(("chats only" in partly[one.name]) == (not one.has_texts) for one in FAMILIES if one.name in partly)
    after = text[text.index("Not compared, because") :].split("\n\n", 1)[0]
    assert marked(after) == {name.removesuffix(" chats") for name in NOT_COMPARED}


def _environment_names(module: Path) -> set[str]:
    """The environment variables that a module reads by a name of its own."""
    tree = ast.parse(module.read_text("utf-8"))
    texts = {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    keys = [
        node.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "os.environ.get" and node.args
    ]
    named = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return named | {texts[key.id] for key in keys if isinstance(key, ast.Name) and key.id in texts}


def test_every_environment_variable_that_is_read_is_told() -> None:
    told = {name for row in table("variable", page("reference/places.md")) for name in marked(row[0])}
    read = {name for module in (ROOT / "inspector").rglob("*.py") for name in _environment_names(module)}
    assert {"QDRANT_API_KEY", "DISPLAY", "PROMPT_INSPECTOR_SUMMARY_KEY"} <= read <= told


def test_every_file_of_the_program_is_told_with_its_folder() -> None:
    folders = {
        "configuration": platformdirs.user_config_path("prompt-inspector"),
        "cache": platformdirs.user_cache_path("prompt-inspector"),
        "state": platformdirs.user_state_path("prompt-inspector"),
        "log": platformdirs.user_log_path("prompt-inspector"),
    }
    told = {folders[row[1]] / row[0].strip("`") for row in table("file", page("reference/places.md"))}
    makers = (
        *(settings.cache_file, settings.own_models_file, settings.own_presets_file, settings.own_tables_file),
        *(settings.settings_file, settings.window_file, settings.unsaved_folder, settings.versions_folder),
        *(settings.pasted_folder, settings.log_file),
    )
    assert told == {make() for make in makers}


def _code(name: str, lines: int) -> dict[str, Any]:
    """What the first code of a page defines; it is at most so many lines long."""
    _, source = blocks("python", page(name))[0]
    assert len(source.splitlines()) <= lines
    names: dict[str, Any] = {}
    exec(compile(source, name, "exec", dont_inherit=True), names)
    return names


def test_the_told_policy_decides() -> None:
    names = _code("plug-ins/policy.md", 23)
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


def test_the_told_format_keeps_the_rules_and_opens_the_told_file(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    ((_, told),) = blocks("json", page("plug-ins/format.md"))
    value = json.loads(told)
    value["talks"][0]["lines"].append({"said": "What?"})
    file.write_text(json.dumps(value))
    kind = _code("plug-ins/format.md", 26)["FORMAT"]
    check_format(kind, file)
    workspace = load_workspace([file], formats=(*built_in_formats(), kind))
    assert [message.content for message in workspace.conversations[0].messages] == ["Hello", "Hi"]
    assert [problem.place for problem in workspace.problems] == ["$.talks[0].lines[2].who"]


def test_the_told_tokenizer_keeps_the_rules_and_counts() -> None:
    make = _code("plug-ins/tokenizer.md", 40)["make"]
    check_tokenizer(make("4"))
    choice = choose_tokenizer("characters:4", None, {"characters": make})
    assert choice.tokenizer.count(["", "a", "abcde"]).tolist() == [0, 1, 2]
    assert "expected 1 to 99 characters" in choose_tokenizer("characters:0", None, {"characters": make}).reason


@pytest.mark.parametrize(
    ("name", "group_name"),
    [("policy", POLICY_GROUP), ("format", FORMAT_GROUP), ("tokenizer", TOKENIZER_GROUP)],
)
def test_the_pyproject_of_a_plug_in_names_its_code(name: str, group_name: str) -> None:
    text = page(f"plug-ins/{name}.md")
    ((_, told),) = blocks("toml", text)
    project = tomllib.loads(told)["project"]
    ((entry, place),) = project["entry-points"][group_name].items()
    module, _, attribute = place.partition(":")
    assert attribute in _code(f"plug-ins/{name}.md", 40)
    assert f"`{module}/__init__.py`" in text
    assert project["dependencies"] == [PROJECT["name"]]
    assert f"| `{group_name}` |" in page("plug-ins/index.md")
    assert entry in {"newest", "teatalk", "characters"}


def test_plug_ins_import_from_the_public_modules_only() -> None:
    sources = [source for name in written_pages() for _, source in blocks("python", page(name)) if "plug-ins" in name]
    modules = {found for source in sources for found in re.findall(r"^from (inspector[\w.]*) import", source, re.M)}
    assert modules == {"inspector.plugin_api", "inspector.testing"}


def test_native_files_are_understood_as_they_are_shown(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.workspace.yaml", "a.scenario.yaml")]
    for file, (_, block) in zip(files, blocks("yaml", page("reference/native-files.md")), strict=True):
        file.write_text(block, "utf-8")
    workspace, (scenario, problems) = load_workspace(files[:1]), read_scenario(files[1], no_kind)
    assert [str(problem) for problem in (*workspace.problems, *problems)] == []
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    ids = set(pipeline.assemble(pipeline.case(scenario)).candidates.ids)
    assert ids == {"m0", "m1", "k0", "nova", "profile", "pub", "p0", "s0", "d0", "notes.txt", "draft"}


def test_the_code_of_the_library_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(samples_folder())
    ((_, source),) = blocks("python", page("reference/library.md"))
    names: dict[str, Any] = {}
    exec(compile(source, "library.md", "exec", dont_inherit=True), names)
    assert capsys.readouterr().out.startswith("ok ")
    assert {row["context_window"] for row in names["rows"]} == {4096, 8192}
    assert names["found"]["probes"]


def test_the_library_page_has_every_function() -> None:
    told = {
        name.partition("(")[0] for row in table("function", page("reference/library.md")) for name in marked(row[0])
    }
    assert told == {*inspector.__all__}


def test_no_page_names_a_folder_that_is_not_there() -> None:
    named = {name for name in marked(ALL) if name.startswith(("inspector/", "resources/", "tests/", "docs/"))}
    assert [
        name for name in sorted(named) if not (ROOT / name).exists() and name.isascii() and "NAME" not in name
    ] == []
