"""The palette leads to snapshots: back to one, or to what differs from it."""

from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_window
from inspector.assembly.scenario_records import record
from inspector.assembly.snapshots import keep_snapshot
from inspector.gui.main_window import MainWindow
from inspector.gui.palette.entries import Target
from inspector.gui.palette.palette import CommandPalette
from inspector.gui.parts.choices import Choice


def entry_of(palette: CommandPalette, target: Target) -> Choice:
    return next(choice for choice in palette.entries() if choice.thing == target)


def test_a_snapshot_is_restored_and_compared_from_the_palette(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    before = session.scenario
    session.change_snapshots(keep_snapshot, "small", record(session.pipeline, before), "before the change")
    session.edit(use_window, 20_000)
    palette = CommandPalette(companion, companion, {})
    compare = entry_of(palette, Target("Comparison", "small"))
    assert "before the change" in compare.tip
    palette._chooser.chosen.emit(compare)
    boxes = companion.screens["changes"].view.boxes
    qtbot.waitUntil(lambda: boxes.isVisible() and boxes.before.currentText() == "small")
    qtbot.waitUntil(lambda: "Context window" in companion.screens["changes"].view.settings.text())
    palette._chooser.chosen.emit(entry_of(palette, Target("Snapshot", "small")))
    assert session.scenario == before
    session.undo_stack.undo()
    assert session.scenario.context_window == 20_000
    qtbot.waitUntil(lambda: session.is_ready)
