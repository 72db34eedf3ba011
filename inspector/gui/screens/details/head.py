"""The head of the details: which item it is, who said it and when, and the buttons that act on it."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, State
from inspector.assembly.marks import marked_rows
from inspector.assembly.numbers import called
from inspector.assembly.who import about
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import control_text, one_line, tooltip
from inspector.gui.screens.details.controls import MARGIN, HeadButton, Quiet
from inspector.gui.table.item_menu import alternatives_menu, class_menu
from inspector.gui.theme import UNIT, give_font

HEIGHT = 10 * UNIT
NAME_CODE_POINTS = 40
MORE = "More about this item"
NOT_YET = "It does not exist yet at this turn."
NOT_IN_PROMPT = "It is not in the prompt."
_KINDS = {
    Kind.SYSTEM: "System",
    Kind.COMPONENT: "Component",
    Kind.PROFILE: "Profile",
    Kind.MEMORY: "Memory",
    Kind.LORE: "Lore",
    Kind.PASSAGE: "Passage",
    Kind.SUMMARY: "Summary",
    Kind.DOCUMENT: "Document",
    Kind.ATTACHMENT: "Attachment",
    Kind.GREETING: "Greeting",
}


class Head(QWidget):
    """Number, speaker and time of the selected item, with buttons for its marks and a menu for the rest.

    `asked(name)` asks for a command on the item: pin, must_survive, exclude, need, note, copy_text, copy_id or prompt;
    `class_requested` and `alternative_requested` are for its class and its other versions.
    """

    asked = Signal(str)
    class_requested = Signal(list, object)
    alternative_requested = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Answer, int] | None = None
        self._title = PlainLabel(textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        give_font(self._title, "title")
        self._about = Quiet()
        self._about.setAccessibleName("About this item")
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._pin, self._stay = HeadButton("pin", "Pin"), HeadButton("shield-check", "Must stay")
        self._leave, self._more = HeadButton("ban", "Leave out"), HeadButton("ellipsis", MORE)
        self._more.say(MORE, "Question, note, copy, show in the prompt, other versions")
        self._buttons = (self._pin, self._stay, self._leave, self._more)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 0, MARGIN - 2 * UNIT, 0)
        row.setSpacing(UNIT)
        row.addWidget(self._title)
        row.addSpacing(UNIT)
        row.addWidget(self._about, 1)
        for button in self._buttons:
            row.addWidget(button)
        for button, name in zip(self._buttons, ("pin", "must_survive", "exclude"), strict=False):
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, name=name: self._ask(name))
        self._more.clicked.connect(lambda: self.menu().popup(self._more.mapToGlobal(QPoint(0, self._more.height()))))

    def show_item(self, answer: Answer, row: int) -> None:
        """Show which item it is, and its marks."""
        self._shown = answer, row
        candidates = answer.assembly.candidates
        self._title.setText(one_line(title_of(candidates, row), NAME_CODE_POINTS))
        self._about.say_either(*(one_line(about(candidates, row, is_short)) for is_short in (False, True)))
        self._show_marks(answer, row)
        self._set_buttons(True)

    def say(self, title: str) -> None:
        """Show a title without an item."""
        self._shown = None
        self._title.setText(title)
        self._about.say_either("", "")
        self._set_buttons(False)

    def text(self) -> str:
        """Return title, speaker and time."""
        return "\n".join((self._title.text(), self._about.text()))

    def menu(self) -> QMenu:
        """Return a menu with everything else that can be done with the item."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._shown is None:
            return menu
        answer, row = self._shown
        in_prompt = bool(answer.assembly.in_prompt[row])
        self._add(menu, "need", "The question needs it", "Q")
        self._add(menu, "note", "Note…", "N")
        menu.addSeparator()
        self._add(menu, "prompt", "Show in the prompt", why_not="" if in_prompt else NOT_IN_PROMPT)
        self._add(menu, "copy_text", "Copy text")
        self._add(menu, "copy_id", "Copy id")
        self._add_submenus(menu, answer, row)
        return menu

    def _add_submenus(self, menu: QMenu, answer: Answer, row: int) -> None:
        """Add the menus of classes and of other versions, where the item has such."""
        ids, assembly = [answer.assembly.candidates.ids[row]], answer.assembly
        choose = lambda kind: self.class_requested.emit(ids, kind)  # noqa: E731 - of this item
        classes = class_menu(menu, assembly, [row], answer.scenario.overrides, choose)
        if classes is not None:
            menu.addMenu(classes)
        alternatives = alternatives_menu(menu, assembly, row, self.alternative_requested.emit)
        if alternatives is not None:
            menu.addMenu(alternatives)

    def _add(self, menu: QMenu, name: str, title: str, key: str = "", why_not: str = "") -> None:
        action = menu.addAction(control_text(title))
        action.setObjectName(f"details:{name}")
        action.setEnabled(not why_not)
        action.setToolTip(tooltip(why_not))
        if key:
            action.setShortcut(QKeySequence(key))
            action.setShortcutVisibleInContextMenu(True)
        action.triggered.connect(lambda _=False: self.asked.emit(name))
        menu.setToolTipsVisible(True)

    def _ask(self, name: str) -> None:
        """Ask for a mark; the button shows it once the answer has it."""
        if self._shown is not None:
            self._show_marks(*self._shown)
            self.asked.emit(name)

    def _show_marks(self, answer: Answer, row: int) -> None:
        candidates = answer.assembly.candidates
        state = State(int(candidates.state[row]))
        pinned, left_out = bool(candidates.pinned[row]), state is State.EXCLUDED
        stays = bool(marked_rows(answer.heard.marks, candidates.items).must_survive[row])
        for button, on, name, tip in (
            (self._pin, pinned, "Unpin" if pinned else "Pin", "Kept first, whatever it costs (P)"),
            (self._stay, stays, "Need not stay" if stays else "Must stay", "Say where it is dropped (M)"),
            (self._leave, left_out, "Use again" if left_out else "Leave out", "Before any policy sees it (X)"),
        ):
            button.setChecked(on)
            why_not = NOT_YET if state is State.NOT_YET and button is not self._stay else ""
            button.setEnabled(not why_not)
            button.say(name, f"{name}: {why_not or tip}")

    def _set_buttons(self, shown: bool) -> None:
        for button in self._buttons:
            button.setVisible(shown)


def title_of(candidates: Candidates, row: int) -> str:
    """Return an item as a title, such as `Message 119` or `Memory M 12`."""
    named, kind = called(candidates, row), _KINDS.get(Kind(int(candidates.kind[row])))
    return named[:1].upper() + named[1:] if kind is None else f"{kind} {named}"
