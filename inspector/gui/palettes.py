"""Palettes: the colours of the window as Qt values, light and dark. Independent of widgets and the application."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtGui import QColor

from inspector.assembly.color_roles import action_role, section_role
from inspector.assembly.columns import Action, Section
from inspector.drawings import colors
from inspector.drawings.colors import Palette, Role, Shade

ExtraPart = Literal["overhead", "remainder", "reserve", "free", "over"]


@dataclass(frozen=True, eq=False)
class Theme:
    """The colours of a theme.

    Inks (`text`, `second_text`, `muted_text`, `accent`, `good`, `error`, `warning`, those of the actions) have a
    contrast of at least 4.5 : 1 on `window`, `base`, `alternate`, `hover`, `selected` and `accent_soft`, and a soft
    ground carries the ink of its name. Section colours fill shapes; text on them has the colour `text_on`.
    `tokens` are the alternating tints of tokens, below `text` and `muted_text`.
    """

    dark: bool
    palette: Palette
    colors: Mapping[Role, QColor]
    window: QColor
    base: QColor
    alternate: QColor
    hover: QColor
    selected: QColor
    text: QColor
    second_text: QColor
    muted_text: QColor
    border: QColor
    outline: QColor
    button: QColor
    accent: QColor
    on_accent: QColor
    accent_soft: QColor
    good: QColor
    good_soft: QColor
    error: QColor
    error_soft: QColor
    warning: QColor
    warning_soft: QColor
    pinned_color: QColor
    tokens: tuple[QColor, ...]

    def section_color(self, section: Section) -> QColor:
        """Return the fill of a section, the same in the bar, the table's edge, plots and legends."""
        return self.colors[section_role(section)]

    def extra_color(self, name: ExtraPart) -> QColor:
        """Return the colour of a part of the bar outside all sections."""
        return self.colors[Role(name)]

    def action_color(self, action: Action) -> QColor:
        """Return the text colour of an action. Kept items, the normal case, have the usual text colour."""
        return self.colors[action_role(action)]

    def color(self, shade: Shade) -> QColor:
        """Return the colour of a part of a drawing."""
        ink = self.colors[shade.role]
        return ink if shade.share >= 1 else blended(ink, self.base, shade.share)

    def text_on(self, fill: QColor) -> QColor:
        """Return white or near black, the more readable on this fill."""
        return max((self.colors[Role.ON_DARK], self.colors[Role.ON_LIGHT]), key=lambda ink: contrast(ink, fill))


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two opaque colours, 1 to 21, as WCAG 2.2 defines it from their relative luminance."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def blended(ink: QColor, ground: QColor, share: float) -> QColor:
    """Return the ink laid over the ground with an opacity of `share`, 0 to 1."""
    pairs = zip(_channels(ink), _channels(ground), strict=True)
    return QColor.fromRgbF(*(above * share + below * (1 - share) for above, below in pairs))


def _luminance(color: QColor) -> float:
    red, green, blue = map(_linear, _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(color: QColor) -> tuple[float, float, float]:
    return color.redF(), color.greenF(), color.blueF()


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _theme(dark: bool, palette: Palette) -> Theme:
    made = {role: QColor(name) for role, name in palette.items()}
    return Theme(
        dark=dark,
        palette=palette,
        colors=made,
        window=made[Role.WINDOW],
        base=made[Role.BASE],
        alternate=made[Role.ALTERNATE],
        hover=made[Role.HOVER],
        selected=made[Role.SELECTED],
        text=made[Role.TEXT],
        second_text=made[Role.SECOND],
        muted_text=made[Role.MUTED],
        border=made[Role.BORDER],
        outline=made[Role.OUTLINE],
        button=made[Role.BUTTON],
        accent=made[Role.ACCENT],
        on_accent=made[Role.ON_ACCENT],
        accent_soft=made[Role.ACCENT_SOFT],
        good=made[Role.GOOD],
        good_soft=made[Role.GOOD_SOFT],
        error=made[Role.ERROR],
        error_soft=made[Role.ERROR_SOFT],
        warning=made[Role.WARNING],
        warning_soft=made[Role.WARNING_SOFT],
        pinned_color=made[Role.PINNED],
        tokens=(made[Role.TINT_1], made[Role.TINT_2], made[Role.TINT_3], made[Role.TINT_4]),
    )


LIGHT, DARK = _theme(False, colors.LIGHT), _theme(True, colors.DARK)
