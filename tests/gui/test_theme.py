"""Themes: text that can be read, words and figures, following the desktop."""

from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from inspector.assembly.columns import Action, Section, phrase, section_title
from inspector.figures import figures
from inspector.gui.icons import app_icon, line_icon
from inspector.gui.palettes import DARK, LIGHT, Theme, blended, contrast
from inspector.gui.theme import ACTION_GLYPH, apply_theme, fixed_font, named_font, theme

READABLE = 4.5
VISIBLE = 3.0

both_themes = pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])


@both_themes
def test_every_text_color_is_readable_on_every_ground(colors: Theme) -> None:
    texts = [colors.text, colors.second_text, colors.muted_text, colors.accent, colors.good, colors.error]
    texts += [colors.warning, colors.pinned_color, *map(colors.action_color, Action)]
    grounds = (colors.window, colors.base, colors.alternate, colors.hover, colors.selected, colors.accent_soft)
    for text, ground in product(texts, grounds):
        assert contrast(text, ground) >= READABLE, (text.name(), ground.name())
    softly = ("good", colors.good_soft), ("error", colors.error_soft), ("warning", colors.warning_soft)
    for name, ground in softly:
        assert contrast(getattr(colors, name), ground) >= READABLE, name
    assert contrast(colors.on_accent, colors.accent) >= READABLE


@both_themes
def test_labels_are_readable_on_every_section(colors: Theme) -> None:
    for section in Section:
        fill = colors.section_color(section)
        assert contrast(colors.text_on(fill), fill) >= READABLE, section


def test_outlines_can_be_seen_on_a_dark_window() -> None:
    assert contrast(DARK.outline, DARK.base) >= VISIBLE


def test_light_sections_have_the_colors_of_the_design() -> None:
    names = {section.name: LIGHT.section_color(section).name() for section in Section}
    assert names["SYSTEM"] == "#4477aa"
    assert names["MEMORY"] == "#228833"
    assert names["LORE"] == names["RETRIEVED"] == "#ccbb44"
    assert names["DOCUMENTS"] == names["ATTACHMENTS"] == "#aa3377"
    assert names["HISTORY"] == "#66ccee"
    assert LIGHT.extra_color("over").name() == "#ee6677"


def test_contrast_is_that_of_the_web_guidelines() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#ffffff")) == pytest.approx(4.48, abs=0.01)
    assert blended(QColor("#000000"), QColor("#ffffff"), 0.25).name() == "#bfbfbf"


def test_applying_a_theme_changes_the_palette_and_the_theme_in_force(qapp: QApplication) -> None:
    apply_theme(qapp, "dark")
    assert theme() is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == DARK.window
    apply_theme(qapp, "light")
    assert theme() is LIGHT
    assert qapp.palette().color(QPalette.ColorRole.Text) == LIGHT.text


def test_the_system_theme_follows_the_desktop_and_a_chosen_one_does_not(qapp: QApplication) -> None:
    apply_theme(qapp, "system")
    hints = qapp.styleHints()
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme() is DARK
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme() is LIGHT
    apply_theme(qapp, "light")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme() is LIGHT


def test_figures_and_shares_as_people_read_them() -> None:
    assert figures(1240) == "1,240"
    assert figures(1240, estimated=True) == "≈ 1,240"
    assert figures(0) == "0"
    assert figures(None) == "–"


def test_every_action_but_kept_has_a_glyph_and_each_has_a_word() -> None:
    assert [ACTION_GLYPH[action] for action in Action] == ["", "≈", "✂", "✕"]
    assert [phrase(action) for action in Action] == ["kept", "summarized", "truncated", "dropped"]
    assert section_title(Section.MEMORY) == "Memories"


def test_fonts_are_in_proportion_to_all_text(qapp: QApplication) -> None:
    size = QApplication.font().pointSizeF()
    assert named_font("caption").pointSizeF() == pytest.approx(size * 11 / 13, abs=0.01)
    assert named_font("large").pointSizeF() == pytest.approx(size * 20 / 13, abs=0.01)
    assert named_font("title").weight() > QApplication.font().weight()
    assert fixed_font().family()


def test_icons_take_the_ink_of_the_theme_and_quiet_ones_vanish(qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    drawn = line_icon("rotate-ccw", quiet=True)
    assert not app_icon().pixmap(32, 32).isNull()
    shown = drawn.pixmap(16, 16, drawn.Mode.Normal).toImage()
    inks = [shown.pixelColor(x, y) for x in range(16) for y in range(16) if shown.pixelColor(x, y).alpha() > 200]
    assert inks
    assert all(contrast(ink, LIGHT.muted_text) < 1.1 for ink in inks)
    gone = drawn.pixmap(16, 16, drawn.Mode.Disabled).toImage()
    assert all(gone.pixelColor(x, y).alpha() == 0 for x in range(16) for y in range(16))
