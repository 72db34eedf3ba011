"""Where the tokens are: the sum of the sections and of the formatting, and what the window has left."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QVBoxLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Fate, Section, phrase, section_title, word
from inspector.assembly.cost import price_text, prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.doubts import doubt_words
from inspector.assembly.overhead import Overhead
from inspector.assembly.recorded_requests import REMAINDER_TITLE, recorded_sentence
from inspector.assembly.summary_items import SUMMARIES_TITLE, summaries_figure, summaries_told
from inspector.figures import counted, dollars, figures, percentage, signed
from inspector.gui.parts.bar_picture import bar_picture
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.page import paragraph, plain, verdict
from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.details.growing_page import GrowingPage
from inspector.gui.theme import GAP, RADIUS, UNIT, give_font, named_font, row_height, scaled, theme
from inspector.tokens.certainty import Certainty
from inspector.tokens.cost_words import figure_of, state_words
from inspector.tokens.tokenizer import tokenizer_title

PROMPT_TARGET = "prompt"
"""The target of lines about the prompt as a whole; those of the others are lines of the filter."""
_EDGE = UNIT
_INSIDE = 3 * UNIT
_BESIDE = 140 * UNIT


@dataclass(frozen=True, slots=True)
class SumLine:
    """A line of a sum. `section` gives the colour of its edge, `target` where a click leads, "" for nowhere;
    `tip` is the rule behind the figure, or what is not exact in it."""

    name: str
    figure: str
    note: str = ""
    target: str = ""
    section: Section | None = None
    is_result: bool = False
    tip: str = ""


def prompt_lines(answer: Answer) -> Iterator[SumLine]:
    """Yield the sections and the lines of formatting, which sum to the total."""
    assembly, ledger = answer.assembly, answer.ledger
    is_measured = ledger.rendered is not None
    planned = Certainty.EXACT if is_measured else Certainty.ESTIMATE
    certainties = _section_certainties(assembly)
    for section in Section:
        used, limits = int(assembly.used[section]), assembly.budget.sections.get(section)
        if used or (limits is not None and limits.limit is not None):
            room = None if limits is None else limits.room
            share = (
                f", {used - room:,} over" if room and used > room else f", {percentage(used / room)}" if room else ""
            )
            of = "" if room is None else f"of {room:,}{share}"
            target = f"section:{word(section)}"
            figure = figure_of(used, max(certainties[section], planned))
            yield SumLine(section_title(section), figure, of, target, section)
            if section == Section.HISTORY and (summaries := summaries_figure(assembly)):
                yield SumLine(
                    SUMMARIES_TITLE, summaries, f"within {section_title(section)}", tip=summaries_told(assembly)
                )
    yield from (_line_of(line, planned) for line in ledger.lines)
    is_doubtful = is_measured and not ledger.exact
    note, tip = (state_words(ledger.cost, of_whole=True), doubt_words(assembly, ledger)) if is_doubtful else ("", "")
    total = figures(ledger.total, ledger.estimated)
    yield SumLine("Total", total, note, PROMPT_TARGET, is_result=True, tip=tip)
    yield from _recorded_lines(answer)


def _recorded_lines(answer: Answer) -> Iterator[SumLine]:
    """Yield the recorded total of the request as a sum that begins with the total here; nothing if none is known."""
    found, estimated = answer.recorded, answer.ledger.estimated
    if found is None or found.counted is None:
        return
    if found.later:
        yield SumLine("− said later", figures(found.later, estimated))
    if found.remainder:
        yield SumLine(f"+ {REMAINDER_TITLE.lower()}", figures(found.remainder, estimated))
    elif found.difference:
        yield SumLine("− fewer than counted", figures(-found.difference, estimated))
    yield SumLine("Recorded", figures(found.prompt), is_result=True)
    usage = found.usage
    parts = (("From a cache", usage.cached), ("To a cache", usage.written), ("Neither", usage.fresh))
    for name, tokens in parts if usage.is_divided else ():
        if tokens:
            yield SumLine(name, figures(tokens), percentage(tokens / found.prompt))
    for name, tokens in (("Its thoughts", usage.thoughts), ("Its answer", usage.answer)):
        if tokens is not None:
            yield SumLine(name, figures(tokens))


def _section_certainties(assembly: Assembly) -> dict[Section, Certainty]:
    """Return how sure the tokens of each section are, without touching a row by itself."""
    rows, states = assembly.in_prompt, len(Certainty)
    pairs = assembly.section[rows].astype(np.intp) * states + assembly.candidates.certainty[rows]
    found = np.bincount(pairs, minlength=states * (max(Section) + 1)).reshape(-1, states) > 0
    found[Section.HISTORY, Certainty.ESTIMATE] |= assembly.summaries_total > 0
    return {
        section: max((one for one in Certainty if found[section, one]), default=Certainty.EXACT) for section in Section
    }


def _line_of(line: Overhead, planned: Certainty) -> SumLine:
    """Return a line of formatting, with how sure it is and the rule behind it; at best as sure as `planned`."""
    certainty = line.cost.certainty
    note = "formatting" if certainty is Certainty.EXACT else f"formatting, {state_words(line.cost)}"
    return SumLine(line.title, figure_of(line.tokens, max(certainty, planned)), note, PROMPT_TARGET, tip=line.cost.rule)


def window_lines(answer: Answer) -> Iterator[SumLine]:
    """Yield window − prompt − reply = free, and the cost."""
    budget, free, estimated = answer.assembly.budget, answer.room, answer.ledger.estimated
    yield SumLine("Window", figures(budget.context_window))
    yield SumLine("− prompt", figures(answer.ledger.total, estimated), target=PROMPT_TARGET)
    if answer.remainder:
        yield SumLine(f"− {REMAINDER_TITLE.lower()}", figures(answer.remainder, estimated))
    if budget.response_reserve:
        yield SumLine("− reply", figures(budget.response_reserve))
    margin = f"{budget.safety_margin:,} as a safety margin" if budget.safety_margin else ""
    name = "= free" if free >= 0 else "= over the window"
    yield SumLine(name, figures(abs(free), estimated), margin, is_result=True)
    row = answer.model.row
    if row is not None and (cost := prompt_cost(row, answer.ledger.total)) is not None:
        yield SumLine("Cost of the prompt", dollars(cost, estimated), f"${price_text(row.price_in)} per million")


def summary_page(answer: Answer) -> str:
    """Return the HTML of the numbers of items, each a link that filters the table, and of what is free."""
    counts = answer.assembly.fate_counts
    words = [
        _quiet_link(f"filter:action:{word(fate)}", f"{int(counts[fate]):,} {phrase(fate)}")
        for fate in Fate
        if counts[fate]
    ]
    rest = counted(abs(answer.room), "token", estimated=answer.ledger.estimated)
    is_free = f"{rest} {'is' if answer.room == 1 else 'are'} free"
    fits = is_free if answer.room >= 0 else f"It exceeds the window by {rest}"
    total = counted(int(counts.sum()), "item")
    return verdict(f"{plain(total)}: {', '.join(words) or 'none'}. {plain(fits)}.")


def _quiet_link(target: str, text: str) -> str:
    """Return linked words without a line below them, which would be heavy in large type."""
    tip, look = plain(tooltip("Show only these in the table")), f"color:{theme().accent.name()};text-decoration:none;"
    return f'<a href="{target}" style="{look}" title="{tip}">{plain(text)}</a>'


def remarks_page(answer: Answer) -> str:
    """Return the HTML of loans, of what is in the prompt with fewer tokens, and of how the whole was measured."""
    remarks = (*(loan.sentence for loan in bar_picture(answer).loans), *_shortened(answer), _measurement(answer))
    if answer.recorded is not None:
        remarks += (recorded_sentence(answer.recorded, answer.assembly.candidates, answer.ledger.estimated),)
    return paragraph(" ".join(remarks), theme().second_text)


def _shortened(answer: Answer) -> Iterator[str]:
    """Yield the numbers of items in the prompt with fewer tokens than their own: summarized, also together by summaries
    of the program, or cut, as by a cap on messages.
    """
    assembly = answer.assembly
    cost = assembly.candidates.tokens
    for action, what in ((Action.SUMMARIZED, "summarized"), (Action.TRUNCATED, "cut short")):
        rows = assembly.action == action
        if rows.any():
            estimated, number = bool(assembly.candidates.estimated[rows].any()), int(rows.sum())
            whole, spent = int(cost[rows].sum(dtype=np.int64)), int(assembly.spent[rows].sum(dtype=np.int64))
            if action is Action.SUMMARIZED and assembly.summaries_total:
                spent, estimated = spent + assembly.summaries_total, True
            instead = f"{counted(spent, 'token', estimated=estimated)} instead of {figures(whole, estimated)}"
            yield f"{counted(number, 'item')} {'is' if number == 1 else 'are'} {what}: {instead}."


def _measurement(answer: Answer) -> str:
    ledger = answer.ledger
    if ledger.rendered is None:
        return f"The whole prompt is being measured with {tokenizer_title(ledger.tokenizer)}."
    whole = counted(ledger.rendered, "token", estimated=ledger.estimated)
    kind = ", exact" if ledger.exact else ""
    doubts = f" {words}" if (words := doubt_words(answer.assembly, ledger)) else ""
    sums = "the sum adds up" if not ledger.residual else f"the sum differs by {signed(ledger.residual)}"
    drift = _drift(answer)
    return f"Measured as one text with {tokenizer_title(ledger.tokenizer)}: {whole}{kind}; {sums}.{drift}{doubts}"


def _drift(answer: Answer) -> str:
    """Return how the measured items differ from the plan; apart from them the words that stand for summaries."""
    ledger, assembly = answer.ledger, answer.assembly
    if ledger.drift is None:
        return ""
    is_assumed = any(one.is_assumed for one in assembly.compactions.standing)
    of_summaries = ledger.of_summaries - assembly.summaries_total if is_assumed else 0
    words = ""
    if of_items := ledger.drift - of_summaries:
        words += f" The items cost {signed(of_items)} against what was planned for them."
    if of_summaries:
        words += " The program's summaries are not written here: the words that stand for them cost "
        words += f"{signed(of_summaries)} against their size, which is assumed."
    return words


class SumRow(QAbstractButton):
    """A painted line of a sum, which can be pressed if it leads somewhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line: SumLine | None = None
        self._sums = self._notes = 0
        self._is_before = False

    @property
    def target(self) -> str:
        """Where a press leads."""
        return self.line.target if self.line is not None else ""

    def show_line(self, line: SumLine, sums: int, notes: int, is_before: bool) -> None:
        """Show a line; faint for a prompt before.

        Names and figures of all lines need `sums` pixels, their notes `notes`, which give way where both do not fit.
        """
        if (line, sums, notes, is_before) != (self.line, self._sums, self._notes, self._is_before):
            self.line, self._sums, self._notes, self._is_before = line, sums, notes, is_before
            leads = bool(line.target)
            self.setEnabled(leads)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus if leads else Qt.FocusPolicy.NoFocus)
            self.setAccessibleName(" ".join(filter(None, (line.name, line.figure, line.note))))
            self.setAccessibleDescription(line.tip)
            self.setToolTip(tooltip("\n".join(filter(None, (line.note, line.tip)))))
            self.update()
        self.show()

    def sizeHint(self) -> QSize:
        """Return the height of a row."""
        return QSize(40 * UNIT, row_height(self))

    def paintEvent(self, event: QPaintEvent) -> None:
        line, look, painter = self.line, theme(), QPainter(self)
        if line is None:
            return
        whole = self.rect()
        if line.target and (self.underMouse() or self.isDown() or self.hasFocus()):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.accent_soft if self.isDown() else look.hover)
            painter.drawRoundedRect(whole, RADIUS, RADIUS)
        if line.is_result:
            painter.setPen(QPen(look.border, 1))
            painter.drawLine(_INSIDE, 0, whole.right(), 0)
        if line.section is not None:
            painter.fillRect(QRect(0, 5, _EDGE, whole.height() - 10), look.section_color(line.section))
        notes = max(0, min(self._notes, whole.width() - _INSIDE - self._sums))
        figure = QRect(_INSIDE, 0, whole.width() - _INSIDE - notes, whole.height())
        font = "title" if line.is_result else None
        ink = look.muted_text if self._is_before else look.text
        self._write(painter, figure, line.figure, ink, Qt.AlignmentFlag.AlignRight, font)
        width = painter.fontMetrics().horizontalAdvance(line.figure)
        name = figure.adjusted(0, 0, -width - GAP, 0)
        self._write(painter, name, line.name, ink, Qt.AlignmentFlag.AlignLeft, font)
        if line.note:
            note = QRect(figure.right() + 1 + GAP, 0, notes - GAP, whole.height())
            self._write(painter, note, line.note, look.second_text, Qt.AlignmentFlag.AlignLeft, "secondary")
        painter.end()

    def _write(
        self, painter: QPainter, room: QRect, text: str, ink: QColor, side: Qt.AlignmentFlag, font: str | None
    ) -> None:
        painter.setFont(self.font() if font is None else named_font("title" if font == "title" else "secondary"))
        painter.setPen(ink)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, shown)


class Totals(QWidget):
    """The sum of the prompt and of the window. `chosen(target)` carries the target of a pressed line or link."""

    chosen = Signal(str)
    _is_before = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summary, self._remarks = GrowingPage("How many items there are"), GrowingPage("How it was measured")
        self._summary.anchorClicked.connect(self._follow)
        titles = [PlainLabel(text) for text in ("The prompt", "The window")]
        for title in titles:
            give_font(title, "title")
        self._sums: tuple[QVBoxLayout, QVBoxLayout] = (QVBoxLayout(), QVBoxLayout())
        self._rows: tuple[list[SumRow], list[SumRow]] = ([], [])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addWidget(self._summary)
        self._both = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._both.setSpacing(GAP)
        for title, sums in zip(titles, self._sums, strict=True):
            sums.setSpacing(0)
            column = QVBoxLayout()
            column.setSpacing(UNIT)
            column.addWidget(title)
            column.addLayout(sums)
            column.addStretch(1)
            self._both.addLayout(column, 1)
        layout.addSpacing(GAP)
        layout.addLayout(self._both)
        layout.addSpacing(GAP)
        layout.addWidget(self._remarks)
        layout.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the sums side by side where there is room."""
        directions = QBoxLayout.Direction
        is_wide = event.size().width() >= scaled(_BESIDE)
        self._both.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)
        super().resizeEvent(event)

    def show_answer(self, answer: Answer, is_before: bool = False) -> None:
        """Show the totals of an answer with a prompt; faint for a prompt before."""
        self._is_before = is_before
        self._summary.show_page(summary_page(answer), theme().muted_text if is_before else None)
        both = tuple(prompt_lines(answer)), tuple(window_lines(answer))
        noted, titled = QFontMetrics(named_font("secondary")), QFontMetrics(named_font("title"))
        every = [line for lines in both for line in lines]
        notes = max((noted.horizontalAdvance(line.note) for line in every), default=0)
        sums = max(sum(map(titled.horizontalAdvance, (line.name, line.figure))) for line in every)
        widths = sums + GAP, notes + GAP + UNIT if notes else 0
        for lines, rows, layout in zip(both, self._rows, self._sums, strict=True):
            self._show_lines(lines, rows, layout, widths)
        self._remarks.show_page(remarks_page(answer))

    def _show_lines(
        self, lines: Sequence[SumLine], rows: list[SumRow], layout: QVBoxLayout, widths: tuple[int, int]
    ) -> None:
        while len(rows) < len(lines):
            row = SumRow()
            row.clicked.connect(lambda _=False, row=row: self.chosen.emit(row.target))
            rows.append(row)
            layout.addWidget(row)
        for row, line in zip(rows, lines, strict=False):
            row.show_line(line, *widths, self._is_before)
        for row in rows[len(lines) :]:
            row.hide()

    def text(self) -> str:
        """Return the shown words, name, figure and note of each line below each other."""
        lines = [row.line for rows in self._rows for row in rows if row.line is not None and not row.isHidden()]
        words = [text for line in lines for text in (line.name, line.figure, line.note)]
        return "\n".join((self._summary.toPlainText(), *words, self._remarks.toPlainText()))

    def _follow(self, target: QUrl) -> None:
        self.chosen.emit(target.toString().partition(":")[2])
