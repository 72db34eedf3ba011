"""The status bar, and the notices above the panels."""

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QProgressBar,
    QStatusBar,
    QStyle,
    QStyleOption,
    QToolButton,
    QWidget,
)

from inspector.analysis.basis import Share
from inspector.assembly.answer import Answer
from inspector.assembly.cost import price_source, prompt_cost
from inspector.assembly.doubts import doubt_words, prompt_counted_with
from inspector.derived import cached_property
from inspector.figures import counted, dollars, percentage, problems_counted
from inspector.gui.files.opening import listed_problems
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.signs import severity_color
from inspector.gui.parts.texts import in_window, one_line, tooltip
from inspector.gui.screens.screen import Host
from inspector.gui.theme import GAP, UNIT
from inspector.model import Problem, Severity
from inspector.tokens.tokenizer import tokenizer_title

if TYPE_CHECKING:
    from inspector.gui.parts.banner import Banner


PROBLEM_MILLISECONDS = 20_000
NOTICEABLE_SECONDS = 2.0
SEVERITY_GLYPH: dict[Severity, str] = {"error": "⊗", "warning": "⚠"}


class StatusLine(QStatusBar):
    """The line at the bottom of the window."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = PlainLabel("", self)
        self._counts.setAccessibleName("How tokens are counted, and the cost of the prompt")
        self._counts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._errors, self._warnings = PlainLabel("", self), PlainLabel("", self)
        self._work, self._recording = PlainLabel("", self), PlainLabel("", self)
        self._recording.setAccessibleName("Recording")
        self._bar = QProgressBar(self)
        self._bar.setMaximumWidth(160)
        self._bar.setRange(0, 100)
        self._bar.setAccessibleName("Progress")
        self._cancel = QToolButton(self)
        self._cancel.setText("Cancel")
        self._cancel.setAccessibleName("Cancel the running work")
        self._cancel.clicked.connect(self.cancel_requested)
        self.messageChanged.connect(self._take_message)
        self.setSizeGripEnabled(False)  # it would move its neighbours on entering and leaving full screen
        self.setContentsMargins(0, 0, GAP, 0)
        self._clock = QElapsedTimer()
        self._what = ""
        for widget in (self._work, self._bar, self._cancel):
            self.addWidget(widget)
            widget.hide()
        self.addPermanentWidget(self._recording)
        self._recording.hide()
        self.addPermanentWidget(self._errors)
        self.addPermanentWidget(self._warnings)
        self.addPermanentWidget(self._counts)

    def show_answer(self, answer: Answer | None, trouble: str) -> None:
        """Show how the tokens were counted; `trouble` is the reason why the scenario is refused."""
        if trouble:
            self.say(trouble)
        elif self.currentMessage() and not self._what:
            self.clearMessage()
        self._show_findings(answer)
        if answer is None:
            self.show_offer("")
            return
        self._show_counts(f"{_how_counted(answer)}{_priced(answer)}")
        self._counts.setToolTip(tooltip(_how_sure(answer)))

    def show_recording(self, text: str) -> None:
        """Show that a recorder runs, "" for none."""
        self._recording.setText(text)
        self._recording.setVisible(bool(text))

    def show_offer(self, text: str) -> None:
        """Show what there is for a user who has nothing open."""
        self._show_counts(text)
        self._counts.setToolTip(tooltip(""))

    def _show_counts(self, text: str) -> None:
        """Show the text in a label that never shrinks: with a fixed size, a moving slider causes no layout."""
        self._counts.setText(text)
        needed, size = self._counts.sizeHint(), self._counts.size()
        if not self._counts.minimumWidth() or needed.width() > size.width() or needed.height() != size.height():
            self._counts.setFixedSize(needed)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_warnings"):
            self._errors.setStyleSheet(f"color: {severity_color('error').name()}")
            self._warnings.setStyleSheet(f"color: {severity_color('warning').name()}")
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_counts") and self._counts.text():
            self._counts.setFixedSize(self._counts.sizeHint())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the message with an ellipsis where room ends; Qt would cut through a letter."""
        painter, option = QPainter(self), QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelStatusBar, option, painter, self)
        beside = (label.x() for label in (self._recording, self._errors, self._warnings, self._counts) if label.text())
        room = self.rect().adjusted(UNIT, 0, -UNIT, 0)
        room.setRight(min([room.right(), *(left - GAP for left in beside)]))
        shown = self.fontMetrics().elidedText(self.currentMessage(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()

    def _take_message(self, message: str) -> None:
        """Repaint the whole line: for a new message, Qt leaves out the part within its own margins."""
        self.setToolTip(tooltip(message))  # a narrow window cuts it off
        self.update()

    def show_progress(self, progress: Share) -> None:
        """Show the running work, its progress and the remaining time."""
        if progress.what != self._what:
            self._what = progress.what
            self._clock.start()
        working = bool(progress.what)
        seconds = self._clock.elapsed() / 1000 if working else 0.0
        left = seconds * (1 - progress.part) / progress.part if progress.part > 0 else 0.0
        remaining = f", {left:.0f} s left" if seconds > NOTICEABLE_SECONDS and left >= 1 else ""
        for widget in (self._work, self._bar, self._cancel):
            widget.setVisible(working)
        if working:  # a visible bar repaints at once, with everything else waiting
            self._work.setText(f"{progress.what}{remaining}")
            self._bar.setRange(0, 100 if progress.part > 0 else 0)
            self._bar.setValue(round(progress.part * 100))

    def _show_findings(self, answer: Answer | None) -> None:
        """Show the numbers of errors and warnings, each with its own mark. A style sheet is set only after a change."""
        findings = answer.findings if answer else ()
        for label, severity in zip((self._errors, self._warnings), SEVERITY_GLYPH, strict=True):
            number = sum(finding.severity == severity for finding in findings)
            text = f"{SEVERITY_GLYPH[severity]} {number}" if number else ""
            if text != label.text():
                label.setText(text)
                label.setToolTip(tooltip(f"{counted(number, severity)}; see the panel Findings." if number else ""))
                label.setStyleSheet(f"color: {severity_color(severity).name()}")

    def show_problem(self, problem: Problem) -> None:
        """Show a problem."""
        self.say(in_window(str(problem)).removeprefix(": "), PROBLEM_MILLISECONDS)

    def say(self, message: str, milliseconds: int = 0) -> None:
        """Show a message for this time; 0 shows it until the next message."""
        self.showMessage(one_line(message), milliseconds)


def _priced(answer: Answer) -> str:
    """Return the cost of the prompt, or "" without a prompt or a known price."""
    cost = prompt_cost(answer.model.row, answer.ledger.total) if answer.assembly.error is None else None
    return "" if cost is None else f" · {dollars(cost, answer.ledger.estimated)}"


def _how_counted(answer: Answer) -> str:
    """Return how reliable the figures are, and by which tokenizer: certain only once the whole prompt was measured."""
    assembly, ledger, title = answer.assembly, answer.ledger, tokenizer_title(answer.ledger.tokenizer)
    if assembly.error is not None:
        return f"No prompt, {title}"
    uncounted = int((~assembly.candidates.exact).sum())
    if uncounted:
        return f"{percentage(1 - uncounted / len(assembly.candidates), 0)} counted, {title}"
    if ledger.rendered is None:
        return f"Being measured, {title}"
    return prompt_counted_with(assembly, ledger)


def _how_sure(answer: Answer) -> str:
    """Return the lines of the tooltip: the tokenizer and why, what is not exact, and the price."""
    doubts = doubt_words(answer.assembly, answer.ledger) if answer.ledger.rendered is not None else ""
    return "\n".join(filter(None, (answer.model.tokenizer.reason, doubts, price_source(answer.model.row))))


_PATIENCE_MILLISECONDS = 100


class Notices(QObject):
    """The notices of a window, in a banner at the `place` below the header, which stays where it is."""

    def __init__(self, parent: QObject, host: Host, place: QBoxLayout) -> None:
        super().__init__(parent)
        self._place, self._host, self._session = place, host, host.session
        self._later = QTimer(self, singleShot=True, interval=_PATIENCE_MILLISECONDS)
        self._later.timeout.connect(self._show)
        self._reported: list[Problem] = []
        self._session.opened.connect(lambda _: self._reported.clear())
        self._session.unread_changed.connect(self._show_unread)
        self._session.problem_reported.connect(self._take_reported)

    def take_back(self, problem: Problem) -> None:
        """Withdraw a reported problem that is solved."""
        if problem in self._reported:
            self._reported.remove(problem)
            self._show()

    def _show_unread(self) -> None:
        """Show the problems found now; earlier reports are dropped."""
        if self._session.unread:
            self._reported.clear()
        self._show()

    def _take_reported(self, problem: Problem) -> None:
        """Show an error, such as a file that could not be written; the status line shows it only for a while."""
        if problem.severity == "error" and problem not in self._session.unread:
            self._reported = [problem, *(one for one in self._reported if one != problem)]
            self._show()

    @cached_property
    def _banner(self) -> "Banner":
        """The banner, made for the first notice."""
        from inspector.gui.parts.banner import Banner

        banner = Banner()
        banner.details_requested.connect(lambda: self._host.do("show_problems"))
        banner.repair_requested.connect(lambda: self._host.do("repair"))
        banner.columns_requested.connect(lambda: self._host.do("columns"))
        banner.closed.connect(self._close)
        self._place.addWidget(banner)
        return banner

    def _show(self) -> None:
        """Show the problems, but not while a mouse button is down, which would then hold another widget."""
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._later.start()
            return
        unread = self._session.unread
        problems = (*self._reported, *unread)
        if problems:
            repairable, is_table = (any(getattr(one, name) for one in problems) for name in ("repairable", "is_table"))
            listed = listed_problems(self._session.workspace, unread) if unread else ()
            sentence = notice(tuple(dict.fromkeys((*problems, *listed))))
            self._banner.say(sentence, problems[0].severity, repairable, is_table, listed=bool(unread))
            self._banner.show()
        elif "_banner" in vars(self):
            self._banner.hide()

    def _close(self) -> None:
        """Close the banner after it has been read."""
        self._reported.clear()
        self._banner.hide()


def notice(problems: tuple[Problem, ...]) -> str:
    """Return the first of some problems as a sentence, with their total number."""
    first = problems[0]
    name = PurePath(first.file).name or first.file
    sentence = ": ".join(part for part in (name, first.place, in_window(first.message)) if part)
    return f"{sentence} · {', '.join(problems_counted(problems))} in all" if len(problems) > 1 else sentence
