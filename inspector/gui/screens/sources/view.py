"""The sources: what the prompt draws from, with the ways to all other things that are open."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.choices import ChosenParts
from inspector.assembly.columns import Kind
from inspector.figures import problems_counted
from inspector.gui.icons import line_icon
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.fold import FoldLine
from inspector.gui.parts.labels import PlainLabel, heading
from inspector.gui.parts.low_window import LowWindow
from inspector.gui.parts.parameter_row import TARGET
from inspector.gui.parts.row_parts import INDENT
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.screens.sources.nodes import PANELS, Node
from inspector.gui.screens.sources.rows import Source, hidden_count, placed_kinds, sources_of
from inspector.gui.screens.sources.source_list import SourceList, SourcesModel
from inspector.gui.theme import UNIT
from inspector.model import Problem, Workspace

NOTHING = "Nothing is open. Open a chat, drop a file here, or try a sample."
LOADING = "Loading…"


class SourcesView(QWidget):
    """The list below its title; in a low window one line, which unfolds. Before anything is open, the ways to begin.

    Signals carry wishes: a character (id, None for the file's own), memory sets (ids), items to leave out or to take in
    (their rows), a page (name), items to list (a line of the filter), sources to remove (nodes), a source to rename
    (node, title), files to read again or to reveal (their paths), the list of all chats, all files, files to add or to
    open, a sample, the problems.
    """

    character_chosen = Signal(object)
    memory_sets_chosen = Signal(list)
    turned = Signal(object)
    page_requested = Signal(str)
    items_requested = Signal(str)
    removal_requested = Signal(list)
    title_requested = Signal(object, str)
    reload_requested = Signal(list)
    reveal_requested = Signal(str)
    chats_requested = Signal()
    files_requested = Signal()
    problems_requested = Signal()
    add_requested = Signal()
    open_requested = Signal()
    sample_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sources_panel")
        self._workspace = Workspace()
        self._chosen: ChosenParts | None = None
        self._answer: Answer | None = None
        self._listed: tuple[tuple[object, ...], tuple[Kind, ...]] | None = None
        self._is_loading = False
        self._title, self._fold = heading("Sources", self), FoldLine("Sources", "title", self)
        self._fold.setObjectName("sources_fold")
        self._problems = QToolButton(self, autoRaise=True)
        self._problems.setObjectName("problems_button")
        self._problems.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._files = IconButton("ellipsis", "All files, branches and speakers", parent=self)
        self._add = IconButton("plus", "Add files", parent=self)
        self._hint = PlainLabel("", self, wordWrap=True)
        self._begin = QWidget(self)
        self.model = SourcesModel(self)
        self.list = SourceList(self.model, self)
        self._low = LowWindow(self)
        self._lay_out()
        self._connect()
        self._show_parts()

    def show_workspace(self, workspace: Workspace) -> None:
        """Take what is open."""
        self._workspace = workspace
        if not workspace.sources and not workspace.conversations:
            self._chosen = self._answer = None
        self._renew()

    def show_loading(self, is_loading: bool) -> None:
        """Set whether files are being opened while nothing is open yet."""
        self._is_loading = is_loading
        self._show_parts()

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """Show how many problems there are."""
        counted = f"{', '.join(problems_counted(problems))} met while loading"
        self._problems.setText(f"{len(problems):,}")
        self._problems.setAccessibleName(counted)
        self._problems.setToolTip(tooltip(f"{counted}; a click lists them"))
        self._problems.setVisible(bool(problems))

    def show_chosen(self, chosen: ChosenParts) -> None:
        """List the sources of these parts."""
        if chosen is not self._chosen:
            self._chosen = chosen
            self._renew()

    def show_answer(self, answer: Answer | None) -> None:
        """Show how much of each source is in the prompt."""
        self._answer = answer
        self._renew()

    def corner_of_chat(self) -> QPoint:
        """Return the place below the row of the chat, for the list of all chats, on the window."""
        if not self.list.isVisible():
            return self.mapTo(self.window(), QPoint(2 * UNIT, self.height() + 1))
        row = self.list.visualRect(self.model.index(0))
        return self.list.viewport().mapTo(self.window(), QPoint(2 * UNIT, row.bottom() + 1))

    def _renew(self) -> None:
        """List the sources anew where they may be others, otherwise show the figures of the answer."""
        assembly = self._answer.assembly if self._answer is not None else None
        if self._answer is not None and self._answer.case.chosen is not self._chosen:
            assembly = None  # an answer about another chat, until the new one is there
        candidates = assembly.candidates if assembly is not None else None
        now = (self._workspace, self._chosen, candidates), placed_kinds(assembly)
        if self._is_listed(*now):
            self.model.show_figures(assembly)
            return
        self._listed = now
        sources = sources_of(self._workspace, self._chosen, assembly)
        self.model.show_sources(sources, assembly)
        names = [one.name for one in sources if one.is_used is not False]
        more = len(names) - 1
        self._fold.say(f"{names[0]} and {more:,} more" if more > 0 else "".join(names))
        hidden = hidden_count(self._workspace, self._chosen)
        self._files.say(f"All files, branches and speakers{f'; {hidden:,} more sources' if hidden else ''}")
        self._show_parts()

    def _is_listed(self, objects: tuple[object, ...], placed: tuple[Kind, ...]) -> bool:
        """Return whether the sources of these very objects are listed."""
        if self._listed is None or self._listed[1] != placed:
            return False
        return all(one is before for one, before in zip(objects, self._listed[0], strict=True))

    def _show_parts(self) -> None:
        """Show the list or the ways to begin; in a low window only the line, unless it is unfolded."""
        has_rows, is_low = bool(self.model.rowCount()), self._low.is_low
        has_files = bool(self._workspace.sources or self._workspace.conversations or self._workspace.memory_sets)
        self._fold.setVisible(is_low and has_rows)
        self._title.setVisible(not (is_low and has_rows))
        is_folded = is_low and has_rows and not self._fold.isChecked()
        self.list.setVisible(has_rows and not is_folded)
        self._hint.setText(LOADING if self._is_loading else NOTHING)
        self._hint.setVisible(not has_rows and not has_files)
        self._begin.setVisible(not has_rows and not has_files and not self._is_loading)
        self._files.setVisible(has_files and not is_folded)
        self._add.setVisible(not is_folded)
        self._column.setContentsMargins(0, 0, 0, 0 if is_folded else 2 * UNIT)

    def _use(self, source: Source) -> None:
        """Take a source out of the prompt, or bring it in."""
        if source.kind == "memory_set":
            used = [one.thing for one in self.model.sources if one.kind == "memory_set" and one.is_used]
            wanted = {*used} - {source.thing} if source.is_used else {*used, source.thing}
            self.memory_sets_chosen.emit([one.id for one in self._workspace.memory_sets if one.id in wanted])
        elif source.kind == "character":
            self.character_chosen.emit(source.thing)
        elif source.rows is not None:
            self.turned.emit(source.rows.tolist())

    def _choose(self, source: Source) -> None:
        """Show what a source brings: all chats, its page, or its items."""
        if source.kind == "conversation":
            self.chats_requested.emit()
        elif source.is_used is False:
            self._use(source)
        elif source.kind in PANELS:
            self.page_requested.emit(PANELS[source.kind])
        elif source.kinds:
            self.items_requested.emit(source.kinds)

    def _offer(self, source: Source, place: QPoint) -> None:
        """Open the menu of a source."""
        from inspector.gui.screens.sources.node_menu import NodeMenu

        menu = NodeMenu([source.node], lambda _: source.is_used is not False, self.list)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if source.is_used is not None:
            menu.add_turn("Leave out of the prompt" if source.is_used else "Use", lambda: self._use(source))
        if source.kind == "conversation":
            menu.add_turn("Choose another chat…", self.chats_requested.emit, "Return")
        menu.add_show(self.page_requested.emit)
        menu.add_rename(lambda: self.list.edit(self.list.currentIndex()))
        menu.add_remove(lambda: self._remove(source))
        if source.origin:
            menu.add_files(
                1,
                lambda: self.reload_requested.emit([source.origin]),
                lambda: self.reveal_requested.emit(source.origin),
            )
        menu.addSeparator()
        menu.addAction(control_text("All files…"), self.files_requested.emit)
        menu.popup(place)

    def _remove(self, source: Source) -> None:
        if source.thing:
            self.removal_requested.emit([source.node])

    def _rename(self, source: Source, title: str) -> None:
        node: Node = source.node
        self.title_requested.emit(node, title)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4 * UNIT - INDENT, UNIT + UNIT // 2, 3 * UNIT, UNIT)
        head.setSpacing(UNIT)
        self._title.setContentsMargins(INDENT, 0, 0, 0)
        head.addWidget(self._title)
        head.addWidget(self._fold, 1)
        head.addStretch(0)
        for button in (self._problems, self._files, self._add):
            button.setFixedHeight(TARGET)
            head.addWidget(button)
        self._files.setFixedWidth(TARGET)
        self._add.setFixedWidth(TARGET)
        self._files.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._add.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        ways = QHBoxLayout(self._begin)
        ways.setContentsMargins(4 * UNIT, 0, 4 * UNIT, 2 * UNIT)
        for words, wish in (("Open…", self.open_requested), ("Try a sample", self.sample_requested)):
            button = QPushButton(control_text(words), self._begin)
            button.clicked.connect(wish)
            ways.addWidget(button)
        ways.addStretch(1)
        self._hint.setContentsMargins(4 * UNIT, 0, 4 * UNIT, UNIT)
        column = self._column = QVBoxLayout(self)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._hint)
        column.addWidget(self._begin)
        column.addWidget(self.list)
        self.show_problems(())
        self._draw()

    def _connect(self) -> None:
        self._low.changed.connect(lambda _: self._show_parts())
        self._fold.toggled.connect(lambda _: self._show_parts())
        self._files.clicked.connect(self.files_requested)
        self._add.clicked.connect(self.add_requested)
        self._problems.clicked.connect(self.problems_requested)
        self.model.use_asked.connect(self._use)
        # Queued until the field is closed: a new title lists everything again.
        self.model.title_asked.connect(self._rename, Qt.ConnectionType.QueuedConnection)
        self.list.chosen.connect(self._choose)
        self.list.removed.connect(self._remove)
        self.list.menu_asked.connect(self._offer)

    def _draw(self) -> None:
        self._problems.setIcon(line_icon("triangle-alert", 14))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_problems"):
            self._draw()
