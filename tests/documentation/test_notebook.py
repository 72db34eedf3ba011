"""The notebook among the samples runs in its folder, and is no chat to the program that opens the folder."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import inspector
from inspector.resources import samples_folder

NOTEBOOK = samples_folder() / "first-look.ipynb"
CELLS: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
CODE = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]
CHECKED = """
assert answer["status"] == "ok" and answer["items"]
assert answer._repr_html_().count("<svg") == 1
assert answer.to_dict() == inspector.assemble(chat, scenario).to_dict()
assert why["item"] and sides["columns"] and sides["rows"]
assert [row["context_window"] for row in rows] == [4096, 8192, 12288]
assert all(0 < row["total"] <= row["context_window"] for row in rows)
print("all cells have run")
"""


def test_its_cells_run_in_the_folder_of_the_samples() -> None:
    program = "\n".join([*CODE, CHECKED])
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=NOTEBOOK.parent, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, "all cells have run\n", "")


def test_it_shows_the_library_and_holds_no_outputs() -> None:
    asked = set(re.findall(r"inspector\.(\w+)\(", "\n".join(CODE)))
    assert asked == {"load", "assemble", "explain", "compare", "sweep"} <= set(inspector.__all__)
    assert [cell["outputs"] for cell in CELLS if cell["cell_type"] == "code"] == [[]] * len(CODE)
    assert len({cell["id"] for cell in CELLS}) == len(CELLS)


def test_a_folder_with_notebooks_opens_without_a_problem(tmp_path: Path) -> None:
    shutil.copy(NOTEBOOK, tmp_path / "Other name.ipynb")
    shutil.copy(NOTEBOOK.parent / "companion.workspace.yaml", tmp_path)
    for folder in (NOTEBOOK.parent, tmp_path):
        opened = inspector.load(folder)
        assert opened.conversations
        assert [problem for problem in opened.problems if problem.severity != "info"] == []
