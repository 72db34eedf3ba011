"""Layouts: how the user arranged each perspective, as values without Qt. `layout_text` writes and reads them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

PERSPECTIVES = ("inspect", "compare", "tune", "replay", "archive", "present")
"""The questions that a window answers; each has its pages and a layout. A new window shows the first."""
SIDES = ("left", "right")


@dataclass(frozen=True)
class Rectangle:
    """A place on the screen in pixels; `left` and `top` may be negative on other screens."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class Column:
    """A column beside the pages: its width in pixels and whether it is open (None: as usual)."""

    width: int | None = None
    is_open: bool | None = None


@dataclass(frozen=True)
class Layout:
    """A perspective as the user arranged it: the front page ("": the first), the columns, and pages taken out.

    `windows` gives each page in a window of its own the place of that window.
    """

    page: str = ""
    left: Column = Column()
    right: Column = Column()
    windows: Mapping[str, Rectangle] = field(default_factory=dict)


@dataclass(frozen=True)
class WindowLayout:
    """The layouts of perspectives by name, and the current perspective ("": not given)."""

    layouts: Mapping[str, Layout] = field(default_factory=dict)
    perspective: str = ""
