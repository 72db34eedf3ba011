"""The command as people run it: a process of its own, also one whose reader goes away."""

import json
import os
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "inspector"]


def test_assemble_prints_one_document_and_nothing_else(workspace_file: str) -> None:
    done = subprocess.run(
        [*COMMAND, "assemble", workspace_file, "--format", "json"],
        capture_output=True,
        env=os.environ.copy(),
        check=True,
    )
    assert json.loads(done.stdout)["format"] == "prompt-inspector/assembly@1"
    assert done.stderr == b""


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps([{"role": "user", "content": "w" * 50}] * 20_000))
    for arguments in (["assemble", str(path), "--format", "json"], ["sweep", str(path), "--set", "at=1:200:1"]):
        command = [*COMMAND, *arguments, "--tokenizer", "estimate:words"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ.copy()
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.read(10)
            process.stdout.close()
            assert process.stderr.read() == b""
