"""What the window lists of conversations and tokens is what the command line lists."""

import csv
import json
from collections.abc import Callable
from pathlib import PurePath

import pytest
from click.testing import CliRunner
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractButton, QTableView
from pytestqt.qtbot import QtBot

from inspector.cli import group
from inspector.figures import percentage
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.conversations.view import ConversationsView
from inspector.gui.table.view import ArrayTableView
from inspector.resources import samples_folder

SAMPLES = str(samples_folder())
SCENARIO = str(samples_folder() / "wall-of-text.scenario.yaml")


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(group, list(arguments))
    assert result.exit_code == 0, result.stderr
    return result.stdout


def cells(table: QTableView, columns: range) -> list[list[str]]:
    model = table.model()
    assert model is not None
    count = model.rowCount(QModelIndex())
    return [[model.index(row, column).data() for column in columns] for row in range(count)]


def words(line: str) -> list[str]:
    """A line without what only parts its cells."""
    return line.split()


def written(row: dict[str, str]) -> list[str]:
    """A row for scripts as a person reads it."""
    counts = [f"{int(row[key]):,}" for key in ("messages", "tokens", "prompt", "dropped", "findings")]
    recall = percentage(float(row["recall"])) if row["recall"] else ""
    return [
        row["title"],
        PurePath(row["file"]).name,
        counts[0],
        row["first"][:10],
        row["last"][:10],
        *counts[1:],
        recall,
    ]


@pytest.mark.parametrize("wanted", ["", "TH workspace"])
def test_conversations_stand_there_as_here(opened: Callable[..., MainWindow], qtbot: QtBot, wanted: str) -> None:
    window = opened(SAMPLES, scenario=SCENARIO)
    window.do("archive")
    view = window.screens["conversations"].view
    assert isinstance(view, ConversationsView)
    qtbot.waitUntil(lambda: bool(view.topics), timeout=60_000)
    qtbot.keyClicks(view.search, wanted)
    for key, descending in (("", False), ("prompt", False), ("title", True), ("first", True)):
        if key:
            view.table.sort_by(key, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)
        shown = [[cell.removeprefix("● ") for cell in row] for row in cells(view.table, range(10))]
        options = [*(["--sort", key] if key else []), *(["--descending"] if descending else []), "--find", wanted]
        lines = printed("conversations", SAMPLES, "--scenario", SCENARIO, *options, "--format", "csv").splitlines()
        assert [written(row) for row in csv.DictReader(lines)] == shown, key
        assert len(shown) == (3 if wanted else 6)


@pytest.mark.parametrize("item", ["m118", "m336", "mem-3"])
def test_tokens_stand_there_as_here(opened: Callable[..., MainWindow], qtbot: QtBot, item: str) -> None:
    path = str(samples_folder() / "companion.workspace.yaml")
    window = opened(path)
    assembly = window.session.assembly
    assert assembly is not None
    row = assembly.candidates.ids.index(item)
    window.select(row)
    window.show_screen("details")
    view = window.screens["details"].view
    button = next(one for one in view.findChildren(QAbstractButton) if one.text() == "Tokens")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    table = view.findChild(ArrayTableView, "token_table")
    assert table is not None
    qtbot.waitUntil(lambda: table.array_model.rowCount() > 0)
    shown = cells(table, range(3))
    lines = printed("tokens", path, "--item", item).splitlines()[2:-1]
    assert [words(line) for line in lines] == [words(" ".join(row)) for row in shown]
    value = json.loads(printed("tokens", path, "--item", item, "--format", "json"))
    assert [str(token["id"]) for token in value["tokens"]] == [row[1] for row in shown]
