"""What a command wrote is said on standard error; a reader that has seen enough is no failure."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


def test_each_command_that_writes_says_what_and_where_on_standard_error(
    run: Run, workspace_file: str, tmp_path: Path
) -> None:
    estimated = ("--tokenizer", "estimate:words")
    for said, name, *options in (
        ("the rows", "rows.csv", "sweep", "--set", "at=1,2", *estimated, "--out"),
        ("c1 (10 messages)", "chat.json", "export", "--out"),
        ("the items", "items.csv", "tokenizers", "--with", "estimate:words,estimate:brain", "--out"),
        ("the plot", "plot.svg", "timeline", *estimated, "--plot"),
    ):
        file = tmp_path / name
        command, *others = options
        done = run(command, workspace_file, *others, str(file))
        assert done.exit_code == 0, done.stderr
        assert done.stdout == "" or command == "tokenizers", "which answers, too"
        assert done.stderr.splitlines()[-1] == f"prompt-inspector: wrote {said} to {file}"
        assert file.stat().st_size


@pytest.mark.skipif(sys.platform == "win32", reason="pipes as POSIX has them")
def test_a_pipe_that_nobody_reads_any_more_is_no_failure(workspace_file: str, tmp_path: Path) -> None:
    lines = tmp_path / "cases.jsonl"
    lines.write_text(json.dumps({"name": "a", "workspace": {}, "scenario": {"policy": "naive"}}) + "\n")
    for arguments in (
        ("count", workspace_file),
        ("assemble", workspace_file, "--format", "json", "--strict"),
        ("assemble", "--jsonl", str(lines)),
        ("sweep", workspace_file, "--set", "at=1,2", "--format", "csv"),
        ("--help",),
    ):
        reading, writing = os.pipe()
        os.close(reading)
        command = [sys.executable, "-m", "inspector", *arguments]
        with os.fdopen(writing, "wb") as nobody:
            done = subprocess.run(command, stdout=nobody, stderr=subprocess.PIPE, text=True)
        assert (done.returncode, done.stderr) == (0, ""), arguments
