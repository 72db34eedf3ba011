"""The current theme: colours, glyphs, words, fonts and spacing for every widget.

Widgets ask `theme()` when they paint and paint again on `QEvent.Type.PaletteChange`; no widget names a colour itself.
"""

import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from inspector.assembly.columns import Action, Fate
from inspector.gui.palettes import DARK, LIGHT, Theme, blended
from inspector.resources import resource
from inspector.tables import Tone

UNIT = 4
RADIUS = 7
"""The corner radius of buttons and fields in pixels; bars have 6, cards 10."""
OFF_OPACITY = 0.38
"""How strongly a part that paints itself shows while it is disabled."""

_Role = QPalette.ColorRole
_Group = QPalette.ColorGroup


def qt_palette(theme: Theme) -> QPalette:
    """Return the palette for Fusion."""
    palette = QPalette()
    for role, color in (
        (_Role.Window, theme.window),
        (_Role.WindowText, theme.text),
        (_Role.Base, theme.base),
        (_Role.AlternateBase, theme.alternate),
        (_Role.Text, theme.text),
        (_Role.Button, theme.button),
        (_Role.ButtonText, theme.text),
        (_Role.BrightText, theme.error),
        (_Role.ToolTipBase, theme.base),
        (_Role.ToolTipText, theme.text),
        (_Role.PlaceholderText, theme.muted_text),
        (_Role.Link, theme.accent),
        (_Role.LinkVisited, theme.accent),
        (_Role.Accent, theme.accent),
        (_Role.Highlight, theme.selected),  # a pale ground, on which every ink keeps its colour
        (_Role.HighlightedText, theme.text),
        (_Role.Light, blended(theme.base, theme.window, 0.6)),
        (_Role.Midlight, blended(theme.border, theme.window, 0.3)),
        (_Role.Mid, theme.border),
        (_Role.Dark, theme.border.darker(130)),
        (_Role.Shadow, theme.border.darker(180)),
    ):
        palette.setColor(role, color)
    faint = blended(theme.muted_text, theme.window, 0.6)
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        palette.setColor(_Group.Disabled, role, faint)
    palette.setColor(_Group.Disabled, _Role.Highlight, theme.border)
    return palette


def slider_palette(theme: Theme) -> QPalette:
    """Return the palette of sliders. Fusion paints knobs as buttons, which need more contrast on a dark window."""
    palette = qt_palette(theme)
    palette.setColor(_Role.Highlight, theme.accent)
    if theme.dark:
        palette.setColor(_Role.Button, blended(theme.muted_text, theme.window, 0.6))
    return palette


def style_sheet(theme: Theme) -> str:
    """Return the few rules that a palette cannot express. More rules would slow down each new parent of a widget.

    Spin boxes have none: with a border of their own, their text would be hidden without buttons.
    """
    border, base, text, window = (color.name() for color in (theme.border, theme.base, theme.text, theme.window))
    outline, accent, muted = theme.outline.name(), theme.accent.name(), theme.muted_text.name()
    raised, hover, soft = theme.button.name(), theme.hover.name(), theme.accent_soft.name()
    check = resource(f"icons/check-{'dark' if theme.dark else 'light'}.svg").as_posix()
    return f"""
QToolTip {{ color: {text}; background: {base}; border: 1px solid {border}; padding: {UNIT}px; }}
QHeaderView::section {{
    color: {theme.second_text.name()}; background: {base}; border: none; border-bottom: 1px solid {border};
    padding: 3px {2 * UNIT}px;
}}
EntryHeader QToolButton:disabled {{ color: {muted}; }}
QSplitter::handle {{ background: {border}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {outline}; border-radius: 3px; margin: 2px; }}
QScrollBar::handle:disabled {{ background: transparent; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QMenuBar, QStatusBar {{ background: {window}; }}
QStatusBar {{ border-top: 1px solid {border}; }}
QToolBar {{ background: {window}; border: none; border-bottom: 1px solid {border}; padding: 0; spacing: 0; }}
QPushButton {{
    color: {text}; background: {raised}; border: 1px solid {outline}; border-radius: {RADIUS}px; padding: 4px 11px;
}}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed, QPushButton:checked {{ background: {soft}; }}
QPushButton:focus {{ border-color: {accent}; }}
QPushButton:disabled {{ color: {muted}; border-color: {border}; }}
QPushButton[primary="true"] {{
    color: {theme.on_accent.name()}; background: {accent}; border-color: {accent}; font-weight: 600;
}}
QPushButton[primary="true"]:disabled {{ color: {muted}; background: {hover}; border-color: {border}; }}
QPushButton:flat {{ background: transparent; border-color: transparent; color: {accent}; }}
QLineEdit, QPlainTextEdit, QTextEdit {{
    border: 1px solid {outline}; border-radius: {RADIUS}px; background: {base}; padding: 2px;
}}
QPlainTextEdit[frameShape="NoFrame"], QTextEdit[frameShape="NoFrame"] {{ border: none; padding: 0; }}
QLineEdit {{ padding: 3px 6px; }}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus {{ border-color: {accent}; }}
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{ border: none; padding: 0; background: transparent; }}
QCheckBox::indicator, QAbstractItemView::indicator {{
    width: 14px; height: 14px; border: 1px solid {outline}; border-radius: 3px; background: {base};
}}
QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled {{ border-color: {border}; }}
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{
    border-color: {accent}; background: {accent}; image: url("{check}");
}}
QCheckBox::indicator:checked:disabled {{ border-color: {border}; background: {border}; }}
"""


ThemeName = Literal["system", "light", "dark"]
FontName = Literal[
    "caption", "secondary", "name", "title", "message", "lead", "sentence", "large", "gain", "first", "fixed"
]
"""The type scale. A widget without a name of these has the font of all text."""

POINTS_PER_INCH = 72
PANEL_MARGIN = 2 * UNIT
GAP = 3 * UNIT
ROW_HEIGHT, COMPACT_ROW_HEIGHT = 26, 22
"""For rows with text of the usual size; `row_height` gives the height for larger text."""

ACTION_GLYPH: Mapping[int, str] = {
    Fate.KEPT: "",
    Fate.SUMMARIZED: "≈",
    Fate.TRUNCATED: "✂",
    Fate.DROPPED: "✕",
    Fate.NOT_YET: "",
}
_SMALLEST_TINTED = 0.005
_DEEPEST_TINT = 0.4
PIN_SIGN, BELL_SIGN, SHIELD_SIGN, NOTE_SIGN = "pin", "bell", "shield-check", "pencil"
"""The icons of what is pinned, of what must stay and does not, of what must stay, and of a note."""


class _Choice:
    """The requested theme name, the resulting theme, and whether rows are compact."""

    name: ThemeName = "light"
    theme: Theme = LIGHT
    is_compact: bool = False


def theme() -> Theme:
    """Return the current theme, light until the application chooses."""
    return _Choice.theme


def theme_name() -> ThemeName:
    """Return the name requested last, light until the application chooses."""
    return _Choice.name


def apply_theme(app: QApplication, name: ThemeName) -> None:
    """Apply a theme to the application. "system" follows the desktop's theme, now and whenever it changes."""
    _Choice.name = name
    hints = app.styleHints()
    if name == "system":
        hints.unsetColorScheme()
    else:
        hints.setColorScheme(Qt.ColorScheme.Dark if name == "dark" else Qt.ColorScheme.Light)
    if not app.property("follows_color_scheme"):
        app.setProperty("follows_color_scheme", True)
        hints.colorSchemeChanged.connect(_follow)
        app.setStyle("Fusion")
        app.setFont(_with_tabular_figures(_text_font(app)))
    wants_dark = name == "dark" or (name == "system" and hints.colorScheme() == Qt.ColorScheme.Dark)
    _install(app, DARK if wants_dark else LIGHT)


def _follow(scheme: Qt.ColorScheme) -> None:
    app = QApplication.instance()
    if _Choice.name == "system" and isinstance(app, QApplication):
        _install(app, DARK if scheme == Qt.ColorScheme.Dark else LIGHT)


def _install(app: QApplication, chosen: Theme) -> None:
    rules = style_sheet(chosen)
    if _Choice.theme is chosen and app.styleSheet() == rules:
        return  # each widget has it, and to tell all of them again takes as long as a change
    _Choice.theme = chosen
    with _reaching_all(app, rules):
        app.setPalette(qt_palette(chosen))
        # The stubs ask for bytes here, which the binding then refuses.
        app.setPalette(slider_palette(chosen), "QSlider")  # pyright: ignore[reportArgumentType]


def set_font(app: QApplication, font: QFont) -> None:
    """Set the font of all text, including visible widgets."""
    with _reaching_all(app, app.styleSheet()):
        app.setFont(font)


@contextmanager
def _reaching_all(app: QApplication, rules: str) -> Iterator[None]:
    """Change the application's look within the context, and end with the style rules `rules`.

    While a style sheet is set, Qt passes no new font or palette on to visible widgets. Without it, some widgets lose
    the colours taken from the theme, and widgets with a font of their own return to its size at their creation; so at
    the end each is told to take both again.
    """
    app.setStyleSheet("")
    yield
    app.setStyleSheet(rules)
    for widget in app.allWidgets():
        if name := widget.property(_OWN_FONT):
            widget.setFont(named_font(name))
        app.sendEvent(widget, QEvent(QEvent.Type.PaletteChange))


def tone_color(tone: Tone) -> QColor:
    """Return the text colour of a role."""
    return _tone_colors(theme())[tone]


@cache
def _tone_colors(look: Theme) -> Mapping[Tone, QColor]:
    """Return the text colours of all roles; looked up for each cell that is painted."""
    actions: tuple[Tone, ...] = ("kept", "summarized", "truncated", "dropped")
    of_actions: Mapping[Tone, QColor] = dict(zip(actions, map(look.action_color, Action), strict=True))
    plain: Mapping[Tone, QColor] = {
        "muted": look.muted_text, "accent": look.accent, "error": look.error, "warning": look.warning
    }  # fmt: skip
    return {**plain, **of_actions}


def tint_color(share: float) -> QColor | None:
    """The background of a difference, -1 to 1: orange for too much, blue for too little, deeper the further off."""
    if math.isnan(share) or abs(share) < _SMALLEST_TINTED:
        return None
    look = theme()
    ink = look.action_color(Action.TRUNCATED) if share > 0 else look.accent
    return blended(ink, look.base, _DEEPEST_TINT * min(1.0, abs(share)) ** 0.5)


def mark_color() -> QColor:
    """Return the background of matched search words."""
    return theme().tokens[1]


def row_height(widget: QWidget) -> int:
    """Return the height in pixels of a list or table row with the text of its widget."""
    least, around = (COMPACT_ROW_HEIGHT, UNIT) if _Choice.is_compact else (ROW_HEIGHT, 2 * UNIT)
    return max(least, widget.fontMetrics().height() + around)


def rows_are_compact() -> bool:
    """Return whether rows of lists and tables are lower than usual."""
    return _Choice.is_compact


def set_compact_rows(app: QApplication, is_compact: bool) -> None:
    """Make all rows of lists and tables lower, or as high as usual again."""
    _Choice.is_compact = is_compact
    for widget in app.allWidgets():
        if isinstance(widget, QAbstractItemView):
            app.sendEvent(widget, QEvent(QEvent.Type.FontChange))  # they measure their rows anew


def fixed_font() -> QFont:
    """Return the font for ids and raw prompts, in the size of all text."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF())
    return font


def named_font(name: FontName) -> QFont:
    """Return a font of the type scale, in proportion to the size of all text."""
    if name == "fixed":
        return fixed_font()
    pixels, weight = _SCALE[name]
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * pixels / TEXT_PIXELS)
    font.setWeight(weight)
    return font


TEXT_PIXELS = 13
"""The size of all text where the system names none; the type scale is given beside it."""
_SCALE: Mapping[FontName, tuple[int, QFont.Weight]] = {
    "caption": (11, QFont.Weight.Normal),
    "secondary": (12, QFont.Weight.Medium),
    "name": (13, QFont.Weight.Medium),
    "title": (13, QFont.Weight.DemiBold),
    "message": (14, QFont.Weight.Normal),
    "lead": (16, QFont.Weight.Normal),
    "sentence": (16, QFont.Weight.DemiBold),
    "large": (20, QFont.Weight.DemiBold),
    "first": (28, QFont.Weight.DemiBold),
    "gain": (32, QFont.Weight.DemiBold),
}
_OWN_FONT = "own_font"


def give_font(widget: QWidget, name: FontName) -> None:
    """Give a widget a named font that follows the size of all text. Qt leaves a font set directly at its old size."""
    widget.setProperty(_OWN_FONT, name)
    widget.setFont(named_font(name))


def _with_tabular_figures(font: QFont) -> QFont:
    """Return the font with figures of equal width, so that number columns and changing numbers stay still."""
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


_UNNAMED = ("", "Sans", "Sans Serif")
"""The family that Qt reports on Linux where neither a desktop nor the user names a font."""
_SHIPPED = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf")


def _text_font(app: QApplication) -> QFont:
    """Return the font of the system, or Inter where a Linux desktop names none: the fallback is wide and heavy."""
    font = app.font()
    if sys.platform != "linux" or font.family() not in _UNNAMED:
        return font
    for name in _SHIPPED:
        QFontDatabase.addApplicationFont(str(resource(f"fonts/{name}")))
    font.setFamily("Inter")
    font.setPointSizeF(TEXT_PIXELS * POINTS_PER_INCH / app.primaryScreen().logicalDotsPerInch())
    return font


def scaled(pixels: float) -> int:
    """Return a length of the design in pixels, in proportion to the size of all text."""
    return round(pixels * QFontInfo(QApplication.font()).pixelSize() / TEXT_PIXELS)
