"""What the README says works: its commands run, and its policy decides."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inspector.assembly.answer import planned_answer
from inspector.assembly.columns import Section
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.resources import samples_folder

README = Path(__file__).resolve().parent.parent / "README.md"
COMMANDS = re.findall(r"^    (prompt-inspector .*)$", README.read_text("utf-8"), re.MULTILINE)


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("command", COMMANDS)
def test_command_runs(command: str, tmp_path: Path) -> None:
    words = shlex.split(command.replace(" samples", f" {samples_folder()}"))[1:]
    done = subprocess.run(
        [sys.executable, "-m", "inspector", *words], cwd=tmp_path, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    written = [word for word in words if word.endswith((".png", ".csv"))]
    assert all((tmp_path / name).stat().st_size > 100 for name in written)
    assert written or done.stdout


def test_policy_of_the_readme_decides() -> None:
    (source,) = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(source.splitlines()) <= 26
    names: dict[str, Any] = {}
    exec(compile(source, str(README), "exec", dont_inherit=True), names)
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
