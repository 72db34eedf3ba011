"""Palettes: every colour of the window as a value, light and dark. Independent of widgets and the application."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtGui import QColor

from inspector.assembly.columns import Action, Section
from inspector.assembly.section_fills import FREE_FILL, OVER_FILL, OVERHEAD_FILL, RESERVE_FILL, SECTION_FILLS

ExtraPart = Literal["overhead", "reserve", "free", "over"]


@dataclass(frozen=True, eq=False)
class Theme:
    """The colours of a theme.

    Text colours (`text`, `muted_text`, `accent`, `error`, `warning`, those of the actions) have a contrast of at least
    4.5 : 1 on `window`, `base` and `alternate`. Section colours fill shapes; text on them has the colour `text_on`.
    `tokens` are the alternating tints of tokens, below `text` and `muted_text`.
    """

    dark: bool
    window: QColor
    base: QColor
    alternate: QColor
    text: QColor
    muted_text: QColor
    border: QColor
    accent: QColor
    error: QColor
    warning: QColor
    pinned_color: QColor
    sections: Mapping[Section, QColor]
    extras: Mapping[ExtraPart, QColor]
    actions: Mapping[Action, QColor]
    tokens: tuple[QColor, ...]

    def section_color(self, section: Section) -> QColor:
        """Return the fill of a section, the same in the bar, the table's edge, plots and legends."""
        return self.sections[section]

    def extra_color(self, name: ExtraPart) -> QColor:
        """Return the colour of a part of the bar outside all sections."""
        return self.extras[name]

    def action_color(self, action: Action) -> QColor:
        """Return the text colour of an action. Kept items, the normal case, have the usual text colour."""
        return self.actions[action]

    def text_on(self, fill: QColor) -> QColor:
        """Return white or near black, the more readable on this fill."""
        return max((QColor("#FFFFFF"), QColor("#101418")), key=lambda ink: contrast(ink, fill))


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


def _sections(*, system: str, profile: str, memory: str, found: str, files: str, history: str, current: str) -> dict:
    return {
        Section.SYSTEM: QColor(system),
        Section.PROFILE: QColor(profile),
        Section.MEMORY: QColor(memory),
        Section.LORE: QColor(found),
        Section.RETRIEVED: QColor(found),
        Section.SUMMARIES: QColor(found).darker(125),
        Section.DOCUMENTS: QColor(files),
        Section.ATTACHMENTS: QColor(files),
        Section.HISTORY: QColor(history),
        Section.CURRENT: QColor(current),
    }


def _actions(kept: str, summarized: str, truncated: str, dropped: str) -> dict[Action, QColor]:
    return dict(zip(Action, map(QColor, (kept, summarized, truncated, dropped)), strict=True))


def _tints(*names: str) -> tuple[QColor, ...]:
    return tuple(map(QColor, names))


def _extras(overhead: str, reserve: str, free: str, over: str) -> dict[ExtraPart, QColor]:
    return {"overhead": QColor(overhead), "reserve": QColor(reserve), "free": QColor(free), "over": QColor(over)}


LIGHT = Theme(
    dark=False,
    window=QColor("#F3F4F6"),
    base=QColor("#FFFFFF"),
    alternate=QColor("#F8F9FA"),
    text=QColor("#1B2027"),
    muted_text=QColor("#59626D"),
    border=QColor("#CDD2D8"),
    accent=QColor("#2A66AD"),
    error=QColor("#B3261E"),
    warning=QColor("#8A5600"),
    pinned_color=QColor("#1F5FBF"),
    sections={section: QColor(fill) for section, fill in SECTION_FILLS.items()},
    extras=_extras(OVERHEAD_FILL, RESERVE_FILL, FREE_FILL, OVER_FILL),
    actions=_actions("#1B2027", "#856000", "#A84B00", "#BE2F18"),
    tokens=_tints("#D9E6F7", "#FBEFC9", "#D8EFDD", "#F8DFE7"),
)

DARK = Theme(
    dark=True,
    window=QColor("#282C32"),
    base=QColor("#1B1E23"),
    alternate=QColor("#202429"),
    text=QColor("#E4E7EB"),
    muted_text=QColor("#A3ABB5"),
    border=QColor("#454D57"),
    accent=QColor("#7FB2EC"),
    error=QColor("#FF9086"),
    warning=QColor("#E8B55A"),
    pinned_color=QColor("#8DBBFF"),
    sections=_sections(
        system="#6FA0D2",
        profile="#A3BCE0",
        memory="#52B263",
        found="#DACB62",
        files="#D077A8",
        history="#8CDAF4",
        current="#3FA3B4",
    ),
    extras=_extras("#A6A6A6", "#8B949E", "#1B1E23", "#FF8A97"),
    actions=_actions("#E4E7EB", "#E3BC55", "#F5A15C", "#FF8A70"),
    tokens=_tints("#27405F", "#463D1C", "#22452F", "#4C2B3A"),
)
