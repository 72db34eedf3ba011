"""Style: the parts drawn by Qt itself, in the colours of a theme. Rules are used only where a palette is not enough."""

from PySide6.QtGui import QColor, QPalette

from inspector.gui.palettes import Theme, blended
from inspector.resources import resource

UNIT = 4

_Role = QPalette.ColorRole
_Group = QPalette.ColorGroup


def qt_palette(theme: Theme) -> QPalette:
    """Return the palette for Fusion."""
    palette = QPalette()
    highlight = blended(theme.accent, theme.base, 0.45) if theme.dark else theme.accent
    button = theme.window.lighter(135) if theme.dark else QColor("#FCFCFD")
    for role, color in (
        (_Role.Window, theme.window),
        (_Role.WindowText, theme.text),
        (_Role.Base, theme.base),
        (_Role.AlternateBase, theme.alternate),
        (_Role.Text, theme.text),
        (_Role.Button, button),
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
