"""Text size and theme reach everything at once: what is open looks as it does in a window that is opened afterwards."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QAction, QFont, QIcon, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget, QLabel, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.palettes import DARK, contrast
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.remembered.appearance import THEMES
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import ThemeName, apply_theme, set_font
from inspector.resources import samples_folder

Look = tuple[float, int, tuple[str, ...], str]
_Role = QPalette.ColorRole
ROLES = (_Role.Window, _Role.WindowText, _Role.Base, _Role.Text, _Role.Button, _Role.ButtonText, _Role.Highlight)


@pytest.fixture
def usual_look(qapp: QApplication) -> Iterator[None]:
    """What a test changed of the application is as it was before, also where the test failed."""
    font = QFont(qapp.font())
    yield
    set_font(qapp, font)
    apply_theme(qapp, "light")


def do(window: MainWindow, *names: str) -> None:
    for name in names:
        action = window.findChild(QAction, f"action:{name}")
        assert isinstance(action, QAction), name
        action.trigger()
    QApplication.processEvents()


def look_everywhere(window: MainWindow, qtbot: QtBot) -> None:
    """See every screen once, so that all of them are made."""
    for name in window.screens:
        window.show_screen(name)
        QApplication.processEvents()
    do(window, "inspect")
    qtbot.waitUntil(lambda: is_settled(window))


def is_settled(window: MainWindow) -> bool:
    """Whether nothing that is in sight has still to be asked for or made."""
    session = window.session
    waits = any(view.is_in_sight and view.is_waiting for view in window.findChildren(AskingView))
    return session.is_ready and not session.tasks.is_running() and not waits


def looks(window: MainWindow, qtbot: QtBot) -> set[tuple[str, Look]]:
    """The looks of everything that is seen in a perspective with each of its docks in front, by where it is."""
    found: set[tuple[str, Look]] = set()
    for perspective in PERSPECTIVES:
        do(window, perspective)
        docks = [name for name, dock in docks_of(window).items() if not dock.isHidden()]
        for name in docks or [""]:
            if name:
                window.show_screen(name)
            QApplication.processEvents()  # only what was laid out is in sight
            qtbot.waitUntil(lambda: is_settled(window))
            QApplication.processEvents()
            # What is behind another tab is visible to Qt, and is not made before somebody sees it.
            unseen = [view for view in window.findChildren(AskingView) if not view.is_in_sight]
            hidden = {part for view in unseen for part in (view, *view.findChildren(QWidget))}
            parts = {window, *window.findChildren(QWidget)} - hidden
            found |= {(path(part), look(part)) for part in parts if part.isVisible() and is_text(part)}
    return found


def docks_of(window: MainWindow) -> dict[str, QDockWidget]:
    return {dock.objectName().removesuffix("_dock"): dock for dock in window.findChildren(QDockWidget)}


def is_text(part: QWidget) -> bool:
    """Qt's own containers show nothing, a viewport is painted by its view, and a label may be empty."""
    return not (part.objectName().startswith("qt_") or (isinstance(part, QLabel) and not part.text()))


def look(part: QWidget) -> Look:
    palette, font = part.palette(), part.font()
    colors = tuple(palette.color(role).name() for role in ROLES)
    return round(font.pointSizeF(), 1), font.weight(), colors, part.styleSheet()


def path(part: QWidget) -> str:
    parent = part.parentWidget()
    here = part.objectName() or type(part).__name__
    return f"{path(parent)}/{here}" if parent is not None else here


def test_what_is_open_looks_as_if_it_were_opened_now(
    opened: Callable[..., MainWindow], qtbot: QtBot, usual_look: None
) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml")
    look_everywhere(window, qtbot)
    do(window, "zoom_in", "zoom_in", "zoom_in", "theme_dark")
    now = looks(window, qtbot)
    qtbot.waitUntil(lambda: window.session.is_ready)
    fresh = opened(samples_folder() / "companion.workspace.yaml")
    look_everywhere(fresh, qtbot)
    then = looks(fresh, qtbot)
    assert len(now) > 150
    assert sorted(now ^ then)[:4] == []
    qtbot.waitUntil(lambda: fresh.session.is_ready)


def test_there_and_back_is_as_it_was(companion: MainWindow, qtbot: QtBot, usual_look: None) -> None:
    before = looks(companion, qtbot)
    do(companion, "zoom_in", "theme_dark", "zoom_in")
    assert looks(companion, qtbot) != before
    do(companion, "theme_light", "zoom_reset")
    seen = {name for name, _ in before}
    assert {(name, look) for name, look in looks(companion, qtbot) if name in seen} <= before
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_rows_grow_with_the_text(companion: MainWindow, usual_look: None) -> None:
    do(companion, *["zoom_in"] * 8)
    companion.show_screen("sources")  # which large text leaves no room for at first
    QApplication.processEvents()
    tables = [
        table for table in companion.findChildren(ArrayTableView) if table.isVisible() and table.model().rowCount()
    ]
    trees = [tree for tree in companion.findChildren(QTreeView) if tree.isVisible()]
    assert tables
    assert trees
    for table in tables:
        assert table.rowHeight(0) >= table.fontMetrics().height() + 4 > 24
    for tree in trees:
        assert tree.visualRect(tree.model().index(0, 0)).height() >= tree.fontMetrics().height() + 4
    do(companion, "zoom_reset")
    assert {table.rowHeight(0) for table in tables} == {26}


def test_one_theme_is_chosen_as_one_of_three(companion: MainWindow, usual_look: None) -> None:
    def themes() -> list[bool]:
        names = ("theme_system", "theme_light", "theme_dark")
        actions = [companion.findChild(QAction, f"action:{name}") for name in names]
        groups = {action.actionGroup() for action in actions if isinstance(action, QAction)}
        assert len(groups) == 1
        assert all(group.isExclusive() for group in groups), "radio items, not boxes to tick"
        return [isinstance(action, QAction) and action.isChecked() for action in actions]

    do(companion, "theme_dark", "theme_dark")
    assert themes() == [False, False, True]
    do(companion, "theme_light")
    assert themes() == [False, True, False]


def test_the_buttons_of_docks_can_be_seen_in_the_dark(companion: MainWindow, usual_look: None) -> None:
    do(companion, "theme_dark")
    for dock in docks_of(companion).values():
        for name in ("qt_dockwidget_closebutton", "qt_dockwidget_floatbutton"):
            button = dock.findChild(QAbstractButton, name)
            assert isinstance(button, QAbstractButton)
            assert contrast_of(button.icon()) >= 3


def contrast_of(icon: QIcon) -> float:
    """The contrast of what an icon draws with a dark window."""
    image = icon.pixmap(12, 12).toImage()
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    inks = [image.pixelColor(*place) for place in places if image.pixelColor(*place).alpha() > 200]
    assert inks
    return min(contrast(ink, DARK.window) for ink in inks)


@pytest.mark.parametrize("asked", ["dark", "light"])
def test_a_theme_that_is_asked_for_at_the_start_is_the_one_that_is_checked_and_no_setting(
    opened: Callable[..., MainWindow], qapp: QApplication, usual_look: None, asked: ThemeName
) -> None:
    state = WindowState()
    apply_theme(qapp, asked)
    window = opened(state=state)
    actions = {name: window.findChild(QAction, f"action:theme_{name}") for name in THEMES}
    assert [name for name, action in actions.items() if action and action.isChecked()] == [asked]
    window._keep_layout()
    assert WindowState().theme == "system"
    do(window, "theme_light")
    assert WindowState().theme == "light"


def test_compact_rows_are_lower_in_every_table_and_remembered(opened: Callable[..., MainWindow]) -> None:
    window = opened(state=WindowState())
    table = window.screens["decisions"].view.table
    action = window.findChild(QAction, "action:compact_rows")
    assert action is not None
    usual = table.rowHeight(0) if table.model().rowCount() else table.verticalHeader().defaultSectionSize()
    assert not action.isChecked()
    action.trigger()
    assert action.isChecked()
    assert table.verticalHeader().defaultSectionSize() < usual
    again = opened(state=WindowState())
    other = again.findChild(QAction, "action:compact_rows")
    assert other is not None
    assert other.isChecked()
    other.trigger()
    assert table.verticalHeader().defaultSectionSize() == usual
    assert not WindowState().compact
