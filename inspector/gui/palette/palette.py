"""The command palette: gathers everything possible now, and carries out the choice."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from inspector.assembly.edits import use_model
from inspector.assembly.side_choice import NOW, SideChoice
from inspector.gui.palette.entries import (
    Target,
    conversation_entries,
    entry,
    model_entries,
    policy_entries,
    preset_entries,
    snapshot_entries,
)
from inspector.gui.parts.choice_model import ChoiceColumn
from inspector.gui.parts.choices import Choice, lately_first
from inspector.gui.parts.chooser import Chooser
from inspector.gui.parts.texts import words_of_control
from inspector.gui.screens.screen import Host, Screen
from inspector.gui.theme import UNIT
from inspector.gui.window.actions import WHY_NOT, keys_text, menu_actions

WIDTH = 240 * UNIT
COLUMNS = (
    ChoiceColumn("Name"),
    ChoiceColumn("About", 48),
    ChoiceColumn("Keys", 12, least=12),
    ChoiceColumn("Kind", 12, least=12),
)


class CommandPalette(QObject):
    """A box for commands, pages, policies, presets, models, snapshots and chats. `screens` are the pages and columns.

    Every entry has the effect of its menu, tab or control.
    """

    def __init__(self, window: QMainWindow, host: Host, screens: Mapping[str, Screen]) -> None:
        super().__init__(window)
        self._window, self._host, self._screens = window, host, screens
        self._actions: dict[str, QAction] = {}
        words = "Find a command, page, policy, preset, model or conversation"
        self._chooser = Chooser("palette", words, COLUMNS, window)
        self._chooser.chosen.connect(self._do)

    def open(self) -> None:
        """Show the box, empty, with recent choices on top."""
        window = self._window
        top = window.menuBar().height()
        place = QRect((window.width() - WIDTH) // 2, top + UNIT, WIDTH, 0)
        self._chooser.open_over(window, place, lately_first(self.entries(), self._host.used.keys))

    def entries(self) -> Sequence[Choice]:
        """Return all entries, commands first and conversations last."""
        given = self._host.session.pipeline.choices
        return [
            *self._commands(),
            *(
                entry(Target("Page", name), screen.title, ", ".join(screen.perspectives).capitalize())
                for name, screen in self._screens.items()
            ),
            *policy_entries(given.policies),
            *preset_entries(given.presets),
            *model_entries(given.models.rows),
            *snapshot_entries(self._host.session.snapshots),
            *conversation_entries(self._host.session.workspace.conversations),
        ]

    def _commands(self) -> Iterator[Choice]:
        """Yield the menu entries except pages, which have entries of their own."""
        self._actions.clear()
        for menu, action in menu_actions(self._window):
            if action.objectName() == "action:palette" or action.objectName().startswith("page:"):
                continue
            title = words_of_control(action.text())
            name = action.objectName().partition(":")[2] or title
            self._actions[name] = action
            more = action.statusTip() if action.isEnabled() else action.property(WHY_NOT) or "not possible now"
            about = f"{more} · {menu}" if more else menu
            keys = keys_text(action.shortcuts()[:1])
            yield entry(Target("Command", name), title, about, keys, possible=action.isEnabled())

    def _do(self, choice: Choice) -> None:
        target, session = choice.thing, self._host.session
        assert isinstance(target, Target)
        self._host.used.add(choice.key)
        if target.kind == "Command":
            self._actions[target.name].trigger()
        elif target.kind == "Page":
            self._host.enter_screen(target.name)
        elif target.kind == "Policy":
            session.use_policy(target.name)
        elif target.kind == "Preset":
            session.use_policy(target.policy, target.name)
        elif target.kind in ("Snapshot", "Comparison"):
            self._use_snapshot(target)
        elif target.kind == "Model":
            session.edit(use_model, target.name)
        else:
            session.show_conversation(target.name)

    def _use_snapshot(self, target: Target) -> None:
        """Restore a snapshot or compare with it, as its panel does."""
        from inspector.gui.screens.snapshots.view import SnapshotsView

        session = self._host.session
        if target.kind == "Comparison":
            session.compared.compare(SideChoice("snapshot", target.name), NOW)
            self._host.show_screen("changes")
            return
        self._host.show_screen("snapshots")
        view = self._window.findChild(SnapshotsView)
        if view is not None:
            view.choose(target.name)
            view.restore_requested.emit(target.name)
