"""The ranges of numeric fields of items, for any source of them: a file, or an override of a scenario."""

from collections.abc import Mapping

from inspector.model.character import Character, Component
from inspector.model.conversation import Message
from inspector.model.lorebook import LoreEntry
from inspector.model.memory import Memory
from inspector.model.passage import Document, Passage, PastSummary
from inspector.model.record import MOST_TOKENS

HIGHEST: Mapping[type, Mapping[str, int]] = {
    Message: {"emotional_weight": 1, "tokens": MOST_TOKENS, "images": MOST_TOKENS},
    Memory: {"priority": 100, "similarity": 1, "confidence": 1, "tokens": MOST_TOKENS},
    Character: {"system_tokens": MOST_TOKENS},
    Component: {"tokens": MOST_TOKENS},
    LoreEntry: {"tokens": MOST_TOKENS},
    Passage: {"score": 1, "tokens": MOST_TOKENS},
    PastSummary: {"similarity": 1, "tokens": MOST_TOKENS},
    Document: {"tokens": MOST_TOKENS},
}
"""The highest value of each field that has a range, by kind of item; the lowest is 0."""
