"""The rows for the server behind the application: which one gets the prompt, and with how much context it runs.

The contexts that running servers told are offered below; nothing is asked here.
"""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.assembly.policy import Parameter
from inspector.assembly.served_contexts import ServedContext
from inspector.assembly.servers import NO_SERVER, context_of
from inspector.figures import counted
from inspector.gui.parts.chip import ElidedChip
from inspector.gui.parts.parameter_row import parameter_row
from inspector.gui.parts.row_parts import INDENT
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import UNIT

_SERVER = Parameter(
    "server",
    NO_SERVER,
    label="Server",
    help="The server that gets the prompt, and may still drop, cut or refuse it.",
    choices={
        NO_SERVER: "the prompt stays as it is",
        "ollama": "drops the oldest messages, and may cut the rest",
        "llamacpp": "llama.cpp refuses a prompt that is too long",
        "lm_studio": "drops the middle: an approximation, by its documentation",
        "vllm": "refuses a prompt that is too long",
    },
)
_CONTEXT = Parameter(
    "server_context",
    4096,
    1,
    262_144,
    step=64,
    label="Its context",
    help="The tokens with which the server runs the model.",
    unit="tokens",
    scale="log",
)


class ServerRows(QWidget):
    """Two rows, the second only with a server, and a chip for each context with which that server was found to run.

    `server_chosen` carries a word of `SERVERS`, `context_chosen` tokens or None, and the gesture.
    """

    server_chosen = Signal(str)
    context_chosen = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.server, self.context = parameter_row(_SERVER, self), parameter_row(_CONTEXT, self)
        self._usual = _CONTEXT.default
        self._served: tuple[ServedContext, ...] = ()
        self._server, self._tokens = NO_SERVER, 0
        self.chips: list[ElidedChip] = []
        self._offers = QVBoxLayout()
        self._offers.setContentsMargins(INDENT, 0, UNIT, 0)
        self._offers.setSpacing(UNIT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.server)
        column.addWidget(self.context)
        column.addLayout(self._offers)
        self.server.edited.connect(lambda _, server, __: self.server_chosen.emit(server))
        self.context.edited.connect(self._choose_context)
        self.context.hide()

    def show_choices(self, server: str, context: int | None, window: int) -> None:
        """Show the choices of a scenario for a model of this window; nothing is emitted."""
        self._usual = context_of(server, None, window)
        self.server.show_value(server, NO_SERVER)
        self.context.show_value(context_of(server, context, window), self._usual)
        self.context.setVisible(server != NO_SERVER)
        self._server, self._tokens = server, context_of(server, context, window)
        self._show_offers()

    def show_served(self, served: Iterable[ServedContext]) -> None:
        """Offer the contexts of these servers, while one of them is chosen."""
        self._served = tuple(served)
        self._show_offers()

    def _show_offers(self) -> None:
        """Show a chip for each context of the chosen server; the one in use is on."""
        offered = [one for one in self._served if one.server == self._server]
        while len(self.chips) < len(offered):
            self.chips.append(self._chip(len(self.chips)))
        for place, chip in enumerate(self.chips):
            chip.setVisible(place < len(offered))
        for chip, one in zip(self.chips, offered, strict=False):
            chip.say(f"{one.model} runs with {counted(one.tokens, 'token')}")
            chip.setToolTip(tooltip(f"{chip.text()}\nThe server said so when you looked for servers."))
            chip.setChecked(one.tokens == self._tokens)

    def _chip(self, place: int) -> ElidedChip:
        chip = ElidedChip(f"served_context_{place}", "", "Context that the server runs with", self)
        chip.clicked.connect(lambda: self._use_offered(place))
        self._offers.addWidget(chip, 0, Qt.AlignmentFlag.AlignLeft)
        return chip

    def _use_offered(self, place: int) -> None:
        offered = [one for one in self._served if one.server == self._server]
        self._show_offers()  # a click on the chip in use leaves it on
        self._choose_context("", offered[place].tokens, "")

    def _choose_context(self, _: str, tokens: int, gesture: str) -> None:
        self.context_chosen.emit(None if tokens == self._usual else tokens, gesture)
