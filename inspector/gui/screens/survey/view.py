"""The view of the survey: six figures, two plots, the mean prompt, the most frequent findings, and more figures."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from inspector.analysis.archive.figures import ChatFigures
from inspector.analysis.archive.summary import summary_of
from inspector.analysis.archive.survey import Estimate, FindingInChats, Survey
from inspector.analysis.archive.survey_text import telling_fits
from inspector.analysis.archive.topics import TOPIC_NAMES, Topic, topics
from inspector.figures import counted, dollars, figures, percentage
from inspector.gui.icons import line_icon
from inspector.gui.parts.buttons import ViewSwitch
from inspector.gui.parts.card import ICON, RIGHT, Card, paint_icon, write
from inspector.gui.parts.labels import Hint, PlainLabel, heading
from inspector.gui.parts.page import PageView
from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.survey.pictures import Figure, FitsPicture, LengthsPicture, PartsPicture, parts_words
from inspector.gui.screens.survey.topics import topic_page
from inspector.gui.theme import scaled, theme

NOTHING_YET = "What all chats come to appears here as they are looked at."
NO_FINDINGS = "There are none."
MOST_FINDINGS = 6
_MILLION = 1_000_000
_PAGE_HEIGHT = 420
_ROW, _THREE_FIGURES = 28, 450


class FindingRow(Card):
    """A kind of finding and how many chats have it; a click lists them."""

    def __init__(self, found: FindingInChats, parent: QWidget | None = None) -> None:
        super().__init__("", "List these chats", _ROW, parent)
        self.show_found(found)

    def show_found(self, found: FindingInChats) -> None:
        """Show a kind with its number of chats."""
        self.kind, self._chats = found.kind, counted(found.chats, "chat")
        self.words = self.kind.short
        self.setAccessibleName(_spoken(found))
        self.setToolTip(tooltip(f"{self.kind.meaning}\n{self.kind.general_advice}", wraps=True))
        self.update()

    @property
    def is_in_hand(self) -> bool:
        """Whether the user may be about to press it."""
        return self.underMouse() or self.hasFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, whole = QPainter(self), theme(), self.rect()
        self.paint_ground(painter, look.base, None)
        icons = {"error": ("triangle-alert", look.error), "warning": ("triangle-alert", look.warning)}
        icon, ink = icons.get(self.kind.severity, ("info", look.muted_text))
        paint_icon(painter, icon, 2, whole.height() // 2, ink)
        room = whole.adjusted(scaled(ICON) + scaled(10), 0, -4, 0)
        used = write(painter, room, self._chats, "secondary", look.muted_text, RIGHT)
        write(painter, QRect(room.adjusted(0, 0, -used - scaled(12), 0)), self.words, "name", look.text)
        painter.end()


def _spoken(found: FindingInChats) -> str:
    """Return a kind with its meaning and how many chats have it, for screen readers."""
    return f"{found.kind.short}. {found.kind.meaning} {counted(found.chats, 'chat')}"


class SurveyView(QScrollArea):
    """The survey. `finding_chosen` carries the code of a kind of finding and words for it."""

    report_requested = Signal()
    finding_chosen = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("survey")
        self.setAccessibleName("All chats with this setting")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.survey: Survey | None = None
        self._found: Sequence[ChatFigures] = ()
        self.topics: tuple[Topic, ...] = ()
        self.figures = [Figure() for _ in range(6)]
        self.lengths, self.fits, self.parts = LengthsPicture(), FitsPicture(), PartsPicture()
        self._parts_words, self._nothing, self._no_findings = Hint(), Hint(), Hint()
        self.findings: list[FindingRow] = []
        self._finding_rows = QVBoxLayout()
        self._finding_rows.setSpacing(0)
        self.report = QPushButton("Report…")
        self.report.setObjectName("survey:report")
        self.report.setToolTip(tooltip("A page about all chats looked at so far"))
        self.report.clicked.connect(self.report_requested)
        self.more = self._make_more()
        self.switch = ViewSwitch(TOPIC_NAMES, "What all chats come to: {}", wraps=True)
        self.switch.chosen.connect(lambda _: self._show_topic())
        self.page = PageView()
        self.page.setAccessibleName("More figures about all chats")
        self.page.setFixedHeight(scaled(_PAGE_HEIGHT))
        self._beside = 0
        self._lay_out()
        self._unfold(False)

    def show_survey(self, survey: Survey, found: Sequence[ChatFigures]) -> None:
        """Show a survey made from the figures `found`."""
        self.survey, self._found, self.topics = survey, found, ()
        self._shown.setVisible(survey.looked > 0)
        self._nothing.say("" if survey.looked else NOTHING_YET)
        self.report.setEnabled(survey.looked > 0)
        for tile, (figure, meaning, more) in zip(self.figures, told(survey), strict=True):
            tile.say(figure, meaning, more)
        self.lengths.show_lengths(survey.lengths, survey.window, survey.room)
        self.fits.show_fits(telling_fits(survey))
        self.parts.show_parts(survey.parts)
        self._parts_words.say(parts_words(survey.parts))
        self._show_findings(survey.findings)
        if self.more.isChecked():
            self._show_topic()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show the figures as those of another setting, or as current again."""
        self._title.setText("For other settings, being looked at again" if dimmed else "All chats with this setting")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "page") and self.more.isChecked():
            self._show_topic()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand two figures beside each other where three would be cut."""
        super().resizeEvent(event)
        self._place_figures()

    def sizeHint(self) -> QSize:
        return QSize(scaled(476), scaled(400))

    # Inside

    def _place_figures(self) -> None:
        beside = 3 if self.width() >= scaled(_THREE_FIGURES) else 2
        if beside == self._beside:
            return
        self._beside = beside
        for place, tile in enumerate(self.figures):
            self._grid.addWidget(tile, place // beside, place % beside)
        for column in range(3):
            self._grid.setColumnStretch(column, int(column < beside))

    def _show_findings(self, found: Sequence[FindingInChats]) -> None:
        """Show a row for the most frequent kinds; rows stay, so that a press of one reaches it."""
        shown = self._ranked(found)
        while len(self.findings) > len(shown):
            left = self.findings.pop()
            left.hide()
            left.deleteLater()
        for row, one in zip(self.findings, shown, strict=False):
            row.show_found(one)
        for one in shown[len(self.findings) :]:
            self._add_row(one)
        self._no_findings.say("" if found else NO_FINDINGS)

    def _ranked(self, found: Sequence[FindingInChats]) -> Sequence[FindingInChats]:
        """Return the most frequent kinds; while a row is under the mouse or has the focus, each kind keeps its row."""
        if not any(row.is_in_hand for row in self.findings):
            return found[:MOST_FINDINGS]
        known = {one.kind: one for one in found}
        held = [known[row.kind] for row in self.findings if row.kind in known]
        others = [one for one in found if one not in held]
        return [*held, *others][:MOST_FINDINGS]

    def _add_row(self, found: FindingInChats) -> None:
        row = FindingRow(found, self._shown)
        row.clicked.connect(lambda _=False: self.finding_chosen.emit(row.kind.code, row.words))
        self._finding_rows.addWidget(row)
        self.findings.append(row)

    def _show_topic(self) -> None:
        if not self.topics and self._found:
            self.topics = topics(summary_of(self._found))
        self.page.show_page(topic_page(self.topics[self.switch.current]) if self.topics else "")

    def _make_more(self) -> QToolButton:
        more = QToolButton()
        more.setObjectName("survey:more")
        more.setText("More figures")
        more.setCheckable(True)
        more.setAutoRaise(True)
        more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        more.setMinimumHeight(scaled(26))
        more.toggled.connect(self._unfold)
        return more

    def _unfold(self, shown: bool) -> None:
        self.more.setIcon(line_icon("chevron-down" if shown else "chevron-right", 14))
        self.switch.setVisible(shown)
        self.page.setVisible(shown)
        if shown:
            self._show_topic()

    def _lay_out(self) -> None:
        page = QWidget(self.viewport())
        page.setBackgroundRole(QPalette.ColorRole.Base)
        page.setAutoFillBackground(True)
        rows = QVBoxLayout(page)
        rows.setContentsMargins(20, 0, 20, 16)
        rows.setSpacing(0)
        self._title = heading("All chats with this setting")
        head = QHBoxLayout()
        head.setContentsMargins(0, 8, 0, 8)
        head.addWidget(self._title)
        head.addStretch(1)
        head.addWidget(self.report)
        rows.addLayout(head)
        rows.addWidget(self._nothing)
        self._shown = QWidget(page)
        rows.addWidget(self._shown)
        rows.addStretch(1)
        self._lay_out_pictures(QVBoxLayout(self._shown))
        self.setWidget(page)

    def _lay_out_pictures(self, rows: QVBoxLayout) -> None:
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(10)
        self._place_figures()
        rows.addLayout(self._grid)
        titled: tuple[tuple[str, tuple[QWidget, ...]], ...] = (
            ("Length of the chats, tokens", (self.lengths,)),
            ("Chats that fit as a whole, by window", (self.fits,)),
            ("What a prompt is made of, on average", (self.parts, self._parts_words)),
        )
        for title, parts in titled:
            _add(rows, title, *parts)
        _add(rows, "Most frequent findings", self._no_findings)
        rows.addLayout(self._finding_rows)
        rows.addSpacing(scaled(12))
        rows.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        rows.addSpacing(scaled(6))
        rows.addWidget(self.switch)
        rows.addSpacing(scaled(6))
        rows.addWidget(self.page)


def _add(rows: QVBoxLayout, title: str, *parts: QWidget) -> None:
    label: PlainLabel = heading(title)
    rows.addSpacing(scaled(18))
    rows.addWidget(label)
    for part in parts:
        rows.addSpacing(scaled(6))
        rows.addWidget(part)


def told(survey: Survey) -> Iterator[tuple[str, str, str]]:
    """Yield the six figures: the figure, its meaning, and its surroundings, with intervals until all are known."""
    looked, of = survey.looked, f"of {counted(survey.looked, 'chat')}"
    yield figures(survey.whole), f"of {figures(looked)} fit whole", _interval(survey.fitting)
    dropped = percentage(survey.dropped.value, 0)
    sure = survey.is_complete and survey.exact
    median = percentage(survey.dropped_median, 0)
    yield (
        dropped if sure else f"≈ {dropped}",
        "of tokens dropped",
        f"median chat {median}" if survey.is_complete else f"{_reach(survey.dropped)}, median {median}",
    )
    failed = f"{figures(survey.failed)} without a prompt" if survey.failed else of
    yield figures(survey.over_window), "over the window", failed
    yield _large(survey.items, not survey.exact), "tokens of items", of
    prompts = survey.prompts
    yield (
        figures(round(prompts.median), not survey.exact),
        "median prompt",
        f"longest {figures(round(prompts.largest))}",
    )
    priced = of if survey.priced == looked else f"{figures(survey.priced)} have a price"
    yield "–" if survey.cost is None else _money(survey.cost), "a prompt of each", priced


def _interval(share: Estimate) -> str:
    if share.low == share.high:
        return f"{percentage(share.value)} of all"
    return f"≈ {percentage(share.value, 0)}, {_reach(share)}"


def _reach(share: Estimate) -> str:
    return f"{share.low * 100:.0f} to {percentage(share.high, 0)}"


def _money(cost: float) -> str:
    return f"${cost:,.2f}" if cost >= 1 else dollars(cost)


def _large(number: int, estimated: bool) -> str:
    if number < _MILLION:
        return figures(number, estimated)
    return f"{'≈ ' if estimated else ''}{number / _MILLION:,.1f} million"
