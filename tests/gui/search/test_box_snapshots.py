"""The box leads to snapshots: back to one, or to what differs from it."""

from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_window
from inspector.assembly.scenario_records import record
from inspector.assembly.snapshots import keep_snapshot
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.choices import Choice
from inspector.gui.search.entries import Target
from inspector.gui.search.offered import Offered


def entry_of(offered: Offered, target: Target) -> Choice:
    return next(choice for choice in offered.entries() if choice.thing == target)


def test_a_snapshot_is_restored_and_compared_from_the_box(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    before = session.scenario
    session.change_snapshots(keep_snapshot, "small", record(session.pipeline, before), "before the change")
    session.edit(use_window, 20_000)
    offered = Offered(companion, companion, {})
    compare = entry_of(offered, Target("Comparison", "small"))
    assert "before the change" in compare.tip
    offered.do(compare)
    boxes = companion.screens["changes"].view.boxes
    qtbot.waitUntil(lambda: boxes.isVisible() and boxes.before.currentText() == "small")
    qtbot.waitUntil(lambda: "Context window" in companion.screens["changes"].view.settings.text())
    offered.do(entry_of(offered, Target("Snapshot", "small")))
    assert session.scenario == before
    session.undo_stack.undo()
    assert session.scenario.context_window == 20_000
    qtbot.waitUntil(lambda: session.is_ready)
