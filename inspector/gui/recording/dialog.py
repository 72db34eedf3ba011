"""File ▸ Record…: the server, the address to listen at and the file; start, end, and how it goes."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.parts.labels import Hint, PlainLabel
from inspector.gui.parts.new_file import ask_new_file, reason_of
from inspector.gui.parts.texts import control_text, tooltip, window_title
from inspector.gui.recording.recorders import Recorders
from inspector.gui.remembered.window_state import fitted
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT
from inspector.recording.order import LISTENED, OPEN_TO_OTHERS, Order, OrderError, read_order, usual_file

SIZE = QSize(150 * UNIT, 80 * UNIT)
SERVER = "http://127.0.0.1:11434"
WHAT_IT_IS = (
    "Point the application at the address below in place of its server. Each request and its answer pass unchanged, "
    "and are added to the file. Keys and cookies are not written."
)
WHAT_STAYS = (
    "Recording runs in a process of its own: if this window is killed, requests still pass and are recorded, and this "
    "dialog finds it again. Closing the window ends it; answers under way then get 2 seconds."
)
STARTING = "Starting …"
ENDED = "Recording has ended."


class RecordDialog(QDialog):
    """Starts and ends the recorder of a window. It stays open during work, and holds what was typed."""

    def __init__(self, recorders: Recorders, folder: Callable[[], str], window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("record_dialog")
        self.setWindowTitle(window_title("Record"))
        self.resize(fitted(SIZE, self.screen()))
        self._recorders, self._folder = recorders, folder
        self._was_running = False
        self.upstream = self._field("record_server", "Server", SERVER)
        self.listen = self._field("record_listen", "Listen at", LISTENED)
        self.file = self._field("record_file", "File", "")
        self.choose = self._button("Choose…", "record_choose", self._choose)
        self.masks = QCheckBox(control_text("Mask keys and tokens found in texts, too"))
        self.masks.setObjectName("record_mask")
        self.warning, self.problem, self.said = Hint(complaint=True), Hint(complaint=True), Hint()
        self.start_button = self._button("Start recording", "record_start", self._start)
        self.end_button = self._button("End recording", "record_end", self._end)
        self.close_button = self._button("Close", "record_close", self.close)
        self.start_button.setDefault(True)
        self._lay_out()
        self.listen.textChanged.connect(lambda _: self._warn())
        recorders.changed.connect(self._show)
        self._show()

    def open_beside(self) -> None:
        """Show it, with a new file if none runs, and with what a killed window left running."""
        self._recorders.find()
        if self._recorders.running is None:
            self.file.setText(str(Path(self._folder()) / usual_file()))
        self.show()
        self.raise_()
        self.activateWindow()
        self.upstream.setFocus()

    # Inside

    def _start(self) -> None:
        self.problem.say("")
        try:
            order = self._order()
            self._recorders.start(order)
        except OrderError as error:
            names = {"upstream": "Server", "listen": "Listen at", "file": "File"}
            self.problem.say(f"{names[error.field]}: {error}.")
        except OSError as error:
            self.problem.say(f"Recording did not start: {reason_of(error)}.")

    def _order(self) -> Order:
        if not (name := self.file.text().strip()):
            raise OrderError("file", "expected the name of the file to add requests to")
        file = Path(name).expanduser()
        if not file.parent.is_dir():
            raise OrderError("file", f"there is no folder {file.parent}")
        return read_order(self.upstream.text().strip(), self.listen.text().strip(), file, self.masks.isChecked())

    def _end(self) -> None:
        self._recorders.end()

    def _choose(self) -> None:
        start = self.file.text() or str(Path(self._folder()) / usual_file())
        if (file := ask_new_file(self, "Record to", start, "Recorded requests (*.jsonl)")) is not None:
            self.file.setText(str(file))

    def _show(self) -> None:
        """Show whether it runs, and what it says."""
        running = self._recorders.running
        for widget in (self.upstream, self.listen, self.file, self.choose, self.masks, self.start_button):
            widget.setEnabled(running is None)
        self.end_button.setEnabled(running is not None)
        said = self._recorders.said
        if running is not None:
            self.problem.say(said[-1] if said else "")
            self.said.say(self._how_it_runs(running.order) if self._recorders.address else STARTING)
        elif self._was_running:
            is_end = bool(said) and "recorded in" in said[-1]
            self.problem.say("" if is_end or not said else said[-1])
            self.said.say(f"{ENDED} {said[-1]}." if is_end else ENDED)
        self._was_running = running is not None
        self._warn()

    def _how_it_runs(self, order: Order) -> str:
        return f"Recording: {self._recorders.address} passes requests on, and adds them to {order.file}."

    def _warn(self) -> None:
        """Warn of an address that other machines can reach."""
        try:
            order = read_order(SERVER, self.listen.text().strip(), None, False)
        except OrderError as error:
            self.warning.say(f"{error}.")
            return
        self.warning.say(f"{OPEN_TO_OTHERS[:1].upper()}{OPEN_TO_OTHERS[1:]}." if order.is_open_to_others else "")

    def _field(self, name: str, title: str, text: str) -> QLineEdit:
        edit = QLineEdit(text)
        edit.setObjectName(name)
        edit.setAccessibleName(title)
        return edit

    def _button(self, text: str, name: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(control_text(text))
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: act())
        return button

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(GAP)
        form.setVerticalSpacing(UNIT)
        for title, edit, tip in (
            ("Server", self.upstream, "The address of the model server, such as https://api.anthropic.com"),
            ("Listen at", self.listen, "HOST:PORT, where the application sends its requests; port 0 takes a free one"),
        ):
            edit.setToolTip(tooltip(tip))
            form.addRow(PlainLabel(title), edit)
        line = QHBoxLayout()
        line.addWidget(self.file, 1)
        line.addWidget(self.choose)
        self.file.setToolTip(tooltip("The file to add requests to; it opens here with the first of them"))
        form.addRow(PlainLabel("File"), line)
        form.addRow(PlainLabel(), self.masks)
        what, stays = PlainLabel(WHAT_IT_IS), PlainLabel(WHAT_STAYS)
        for label in (what, stays):
            label.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.start_button, self.end_button, self.close_button):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        layout.setSpacing(GAP)
        layout.addWidget(what)
        layout.addLayout(form)
        layout.addWidget(self.warning)
        layout.addWidget(self.said)
        layout.addWidget(self.problem)
        layout.addStretch(1)
        layout.addWidget(stays)
        layout.addLayout(buttons)
        for hint in (self.said, self.problem, self.warning):
            hint.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
