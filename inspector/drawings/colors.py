"""Every colour of the project, by its role, light and dark: of the window, of drawings in files and of pages."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """The role of a colour. Drawings name roles; only painters look up the colours."""

    WINDOW = "window"
    BASE = "base"
    """The ground of plots, tables and pages."""
    ALTERNATE = "alternate"
    HOVER = "hover"
    SELECTED = "selected"
    TEXT = "text"
    SECOND = "second"
    """The second ink, for text beside titles, and for icons."""
    MUTED = "muted"
    """The third ink."""
    BORDER = "border"
    """A hairline between regions."""
    OUTLINE = "outline"
    """The edge of a field or button."""
    ACCENT = "accent"
    ON_ACCENT = "on-accent"
    ACCENT_SOFT = "accent-soft"
    GOOD = "good"
    GOOD_SOFT = "good-soft"
    ERROR = "error"
    WARNING = "warning"
    WARNING_SOFT = "warning-soft"
    ERROR_SOFT = "error-soft"
    PINNED = "pinned"
    SYSTEM = "system"
    PROFILE = "profile"
    MEMORY = "memory"
    LORE = "lore"
    RETRIEVED = "retrieved"
    SUMMARIES = "summaries"
    DOCUMENTS = "documents"
    ATTACHMENTS = "attachments"
    HISTORY = "history"
    CURRENT = "current"
    OVERHEAD = "overhead"
    REMAINDER = "remainder"
    """Of a recorded request, the part that is not in the file."""
    RESERVE = "reserve"
    FREE = "free"
    OVER = "over"
    KEPT = "kept"
    SUMMARIZED = "summarized"
    TRUNCATED = "truncated"
    DROPPED = "dropped"
    TINT_1 = "tint-1"
    TINT_2 = "tint-2"
    TINT_3 = "tint-3"
    TINT_4 = "tint-4"
    ON_DARK = "on-dark"
    ON_LIGHT = "on-light"
    BUTTON = "button"


class Shade(NamedTuple):
    """The colour of a role, laid over the ground with this strength."""

    role: Role
    share: float = 1.0


PALE, STRIPES = 0.3, 0.75
"""How strong the ground of a hatched area is, and its stripes."""

Palette = Mapping[Role, str]
"""The colour of each role, such as #1B2027."""

LIGHT: Palette = {
    Role.WINDOW: "#F4F5F7",
    Role.BASE: "#FFFFFF",
    Role.ALTERNATE: "#F9FAFB",
    Role.HOVER: "#EEF1F5",
    Role.SELECTED: "#DFE9FC",
    Role.TEXT: "#16191D",
    Role.SECOND: "#4A5462",
    Role.MUTED: "#5C6673",
    Role.BORDER: "#E2E5EA",
    Role.OUTLINE: "#A3ABB7",
    Role.ACCENT: "#2B5FCB",
    Role.ON_ACCENT: "#FFFFFF",
    Role.ACCENT_SOFT: "#E7EEFC",
    Role.GOOD: "#13723A",
    Role.GOOD_SOFT: "#E3F3E8",
    Role.ERROR: "#B3261E",
    Role.ERROR_SOFT: "#FCE9E7",
    Role.WARNING: "#8A5600",
    Role.WARNING_SOFT: "#FBF1DC",
    Role.PINNED: "#2B5FCB",
    # Sections are told apart without red or green.
    Role.SYSTEM: "#4477AA",
    Role.PROFILE: "#7798C6",
    Role.MEMORY: "#228833",
    Role.LORE: "#CCBB44",
    Role.RETRIEVED: "#CCBB44",
    Role.SUMMARIES: "#A39636",
    Role.DOCUMENTS: "#AA3377",
    Role.ATTACHMENTS: "#AA3377",
    Role.HISTORY: "#66CCEE",
    Role.CURRENT: "#117788",
    Role.OVERHEAD: "#999999",
    Role.REMAINDER: "#8A6D3B",
    Role.RESERVE: "#7A828C",
    Role.FREE: "#FFFFFF",
    Role.OVER: "#EE6677",
    Role.KEPT: "#16191D",
    Role.SUMMARIZED: "#856000",
    Role.TRUNCATED: "#A84B00",
    Role.DROPPED: "#BE2F18",
    Role.TINT_1: "#D9E6F7",
    Role.TINT_2: "#FBEFC9",
    Role.TINT_3: "#D8EFDD",
    Role.TINT_4: "#F8DFE7",
    Role.ON_DARK: "#FFFFFF",
    Role.ON_LIGHT: "#101418",
    Role.BUTTON: "#FFFFFF",
}

DARK: Palette = {
    Role.WINDOW: "#1C1E22",
    Role.BASE: "#141619",
    Role.ALTERNATE: "#191B1F",
    Role.HOVER: "#262A30",
    Role.SELECTED: "#22355A",
    Role.TEXT: "#E9EBEE",
    Role.SECOND: "#AEB5BF",
    Role.MUTED: "#9CA4AF",
    Role.BORDER: "#2D3138",
    Role.OUTLINE: "#5C646F",
    Role.ACCENT: "#7FAAFF",
    Role.ON_ACCENT: "#0B1220",
    Role.ACCENT_SOFT: "#202C45",
    Role.GOOD: "#63C986",
    Role.GOOD_SOFT: "#17301F",
    Role.ERROR: "#FF9086",
    Role.ERROR_SOFT: "#3A1E1C",
    Role.WARNING: "#E8B55A",
    Role.WARNING_SOFT: "#332915",
    Role.PINNED: "#7FAAFF",
    Role.SYSTEM: "#6FA0D2",
    Role.PROFILE: "#A3BCE0",
    Role.MEMORY: "#52B263",
    Role.LORE: "#DACB62",
    Role.RETRIEVED: "#DACB62",
    Role.SUMMARIES: "#AEA24E",
    Role.DOCUMENTS: "#D077A8",
    Role.ATTACHMENTS: "#D077A8",
    Role.HISTORY: "#8CDAF4",
    Role.CURRENT: "#3FA3B4",
    Role.OVERHEAD: "#A6A6A6",
    Role.REMAINDER: "#C2A36B",
    Role.RESERVE: "#8B949E",
    Role.FREE: "#141619",
    Role.OVER: "#FF8A97",
    Role.KEPT: "#E9EBEE",
    Role.SUMMARIZED: "#E3BC55",
    Role.TRUNCATED: "#F5A15C",
    Role.DROPPED: "#FF8A70",
    Role.TINT_1: "#233A56",
    Role.TINT_2: "#3F3719",
    Role.TINT_3: "#1F3E2A",
    Role.TINT_4: "#4C2B3A",
    Role.ON_DARK: "#FFFFFF",
    Role.ON_LIGHT: "#101418",
    Role.BUTTON: "#24272C",
}
