"""The screen of the next message: the message that the user would write next."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import set_draft
from inspector.assembly.items import DRAFT
from inspector.gui.screens.screen import Controls, Screen

if TYPE_CHECKING:
    from inspector.gui.screens.next_message.view import NextMessageView


class NextMessageScreen(Screen["NextMessageView"]):
    """A few lines of text that end the prompt as if the user had written them."""

    name, title, area, at_once = "next_message", "Next message", "left", True
    icon, perspectives = "pencil", ("inspect", "compare", "tune", "replay")

    def show_controls(self, controls: Controls) -> None:
        """Show the text, or why there is none at this turn."""
        self.view.show_draft(controls.scenario.draft or "", exists=not controls.scenario.has_later)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show the tokens of the text."""
        self.view.show_tokens(*_tokens_of(after))

    def _make(self, parent: QWidget) -> "NextMessageView":
        from inspector.gui.screens.next_message.view import NextMessageView

        session, view = self.host.session, NextMessageView(parent)
        view.written.connect(lambda text, gesture: session.drag(gesture, set_draft, text))
        return view


def _tokens_of(answer: Answer | None) -> tuple[int | None, bool]:
    """Return the tokens of the text and whether they are exact; None without a text."""
    candidates = None if answer is None else answer.assembly.candidates
    if candidates is None or not candidates.ids or candidates.ids[-1] != DRAFT:
        return None, True
    return int(candidates.tokens[-1]), bool(candidates.exact[-1])
