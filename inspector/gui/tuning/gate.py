"""The way out of an empty page: what to open where nothing is, and where questions come from."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.analysis.recall.probes import reasons_of
from inspector.analysis.recommend.questions import Questions
from inspector.figures import counted
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.page import Pages

NO_QUESTIONS = (
    "A question comes with the items that its answer needs. Add a file of them (YAML, JSON or JSONL; one lies among "
    "the samples), or open LoCoMo, which has some. Or make one: select in the table the items that a question needs, "
    "with the message that asks, and press Q."
)


class Gate(QWidget):
    """Shows a page while questions are open, else why not and a button: `open_requested` or `add_requested`."""

    open_requested = Signal()
    add_requested = Signal()

    def __init__(self, page: QWidget, purpose: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._nothing_open = EmptyState("Nothing is open", purpose, (("Open…", self.open_requested.emit),))
        self._no_questions = EmptyState("No questions are open", NO_QUESTIONS, (("Add…", self.add_requested.emit),))
        self._pages = Pages(self)
        for one in (self._nothing_open, self._no_questions, page):
            self._pages.addWidget(one)

    def show_questions(self, questions: Questions, *, even_unasked: bool = False) -> None:
        """Show the page if any of these can be asked or, `even_unasked`, if there are any at all."""
        self._pages.setCurrentWidget(self._page_for(questions, even_unasked))

    def _page_for(self, questions: Questions, even_unasked: bool) -> QWidget:
        if not questions.is_open:
            return self._nothing_open
        if questions.asked or (even_unasked and questions.offered):
            return self._page
        skipped = questions.skipped
        none = f"Of {counted(len(skipped), 'open question')} none can be asked: {reasons_of(skipped)}. {NO_QUESTIONS}"
        self._no_questions.set_sentence(none if skipped else NO_QUESTIONS)
        return self._no_questions
