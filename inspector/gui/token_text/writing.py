"""The written form of each code point where tokens are shown, and its width."""

from collections.abc import Sequence

from PySide6.QtGui import QFont, QFontMetricsF

from inspector.visible_text import made_visible

_LINE_BREAKS = "\n\u2028\u2029"
_MARKS = {" ": "·", "\t": "→   ", "\r": "↵", "\u00a0": "⍽", "\u3000": "□"} | dict.fromkeys(_LINE_BREAKS, "¶")
_BLANKS = {"\t": "    ", "\r": " "} | dict.fromkeys(_LINE_BREAKS, " ")
# Scripts with characters of equal width: a single character is measured for all.
_OF_ONE_WIDTH = ((0x3400, 0x9FFF, "中"), (0xAC00, 0xD7A3, "한"))


class TokenWriting:
    """Writes each code point separately, so that every token keeps a place. `white_space` marks gaps visibly."""

    def __init__(self, font: QFont, white_space: bool = False) -> None:
        self.font = font
        self.white_space = white_space
        self._metrics = QFontMetricsF(font)
        self._forms = dict(_MARKS if white_space else _BLANKS)
        self._widths: dict[str, float] = {}

    @property
    def line_spacing(self) -> float:
        """The distance from one base line to the next, in pixels."""
        return self._metrics.lineSpacing()

    @property
    def ascent(self) -> float:
        """The distance from the top of a line to its base line, in pixels."""
        return self._metrics.ascent()

    def written(self, text: str) -> Sequence[str]:
        """Return the form of each code point: itself, a mark for a gap, or the name of an invisible one."""
        if not self.white_space and text.isascii() and text.isprintable():
            return text
        return [self._form(character) for character in text]

    def is_mark(self, character: str) -> bool:
        """Return whether a drawn mark replaces this character."""
        return self.white_space and character in _MARKS

    def width(self, character: str) -> float:
        """Return the width of a code point on its own, in pixels."""
        for first, last, sample in _OF_ONE_WIDTH:
            if first <= ord(character) <= last:
                character = sample
        known = self._widths.get(character)
        if known is None:
            known = self._widths[character] = self._metrics.horizontalAdvance(self._form(character))
        return known

    def _form(self, character: str) -> str:
        known = self._forms.get(character)
        if known is None:
            code = ord(character)
            lone = 0xD800 <= code <= 0xDFFF
            known = self._forms[character] = f"⟦U+{code:04X}⟧" if lone else made_visible(character)
        return known
