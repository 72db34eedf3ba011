"""The main window: layout, menus, and all connections between session and widgets in one place."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.compare import NO_ROW, compare
from inspector.assembly.presets import load_presets
from inspector.gui.actions import make_actions
from inspector.gui.commands import WindowCommands
from inspector.gui.file_commands import FileCommands
from inspector.gui.frame import FrameTimer
from inspector.gui.screens.budget.view import BudgetBar
from inspector.gui.screens.comparison.view import ComparisonView
from inspector.gui.screens.decisions.view import DecisionView
from inspector.gui.screens.explanation.view import Explanation
from inspector.gui.screens.findings.view import FindingsView
from inspector.gui.screens.lore.screen import LorePanel
from inspector.gui.screens.memories.screen import MemoriesPanel
from inspector.gui.screens.policy.view import PolicyPanel
from inspector.gui.screens.prompt.view import PromptPreview
from inspector.gui.screens.screen import Panel
from inspector.gui.screens.servers.screen import ServersPanel
from inspector.gui.screens.shootout.screen import ShootoutPanel
from inspector.gui.screens.summaries.screen import SummariesPanel
from inspector.gui.screens.text.view import ItemText
from inspector.gui.screens.tokenizers.screen import TokenizersPanel
from inspector.gui.screens.turns.view import TurnBar
from inspector.gui.screens.workspace.view import WorkspaceView
from inspector.gui.session import Session
from inspector.gui.status import StatusLine
from inspector.gui.window_state import WindowState
from inspector.plugins import policies

LATER_PANELS: tuple[type[Panel], ...] = (
    *(MemoriesPanel, LorePanel, SummariesPanel),
    *(ShootoutPanel, TokenizersPanel, ServersPanel),
)
"""Panels that are made when they are first shown."""

MINIMUM_SIZE = (960, 600)
PANEL_WIDTHS = {"workspace": 250, "policy": 340}
DETAILS_HEIGHT = 300
DETAILS_MILLISECONDS = 100
CHANGES_MILLISECONDS = 350


class MainWindow(QMainWindow):
    """One window on one session. Widgets emit intentions, the session changes, the widgets are shown the answer."""

    def __init__(self, session: Session, state: WindowState | None = None) -> None:
        super().__init__()
        self.session = session
        self.state = state
        self.row: int | None = None
        self.panels: dict[str, Panel] = {kind.name: kind(self) for kind in LATER_PANELS}
        session.setParent(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self.setMinimumSize(*MINIMUM_SIZE)
        self.resize(1600, 1000)
        self._details = FrameTimer(self._show_details, self, DETAILS_MILLISECONDS)
        self._changes = QTimer(self, singleShot=True, interval=CHANGES_MILLISECONDS)
        self._make_widgets()
        self._lay_out()
        self._first_layout = QByteArray(self.saveState())
        self.files = FileCommands(self)
        self.commands = WindowCommands(self)
        self.actions_by_name = make_actions(self, {**self.files.slots(), **self.commands.slots()})
        self._add_panel_toggles()
        self._connect()
        self._show_controls()
        self.commands.refresh()
        self.files.fill_recent()
        self._show_title()
        self._show_problems()
        if state is not None:
            state.restore(self)
            self.commands.restore_appearance()

    def open_paths(self, paths: Sequence[str], scenario_file: str | None = None) -> None:
        """Open files and folders in place of what is open."""
        self.files.open_paths(paths, scenario_file)

    def reset_layout(self) -> None:
        """Put every panel back to its first place."""
        self.restoreState(self._first_layout)

    def restore_layout(self, layout: str) -> None:
        """Give the panels the layout that a saved inspection holds."""
        self.restoreState(QByteArray.fromBase64(layout.encode()))

    def show_row(self, row: int | None) -> None:
        """Select a candidate everywhere."""
        self.row = row
        self._show_details()

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front."""
        dock = self.docks[name]
        dock.show()
        dock.raise_()

    def panel(self, name: str) -> Any:
        """The view of a panel that is made when it is first asked for."""
        return self.panels[name].view

    def _make_widgets(self) -> None:
        self.budget_bar = BudgetBar(self)
        self.decisions = DecisionView(self)
        self.policy_panel = PolicyPanel(self)
        self.policy_panel.set_policies(policies()[0], load_presets())
        self.workspace_view = WorkspaceView(self)
        self.explanation = Explanation(self)
        self.item_text = ItemText(self)
        self.prompt_preview = PromptPreview(self)
        self.comparison = ComparisonView(self)
        self.findings = FindingsView(self)
        self.turn_bar = TurnBar(self)
        self.status = StatusLine(self)

    def _lay_out(self) -> None:
        self.docks: dict[str, QDockWidget] = {}
        for corner, area in (
            (Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea),
            (Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea),
        ):
            self.setCorner(corner, area)
        self._add_bar("budget", self.budget_bar, Qt.ToolBarArea.TopToolBarArea)
        self._add_bar("turns", self.turn_bar, Qt.ToolBarArea.BottomToolBarArea)
        self.setStatusBar(self.status)
        self.setCentralWidget(self.decisions)
        self._add_dock("workspace", "Workspace", self.workspace_view, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._add_dock("policy", "Policy", self.policy_panel, Qt.DockWidgetArea.RightDockWidgetArea)
        below = (
            ("explanation", "Explanation", self.explanation),
            ("text", "Text", self.item_text),
            ("prompt", "Prompt", self.prompt_preview),
            ("comparison", "Comparison", self.comparison),
            ("findings", "Findings", self.findings),
            *((panel.name, panel.title, None) for panel in self.panels.values()),
        )
        for name, title, widget in below:
            dock = self._add_dock(name, title, widget, Qt.DockWidgetArea.BottomDockWidgetArea)
            if name != "explanation":
                self.tabifyDockWidget(self.docks["explanation"], dock)
            if name in self.panels:
                dock.setVisible(self.panels[name].at_hand)
        self.setTabPosition(
            Qt.DockWidgetArea.BottomDockWidgetArea, self.tabPosition(Qt.DockWidgetArea.TopDockWidgetArea)
        )
        sides = [self.docks["workspace"], self.docks["policy"]]
        self.resizeDocks(sides, list(PANEL_WIDTHS.values()), Qt.Orientation.Horizontal)
        self.resizeDocks([self.docks["explanation"]], [DETAILS_HEIGHT], Qt.Orientation.Vertical)
        self.docks["explanation"].raise_()

    def _add_bar(self, name: str, widget: QWidget, area: Qt.ToolBarArea) -> None:
        bar = QToolBar(self)
        bar.setObjectName(f"{name}_tool_bar")
        bar.setMovable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.addWidget(widget)
        self.addToolBar(area, bar)

    def _add_dock(self, name: str, title: str, widget: QWidget | None, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(f"{name}_dock")
        if widget is not None:
            dock.setWidget(widget)
        self.addDockWidget(area, dock)
        self.docks[name] = dock
        return dock

    def _add_panel_toggles(self) -> None:
        """Every panel in the View menu; Ctrl+1 … Ctrl+9 bring those below the table to the front."""
        view = self.actions_by_name["zoom_in"].associatedObjects()
        menu = next(other for other in view if other is not self)
        first = self.actions_by_name["zoom_in"]
        for dock in self.docks.values():
            menu.insertAction(first, dock.toggleViewAction())  # type: ignore[attr-defined]
        menu.insertSeparator(first)  # type: ignore[attr-defined]
        self.commands.add_panel_keys([name for name in self.docks if name not in PANEL_WIDTHS][:9])

    def _connect(self) -> None:
        """Every connection of the window."""
        session, commands = self.session, self.commands
        session.workspace_changed.connect(self._show_workspace)
        session.assembly_changed.connect(self._show_answer)
        session.progress_changed.connect(self.status.show_progress)
        session.problem_reported.connect(self.status.show_problem)
        session.saved_changed.connect(self._show_title)
        session.undo_stack.indexChanged.connect(lambda _: commands.refresh())
        self.status.cancel_requested.connect(session.cancel_work)
        self.policy_panel.changed.connect(session.edit)
        self.turn_bar.turn_changed.connect(commands.go_to_turn)
        self.budget_bar.segment_clicked.connect(commands.filter_segment)
        self.decisions.row_selected.connect(self.show_row)
        self.decisions.row_activated.connect(lambda _: self.show_panel("text"))
        self.comparison.row_selected.connect(self.select_everywhere)
        self.prompt_preview.row_selected.connect(self.select_everywhere)
        self.findings.rows_requested.connect(commands.show_rows)
        self.findings.count_changed.connect(self._show_finding_count)
        self.decisions.class_requested.connect(commands.set_class)
        for panel in (self.decisions, self.explanation):
            panel.pin_requested.connect(commands.toggle_pins)
            panel.exclude_requested.connect(commands.toggle_exclusions)
        self.explanation.show_in_prompt.connect(self._show_in_prompt)
        self.explanation.change_requested.connect(commands.change_parameter)
        self._changes.timeout.connect(self._find_changes)
        session.changes_found.connect(self.explanation.show_changes)
        self.workspace_view.conversation_chosen.connect(commands.choose_conversation)
        self.workspace_view.leaf_chosen.connect(commands.choose_leaf)
        self.workspace_view.character_chosen.connect(commands.choose_character)
        self.workspace_view.memory_sets_chosen.connect(commands.choose_memory_sets)
        self.workspace_view.panel_requested.connect(self.show_panel)
        self.workspace_view.open_requested.connect(self.files.open_files)
        self.workspace_view.sample_requested.connect(self.files.open_samples)
        for name, dock in self.docks.items():
            dock.visibilityChanged.connect(lambda visible, name=name: self._come_into_sight(name) if visible else None)

    def _show_workspace(self) -> None:
        self.row = None
        for panel in self._made_panels():
            panel.show_workspace()
        self._show_problems()
        self._show_title()
        self.commands.refresh()

    def _show_problems(self) -> None:
        """Show what is open, with the plug-ins that could not be loaded among its problems."""
        workspace = self.session.workspace
        self.workspace_view.show_workspace(replace(workspace, problems=(*policies()[1], *workspace.problems)))

    def _show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show an answer: bar, table and controls at once, the panels that can be seen after them."""
        session = self.session
        if before is None or after is None or before.assembly.candidates.ids is not after.assembly.candidates.ids:
            self.row = None
        self.budget_bar.show_answer(after, session.baseline_answer)
        self.decisions.show_answer(after)
        self._show_changed_rows()
        self.findings.show_answer(after)
        for panel in self._made_panels():
            panel.show_answer(before, after)
        self.status.show_answer(after, session.trouble)
        if not session.trouble:
            self._show_controls()
        self._details.request()
        session.set_drawn(not self._details.is_waiting)
        self.commands.refresh()

    def _show_controls(self) -> None:
        """Show the scenario in the panels that change it."""
        session = self.session
        chosen, model = session.pipeline.parts(session.scenario), session.pipeline.model(session.scenario)
        self.policy_panel.show_setting(session.scenario, session.policy, model, session.answer)
        self.turn_bar.show_turn(session.scenario.at, len(chosen.parts.messages))
        self.workspace_view.show_chosen(chosen)
        for panel in self._made_panels():
            panel.show_controls()

    def _show_details(self) -> None:
        """Show item and prompt in those panels that can be seen; while a slider moves, not in every frame."""
        self.session.set_drawn(True)
        answer, session = self.session.answer, self.session
        if self.explanation.isVisible():
            self.explanation.show_item(answer, self.row, session.policy)
            self._changes.start()
        if self.item_text.isVisible():
            self.item_text.show_item(answer, self.row)
        if self.comparison.isVisible():
            self.comparison.show_comparison(session.baseline_answer, answer)
        if self.prompt_preview.isVisible():
            self.prompt_preview.show_answer(answer)
            if self.row is not None:
                self.prompt_preview.show_row(self.row)

        for panel in self._made_panels():
            panel.show_row()

    def _made_panels(self) -> list[Panel]:
        return [panel for panel in self.panels.values() if panel.is_made]

    def _come_into_sight(self, name: str) -> None:
        """Make the panel if it was never seen, and show what it missed."""
        dock = self.docks[name]
        if name in self.panels and dock.widget() is None:
            dock.setWidget(self.panels[name].view)
        self._show_details()

    def _find_changes(self) -> None:
        """Look for what would change the fate of the selected item, when the mouse rests."""
        if self.row is not None and self.explanation.isVisible() and self.session.policy is not None:
            self.session.find_changes(self.row)

    def _show_changed_rows(self) -> None:
        """Tell the table which items differ from the baseline, for its filter `changed:yes`."""
        before, after = self.session.baseline, self.session.assembly
        mask = None
        if before is not None and after is not None:
            rows = compare(before, after).rows_after
            mask = np.zeros(len(after.candidates), np.bool_)
            mask[rows[rows != NO_ROW]] = True
        self.decisions.show_changes(mask)

    def select_everywhere(self, row: int) -> None:
        """Select a candidate in the table, and so everywhere."""
        self.decisions.select_row(row)
        self.show_row(row)

    def select_named(self, name: str) -> None:
        """Select an item by its id."""
        assembly = self.session.assembly
        rows = assembly.candidates.rows_named([name]).tolist() if assembly else []
        if rows:
            self.select_everywhere(rows[0])

    def _show_in_prompt(self, row: int) -> None:
        self.show_panel("prompt")
        self.prompt_preview.show_row(row)

    def _show_finding_count(self, serious: int, total: int) -> None:
        self.docks["findings"].setWindowTitle(f"Findings ({total})" if total else "Findings")
        self.status.show_findings(serious)

    def _show_title(self) -> None:
        names = ", ".join(Path(path).name for path in self.session.paths[:3])
        more = len(self.session.paths) - 3
        self.setWindowTitle(f"{names}{f' and {more} more' if more > 0 else ''}[*]" if names else "[*]")
        self.setWindowModified(self.session.is_modified)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self.open_paths([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work and remember the layout."""
        if self.state is not None:
            self.state.keep(self)
        self.session.close()
        super().closeEvent(event)
