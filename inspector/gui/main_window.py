"""The main window: it tells the screens about changes, and serves their requests as their host."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QChildEvent, QEvent, QSize, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow

from inspector.assembly.answer import Answer
from inspector.derived import cached_property
from inspector.gui.commands.exporting import Exporting
from inspector.gui.commands.file_commands import FileCommands
from inspector.gui.commands.recording import Recording
from inspector.gui.commands.reloading import Reloading
from inspector.gui.commands.window_commands import WindowCommands
from inspector.gui.help.guide import Guide
from inspector.gui.parts.focus_ring import KeyboardFocus
from inspector.gui.parts.texts import window_title
from inspector.gui.remembered.appearance import Appearance
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.gui.remembered.remembered_columns import LatelyUsed, RememberedColumns
from inspector.gui.remembered.window_state import FittingDialogs, WindowState, fitted, on_screen, rectangle_of
from inspector.gui.saving.autosaving import Autosaving
from inspector.gui.saving.unsaved_dialog import UnsavedDialog
from inspector.gui.screens import screen_classes
from inspector.gui.screens.screen import Controls, Screen
from inspector.gui.session.session import Session
from inspector.gui.session.turns import Turns
from inspector.gui.session.undo import YieldingUndo
from inspector.gui.tasks import FrameTimer
from inspector.gui.window.actions import PAGES, is_yielding, make_actions, menu_named, yielding_action
from inspector.gui.window.arrangement import WITHOUT_CHROME, Arrangement
from inspector.gui.window.beginning import Beginning
from inspector.gui.window.status import Notices, StatusLine
from inspector.gui.window.tool_bar import ToolBar

if TYPE_CHECKING:
    from inspector.gui.commands.dropping import Dropping
    from inspector.gui.session.looking import Looking
    from inspector.retrieval.search.find import Group, Search

MINIMUM_SIZE = QSize(720, 440)
FIRST_SIZE = QSize(1600, 1000)
DETAILS_MILLISECONDS = 100
MESSAGE_MILLISECONDS = 8000
NAMED_IN_TITLE = 3


class MainWindow(QMainWindow):
    """A window on a session, and the `Host` of its screens, none of which it knows by class."""

    def __init__(self, session: Session, state: WindowState | None = None, autosaves: bool = False) -> None:
        super().__init__()
        self.session = session
        self.row: int | None = None
        self.summary = 0
        self._was_shown = self._has_new_files = False
        self.used = LatelyUsed(state)
        self.columns = RememberedColumns(state)
        self.state = state
        session.setParent(self)
        self.turns = Turns(session, self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self._fitting = FittingDialogs(self)
        self.setMinimumSize(fitted(MINIMUM_SIZE, self.screen()))
        self.resize(fitted(FIRST_SIZE, self.screen()))
        self._status = StatusLine(self)
        self.setStatusBar(self._status)
        self._details = FrameTimer(self._show_details, self, DETAILS_MILLISECONDS)
        self.keyboard = KeyboardFocus(self)
        self.screens: dict[str, Screen] = {kind.name: kind(self, self) for kind in screen_classes()}
        self._arrangement = Arrangement(self, self.screens, lambda screen: screen.tell(screen.show_details))
        start = self.screens["start"]
        self._beginning = Beginning(session, self._arrangement, self._status, start, self._go_to_perspective)
        self._make_actions()
        self._notices = Notices(self, self, self._arrangement.notices)
        self._files.solved.connect(self._notices.take_back)
        self._reloading = Reloading(self, self)
        self._connect()
        self._refresh_actions()
        self._autosaving = self._make_autosaving() if autosaves else None
        self._show_title()
        if state is not None:
            self._restore(state)
        self._appearance.restore(self._actions)

    def start(
        self,
        paths: Sequence[str],
        scenario_file: str | None = None,
        repairs: frozenset[str] = frozenset(),
        tour: str | None = None,
    ) -> None:
        """Open files and folders, or give a tour; without any, reopen the last work if it was autosaved."""
        if tour is None:
            self._files.open_paths(paths, scenario_file, repairs)
        else:
            self._files.open_tour(tour)
        if self._autosaving is not None:
            self._autosaving.start(restore=not paths and tour is None)
        self._beginning.show()

    def open_paths(self, paths: Sequence[str], scenario_file: str | None = None) -> None:
        """Open files and folders in place of the open ones."""
        self._files.open_paths(paths, scenario_file)

    def give_tour(self, path: str) -> None:
        """Open the files of a tour and start it."""
        self._files.open_tour(path)

    def select(self, row: int | None) -> None:
        """Select a row of the candidates, or of a summary of the program after them, everywhere; no item for None.

        A row beyond the answer was clicked in a table that still shows the previous answer, and is ignored.
        """
        answer = self.session.answer
        if row is not None and (answer is None or row >= len(answer.assembly.listed)):
            return
        beyond = -1 if row is None or answer is None else row - len(answer.assembly.candidates)
        self.row, self.summary = (row, 0) if beyond < 0 else (None, beyond + 1)
        for screen in self._made_screens():
            if screen.is_visible or screen.keeps_selection:
                screen.tell(screen.show_row)
        self._commands.refresh(self._actions)

    def begin_with(self, perspective: str | None, page: str | None) -> None:
        """Show a perspective and a page now, and once more when files are opened, which may bring a layout."""

        def show() -> None:
            if perspective is not None:
                self._arrangement.switch(perspective)
            if page is not None:
                self.show_screen(page)

        show()
        self.session.opened.connect(lambda _: show(), Qt.ConnectionType.SingleShotConnection)

    def show_screen(self, name: str) -> None:
        """Bring a screen to the front, in this perspective if it has the screen, else in the first that has."""
        self._arrangement.show(name)

    def enter_screen(self, name: str) -> None:
        """Bring a screen to the front and move the focus into it."""
        self._arrangement.enter(name)

    def filter_items(self, text: str) -> None:
        """Also require items to match this filter line."""
        for screen in self._made_screens():
            screen.tell(screen.filter_items, text)

    @property
    def unsaved(self) -> Sequence[tuple[str, float]]:
        """The titles of unsaved work not open in any window, with the times in seconds, newest first."""
        return [(work.title, work.time) for work in self._autosaving.works] if self._autosaving is not None else []

    def recover(self) -> None:
        """Open the newest unsaved work in place of the open files."""
        if self._autosaving is not None and self._autosaving.works:
            self._autosaving.recover(self._autosaving.works[0])

    def go_to(self, group: "Group", words: tuple[str, ...]) -> None:
        """Open the conversation of a match, select the item of its first place, and mark the words in its text."""
        from inspector.gui.search.going import go_to

        go_to(self, group.holder, group.places[0], words)

    @property
    def looking(self) -> "Looking":
        """The figures of all open chats, as far as they are known."""
        return self._looking

    @cached_property
    def _looking(self) -> "Looking":
        """Made for the first list of chats."""
        from inspector.gui.session.looking import Looking

        return Looking(self.session, self)

    @property
    def searching(self) -> "Search":
        """The search over everything open; the first use starts its index."""
        return self._guide.indexing.search()

    def give_keyboard(self, name: str) -> None:
        """Move the focus to the selected item in the table of a screen, if visible."""
        screen = self.screens[name]
        if screen.is_visible:
            screen.tell(screen.take_keyboard)

    def mark_words(self, words: tuple[str, ...]) -> None:
        """Mark these words in the text of the selected item."""
        for screen in self._made_screens():
            screen.tell(screen.mark_words, words)

    def turn_filter(self, text: str) -> None:
        """Add a line to the filter, or remove it if it is already there."""
        for screen in self._made_screens():
            screen.tell(screen.turn_filter, text)

    def light(self, part: str) -> None:
        """Light a part of the bar, by its word, with everything that belongs to it elsewhere; "" for none."""
        for screen in self._made_screens():
            if screen.is_visible:
                screen.tell(screen.light, part)

    def do(self, action: str) -> None:
        """Trigger a declared menu action by name."""
        self._actions[action].trigger()

    def say(self, message: str) -> None:
        """Show a message in the status line."""
        self._status.say(message, MESSAGE_MILLISECONDS)

    def _make_actions(self) -> None:
        """Make every declared action with its function, from the window or from the screen that it belongs to."""
        self._files = FileCommands(self, self, self._arrangement, self.state)
        self._commands = WindowCommands(self, self)
        self._recording = Recording(self, self, self._files)
        self._recording.told.connect(self._status.show_recording)
        self._appearance = Appearance(self.state, self)
        shown = {name: self.screens[name] for name in self._arrangement.names}
        self._guide = Guide(self, self, shown)
        slots: dict[str, Callable[[], object]] = {
            **{name: partial(self.show_screen, name) for name in self._arrangement.names},
            **{name: partial(self._go_to_perspective, name) for name in PERSPECTIVES},
            "quit": self.close,
            "recover": self._show_unsaved,
            "reset_layout": self._arrangement.reset,
            "left_column": partial(self._arrangement.turn_column, "left"),
            "right_column": partial(self._arrangement.turn_column, "right"),
            "full_screen": self._present_on_whole_screen,
        }
        exporting = Exporting(self, self, self._files.write_as)
        for part in (
            self._files,
            exporting,
            self._commands,
            self._recording,
            self._appearance,
            self._guide,
            *self.screens.values(),
        ):
            slots.update(part.slots())
        self._actions = make_actions(self, slots)
        # Keys work while the menu bar is hidden. Yielding actions would take theirs from a window with the focus.
        self.addActions([action for action in self._actions.values() if not is_yielding(action)])
        self._arrangement.fill_menu(menu_named(self, PAGES))
        self._files.recent.fill(self._actions)
        self.addToolBar(ToolBar(self._actions, self))
        self._arrangement.perspective_changed.connect(self._take_perspective)
        self._actions[self._arrangement.perspective].setChecked(True)
        self._actions["recover"].setEnabled(False)

    def _take_perspective(self, name: str) -> None:
        """Mark the perspective; in the archive, where no turn is shown, none are played."""
        self._actions[name].setChecked(True)
        if name == "archive":
            self.turns.player.pause()

    def _make_autosaving(self) -> Autosaving:
        autosaving = Autosaving(self, self._files, self._arrangement, self)
        autosaving.solved.connect(self._notices.take_back)
        autosaving.changed.connect(lambda: self._actions["recover"].setEnabled(bool(autosaving.works)))
        autosaving.changed.connect(self._beginning.list_anew)
        return autosaving

    def _show_unsaved(self) -> None:
        if self._autosaving is not None:
            UnsavedDialog(self._autosaving, self).open()

    def _restore(self, state: WindowState) -> None:
        """Take the place and layout of the last window."""
        if state.place is not None:
            self.setGeometry(on_screen(state.place))
        if state.maximized:
            self.setWindowState(Qt.WindowState.WindowMaximized)
        layout = state.layout(self._arrangement.names)
        if layout is not None:
            self._arrangement.apply(layout)

    def _keep_layout(self) -> None:
        """Remember the place and layout for the next window."""
        if self.state is not None and self.isVisible():
            self.state.keep(rectangle_of(self.normalGeometry()), self.isMaximized(), self._arrangement.layout)

    def leave_present(self) -> None:
        """Return from presenting to the perspective before, and from the whole screen."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
        self._arrangement.leave_present()

    def _present_on_whole_screen(self) -> None:
        """Present on the whole screen, or return from there."""
        is_leaving = self._arrangement.perspective == WITHOUT_CHROME and self.isFullScreen()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)  # it stays maximized
        if is_leaving:
            self._arrangement.leave_present()
        else:
            self._go_to_perspective(WITHOUT_CHROME)
            self.setWindowState(self.windowState() | Qt.WindowState.WindowFullScreen)

    def _go_to_perspective(self, name: str) -> None:
        """Show a perspective, and remember it at once, since a window may be killed."""
        self._arrangement.switch(name)
        self._beginning.show(anew=True)
        self._keep_layout()

    def _connect(self) -> None:
        session, status = self.session, self._status
        session.workspace_changed.connect(self._show_workspace)
        session.assembly_changed.connect(self._show_answer)
        session.snapshots_changed.connect(lambda: self._arrangement.show_answer(session.answer))
        session.progress_changed.connect(status.show_progress)
        session.problem_reported.connect(status.show_problem)
        session.saved_changed.connect(self._show_title)
        self._files.recent.changed.connect(self._beginning.list_anew)
        session.undo_stack.indexChanged.connect(lambda _: self._commands.refresh_steps(self._actions))
        status.cancel_requested.connect(session.cancel_work)
        QApplication.instance().focusChanged.connect(YieldingUndo(self).watch)  # type: ignore[union-attr]

    def _made_screens(self) -> Iterator[Screen]:
        return (screen for screen in self.screens.values() if screen.is_made)

    def _show_workspace(self) -> None:
        self.row, self.summary, self._has_new_files = None, 0, True
        for screen in self.screens.values():
            if screen.has_failed:
                screen.reload()
            elif screen.is_made:
                screen.tell(screen.show_workspace)
        self._beginning.show(anew=True)
        self._show_title()
        self._refresh_actions()

    def _refresh_actions(self) -> None:
        self._commands.refresh(self._actions)
        self._commands.refresh_steps(self._actions)
        self._commands.refresh_copies(self._actions)

    def _show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show an answer: at once in the views that follow the mouse, elsewhere after a short pause."""
        session = self.session
        if before is None or after is None or before.assembly.candidates.ids is not after.assembly.candidates.ids:
            self.row, self.summary = None, 0
        for screen in self._made_screens():
            screen.tell(screen.show_answer, before, after)
        self._arrangement.show_answer(after)
        self._status.show_answer(after if session.is_in_use else None, session.trouble)
        self._beginning.show()
        self._show_controls()
        self._details.request()
        session.set_drawn(not self._details.is_waiting)
        self._commands.refresh(self._actions)

    def _show_controls(self) -> None:
        controls = Controls.of(self.session)
        if controls is not None:
            for screen in self._made_screens():
                screen.tell(screen.show_controls, controls)

    def _show_details(self) -> None:
        """Update the visible screens; not in every frame while a slider moves.

        After other files were opened, hidden screens are updated once, too: they would keep the files before.
        """
        self.session.set_drawn(True)
        self._commands.refresh_copies(self._actions)
        for screen in self._made_screens():
            if screen.is_visible or self._has_new_files:
                screen.tell(screen.show_details)
        self._has_new_files = False

    def _show_title(self) -> None:
        """Name the inspection, which Ctrl+S writes, or else the open files."""
        session = self.session
        paths = (str(session.saved.file),) if session.saved else session.paths
        names = ", ".join(Path(path).name for path in paths[:NAMED_IN_TITLE])
        more = len(paths) - NAMED_IN_TITLE
        self.setWindowTitle(f"{window_title(names)}{f' and {more} more' if more > 0 else ''}[*]" if names else "[*]")
        self.setWindowModified(self.session.is_modified)

    def childEvent(self, event: QChildEvent) -> None:
        """Fit dialogs to the screen: Qt would show its own higher than that."""
        super().childEvent(event)
        if event.polished() and isinstance(event.child(), QDialog):
            event.child().installEventFilter(self._fitting)

    def showEvent(self, event: QShowEvent) -> None:
        """Give no field the focus when the window is first shown."""
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.setFocus()  # Qt would focus the filter, and chats would be pasted there
            self._arrangement.focus_start()

    def changeEvent(self, event: QEvent) -> None:
        """Look again for unsaved work to offer on the start page: another window may have been killed meanwhile."""
        super().changeEvent(event)
        if event.type() != QEvent.Type.ActivationChange or not self._was_shown or not self.isActiveWindow():
            return
        if self._autosaving is not None and self._arrangement.shows_start:
            self._autosaving.look()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Trigger a yielding action for an otherwise unused key; Esc opens no details where there are none."""
        action, is_escape = yielding_action(self._actions.values(), event), event.key() == Qt.Key.Key_Escape
        if is_escape and self._arrangement.perspective == WITHOUT_CHROME:
            self.leave_present()
        elif is_escape and self._arrangement.perspective not in self.screens["details"].perspectives:
            self.select(None)
        elif action is None:
            super().keyPressEvent(event)
        else:
            action.trigger()

    @cached_property
    def _dropping(self) -> "Dropping":
        from inspector.gui.commands.dropping import Dropping

        return Dropping(self, self.session, self._files)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._dropping.show(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show the effect again, because Shift may have changed."""
        self._dropping.show(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._dropping.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self._dropping.drop(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work and remember the layout. Failed writing keeps the window open, once."""
        is_written = self.session.tasks.finish_writing()
        if not is_written or (self._autosaving is not None and not self._autosaving.finish()):
            event.ignore()
            return
        self._keep_layout()
        self._recording.close()
        self.session.close()
        super().closeEvent(event)
