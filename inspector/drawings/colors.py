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
    TEXT = "text"
    MUTED = "muted"
    BORDER = "border"
    ACCENT = "accent"
    ERROR = "error"
    WARNING = "warning"
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
    Role.WINDOW: "#F3F4F6",
    Role.BASE: "#FFFFFF",
    Role.ALTERNATE: "#F8F9FA",
    Role.TEXT: "#1B2027",
    Role.MUTED: "#59626D",
    Role.BORDER: "#CDD2D8",
    Role.ACCENT: "#2A66AD",
    Role.ERROR: "#B3261E",
    Role.WARNING: "#8A5600",
    Role.PINNED: "#1F5FBF",
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
    Role.RESERVE: "#7A828C",
    Role.FREE: "#FFFFFF",
    Role.OVER: "#EE6677",
    Role.KEPT: "#1B2027",
    Role.SUMMARIZED: "#856000",
    Role.TRUNCATED: "#A84B00",
    Role.DROPPED: "#BE2F18",
    Role.TINT_1: "#D9E6F7",
    Role.TINT_2: "#FBEFC9",
    Role.TINT_3: "#D8EFDD",
    Role.TINT_4: "#F8DFE7",
    Role.ON_DARK: "#FFFFFF",
    Role.ON_LIGHT: "#101418",
    Role.BUTTON: "#FCFCFD",
}

DARK: Palette = {
    Role.WINDOW: "#282C32",
    Role.BASE: "#1B1E23",
    Role.ALTERNATE: "#202429",
    Role.TEXT: "#E4E7EB",
    Role.MUTED: "#A3ABB5",
    Role.BORDER: "#454D57",
    Role.ACCENT: "#7FB2EC",
    Role.ERROR: "#FF9086",
    Role.WARNING: "#E8B55A",
    Role.PINNED: "#8DBBFF",
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
    Role.RESERVE: "#8B949E",
    Role.FREE: "#1B1E23",
    Role.OVER: "#FF8A97",
    Role.KEPT: "#E4E7EB",
    Role.SUMMARIZED: "#E3BC55",
    Role.TRUNCATED: "#F5A15C",
    Role.DROPPED: "#FF8A70",
    Role.TINT_1: "#27405F",
    Role.TINT_2: "#463D1C",
    Role.TINT_3: "#22452F",
    Role.TINT_4: "#4C2B3A",
    Role.ON_DARK: "#FFFFFF",
    Role.ON_LIGHT: "#101418",
    Role.BUTTON: "#363B43",
}
