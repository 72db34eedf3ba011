"""The commands of the site run, those of a tutorial in order, beside the files that the page shows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from inspector.extras import DISTRIBUTION
from inspector.resources import samples_folder
from tests.told import PRINTED, WRITTEN, blocks, commands_in, page, run, words_of, written_pages

WITH_COMMANDS = [name for name in written_pages() if commands_in(page(name))]
TUTORIALS = [name for name in WITH_COMMANDS if name.startswith("tutorials/")]
TOGETHER = [(name, commands_in(page(name))) for name in TUTORIALS]
APART = [(name, [one]) for name in WITH_COMMANDS if name not in TUTORIALS for one in commands_in(page(name))]
"""The commands of a tutorial go on from each other; those of other pages stand for themselves."""
SHOWN = {
    "formats ": "sure",
    "select context_window": "whole",
    "--knob max_tokens": "Recall with memories",
    "sillytavern,ratio": "They disagree",
}
"""What the answers of some commands hold, by a part of these commands; of the others `PRINTED` says it."""


def _write_files(text: str) -> None:
    """Write the files that a page shows with their names, and run those of Python."""
    for kind in ("yaml", "python"):
        for name, block in blocks(kind, text):
            if name:
                Path(name).write_text(block, "utf-8")
            if name.endswith(".py"):
                subprocess.run([sys.executable, name], check=True)


def test_there_are_commands() -> None:
    assert {"how-to/command-line.md", "tutorials/sillytavern.md", "tutorials/langchain.md"} <= set(WITH_COMMANDS)
    assert sum(len(commands_in(page(name))) for name in WITH_COMMANDS) >= 45


@pytest.mark.long
@pytest.mark.parametrize(("name", "commands"), [*TOGETHER, *APART])
def test_commands_of_a_page_run(
    name: str, commands: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_files(page(name))
    for command in commands:
        printed, words = run(command), words_of(command)
        written = [word for word in words if (word.endswith(WRITTEN) and "--out" in words) or word.endswith(".png")]
        assert all((tmp_path / one).stat().st_size > 100 for one in written), command
        promised = next((shown for part, shown in SHOWN.items() if part in command), PRINTED.get(words[0]))
        assert written or "--out" in words or (promised and promised in printed), command


@pytest.mark.parametrize(("wanted", "code"), [("0.9", 0), ("0.99", 1)])
def test_the_step_of_a_pipeline_passes_and_fails(wanted: str, code: int) -> None:
    ((_, block),) = blocks("yml", page("how-to/pipelines.md"))
    ((*before, step), environment) = yaml.safe_load(block), {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert before[-1] == {"run": f"pip install {DISTRIBUTION}"}
    command = step["run"].strip().replace("with-memories 0.9", f"with-memories {wanted}")
    arguments = [sys.executable, "-m", "inspector", *words_of(command)]
    assert subprocess.run(arguments, cwd=samples_folder(), env=environment).returncode == code


def test_a_tutorial_needs_only_what_it_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate of the tutorial: from the application's messages to an exit code."""
    monkeypatch.chdir(tmp_path)
    text = page("tutorials/langchain.md")
    _write_files(text)
    (check,) = [command for command in commands_in(text) if " check " in command]
    assert "all is well" in run(check)
    scenario = Path("app.scenario.yaml")
    scenario.write_text(scenario.read_text("utf-8").replace("2000", "1000"), "utf-8")
    arguments = [sys.executable, "-m", "inspector", *words_of(check)]
    assert subprocess.run(arguments, capture_output=True).returncode == 1
