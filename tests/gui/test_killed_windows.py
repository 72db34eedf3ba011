"""Windows that are killed (-9) at random moments of editing, pinning and saving lose nothing that matters."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import rounds

ROOT = Path(__file__).resolve().parents[2]
KILLS = os.environ.get("PROMPT_INSPECTOR_KILLS", str(rounds(3, 1)))
"""So many windows are killed; 100 for a thorough run."""


@pytest.mark.skipif(sys.platform == "win32", reason="a clock that processes share")
def test_a_killed_window_comes_back_as_it_was_and_touches_no_other_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.killed_windows", str(tmp_path), KILLS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert f"killed {KILLS} times" in done.stdout
