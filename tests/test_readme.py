"""What README, CHANGELOG and samples/README say: short, commands run, links lead somewhere, names are right."""

import re
from pathlib import Path

import click
import pytest

from docs.build import generated_pages
from docs.links import broken_links
from inspector.cli import group
from inspector.formats import built_in_formats
from inspector.plugins import policies
from inspector.resources import samples_folder
from tests.told import (
    CHANGES,
    PRINTED,
    README,
    ROOT,
    SAMPLES,
    SAMPLES_TEXT,
    WRITTEN,
    commands_in,
    marked,
    page,
    run,
    table,
    words_of,
    written_pages,
)

LONGEST = 8_000
OF_README = commands_in(README)
OF_SAMPLES = [
    re.sub(r" (?=\S+\.(workspace|scenario|probes)\.)", f" {SAMPLES}/", one) for one in commands_in(SAMPLES_TEXT)
]


def test_it_is_short() -> None:
    assert len(README.encode()) <= LONGEST


def test_it_has_five_commands_and_the_samples_have_some() -> None:
    assert len(OF_README) == 5
    assert len(OF_SAMPLES) >= 10


@pytest.mark.parametrize("command", [*OF_README, *OF_SAMPLES])
def test_told_command_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed, words = run(command), words_of(command)
    written = [word for word in words if word.endswith(WRITTEN)]
    assert all((tmp_path / name).stat().st_size > 100 for name in written)
    assert written or PRINTED[words[0]] in printed


def test_its_links_lead_to_files_and_headings() -> None:
    files = {f"docs/pages/{name}": page(name) for name in written_pages()}
    found = broken_links({"README.md": README, **files}, ["README.md"], lambda name: (ROOT / name).is_file())
    assert found == []


def test_it_names_every_policy_once() -> None:
    named = re.findall(r"`([a-z_]+)`", "\n".join(row[1] for row in table("group", README)))
    assert sorted(named) == sorted(policies()[0])
    assert f"{len(named)} policies of applications" in README


def test_it_opens_more_than_a_hundred_formats() -> None:
    assert "more than a hundred formats" in README
    assert len(built_in_formats()) > 100


def test_every_told_option_is_there() -> None:
    context = click.Context(group)
    commands = [group.get_command(context, name) for name in (*group.list_commands(context), "window")]
    known = {option for command in commands if command for each in command.params for option in each.opts}
    known |= {"--help", "--version", "--from", "--editable", "--with-editable"}  # the last three are of pip and uv
    pages = [text for name in written_pages() if (text := page(name))]
    told = "\n".join((README, SAMPLES_TEXT, CHANGES, *pages, *generated_pages().values()))
    assert set(re.findall(r"(?<=[ `])--[a-z]+(?:-[a-z]+)*", told)) <= known


@pytest.mark.parametrize("sample", sorted(path.name.split(".")[0] for path in samples_folder().glob("*.scenario.yaml")))
def test_sample_is_what_its_description_says(sample: str) -> None:
    """The findings that the description of a sample names are in its answer."""
    described = SAMPLES_TEXT[SAMPLES_TEXT.index(f"**{sample}**") :].split("\n\n**", 1)[0]
    place = f"{SAMPLES}/{sample}"
    printed = run(f"prompt-inspector assemble {place}.workspace.yaml --scenario {place}.scenario.yaml")
    codes = {"history_gap", "orphan_tool_result", "guarantee_over_budget", "over_window"}
    assert {code for code in codes if f" {code}: " in printed} == marked(described) & codes
