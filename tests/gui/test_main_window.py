"""The window from end to end, with real mouse and key events on the shipped samples."""

import gc
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import orjson
import pytest
import yaml
from click.testing import CliRunner
from PySide6.QtCore import SIGNAL, QMimeData, QObject, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QScrollBar,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QTabBar,
    QTableView,
    QTextBrowser,
    QTextEdit,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot
from walking import as_shown

from inspector.assembly.columns import Action
from inspector.assembly.edits import compare_by, set_parameters, set_value, use_tokenizer, use_window
from inspector.cli import group
from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.banner import Banner
from inspector.gui.parts.number_field import RealField, WholeField
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.theme import GAP
from inspector.gui.window.status import StatusLine
from inspector.resources import samples_folder
from inspector.settings import cache_file
from tests.gui.all_files import files_tree

Kind = TypeVar("Kind", bound=QObject)


def child(window: MainWindow, kind: type[Kind], name: str) -> Kind:
    """The widget or action of that object name."""
    found = window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def action(window: MainWindow, name: str) -> QAction:
    return child(window, QAction, f"action:{name}")


def drag(qtbot: QtBot, slider: QSlider, steps: int) -> None:
    """Drag the handle of a slider by so many pixels, one at a time."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    style = QStyle.ComplexControl.CC_Slider
    handle = slider.style().subControlRect(style, option, QStyle.SubControl.SC_SliderHandle, slider)
    start = handle.center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    sign = 1 if steps > 0 else -1
    for step in range(1, abs(steps) + 1):
        qtbot.mouseMove(slider, start + QPoint(sign * step, 0))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(steps, 0))


def kept(window: MainWindow) -> set[str]:
    assembly = window.session.assembly
    assert assembly is not None
    return {assembly.candidates.ids[row] for row in range(len(assembly.action)) if assembly.in_prompt[row]}


def test_contract_names_are_there(companion: MainWindow) -> None:
    names = ["workspace_tree", "policy_picker", "model_picker", "budget_bar", "decision_table", "filter_edit"]
    names += ["explanation", "prompt_preview", "comparison_table", "findings_list", "turn_slider"]
    names += ["parameter:history_share", "parameter:history_share:value", "parameter:selective", "parameter:borrow"]
    actions = [f"action:{name}" for name in ("open", "save", "undo", "redo", "pin_baseline", "export")]
    assert [name for name in names if companion.findChild(QWidget, name) is None] == []
    assert [name for name in actions if companion.findChild(QAction, name) is None] == []


def test_first_sample_is_ready_exact_and_adds_up(companion: MainWindow) -> None:
    answer = companion.session.answer
    assert answer is not None
    assert answer.scenario.conversation == "harbour"
    assert answer.ledger.exact
    assert answer.ledger.residual == 0
    counts = answer.assembly.action_counts
    assert min(counts[Action.KEPT], counts[Action.SUMMARIZED], counts[Action.DROPPED]) > 5


def test_drag_undo_redo(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    before, scenario = kept(companion), session.scenario
    drag(qtbot, child(companion, QSlider, "parameter:history_share"), 25)
    session.flush()
    assert {name for name in kept(companion) - before if not name.startswith("mem")}, "more history fits"
    assert session.undo_stack.count() == 1, "a drag is one step"
    after = session.scenario
    action(companion, "undo").trigger()
    session.flush()
    assert session.scenario == scenario
    assert kept(companion) == before
    action(companion, "redo").trigger()
    assert session.scenario == after


def test_moving_a_share_keeps_the_sum(companion: MainWindow, qtbot: QtBot) -> None:
    drag(qtbot, child(companion, QSlider, "parameter:memory_share"), 20)
    values = companion.session.scenario.parameters
    assert sum(values[f"{name}_share"] for name in ("memory", "history", "reserve")) == pytest.approx(1)


def test_a_slider_never_tokenizes(companion: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    session = companion.session
    tokenizer = session.pipeline.case(session.scenario).model.tokenizer.tokenizer
    calls: list[int] = []
    count = type(tokenizer).count

    def counted(self, texts):
        calls.append(len(texts))
        return count(self, texts)

    drag(qtbot, child(companion, QSlider, "parameter:history_share"), 2)
    qtbot.waitUntil(lambda: session.is_ready)
    monkeypatch.setattr(type(tokenizer), "count", counted)
    slider = child(companion, QSlider, "parameter:history_share")
    slider.setSliderDown(True)
    for _ in range(10):
        slider.setValue(slider.value() + 1)
        session.flush()
    assert calls == []
    slider.setSliderDown(False)
    qtbot.waitUntil(lambda: session.is_ready)


def test_filter_select_explain(companion: MainWindow, qtbot: QtBot) -> None:
    table = child(companion, QTableView, "decision_table")
    edit = child(companion, QLineEdit, "filter_edit")
    qtbot.mouseClick(edit, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(edit, 'action:dropped section:history "coral"')
    assembly = companion.session.assembly
    assert assembly is not None
    rows = [
        row
        for row in range(len(assembly.action))
        if assembly.action[row] == Action.DROPPED and "coral" in assembly.candidates.texts[row].lower()
    ]
    wanted = {assembly.candidates.ids[row] for row in rows if not assembly.candidates.ids[row].startswith("mem")}
    model = table.model()
    qtbot.waitUntil(lambda: model.rowCount() == len(wanted))
    shown = {model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())}
    assert shown == wanted
    index = model.index(0, 0)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    assert companion.row is not None
    pages = child(companion, QWidget, "explanation").findChildren(QTextBrowser)
    text = " ".join(page.toPlainText() for page in pages)
    assert "Dropped" in text


def test_pin_and_exclude_by_key(companion: MainWindow, qtbot: QtBot) -> None:
    table = child(companion, QTableView, "decision_table")
    companion.screens["decisions"].view.set_filter("id:m118")
    index = table.model().index(0, 0)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    qtbot.keyClick(table, Qt.Key.Key_P)
    companion.session.flush()
    assert "m118" in companion.session.scenario.pinned
    assert "m118" in kept(companion)
    qtbot.keyClick(table, Qt.Key.Key_X)
    companion.session.flush()
    assert "m118" in companion.session.scenario.excluded
    assert "m118" not in companion.session.scenario.pinned
    assert "m118" not in kept(companion)


def test_baseline_and_comparison(companion: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(companion, Qt.Key.Key_B)
    session = companion.session
    assert session.baseline is session.assembly
    before = kept(companion)
    drag(qtbot, child(companion, QSlider, "parameter:history_share"), 25)
    session.flush()
    action(companion, "comparison").trigger()
    model = child(companion, QTableView, "comparison_table").model()
    assert model.rowCount() >= len(kept(companion) - before) > 0


def test_export_is_what_the_command_line_says(
    companion: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answer.json"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    action(companion, "export").trigger()
    qtbot.waitUntil(lambda: companion.session.is_ready)
    exported = orjson.loads(file.read_bytes())
    action(companion, "copy_command").trigger()
    command = QGuiApplication.clipboard().text()

    words = shlex.split(command)
    done = CliRunner().invoke(group, [*words[1:], "--format", "json"])
    assert done.exit_code == 0, done.output
    answered = orjson.loads(done.stdout)
    assert answered["items"] == exported["items"]
    assert answered["ledger"] == exported["ledger"]


def test_inspection_round_trip(
    companion: MainWindow,
    opened: Callable[..., MainWindow],
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    qtbot.keyClick(companion, Qt.Key.Key_B)
    drag(qtbot, child(companion, QSlider, "parameter:history_share"), 20)
    file = tmp_path / "work.inspection.yaml"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    action(companion, "save").trigger()
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert yaml.safe_load(file.read_text())["format"] == "prompt-inspector/inspection@1"
    again = opened(file)
    assert again.session.scenario == companion.session.scenario
    assert again.session.baseline is not None
    assert kept(again) == kept(companion)


def test_turn_slider_replays(companion: MainWindow, qtbot: QtBot) -> None:
    slider = child(companion, QSlider, "turn_slider")
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    companion.session.flush()
    assert companion.session.scenario.at == slider.minimum()
    qtbot.keyClick(slider, Qt.Key.Key_End)
    companion.session.flush()
    assert companion.session.scenario.at is None


def test_opening_a_folder_of_samples_starts_with_the_first(opened: Callable[..., MainWindow]) -> None:
    window = opened(samples_folder())
    assert window.session.scenario.conversation == "harbour"
    tree = child(window, QTreeView, "workspace_tree")
    assert tree.model().rowCount() > 0


def test_a_screen_is_made_when_it_is_first_seen(companion: MainWindow, qtbot: QtBot) -> None:
    """Each of them, by the name that menus and the workspace ask for; what is made later shows the answer of now."""
    later = [one for one in companion.screens.values() if not one.at_once and one.area != "start"]
    assert not any(screen.is_made for screen in later)
    assert {"snapshots", "survival", "memories", "side_by_side", "tokenizers"} <= {screen.name for screen in later}
    for screen in later:
        companion.show_screen(screen.name)
        qtbot.waitUntil(lambda screen=screen: screen.is_made and screen.view.isVisible())
        qtbot.waitUntil(lambda: companion.session.is_ready)


def test_a_scenario_from_a_file_does_not_make_the_window_send_anything(
    opened: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    file = tmp_path / "foreign.scenario.yaml"
    file.write_text("format: prompt-inspector/scenario@1\nsummaries: endpoint\npolicy: ratio\n")
    window = opened(samples_folder() / "companion.workspace.yaml")
    with qtbot.waitSignal(window.session.problem_reported) as told:
        window.open_paths([str(samples_folder() / "companion.workspace.yaml"), str(file)])
    assert told.args is not None
    assert "nothing is sent" in str(told.args[0])
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert window.session.scenario.policy == "ratio"
    assert window.session.scenario.summaries is None


def test_choosing_a_conversation_takes_what_its_file_brings(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = opened(samples_folder())
    window.session.show_conversation("tandem-taipei")
    window.session.flush()
    parts = window.session.pipeline.case(window.session.scenario).chosen.parts
    assert parts.character is not None
    assert parts.character.id == "xiaohe"
    assert [memories.id for memories in parts.memory_sets] == ["xiaohe-remembers"]
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_choosing_what_is_in_use_leaves_no_step(
    opened: Callable[..., MainWindow], qtbot: QtBot, companion_alone: Path
) -> None:
    window = opened(companion_alone)
    session = window.session
    assert session.scenario.policy is None
    window.show_screen("side_by_side")
    window.screens["side_by_side"].view.use_requested.emit("now")
    tree = files_tree(window)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(tree.currentIndex()).center())
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.undo_stack.count() == 0


def test_dropping_a_file_opens_it(opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_bytes(orjson.dumps([{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]))
    window = opened()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file))])
    event = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert window.session.workspace.conversations[0].messages[0].content == "hello"


def test_unreadable_file_says_so_and_keeps_the_window(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "broken.json"
    file.write_text('{"messages": [')
    window = opened(file)
    assert [problem.severity for problem in window.session.workspace.problems] == ["error"]


def test_refused_shares_keep_the_last_picture(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    session.edit(set_parameters, {"memory_share": 0.9, "history_share": 0.9})
    session.flush()
    assert session.assembly is not None
    assert session.assembly.error is not None
    assert session.assembly.error.code == "shares_do_not_sum"
    action(companion, "undo").trigger()
    session.flush()
    assert session.assembly.error is None


def test_empty_window_shows_what_to_do(opened: Callable[..., MainWindow]) -> None:
    window = opened()
    texts = " ".join(label.text() for label in window.findChildren(QLabel))
    assert "Ctrl+O" in texts


def test_findings_list_shows_findings(companion: MainWindow) -> None:
    findings = child(companion, QAbstractItemView, "findings_list")
    assert findings.model().rowCount() == len(companion.session.answer.findings)  # type: ignore[union-attr]


def test_the_details_offer_what_would_keep_an_item(companion: MainWindow, qtbot: QtBot) -> None:
    assert companion.session.assembly is not None
    row = companion.session.assembly.candidates.ids.index("m118")
    companion.screens["decisions"].view.select_row(row)
    ways = companion.screens["details"].view.told.ways
    qtbot.waitUntil(lambda: len(ways.ways) > 0)
    (button, *_) = (button for button in ways.findChildren(QAbstractButton) if button.text() in ("Pin", "Try"))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    companion.session.flush()
    assert "m118" in kept(companion)
    assert companion.session.undo_stack.count() == 1


def test_changed_items_can_be_filtered(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    action(companion, "pin_baseline").trigger()
    before = session.assembly
    drag(qtbot, child(companion, QSlider, "parameter:history_share"), 20)
    session.flush()
    companion.screens["decisions"].view.set_filter("changed:yes")
    after = session.assembly
    assert before is not None
    assert after is not None
    changed = (before.action != after.action) | (before.spent != after.spent)
    assert child(companion, QTableView, "decision_table").model().rowCount() == int(changed.sum()) > 0


def _is_inside_a_combo_box(widget: QWidget) -> bool:
    parent = widget.parent()
    return parent is not None and parent.metaObject().className().startswith("QComboBox")


def test_everything_to_act_on_has_an_accessible_name(companion: MainWindow) -> None:
    kinds = (QAbstractButton, QLineEdit, QComboBox, QAbstractSlider, QAbstractSpinBox, QAbstractItemView, QTextEdit)
    inner = (QComboBox, QAbstractSpinBox, QScrollBar, QAbstractScrollArea, QDockWidget, QTabBar, QHeaderView, QLineEdit)
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in companion.findChildren(QWidget)
        if isinstance(widget, kinds)
        and not isinstance(widget, QScrollBar | QHeaderView)
        and not isinstance(widget.parent(), inner)
        and not _is_inside_a_combo_box(widget)
        and not widget.objectName().startswith("qt_")
        and not (widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))
    ]
    assert nameless == []


def test_showing_a_smaller_window_changes_no_share(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    session.edit(set_value, "preset", "long-chat")
    session.flush()
    wanted = {"memory_share": 0.25, "reserve_share": 0.15}
    session.edit(set_parameters, wanted)
    session.edit(use_window, 9000)
    session.flush()
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.scenario.parameters == wanted


def test_a_policy_side_by_side_is_used_as_asked(companion: MainWindow, qtbot: QtBot) -> None:
    companion.show_screen("side_by_side")
    table = child(companion, QTableView, "side_by_side_table")
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)
    companion.screens["side_by_side"].view.use_requested.emit("policy:slots")
    companion.session.flush()
    assert companion.session.scenario.policy == "slots"
    assert companion.session.assembly is not None
    assert companion.session.assembly.error is None
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_text_size_and_theme_are_remembered(qtbot: QtBot, qapp: QApplication) -> None:
    size = qapp.font().pointSizeF()
    for expected in (size + 1, size + 2):
        window = open_window([], state=WindowState())
        action(window, "zoom_in").trigger()
        action(window, "theme_dark").trigger()
        assert qapp.font().pointSizeF() == expected
        window.close()
        font = qapp.font()
        font.setPointSizeF(size)
        qapp.setFont(font)
    last = open_window([], state=WindowState())
    assert qapp.font().pointSizeF() == size + 2
    assert action(last, "theme_dark").isChecked()
    action(last, "zoom_reset").trigger()
    action(last, "theme_light").trigger()
    last.close()


def test_what_is_no_longer_used_is_collected_again_once_the_window_is_there(qtbot: QtBot) -> None:
    window = open_window([])
    qtbot.addWidget(window)
    assert gc.isenabled()


def test_a_row_of_the_answer_before_selects_nothing(companion: MainWindow, qtbot: QtBot) -> None:
    """A table that shows the answer of before for a moment was clicked."""
    assert companion.session.assembly is not None
    companion.select(2)
    companion.select(len(companion.session.assembly.candidates))
    assert companion.row == 2
    companion.show_screen("details")
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_a_measured_answer_may_come_while_a_refused_scenario_is_on_its_way(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    session.edit(use_window, 3_000)
    session.edit(use_tokenizer, "nobody:knows")
    assert session.answer is not None
    with qtbot.captureExceptions() as exceptions:
        session.take_measured(session.answer, session.answer.ledger)
    assert exceptions == []
    qtbot.waitUntil(lambda: session.is_ready)
    assert "nobody:knows" in session.trouble


def test_a_conversation_can_be_chosen_while_the_scenario_is_refused(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened(samples_folder())
    session = window.session
    session.edit(compare_by, "feeling")
    session.flush()
    with qtbot.captureExceptions() as exceptions:
        window.session.show_conversation("tandem-taipei")
    assert exceptions == []
    assert session.scenario.conversation == "tandem-taipei"
    qtbot.waitUntil(lambda: session.is_ready)


def test_a_damaged_cache_that_was_begun_anew_is_said_in_the_status_line_and_is_no_error(
    opened: Callable[..., MainWindow],
) -> None:
    place = cache_file()
    place.parent.mkdir(parents=True)
    place.write_bytes(b"this is not a database, it is a text" * 100)
    window = opened(samples_folder() / "companion.workspace.yaml")
    assert "The cache of counts was corrupt" in window.statusBar().currentMessage()
    assert window.findChild(Banner) is None


def test_a_cache_that_cannot_be_used_is_said_in_the_banner(opened: Callable[..., MainWindow]) -> None:
    cache_file().mkdir(parents=True)
    window = opened(samples_folder() / "companion.workspace.yaml")
    banner = window.findChild(Banner)
    assert banner is not None
    assert banner.isVisible()
    assert "Counts are not kept" in banner.sentence


def test_the_status_line_ends_a_message_before_what_stands_at_its_right(companion: MainWindow) -> None:
    line = companion.statusBar()
    assert isinstance(line, StatusLine)
    line.say("H" * 400)
    labels = [label for label in line.findChildren(QLabel) if label.isVisible() and label.text()]
    first, image, ground = min(label.x() for label in labels), line.grab().toImage(), line.palette().window().color()
    ink = [
        QPoint(x, y)
        for x in range(first)
        for y in range(4, line.height() - 4)
        if abs(image.pixelColor(x, y).lightness() - ground.lightness()) > 40
    ]
    end = max(point.x() for point in ink)
    assert first - 4 * GAP < end < first - GAP
    letters, dots = ({point.y() for point in ink if ends <= point.x()} for ends in (0, end - 4))
    assert min(dots) > min(letters) + line.fontMetrics().xHeight() // 2, "a letter is cut, and no dots follow"
    assert max(label.geometry().right() for label in labels) < line.width() - GAP


def test_every_field_says_why_it_takes_no_figure_that_is_out_of_its_range(companion: MainWindow) -> None:
    fields = [
        field
        for screen in companion.screens.values()
        for kind in (WholeField, RealField)
        for field in screen.view.findChildren(kind)
    ]
    assert {field.objectName() for field in fields} > {"context_window", "summary_tokens", "recommend_reply"}
    silent = [field.objectName() for field in fields if not field.receivers(SIGNAL("refused(QString)"))]
    assert silent == []
    for name, where in (("context_window", "window_complaint"), ("lore_settings:depth", "lore_settings:complaint")):
        field, line = child(companion, WholeField, name), child(companion, QLabel, where)
        said, shown = line.text(), field.text()
        for typed in ("-5", shown.split()[0]):
            field.selectAll()
            QTest.keyClicks(field, typed)
            QTest.keyClick(field, Qt.Key.Key_Return)
            assert field.text() == shown
            assert line.text().startswith("-5 is not within" if typed == "-5" else said), name


def test_a_message_in_the_status_line_is_painted_from_its_first_letter(companion: MainWindow, qtbot: QtBot) -> None:
    line, screen = companion.statusBar(), companion.screen()
    assert isinstance(line, StatusLine)

    def seen() -> QImage:
        """What is on the screen: a picture of the widget alone would be painted anew."""
        corner = line.mapTo(companion, QPoint())
        size = line.size()
        return screen.grabWindow(companion.winId(), corner.x(), corner.y(), size.width() // 2, size.height()).toImage()

    for message in ("Open the first file", "M is wide", "Open the first file"):
        line.say(message)
        QApplication.processEvents()
        anew = line.grab(QRect(0, 0, line.width() // 2, line.height())).toImage()
        assert seen() == anew.convertToFormat(seen().format()), message


def test_what_the_status_line_has_no_room_for_its_tip_has(companion: MainWindow) -> None:
    line = companion.statusBar()
    assert isinstance(line, StatusLine)
    message = "Unsaved changes of <b>samples</b> are kept: File ▸ Recover"
    line.say(message)
    assert as_shown(line.toolTip()) == line.currentMessage() == message
    line.clearMessage()
    assert line.toolTip() == ""
