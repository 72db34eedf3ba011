"""The main window: layout, menus, and all connections between session and widgets in one place."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

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
from inspector.gui.server_search import ServerSearch
from inspector.gui.session import Session
from inspector.gui.status import StatusLine
from inspector.gui.widgets.budget_bar import BudgetBar
from inspector.gui.widgets.comparison_view import ComparisonView
from inspector.gui.widgets.decision_view import DecisionView
from inspector.gui.widgets.explanation import Explanation
from inspector.gui.widgets.findings_view import FindingsView
from inspector.gui.widgets.item_text import ItemText
from inspector.gui.widgets.lore_view import LoreView
from inspector.gui.widgets.memory_view import MemoryView
from inspector.gui.widgets.policy_panel import PolicyPanel
from inspector.gui.widgets.prompt_preview import PromptPreview
from inspector.gui.widgets.servers_view import ServersView
from inspector.gui.widgets.shootout_view import ShootoutView
from inspector.gui.widgets.summary_view import SummaryView
from inspector.gui.widgets.tokenizer_comparison_view import TokenizerComparisonView
from inspector.gui.widgets.turn_bar import TurnBar
from inspector.gui.widgets.workspace_view import WorkspaceView
from inspector.gui.window_state import WindowState
from inspector.plugins import policies

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
        self.memories = MemoryView(self)
        self.memories.set_presets(load_presets())
        self.shootout = ShootoutView(self)
        self.shootout.set_policies(policies()[0], load_presets())
        self.tokenizers = TokenizerComparisonView(self)
        self.summaries = SummaryView(self)
        self.lore = LoreView(self)
        self.servers = ServersView(self)
        self.server_search = ServerSearch(self.session, self.servers)
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
            ("memories", "Memories", self.memories),
            ("lore", "Lorebook", self.lore),
            ("shootout", "Shoot-out", self.shootout),
            ("tokenizers", "Tokenizers", self.tokenizers),
            ("summaries", "Summaries", self.summaries),
            ("servers", "Servers", self.servers),
        )
        for name, title, widget in below:
            dock = self._add_dock(name, title, widget, Qt.DockWidgetArea.BottomDockWidgetArea)
            if name != "explanation":
                self.tabifyDockWidget(self.docks["explanation"], dock)
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

    def _add_dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(f"{name}_dock")
        dock.setWidget(widget)
        self.addDockWidget(area, dock)
        self.docks[name] = dock
        return dock

    def _add_panel_toggles(self) -> None:
        """Every panel in the View menu; Ctrl+1 … Ctrl+5 bring those below the table to the front."""
        view = self.actions_by_name["zoom_in"].associatedObjects()
        menu = next(other for other in view if other is not self)
        first = self.actions_by_name["zoom_in"]
        for dock in self.docks.values():
            menu.insertAction(first, dock.toggleViewAction())  # type: ignore[attr-defined]
        menu.insertSeparator(first)  # type: ignore[attr-defined]
        self.commands.add_panel_keys([name for name in self.docks if name not in PANEL_WIDTHS])

    def _connect(self) -> None:
        """Every connection of the window."""
        session, commands = self.session, self.commands
        session.workspace_changed.connect(self._show_workspace)
        session.assembly_changed.connect(self._show_answer)
        session.progress_changed.connect(self.status.show_progress)
        session.problem_reported.connect(self.status.show_problem)
        session.undo_stack.cleanChanged.connect(lambda _: self._show_title())
        session.undo_stack.indexChanged.connect(lambda _: commands.refresh())
        self.status.cancel_requested.connect(session.cancel_work)
        self.policy_panel.changed.connect(session.edit)
        self.turn_bar.turn_changed.connect(commands.go_to_turn)
        self.budget_bar.segment_clicked.connect(commands.filter_segment)
        self.decisions.row_selected.connect(self.show_row)
        self.decisions.row_activated.connect(lambda _: self.show_panel("text"))
        self.comparison.row_selected.connect(self._select_everywhere)
        self.prompt_preview.row_selected.connect(self._select_everywhere)
        self.findings.rows_requested.connect(commands.show_rows)
        self.findings.count_changed.connect(self._show_finding_count)
        self.memories.changed.connect(session.edit)
        self.memories.row_selected.connect(self._select_everywhere)
        self.memories.row_activated.connect(lambda _: self.show_panel("text"))
        self.memories.filter_requested.connect(self.decisions.set_filter)
        self.decisions.class_requested.connect(commands.set_class)
        self.lore.item_chosen.connect(self._show_named)
        self.lore.settings_changed.connect(commands.change_lore)
        self.shootout.requested.connect(session.shoot_out)
        session.shootout_made.connect(self.shootout.show_shootout)
        self.shootout.row_selected.connect(self._select_everywhere)
        self.shootout.policy_requested.connect(commands.use_policy)
        self.tokenizers.requested.connect(session.compare_tokenizers)
        session.tokenizers_compared.connect(self.tokenizers.show_comparison)
        self.tokenizers.row_selected.connect(self._select_everywhere)
        self.tokenizers.tokenizer_requested.connect(commands.use_tokenizer)
        self.summaries.requested.connect(session.compare_summaries)
        session.summaries_compared.connect(self.summaries.show_table)
        self.summaries.row_selected.connect(self._select_everywhere)
        self.summaries.method_chosen.connect(commands.use_summaries)
        self.summaries.tokens_chosen.connect(commands.set_summary_tokens)
        for panel in (self.decisions, self.explanation, self.memories):
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
        self.workspace_view.open_requested.connect(self.files.open_files)
        self.workspace_view.sample_requested.connect(self.files.open_samples)
        for dock in self.docks.values():
            dock.visibilityChanged.connect(lambda visible: self._show_details() if visible else None)

    def _show_workspace(self) -> None:
        self.row = None
        self.shootout.show_shootout(None)
        self.tokenizers.show_comparison(None)
        self.summaries.show_table(None)
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
        self.memories.show_answer(after, session.policy, session.pipeline.duplicates)
        if before is None or after is None or before.assembly is not after.assembly:
            self.shootout.refresh()
            self.summaries.refresh()
        if before is None or after is None or _is_other_question(before, after):
            self.tokenizers.refresh()
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
        self.summaries.show_setting(session.scenario, session.pipeline.summary_trouble(session.scenario))

    def _show_details(self) -> None:
        """Show item and prompt in those panels that can be seen; while a slider moves, not in every frame."""
        self.session.set_drawn(True)
        answer, session = self.session.answer, self.session
        if self.explanation.isVisible():
            self.explanation.show_item(answer, self.row, session.policy)
            self._changes.start()
        if self.item_text.isVisible():
            self.item_text.show_item(answer, self.row)
        if self.lore.isVisible():
            self.lore.show_answer(answer, session.scenario.lore)
        if self.comparison.isVisible():
            self.comparison.show_comparison(session.baseline_answer, answer)
        if self.row is not None and self.memories.is_in_sight:
            self.memories.select_row(self.row)
        if self.row is not None and self.shootout.isVisible():
            self.shootout.select_row(self.row)
        if self.row is not None and self.tokenizers.isVisible():
            self.tokenizers.select_row(self.row)
        if self.row is not None and self.summaries.isVisible():
            self.summaries.select_row(self.row)
        if self.prompt_preview.isVisible():
            self.prompt_preview.show_answer(answer)
            if self.row is not None:
                self.prompt_preview.show_row(self.row)

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

    def _select_everywhere(self, row: int) -> None:
        self.decisions.select_row(row)
        self.show_row(row)

    def _show_named(self, name: str) -> None:
        """Select an item by its id."""
        assembly = self.session.assembly
        rows = assembly.candidates.rows_named([name]).tolist() if assembly else []
        if rows:
            self._select_everywhere(rows[0])

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
        self.setWindowModified(not self.session.undo_stack.isClean())

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


def _is_other_question(before: Answer, after: Answer) -> bool:
    """Whether two answers differ by more than by what was counted meanwhile."""
    items = (answer.assembly.candidates.items for answer in (before, after))
    return before.scenario != after.scenario or next(items) is not next(items)
