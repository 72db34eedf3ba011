"""The hues of sliders that set the size of a part of the bar, so that hand and bar belong together."""

from operator import attrgetter

from PySide6.QtGui import QColor

from inspector.assembly.color_roles import section_role
from inspector.assembly.columns import Section, word
from inspector.assembly.policy import Parameter
from inspector.gui.palettes import Theme
from inspector.gui.parts.slider import Hue

RESERVE = "reserve"
"""The name of the reply among the parts of the bar."""
_OF_SIZES = {"memory": "memory", "history": "history", "reply": RESERVE}
_OF_SHARES = {"document_share": "documents", "context_share": "summaries"}
_SECTIONS = {word(section): section for section in Section}


def part_of_bar(parameter: Parameter) -> str | None:
    """Return the name of the part of the bar whose size a parameter sets, None for all other parameters."""
    return _OF_SIZES.get(parameter.sizes) or _OF_SHARES.get(parameter.name)


def hue_of(parameter: Parameter) -> Hue:
    """Return the fill of a parameter's slider: that of its part of the bar, a grey for the reply, else the accent."""
    part = part_of_bar(parameter)
    if part is None:
        return attrgetter("accent")
    if part == RESERVE:
        return attrgetter("muted_text")
    role = section_role(_SECTIONS[part])

    def hue(look: Theme) -> QColor:
        return look.colors[role]

    return hue
