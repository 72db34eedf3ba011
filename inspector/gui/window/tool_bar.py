"""The tool bar: perspectives at the left, the commands of every day, search, and the columns at the right."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolBar, QToolButton, QWidget

from inspector.gui.icons import line_icon
from inspector.gui.parts.texts import tooltip, words_of_control
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.gui.theme import OFF_OPACITY, named_font, scaled, theme
from inspector.gui.window.actions import WHY_NOT, draw_icons, keys_text

HEIGHT, TARGET = 44, 32
_ICON, _PADDING, _GAP = 16, 10, 8
_FIELD, _FIELD_SMALL = 250, 200
_SEARCH = "Search or run…"
_ALL_WORDS, _NO_WORDS = 1_400, 960
"""From the first width on, commands have words beside their icons; below the second, perspectives have none."""
COMMANDS = (("open", ""), ("undo", ""), ("redo", ""), ("", ""), ("pin_baseline", "Set baseline"))
MORE_COMMANDS = (("keep_snapshot", "Snapshot"), ("export", ""))
COLUMNS = (("left_column", ""), ("right_column", ""), ("full_screen", "Present"))
ICONS = {"full_screen": "presentation"}


class BarButton(QToolButton):
    """A button of the tool bar: an icon, and a word if `word` is given and `shows_word`. The checked one is raised."""

    def __init__(self, action: QAction, word: str = "", icon: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._word, self._icon, self.shows_word = word, icon, True
        self.setDefaultAction(action)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        action.changed.connect(self._describe)
        self._describe()

    def _describe(self) -> None:
        """Say name, keys and the reason for being disabled; the action's own tooltip lacks the keys."""
        action = self.defaultAction()
        name = words_of_control(action.text()).rstrip("…")
        keys = f" ({keys_text(action.shortcuts()[:1])})" if action.shortcuts() else ""
        why = "" if action.isEnabled() else str(action.property(WHY_NOT) or "")
        self.setToolTip(tooltip("\n".join(filter(None, (f"{name}{keys}", why or action.statusTip())))))
        self.setAccessibleName(name)

    def show_word(self, shown: bool) -> None:
        """Show the word beside the icon, or only the icon."""
        if shown != self.shows_word:
            self.shows_word = shown
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Return room for the icon, and for the word if shown."""
        words = self._word if self.shows_word else ""
        width = scaled(_ICON) + 2 * scaled(_PADDING if words else (TARGET - _ICON) / 2)
        if words:
            width += scaled(_GAP) + QFontMetrics(named_font("title")).horizontalAdvance(words)
        return QSize(width, scaled(TARGET))

    def minimumSizeHint(self) -> QSize:
        """Return the whole size."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint a raised ground if checked, a soft one under the mouse, then icon and word."""
        painter, look, chosen = QPainter(self), theme(), self.isChecked()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = self.rect().adjusted(0, 0, -1, -1)
        if chosen or self.isDown() or (self.underMouse() and self.isEnabled()):
            painter.setPen(look.border if chosen else Qt.PenStyle.NoPen)
            painter.setBrush(look.accent_soft if self.isDown() else look.button if chosen else look.hover)
            painter.drawRoundedRect(place, 7, 7)
        painter.setOpacity(1.0 if self.isEnabled() else OFF_OPACITY)
        words = self._word if self.shows_word else ""
        side = scaled(_ICON)
        left = scaled(_PADDING) if words else (self.width() - side) // 2
        icon = line_icon(self._icon) if self._icon else self.icon()
        icon.paint(painter, QRect(left, (self.height() - side) // 2, side, side), state=_state(chosen))
        if words:
            painter.setFont(named_font("title" if chosen else "name"))
            painter.setPen(look.text if chosen else look.second_text)
            room = self.rect().adjusted(left + side + scaled(_GAP), 0, 0, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


class SearchField(BarButton):
    """A button that looks like a field: it opens the box for commands, chats and text."""

    def sizeHint(self) -> QSize:
        """Return the width of a field, smaller while there are no words."""
        return QSize(scaled(_FIELD if self.shows_word else _FIELD_SMALL), scaled(TARGET - 2))

    def paintEvent(self, _: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(look.accent if self.underMouse() else look.outline)
        painter.setBrush(look.base)
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 7, 7)
        side = scaled(_ICON)
        self.icon().paint(painter, QRect(scaled(9), (self.height() - side) // 2, side, side))
        painter.setPen(look.muted_text)
        room = self.rect().adjusted(scaled(33), 0, -scaled(9), 0)
        keys = keys_text(self.defaultAction().shortcuts()[:1]).replace("+", " ")
        used = QFontMetrics(named_font("caption")).horizontalAdvance(keys) + scaled(_GAP)
        keys = keys if self.fontMetrics().horizontalAdvance(_SEARCH) + used <= room.width() else ""
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, _SEARCH)
        painter.setFont(named_font("caption"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, keys)


class ToolBar(QToolBar):
    """The tool bar of a window with these actions."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = actions
        self.setObjectName("tool_bar")
        self.setAccessibleName("Tool bar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self._inner = QWidget(self)
        self._row = QHBoxLayout(self._inner)
        self._row.setContentsMargins(12, 0, 12, 0)
        self._row.setSpacing(4)
        self._perspectives = [self._add(name, words_of_control(actions[name].text())) for name in PERSPECTIVES[:-1]]
        self._row.addWidget(_Divider(self._inner))
        commands = [self._add(name, word) for name, word in (*COMMANDS, *MORE_COMMANDS)]
        self._row.addStretch(1)
        self.search = SearchField(actions["palette"], parent=self._inner)
        self._row.addWidget(self.search)
        self._row.addSpacing(4)
        ends = [self._add(name, word) for name, word in COLUMNS]
        self._worded = [button for button in (*commands, *ends) if button is not None]
        self.addWidget(self._inner)
        self._inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for name in PERSPECTIVES:
            actions[name].toggled.connect(lambda _: self._fit())
        self._fit()

    def _add(self, name: str, word: str) -> BarButton | None:
        if not name:
            self._row.addWidget(_Divider(self._inner))
            return None
        button = BarButton(self._actions[name], word, ICONS.get(name, ""), self._inner)
        button.setObjectName(f"tool:{name}")
        self._row.addWidget(button)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show words where there is room for them."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_actions"):
            draw_icons(self._actions.values())
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_worded"):
            self._fit()

    def _fit(self) -> None:
        self._inner.setFixedHeight(scaled(HEIGHT))
        for button in (*self._worded, self.search):
            button.show_word(self.width() >= scaled(_ALL_WORDS))
        for button in self._perspectives:
            if button is not None:
                button.show_word(self.width() >= scaled(_NO_WORDS) or button.isChecked())


class _Divider(QWidget):
    """A short hairline between groups of buttons."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(13, 20)

    def paintEvent(self, _: QPaintEvent) -> None:
        QPainter(self).fillRect(6, 0, 1, self.height(), theme().border)


def _state(on: bool) -> QIcon.State:
    return QIcon.State.On if on else QIcon.State.Off
