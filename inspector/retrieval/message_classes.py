"""Classes of messages by rules, for messages their file says nothing about. Policies decide how to use them.

* emotional weight: by VADER, see emotion.py.
* filler: Chorus Engine's rule. The text, stripped and in lower case, with an optional final full stop, is in `FILLERS`.
  English only.
* key moment, by its words (English): a decision, a promise, a request to remember, a personal detail, or a turn in a
  life; `SAYINGS` lists the words. A question whether you remember is none.
* key moment, by its facts (any language and script that facts.py reads): a date, a time, an amount of money, an e-mail
  address, a number of three figures or more, or a name of two words or more. A single name or a small number is in
  nearly every message and makes none. Only up to `MOST_CODE_POINTS`: any longer text has facts in it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from inspector.retrieval.emotion import emotional_weight
from inspector.retrieval.facts.facts import Fact, FactKind, facts_of

RULES = "rules"
CLASSIFIERS = (RULES,)
"""The ways to classify messages their file says nothing about."""

FILLERS = (
    *("ok", "okay", "thanks", "thank you", "got it", "sure", "alright", "yes", "yeah", "yep", "yup", "no", "nope"),
    *("cool", "nice", "great", "awesome", "uh", "um", "hmm", "hm"),
)
MOST_CODE_POINTS = 600
SAYINGS = {
    "a decision": (
        r"(?:we|i|they|he|she)(?:'ve| have|'d| had)? (?:just |now |finally |all |both )?"
        r"(?:decided|agreed (?:to|on|that)|settled on|made up my mind|made a decision)",
        r"(?:the|our|my) (?:final )?decision is|it's a deal|let's go with|(?:we're|i'm) going with|we'll go with",
    ),
    "a promise": (r"i (?:promise|swear|vow)(?! like)|i give you my word|you have my word|i'll (?:never|always) \w+",),
    "something to remember": (
        r"(?<!do you )(?<!don't you )(?<!you )(?<!\bi )(?<!i still )remember (?:that|this|to|my|me|our|we)",
        r"(?:don't|never) forget|keep in mind|for the record|make a note|from now on|mark my words",
    ),
    "who somebody is": (
        r"my (?:\w+ )?name(?:'s| is)|(?:please |just |you can )call me|i was born|i(?:'m| am) allergic",
        r"my (?:birthday|address|phone number|number|e-?mail|job|wife|husband|partner|son|daughter|dog|cat) is",
        r"i (?:live|moved|work) (?:in|to|at|for|as)",
    ),
    "a turn in a life": (
        r"passed away|died|funeral|was diagnosed|(?:i'm|she's|we're) (?:pregnant|expecting)|gave birth",
        r"got (?:engaged|married|divorced|promoted|fired|laid off|accepted|the job)|getting (?:married|divorced)",
        r"(?:proposed to|broke up with|i love you|will you marry me|i quit my job)",
    ),
}
"""The kinds of key moments, with their English words as patterns of whole words."""

_PATTERNS = {
    what: re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in patterns), re.IGNORECASE)
    for what, patterns in SAYINGS.items()
}
_LEAST_FIGURES = 3
_CHUNK = 200
_FACTS = {
    FactKind.DATE: "a date",
    FactKind.TIME: "a time",
    FactKind.AMOUNT: "an amount of money",
    FactKind.EMAIL: "an e-mail address",
    FactKind.NUMBER: "a number",
    FactKind.NAME: "a full name",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The classes of a text: its emotional weight (0–1, None if it cannot be computed), key moment and filler."""

    emotional_weight: float | None
    key_moment: bool
    filler: bool


class MessageReader:
    """Classifies messages by the rules and remembers every text it has read."""

    def __init__(self) -> None:
        self._known: dict[str, Reading] = {}

    @property
    def version(self) -> int:
        """A number that rises with every text read, on any thread."""
        return len(self._known)

    def read(self, text: str) -> Reading:
        """Return the classes of a text."""
        found = self._known.get(text)
        if found is None:
            found = Reading(emotional_weight(text), next(key_moment_signs(text), None) is not None, is_filler(text))
            self._known[text] = found
        return found

    def read_all(self, texts: Sequence[str]) -> Iterator[int]:
        """Read these texts, yielding the number done at intervals."""
        for done, text in enumerate(texts, start=1):
            self.read(text)
            if done % _CHUNK == 0 or done == len(texts):
                yield done

    def unread(self, texts: Iterable[str]) -> list[str]:
        """Return the distinct texts not read yet."""
        return list(dict.fromkeys(text for text in texts if text not in self._known))


def is_filler(text: str) -> bool:
    """Return whether a text is only an okay, a thanks or the like."""
    return text.strip().lower().removesuffix(".") in FILLERS


def key_moment_signs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the signs of a key moment in a text, as a few words and a stretch of text; none if it is not one."""
    plain = text[:MOST_CODE_POINTS].replace("’", "'")
    for what, pattern in _PATTERNS.items():
        if found := pattern.search(plain):
            yield what, text[found.start() : found.end()]
    if len(text) <= MOST_CODE_POINTS:
        for fact in facts_of(text):
            if _is_telling(fact, text):
                yield _FACTS[fact.kind], text[fact.start : fact.end]


def _is_telling(fact: Fact, text: str) -> bool:
    """Return whether a fact makes its message a key moment."""
    figures = sum(sign.isdigit() for sign in fact.value)
    if fact.kind is FactKind.DATE:
        return figures > 0  # a mere day of the week is in too many messages
    if fact.kind is FactKind.AMOUNT:
        return not fact.value.endswith("%")
    if fact.kind is FactKind.NUMBER:
        return figures >= _LEAST_FIGURES
    if fact.kind is FactKind.NAME:
        return " " in fact.value and not text[fact.start : fact.end].isupper()  # all capitals are shouting
    return fact.kind in _FACTS
