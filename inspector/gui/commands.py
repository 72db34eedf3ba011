"""What the menu entries and intentions of the window do, each a few lines over the session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMessageBox

from inspector import __version__
from inspector.analysis.solver import CONTEXT_WINDOW
from inspector.assembly.command import command_text
from inspector.assembly.message_class import MessageClass, class_words, overridden_class
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.gui.theme import apply_theme
from inspector.retrieval.lore.settings import LoreSettings
from inspector.settings import cache_file, log_file

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow

OF_ONE_CONVERSATION = {"leaf": None, "at": None, "pinned": (), "excluded": (), "overrides": {}, "query": None}


class WindowCommands(QObject):
    """The commands of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each declared action calls, by its name."""
        window, session = self._window, self._session
        return {
            "undo": session.undo_stack.undo,
            "redo": session.undo_stack.redo,
            "copy_picture": lambda: QGuiApplication.clipboard().setPixmap(window.grab()),
            "copy_command": self.copy_command,
            "find": self._focus_filter,
            "pin": lambda: self.toggle_pins(self._selected_ids()),
            "exclude": lambda: self.toggle_exclusions(self._selected_ids()),
            "clear_marks": lambda: session.edit("Clear pins and exclusions", {"pinned": (), "excluded": ()}),
            **{name: partial(window.show_panel, name) for name in ("servers", "shootout", "tokenizers")},
            "reset": lambda: session.edit("Reset parameters", {"parameters": {}}),
            "pin_baseline": session.pin_baseline,
            "clear_baseline": session.clear_baseline,
            "swap_baseline": self._go_to_baseline,
            "comparison": lambda: window.show_panel("comparison"),
            "next_change": lambda: self._step_change(window.comparison.next_change),
            "previous_change": lambda: self._step_change(window.comparison.previous_change),
            "zoom_in": lambda: self._zoom(1),
            "zoom_out": lambda: self._zoom(-1),
            "zoom_reset": lambda: self._zoom(0),
            "theme_system": lambda: self._choose_theme("system"),
            "theme_light": lambda: self._choose_theme("light"),
            "theme_dark": lambda: self._choose_theme("dark"),
            "reset_layout": window.reset_layout,
            "explain": lambda: window.show_panel("explanation"),
            "show_log": self._show_places,
            "about": self._show_about,
        }

    def add_panel_keys(self, names: Sequence[str]) -> None:
        """Ctrl+1, Ctrl+2, … bring these panels to the front."""
        for number, name in enumerate(names, 1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number}"), self._window)
            shortcut.activated.connect(lambda name=name: self._window.show_panel(name))

    def use_policy(self, policy: str, preset: str) -> None:
        """Use a policy under a preset, with the preset's parameters."""
        chosen = None if preset == DEFAULT_PRESET else preset
        self._session.edit(f"Use {policy}", {"policy": policy, "preset": chosen, "parameters": {}})

    def set_class(self, ids: Sequence[str], chosen: MessageClass | None) -> None:
        """Take these messages for one of a class, or with None for what the file or the rules say."""
        what = "Class by file and rules" if chosen is None else f"Class {class_words(chosen)}"
        overrides = overridden_class(self._session.scenario.overrides, ids, chosen)
        self._session.edit(what, {"overrides": overrides})

    def change_lore(self, settings: LoreSettings) -> None:
        """Scan the lorebooks in another way."""
        self._session.edit("Change how lore is scanned", {"lore": settings}, "lore")

    def use_summaries(self, method: str | None) -> None:
        """Summarize in this way where the file has no summary; one that failed before is tried again."""
        self._session.pipeline.summarizing.try_again()
        self._session.edit("Choose how to summarize", {"summaries": method})

    def set_summary_tokens(self, tokens: int) -> None:
        """Let computed summaries be so long."""
        self._session.edit("Change the length of summaries", {"summary_tokens": tokens}, "summary_tokens")

    def use_tokenizer(self, name: str) -> None:
        """Count with a tokenizer."""
        self._session.edit(f"Count with {name}", {"tokenizer": name})

    def refresh(self) -> None:
        """Switch on the actions that make sense now."""
        session, actions = self._session, self._window.actions_by_name
        something, baseline = session.answer is not None, session.baseline_answer is not None
        actions["clear_baseline"].setEnabled(session.baseline_scenario is not None)
        for name in (
            "save",
            "save_workspace",
            "save_scenario",
            "export",
            "copy_command",
            "pin_baseline",
            "reload",
            "reset",
        ):
            actions[name].setEnabled(something)
        for name in ("swap_baseline", "next_change", "previous_change"):
            actions[name].setEnabled(baseline)
        for name in ("pin", "exclude"):
            actions[name].setEnabled(self._window.row is not None)
        stack = session.undo_stack
        for name, text, possible in (
            ("undo", stack.undoText(), stack.canUndo()),
            ("redo", stack.redoText(), stack.canRedo()),
        ):
            actions[name].setText(f"&{name.capitalize()}{f' “{text}”' if text else ''}")
            actions[name].setEnabled(possible)

    def copy_command(self) -> None:
        """Put the command line that gives the same assembly on the clipboard."""
        session = self._session
        QGuiApplication.clipboard().setText(command_text(session.paths, session.scenario))
        self._window.status.showMessage("The command is on the clipboard.", 8000)

    # Intentions of the widgets

    def toggle_pins(self, ids: Iterable[str]) -> None:
        """Pin these items, or unpin them if all are pinned."""
        self._toggle(list(ids), "pinned", "excluded", ("Pin", "Unpin"))

    def toggle_exclusions(self, ids: Iterable[str]) -> None:
        """Exclude these items, or include them if all are excluded."""
        self._toggle(list(ids), "excluded", "pinned", ("Exclude", "Include"))

    def go_to_turn(self, at: int | None, gesture: str) -> None:
        """Replay an earlier turn."""
        self._session.edit(f"Turn {at:,}" if at is not None else "Last turn", {"at": at}, gesture)

    def filter_segment(self, segment: str) -> None:
        """Show the items behind a segment of the bar; what belongs to no item shows where it comes from."""
        if segment in ("overhead", "reserve", "free", "over"):
            self._window.show_row(None)
            self._window.show_panel("explanation")
        else:
            self._window.decisions.set_filter(f"section:{segment}")

    def show_rows(self, rows: Sequence[int]) -> None:
        """Show these candidates in the table."""
        if rows:
            self._window.decisions.select_row(rows[0])
            self._window.show_row(rows[0])

    def change_parameter(self, name: str, value: object) -> None:
        """Give one parameter, or the context window, a value that the explanation offers."""
        if name == CONTEXT_WINDOW:
            self._session.edit(f"Context window {value:,}", {"context_window": value})
        else:
            parameters = {**self._session.scenario.parameters, name: value}
            self._session.edit(f"Change {name.replace('_', ' ')}", {"parameters": parameters})

    def choose_conversation(self, name: str) -> None:
        """Show another conversation, with what its own file brings; choosing the one that is shown changes nothing."""
        shown = self._session.pipeline.parts(self._session.scenario).conversation
        if shown is not None and shown.id == name:
            return
        own = tuple(memories.id for memories in self._session.workspace.memory_sets if memories.id == name) or None
        changes: dict[str, Any] = {"conversation": name, "character": None, "memory_sets": own, "draft": None}
        self._session.edit("Choose conversation", {**changes, **OF_ONE_CONVERSATION})

    def choose_leaf(self, conversation: str, leaf: str) -> None:
        """Show another branch of a conversation."""
        self._session.edit("Choose branch", {"conversation": conversation, **OF_ONE_CONVERSATION, "leaf": leaf})

    def choose_character(self, name: str | None) -> None:
        """Assemble with another character."""
        self._session.edit("Choose character", {"character": name})

    def choose_memory_sets(self, names: Sequence[str]) -> None:
        """Assemble with these memory sets."""
        self._session.edit("Choose memory sets", {"memory_sets": tuple(names)})

    # Inside

    def _toggle(self, ids: list[str], field: str, other: str, words: tuple[str, str]) -> None:
        if not ids:
            return
        scenario = self._session.scenario
        marked, unmarked = getattr(scenario, field), getattr(scenario, other)
        all_marked = all(name in marked for name in ids)
        kept = tuple(name for name in marked if name not in ids)
        changes = {
            field: kept if all_marked else (*kept, *ids),
            other: tuple(name for name in unmarked if name not in ids),
        }
        what = ids[0] if len(ids) == 1 else f"{len(ids):,} items"
        self._session.edit(f"{words[all_marked]} {what}", changes)

    def _selected_ids(self) -> list[str]:
        rows, answer = self._window.decisions.selected_rows(), self._session.answer
        return [answer.assembly.candidates.ids[row] for row in rows] if answer else []

    def _focus_filter(self) -> None:
        self._window.decisions.focus_filter()

    def _step_change(self, step: Callable[[], None]) -> None:
        self._window.show_panel("comparison")
        step()

    def _go_to_baseline(self) -> None:
        if self._session.baseline_answer is not None:
            self._session.show_scenario(self._session.baseline_answer.scenario, "Back to the baseline")

    def _zoom(self, steps: int) -> None:
        """Change the size of all text by one point, or with 0 back to the system's."""
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            return
        state = self._window.state
        normal = application.property("normal_point_size") or application.font().pointSizeF()
        application.setProperty("normal_point_size", normal)
        font = application.font()
        font.setPointSizeF(max(6.0, min(28.0, font.pointSizeF() + steps)) if steps else normal)
        application.setFont(font)
        if state is not None:
            state.zoom = round(font.pointSizeF() - normal)

    def restore_appearance(self) -> None:
        """Give the text the size, and the menu the check mark, that the last window was closed with."""
        state = self._window.state
        if state is not None:
            self._check_theme(state.theme)
            if steps := state.zoom:
                self._zoom(steps)

    def _choose_theme(self, name: str) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, name)  # type: ignore[arg-type]
        if self._window.state is not None:
            self._window.state.theme = name
        self._check_theme(name)

    def _check_theme(self, name: str) -> None:
        for other in ("system", "light", "dark"):
            self._window.actions_by_name[f"theme_{other}"].setChecked(other == name)

    def _show_places(self) -> None:
        text = f"Counts are cached in {cache_file()}\nThe log is {log_file()}"
        self._box("Cache and log", text)

    def _show_about(self) -> None:
        text = f"Prompt Inspector {__version__}\n\nSee what policies keep, summarize and drop, to the token."
        self._box("About Prompt Inspector", text)

    def _box(self, title: str, text: str) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Ok, self._window)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()
