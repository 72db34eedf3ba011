"""The status line: how counts were made, what is being worked on, problems, and findings that matter."""

from PySide6.QtCore import QElapsedTimer, Signal
from PySide6.QtWidgets import QProgressBar, QStatusBar, QToolButton, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.cost import cost_text, price_source, prompt_cost
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.parts.visible_text import one_line
from inspector.gui.progress import Progress
from inspector.gui.theme import theme
from inspector.model import Problem

PROBLEM_MILLISECONDS = 20_000
NOTICEABLE_SECONDS = 2.0


class StatusLine(QStatusBar):
    """The line at the bottom of the window."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = PlainLabel("", self)
        self._findings = PlainLabel("", self)
        self._work = PlainLabel("", self)
        self._bar = QProgressBar(self)
        self._bar.setMaximumWidth(160)
        self._bar.setRange(0, 100)
        self._bar.setAccessibleName("Progress")
        self._cancel = QToolButton(self)
        self._cancel.setText("Cancel")
        self._cancel.setAccessibleName("Cancel the running work")
        self._cancel.clicked.connect(self.cancel_requested)
        self._clock = QElapsedTimer()
        self._what = self._made = ""
        for widget in (self._work, self._bar, self._cancel):
            self.addWidget(widget)
            widget.hide()
        self.addPermanentWidget(self._findings)
        self.addPermanentWidget(self._counts)

    def show_answer(self, answer: Answer | None, trouble: str) -> None:
        """Say how the counts were made; `trouble` is why the scenario is refused."""
        if trouble:
            self.say(trouble)
        elif self.currentMessage() and not self._what:
            self.clearMessage()
        self._show_findings(answer)
        if answer is None:
            self._made = ""
            self._counts.clear()
            return
        kind = "exact" if answer.ledger.exact else "estimated"
        uncounted = int((~answer.assembly.candidates.exact).sum())
        if uncounted:
            counted = 1 - uncounted / len(answer.assembly.candidates)
            kind = f"{counted:.0%} counted"
        made = f"{kind} · {answer.ledger.tokenizer.partition(':')[2]}"
        # A new figure lays the whole line out anew: while a slider moves the cost of before stays.
        if answer.ledger.rendered is not None or made != self._made:
            cost = prompt_cost(answer.model.row, answer.ledger.total)
            priced = "" if cost is None else f" · {cost_text(cost, answer.ledger.exact)}"
            self._made = made
            self._counts.setText(made + priced)
            self._counts.setToolTip(tooltip(f"{answer.model.tokenizer.reason}\n{price_source(answer.model.row)}"))

    def show_progress(self, progress: Progress) -> None:
        """Say what is being worked on, how far it is and how long it still takes."""
        if progress.what != self._what:
            self._what = progress.what
            self._clock.start()
        working = bool(progress.what)
        seconds = self._clock.elapsed() / 1000 if working else 0.0
        left = seconds * (1 - progress.share) / progress.share if progress.share > 0 else 0.0
        remaining = f", {left:.0f} s left" if seconds > NOTICEABLE_SECONDS and left >= 1 else ""
        self._work.setText(f"{progress.what}{remaining}")
        self._bar.setRange(0, 100 if progress.share > 0 else 0)
        self._bar.setValue(round(progress.share * 100))
        for widget in (self._work, self._bar, self._cancel):
            widget.setVisible(working)

    def _show_findings(self, answer: Answer | None) -> None:
        """Say how many errors and warnings there are; a style sheet is set only for another number."""
        serious = sum(finding.severity != "info" for finding in answer.findings) if answer else 0
        text = f"⚠ {serious}" if serious else ""
        if text != self._findings.text():
            self._findings.setText(text)
            self._findings.setToolTip(tooltip("Errors and warnings; see the panel Findings."))
            self._findings.setStyleSheet(f"color: {theme().warning.name()}")

    def show_problem(self, problem: Problem) -> None:
        """Say what went wrong."""
        self.say(str(problem).removeprefix(": "), PROBLEM_MILLISECONDS)

    def say(self, message: str, milliseconds: int = 0) -> None:
        """Say something for so long; for 0 until something else is said."""
        self.showMessage(one_line(message), milliseconds)
