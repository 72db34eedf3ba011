"""The rows for the server behind the application: which one gets the prompt, and with how much context it runs."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.assembly.policy import Parameter
from inspector.assembly.servers import NO_SERVER, context_of
from inspector.gui.parts.parameter_row import parameter_row

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
    """Two rows, the second only with a server.

    `server_chosen` carries a word of `SERVERS`, `context_chosen` tokens or None, and the gesture.
    """

    server_chosen = Signal(str)
    context_chosen = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.server, self.context = parameter_row(_SERVER, self), parameter_row(_CONTEXT, self)
        self._usual = _CONTEXT.default
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.server)
        column.addWidget(self.context)
        self.server.edited.connect(lambda _, server, __: self.server_chosen.emit(server))
        self.context.edited.connect(self._choose_context)
        self.context.hide()

    def show_choices(self, server: str, context: int | None, window: int) -> None:
        """Show the choices of a scenario for a model of this window; nothing is emitted."""
        self._usual = context_of(server, None, window)
        self.server.show_value(server, NO_SERVER)
        self.context.show_value(context_of(server, context, window), self._usual)
        self.context.setVisible(server != NO_SERVER)

    def _choose_context(self, _: str, tokens: int, gesture: str) -> None:
        self.context_chosen.emit(None if tokens == self._usual else tokens, gesture)
