"""The current theme: colours, glyphs, words, fonts and spacing for every widget.

Widgets ask `theme()` when they paint and paint again on `QEvent.Type.PaletteChange`; no widget names a colour itself.
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from inspector.assembly.columns import Action, Fate
from inspector.gui.palettes import DARK, LIGHT, Theme, blended
from inspector.resources import resource
from inspector.tables import Tone

UNIT = 4

_Role = QPalette.ColorRole
_Group = QPalette.ColorGroup


def qt_palette(theme: Theme) -> QPalette:
    """Return the palette for Fusion."""
    palette = QPalette()
    highlight = blended(theme.accent, theme.base, 0.45) if theme.dark else theme.accent
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
        (_Role.Highlight, highlight),
        (_Role.HighlightedText, theme.text_on(highlight)),
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
    if theme.dark:
        palette.setColor(_Role.Button, blended(theme.muted_text, theme.window, 0.6))
        palette.setColor(_Role.Highlight, theme.accent)
    return palette


def style_sheet(theme: Theme) -> str:
    """Return the few rules that a palette cannot express."""
    border, base, text, window = (color.name() for color in (theme.border, theme.base, theme.text, theme.window))
    return f"""
QToolTip {{ color: {text}; background: {base}; border: 1px solid {border}; padding: {UNIT}px; }}
QHeaderView::section {{
    color: {theme.muted_text.name()}; background: {window}; border: none; border-bottom: 1px solid {border};
    border-right: 1px solid {border}; padding: 3px {2 * UNIT}px;
}}
EntryHeader QToolButton:disabled {{ color: {theme.muted_text.name()}; }}
QSplitter::handle {{ background: {border}; }}
QMainWindow::separator {{ width: {UNIT}px; height: {UNIT}px; background: {window}; }}
""" + (_dark_outlines(theme) if theme.dark else "")


def outline_color(theme: Theme) -> QColor:
    """Return the outline of a field on a dark window, where Fusion's own, darker than the window, is invisible."""
    return blended(theme.muted_text, theme.base, 0.55)


def _dark_outlines(theme: Theme) -> str:
    """Return visible outlines for fields and boxes, except spin boxes, which would hide their text without buttons."""
    outline, accent = outline_color(theme).name(), theme.accent.name()
    base, faint = theme.base.name(), theme.border.name()
    check = resource("icons/check.svg").as_posix()
    return f"""
QLineEdit, QPlainTextEdit {{ border: 1px solid {outline}; border-radius: 3px; background: {base}; }}
QLineEdit {{ padding: 2px; }}
QLineEdit:focus, QPlainTextEdit:focus {{ border-color: {accent}; }}
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{ border: none; padding: 0; background: transparent; }}
QCheckBox::indicator, QAbstractItemView::indicator {{
    width: 12px; height: 12px; border: 1px solid {outline}; border-radius: 3px; background: {base};
}}
QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled {{ border-color: {faint}; }}
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{
    border-color: {accent}; background: {accent}; image: url("{check}");
}}
QCheckBox::indicator:checked:disabled {{ border-color: {faint}; background: {faint}; }}
"""


ThemeName = Literal["system", "light", "dark"]
FontName = Literal["large", "heading", "small", "fixed"]

PANEL_MARGIN = 2 * UNIT
GAP = 3 * UNIT
ROW_HEIGHT = 6 * UNIT
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
PINNED_GLYPH = "⚑"
BELL_GLYPH = "bell"
"""Stands for a bell, which is drawn because few fonts have one."""
SURVIVOR_GLYPH = "★"
NOTE_GLYPH = "✎"


class _Choice:
    """The requested theme name and the resulting theme."""

    name: ThemeName = "light"
    theme: Theme = LIGHT


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
        app.setFont(_with_tabular_figures(app.font()))
    wants_dark = name == "dark" or (name == "system" and hints.colorScheme() == Qt.ColorScheme.Dark)
    _install(app, DARK if wants_dark else LIGHT)


def _follow(scheme: Qt.ColorScheme) -> None:
    app = QApplication.instance()
    if _Choice.name == "system" and isinstance(app, QApplication):
        _install(app, DARK if scheme == Qt.ColorScheme.Dark else LIGHT)


def _install(app: QApplication, chosen: Theme) -> None:
    _Choice.theme = chosen
    with _reaching_all(app, style_sheet(chosen)):
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
            widget.setFont(_OWN_FONTS[name]())
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
    return max(ROW_HEIGHT, widget.fontMetrics().height() + 2 * UNIT)


def fixed_font() -> QFont:
    """Return the font for ids and raw prompts, in the size of all text."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF())
    return font


def heading_font() -> QFont:
    """Return the application's font, a size larger and a weight heavier."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() + 1)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def large_font() -> QFont:
    """Return the application's font, large enough to be read from the last row."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * 1.8)
    return font


def small_font() -> QFont:
    """Return the application's font a size smaller, for labels in pictures and hints."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() - 1)
    return font


_OWN_FONT = "own_font"
_OWN_FONTS = {"heading": heading_font, "large": large_font, "small": small_font, "fixed": fixed_font}


def give_font(widget: QWidget, name: FontName) -> None:
    """Give a widget a named font that follows the size of all text. Qt leaves a font set directly at its old size."""
    widget.setProperty(_OWN_FONT, name)
    widget.setFont(_OWN_FONTS[name]())


def _with_tabular_figures(font: QFont) -> QFont:
    """Return the font with figures of equal width, so that number columns and changing numbers stay still."""
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
