"""How many tokens a family takes where o200k_base takes one, for each kind of text.

Claude's factors were measured over whole texts with ctok 1.3.0 (github.com/sanderland/ctok), whose counts are those of
Anthropic's API; the range is that of the 5th to the 95th percentile of pieces of 300 to 1,500 characters, for digits
and base64 of shorter ones. Grok's upper ends are those of the vocabulary in xai-org/grok-1, the last that xAI
published: later ones may be any between it and o200k_base. An unknown model may be any of those known.
"""

from collections.abc import Mapping
from typing import NamedTuple

from inspector.tokens.standin.kinds import TextKind


class Factor(NamedTuple):
    """Tokens of the family for one token of o200k_base: the usual number, the least and the most."""

    usual: float
    low: float
    high: float


_LEAST_OF_GROK = 0.95


def _between(low: float, high: float) -> Factor:
    """Return a factor of which nothing but the ends is known: o200k's own count stands for it."""
    return Factor(1.0, low, high)


_CLAUDE_3: dict[TextKind, Factor] = {
    TextKind.ENGLISH: Factor(1.10, 1.05, 1.16),
    TextKind.LATIN: Factor(1.22, 0.79, 1.58),
    TextKind.UNSURE: Factor(1.15, 0.79, 1.58),
    TextKind.CODE: Factor(1.28, 1.11, 1.59),
    TextKind.JSON: Factor(1.26, 1.22, 1.39),
    TextKind.HTML: Factor(1.17, 1.09, 1.34),
    TextKind.DIGITS: Factor(1.00, 0.95, 1.15),
    TextKind.BASE64: Factor(1.26, 1.10, 1.44),
    TextKind.CYRILLIC: Factor(1.37, 1.19, 1.65),
    TextKind.GREEK: Factor(1.83, 1.75, 1.94),
    TextKind.ARABIC_HEBREW: Factor(1.93, 1.76, 2.19),
    TextKind.DEVANAGARI: Factor(2.44, 2.26, 2.90),
    TextKind.THAI: Factor(2.06, 1.90, 2.18),
    TextKind.HAN: Factor(1.44, 1.24, 1.56),
    TextKind.JAPANESE: Factor(1.12, 1.04, 1.20),
    TextKind.HANGUL: Factor(1.78, 1.62, 1.89),
    TextKind.OTHER: Factor(1.7, 1.0, 2.90),  # not measured: from the least to the most of the others
}
_CLAUDE_4_7: dict[TextKind, Factor] = {
    **_CLAUDE_3,
    TextKind.ENGLISH: Factor(1.54, 1.42, 1.66),
    TextKind.LATIN: Factor(1.61, 0.84, 2.24),
    TextKind.UNSURE: Factor(1.57, 0.84, 2.24),
    TextKind.CODE: Factor(1.63, 1.42, 2.17),
    TextKind.JSON: Factor(1.55, 1.44, 1.82),
    TextKind.HTML: Factor(1.45, 1.20, 1.65),
    TextKind.DIGITS: Factor(1.00, 0.95, 1.25),
    TextKind.BASE64: Factor(1.38, 1.20, 1.90),
    TextKind.JAPANESE: Factor(1.09, 1.01, 1.17),
    TextKind.HANGUL: Factor(1.77, 1.62, 1.89),
}
_MOST_OF_GROK: dict[TextKind, float] = {
    TextKind.ENGLISH: 1.3,
    TextKind.LATIN: 1.50,
    TextKind.UNSURE: 1.50,
    TextKind.CODE: 1.38,
    TextKind.JSON: 1.32,
    TextKind.HTML: 1.3,
    TextKind.DIGITS: 1.61,
    TextKind.BASE64: 1.3,
    TextKind.CYRILLIC: 1.46,
    TextKind.GREEK: 2.48,
    TextKind.ARABIC_HEBREW: 2.82,
    TextKind.DEVANAGARI: 7.70,
    TextKind.THAI: 4.74,
    TextKind.HAN: 2.27,
    TextKind.JAPANESE: 1.21,
    TextKind.HANGUL: 3.08,
    TextKind.OTHER: 7.70,
}
_OF_LATIN_AND_CODE, _OF_THE_REST = _between(0.8, 1.7), _between(1.0, 2.5)

FACTORS: Mapping[str, Mapping[TextKind, Factor]] = {
    "claude-v3": _CLAUDE_3,
    "claude-v4.7": _CLAUDE_4_7,
    "grok": {kind: _between(_LEAST_OF_GROK, most) for kind, most in _MOST_OF_GROK.items()},
    "unknown": {kind: _OF_LATIN_AND_CODE if kind <= TextKind.BASE64 else _OF_THE_REST for kind in TextKind},
}
"""The factors of each family: Claude 3 to Opus 4.6, Claude from 4.7 on, Grok from 3 on, and any other model."""
