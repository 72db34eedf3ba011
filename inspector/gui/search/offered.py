"""What the box offers: the entries possible now, and the way to do what was chosen."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from inspector.assembly.edits import use_model
from inspector.assembly.numbers import numbered
from inspector.assembly.policy import parameters_of
from inspector.assembly.side_choice import NOW, SideChoice
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.texts import words_of_control
from inspector.gui.screens.screen import Controls, Host, Screen
from inspector.gui.search.entries import (
    Target,
    conversation_entries,
    entry,
    item_entries,
    model_entries,
    policy_entries,
    preset_entries,
    setting_entries,
    snapshot_entries,
)
from inspector.gui.window.actions import WHY_NOT, keys_text, menu_actions

ITSELF = ("action:palette", "action:search")


class Offered:
    """The entries of a window. `screens` are its pages and columns.

    Every entry has the effect of its menu, tab or control.
    """

    def __init__(self, window: QMainWindow, host: Host, screens: Mapping[str, Screen]) -> None:
        self._window, self._host, self._screens = window, host, screens
        self._actions: dict[str, QAction] = {}

    def entries(self) -> Sequence[Choice]:
        """Return all entries but items, commands first and chats last."""
        session = self._host.session
        given, controls = session.pipeline.choices, Controls.of(session)
        policy = None if controls is None else controls.policy
        return [
            *self._commands(),
            *self._pages(),
            *(setting_entries(parameters_of(policy)) if policy is not None else ()),
            *policy_entries(given.policies),
            *preset_entries(given.presets, given.policies),
            *model_entries(given.models.rows),
            *snapshot_entries(session.snapshots),
            *conversation_entries(session.workspace.conversations),
        ]

    def items(self, words: str) -> Sequence[Choice]:
        """Return the items of the prompt with this number or id."""
        answer = self._host.session.answer
        return [] if answer is None else list(item_entries(answer.assembly.candidates, words))

    def _pages(self) -> Iterator[Choice]:
        for name, screen in self._screens.items():
            yield entry(Target("Page", name), screen.title, ", ".join(screen.perspectives).capitalize())

    def _commands(self) -> Iterator[Choice]:
        """Yield the menu entries except pages, which have entries of their own, and the box itself."""
        self._actions.clear()
        for menu, action in menu_actions(self._window):
            if action.objectName() in ITSELF or action.objectName().startswith("page:"):
                continue
            title = words_of_control(action.text())
            name = action.objectName().partition(":")[2] or title
            self._actions[name] = action
            more = action.statusTip() if action.isEnabled() else action.property(WHY_NOT) or "not possible now"
            about = f"{more} · {menu}" if more else menu
            keys = keys_text(action.shortcuts()[:1])
            yield entry(Target("Command", name), title, about, keys, possible=action.isEnabled())

    def do(self, choice: Choice) -> None:
        """Carry out an entry."""
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
        elif target.kind == "Model":
            session.edit(use_model, target.name)
        elif target.kind == "Chat":
            session.show_conversation(target.name)
        else:
            self._go_to(target)

    def _go_to(self, target: Target) -> None:
        """Show what is more than one step away."""
        if target.kind == "Item":
            self._show_item(target.name)
        elif target.kind == "Setting":
            self._enter_setting(target.name)
        else:
            self._use_snapshot(target)

    def _show_item(self, number: str) -> None:
        host, answer = self._host, self._host.session.answer
        row = None if answer is None else next(numbered(answer.assembly.candidates.items, number), None)
        if row is None:
            host.say(f"There is no item {number} any more.")
            return
        for screen in ("decisions", "details"):
            host.show_screen(screen)
        host.select(row)
        host.give_keyboard("decisions")

    def _enter_setting(self, name: str) -> None:
        from inspector.gui.screens.settings.view import SettingsView

        self._host.show_screen("settings")
        if (view := self._window.findChild(SettingsView)) is not None:
            view.enter(name)

    def _use_snapshot(self, target: Target) -> None:
        """Restore a snapshot or compare with it, as its page does."""
        from inspector.gui.screens.snapshots.view import SnapshotsView

        session = self._host.session
        if target.kind == "Comparison":
            session.compared.compare(SideChoice("snapshot", target.name), NOW)
            self._host.show_screen("changes")
            return
        self._host.show_screen("snapshots")
        if (view := self._window.findChild(SnapshotsView)) is not None:
            view.choose(target.name)
            view.restore_requested.emit(target.name)
