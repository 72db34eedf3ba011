"""A small archive of chats for tests, and the sweep of it that they compare."""

import json
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

from inspector.analysis.archive.chats import Opening
from inspector.analysis.archive.files import ArchiveFile, archive_files
from inspector.analysis.archive.rows import SweepOfFiles
from inspector.analysis.archive.sweep import Step, sweep_archive
from inspector.analysis.archive.workers import Begin, worker_processes
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.plugins import policies

SETTINGS = {"grid": "of the tests"}
GRID = {"context_window": [40, 80, 160], "policy": ["naive", "ratio"]}
HERE = worker_processes(1)


def write_chats(folder: Path, number: int, messages: int = 8) -> Path:
    """So many chats, each of another length, in the order of their names."""
    folder.mkdir(exist_ok=True)
    for chat in range(number):
        write_chat(folder / f"chat-{chat:04d}.json", chat + 1, messages)
    return folder


def write_chat(file: Path, words: int, messages: int = 8) -> None:
    """A chat whose messages have so many words."""
    roles = ("user", "assistant")
    said = [{"role": roles[turn % 2], "content": "w " * (words % 13 + turn)} for turn in range(messages)]
    file.write_text(json.dumps(said))


def opening() -> Opening:
    """Built-in policies and presets."""
    return Opening(policies()[0], load_presets())


def work(**changed: Any) -> SweepOfFiles:
    """A grid of six cells, counted in words."""
    return SweepOfFiles(opening(), Scenario(tokenizer="estimate:words"), {**GRID, **changed})


def files_in(folder: Path) -> list[ArchiveFile]:
    """All files of an archive that end in .json."""
    return archive_files([str(folder)], "**/*.json")


def steps(folder: Path, out: Path, begin: Begin = HERE, **options: Any) -> Generator[Step, None, None]:
    """The sweep of an archive, step by step."""
    return sweep_archive(work(), files_in(folder), begin, out, SETTINGS, **options)


def rows_in(out: Path) -> list[dict[str, Any]]:
    """The rows of a Parquet file."""
    from inspector.analysis.archive.parts import rows_in as read

    return list(read([out]))


if __name__ == "__main__":
    chats, rows = map(Path, sys.argv[1:])
    for step in steps(chats, rows, worker_processes(2)):
        print(step.done, flush=True)
