"""The window with plug-ins: it opens their files, counts with them, and names those that are broken."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import take_over
from inspector.assembly.scenario import Scenario
from inspector.gui.main_window import MainWindow
from inspector.plugins import FORMAT_GROUP, POLICY_GROUP, TOKENIZER_GROUP

Opened = Callable[..., MainWindow]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "talk.log"
    path.write_text("# chat log\nHi\nBye\n", encoding="utf-8")
    return path


def test_the_window_opens_and_counts_with_plug_ins_and_names_broken_ones(
    opened: Opened, install: Callable[..., None], log: Path, qtbot: QtBot
) -> None:
    install(FORMAT_GROUP, log="tests.test_format_plugins:LOG", lost="no_such_module:FORMAT")
    install(TOKENIZER_GROUP, letters="tests.test_tokenizer_plugins:make", gone="no_such_module:make")
    install(POLICY_GROUP, away="no_such_module:Policy")
    window = opened(log)
    assert [source.format for source in window.session.workspace.sources] == ["log"]
    window.session.edit(take_over, Scenario(policy="naive", tokenizer="letters:small"), "count letters")
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert window.session.assembly is not None
    assert window.session.assembly.candidates.tokens.tolist() == [2, 3]
    window.show_screen("findings")
    listed = window.findChild(QListView, "findings_list")
    assert isinstance(listed, QListView)
    model = listed.model()
    shown = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    for said in ("the format lost cannot", "the tokenizer gone cannot", "the policy away cannot"):
        assert sum(said in text for text in shown) == 1, said
