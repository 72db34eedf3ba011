"""The menu commands of the window as a whole, and which of them are enabled."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMainWindow, QMessageBox

from inspector import __version__, secrets
from inspector.assembly.edits import clear_marks, reset_parameters
from inspector.derived import cached_property
from inspector.gui.commands.exporting import EXPORTS
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.screens.screen import Host
from inspector.gui.session.copied_command import copy_command
from inspector.gui.window.actions import NOTHING_OPEN, WHY_NOT, allow, copy_action
from inspector.pages.snippets import SYSTEMS, refusals
from inspector.settings import cache_file, log_file

if TYPE_CHECKING:
    from inspector.gui.servers.dialog import ServersDialog

OF_AN_ANSWER = (
    *("save_workspace", "save_scenario"),
    *EXPORTS,
    "copy_command",
    "pin_baseline",
    "reload",
    "reset",
    "keep_snapshot",
    "next_change",
    "previous_change",
    *("comparison", "recorded", "snapshots", "shootout", "tokenizers", "recommend"),
    *("find", "totals", "choose_chat", "play", "next_drop", "clear_marks"),
)
OF_A_WORKSPACE = ("left_column", "right_column", "present", "full_screen")


class WindowCommands(QObject):
    """The commands of the menus Edit, Prompt, Compare and Help."""

    def __init__(self, window: QMainWindow, host: Host) -> None:
        super().__init__(window)
        self._window, self._host, self._session = window, host, host.session

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return the functions of the declared actions, by name."""
        session = self._session
        return {
            "undo": session.undo_stack.undo,
            "redo": session.undo_stack.redo,
            "copy_picture": lambda: QGuiApplication.clipboard().setPixmap(self._window.grab()),
            "copy_command": lambda: self._host.say(copy_command(session, session.scenario)),
            "clear_marks": partial(session.edit, clear_marks),
            "reset": partial(session.edit, reset_parameters),
            "update_models": self._update_models,
            "pin_baseline": session.pin_baseline,
            "clear_baseline": session.clear_baseline,
            "swap": session.swap_baseline,
            "servers": lambda: self._servers.open_beside(),
            "reveal_secrets": self._reveal_secrets,
            "show_log": self._show_places,
            "about": self._show_about,
        }

    @cached_property
    def _servers(self) -> "ServersDialog":
        """Made when first opened."""
        from inspector.gui.servers.dialog import ServersDialog

        return ServersDialog(self._session, self._host.columns, self._window)

    def refresh(self, actions: Mapping[str, QAction]) -> None:
        """Enable the actions that make sense now, but for those of the steps and of copied settings."""
        session = self._session
        for name in OF_AN_ANSWER:
            allow(actions[name], "" if session.answer and session.is_in_use else NOTHING_OPEN)
        for name in OF_A_WORKSPACE:
            allow(actions[name], "" if session.is_anything_open else NOTHING_OPEN)
        actions["swap"].setEnabled(session.baseline_answer is not None)
        actions["clear_baseline"].setEnabled(session.baseline_scenario is not None)
        for name in ("pin", "exclude", "must_survive", "need", "note"):
            actions[name].setEnabled(self._host.row is not None)

    def refresh_steps(self, actions: Mapping[str, QAction]) -> None:
        """Name the steps that can be undone and redone."""
        stack = self._session.undo_stack
        for name, text, possible in (
            ("undo", stack.undoText(), stack.canUndo()),
            ("redo", stack.redoText(), stack.canRedo()),
        ):
            what = f" “{control_text(text)}”" if text else ""
            actions[name].setText(f"&{name.capitalize()}{what}")
            actions[name].setToolTip(tooltip(text))  # otherwise Qt derives one from the menu text
            actions[name].setEnabled(possible)
            actions[name].setProperty(WHY_NOT, f"There is nothing to {name}.")

    def refresh_copies(self, actions: Mapping[str, QAction]) -> None:
        """Enable copying the settings for each system that has them: for every one, they are written to find out."""
        case = self._session.answer.case if self._session.answer and self._session.is_in_use else None
        why_not = dict.fromkeys(SYSTEMS, NOTHING_OPEN) if case is None else refusals(case)
        for system in SYSTEMS:
            allow(actions[copy_action(system)], why_not.get(system, ""))

    def _update_models(self) -> None:
        from inspector.gui.commands.model_table import update_models  # not needed for the first picture

        update_models(self._window, self._host, self._box)

    def _reveal_secrets(self) -> None:
        """Show the secrets of the files, or mask them again."""
        secrets.reveal(not secrets.are_revealed())
        self._session.show_again()

    def _show_places(self) -> None:
        text = f"Counts are cached in {cache_file()}\nThe log is {log_file()}"
        self._box("Cache and log", text)

    def _show_about(self) -> None:
        text = f"Prompt Inspector {__version__}\n\nSee what policies keep, summarize and drop, to the token."
        self._box("About Prompt Inspector", text)

    def _box(self, title: str, text: str) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Ok, self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()
