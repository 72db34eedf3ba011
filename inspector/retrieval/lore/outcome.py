"""The outcome of a lorebook entry in a scan, and its wording."""

from dataclasses import dataclass, field
from enum import StrEnum

from inspector.retrieval.lore.rules import Logic
from inspector.retrieval.lore.text import Place

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PARTS = {
    "persona": "the description of the user",
    "description": "the character's description",
    "personality": "the character's personality",
    "depth_prompt": "the character's note",
    "scenario": "the scenario",
}


class Cause(StrEnum):
    """The reason why an entry is active or not."""

    CONSTANT = "constant"
    KEY = "key"
    RECURSION = "recursion"
    RELEVANCE = "relevance"
    DISABLED = "disabled"
    NO_KEY = "no key"
    UNREADABLE = "unreadable"
    KEYLESS = "keyless"
    SECONDARY = "secondary"
    GROUP = "group"
    BUDGET = "budget"
    PROBABILITY = "probability"
    DELAY = "delay"
    WAITING = "waiting"
    TRIGGER = "trigger"
    CHARACTER = "character"


SECONDARY = {
    Logic.AND_ANY: "secondary key missing",
    Logic.AND_ALL: "secondary keys missing",
    Logic.NOT_ANY: "a secondary key is there",
    Logic.NOT_ALL: "all secondary keys are there",
}
"""The fault of the secondary keys, in a few words."""
SECONDARY_SENTENCE = {
    SECONDARY[Logic.AND_ANY]: "none of its secondary keys does",
    SECONDARY[Logic.AND_ALL]: "not all of its secondary keys do",
    SECONDARY[Logic.NOT_ANY]: "a secondary key does, too, and none may",
    SECONDARY[Logic.NOT_ALL]: "all of its secondary keys do, too, and not all may",
}
ACTIVE = frozenset((Cause.CONSTANT, Cause.KEY, Cause.RECURSION, Cause.RELEVANCE))


@dataclass(frozen=True, slots=True)
class Fired:
    """A key and its first occurrence."""

    key: str
    place: Place

    @property
    def where(self) -> str:
        """The place of the key in words."""
        piece = self.place.piece
        if piece.kind in ("message", "entry"):
            return piece.name or f"{piece.kind} {piece.id}"
        return _PARTS.get(piece.kind, piece.kind)


@dataclass(frozen=True, slots=True)
class Activation:
    """The outcome of an entry.

    `fired` is the key that activated it, or that occurs although it is inactive; `others` are the secondary keys that
    occur. `level` is the step of the recursion in which it fired, 0 for the messages. `probability` is in percent.
    `detail` belongs to the cause: the group, the number of messages, the winning entry. `notes` describe effects of
    chance and time in the application, which are not simulated here.
    """

    cause: Cause
    fired: Fired | None = None
    others: tuple[Fired, ...] = ()
    level: int = 0
    probability: float = 100
    detail: str = ""
    depth: int = 0
    notes: tuple[str, ...] = field(default=())

    @property
    def active(self) -> bool:
        """Whether the entry competes for a place in the prompt."""
        return self.cause in ACTIVE

    @property
    def why(self) -> str:
        """The cause in a few words, for tables."""
        if not self.active:
            return f"not: {_SHORT[self.cause].format(detail=self.detail)}"
        if self.fired is None:
            return f"relevance {self.detail}" if self.cause == Cause.RELEVANCE else "constant"
        secondary = f" with ‘{self.others[0].key}’" if self.others else ""
        if self.cause == Cause.RECURSION:
            return f"recursion from {self.fired.where} by key ‘{self.fired.key}’{secondary}"
        return f"key ‘{self.fired.key}’ in {self.fired.where}{secondary}"

    @property
    def sentence(self) -> str:
        """The cause as a sentence for users, with the notes."""
        return " ".join((self.cause_sentence, *(f"{note[0].upper()}{note[1:]}." for note in self.notes)))

    @property
    def cause_sentence(self) -> str:
        """The cause as a sentence for users."""
        if self.active:
            return self._active_sentence()
        said = f"Its key ‘{self.fired.key}’ occurs in {self.fired.where}, but " if self.fired else ""
        detail = SECONDARY_SENTENCE.get(self.detail, self.detail)
        sentence = _LONG[self.cause].format(detail=detail, depth=_count(self.depth))
        return f"{said}{sentence}." if said else f"{sentence[0].upper()}{sentence[1:]}."

    def _active_sentence(self) -> str:
        if self.fired is None:
            if self.cause == Cause.RELEVANCE:
                return f"It is active by its relevance of {self.detail}."
            return "It is constant, so it needs no key."
        secondary = "".join(f", and its secondary key ‘{other.key}’ in {other.where}" for other in self.others)
        if self.cause == Cause.RECURSION:
            return f"Its key ‘{self.fired.key}’ occurs in {self.fired.where}, which is active itself{secondary}."
        return f"Its key ‘{self.fired.key}’ occurs in {self.fired.where}{secondary}."


_SHORT = {
    Cause.DISABLED: "disabled",
    Cause.NO_KEY: "no key",
    Cause.UNREADABLE: "a key cannot be searched for",
    Cause.KEYLESS: "it has no keys",
    Cause.SECONDARY: "{detail}",
    Cause.GROUP: "lost its {detail}",
    Cause.BUDGET: "budget",
    Cause.PROBABILITY: "probability 0 %",
    Cause.DELAY: "waits for {detail} messages",
    Cause.WAITING: "waits for recursion",
    Cause.TRIGGER: "for {detail} only",
    Cause.CHARACTER: "{detail}",
}
_LONG = {
    Cause.DISABLED: "this lorebook entry is disabled",
    Cause.NO_KEY: "no key of this lorebook entry occurs in the newest {depth}",
    Cause.UNREADABLE: "a key of this lorebook entry cannot be searched for, and no other occurs in the newest {depth}",
    Cause.KEYLESS: "this lorebook entry has no keys and is not constant",
    Cause.SECONDARY: "{detail}",
    Cause.GROUP: "this lorebook entry lost its {detail}",
    Cause.BUDGET: "the {detail} was used up by earlier entries",
    Cause.PROBABILITY: "the probability of this lorebook entry is 0 %",
    Cause.DELAY: "this lorebook entry waits until there are {detail} messages",
    Cause.WAITING: "this lorebook entry is only for recursion, and its step was not reached",
    Cause.TRIGGER: "this lorebook entry is only for other ways of generating: {detail}",
    Cause.CHARACTER: "this lorebook entry is {detail}",
}


def _count(messages: int) -> str:
    """Return a number of messages in words."""
    number = _NUMBERS[messages] if messages < len(_NUMBERS) else f"{messages:,}"
    return "message" if messages == 1 else f"{number} messages"
