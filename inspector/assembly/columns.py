"""The vocabulary of the columns: kinds, sections, states, roles and actions as small integers, and array types.

Compare a column with `int(Action.KEPT)` and the like: with a member of an enum numpy spends six times as long on
interpreting it as on comparing 5,000 rows.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from inspector.tables import Tone, outcome_text

U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
Bool = NDArray[np.bool_]
Rows = NDArray[np.intp]


class Kind(IntEnum):
    """The source of a candidate, in the order of kinds in a prompt."""

    SYSTEM = 0
    COMPONENT = 1
    PROFILE = 2
    MEMORY = 3
    LORE = 4
    PASSAGE = 5
    SUMMARY = 6
    DOCUMENT = 7
    ATTACHMENT = 8
    GREETING = 9
    MESSAGE = 10


class Section(IntEnum):
    """The part of the budget charged for a candidate, in prompt order."""

    SYSTEM = 0
    PROFILE = 1
    MEMORY = 2
    LORE = 3
    RETRIEVED = 4
    SUMMARIES = 5
    DOCUMENTS = 6
    ATTACHMENTS = 7
    HISTORY = 8
    CURRENT = 9


class State(IntEnum):
    """Whether a candidate takes part; excluded ones and those later than `at` are dropped before a policy sees them."""

    OPEN = 0
    EXCLUDED = 1
    NOT_YET = 2


class Action(IntEnum):
    """The decision about a candidate."""

    KEPT = 0
    SUMMARIZED = 1
    TRUNCATED = 2
    DROPPED = 3


class Fate(IntEnum):
    """The outcome for a candidate as users see it: the action taken, or not existing yet at the replayed turn."""

    KEPT = Action.KEPT
    SUMMARIZED = Action.SUMMARIZED
    TRUNCATED = Action.TRUNCATED
    DROPPED = Action.DROPPED
    NOT_YET = 4


class Source(IntEnum):
    """The source of a chunk for retrieval: the kinds of recorded passages, and items treated as such."""

    LOREBOOK = 0
    CHAT = 1
    CHRONICLE = 2
    DOCUMENT = 3


NO_SOURCE = 255

ROLES = ("system", "user", "assistant", "tool")
ROLE_NUMBER = {role: number for number, role in enumerate(ROLES)}
NO_ROLE = 255

HOME_SECTION = {
    Kind.SYSTEM: Section.SYSTEM,
    Kind.COMPONENT: Section.SYSTEM,
    Kind.PROFILE: Section.SYSTEM,
    Kind.MEMORY: Section.MEMORY,
    Kind.LORE: Section.LORE,
    Kind.PASSAGE: Section.RETRIEVED,
    Kind.SUMMARY: Section.SUMMARIES,
    Kind.DOCUMENT: Section.DOCUMENTS,
    Kind.ATTACHMENT: Section.ATTACHMENTS,
    Kind.GREETING: Section.HISTORY,
    Kind.MESSAGE: Section.HISTORY,
}
"""The section that lists a candidate of a kind unless a policy names another."""


def word(member: IntEnum) -> str:
    """Return the word for a member in files and messages, such as `history`."""
    return member.name.lower()


def section_title(section: Section) -> str:
    """The title of a section, such as Memories."""
    return _TITLES.get(section) or word(section).capitalize()


_TITLES = {Section.MEMORY: "Memories", Section.HISTORY: "Conversation", Section.CURRENT: "Next message"}


def section_words(section: Section) -> str:
    """The words for a section before a noun, as in `the conversation budget`."""
    return word(section) if section == Section.MEMORY else section_title(section).lower()


def phrase(member: IntEnum) -> str:
    """Return the word with spaces, for display, such as `not yet`."""
    return word(member).replace("_", " ")


def outcome_words(outcome: Action | Fate) -> str:
    """An outcome as tables write it: its glyph and its word."""
    return outcome_text(word(outcome))


def outcome_tone(outcome: Action | Fate) -> Tone | None:
    """The role of the text colour of an outcome: none for an item that is kept, muted for one that is not there yet."""
    return "muted" if outcome == Fate.NOT_YET else _TONES[outcome]


_TONES: tuple[Tone | None, ...] = (None, "summarized", "truncated", "dropped")


def frozen(array: NDArray) -> NDArray:
    """Make an array read-only, for sharing, and return it."""
    array.setflags(write=False)
    return array
