"""The chooser of tokenizers: a menu of the always available vocabularies and estimators."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.analysis.tokenizers.ask import DEFAULT_CONTENDERS
from inspector.analysis.tokenizers.errors import full_label
from inspector.gui.parts.choice_menu import ChoiceMenu
from inspector.tokens.embedded import EMBEDDED_NAMES
from inspector.tokens.estimate import ESTIMATORS


class TokenizerMenu(ChoiceMenu[str]):
    """A checkable entry for each name; `usual_requested` asks for the usual choice, which follows the model in use."""

    usual_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.addAction("The usual ones", self.usual_requested.emit)
        for names in (tuple(f"embedded:{name}" for name in EMBEDDED_NAMES), tuple(ESTIMATORS)):
            self.addSeparator()
            for name in names:
                self.add_choice(name, full_label(name), name in DEFAULT_CONTENDERS)
