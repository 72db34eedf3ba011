"""The explanation: why an item is in the prompt or not; without an item, where the tokens of the prompt are."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QResizeEvent, QTextOption
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from inspector.analysis.explanation.solver import CONTEXT_WINDOW, SmallestChange
from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action, Section, State, phrase, section_title
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import decider_of
from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter, parameters_by_name
from inspector.figures import figures
from inspector.gui.parts.labels import ElidedLabel, PlainLabel
from inspector.gui.parts.last_prompt import OF_BEFORE, refusal
from inspector.gui.parts.page import PageView, link, paragraph, plain
from inspector.gui.parts.texts import control_text, one_line, tooltip
from inspector.gui.parts.wrapping_row import WrappingRow
from inspector.gui.screens.explanation.item_page import DECIDER_LINK, item_page, totals_page
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, give_font, theme

SEARCHING = "Looking for the smallest changes that would change this…"
CANCELLED = "The search for what would change this was cancelled."
NOTHING = "No single parameter would change this."


def changes_line(changes: Sequence[SmallestChange] | None, policy: object, is_cancelled: bool = False) -> str:
    """Return the HTML of the changes, grouped by the resulting action; None means a search under way."""
    if changes is None:
        return paragraph(CANCELLED if is_cancelled else SEARCHING, theme().muted_text)
    if not changes:
        return paragraph(NOTHING, theme().muted_text)
    declared = parameters_by_name(policy)
    lines = []
    for action in Action:
        links = [_link(number, change, declared) for number, change in enumerate(changes) if change.action == action]
        if links:
            words = plain(f"It would be {phrase(action)} with: ")
            lines.append(f'<p style="margin-top:0px;margin-bottom:8px;">{words}{"  ·  ".join(links)}</p>')
    return "".join(lines)


def change_text(change: SmallestChange, declared: Mapping[str, Parameter]) -> str:
    """Return a change in a few words, such as `History share 52.3 %`."""
    if change.parameter == CONTEXT_WINDOW:
        return f"Context window {figures(change.value)}"
    return edit_label(declared[change.parameter], change.value)


def _link(number: int, change: SmallestChange, declared: Mapping[str, Parameter]) -> str:
    """Return a change as a link to its number, with its side effects as the tooltip."""
    others = [
        f"{len(rows):,} more {word}" for rows, word in ((change.kept, "kept"), (change.dropped, "dropped")) if rows
    ]
    return link(f"change:{number}", change_text(change, declared), f"Also: {', '.join(others)}" if others else "")


_EMPTY = "Open a conversation to see here what its prompt is made of, and why each item is in it or not."
NAME_CODE_POINTS = 60
"""The most code points of an id shown as the heading."""
NARROW = 46
"""A panel narrower than this many lines of text are high puts parts below each other instead of side by side."""


class Explanation(QWidget):
    """The explanation of an item, with buttons to pin, exclude and find it; without an item, the totals of the answer.

    `pin_requested(ids)` and `exclude_requested(ids)` ask to toggle the mark of these items, `show_in_prompt(row)` to
    show the item there, `change_requested(parameter, value)` to make a change of the item's fate, `row_selected(row)`
    to select the deciding item.
    """

    pin_requested = Signal(list)
    exclude_requested = Signal(list)
    show_in_prompt = Signal(int)
    change_requested = Signal(str, object)
    row_selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("explanation")
        self.setAccessibleName("Explanation")
        self._shown: tuple[Answer | None, int | None, object | None] = (None, None, None)
        self._last: Answer | None = None
        self._changes: Sequence[SmallestChange] | None = None
        self._is_cancelled = False
        self._is_narrow = False
        self._heading = PlainLabel()
        give_font(self._heading, "title")
        self._heading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._about = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._page = PageView()
        self._page.setAccessibleName("Why, with the figures behind it")
        self._page.setFrameShape(QFrame.Shape.NoFrame)
        # Its preferred height must not make the whole panel scroll: it takes the room left.
        self._page.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._page.setMinimumHeight(self._page.minimumSizeHint().height())
        self._page.document().setDocumentMargin(PANEL_MARGIN)
        self._page.anchorClicked.connect(self._follow)
        self._pin = self._button("Pin", lambda name: self.pin_requested.emit([name]))
        self._exclude = self._button("Exclude", lambda name: self.exclude_requested.emit([name]))
        self._find = self._button("Show in prompt", lambda _: self.show_in_prompt.emit(self._shown[1]))
        self._words, self._buttons = QHBoxLayout(), WrappingRow()
        self._words.setSpacing(GAP)
        self._words.addWidget(self._heading)
        self._words.addWidget(self._about, 1)
        self._buttons.setSpacing(UNIT)
        for button in (self._pin, self._exclude, self._find):
            self._buttons.addWidget(button)
        self._top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._top.setSpacing(UNIT)
        self._top.addLayout(self._words, 1)
        self._top.addLayout(self._buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        layout.setSpacing(UNIT)
        layout.addLayout(self._top)
        layout.addWidget(self._page, 1)
        self._set_look()
        self._refresh()

    def show_item(
        self, answer: Answer | None, row: int | None, policy: object | None, last: Answer | None = None
    ) -> None:
        """Explain a row of the answer's candidates; the whole answer if `row` is None.

        `policy` made the decisions; if it has a method `signals`, its ranking is written out. An answer without a
        prompt shows the reason above the page of `last`, the last answer with a prompt of these items.
        """
        self._shown, self._last = (answer, row, policy), last
        self._changes, self._is_cancelled = None, False
        self._refresh()

    def show_changes(self, row: int, changes: Sequence[SmallestChange] | None) -> None:
        """Show the changes of the row's fate if the row is still shown; None means that the search was cancelled."""
        if row == self._shown[1]:
            self._changes, self._is_cancelled = changes, changes is None
            self._refresh()

    def text(self) -> str:
        """Return the shown text without its formatting."""
        return "\n".join((self._heading.text(), self._about.text(), self._page.toPlainText()))

    def minimumSizeHint(self) -> QSize:
        """Return the width of the buttons, which move below the words if there is no more."""
        narrow = max(self._buttons.minimumSize().width(), self._page.minimumSizeHint().width())
        return QSize(narrow + 2 * PANEL_MARGIN, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._find_room():
            self._refresh()

    def _find_room(self) -> bool:
        """Arrange the parts for the current width and text size; return whether the panel became narrow or wide by
        it.
        """
        before, self._is_narrow = self._is_narrow, self.width() < NARROW * self.fontMetrics().lineSpacing()
        directions = QBoxLayout.Direction
        self._top.setDirection(directions.TopToBottom if self._is_narrow else directions.LeftToRight)
        # With WordWrap no column is narrower than its longest word, as the column of names would be.
        modes = QTextOption.WrapMode
        self._page.setWordWrapMode(modes.WordWrap if self._is_narrow else modes.WrapAtWordBoundaryOrAnywhere)
        return self._is_narrow != before

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_find"):
            self._set_look()
            self._find_room()
            self._refresh()

    def _button(self, text: str, act: Any) -> QPushButton:
        button = QPushButton(control_text(text))
        button.setAccessibleName(text)
        button.clicked.connect(lambda: act(self._name()))
        return button

    def _name(self) -> str:
        answer, row, _ = self._shown
        return "" if answer is None or row is None else answer.assembly.candidates.ids[row]

    def _refresh(self) -> None:
        answer, row, policy = self._shown
        for button in (self._pin, self._exclude, self._find):
            button.setVisible(answer is not None and row is not None)
        if answer is None:
            self._set_heading("Explanation", "")
            self._set_page(paragraph(_EMPTY, theme().muted_text))
        elif row is None:
            self._set_heading("Where the tokens are", "Select an item to see why it is in the prompt or not.")
            self._set_page_of(answer, lambda told: totals_page(told, self._is_narrow))
        else:
            self._set_heading(one_line(self._name(), NAME_CODE_POINTS), _about(answer.assembly, row))
            self._describe_buttons(answer.assembly, row)
            line = changes_line(self._changes, policy, self._is_cancelled) if policy is not None else ""
            line = "" if refusal(answer) else line
            self._set_page_of(answer, lambda told: item_page(told, row, policy, line, self._is_narrow))

    def _set_page_of(self, answer: Answer, page: Callable[[Answer], str]) -> None:
        """Show the page of an answer; without a prompt, the reason, and the page of the last prompt, dimmed."""
        if not (why := refusal(answer)):
            self._set_page(page(answer))
            return
        reason = paragraph(why, theme().error, size="large")
        before = paragraph(OF_BEFORE) + page(self._last) if self._last is not None else ""
        self._set_page(reason + before, theme().muted_text)

    def _follow(self, link: QUrl) -> None:
        """Go to the item behind a link, or emit its change."""
        if link.toString() == DECIDER_LINK:
            self._go_to_decider()
            return
        number = int(link.path())
        if self._changes is not None and number < len(self._changes):
            change = self._changes[number]
            self.change_requested.emit(change.parameter, change.value)

    def _go_to_decider(self) -> None:
        answer, row, _ = self._shown
        answer = self._last if refusal(answer) else answer
        decider = None if answer is None or row is None else decider_of(answer.assembly, row)
        if decider is not None:
            self.row_selected.emit(decider.row)

    def _describe_buttons(self, assembly: Assembly, row: int) -> None:
        candidates = assembly.candidates
        self._pin.setText("Unpin" if candidates.pinned[row] else "Pin")
        self._pin.setToolTip(tooltip("Keep this item first, whatever it costs (P)"))
        self._exclude.setText("Include again" if candidates.state[row] == State.EXCLUDED else "Exclude")
        self._exclude.setToolTip(tooltip("Leave this item out before the policy sees it (X)"))
        for button in (self._pin, self._exclude):
            button.setAccessibleName(button.text())
            button.setEnabled(bool(candidates.state[row] != State.NOT_YET))
        self._find.setEnabled(bool(assembly.in_prompt[row]))

    def _set_heading(self, heading: str, about: str) -> None:
        self._heading.setText(heading)
        self._about.say(about)

    def _set_look(self) -> None:
        """Take the colours of the theme."""
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, theme().muted_text)
        self._about.setPalette(palette)

    def _set_page(self, html: str, ink: QColor | None = None) -> None:
        self._page.show_page(f'<body style="color:{(ink or theme().text).name()};">{html}</body>')


def _about(assembly: Assembly, row: int) -> str:
    """Return section, role, speaker and time of an item."""
    thing = assembly.candidates.things[row]
    words = [section_title(Section(int(assembly.section[row])))]
    words += [one_line(word) for word in (getattr(thing, "role", ""), getattr(thing, "name", "")) if word]
    time = getattr(thing, "time", None)
    if time is not None:
        words.append(f"{time:%Y-%m-%d %H:%M}")
    return "  ·  ".join(words)
