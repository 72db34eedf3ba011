"""The theme in force: colours, glyphs, words, fonts and spacing that every widget takes from here.

Widgets ask `theme()` when they paint and paint again on `QEvent.Type.PaletteChange`; no widget names a colour itself.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase
from PySide6.QtWidgets import QApplication, QWidget

from inspector.assembly.color_roles import SECTION_TITLES
from inspector.assembly.columns import Action, Fate, Section, phrase
from inspector.gui.palettes import DARK, LIGHT, Theme
from inspector.gui.style import UNIT, qt_palette, slider_palette, style_sheet

ThemeName = Literal["system", "light", "dark"]
FontName = Literal["large", "heading", "small", "fixed"]

PANEL_MARGIN = 2 * UNIT
GAP = 3 * UNIT
ROW_HEIGHT = 6 * UNIT
"""Of rows with text of the usual size; `row_height` says how high one is with larger text."""

ACTION_GLYPH: Mapping[int, str] = {
    Fate.KEPT: "",
    Fate.SUMMARIZED: "≈",
    Fate.TRUNCATED: "✂",
    Fate.DROPPED: "✕",
    Fate.NOT_YET: "",
}
PINNED_GLYPH = "⚑"
BELL_GLYPH = "bell"
"""Stands for a bell, which is drawn: few fonts have one."""
SURVIVOR_GLYPH = "★"
NOTE_GLYPH = "✎"


class _Choice:
    """What was asked for, and the theme that this led to."""

    name: ThemeName = "light"
    theme: Theme = LIGHT


def theme() -> Theme:
    """The theme in force; light before an application chose one."""
    return _Choice.theme


def theme_name() -> ThemeName:
    """What was asked for last; light before an application chose one."""
    return _Choice.name


def apply_theme(app: QApplication, name: ThemeName) -> None:
    """Give the application a theme; "system" follows that of the desktop, now and whenever it changes."""
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
    """Give all text a font, also that which is seen already."""
    with _reaching_all(app, app.styleSheet()):
        app.setFont(font)


@contextmanager
def _reaching_all(app: QApplication, rules: str) -> Iterator[None]:
    """Change what the application looks like, and end with these rules of style.

    While there are rules, Qt lets no widget follow a new font or palette that is seen already. Without them some lose
    the colours that they took from the theme, so that each is told in the end to take them again; and those with a
    font of their own go back to the size that it had when they were made.
    """
    app.setStyleSheet("")
    yield
    app.setStyleSheet(rules)
    for widget in app.allWidgets():
        if name := widget.property(_OWN_FONT):
            widget.setFont(_OWN_FONTS[name]())
        app.sendEvent(widget, QEvent(QEvent.Type.PaletteChange))


def action_words(action: Action | Fate) -> str:
    """The word for what became of an item: kept, summarized, truncated, dropped or not yet."""
    return phrase(action)


def fate_color(fate: Fate) -> QColor:
    """The text colour of what became of an item; what does not exist yet is quiet."""
    return theme().muted_text if fate is Fate.NOT_YET else theme().action_color(Action(fate))


def mark_color() -> QColor:
    """The ground under words that somebody looked for."""
    return theme().tokens[1]


def section_title(section: Section) -> str:
    """The title of a section, such as Memory."""
    return SECTION_TITLES[section]


def row_height(widget: QWidget) -> int:
    """The pixels that a row of a list or table needs for the text of its widget."""
    return max(ROW_HEIGHT, widget.fontMetrics().height() + 2 * UNIT)


def fixed_font() -> QFont:
    """The font for ids and raw prompts, of the size that all text has."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF())
    return font


def heading_font() -> QFont:
    """The application's font, one size and one weight more."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() + 1)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def large_font() -> QFont:
    """The application's font, large enough to be read from the last row."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * 1.8)
    return font


def small_font() -> QFont:
    """The application's font, one size less, for labels in pictures and hints."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() - 1)
    return font


_OWN_FONT = "own_font"
_OWN_FONTS = {"heading": heading_font, "large": large_font, "small": small_font, "fixed": fixed_font}


def give_font(widget: QWidget, name: FontName) -> None:
    """Give a widget a font of its own, which follows the size of all text; Qt leaves one that is merely set alone."""
    widget.setProperty(_OWN_FONT, name)
    widget.setFont(_OWN_FONTS[name]())


def _with_tabular_figures(font: QFont) -> QFont:
    """Figures of equal width, so that columns of numbers and changing numbers stand still."""
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
