"""The servers dialog: local model servers, their actual context windows, and their counts beside ours."""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from inspector.figures import counted
from inspector.gui.parts.labels import Hint
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT
from inspector.tokens.servers.search import reads_specials
from inspector.tokens.servers.server import Measured, Server, is_loopback
from inspector.tokens.servers.tables import COUNT_COLUMNS, OFFER_COLUMNS, Counts, Offer, Offers, offers_of


class OffersModel(ArrayTableModel[Offers]):
    """A row for each model of a server; models that are not loaded are muted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(OFFER_COLUMNS, parent)

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Show these offers."""
        self.show(tuple(offers), np.arange(len(offers)), tuple(offer.name for offer in offers))


class CountsModel(ArrayTableModel[Counts]):
    """A row for each message, counted twice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COUNT_COLUMNS, parent)

    def show_counts(self, counts: Sequence[Measured]) -> None:
        """Show these counts."""
        self.show(tuple(counts), np.arange(len(counts)), tuple(item.item for item in counts))


def counts_summary(counts: Sequence[Measured]) -> str:
    """Return the totals of the counts in a sentence."""
    ours, theirs = sum(item.ours for item in counts), sum(item.theirs for item in counts)
    different = sum(item.difference != 0 for item in counts)
    tokens, messages = counted(theirs, "token"), counted(len(counts), "message")
    if not different:
        return f"Your server counts {tokens} in {messages}, as we do."
    differ = "differs" if different == 1 else "differ"
    return f"Your server counts {tokens}, we count {ours:,}; {different:,} of {messages} {differ}."


NOT_ASKED = (
    "Find servers asks the usual ports of this machine (Ollama, LM Studio, llama.cpp, vLLM, KoboldCpp), "
    "or the addresses above. Nothing is asked before."
)
NONE_FOUND = "No model server answers on this machine. Start one, or give its address above."
NONE_ANSWERS = "No model server answers there."
NOT_COUNTED = "Compare counts has the selected server count the messages of the prompt, and shows them beside ours."
OUTDATED = "Of the prompt before it was changed:"
SPECIALS_NOTE = "It counts special tokens that are spelled out in a text as such; ours are ordinary text."


class ServersView(QWidget):
    """Addresses, offers and counts. The view asks no server itself: its signals carry the user's wishes.

    `find_requested(addresses)`, empty for the usual ones; `measure_requested(server, model name)`;
    `window_requested(model name, tokens)`; `cancel_requested()`.
    """

    find_requested = Signal(list)
    cancel_requested = Signal()
    measure_requested = Signal(object, str)
    window_requested = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offers: list[Offer] = []
        self._counts: list[Measured] = []
        self._problems: list[str] = []
        self._refusal = ""
        self.addresses = self._make_addresses()
        self.find_button = self._button("Find servers", "servers_find", self._find)
        self.cancel_button = self._button("Cancel", "servers_cancel", self.cancel_requested.emit)
        self.window_button = self._button("Use this window", "servers_use_window", self._use_window)
        self.measure_button = self._button("Compare counts", "servers_compare_counts", self._measure)
        self.offers = OffersModel(self)
        self.offer_table = self._table(self.offers, "servers_table", "Models of local servers")
        self.offer_table.row_selected.connect(lambda _: self._show_possible())
        self.counts = CountsModel(self)
        self.count_table = self._table(self.counts, "server_counts_table", "Our counts beside the server's")
        self.said, self.problem, self.summary = Hint(), Hint(complaint=True), Hint()
        self._lay_out()
        self.show_working("")

    @property
    def offer(self) -> Offer | None:
        """The selected offer."""
        row = self.offer_table.current_row
        return self._offers[row] if 0 <= row < len(self._offers) else None

    def show_working(self, what: str) -> None:
        """Show that work is running and can be cancelled; "" for none."""
        self.cancel_button.setVisible(bool(what))
        self.find_button.setEnabled(not what)
        self.addresses.setEnabled(not what)
        self.said.say(what)
        for table, text in ((self.offer_table, NOT_ASKED), (self.count_table, NOT_COUNTED)):
            table.set_empty_text("" if what else text)
        self._show_possible()

    def begin_search(self) -> None:
        """Forget the earlier results, and show a running search."""
        self._offers, self._problems, self._refusal = [], [], ""
        self.offers.show_offers(())
        self._show_problems()
        self.show_working("Asking servers …")

    def add_server(self, server: Server, wanted: bool) -> None:
        """Show a server; a missing answer is a problem only if the address was `wanted`."""
        if server.kind:
            self._offers.extend(offers_of(server))
            self.offers.show_offers(self._offers)
            if self.offer_table.current_row < 0:
                self.offer_table.select_row(self._best_row())
        if server.kind or wanted:
            self._problems.extend(server.problems)
            self._show_problems()
        self._show_possible()

    def end_search(self) -> None:
        """Show that all servers were asked."""
        self.show_working("")
        wanted = bool(self.addresses.text().strip())
        self.offer_table.set_empty_text(NONE_ANSWERS if wanted else NONE_FOUND)

    def begin_counts(self) -> None:
        """Forget the earlier counts, and show running counts."""
        self._counts, self._refusal = [], ""
        self.counts.show_counts(())
        self.count_table.set_dimmed(False)
        self.summary.say("")
        self._show_problems()
        self.show_working("Counting …")

    def add_counts(self, counts: Sequence[Measured]) -> None:
        """Show further counts."""
        self._counts.extend(counts)
        self.counts.show_counts(self._counts)
        self.said.say(f"Counted {counted(len(self._counts), 'message')} …")

    def end_counts(self, server: Server, ours: int | None, theirs: int | None) -> None:
        """Show the summary of all counts; `ours` and `theirs` are those of the whole prompt, None if not measured."""
        self.show_working("")
        if not self._counts:
            return
        sentences = [counts_summary(self._counts)]
        if theirs is not None:
            beside = "not measured here yet" if ours is None else f"{ours:,} here"
            sentences.append(f"The whole prompt is {counted(theirs, 'token')}, measured by your server; {beside}.")
        if reads_specials(server) and any(item.difference for item in self._counts):
            sentences.append(SPECIALS_NOTE)
        self._summarize(" ".join(sentences))

    def show_outdated(self) -> None:
        """Mark the counts as those of an earlier prompt."""
        if self._counts and not self.count_table.painter.dimmed:
            self.count_table.set_dimmed(True)
            self._summarize(self.summary.text())

    def show_problem(self, text: str) -> None:
        """Show a problem until the next attempt."""
        self._refusal = text
        self._show_problems()

    def say(self, text: str) -> None:
        """Show a message."""
        self.said.say(text)

    def _summarize(self, text: str) -> None:
        self.summary.say(f"{OUTDATED} {text}" if text and self.count_table.painter.dimmed else text)

    def _make_addresses(self) -> QLineEdit:
        edit = QLineEdit()
        edit.setObjectName("servers_addresses")
        edit.setAccessibleName("Addresses of model servers")
        edit.setPlaceholderText("HOST:PORT, or empty for this machine")
        edit.setToolTip(tooltip("Addresses with spaces between; empty asks the usual ports of this machine"))
        edit.returnPressed.connect(self._find)
        return edit

    def _button(self, text: str, name: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(control_text(text))
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.clicked.connect(lambda _checked=False: act())
        return button

    def _table(self, model: OffersModel | CountsModel, name: str, title: str) -> ArrayTableView:
        table = ArrayTableView(model)
        table.setObjectName(name)
        table.setAccessibleName(title)
        table.setSortingEnabled(True)
        table.horizontalHeader().setSortIndicatorClearable(True)
        table.sort_by("")
        return table

    def _lay_out(self) -> None:
        left, right = QWidget(), QWidget()
        acts = self._line(self.window_button, self.measure_button)
        acts.addStretch(1)
        acts.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        self._stack(left, self.offer_table, acts)
        self.summary.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        self._stack(right, self.count_table, self.summary)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(left)
        self.split.addWidget(right)
        self.split.setStretchFactor(0, 1)
        self.split.setStretchFactor(1, 1)
        top = self._line(self.addresses, self.find_button, self.cancel_button)
        top.setStretch(0, 1)
        top.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, 0)
        for hint in (self.said, self.problem):
            hint.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, UNIT)
        layout.setSpacing(UNIT)
        layout.addLayout(top)
        layout.addWidget(self.said)
        layout.addWidget(self.problem)
        layout.addWidget(self.split, 1)

    def _line(self, *widgets: QWidget) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(GAP)
        for widget in widgets:
            line.addWidget(widget)
        return line

    def _stack(self, place: QWidget, table: ArrayTableView, below: QHBoxLayout | Hint) -> None:
        layout = QVBoxLayout(place)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addWidget(table, 1)
        if isinstance(below, Hint):
            layout.addWidget(below)
        else:
            layout.addLayout(below)

    def _best_row(self) -> int:
        """Return the first row with a loaded model, otherwise the first row."""
        loaded = (row for row, offer in enumerate(self._offers) if offer.model is not None and offer.model.loaded)
        return next(loaded, 0)

    def _show_possible(self) -> None:
        """Enable the actions possible for the selected offer, and describe them in the tooltips."""
        offer, busy = self.offer, self.cancel_button.isVisibleTo(self)
        window = offer.model.window if offer and offer.model else None
        self.window_button.setEnabled(window is not None)
        window_tip = f"Plan with {counted(window, 'token')}" if window else "The server does not tell a context"
        self.window_button.setToolTip(tooltip(window_tip))
        self.measure_button.setEnabled(bool(offer and offer.can_count and not busy))
        self.measure_button.setToolTip(tooltip(_measure_tip(offer)))

    def _show_problems(self) -> None:
        self.problem.say("\n".join(dict.fromkeys(filter(None, (self._refusal, *self._problems)))))

    def _find(self) -> None:
        self.find_requested.emit(self.addresses.text().replace(",", " ").split())

    def _use_window(self) -> None:
        offer = self.offer
        if offer is not None and offer.model is not None and offer.model.window is not None:
            self.window_requested.emit(offer.model.name, offer.model.window)

    def _measure(self) -> None:
        offer = self.offer
        if offer is not None and offer.model is not None:
            self.measure_requested.emit(offer.server, offer.model.name)


def _measure_tip(offer: Offer | None) -> str:
    if offer is None or not offer.server.counts_tokens:
        return "This server cannot be asked for counts"
    if not offer.can_count:
        return "The model is not loaded; a count would make the server load it"
    where = "which is this machine" if is_loopback(offer.server.address) else "which is another machine"
    return f"Sends the messages of the prompt to {offer.server.address}, {where}"
