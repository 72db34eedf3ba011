"""What a fused similarity is made of, part by part. Imports nothing heavy: a scenario holds these settings."""

import math
from dataclasses import dataclass, fields

MOST_WEIGHT = 10.0


@dataclass(frozen=True)
class RelevanceSettings:
    """The weights of the parts of a similarity, beside that of a text's own words, which is 1; 0 leaves a part out.

    `stems` has forms of a word count as one, `stop_words` leaves words like "the" out of the query, in the language of
    the texts. `speakers` has the name of who speaks count as a word of a message, `months` the month and the year of a
    text. `before` and `after` weigh the messages beside a message, `sitting` the three best texts of its sitting,
    `sources` the best of the messages that a memory was made from, and `vectors` the likeness of vectors.
    """

    stems: bool = True
    stop_words: bool = True
    speakers: bool = True
    months: bool = True
    before: float = 0.5
    after: float = 0.2
    sitting: float = 0.75
    sources: float = 1.0
    vectors: float = 0.5

    def trouble(self) -> str:
        """Which weight is none, "" where all are."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, bool) and not (math.isfinite(value) and 0 <= value <= MOST_WEIGHT):
                return f"{field.name} must be a number from 0 to {MOST_WEIGHT:g}, not {value!r}"
        return ""


AS_MEASURED = RelevanceSettings()
"""The weights that found most of what answers questions about long chats."""
